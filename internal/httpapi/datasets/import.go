package datasets

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/limits/memory"
)

// The limits of requests that import items. A file is sent in as many of them as it takes.
const (
	MaxImportBody      = 10 << 20 // bytes; a row of the maximum size fits, with all of its quotes escaped
	maxImportedRows    = 1000
	maxImportedColumns = 500
	maxColumnName      = 1000 // characters
	maxImportPreviews  = 20
	maxReason          = 500 // bytes
)

// importMapping says which columns of a file become which part of an item.
type importMapping struct {
	id                              string // empty if ids are made of the values
	input, expectedOutput, metadata []string
}

type importRequest struct {
	dryRun   bool
	asText   bool // cells are text, even if they hold JSON
	columns  []string
	places   map[string]int // of the columns; nil if rows are JSON objects
	mapping  importMapping
	previews int
	rows     []decode.Value
	bytes    int // of the rows
}

func readImport(c *endpoint.Call) (r importRequest, err error) {
	b := c.Body().Object()
	readName := func(v decode.Value) string { return v.TextLen(0, maxColumnName) }
	readNames := func(v decode.Value) (names []string) {
		for _, each := range v.ArrayLen(0, maxImportedColumns) {
			names = append(names, readName(each))
		}
		return names
	}
	r.dryRun = decode.NullishOr(b.Field("dryRun"), decode.Value.Bool, false)
	r.asText = decode.NullishOr(b.Field("cells"), func(v decode.Value) string { return v.Enum("json", "text") }, "json") == "text"
	r.previews = decode.NullishOr(b.Field("previews"), func(v decode.Value) int { return v.IntWithin(0, maxImportPreviews) }, 0)
	if columns := b.Field("columns"); columns.Kind() != "undefined" && columns.Kind() != "null" {
		r.columns, r.places = readNames(columns), make(map[string]int)
		for n, name := range r.columns {
			if _, twice := r.places[name]; twice {
				columns.Reject(decode.Violation(columns.Path(), fmt.Sprintf("Two columns are called %q", name)))
			}
			r.places[name] = n
		}
	}
	m := b.Field("mapping").Object()
	read := func(name string) []string {
		v := m.Field(name)
		names := decode.NullishOr(v, readNames, nil)
		named := make(map[string]bool)
		for _, column := range names {
			if named[column] {
				v.Reject(decode.Violation(v.Path(), fmt.Sprintf("The column %q is named twice", beginning(column, maxReason))))
			}
			named[column] = true
			if _, known := r.places[column]; r.places != nil && !known {
				v.Reject(decode.Violation(v.Path(), fmt.Sprintf("There is no column %q", column)))
			}
		}
		return names
	}
	r.mapping = importMapping{input: read("input"), expectedOutput: read("expectedOutput"), metadata: read("metadata")}
	id := m.Field("id")
	r.mapping.id = decode.NullishOr(id, func(v decode.Value) string { return v.TextLen(1, maxColumnName) }, "")
	if _, known := r.places[r.mapping.id]; r.mapping.id != "" && r.places != nil && !known {
		id.Reject(decode.Violation(id.Path(), fmt.Sprintf("There is no column %q", r.mapping.id)))
	}
	m.Strict()
	rows := b.Field("rows")
	r.rows, r.bytes = rows.ArrayLen(1, maxImportedRows), len(rows.Raw())
	b.Strict()
	return r, b.Err()
}

type refusedRow struct {
	Row    int    `json:"row"`
	Reason string `json:"reason"`
}

// importedPreview is an item as a row makes it.
type importedPreview struct {
	Row            int     `json:"row"`
	ID             *string `json:"id"`
	Input          *string `json:"input"`
	ExpectedOutput *string `json:"expectedOutput"`
	Metadata       *string `json:"metadata"`
}

type importResult struct {
	Created   int               `json:"created"`
	Changed   int               `json:"changed"`
	Unchanged int               `json:"unchanged"`
	Refused   []refusedRow      `json:"refused"`
	Previews  []importedPreview `json:"previews"`
}

