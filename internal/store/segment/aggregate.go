package segment

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// Aggregate implements store.Table.
func (t *table[R]) Aggregate(ctx context.Context, scope domain.ProjectScope, q store.AggregateQuery[R]) (*store.Groups, error) {
	v, err := t.view()
	if err == nil {
		err = q.Check()
	}
	if err != nil {
		return nil, err
	}
	defer runtime.KeepAlive(v)
	project := scope.ProjectID()
	p := newPredicate(t.schema, project, q.From, q.To, q.Where)
	p.ctx = ctx
	p.within(q.Arrived)
	grouping := store.NewGrouping(ctx, t.schema.timeOf, &q)
	defer grouping.Release()
	frozen := newFrozenQuery(t.cache, grouping, p)
	newAggregator := func() *aggregator[R] {
		return &aggregator[R]{Grouper: grouping.NewGrouper(), ctx: ctx, schema: t.schema, frozen: frozen}
	}
	// Each worker takes one row group at a time and keeps its own sums; they are merged at the end.
	workers := runtime.GOMAXPROCS(0)
	partial := make([]*aggregator[R], workers+1)
	errs := make([]error, workers+1)
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		partial[w] = newAggregator()
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
	partial[workers] = newAggregator()
	errs[workers] = partial[workers].addHot(ctx, t, v, p)
	wg.Wait()
	defer func() {
		for _, a := range partial {
			a.end()
		}
	}()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	for _, other := range partial[1:] {
		if err := partial[0].Merge(other.Grouper); err != nil {
			return nil, err
		}
	}
	return grouping.Result(partial[0].Grouper, workers), nil
}

// aggregator accumulates rows into groups. It must be used by a single goroutine.
type aggregator[R any] struct {
	*store.Grouper[R]
	ctx    context.Context //nolint:containedctx // of the one call
	schema *schema[R]
	frozen *frozenQuery[R]
	local  *localGroups[R] // reused from one row group to the next
	blocks valueBlocks
}

// end releases memory.
func (a *aggregator[R]) end() {
	a.blocks.release()
	if a.local != nil {
		a.local.met.Release() // in case it ended early
	}
}

// addHot adds the rows of the hot tables.
func (a *aggregator[R]) addHot(ctx context.Context, t *table[R], v *version[R], p *predicate[R]) error {
	if p.usesIndex() {
		for _, h := range t.hotMatches(v, p.project, p.indexed, p.matchesHot) {
			if err := a.Add(&h.row); err != nil {
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
				if !h.visible(v.seq) || !p.matchesHot(h) {
					continue
				}
				if err := a.Add(&h.row); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
