package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/google/uuid"

	"almanac/internal/catalog/media"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// itemDeleted is the status of a version that marks its item as deleted. Readers never return it.
const itemDeleted = "DELETED"

const selectItem = `SELECT item_id, dataset_id, (SELECT name FROM datasets WHERE id = v.dataset_id), status, input, expected_output,
	metadata, source_trace_id, source_observation_id, valid_from FROM dataset_item_versions v WHERE `

func scanItem(r tables.Row) (i domain.DatasetItem, err error) {
	err = r.Scan(&i.ID, &i.DatasetID, &i.DatasetName, &i.Status, tables.AsRaw(&i.Input), tables.AsRaw(&i.ExpectedOutput),
		tables.AsRaw(&i.Metadata),
		&i.SourceTraceID, &i.SourceObservationID, tables.AsTime(&i.WrittenAt))
	return i, err
}

// DatasetItem returns the current version of an item of the project, archived or not.
func (c *Catalog) DatasetItem(ctx context.Context, scope domain.ProjectScope, id string) (domain.DatasetItem, error) {
	item, err := currentItem(ctx, c.db.Reader(), scope, id)
	if err == nil && item.Status == itemDeleted {
		err = domain.ErrNotFound
	}
	return item, tables.WithSubject(err, "dataset item", id)
}

// currentItem returns the current version of an item, which may be its deletion.
func currentItem(ctx context.Context, s tables.Session, scope domain.ProjectScope, id string) (domain.DatasetItem, error) {
	if tables.Unstorable(id) {
		return domain.DatasetItem{}, domain.ErrNotFound
	}
	return tables.QueryOne(ctx, s, scanItem, selectItem+"project_id = ? AND item_id = ? AND valid_to IS NULL", scope.ProjectID(), id)
}

// DatasetItemQuery selects active items of a project.
type DatasetItemQuery struct {
	DatasetID           string // empty means all datasets
	SourceTraceID       *string
	SourceObservationID *string
	At                  *time.Time // nil means now
}

// where returns the condition of the query. Its literal parts match the conditions of partial indexes.
func (q DatasetItemQuery) where(scope domain.ProjectScope) tables.Condition {
	where := q.whereUntil(scope)
	if q.At != nil {
		where = where.And(tables.SQL("valid_from <= ?", tables.Millis(*q.At)))
	}
	return where
}

// whereUntil returns the condition without the upper bound on valid_from, which a list narrows part by part.
func (q DatasetItemQuery) whereUntil(scope domain.ProjectScope) tables.Condition {
	bySource := q.At == nil && (q.SourceTraceID != nil || q.SourceObservationID != nil)
	where := tables.SQL("project_id = ? AND status = 'ACTIVE'", scope.ProjectID()).
		// Few items share a source and many share a dataset. SQLite does not know that, so the expression hides the
		// dataset index from its planner.
		And(tables.If(q.DatasetID != "" && bySource, "dataset_id || '' = ?", q.DatasetID)).
		And(tables.If(q.DatasetID != "" && !bySource, "dataset_id = ?", q.DatasetID)).
		And(tables.If(q.SourceTraceID != nil, "source_trace_id = ?", q.SourceTraceID)).
		And(tables.If(q.SourceObservationID != nil, "source_observation_id = ?", q.SourceObservationID))
	if q.At != nil {
		return where.And(tables.SQL("(valid_to IS NULL OR valid_to > ?)", tables.Millis(*q.At)))
	}
	return where.And(tables.SQL("valid_to IS NULL"))
}

// cannotMatch reports whether no item can match the query because the database cannot store such values.
func (q DatasetItemQuery) cannotMatch() bool {
	return q.SourceTraceID != nil && tables.Unstorable(*q.SourceTraceID) || q.SourceObservationID != nil &&
		tables.Unstorable(*q.SourceObservationID)
}

// DatasetItems returns at most limit items after skipping offset, the most recently written first, and the total count.
func (c *Catalog) DatasetItems(
	ctx context.Context, scope domain.ProjectScope, q DatasetItemQuery, offset, limit int,
) (iter.Seq2[*domain.DatasetItem, error], int, error) {
	if q.cannotMatch() {
		return func(func(*domain.DatasetItem, error) bool) {}, 0, nil
	}
	total, err := c.countItems(ctx, scope, q)
	if err != nil {
		return nil, 0, err
	}
	return itemList(c.db.Reader(), selectItem, scanItem, q.whereUntil(scope), q.At).Read(ctx, offset, limit), total, nil
}

