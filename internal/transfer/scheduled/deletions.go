package scheduled

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"log/slog"
	"math"
	"slices"
	"strings"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
	"almanac/internal/transfer/export"
)

const (
	// maxKeys is the maximum number of row keys in a catalog entry.
	maxKeys = 1000
	// maxNoted is the approximate maximum size, in bytes, of recorded deletions by age or size that no run has exported
	// yet, such as while the integration is disabled. Beyond it exports start over.
	maxNoted = 32 << 20
)

// Recorder is an event store that records deletions for projects with a scheduled export.
type Recorder struct {
	store.Store
	Catalog *catalog.Catalog
	Log     *slog.Logger

	maxNoted int64 // replaces the constant in tests
}

// Observations returns the table of observations.
func (r *Recorder) Observations() store.Table[domain.Observation] {
	return &recordedTable[domain.Observation]{
		Table: r.Store.Observations(), Recorder: r, name: observationsFolder,
		upTo: func(m *domain.Mark) int64 { return m.Observations },
		keyOf: func(o *domain.Observation) domain.RowKey {
			return domain.RowKey{TraceID: strings.Clone(o.TraceID), ID: strings.Clone(o.ID)}
		},
	}
}

// Scores returns the table of scores.
func (r *Recorder) Scores() store.Table[domain.Score] {
	return &recordedTable[domain.Score]{
		Table: r.Store.Scores(), Recorder: r, name: scoresFolder,
		upTo:  func(m *domain.Mark) int64 { return m.Scores },
		keyOf: func(s *domain.Score) domain.RowKey { return domain.RowKey{ID: strings.Clone(s.ID)} },
	}
}

type recordedTable[R any] struct {
	store.Table[R]
	*Recorder
	name  string
	keyOf func(*R) domain.RowKey
	upTo  func(*domain.Mark) int64
}

// Delete records what is to be deleted beforehand: if the server is stopped in between, the record remains, and the
// export checks whether the rows still exist.
func (t *recordedTable[R]) Delete(ctx context.Context, scope domain.ProjectScope, s store.Selection) (int, error) {
	told, err := t.Catalog.ExportedUpTo(ctx, scope)
	if err != nil {
		return 0, err
	}
	if told == nil || s.All { // deleting a project also deletes its export
		return t.Table.Delete(ctx, scope, s)
	}
	if mark := t.Mark(); s.Arrived == nil && t.VisibilityDelay() == 0 {
		// Rows that arrive from here on stay: a run may export them before the rest is deleted, and no record would
		// list them. Where rows take a while to settle, runs wait for far longer than a deletion takes.
		s.Arrived = &store.Window{After: -1, UpTo: t.upTo(&mark)}
	}
	rows, most := t.Lookup(ctx, scope, store.Lookup{TraceIDs: s.TraceIDs, IDs: s.IDs}), int64(math.MaxInt64)
	if s.Before != 0 {
		noted, err := t.Catalog.NotedDeletions(ctx, scope)
		if err != nil {
			return 0, err
		}
		most = cmp.Or(t.maxNoted, maxNoted) - noted
		// A time suffices for rows that files have in their current version. For newer rows, files may have an earlier
		// version with another time.
		rows = t.Scan(ctx, scope, store.Query[R]{To: s.Before, Arrived: &store.Window{After: t.upTo(told), UpTo: math.MaxInt64}})
	}
	held := memory.NewTally(ctx)
	defer held.Release()
	notes, err := t.named(rows, most, held)
	if errors.Is(err, errTooManyNotes) {
		t.Log.Warn("restarting scheduled exports from the beginning: too many rows were deleted since the last run to record them",
			"project", scope.ProjectID())
		if err := t.Catalog.ResetBlobRuns(ctx, scope); err != nil {
			return 0, err
		}
		return t.Delete(ctx, scope, s) // now there is nothing to record, or no more than a first run requires
	}
	if err != nil {
		return 0, err
	}
	if s.Before != 0 {
		notes = append(notes, &domain.ExportDeletion{Table: t.name, Before: s.Before})
	}
	for _, note := range notes {
		if err := t.Catalog.BeginDeletion(ctx, scope, note); err != nil {
			return 0, err
		}
	}
	removed, err := t.Table.Delete(ctx, scope, s)
	if err != nil {
		return removed, err
	}
	done := context.WithoutCancel(ctx)
	for _, note := range notes {
		end := t.Catalog.EndDeletion(done, scope, note)
		if removed == 0 {
			end = t.Catalog.DropDeletion(done, note.ID)
		}
		if end != nil { // it is exported anyway, some time later
			t.Log.Warn("cannot record deleted rows for scheduled exports", "project", scope.ProjectID(), "error", end)
		}
	}
	return removed, nil
}

