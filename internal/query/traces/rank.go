package traces

import (
	"context"
	"math"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// RankQuery selects traces and the first of them in an order by a figure.
type RankQuery struct {
	// From, To and Selected are what one of the rows of a trace must meet: From <= start < To, where 0 means no bound, and
	// all of the conditions. The other rows count nevertheless.
	From, To domain.Micros
	Selected []filter.Condition[domain.Observation]
	// Where, if set, must hold for a trace.
	Where *Term
	// IDs, if not nil, are the only traces that count.
	IDs []string
	// Column is the figure: latency, totalCost, totalTokens, or startTime for the beginning. Ties are ordered newest first.
	Column    string
	Ascending bool
	After     *RankPlace // return what comes after it
	Limit     int
	// Tallies are columns whose values are counted by traces, in rows that meet From, To and Selected.
	Tallies []*filter.Column[domain.Observation]
	// Tallied, if set, is called with the counts of each of them, at the end.
	Tallied func(n int, counts *store.Tallied)
	// Each, if set, is called with every trace, by several goroutines, and Begin before that, again if all traces are
	// selected anew.
	Each  func(*RankedTrace)
	Begin func()
}

// RankedTrace is a selected trace.
type RankedTrace struct {
	Hash   uint64 // store.TextHash of its id
	Start  domain.Micros
	Failed bool // one of its observations has level ERROR
}

// RankPlace is the place of a trace in such an order.
type RankPlace struct {
	Value  float64
	Millis int64 // its beginning
	ID     string
}

// Rank returns the first traces in an order by a figure, of any number of traces, and how many there are.
func (f *Finder) Rank(ctx context.Context, q *RankQuery) (places []RankPlace, total int, err error) {
	r := &ranking{Finder: f, RankQuery: q, judging: new(judging)}
	if err := r.prepare(ctx); err != nil {
		return nil, 0, err
	}
	var all store.Ranking
	var unclear []string
	if q.IDs == nil {
		if unclear, err = r.add(ctx, &all); err != nil {
			return nil, 0, err
		}
	} else if unclear, err = r.addThese(ctx, &all, q.IDs); err != nil {
		return nil, 0, err
	}
	if len(unclear) > 0 {
		if err := f.settle(ctx, r.judging, unclear); err != nil {
			return nil, 0, err
		}
		r.query.Begin = nil // these are in addition
		if _, err := r.addThese(ctx, &all, unclear); err != nil {
			return nil, 0, err
		}
	}
	for n := range all.Tallies {
		q.Tallied(n, &all.Tallies[n])
	}
	slices.SortFunc(all.Places, func(a, b store.RankPlace) int { return r.query.Compare(&a, &b) })
	for _, p := range all.Places[:min(q.Limit, len(all.Places))] {
		place := RankPlace{Value: p.Value, Millis: p.Then, ID: p.Key}
		if r.byTime {
			place = RankPlace{Millis: int64(p.Value), ID: p.Key}
		}
		places = append(places, place)
	}
	return places, all.Total, nil
}

// ranking is the state of one call of Rank.
type ranking struct {
	*Finder
	*RankQuery
	*judging
	byTime bool
}

func (r *ranking) prepare(ctx context.Context) error {
	rq := &r.query
	*rq = store.RankQuery[domain.Observation]{
		Key: filter.ObservationColumn("traceId"), Ascending: r.Ascending, Limit: r.RankQuery.Limit, Begin: r.Begin,
	}
	if r.From != 0 || r.To != 0 || len(r.Selected) > 0 {
		rq.Required = true
		r.flag(store.RankFlag[domain.Observation]{From: r.From, To: r.To, Where: r.Selected})
	}
	for _, c := range r.Tallies {
		rq.Tallies = append(rq.Tallies, store.RankTally[domain.Observation]{Column: c, From: r.From, To: r.To, If: r.Selected})
	}
	decide := func(*store.RankTotals) store.Verdict { return store.Wanted }
	if r.Where != nil {
		var err error
		if decide, err = r.term(r.Where); err != nil {
			return err
		}
		if len(rq.Flags) > store.MaxRankFlags {
			return &filter.Refused{Message: "These are too many conditions for one query. Leave out some of them."}
		}
		if err := r.noteMarks(ctx, r.judging); err != nil {
			return err
		}
	}
	if r.Where == nil && r.RankQuery.Limit == 0 && r.Each == nil {
		return nil // the store counts
	}
	start := r.measure(firstStart)
	figure := r.ordering()
	r.byTime = figure == nil
	if r.Each != nil {
		r.measure(errorCount)
	}
	rq.KeysAscending = r.byTime && r.Ascending
	if a := r.After; a != nil {
		rq.After = &store.RankPlace{RankOrder: store.RankOrder{Value: a.Value, Then: a.Millis}, Key: a.ID}
		if r.byTime {
			rq.After.RankOrder = store.RankOrder{Value: float64(a.Millis)}
		}
	}
	rq.Judge = func(t *store.RankTotals) (order store.RankOrder, verdict store.Verdict) {
		if verdict = decide(t); verdict == store.Unwanted {
			return order, verdict
		}
		began := domain.Micros(0)
		if at := t.Values[start]; !math.IsNaN(at) {
			began = domain.Micros(at)
			order.Then = began.Millis()
		}
		if r.Each != nil && verdict == store.Wanted {
			r.Each(&RankedTrace{Hash: t.Hash, Start: began, Failed: r.figure(t, errorCount) > 0})
		}
		if r.byTime {
			return store.RankOrder{Value: float64(order.Then)}, verdict
		}
		order.Value = figure(t)
		return order, verdict
	}
	return nil
}

// ordering returns what computes the figure by which traces are ordered, or nil if that is their beginning.
func (r *ranking) ordering() func(*store.RankTotals) float64 {
	switch r.Column {
	case "latency", "totalTokens":
		return r.number(r.Column)
	case "totalCost":
		cost := r.number(r.Column)
		return func(t *store.RankTotals) float64 { return domain.Dollars(cost(t)) }
	}
	return nil
}

// add ranks what the query of the store selects, and returns the unclear traces.
func (r *ranking) add(ctx context.Context, to *store.Ranking) (unclear []string, err error) {
	found, err := r.Store.Observations().Rank(ctx, r.Scope, r.query)
	if err != nil {
		return nil, err
	}
	to.Places, to.Total = append(to.Places, found.Places...), to.Total+found.Total
	for n := range found.Tallies {
		if n == len(to.Tallies) {
			to.Tallies = append(to.Tallies, store.Tallied{})
		}
		to.Tallies[n].Add(&found.Tallies[n])
	}
	return found.Unclear, nil
}

// addThese is like add, for some traces.
func (r *ranking) addThese(ctx context.Context, to *store.Ranking, ids []string) (unclear []string, err error) {
	for batch := range slices.Chunk(ids, BatchSize) {
		these, err := filter.NewTexts(filter.ObservationColumn("traceId"), filter.AnyOf, batch)
		if err != nil {
			return nil, err
		}
		r.query.Where = []filter.Condition[domain.Observation]{these}
		more, err := r.add(ctx, to)
		if err != nil {
			return nil, err
		}
		unclear = append(unclear, more...)
	}
	return unclear, nil
}
