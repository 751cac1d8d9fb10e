package catalog

import (
	"context"
	"strings"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// DatasetHead is what a list shows of a dataset.
type DatasetHead struct {
	ID, Name                             string
	Description                          *string
	Items                                int // active ones
	HasInputSchema, HasExpectedOutSchema bool
	// UpdatedAt is when the dataset or one of its items was last written.
	CreatedAt, UpdatedAt time.Time
}

// like returns a text as a pattern of LIKE that matches everything that contains it.
func like(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text) + "%"
}

// DatasetHeads returns the datasets below a folder whose names or descriptions contain a text, in no order. The search
// ignores case, at least that of ASCII letters.
func (c *Catalog) DatasetHeads(ctx context.Context, scope domain.ProjectScope, folder, search string) ([]DatasetHead, error) {
	if tables.Unstorable(folder, search) {
		return nil, nil
	}
	pattern := like(strings.ToLower(search))
	q := tables.SQL(`SELECT id, name, SUBSTR(description, 1, 300), active_items, CASE WHEN input_schema IS NULL THEN 0 ELSE 1 END,
		CASE WHEN expected_output_schema IS NULL THEN 0 ELSE 1 END, created_at,
		CASE WHEN last_write > updated_at THEN last_write ELSE updated_at END FROM datasets WHERE project_id = ?`, scope.ProjectID()).
		And(tables.If(folder != "", "SUBSTR(name, 1, ?) = ?", len([]rune(folder))+1, folder+"/"))
	if search != "" {
		q = q.And(tables.SQL(`(LOWER(name) LIKE ? ESCAPE '\' OR LOWER(description) LIKE ? ESCAPE '\')`, pattern, pattern))
	}
	return tables.QueryAll(ctx, c.db.Reader(), func(r tables.Row) (h DatasetHead, err error) {
		var input, expected int
		err = r.Scan(&h.ID, &h.Name, &h.Description, &h.Items, &input, &expected, tables.AsTime(&h.CreatedAt), tables.AsTime(&h.UpdatedAt))
		h.HasInputSchema, h.HasExpectedOutSchema = input == 1, expected == 1
		return h, err
	}, q.Text, q.Args...)
}

// ItemPreview is the beginning of an item.
type ItemPreview struct {
	ID, Status string
	// The beginnings of the values as JSON; nil for null.
	Input, ExpectedOutput, Metadata    *string
	SourceTraceID, SourceObservationID *string
	WrittenAt                          time.Time
}

// PreviewLength is the number of characters that a preview has of each value.
const PreviewLength = 400

// ItemsQuery selects items of a dataset.
type ItemsQuery struct {
	DatasetID string
	Status    string     // empty means active and archived ones
	Search    string     // a part of the id or of a value, in any case
	At        *time.Time // nil means now
	// After is the last item of the previous page.
	After *ItemPlace
	Limit int
}

// ItemPlace is a place in a list of items, the most recently written first.
type ItemPlace struct {
	At time.Time
	ID string
}

// BrowseItems returns previews of items, the most recently written first.
func (c *Catalog) BrowseItems(ctx context.Context, scope domain.ProjectScope, q ItemsQuery) ([]ItemPreview, error) {
	if tables.Unstorable(q.Search) {
		return nil, nil
	}
	where := tables.SQL("project_id = ? AND dataset_id = ?", scope.ProjectID(), q.DatasetID).And(validAt(q.At))
	// The literals match the conditions of partial indexes.
	switch q.Status {
	case domain.ItemActive:
		where = where.And(tables.SQL("status = 'ACTIVE'"))
	case domain.ItemArchived:
		where = where.And(tables.SQL("status = 'ARCHIVED'"))
	default:
		where = where.And(tables.SQL("status <> ?", itemDeleted))
	}
	if q.After != nil {
		at := tables.Millis(q.After.At)
		where = where.And(tables.SQL("valid_from <= ? AND (valid_from < ? OR item_id > ?)", at, at, q.After.ID))
	}
	if q.Search != "" {
		// Within JSON, the text is written with escapes.
		text := strings.ToLower(q.Search)
		inJSON := like(strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(text))
		where = where.And(tables.SQL(`(LOWER(item_id) LIKE ? ESCAPE '\' OR LOWER(input) LIKE ? ESCAPE '\'
			OR LOWER(expected_output) LIKE ? ESCAPE '\' OR LOWER(metadata) LIKE ? ESCAPE '\')`, like(text), inJSON, inJSON, inJSON))
	}
	part := func(column string) string { return "SUBSTR(" + column + ", 1, ?)" }
	args := append([]any{PreviewLength, PreviewLength, PreviewLength}, where.Args...)
	return tables.QueryAll(ctx, c.db.Reader(), func(r tables.Row) (i ItemPreview, err error) {
		err = r.Scan(&i.ID, &i.Status, &i.Input, &i.ExpectedOutput, &i.Metadata, &i.SourceTraceID, &i.SourceObservationID,
			tables.AsTime(&i.WrittenAt))
		return i, err
	}, "SELECT item_id, status, "+part("input")+", "+part("expected_output")+", "+part("metadata")+`, source_trace_id,
		source_observation_id, valid_from FROM dataset_item_versions WHERE `+where.Text+
		" ORDER BY valid_from DESC, item_id LIMIT ?", append(args, q.Limit)...)
}