func (r *importResult) refuse(row int, reason string) {
	if len(reason) > maxReason {
		reason = strings.ToValidUTF8(reason[:maxReason], "") + "…"
	}
	r.Refused = append(r.Refused, refusedRow{row, reason})
}

// ImportItems writes the rows of a part of a file as items of a dataset, or says what would become of them. Refused rows
// are named; the others are written at once.
func (h *Handlers) ImportItems(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	r, err := readImport(c)
	if err != nil {
		return nil, err
	}
	held := memory.Of(c.Context())
	if err := held.Grow(c.Context(), int64(r.bytes)); err != nil { // the rows are decoded
		return nil, err
	}
	datasetID := c.Path("datasetId")
	result := importResult{Refused: []refusedRow{}, Previews: []importedPreview{}}
	var writes []catalog.ItemWrite
	var places []int // of the writes among the rows
	for n, row := range r.rows {
		write, err := r.write(datasetID, row)
		if err == nil {
			// A row can make more than it has: the names of columns become part of each item.
			err = held.Grow(c.Context(), int64(write.Change.Size()))
		}
		if err == nil {
			write.Change.Media, err = h.mediaOf(c, scope, write.Change)
		}
		if refused, isRefusal := errors.AsType[*respond.Error](err); isRefusal {
			result.refuse(n, refused.Message)
			continue
		}
		if err != nil {
			return nil, err
		}
		if len(result.Previews) < r.previews {
			result.Previews = append(result.Previews, previewOf(n, write))
		}
		writes, places = append(writes, write), append(places, n)
	}
	outcomes, err := h.Catalog.PutDatasetItems(c.Context(), scope, datasetID, writes, importCheck, r.dryRun, c.Actor())
	if err != nil {
		return nil, batchError(err)
	}
	for n, outcome := range outcomes {
		switch outcome.Outcome {
		case catalog.ItemCreated:
			result.Created++
		case catalog.ItemChanged:
			result.Changed++
		case catalog.ItemUnchanged:
			result.Unchanged++
		default:
			result.refuse(places[n], outcome.Refusal)
		}
	}
	return result, nil
}

// batchError returns the client's error for items that could not be written at once.
func batchError(err error) error {
	if errors.Is(err, domain.ErrConflict) {
		return respond.Conflict("Others are changing this dataset at the same time. Try it again.")
	}
	return asUnknownMedia(endpoint.NotFoundAs(err, "Dataset not found"))
}

// importCheck says what of an item violates the schemas of its dataset.
func importCheck(d domain.Dataset) (func(*domain.DatasetItem) string, error) {
	schemas, err := compileSchemas(d.InputSchema, d.ExpectedOutputSchema)
	return func(item *domain.DatasetItem) string {
		var texts []string
		for _, failure := range schemas.failures(item) {
			what := map[string]string{"input": "Input", "expectedOutput": "Expected output"}[failure.Field]
			texts = append(texts, what+" "+cmp.Or(failure.Errors[0].Path, "as a whole")+" "+failure.Errors[0].Message)
		}
		return strings.Join(texts, "; ")
	}, err
}

func previewOf(row int, w catalog.ItemWrite) importedPreview {
	text := func(raw json.RawMessage) *string {
		if raw == nil || string(raw) == "null" {
			return nil
		}
		return new(beginning(string(raw), catalog.PreviewLength))
	}
	p := importedPreview{
		Row: row, Input: text(w.Change.Input), ExpectedOutput: text(w.Change.ExpectedOutput), Metadata: text(w.Change.Metadata),
	}
	if !w.KeepExisting {
		p.ID = &w.Change.ID
	}
	return p
}

// beginning returns at most count characters of a text.
func beginning(text string, count int) string {
	for at := range text {
		if count--; count < 0 {
			return text[:at]
		}
	}
	return text
}
