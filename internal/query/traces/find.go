package traces

import (
	"cmp"
	"context"
	"errors"
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
// is proportional to the page, unless many more traces began at the same time or last very long: then the walk is given up.
//
// Otherwise the store decides which traces meet the conditions, and which of them come first, and only those about which
// it cannot decide are assembled. Conditions on metadata and scores, and orders by texts, need all traces that may meet
// the conditions to be assembled: those with a row that meets what the conditions imply for at least one row. Their
// number is bounded.
func (f *Finder) Find(ctx context.Context, q *Query, offset, limit int) (ids []string, total int, err error) {
	const walked = 1000 // traces up to which walking is cheaper than ranking
	if q.Order.byTime() && !q.Order.Ascending && len(q.Where) == 0 && len(q.Scores) == 0 &&
		offset+limit <= min(walked, f.limit(ctx)) {
		if total, err = f.count(ctx, q); err != nil || offset >= total {
			return nil, total, err
		}
		all, err := f.walk(ctx, q, offset+limit)
		if !errors.Is(err, errFarWalk) {
			return pageOf(q, all, offset, limit), total, err
		}
	}
	if j, ok := newJudging(q); ok && len(q.Scores) == 0 && (q.Order.byTime() || q.Order.Column == "id") {
		return f.rank(ctx, q, j, offset, limit)
	}
	all, err := f.search(ctx, q)
	return pageOf(q, all, offset, limit), len(all), err
}

// pageOf returns the ids of the traces on a page.
func pageOf(q *Query, all []found, offset, limit int) []string {
	first := min(offset, len(all))
	return inOrder(q, all)[first:min(first+limit, len(all))]
}

// rank finds the traces on a page by what the store knows about all of them.
func (f *Finder) rank(ctx context.Context, q *Query, j *judging, offset, limit int) (ids []string, total int, err error) {
	rq := &j.query
	rq.Ascending, rq.KeysAscending = q.Order.Ascending, q.Order.Column == "id" && q.Order.Ascending
	rq.Skip, rq.Limit = offset, limit
	if len(q.Where) > 0 { // unclear traces may come first
		rq.Skip, rq.Limit = 0, offset+limit
	}
	if err := f.noteMarks(ctx, j); err != nil {
		return nil, 0, err
	}
	byTime, start := q.Order.byTime(), j.measure(firstStart)
	rq.Judge = func(t *store.RankTotals) (order store.RankOrder, verdict store.Verdict) {
		if byTime {
			order.Value = float64(domain.Micros(t.Values[start]).Millis())
		}
		return order, j.judge(t)
	}
	ranking, err := f.Store.Observations().Rank(ctx, f.Scope, *rq)
	if err != nil {
		return nil, 0, err
	}
	if most := f.limit(ctx); len(ranking.Unclear) > most {
		return nil, 0, &TooMany{"traces", most}
	}
	unclear, err := f.evaluateAll(ctx, q, ranking.Unclear)
	if err != nil {
		return nil, 0, err
	}
	total = ranking.Total + len(unclear)
	if rq.Skip == offset && len(unclear) == 0 {
		for n := range ranking.Places {
			ids = append(ids, ranking.Places[n].Key)
		}
		return ids, total, nil
	}
	all := unclear
	for n := range ranking.Places {
		p := &ranking.Places[n]
		all = append(all, found{id: p.Key, millis: int64(p.Value), text: p.Key})
	}
	return pageOf(q, all, offset, limit), total, nil
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
	total, err := CountTraces(ctx, f.Store, f.Scope, rowQuery{To: q.To})
	if err != nil || q.From == 0 {
		return total, err
	}
	earlier, err := CountTraces(ctx, f.Store, f.Scope, rowQuery{To: q.From})
	return max(0, total-earlier), err
}

// CountTraces returns the number of traces that have rows selected by q.
func CountTraces(ctx context.Context, s store.Store, scope domain.ProjectScope, q rowQuery) (int, error) {
	ranking, err := s.Observations().Rank(ctx, scope, store.RankQuery[domain.Observation]{
		From: q.From, To: q.To, Where: q.Where, Key: filter.ObservationColumn("traceId"),
	})
	if err != nil {
		return 0, err
	}
	return ranking.Total, nil
}

// errFarWalk means that a walk met many more traces than it was to find.
var errFarWalk = errors.New("too many traces are met for a page")

// FarWalk returns the number of traces beyond which a walk over rows that looks for some traces costs more than ranking.
func (f *Finder) FarWalk(wanted int) int {
	const farther = 1000
	return 2*wanted + cmp.Or(f.Farther, farther)
}

// walk returns at least the newest wanted traces of the time range, if there are that many. It goes over rows, newest
// first. A trace not yet met has no row newer than the current one, so it began no later. Once the current row is older
// than the last wanted trace, all of them are known. It fails with errFarWalk if that takes too many traces.
func (f *Finder) walk(ctx context.Context, q *Query, wanted int) ([]found, error) {
	w := &walking{
		Finder: f, query: q, wanted: wanted, limit: min(f.FarWalk(wanted), f.limit(ctx)), met: make(map[string]struct{}),
		held: memory.NewTally(ctx),
	}
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
		w.held.Release()
		return errFarWalk
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
