package httpapi

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/memory"
	"almanac/internal/store"
	"almanac/internal/traces"
)

// traceSearch finds the traces of a page, and how many there are. The store has no traces, only their rows, and what a
// trace is like is known when all of its rows are: no row tells that there is an earlier one.
//
// Without conditions, the newest traces are found by walking over the newest rows and putting the traces together that
// these belong to. That costs what the page costs.
//
// Otherwise all traces are put together that may meet the conditions: those that have a row which meets what the
// conditions say about at least one row. That is bounded by a number of traces.
type traceSearch struct {
	*API
	scope domain.ProjectScope
	query *tracesQuery
}

// foundTrace is a trace that meets the conditions: what its place in the order depends on.
type foundTrace struct {
	id     string
	millis int64  // of its timestamp
	text   string // of the column that traces are ordered by
	unset  bool   // there is no such text: it comes last, whatever the direction
}

const (
	// maxTraces is how many traces one request may put together.
	maxTraces = 500_000
	// traceBytes is what remembering one of them takes, roughly.
	traceBytes = 200
	// traceBatch is how many are put together at a time.
	traceBatch = 2000
	// minTraceBatch is how few are put together at a time while a page is looked for.
	minTraceBatch = 8
	// bucketMillis is how precisely candidates are ordered by time, so that those of a batch are stored together.
	bucketMillis = 10 * 60 * 1000
)

// find returns the traces of the page, in order, and how many traces there are on all pages.
func (s *traceSearch) find(ctx context.Context) (page []foundTrace, total int, err error) {
	q := s.query
	var found []foundTrace
	if q.order == (traceOrder{column: "timestamp"}) && len(q.where) == 0 && len(q.scores) == 0 {
		if total, err = s.count(ctx); err != nil || q.page.Offset() >= total {
			return nil, total, err
		}
		found, err = s.walk(ctx, q.page.Offset()+q.page.Limit)
	} else {
		found, err = s.searchAll(ctx)
		total = len(found)
	}
	if err != nil {
		return nil, 0, err
	}
	slices.SortFunc(found, q.order.compare)
	first := min(q.page.Offset(), len(found))
	return found[first:min(first+q.page.Limit, len(found))], total, nil
}

// limit is how many traces may be remembered.
func (s *traceSearch) limit() int {
	if s.Limits.Traces > 0 {
		return s.Limits.Traces
	}
	return int(min(maxTraces, s.memory.Most()*3/4/traceBytes))
}

func tooManyTraces(limit int) error {
	return tooMany("traces", limit,
		"Ask for less: a shorter time range, or a user, a session, a name or tags that fewer traces have.")
}

// compare orders traces. Those that are alike come newest first.
func (o traceOrder) compare(a, b foundTrace) int {
	var c int
	switch {
	case a.unset != b.unset:
		if a.unset {
			return 1
		}
		return -1
	case o.column == "timestamp":
		c = cmp.Compare(a.millis, b.millis)
	default:
		c = cmp.Compare(a.text, b.text)
	}
	if !o.ascending {
		c = -c
	}
	return cmp.Or(c, cmp.Compare(b.millis, a.millis), cmp.Compare(b.id, a.id))
}

// textOf returns what traces are ordered by; unset is for what is shown as null.
func (o traceOrder) textOf(t *domain.TraceSummary) (text string, unset bool) {
	flag := func(set bool) (string, bool) {
		if set {
			return "1", false
		}
		return "0", false
	}
	switch o.column {
	case "id":
		return t.ID, false
	case "name":
		return t.Name, false
	case "userId":
		return t.UserID, t.UserID == ""
	case "release":
		return t.Release, t.Release == ""
	case "version":
		return t.Version, t.Version == ""
	case "sessionId":
		return t.SessionID, t.SessionID == ""
	case "public":
		return flag(t.Public)
	case "bookmarked":
		return flag(t.Bookmarked)
	}
	return "", false
}

