package datasets

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// The limits of what the web application sends.
const (
	maxDescription = 5_000  // characters
	maxSchema      = 10_000 // characters
	maxMetadata    = 100_000
)

// detailsBody is a dataset with JSON values as texts, so that they are shown and edited as they were written.
type detailsBody struct {
	ID                   string       `json:"id"`
	Name                 string       `json:"name"`
	Description          *string      `json:"description"`
	Metadata             *string      `json:"metadata"`
	InputSchema          *string      `json:"inputSchema"`
	ExpectedOutputSchema *string      `json:"expectedOutputSchema"`
	Items                int          `json:"items"`
	CreatedAt            respond.Time `json:"createdAt"`
	UpdatedAt            respond.Time `json:"updatedAt"`
}

func textOf(raw json.RawMessage) *string {
	if raw == nil {
		return nil
	}
	return new(string(raw))
}

func detailsOf(d domain.Dataset) detailsBody {
	updated := d.UpdatedAt
	if d.LastWrite.After(updated) {
		updated = d.LastWrite
	}
	return detailsBody{
		d.ID, d.Name, d.Description, textOf(d.Metadata), textOf(d.InputSchema), textOf(d.ExpectedOutputSchema), d.ActiveItems,
		respond.Time(d.CreatedAt), respond.Time(updated),
	}
}

// datasetByID returns the dataset of the path, or the client's error.
func (h *Handlers) datasetByID(c *endpoint.Call, scope domain.ProjectScope) (domain.Dataset, error) {
	d, err := h.Catalog.DatasetByID(c.Context(), scope, c.Path("datasetId"))
	return d, endpoint.NotFoundAs(err, "Dataset not found")
}

// GetDatasetDetails returns a dataset by its id or, since other programs link to it like that, by its name.
func (h *Handlers) GetDatasetDetails(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	d, err := h.Catalog.DatasetByID(c.Context(), scope, c.Path("datasetId"))
	if errors.Is(err, domain.ErrNotFound) {
		d, err = h.findDataset(c, scope, c.Path("datasetId"))
	}
	return detailsOf(d), err
}

// readJSONText reads a text that holds JSON, for a value that is null if the text is blank. An absent one is nil.
func readJSONText(v decode.Value, maximum int) json.RawMessage {
	return decode.NullishOr(v, func(v decode.Value) json.RawMessage {
		text := v.TextLen(0, maximum)
		if strings.TrimSpace(text) == "" {
			return json.RawMessage("null")
		}
		if err := decode.CheckJSON([]byte(text)); err != nil {
			v.Reject(decode.Violation(v.Path(), "This is not valid JSON. Text needs quotes."))
			return nil
		}
		return cleanJSON([]byte(text))
	}, nil)
}

// readSchemaText reads the change of a schema: blank removes it, absent keeps it.
func readSchemaText(v decode.Value) catalog.SchemaChange {
	raw := readJSONText(v, maxSchema)
	change := catalog.SchemaChange{Given: raw != nil, Schema: raw}
	if string(raw) == "null" {
		change.Schema = nil
	}
	if change.Schema != nil {
		if _, err := compileSchemas(change.Schema, nil); err != nil {
			v.Reject(decode.Violation(v.Path(), "This is not a valid JSON Schema: "+errors.Unwrap(err).Error()))
		}
	}
	return change
}

func readDatasetChange(c *endpoint.Call, isNew bool) (change catalog.DatasetChange, err error) {
	b := c.Body().Object()
	readName := func(v decode.Value) string {
		name := strings.TrimSpace(endpoint.ReadName(v, 0))
		if issues := datasetNameIssues(name); len(issues) > 0 {
			v.Reject(decode.Violation(v.Path(), issues[0].Message))
		}
		return name
	}
	if name := b.Field("name"); isNew {
		change.Name = readName(name)
	} else {
		change.Name = decode.NullishOr(name, readName, "")
	}
	change.IsNew = isNew
	change.Description = decode.Nullish(b.Field("description"), func(v decode.Value) string {
		return endpoint.RejectNUL(v, v.TextLen(0, maxDescription))
	})
	change.Metadata = readJSONText(b.Field("metadata"), maxMetadata)
	change.InputSchema = readSchemaText(b.Field("inputSchema"))
	change.ExpectedOutputSchema = readSchemaText(b.Field("expectedOutputSchema"))
	b.Strict()
	return change, b.Err()
}

