package traces

import (
	"context"
	"iter"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// Find returns the ids of the traces on a page, in order, and the total number of traces.
//
// Without conditions, the newest traces are found by walking over the newest rows and assembling their traces. The cost
// is proportional to the page.
//
// Otherwise all traces that may meet the conditions are assembled: those with a row that meets what the conditions
// imply for at least one row. The number of traces is bounded.
func (f *Finder) Find(ctx context.Context, q *Query, offset, limit int) (ids []string, total int, err error) {
	var all []found
	if q.Order.byTime() && !q.Order.Ascending && len(q.Where) == 0 && len(q.Scores) == 0 {
		if total, err = f.count(ctx, q); err != nil || offset >= total {
			return nil, total, err
		}
		all, err = f.walk(ctx, q, offset+limit)
	} else {
		all, err = f.search(ctx, q)
		total = len(all)
	}
	if err != nil {
		return nil, 0, err
	}
	first := min(offset, len(all))
	return inOrder(q, all)[first:min(first+limit, len(all))], total, nil
}

// Matching returns the ids of all traces that meet the conditions, in order.
func (f *Finder) Matching(ctx context.Context, q *Query) ([]string, error) {
	all, err := f.search(ctx, q)
	return inOrder(q, all), err
}

// inOrder returns the ids of traces in the order of a query.
func inOrder(q *Query, all []found) []string {
	slices.SortFunc(all, q.Order.compare)
	ids := make([]string, len(all))
	for n := range all {
		ids[n] = all[n].id
	}
	return ids
}

// count returns the number of traces in the time range: those that began before its end, minus those that began before
// its start.
func (f *Finder) count(ctx context.Context, q *Query) (int, error) {
	before := func(end domain.Micros) (int, error) {
		groups, err := f.Store.Observations().Aggregate(ctx, f.Scope, store.AggregateQuery[domain.Observation]{
			To: end, Measures: []store.Measure[domain.Observation]{{Function: store.Distinct, Column: filter.ObservationColumn("traceId")}},
		})
		if err != nil || len(groups.Rows) == 0 {
			return 0, err
		}
		return int(groups.Rows[0].Values[0].Value), nil
	}
	total, err := before(q.To)
	if err != nil || q.From == 0 {
		return total, err
	}
	earlier, err := before(q.From)
	return max(0, total-earlier), err
}

// walk returns at least the newest wanted traces of the time range, if there are that many. It goes over rows, newest
// first. A trace not yet met has no row newer than the current one, so it began no later. Once the current row is older
// than the last wanted trace, all of them are known.
func (f *Finder) walk(ctx context.Context, q *Query, wanted int) ([]found, error) {
	limit := f.limit(ctx)
	if wanted > limit {
		return nil, &TooMany{"traces", limit}
	}
	w := &walking{Finder: f, query: q, wanted: wanted, limit: limit, met: make(map[string]struct{}), held: memory.NewTally(ctx)}
	rows := f.Store.Observations().Scan(ctx, f.Scope, store.Query[domain.Observation]{From: q.From, To: q.To})
	next, stop := iter.Pull2(rows)
	defer stop()
	for {
		row, err, ok := next()
		if err != nil {
			return nil, err
		}
		if !ok || w.isBefore(row.StartTime.Millis()) {
			return w.found, w.resolve(ctx)
		}
		if err := w.meet(ctx, row.TraceID); err != nil {
			return nil, err
		}
	}
}

// walking is the state of a walk over rows.
type walking struct {
	*Finder
	query         *Query
	wanted, limit int
	met           map[string]struct{}
	batch         []string // those of met that are not assembled yet
	found         []found
	oldest        int64 // timestamp of the last wanted trace, as far as known
	enough        bool  // as many as wanted were found
	held          *memory.Tally
}

// isBefore reports whether no trace that is still unknown can be wanted.
func (w *walking) isBefore(millis int64) bool { return w.enough && millis < w.oldest }

func (w *walking) meet(ctx context.Context, id string) error {
	if _, known := w.met[id]; known {
		return nil
	}
	if len(w.met) == w.limit {
		return &TooMany{"traces", w.limit}
	}
	if err := w.held.Add(traceBytes); err != nil {
		return err
	}
	id = strings.Clone(id)
	w.met[id] = struct{}{}
	const fewest = 8 // in a batch
	// Batches grow, since the traces found so far are sorted after each.
	if w.batch = append(w.batch, id); len(w.batch) < min(max(fewest, w.wanted, len(w.found)/2), BatchSize) {
		return nil
	}
	return w.resolve(ctx)
}

// resolve assembles the traces of the batch.
func (w *walking) resolve(ctx context.Context) error {
	matching, err := w.evaluate(ctx, w.query, w.batch)
	if err != nil {
		return err
	}
	w.batch, w.found = w.batch[:0], append(w.found, matching...)
	if len(w.found) >= w.wanted {
		slices.SortFunc(w.found, w.query.Order.compare)
		w.oldest, w.enough = w.found[w.wanted-1].millis, true
	}
	return nil
}

// search returns all traces that meet the conditions.
func (f *Finder) search(ctx context.Context, q *Query) ([]found, error) {
	candidates, err := f.candidates(ctx, q)
	if err != nil {
		return nil, err
	}
	return f.evaluateAll(ctx, q, candidates)
}

// evaluateAll assembles traces, a batch at a time, and returns those that meet the conditions.
func (f *Finder) evaluateAll(ctx context.Context, q *Query, ids []string) ([]found, error) {
	var all []found
	for batch := range slices.Chunk(ids, BatchSize) {
		matching, err := f.evaluate(ctx, q, batch)
		if err != nil {
			return nil, err
		}
		all = append(all, matching...)
	}
	return all, nil
}

// evaluate assembles traces and returns those that meet the conditions.
func (f *Finder) evaluate(ctx context.Context, q *Query, ids []string) ([]found, error) {
	held := memory.NewTally(ctx)
	defer held.Release()
	assemblies, err := f.Assemble(ctx, ids, q.want(), held.Add, nil)
	if err != nil {
		return nil, err
	}
	var matching []found
	for _, assembly := range assemblies {
		if t := assembly.Summary(); q.matches(t) {
			matching = append(matching, q.Order.place(t))
		}
	}
	return f.withScores(ctx, q, matching)
}