// errTooManyNotes means that the keys of rows take too much space.
var errTooManyNotes = errors.New("too many deleted rows to record")

// named returns the keys of rows, which may take approximately most bytes.
func (t *recordedTable[R]) named(rows iter.Seq2[*R, error], most int64, held *memory.Tally) ([]*domain.ExportDeletion, error) {
	var notes []*domain.ExportDeletion
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		if len(notes) == 0 || len(notes[len(notes)-1].Keys) == maxKeys {
			notes = append(notes, &domain.ExportDeletion{Table: t.name})
		}
		last, key := notes[len(notes)-1], t.keyOf(row)
		last.Keys = append(last.Keys, key)
		const beside = 30 // overhead of a key in JSON, and about half of that in memory
		bytes := int64(beside + len(key.TraceID) + len(key.ID))
		most -= bytes
		if err := held.Add(2 * bytes); errors.Is(err, memory.ErrTooLarge) {
			return nil, errTooManyNotes
		} else if err != nil {
			return nil, err
		}
		if most < 0 {
			break
		}
	}
	if most < 0 {
		return nil, errTooManyNotes
	}
	return notes, nil
}

// deletions emits the deleted rows among those that earlier runs have exported. Rows that still exist are left out:
// they were not deleted after all, or arrived again before the deletion was recorded.
func (w *window) deletions(ctx context.Context, emit func(export.DeletedRow) error) error {
	const some = 20
	for after := ""; ; {
		found, err := w.Catalog.PlannedDeletions(ctx, w.run, after, some)
		if err != nil || len(found) == 0 {
			return err
		}
		for n := range found {
			d := &found[n]
			after = d.ID
			at := domain.Micros(0)
			if d.DeletedAt != nil {
				at = domain.MicrosOf(*d.DeletedAt)
			}
			if d.Before != 0 {
				if err := emit(export.DeletedRow{Table: d.Table, Before: d.Before, DeletedAt: at}); err != nil {
					return err
				}
				continue
			}
			there, err := w.there(ctx, d)
			if err != nil {
				return err
			}
			for _, key := range d.Keys {
				if there[key] {
					continue
				}
				if err := emit(export.DeletedRow{Table: d.Table, RowKey: key, DeletedAt: at}); err != nil {
					return err
				}
			}
		}
	}
}

// there returns the rows of a deletion that the store still has in the version that earlier runs have exported.
func (w *window) there(ctx context.Context, d *domain.ExportDeletion) (map[domain.RowKey]bool, error) {
	ids := make([]string, len(d.Keys))
	for n := range d.Keys {
		ids[n] = d.Keys[n].ID
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	there := make(map[domain.RowKey]bool)
	if d.Table == scoresFolder {
		named := filter.Must(filter.NewTexts(filter.ScoreColumn("id"), filter.AnyOf, ids))
		for s, err := range w.Store.Scores().Scan(ctx, w.scope, store.Query[domain.Score]{
			Where: []filter.Condition[domain.Score]{named}, Arrived: &store.Window{After: -1, UpTo: w.run.Done.Scores},
		}) {
			if err != nil {
				return nil, err
			}
			there[domain.RowKey{ID: strings.Clone(s.ID)}] = true
		}
		return there, nil
	}
	named := filter.Must(filter.NewTexts(filter.ObservationColumn("id"), filter.AnyOf, ids))
	for o, err := range w.Store.Observations().Scan(ctx, w.scope, store.Query[domain.Observation]{
		Where: []filter.Condition[domain.Observation]{named}, Arrived: &store.Window{After: -1, UpTo: w.run.Done.Observations},
	}) {
		if err != nil {
			return nil, err
		}
		there[domain.RowKey{TraceID: strings.Clone(o.TraceID), ID: strings.Clone(o.ID)}] = true
	}
	return there, nil
}