// The refusal of a schema names this many items, with the first violation of each, of this many characters.
const (
	maxBrokenShown    = 100
	maxViolationShown = 200
)

// checkExisting refuses schemas that items of the dataset violate, at the fields of the schemas.
func (s itemSchemas) checkExisting(items iter.Seq2[*domain.DatasetItem, error]) error {
	type broken struct {
		count int
		shown []string
	}
	found := map[string]*broken{"input": {}, "expectedOutput": {}}
	for item, err := range items {
		if err != nil {
			return err
		}
		for _, failure := range s.failures(item) {
			field := found[failure.Field]
			if field.count++; field.count <= maxBrokenShown {
				violation := beginning(describe(failure.Errors[0]), maxViolationShown)
				field.shown = append(field.shown, fmt.Sprintf("%s (%s)", item.ID, violation))
			}
		}
	}
	var issues []decode.Issue
	for _, field := range []string{"input", "expectedOutput"} {
		if f := found[field]; f.count > 0 {
			text := fmt.Sprintf("Items that do not match it: %d.", f.count)
			if f.count > maxBrokenShown {
				text += fmt.Sprintf(" The first %d are:", maxBrokenShown)
			}
			issues = append(issues, decode.Violation([]any{field + "Schema"}, text+"\n"+strings.Join(f.shown, "\n")))
		}
	}
	if issues == nil {
		return nil
	}
	return &decode.Invalid{Issues: issues}
}

func describe(v schemaViolation) string {
	if v.Path == "" {
		return v.Message
	}
	return v.Path + ": " + v.Message
}

// CreateDataset creates a dataset with a name that none has.
func (h *Handlers) CreateDataset(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	change, err := readDatasetChange(c, true)
	if err != nil {
		return nil, err
	}
	nothing := func(iter.Seq2[*domain.DatasetItem, error]) error { return nil }
	d, err := h.Catalog.PutDataset(c.Context(), scope, change, nothing, c.Actor())
	if err != nil {
		return nil, nameTaken(err)
	}
	return respond.Status{Code: 201, Body: detailsOf(d)}, nil
}

// ChangeDataset changes the given parts of a dataset.
func (h *Handlers) ChangeDataset(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	change, err := readDatasetChange(c, false)
	if err != nil {
		return nil, err
	}
	schemas, err := compileSchemas(change.InputSchema.Schema, change.ExpectedOutputSchema.Schema)
	if err != nil {
		return nil, err
	}
	d, err := h.Catalog.ChangeDataset(c.Context(), scope, c.Path("datasetId"), change, schemas.checkExisting, c.Actor())
	if err != nil {
		return nil, endpoint.NotFoundAs(nameTaken(err), "Dataset not found")
	}
	return detailsOf(d), nil
}

func nameTaken(err error) error {
	if errors.Is(err, domain.ErrConflict) {
		return &decode.Invalid{Issues: []decode.Issue{decode.Violation([]any{"name"}, "Another dataset has this name")}}
	}
	return err
}

// DeleteDataset deletes a dataset with its items.
func (h *Handlers) DeleteDataset(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	err := h.Catalog.DeleteDataset(c.Context(), scope, c.Path("datasetId"), c.Actor())
	return endpoint.Confirm(endpoint.NotFoundAs(err, "Dataset not found"), respond.NoContent{})
}

