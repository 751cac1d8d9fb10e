package importing

import (
	"context"
	"fmt"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// tracesAtOnce is the number of traces looked up at a time.
const tracesAtOnce = 100

// adopt makes rows without a parent children of the row that stands for their trace, whichever arrives first, since
// files do not distinguish the two. Rows that are already stored are rewritten.
func adopt(ctx context.Context, table Rows[domain.Observation], scope domain.ProjectScope, rows []domain.Observation) error {
	var others, ofTraces []string // to look up
	known := make(map[string]bool)
	for n := range rows {
		if rows[n].IsTraceRecord() && !known[rows[n].TraceID] {
			known[rows[n].TraceID] = true
			ofTraces = append(ofTraces, rows[n].TraceID)
		}
	}
	for n := range rows {
		if rows[n].ParentID == "" && !known[rows[n].TraceID] {
			others = append(others, rows[n].TraceID)
		}
	}
	records, err := traceRecords(ctx, table, scope, others)
	if err != nil {
		return err
	}
	for n := range rows {
		if known[rows[n].TraceID] || records[rows[n].TraceID] != nil {
			hangBelow(&rows[n])
		}
	}
	for some := range slices.Chunk(ofTraces, tracesAtOnce) {
		var adopted []domain.Observation
		for row, err := range table.Lookup(ctx, scope, store.Lookup{TraceIDs: some, Want: store.WantAll}) {
			if err != nil {
				return fmt.Errorf("cannot look up the observations of %d traces: %w", len(some), err)
			}
			if row.ParentID == "" && !row.IsTraceRecord() {
				own := row.Clone()
				hangBelow(&own)
				adopted = append(adopted, own)
			}
		}
		if err := write(ctx, table, scope, adopted, "observations"); err != nil {
			return err
		}
	}
	return nil
}

func hangBelow(row *domain.Observation) {
	if row.ParentID == "" && !row.IsTraceRecord() {
		row.ParentID, row.Source = domain.TraceRecordID(row.TraceID), domain.SourceIngestion
	}
}

// forget deletes rows by key. Since rows are deleted by id, a row stays if another trace has a row with the same id.
func forget[R any](
	ctx context.Context, table Rows[R], scope domain.ProjectScope, keys []domain.RowKey, keyOf func(*R) domain.RowKey, report *Report,
) error {
	for some := range slices.Chunk(keys, lookedUp) {
		gone := make(map[domain.RowKey]bool, len(some))
		ids := make([]string, len(some))
		for n, key := range some {
			gone[key], ids[n] = true, key.ID
		}
		slices.Sort(ids)
		there, shared := make(map[string]bool), make(map[string]bool)
		for row, err := range table.Lookup(ctx, scope, store.Lookup{IDs: slices.Compact(ids)}) {
			if err != nil {
				return fmt.Errorf("cannot look up %d deleted rows: %w", len(some), err)
			}
			if key := keyOf(row); gone[key] {
				there[key.ID] = true
			} else {
				shared[key.ID] = true
			}
		}
		var named []string
		for id := range there {
			if shared[id] {
				// without the id, so that it is reported once
				report.note("deleted rows are kept if another trace has a row with the same id")
				continue
			}
			named = append(named, id)
		}
		if len(named) == 0 {
			continue
		}
		slices.Sort(named)
		if _, err := table.Delete(ctx, scope, store.Selection{IDs: named}); err != nil {
			return fmt.Errorf("cannot delete %d rows that were deleted in the source: %w", len(named), err)
		}
	}
	return nil
}

// keepTraces stores the fields of traces. A trace without rows gets a row that stands for it; otherwise the row that
// speaks for the trace is updated with what its rows lack.
func (t *Target) keepTraces(ctx context.Context, scope domain.ProjectScope, list []domain.TraceSummary, report *Report) error {
	table := t.Events.Observations
	for some := range slices.Chunk(list, tracesAtOnce) {
		var ids []string
		said := make(map[string]*saidTrace, len(some))
		for n := range some {
			ids = append(ids, some[n].ID)
			said[some[n].ID] = new(saidTrace)
		}
		for row, err := range table.Lookup(ctx, scope, store.Lookup{TraceIDs: ids, Want: store.WantAll}) {
			if err != nil {
				return fmt.Errorf("cannot look up the observations of %d traces: %w", len(some), err)
			}
			said[row.TraceID].add(row)
		}
		var changed []domain.Observation
		for n := range some {
			row, ok := said[some[n].ID].say(&some[n])
			if report.Counted++; ok {
				report.Imported++
				changed = append(changed, row)
			} else {
				report.Unchanged++
			}
			if err := report.Digest.add(&some[n]); err != nil {
				return err
			}
		}
		if err := write(ctx, table, scope, changed, "traces"); err != nil {
			return err
		}
	}
	return nil
}

// saidTrace is a trace assembled from its rows.
type saidTrace struct {
	traces.Assembly
	row  domain.Observation // the row that speaks for the trace
	rank int
}

func (s *saidTrace) add(row *domain.Observation) {
	s.Add(row)
	s.AddContent(row)
	rank := 1
	switch {
	case row.IsTraceRecord():
		rank = 3
	case row.IsTraceRoot():
		rank = 2
	}
	if rank > s.rank {
		s.row, s.rank = row.Clone(), rank
	}
}

// say returns the row to write so that the rows agree with the trace, and whether one is needed.
func (s *saidTrace) say(t *domain.TraceSummary) (domain.Observation, bool) {
	if s.Rows() == 0 {
		return TraceRecord(t), true
	}
	now, row, changed := s.Summary(), s.row, false
	differ := func(said string, is string, to *string) {
		if is != "" && said != is {
			*to, changed = is, true
		}
	}
	if row.IsTraceRecord() {
		differ(now.Input, t.Input, &row.Input)
		differ(now.Output, t.Output, &row.Output)
		differ(now.Metadata, t.Metadata, &row.Metadata)
	} else {
		differ(now.Input, t.Input, &row.TraceInput)
		differ(now.Output, t.Output, &row.TraceOutput)
		differ(now.Metadata, t.Metadata, &row.TraceMetadata)
	}
	if t.Public && !now.Public || t.Bookmarked && !now.Bookmarked {
		row.Public, row.Bookmarked, changed = row.Public || t.Public, row.Bookmarked || t.Bookmarked, true
	}
	return row, changed
}
