package catalog

import (
	"context"
	"iter"
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

// DatasetVersion is what was written into a dataset at once.
type DatasetVersion struct {
	At                       time.Time
	Items, Archived, Deleted int // Items counts all of them
}

// DatasetVersions returns versions of a dataset that were written before a time, or all if it is zero, the newest first.
func (c *Catalog) DatasetVersions(
	ctx context.Context, scope domain.ProjectScope, datasetID string, before time.Time, limit int,
) ([]DatasetVersion, error) {
	where := tables.SQL("project_id = ? AND dataset_id = ?", scope.ProjectID(), datasetID).
		And(tables.If(!before.IsZero(), "valid_from < ?", tables.Millis(before)))
	return tables.QueryAll(ctx, c.db.Reader(), func(r tables.Row) (v DatasetVersion, err error) {
		err = r.Scan(tables.AsTime(&v.At), &v.Items, &v.Archived, &v.Deleted)
		return v, err
	}, `SELECT valid_from, COUNT(*), CAST(SUM(CASE status WHEN 'ARCHIVED' THEN 1 ELSE 0 END) AS BIGINT),
		CAST(SUM(CASE status WHEN 'DELETED' THEN 1 ELSE 0 END) AS BIGINT) FROM dataset_item_versions WHERE `+where.Text+
		" GROUP BY valid_from ORDER BY valid_from DESC LIMIT ?", append(where.Args, limit)...)
}

// DatasetItemsAt returns the items that a dataset had at a time, including archived ones.
func (c *Catalog) DatasetItemsAt(
	ctx context.Context, scope domain.ProjectScope, datasetID string, at time.Time,
) iter.Seq2[*domain.DatasetItem, error] {
	where := tables.SQL("project_id = ? AND dataset_id = ? AND status <> ?", scope.ProjectID(), datasetID, itemDeleted).And(validAt(&at))
	return itemList(c.db.Reader(), selectItem, scanItem, where, nil).Read(ctx, 0, tables.Unlimited)
}

// validAt is the condition that versions were the current ones at a time; nil means now.
func validAt(at *time.Time) tables.Condition {
	if at == nil {
		return tables.SQL("valid_to IS NULL")
	}
	ms := tables.Millis(*at)
	return tables.SQL("valid_from <= ? AND (valid_to IS NULL OR valid_to > ?)", ms, ms)
}