// itemList returns a list of the items matched by a query; selected must end with WHERE.
func itemList(
	s tables.Session, selected string, scan func(tables.Row) (domain.DatasetItem, error), where tables.Condition, upTo *time.Time,
) tables.NewestFirst[domain.DatasetItem] {
	return tables.NewestFirst[domain.DatasetItem]{
		Session: s, Scan: scan, Query: tables.SQL(selected+where.Text, where.Args...), At: "valid_from", ID: "item_id", UpTo: upTo,
		Position: func(i *domain.DatasetItem) tables.Position { return tables.Position{At: i.WrittenAt, ID: i.ID} },
	}
}

// countItems returns the number of items that match the query. The current items of a dataset or a project are already
// counted in datasets.active_items.
func (c *Catalog) countItems(ctx context.Context, scope domain.ProjectScope, q DatasetItemQuery) (int, error) {
	switch {
	case q.At != nil || q.SourceTraceID != nil || q.SourceObservationID != nil:
		where := q.where(scope)
		return tables.QueryOne(ctx, c.db.Reader(), tables.ScanValue[int], "SELECT COUNT(*) FROM dataset_item_versions WHERE "+where.Text,
			where.Args...)
	case q.DatasetID != "":
		d, err := readDataset(ctx, c.db.Reader(), scope, "id", q.DatasetID)
		return d.ActiveItems, err
	}
	return tables.QueryOne(ctx, c.db.Reader(), tables.ScanValue[int],
		"SELECT CAST(COALESCE(SUM(active_items), 0) AS BIGINT) FROM datasets WHERE project_id = ?", scope.ProjectID())
}

// AllDatasetItems returns all active items of a dataset as of d.LastWrite.
func (c *Catalog) AllDatasetItems(ctx context.Context, scope domain.ProjectScope, d domain.Dataset) iter.Seq2[*domain.DatasetItem, error] {
	q := DatasetItemQuery{DatasetID: d.ID, At: &d.LastWrite}
	return itemList(c.db.Reader(), selectItem, scanItem, q.whereUntil(scope), q.At).Read(ctx, 0, tables.Unlimited)
}

// DatasetItemIDs is like AllDatasetItems, but the items have only their ids and the times of their last write.
func (c *Catalog) DatasetItemIDs(ctx context.Context, scope domain.ProjectScope, d domain.Dataset) iter.Seq2[*domain.DatasetItem, error] {
	q := DatasetItemQuery{DatasetID: d.ID, At: &d.LastWrite}
	scan := func(r tables.Row) (i domain.DatasetItem, err error) {
		err = r.Scan(&i.ID, tables.AsTime(&i.WrittenAt))
		return i, err
	}
	return itemList(c.db.Reader(), "SELECT item_id, valid_from FROM dataset_item_versions WHERE ", scan, q.whereUntil(scope),
		q.At).Read(ctx, 0, tables.Unlimited)
}

// CurrentDatasetItems returns the current items of a dataset, including archived ones.
func (c *Catalog) CurrentDatasetItems(
	ctx context.Context, scope domain.ProjectScope, datasetID string,
) iter.Seq2[*domain.DatasetItem, error] {
	return currentItems(ctx, c.db.Reader(), scope, datasetID, time.Time{})
}

// CountCurrentDatasetItems returns the number of current items of a dataset, including archived ones.
func (c *Catalog) CountCurrentDatasetItems(ctx context.Context, scope domain.ProjectScope, datasetID string) (int64, error) {
	return tables.QueryOne(ctx, c.db.Reader(), tables.ScanValue[int64], `SELECT COUNT(*) FROM dataset_item_versions
		WHERE project_id = ? AND dataset_id = ? AND valid_to IS NULL AND status <> ?`, scope.ProjectID(), datasetID, itemDeleted)
}

// currentItems returns the current items of a dataset that were written after a time, including archived ones.
func currentItems(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, datasetID string, after time.Time,
) iter.Seq2[*domain.DatasetItem, error] {
	where := tables.SQL("project_id = ? AND dataset_id = ? AND valid_to IS NULL AND status <> ? AND valid_from > ?", scope.ProjectID(),
		datasetID, itemDeleted, tables.Millis(after))
	return itemList(s, selectItem, scanItem, where, nil).Read(ctx, 0, tables.Unlimited)
}

// DatasetItemChange is the input of PutDatasetItem. Nil and empty fields leave values unchanged; JSON null removes a
// value.
type DatasetItemChange struct {
	ID                  string // empty means a new item
	Status              string
	Input               json.RawMessage
	ExpectedOutput      json.RawMessage
	Metadata            json.RawMessage
	SourceTraceID       *string
	SourceObservationID *string
	// Base is the version that the change was made from. If it is no longer the current one, the change is refused with
	// ErrItemChanged; nil changes whatever there is.
	Base *time.Time
	// Media are referred to by the change. They must be stored, and become linked to the item.
	Media []media.ItemMedium
}

// Size returns the size of the values in bytes.
func (c *DatasetItemChange) Size() int { return len(c.Input) + len(c.ExpectedOutput) + len(c.Metadata) }

