package catalog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"almanac/internal/catalog/media"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// ItemWrite is one of the changes of PutDatasetItems.
type ItemWrite struct {
	// Change has an id. Its status may be ItemDeleted.
	Change DatasetItemChange
	// KeepExisting leaves an item as it is if it exists, archived or not.
	KeepExisting bool
}

// ItemOutcome is what became, or would become, of an ItemWrite.
type ItemOutcome int

// The outcomes. A refused item is not written; the others of its batch are.
const (
	ItemRefused ItemOutcome = iota
	ItemCreated
	ItemChanged
	ItemUnchanged
)

// WrittenItem is the outcome of an ItemWrite.
type WrittenItem struct {
	Outcome ItemOutcome
	Refusal string // why it was refused
	Item    domain.DatasetItem
}

// ItemsCheck prepares the check of items against a dataset. The check says why an item is refused, or nothing.
type ItemsCheck func(d domain.Dataset) (func(item *domain.DatasetItem) string, error)

// PutDatasetItems writes items of one dataset at once: either all that are not refused, with one time, or none. A dry run
// only says what would become of them.
func (c *Catalog) PutDatasetItems(
	ctx context.Context, scope domain.ProjectScope, datasetID string, writes []ItemWrite, check ItemsCheck, dryRun bool,
	actor domain.Actor,
) ([]WrittenItem, error) {
	const attempts = 5
	for attempt := 1; ; attempt++ {
		b, err := c.planBatch(ctx, scope, datasetID, writes, check)
		if err != nil || dryRun || len(b.stored) == 0 {
			return b.outcomes, err
		}
		err = c.db.Update(ctx, func(s tables.Session) error { return b.store(ctx, s, scope, actor) })
		if errors.Is(err, domain.ErrConflict) && attempt < attempts {
			continue
		}
		return b.outcomes, err
	}
}

// itemBatch is what PutDatasetItems is about to write.
type itemBatch struct {
	dataset  domain.Dataset
	writes   []ItemWrite
	refuses  func(*domain.DatasetItem) string
	outcomes []WrittenItem
	stored   []int                  // the indexes of the items to store
	seen     map[string]seenVersion // the current versions, by id
}

type seenVersion struct {
	at     time.Time
	status string
}

// planBatch decides about each write by what is stored now.
func (c *Catalog) planBatch(
	ctx context.Context, scope domain.ProjectScope, datasetID string, writes []ItemWrite, check ItemsCheck,
) (*itemBatch, error) {
	b := &itemBatch{writes: writes, outcomes: make([]WrittenItem, len(writes)), seen: make(map[string]seenVersion)}
	var err error
	if b.dataset, err = c.DatasetByID(ctx, scope, datasetID); err != nil {
		return b, err
	}
	if b.refuses, err = check(b.dataset); err != nil {
		return b, err
	}
	places := make(map[string]int, len(writes))
	var ids []string
	for n, w := range writes {
		switch first, twice := places[w.Change.ID]; {
		case tables.Unstorable(w.Change.ID):
			b.outcomes[n].Refusal = "The id has characters that cannot be stored"
		case !twice:
			places[w.Change.ID] = n
			ids = append(ids, w.Change.ID)
		case w.KeepExisting && writes[first].KeepExisting:
			b.outcomes[n].Outcome = ItemUnchanged
		default:
			b.outcomes[n].Refusal = "An earlier row has the same id"
		}
	}
	for some := range slices.Chunk(ids, tables.MaxListed) {
		where := tables.SQL("project_id = ? AND valid_to IS NULL", scope.ProjectID()).And(tables.In("item_id", some))
		for item, err := range itemList(c.db.Reader(), selectItem, scanItem, where, nil).Read(ctx, 0, tables.Unlimited) {
			if err == nil {
				b.seen[item.ID] = seenVersion{item.WrittenAt, item.Status}
				err = b.decide(ctx, places[item.ID], item)
			}
			if err != nil {
				return b, err
			}
		}
	}
	for _, id := range ids {
		if _, exists := b.seen[id]; !exists {
			if err := b.decide(ctx, places[id], nil); err != nil {
				return b, err
			}
		}
	}
	// In the order of ids, neighbours in the indexes are written together.
	slices.SortFunc(b.stored, func(n, m int) int { return strings.Compare(writes[n].Change.ID, writes[m].Change.ID) })
	return b, nil
}

// decide decides about a write, given the current version of its item; nil if it never existed.
func (b *itemBatch) decide(ctx context.Context, n int, before *domain.DatasetItem) error {
	w, outcome := b.writes[n], &b.outcomes[n]
	if before != nil && before.DatasetID != b.dataset.ID {
		outcome.Refusal = "An item of another dataset has this id"
		return nil
	}
	exists := before != nil && before.Status != itemDeleted
	isDeletion := w.Change.Status == itemDeleted
	if exists && w.KeepExisting || !exists && isDeletion {
		outcome.Outcome = ItemUnchanged
		return nil
	}
	after := domain.DatasetItem{ID: w.Change.ID, DatasetID: b.dataset.ID, Status: itemDeleted}
	if !isDeletion {
		after = changeItem(before, b.dataset, w.Change)
		if after.Input == nil {
			outcome.Refusal = "An item needs an input"
			return nil
		}
		if outcome.Refusal = b.refuses(&after); outcome.Refusal != "" {
			return nil
		}
	}
	switch {
	case exists && sameItem(before, &after):
		outcome.Outcome = ItemUnchanged
		return nil
	case exists:
		outcome.Outcome = ItemChanged
	default:
		outcome.Outcome = ItemCreated
	}
	outcome.Item = after
	b.stored = append(b.stored, n)
	if !exists {
		return nil
	}
	// What the change does not replace was read for it, and is held until it is stored.
	return tables.Hold(ctx, int64(len(after.Input)+len(after.ExpectedOutput)+len(after.Metadata)))
}

