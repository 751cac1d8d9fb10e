package segment

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/memory"
	"almanac/internal/store"
)

// Aggregate implements store.Table.
func (t *table[R]) Aggregate(ctx context.Context, scope domain.ProjectScope, q store.AggregateQuery[R]) (*store.Groups, error) {
	v, err := t.view()
	if err == nil {
		err = checkAggregate(&q)
	}
	if err != nil {
		return nil, err
	}
	defer runtime.KeepAlive(v)
	project := scope.ProjectID()
	p := newPredicate(t.schema, project, q.From, q.To, q.Where)
	p.ctx = ctx
	plan := newAggregatePlan(ctx, t.schema, &q)
	kept := int64(0)
	defer func() { plan.lease.Shrink(plan.leased.Load() - kept) }()
	// Workers take row groups one after the other and add them up for themselves; at the end the sums are put together.
	workers := runtime.GOMAXPROCS(0)
	partial := make([]*aggregator[R], workers+1)
	errs := make([]error, workers+1)
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		partial[w] = newAggregator(plan)
		wg.Go(func() {
			defer t.onFault(&errs[w])()
			for errs[w] == nil {
				n := int(next.Add(1)) - 1
				if n >= len(v.groups) {
					return
				}
				if errs[w] = ctx.Err(); errs[w] == nil {
					errs[w] = partial[w].addGroup(v.groups[n], p)
				}
			}
		})
	}
	partial[workers] = newAggregator(plan)
	errs[workers] = partial[workers].addHot(ctx, t, v, p)
	wg.Wait()
	defer func() {
		for _, a := range partial {
			a.blocks.release()
			if a.local != nil {
				a.local.met.Release() // where it ended early
			}
		}
	}()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	for _, other := range partial[1:] {
		if err := partial[0].merge(other); err != nil {
			return nil, err
		}
	}
	groups := partial[0].result(workers)
	for n := range groups.Rows {
		groups.Held += groups.Rows[n].Bytes()
	}
	groups.Held = min(groups.Held, plan.leased.Load())
	kept = groups.Held
	return groups, nil
}

// checkAggregate refuses a query that makes no sense, and fills in the bounds that it does not set.
func checkAggregate[R any](q *store.AggregateQuery[R]) error {
	if q.Bucket < 0 || q.MaxGroups < 0 || q.MaxBytes < 0 || q.Bucket > 0 && q.Calendar != nil {
		return fmt.Errorf("%w: buckets of %d ms, at most %d groups and %d bytes", store.ErrInvalid, q.Bucket, q.MaxGroups, q.MaxBytes)
	}
	for _, c := range q.GroupBy {
		if !slices.Contains([]filter.Kind{filter.Text, filter.Bool, filter.List, filter.Number}, c.Kind()) {
			return fmt.Errorf("%w: cannot group by %s, a column of kind %s", store.ErrInvalid, c.ID(), c.Kind())
		}
	}
	for n := range q.Measures {
		if err := checkMeasure(&q.Measures[n]); err != nil {
			return err
		}
	}
	if q.MaxGroups == 0 {
		q.MaxGroups = store.DefaultMaxGroups
	}
	if q.MaxBytes == 0 {
		q.MaxBytes = store.DefaultMaxBytes
	}
	return nil
}

func checkMeasure[R any](m *store.Measure[R]) error {
	if m.Function == store.Count && m.Column == nil {
		return nil
	}
	kinds := []filter.Kind{filter.Number}
	if m.Function == store.Count || m.Function == store.Distinct {
		kinds = append(kinds, filter.Text)
	}
	switch {
	case m.Function > store.Histogram || m.Column == nil || !slices.Contains(kinds, m.Column.Kind()):
		return fmt.Errorf("%w: function %d does not fit its column", store.ErrInvalid, m.Function)
	case m.Function == store.Quantile && !(m.Quantile >= 0 && m.Quantile <= 1):
		return fmt.Errorf("%w: quantile %v is not between 0 and 1", store.ErrInvalid, m.Quantile)
	case m.Function == store.Histogram && (m.Bins < 1 || m.Bins > store.MaxBins):
		return fmt.Errorf("%w: a histogram of %d bins", store.ErrInvalid, m.Bins)
	}
	return nil
}

// aggregatePlan is a query, prepared. All workers share it.
type aggregatePlan[R any] struct {
	schema  *schema[R]
	query   *store.AggregateQuery[R]
	buckets store.Buckets // nil for none
	inputs  []input[R]
	inputOf []int        // of each measure; -1 for the count of rows
	used    atomic.Int64 // bytes
	// ctx and lease are those of the call: memory is taken from it while rows are added up.
	ctx    context.Context //nolint:containedctx // of the one call
	lease  *memory.Lease
	leased atomic.Int64
}

// input is a column that is measured, and what has to be collected of it. Measures of one column share it.
type input[R any] struct {
	column       *filter.Column[R]
	wantSums     bool
	wantExtremes bool
	wantValues   bool
	wantDistinct bool
}

func newAggregatePlan[R any](ctx context.Context, s *schema[R], q *store.AggregateQuery[R]) *aggregatePlan[R] {
	p := &aggregatePlan[R]{schema: s, query: q, buckets: q.Calendar, ctx: ctx, lease: memory.Of(ctx)}
	if q.Bucket != 0 {
		p.buckets = store.Every(q.Bucket)
	}
	for n := range q.Measures {
		m := &q.Measures[n]
		if m.Column == nil {
			p.inputOf = append(p.inputOf, -1)
			continue
		}
		at := slices.IndexFunc(p.inputs, func(i input[R]) bool { return i.column == m.Column })
		if at < 0 {
			at = len(p.inputs)
			p.inputs = append(p.inputs, input[R]{column: m.Column})
		}
		p.inputOf = append(p.inputOf, at)
		i := &p.inputs[at]
		switch m.Function {
		case store.Sum, store.Average:
			i.wantSums = true
		case store.Min, store.Max:
			i.wantExtremes = true
		case store.Quantile, store.Histogram:
			i.wantValues = true
		case store.Distinct:
			i.wantDistinct = true
		}
	}
	return p
}

// addHot adds the rows in memory.
func (a *aggregator[R]) addHot(ctx context.Context, t *table[R], v *version[R], p *predicate[R]) error {
	if p.names() {
		for _, h := range t.hotNamed(v, p.project, p.named, func(h *hotRow[R]) bool { return p.matches(&h.row) }) {
			if err := a.addRow(&h.row); err != nil {
				return err
			}
		}
		return nil
	}
	for _, hot := range v.hot {
		for _, run := range hot.snapshot(p.project) {
			for n, h := range inRange(run, p.from, p.to) {
				if n%1024 == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				if !h.visible(v.seq) || !p.matches(&h.row) {
					continue
				}
				if err := a.addRow(&h.row); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