func (c DatasetItemChange) apply(to domain.DatasetItem) domain.DatasetItem {
	value := func(to *json.RawMessage, change json.RawMessage) {
		if change != nil {
			*to = change
		}
		if string(*to) == "null" {
			*to = nil
		}
	}
	value(&to.Input, c.Input)
	value(&to.ExpectedOutput, c.ExpectedOutput)
	value(&to.Metadata, c.Metadata)
	if c.Status != "" {
		to.Status = c.Status
	}
	if c.SourceTraceID != nil {
		to.SourceTraceID = c.SourceTraceID
	}
	if c.SourceObservationID != nil {
		to.SourceObservationID = c.SourceObservationID
	}
	return to
}

// ErrItemChanged means that an item has another version by now than the one that a change was made from.
var ErrItemChanged = errors.New("the dataset item was changed or deleted meanwhile")

// ItemElsewhereError means that an item belongs to another dataset of the project, or did before it was deleted.
type ItemElsewhereError struct{ ItemID, DatasetID string }

func (e *ItemElsewhereError) Error() string {
	return fmt.Sprintf("dataset item %q belongs to dataset %s", e.ItemID, e.DatasetID)
}

// Unwrap makes the error match domain.ErrConflict.
func (e *ItemElsewhereError) Unwrap() error { return domain.ErrConflict }

// WriteCheck inspects an item that is about to be written, and may refuse it. Its functions may be nil.
type WriteCheck struct {
	// Valid refuses values that the schemas of the dataset do not allow. That may take seconds, so it is called before
	// the item is written, and again if the values or the schemas have changed by then.
	Valid func(d domain.Dataset, item domain.DatasetItem) error
	// Answer reads whatever the response needs, since nothing may fail once the item is stored.
	Answer func(item domain.DatasetItem, stored MediaReader) error
}

// MediaReader reads media of a project like StoredMedia.
type MediaReader func(ids []string) (map[string]domain.Medium, error)

// PutDatasetItem writes a new version of an item, or a new item, in the dataset with the given name. The checks see the
// item as it would be stored; their errors prevent the write and are returned unchanged.
func (c *Catalog) PutDatasetItem(
	ctx context.Context, scope domain.ProjectScope, datasetName string, change DatasetItemChange,
	check WriteCheck, actor domain.Actor,
) (domain.DatasetItem, error) {
	if change.ID == "" {
		change.ID = uuid.NewString()
	}
	if tables.Unstorable(datasetName) {
		return domain.DatasetItem{}, tables.WithSubject(domain.ErrNotFound, "dataset", datasetName)
	}
	// Writers to one dataset wait for each other, but writers to two datasets may both find an id free. The one that
	// loses finds the other's item on its next attempt.
	const attempts = 5
	var after domain.DatasetItem
	for attempt := 1; ; attempt++ {
		d, err := readDataset(ctx, c.db.Reader(), scope, "name", datasetName)
		if err != nil {
			return after, err
		}
		_, checked, err := changedItem(ctx, c.db.Reader(), scope, d, change)
		if err == nil && check.Valid != nil {
			err = check.Valid(d, checked)
		}
		if err != nil {
			return after, err
		}
		err = c.db.Update(ctx, func(s tables.Session) (err error) {
			after, err = putItem(ctx, s, scope, d, checked, change, check, actor)
			return err
		})
		if elsewhere := new(ItemElsewhereError); errors.Is(err, domain.ErrConflict) && !errors.As(err, &elsewhere) && attempt < attempts {
			continue
		}
		return after, err
	}
}

// putItem writes an item. It returns domain.ErrConflict if its values or the schemas of the dataset differ from those
// that were checked.
func putItem(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, against domain.Dataset, checked domain.DatasetItem,
	change DatasetItemChange,
	check WriteCheck, actor domain.Actor,
) (after domain.DatasetItem, err error) {
	d, err := lockForWrite(ctx, s, scope, "name", against.Name)
	if err != nil {
		return after, err
	}
	before, after, err := changedItem(ctx, s, scope, d, change)
	if err != nil {
		return after, err
	}
	if !bytes.Equal(d.InputSchema, against.InputSchema) || !bytes.Equal(d.ExpectedOutputSchema, against.ExpectedOutputSchema) ||
		!bytes.Equal(after.Input, checked.Input) || !bytes.Equal(after.ExpectedOutput, checked.ExpectedOutput) {
		return after, fmt.Errorf("dataset item %q or its dataset changed meanwhile: %w", change.ID, domain.ErrConflict)
	}
	after.WrittenAt = d.LastWrite
	stored := func(ids []string) (map[string]domain.Medium, error) { return media.StoredMedia(ctx, s, scope, ids) }
	if check.Answer != nil {
		if err := check.Answer(after, stored); err != nil {
			return after, err
		}
	}
	if err := media.LinkItemMedia(ctx, s, scope, after, change.Media); err != nil {
		return after, err
	}
	return after, addVersion(ctx, s, scope, d, before, after, actor)
}