// itemDetails is an item with JSON values as texts.
type itemDetails struct {
	ID                  string       `json:"id"`
	Status              string       `json:"status"`
	Input               *string      `json:"input"`
	ExpectedOutput      *string      `json:"expectedOutput"`
	Metadata            *string      `json:"metadata"`
	SourceTraceID       *string      `json:"sourceTraceId"`
	SourceObservationID *string      `json:"sourceObservationId"`
	UpdatedAt           respond.Time `json:"updatedAt"`
}

func itemDetailsOf(i domain.DatasetItem) itemDetails {
	return itemDetails{
		i.ID, i.Status, textOf(i.Input), textOf(i.ExpectedOutput), textOf(i.Metadata), i.SourceTraceID, i.SourceObservationID,
		respond.Time(i.WrittenAt),
	}
}

// GetItemDetails returns an item of a dataset with its whole values, now or as of a time.
func (h *Handlers) GetItemDetails(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	at := q.NonEmptyDate("version")
	if err := q.Err(); err != nil {
		return nil, err
	}
	var item domain.DatasetItem
	var err error
	if at == nil {
		item, err = h.Catalog.DatasetItem(c.Context(), scope, c.Path("itemId"))
	} else {
		item, err = h.Catalog.DatasetItemAt(c.Context(), scope, c.Path("itemId"), *at)
	}
	if err == nil && item.DatasetID != c.Path("datasetId") {
		err = domain.ErrNotFound
	}
	if err != nil {
		return nil, endpoint.NotFoundAs(err, "Dataset item not found")
	}
	return itemDetailsOf(item), nil
}

// SaveItem adds an item to a dataset, or writes a new version of one. Violations of the schemas are told at the fields.
func (h *Handlers) SaveItem(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	change := catalog.DatasetItemChange{
		Input:          readJSONText(b.Field("input"), MaxItemBody),
		ExpectedOutput: readJSONText(b.Field("expectedOutput"), MaxItemBody),
		Metadata:       readJSONText(b.Field("metadata"), MaxItemBody),
		Status: decode.NullishOr(b.Field("status"),
			func(v decode.Value) string { return v.Enum(domain.ItemActive, domain.ItemArchived) }, ""),
		Base: decode.Nullish(b.Field("base"), decode.Value.Time),
	}
	id := b.Field("id")
	change.ID = decode.NullishOr(id, func(v decode.Value) string { return endpoint.RejectNUL(v, v.TextLen(1, maxItemID)) }, "")
	if change.ID != "" && change.Base == nil {
		id.Reject(decode.Violation([]any{"base"}, "A change needs the version that it was made from"))
	}
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	d, err := h.datasetByID(c, scope)
	if err != nil {
		return nil, err
	}
	if change.Media, err = h.mediaOf(c, scope, change); err != nil {
		return nil, err
	}
	item, err := h.Catalog.PutDatasetItem(c.Context(), scope, d.Name, change, catalog.WriteCheck{Valid: checkFields}, c.Actor())
	switch {
	case errors.Is(err, catalog.ErrItemChanged), errors.Is(err, domain.ErrConflict):
		return nil, respond.Conflict("Somebody has changed or deleted this item meanwhile. Load it again before you change it.")
	case errors.Is(err, domain.ErrNotFound):
		return nil, respond.NotFound("Dataset not found")
	case err != nil:
		return nil, asUnknownMedia(err)
	}
	return itemDetailsOf(item), nil
}

// checkFields refuses an item that violates the schemas of its dataset, at the fields that do.
func checkFields(d domain.Dataset, item domain.DatasetItem) error {
	if item.Input == nil {
		return &decode.Invalid{Issues: []decode.Issue{decode.Violation([]any{"input"}, "An item needs an input")}}
	}
	schemas, err := compileSchemas(d.InputSchema, d.ExpectedOutputSchema)
	if err != nil {
		return err
	}
	var issues []decode.Issue
	for _, failure := range schemas.failures(&item) {
		for _, violation := range failure.Errors {
			issues = append(issues, decode.Violation([]any{failure.Field}, describe(violation)))
		}
	}
	if issues != nil {
		return &decode.Invalid{Issues: issues}
	}
	return nil
}