// count counts the traces of the time range: those that began before its end, without those that began before it.
func (s *traceSearch) count(ctx context.Context) (int, error) {
	before := func(end domain.Micros) (int, error) {
		groups, err := s.Store.Observations().Aggregate(ctx, s.scope, store.AggregateQuery[domain.Observation]{
			To: end, Measures: []store.Measure[domain.Observation]{{Function: store.Distinct, Column: observationColumn("traceId")}},
		})
		if err != nil || len(groups.Rows) == 0 {
			return 0, err
		}
		return int(groups.Rows[0].Values[0].Value), nil
	}
	total, err := before(s.query.to)
	if err != nil || s.query.from == 0 {
		return total, err
	}
	earlier, err := before(s.query.from)
	return max(0, total-earlier), err
}

// walk returns at least the newest so many traces of the time range, if there are as many. It goes over rows, newest
// first. A trace that was not met yet has no row newer than the last one, so it began no later: once that is older than
// the last trace that is wanted, all of them are known.
func (s *traceSearch) walk(ctx context.Context, wanted int) ([]foundTrace, error) {
	if limit := s.limit(); wanted > limit {
		return nil, tooManyTraces(limit)
	}
	w := &traceWalk{traceSearch: s, wanted: wanted, met: make(map[string]struct{}), memory: remembered{ctx: ctx}}
	rows := s.Store.Observations().Scan(ctx, s.scope, store.Query[domain.Observation]{From: s.query.from, To: s.query.to})
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

// traceWalk is what a walk knows.
type traceWalk struct {
	*traceSearch
	wanted int
	met    map[string]struct{}
	batch  []string // of those, the traces that are not put together yet
	found  []foundTrace
	oldest int64 // the timestamp of the last trace that is wanted, as far as it is known
	enough bool  // there are as many as wanted
	memory remembered
}

// isBefore says whether no trace that is not known yet can be wanted.
func (w *traceWalk) isBefore(millis int64) bool { return w.enough && millis < w.oldest }

func (w *traceWalk) meet(ctx context.Context, id string) error {
	if _, known := w.met[id]; known {
		return nil
	}
	if limit := w.limit(); len(w.met) == limit {
		return tooManyTraces(limit)
	}
	if err := w.memory.add(); err != nil {
		return err
	}
	id = strings.Clone(id)
	w.met[id] = struct{}{}
	// Batches grow, since the traces that were found are put in order after each.
	if w.batch = append(w.batch, id); len(w.batch) < min(max(minTraceBatch, w.wanted, len(w.found)/2), traceBatch) {
		return nil
	}
	return w.resolve(ctx)
}

// resolve puts the traces of the batch together.
func (w *traceWalk) resolve(ctx context.Context) error {
	found, err := w.evaluate(ctx, w.batch)
	if err != nil {
		return err
	}
	w.batch, w.found = w.batch[:0], append(w.found, found...)
	if len(w.found) >= w.wanted {
		slices.SortFunc(w.found, w.query.order.compare)
		w.oldest, w.enough = w.found[w.wanted-1].millis, true
	}
	return nil
}

// searchAll returns all traces that meet the conditions.
func (s *traceSearch) searchAll(ctx context.Context) ([]foundTrace, error) {
	candidates, err := s.candidates(ctx)
	if err != nil {
		return nil, err
	}
	if err := memory.Of(ctx).Grow(ctx, int64(len(candidates)*traceBytes)); err != nil {
		return nil, err
	}
	var found []foundTrace
	for batch := range slices.Chunk(candidates, traceBatch) {
		matching, err := s.evaluate(ctx, batch)
		if err != nil {
			return nil, err
		}
		found = append(found, matching...)
	}
	return found, nil
}

// evaluate puts traces together and returns those that meet the conditions.
func (s *traceSearch) evaluate(ctx context.Context, ids []string) ([]foundTrace, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	assemblies, err := s.assemble(ctx, ids)
	if err != nil {
		return nil, err
	}
	var found []foundTrace
	for _, id := range ids {
		assembly := assemblies[id]
		if assembly == nil {
			continue // deleted meanwhile
		}
		if t := assembly.Summary(); s.query.matches(t) {
			f := foundTrace{id: id, millis: t.Timestamp.Millis()}
			f.text, f.unset = s.query.order.textOf(t)
			found = append(found, f)
		}
	}
	return s.withScores(ctx, found)
}

// assemble puts traces together, with their metadata only if a condition is about it.
func (s *traceSearch) assemble(ctx context.Context, ids []string) (map[string]*traces.Assembly, error) {
	assemblies := make(map[string]*traces.Assembly, len(ids))
	lookup := store.Lookup{TraceIDs: ids}
	withMetadata := s.query.needsMetadata()
	if withMetadata {
		lookup.Want = store.WantTrace | store.WantMetadata
	}
	for row, err := range s.Store.Observations().Lookup(ctx, s.scope, lookup) {
		if err != nil {
			return nil, err
		}
		assembly := assemblies[row.TraceID]
		if assembly == nil {
			assembly = new(traces.Assembly)
			assemblies[strings.Clone(row.TraceID)] = assembly
		}
		assembly.Add(row)
		if withMetadata {
			assembly.AddContent(row)
		}
	}
	return assemblies, nil
}

// withScores returns those of the traces whose scores meet the conditions.
func (s *traceSearch) withScores(ctx context.Context, found []foundTrace) ([]foundTrace, error) {
	if len(s.query.scores) == 0 || len(found) == 0 {
		return found, nil
	}
	ids := make([]string, len(found))
	for n := range found {
		ids[n] = found[n].id
	}
	scores := make(map[string][]domain.Score)
	for score, err := range s.Store.Scores().Lookup(ctx, s.scope, store.Lookup{TraceIDs: ids}) {
		if err != nil {
			return nil, err
		}
		if !isTraceScore(score) || !slices.ContainsFunc(s.query.scores, func(c scoreCondition) bool { return c.Key == score.Name }) {
			continue
		}
		id := strings.Clone(score.TraceID)
		scores[id] = append(scores[id], domain.Score{
			Name: strings.Clone(score.Name), DataType: strings.Clone(score.DataType), Value: score.Value,
			StringValue: strings.Clone(score.StringValue),
		})
	}
	return slices.DeleteFunc(found, func(f foundTrace) bool {
		return slices.ContainsFunc(s.query.scores, func(c scoreCondition) bool { return !c.match(scores[f.id]) })
	}), nil
}

// candidates returns the traces that may meet the conditions, the newest first, roughly.
func (s *traceSearch) candidates(ctx context.Context) ([]string, error) {
	var chosen map[string]int64
	limit := s.limit()
	for _, alternatives := range s.query.rowQueries() {
		ids, err := s.tracesOf(ctx, alternatives, limit)
		if errors.Is(err, store.ErrTooLarge) {
			continue // another condition may leave fewer
		}
		if err != nil {
			return nil, err
		}
		for id := range chosen {
			if _, both := ids[id]; !both {
				delete(chosen, id)
			}
		}
		if chosen == nil {
			chosen = ids
		}
	}
	if chosen == nil {
		return nil, tooManyTraces(limit)
	}
	list := make([]string, 0, len(chosen))
	for id := range chosen {
		list = append(list, id)
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(chosen[b], chosen[a]), cmp.Compare(b, a)) })
	return list, nil
}

// rowQuery selects rows by their time and one condition.
type rowQuery struct {
	from, to domain.Micros
	where    []filter.Condition[domain.Observation]
}

// tracesOf returns the traces that have a row which one of the queries selects, with a time of one of these rows.
func (s *traceSearch) tracesOf(ctx context.Context, alternatives []rowQuery, limit int) (map[string]int64, error) {
	ids := make(map[string]int64)
	for _, q := range alternatives {
		groups, err := s.Store.Observations().Aggregate(ctx, s.scope, store.AggregateQuery[domain.Observation]{
			From: q.from, To: q.to, Where: q.where, Bucket: bucketMillis, MaxGroups: limit,
			GroupBy:  []*filter.Column[domain.Observation]{observationColumn("traceId")},
			Measures: []store.Measure[domain.Observation]{{Function: store.Count}},
		})
		if err != nil {
			return nil, err
		}
		for n := range groups.Rows {
			g := &groups.Rows[n]
			if newest, known := ids[g.Keys[0]]; !known || g.Bucket > newest {
				ids[g.Keys[0]] = g.Bucket
			}
		}
	}
	return ids, nil
}