// changedItem returns the current version of an item, nil if there is none, and the one that a change makes of it.
func changedItem(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, d domain.Dataset, change DatasetItemChange,
) (before *domain.DatasetItem, after domain.DatasetItem, err error) {
	if before, err = tables.Optional(currentItem(ctx, s, scope, change.ID)); err != nil {
		return nil, after, err
	}
	if change.Base != nil && (before == nil || !before.WrittenAt.Equal(*change.Base)) {
		return nil, after, ErrItemChanged
	}
	if before != nil && before.DatasetID != d.ID {
		return nil, after, &ItemElsewhereError{ItemID: change.ID, DatasetID: before.DatasetID}
	}
	return before, changeItem(before, d, change), nil
}

// changeItem returns what a change makes of an item; nil, or a deletion, is none.
func changeItem(before *domain.DatasetItem, d domain.Dataset, change DatasetItemChange) domain.DatasetItem {
	after := domain.DatasetItem{ID: change.ID, DatasetID: d.ID, DatasetName: d.Name, Status: domain.ItemActive}
	if before != nil && before.Status != itemDeleted {
		after = *before
	}
	return change.apply(after)
}

// DeleteDatasetItem deletes an item of the project. Its earlier versions remain readable.
func (c *Catalog) DeleteDatasetItem(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		found, err := currentItem(ctx, s, scope, id)
		if err != nil {
			return tables.WithSubject(err, "dataset item", id)
		}
		d, err := lockForWrite(ctx, s, scope, "id", found.DatasetID)
		if err != nil {
			return err
		}
		before, err := currentItem(ctx, s, scope, id) // read again under the lock
		if err == nil && before.Status == itemDeleted {
			err = domain.ErrNotFound
		}
		if err != nil {
			return tables.WithSubject(err, "dataset item", id)
		}
		deletion := domain.DatasetItem{ID: id, DatasetID: d.ID, Status: itemDeleted, WrittenAt: d.LastWrite}
		return addVersion(ctx, s, scope, d, &before, deletion, actor)
	})
}

// lockForWrite locks a dataset, found by its id or its name, and advances the time of its last write.
func lockForWrite(ctx context.Context, s tables.Session, scope domain.ProjectScope, column, value string) (domain.Dataset, error) {
	now := tables.Millis(s.Now())
	d, err := lockDataset(ctx, s, `UPDATE datasets SET last_write = CASE WHEN last_write < ? THEN ? ELSE last_write + 1 END
		WHERE project_id = ? AND `+column+" = ?", now, now, scope.ProjectID(), value)
	return d, tables.WithSubject(err, "dataset", value)
}

// addVersion ends the previous version of an item, if there was one, and adds the new one.
func addVersion(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, d domain.Dataset, before *domain.DatasetItem,
	after domain.DatasetItem, actor domain.Actor,
) error {
	project, from := scope.ProjectID(), tables.Millis(after.WrittenAt)
	var stateBefore, stateAfter json.RawMessage
	active := 0
	if before != nil {
		if before.Status != itemDeleted {
			stateBefore = itemState(*before)
		}
		if before.Status == domain.ItemActive {
			active--
		}
		if _, err := s.Exec(ctx, "UPDATE dataset_item_versions SET valid_to = ? WHERE project_id = ? AND item_id = ? AND valid_from = ?",
			from, project, after.ID, tables.Millis(before.WrittenAt)); err != nil {
			return err
		}
	}
	if err := s.Insert(ctx, `dataset_item_versions (project_id, item_id, valid_from, dataset_id, status, input, expected_output, metadata,
		source_trace_id, source_observation_id)`,
		project, after.ID, from, d.ID, after.Status, tables.AsRaw(&after.Input), tables.AsRaw(&after.ExpectedOutput),
		tables.AsRaw(&after.Metadata),
		after.SourceTraceID, after.SourceObservationID); err != nil {
		return err
	}
	if after.Status == domain.ItemActive {
		active++
	}
	if after.Status != itemDeleted {
		stateAfter = itemState(after)
	}
	if active != 0 {
		if _, err := s.Exec(ctx, "UPDATE datasets SET active_items = active_items + ? WHERE id = ?", active, d.ID); err != nil {
			return err
		}
	}
	return s.AuditInProject(ctx, scope, actor, "datasetItem", after.ID, stateBefore, stateAfter)
}

// itemState refers to a version instead of repeating its contents, which may be large: versions are kept anyway.
func itemState(item domain.DatasetItem) json.RawMessage {
	return tables.StateOf(map[string]any{"datasetId": item.DatasetID, "status": item.Status, "version": item.WrittenAt})
}
