package explore

import (
	"context"
	"errors"
	"sync"

	"almanac/internal/domain"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// Count returns the number of selected observations or traces. It is exact unless that takes too long, in which case only
// the newest are counted.
func (e *Explorer) Count(ctx context.Context, s *Selection) (count int, exact bool, err error) {
	if s.OfTraces {
		return e.countTraces(ctx, s)
	}
	if s, err = e.Resolve(ctx, s); err != nil {
		return 0, false, err
	}
	partial, err := e.inWindows(ctx, s, func(ctx context.Context, part *Selection) error {
		value, err := e.measure(ctx, part, measure{Function: store.Count})
		count += int(numberOf(value))
		return err
	})
	return count, !partial, err
}

func (e *Explorer) countTraces(ctx context.Context, s *Selection) (count int, exact bool, err error) {
	p, err := e.planOf(ctx, s)
	if err != nil {
		return 0, false, err
	}
	p, partial, err := e.known(ctx, p)
	if err != nil {
		return 0, false, err
	}
	if p.term == nil {
		rows := store.Query[row]{From: p.scope.From, To: p.scope.To, Where: p.scope.conditions()}
		count, err = traces.CountTraces(ctx, e.Store, e.Scope, rows)
		return count, true, err
	}
	_, count, err = e.Traces.Rank(ctx, p.query())
	return count, !partial, err
}

// Histogram is the number of observations or traces that started in each of several time spans of equal length.
type Histogram struct {
	Start, Step int64 // milliseconds
	Buckets     []Bucket
	Partial     bool // time ran out before the older rows were counted
}

// Bucket is a time span of a Histogram.
type Bucket struct{ Count, Errors int }

// NewHistogram counts the selected observations, or whole traces, in at most the given number of buckets. Where the
// selection has no time bounds, those of the rows are used. A trace that began before the first bucket is counted there.
func (e *Explorer) NewHistogram(ctx context.Context, s *Selection, buckets int) (*Histogram, error) {
	if s.ByTrace {
		return e.histogramOfTraces(ctx, s, buckets)
	}
	s, err := e.Resolve(ctx, s)
	if err != nil {
		return nil, err
	}
	h, err := e.emptyHistogram(ctx, s, buckets)
	if err != nil || len(h.Buckets) == 0 {
		return h, err
	}
	h.Partial, err = e.inWindows(ctx, s, func(ctx context.Context, part *Selection) error {
		groups, err := e.aggregate(ctx, part, store.AggregateQuery[row]{
			GroupBy: []*column{columnOf("level")}, Bucket: h.Step, Measures: []measure{{Function: store.Count}},
		})
		if err != nil {
			return err
		}
		for n := range groups.Rows {
			g := &groups.Rows[n]
			at := (g.Bucket - h.Start) / h.Step
			if at < 0 || at >= int64(len(h.Buckets)) {
				continue
			}
			b, count := &h.Buckets[at], int(numberOf(g.Values[0]))
			b.Count += count
			if g.Keys[0] == "ERROR" {
				b.Errors += count
			}
		}
		return nil
	})
	return h, err
}

// histogramOfTraces counts the traces that began in each bucket, and those of them with errors.
func (e *Explorer) histogramOfTraces(ctx context.Context, s *Selection, buckets int) (*Histogram, error) {
	p, err := e.plan(ctx, s)
	if err != nil {
		return nil, err
	}
	h, err := e.emptyHistogram(ctx, p.scope, buckets)
	if err != nil || len(h.Buckets) == 0 {
		return h, err
	}
	if p, h.Partial, err = e.known(ctx, p); err != nil {
		return nil, err
	}
	var mu sync.Mutex
	q, last := p.query(), int64(len(h.Buckets)-1)
	q.Begin = func() { clear(h.Buckets) }
	q.Each = func(t *traces.RankedTrace) {
		mu.Lock()
		defer mu.Unlock()
		b := &h.Buckets[min(max(0, (t.Start.Millis()-h.Start)/h.Step), last)]
		if b.Count++; t.Failed {
			b.Errors++
		}
	}
	_, _, err = e.Traces.Rank(ctx, q)
	return h, err
}

// emptyHistogram returns the buckets of a histogram; none if there is nothing to show.
func (e *Explorer) emptyHistogram(ctx context.Context, s *Selection, buckets int) (*Histogram, error) {
	first, last, err := e.span(ctx, s)
	if err != nil || first > last {
		return &Histogram{Step: 1}, err
	}
	h := new(Histogram)
	h.Start, h.Step = store.Divide(first, last, buckets, 1)
	h.Buckets = make([]Bucket, min(int64(buckets), (last-h.Start)/h.Step+1))
	return h, nil
}

// span returns the first and last millisecond that a histogram shows. First is greater than last if there is nothing to
// show.
func (e *Explorer) span(ctx context.Context, s *Selection) (first, last int64, err error) {
	if s.From != 0 && s.To != 0 {
		return s.From.Millis(), (s.To - 1).Millis(), nil
	}
	groups, err := e.aggregate(ctx, &Selection{From: s.From, To: s.To}, store.AggregateQuery[row]{Measures: []measure{
		{Function: store.Min, Column: columnOf("startTime")}, {Function: store.Max, Column: columnOf("startTime")},
	}})
	if err != nil || len(groups.Rows) == 0 || !groups.Rows[0].Values[0].Set {
		return 1, 0, err
	}
	first, last = domain.Micros(groups.Rows[0].Values[0].Value).Millis(), domain.Micros(groups.Rows[0].Values[1].Value).Millis()
	if s.From != 0 {
		first = s.From.Millis()
	}
	if s.To != 0 {
		last = (s.To - 1).Millis()
	}
	return first, last, nil
}

// tooLarge reports whether err means that there are more groups than a call may hold.
func tooLarge(err error) bool { return errors.Is(err, store.ErrTooLarge) }
