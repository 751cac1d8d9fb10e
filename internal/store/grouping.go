package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
)

// Grouping is an aggregate being computed in this process, by one Grouper or by several that share its limits, each in
// its own goroutine.
type Grouping[R any] struct {
	Query *AggregateQuery[R]
	// Inputs are the measured columns.
	Inputs []Input[R]
	// Buckets divides time; nil if the query has no buckets.
	Buckets Buckets

	timeOf  func(*R) domain.Micros
	inputOf []int // index of the input of each measure; -1 for the count of rows
	// ctx and lease belong to the call: memory is taken from the lease as rows are added.
	ctx   context.Context //nolint:containedctx // of the one call
	lease *memory.Lease
	taken atomic.Int64
	kept  int64 // the part of taken that the result keeps
}

// Input is a measured column and what must be collected from it. Measures of the same column share an input.
type Input[R any] struct {
	Column                           *filter.Column[R]
	Sums, Extremes, Values, Distinct bool
}

// NewGrouping prepares a query that passed Check. The caller must call Release when done.
func NewGrouping[R any](ctx context.Context, timeOf func(*R) domain.Micros, q *AggregateQuery[R]) *Grouping[R] {
	g := &Grouping[R]{Query: q, Buckets: q.Calendar, timeOf: timeOf, ctx: ctx, lease: memory.Of(ctx)}
	if q.Bucket != 0 {
		g.Buckets = Every(q.Bucket)
	}
	for n := range q.Measures {
		m := &q.Measures[n]
		if m.Column == nil {
			g.inputOf = append(g.inputOf, -1)
			continue
		}
		at := slices.IndexFunc(g.Inputs, func(i Input[R]) bool { return i.Column == m.Column })
		if at < 0 {
			at = len(g.Inputs)
			g.Inputs = append(g.Inputs, Input[R]{Column: m.Column})
		}
		g.inputOf = append(g.inputOf, at)
		i := &g.Inputs[at]
		switch m.Function {
		case Sum, Average:
			i.Sums = true
		case Min, Max:
			i.Extremes = true
		case Quantile, Histogram:
			i.Values = true
		case Distinct:
			i.Distinct = true
		}
	}
	return g
}

// GroupRows computes an aggregate over the given rows. It applies neither the time range nor the conditions of the
// query.
func GroupRows[R any](
	ctx context.Context, rows iter.Seq2[*R, error], timeOf func(*R) domain.Micros, q AggregateQuery[R],
) (*Groups, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	g := NewGrouping(ctx, timeOf, &q)
	defer g.Release()
	grouper := g.NewGrouper()
	for row, err := range rows {
		if err == nil {
			err = grouper.Add(row)
		}
		if err != nil {
			return nil, err
		}
	}
	return g.Result(grouper, 1), nil
}

// take reserves memory, and returns an error if it exceeds the limit.
func (g *Grouping[R]) take(bytes int64) error {
	if err := g.lease.Grow(g.ctx, bytes); err != nil {
		return g.Refused(err)
	}
	if g.taken.Add(bytes) > g.Query.MaxBytes {
		return g.Refused(memory.ErrTooLarge)
	}
	return nil
}

// Refused turns a failure to get memory into the error that the query returns.
func (g *Grouping[R]) Refused(err error) error {
	if !errors.Is(err, memory.ErrTooLarge) {
		return err
	}
	return fmt.Errorf("%w: it needs more than %d MB of memory; group by less, or choose a shorter time", ErrTooLarge, g.Query.MaxBytes>>20)
}

// Release releases the memory that was taken, except for that of the result.
func (g *Grouping[R]) Release() { g.lease.Shrink(g.taken.Swap(g.kept) - g.kept) }

// Result computes the measures of all groups, divided among workers.
func (g *Grouping[R]) Result(from *Grouper[R], workers int) *Groups {
	groups := from.groups
	out := &Groups{Rows: make([]Group, len(groups))}
	const share = 64 // minimum number of groups per worker
	workers = max(1, min(workers, len(groups)/share))
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			var values []float64
			for n := w * len(groups) / workers; n < (w+1)*len(groups)/workers; n++ {
				values = g.resultOf(groups[n], &out.Rows[n], values)
			}
		})
	}
	wg.Wait()
	for n := range out.Rows {
		out.Held += out.Rows[n].Bytes()
	}
	out.Held = min(out.Held, g.taken.Load())
	g.kept = out.Held
	return out
}

// resultOf computes the measures of a group. It returns the buffer for the next call.
func (g *Grouping[R]) resultOf(from *Sums, out *Group, memory []float64) []float64 {
	out.Values = make([]domain.OptFloat, len(g.Query.Measures))
	readName(from.name, out, len(g.Query.GroupBy))
	gathered := -1 // the input whose values are in the buffer
	for n := range g.Query.Measures {
		m, at := &g.Query.Measures[n], g.inputOf[n]
		if at < 0 {
			out.Values[n] = domain.FloatOf(float64(from.Rows))
			continue
		}
		c := &from.Inputs[at]
		if m.Function != Quantile && m.Function != Histogram {
			out.Values[n] = c.result(m.Function)
			continue
		}
		if gathered != at {
			memory, gathered = c.gather(memory[:0]), at
		}
		if m.Function == Quantile {
			out.Values[n] = quantile(memory, m.Quantile)
			continue
		}
		if out.Histograms == nil {
			out.Histograms = make([][]Bin, len(g.Query.Measures))
		}
		out.Values[n] = domain.FloatOf(float64(c.count))
		out.Histograms[n] = NewHistogram(memory, m.Bins)
	}
	return memory
}