func sameItem(a, b *domain.DatasetItem) bool {
	same := func(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }
	return a.Status == b.Status && bytes.Equal(a.Input, b.Input) && bytes.Equal(a.ExpectedOutput, b.ExpectedOutput) &&
		bytes.Equal(a.Metadata, b.Metadata) && same(a.SourceTraceID, b.SourceTraceID) &&
		same(a.SourceObservationID, b.SourceObservationID)
}

// store writes what was decided, or returns domain.ErrConflict if something has changed since then.
func (b *itemBatch) store(ctx context.Context, s tables.Session, scope domain.ProjectScope, actor domain.Actor) error {
	d, err := lockForWrite(ctx, s, scope, "id", b.dataset.ID)
	if err != nil {
		return err
	}
	if !bytes.Equal(d.InputSchema, b.dataset.InputSchema) || !bytes.Equal(d.ExpectedOutputSchema, b.dataset.ExpectedOutputSchema) {
		return fmt.Errorf("dataset %s changed meanwhile: %w", d.ID, domain.ErrConflict)
	}
	at := tables.Millis(d.LastWrite)
	var ids []string
	for _, n := range b.stored {
		ids = append(ids, b.writes[n].Change.ID)
	}
	for some := range slices.Chunk(ids, tables.MaxListed) {
		if err := b.endVersions(ctx, s, scope, some, at); err != nil {
			return err
		}
	}
	var rows [][]any
	var created, changed, active int
	var deleted []string
	for _, n := range b.stored {
		item := &b.outcomes[n].Item
		item.WrittenAt, item.DatasetName = d.LastWrite, d.Name
		if item.Status == domain.ItemActive {
			active++
		}
		if b.seen[item.ID].status == domain.ItemActive {
			active--
		}
		switch {
		case item.Status == itemDeleted:
			deleted = append(deleted, item.ID)
		case b.outcomes[n].Outcome == ItemCreated:
			created++
		default:
			changed++
		}
		rows = append(rows, []any{
			scope.ProjectID(), item.ID, at, d.ID, item.Status, tables.AsRaw(&item.Input), tables.AsRaw(&item.ExpectedOutput),
			tables.AsRaw(&item.Metadata), item.SourceTraceID, item.SourceObservationID,
		})
	}
	if err := s.InsertRows(ctx, `dataset_item_versions (project_id, item_id, valid_from, dataset_id, status, input, expected_output,
		metadata, source_trace_id, source_observation_id)`, rows); err != nil {
		return err
	}
	for _, n := range b.stored {
		if err := media.LinkItemMedia(ctx, s, scope, b.outcomes[n].Item, b.writes[n].Change.Media); err != nil {
			return err
		}
	}
	if _, err := s.Exec(ctx, "UPDATE datasets SET active_items = active_items + ? WHERE id = ?", active, d.ID); err != nil {
		return err
	}
	return s.AuditInProject(ctx, scope, actor, "datasetItems", d.ID, tables.StateOf(map[string]any{"active": d.ActiveItems}),
		tables.StateOf(map[string]any{
			"active": d.ActiveItems + active, "created": created, "changed": changed, "deleted": domain.NotNil(deleted),
			"version": d.LastWrite,
		}))
}

// endVersions ends the current versions of items, all of which must be those that were seen.
func (b *itemBatch) endVersions(ctx context.Context, s tables.Session, scope domain.ProjectScope, ids []string, at int64) error {
	type version struct {
		id string
		at time.Time
	}
	current := tables.SQL("project_id = ? AND valid_to IS NULL", scope.ProjectID()).And(tables.In("item_id", ids))
	found, err := tables.QueryAll(ctx, s, func(r tables.Row) (v version, err error) {
		err = r.Scan(&v.id, tables.AsTime(&v.at))
		return v, err
	}, "SELECT item_id, valid_from FROM dataset_item_versions WHERE "+current.Text, current.Args...)
	if err != nil {
		return err
	}
	expected := 0
	for _, id := range ids {
		if _, exists := b.seen[id]; exists {
			expected++
		}
	}
	isOther := func(v version) bool { return !b.seen[v.id].at.Equal(v.at) }
	if len(found) != expected || slices.ContainsFunc(found, isOther) {
		return fmt.Errorf("items of dataset %s changed meanwhile: %w", b.dataset.ID, domain.ErrConflict)
	}
	if expected == 0 {
		return nil
	}
	_, err = s.Exec(ctx, "UPDATE dataset_item_versions SET valid_to = ? WHERE "+current.Text, append([]any{at}, current.Args...)...)
	return err
}
