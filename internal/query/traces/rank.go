package traces

import (
	"context"
	"math"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// RankQuery selects the first traces in an order by a figure.
type RankQuery struct {
	// From and To bound the rows that count: From <= start < To. 0 means no bound.
	From, To domain.Micros
	// Selected are conditions that one of the rows of a trace must meet.
	Selected []filter.Condition[domain.Observation]
	// Column is the figure: latency, totalCost, totalTokens, or startTime for the beginning. Ties are ordered newest first.
	Column    string
	Ascending bool
	After     *RankPlace // return what comes after it
	Limit     int
}

// RankPlace is the place of a trace in such an order.
type RankPlace struct {
	Value  float64
	Millis int64 // its beginning
	ID     string
}

// Rank returns the first traces in an order by a figure, of any number of traces.
func (f *Finder) Rank(ctx context.Context, q *RankQuery) ([]RankPlace, error) {
	j := new(judging)
	start := j.measure(firstStart)
	rq := &j.query
	byTime := false
	switch q.Column {
	case "latency":
		j.measure(firstObserved)
		j.measure(lastStart)
		j.measure(lastEnd)
	case "totalCost":
		j.measure(totalCost)
	case "totalTokens":
		j.measure(totalTokens)
	default:
		byTime = true
	}
	rq.Key, rq.From, rq.To = filter.ObservationColumn("traceId"), q.From, q.To
	rq.Ascending, rq.KeysAscending, rq.Limit = q.Ascending, byTime && q.Ascending, q.Limit
	if len(q.Selected) > 0 {
		rq.Flags = []store.RankFlag[domain.Observation]{{Where: q.Selected}}
	}
	if a := q.After; a != nil {
		rq.After = &store.RankPlace{RankOrder: store.RankOrder{Value: a.Value, Then: a.Millis}, Key: a.ID}
		if byTime {
			rq.After.RankOrder = store.RankOrder{Value: float64(a.Millis)}
		}
	}
	rq.Judge = func(t *store.RankTotals) (order store.RankOrder, verdict store.Verdict) {
		if len(rq.Flags) > 0 && !t.Has(0) {
			return order, store.Unwanted
		}
		if began := t.Values[start]; !math.IsNaN(began) {
			order.Then = domain.Micros(began).Millis()
		}
		if byTime {
			return store.RankOrder{Value: float64(order.Then)}, store.Wanted
		}
		var summary domain.TraceSummary
		j.fill(t, &summary)
		order.Value = valueIn(q.Column, &summary)
		return order, store.Wanted
	}
	ranking, err := f.Store.Observations().Rank(ctx, f.Scope, *rq)
	if err != nil {
		return nil, err
	}
	places := make([]RankPlace, len(ranking.Places))
	for n, p := range ranking.Places {
		places[n] = RankPlace{Value: p.Value, Millis: p.Then, ID: p.Key}
		if byTime {
			places[n] = RankPlace{Millis: int64(p.Value), ID: p.Key}
		}
	}
	return places, nil
}

// valueIn returns the figure of a trace by which it is ordered.
func valueIn(column string, t *domain.TraceSummary) float64 {
	switch column {
	case "latency":
		return float64(t.LatencyMillis) / 1000
	case "totalCost":
		return t.TotalCost
	case "totalTokens":
		return float64(t.TotalTokens)
	}
	return 0
}
