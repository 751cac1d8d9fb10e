package catalog

import (
	"context"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// ItemVersion is a version of an item without its values.
type ItemVersion struct {
	At     time.Time
	Status string // ItemDeleted for a deletion
}

// DatasetItemVersions returns versions of an item of a dataset that were written before a time, or all if it is zero, the
// newest first. They include those of an item that is deleted by now.
func (c *Catalog) DatasetItemVersions(
	ctx context.Context, scope domain.ProjectScope, datasetID, itemID string, before time.Time, limit int,
) ([]ItemVersion, error) {
	if tables.Unstorable(datasetID, itemID) {
		return nil, nil
	}
	where := tables.SQL("project_id = ? AND dataset_id = ? AND item_id = ?", scope.ProjectID(), datasetID, itemID).
		And(tables.If(!before.IsZero(), "valid_from < ?", tables.Millis(before)))
	return tables.QueryAll(ctx, c.db.Reader(), func(r tables.Row) (v ItemVersion, err error) {
		err = r.Scan(tables.AsTime(&v.At), &v.Status)
		return v, err
	}, "SELECT valid_from, status FROM dataset_item_versions WHERE "+where.Text+" ORDER BY valid_from DESC LIMIT ?",
		append(where.Args, limit)...)
}

// DatasetItemAt returns the version that an item of the project had at a time, archived or not.
func (c *Catalog) DatasetItemAt(ctx context.Context, scope domain.ProjectScope, id string, at time.Time) (domain.DatasetItem, error) {
	if tables.Unstorable(id) {
		return domain.DatasetItem{}, tables.WithSubject(domain.ErrNotFound, "dataset item", id)
	}
	item, err := tables.QueryOne(ctx, c.db.Reader(), scanItem, selectItem+`project_id = ? AND item_id = ? AND valid_from <= ?
		ORDER BY valid_from DESC LIMIT 1`, scope.ProjectID(), id, tables.Millis(at))
	if err == nil && item.Status == itemDeleted {
		err = domain.ErrNotFound
	}
	return item, tables.WithSubject(err, "dataset item", id)
}
