package metrics

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/memory"
	"almanac/internal/store"
)

// defaultAtOnce is how many traces are looked at together.
const defaultAtOnce = 1000

// traceIDs returns the ids of the traces that have rows in a table that a query selects, those together whose rows are
// next to each other.
func traceIDs[S any](
	ctx context.Context, table store.Table[S], scope domain.ProjectScope, column *filter.Column[S], q store.Query[S], held *memory.Tally,
) ([]string, error) {
	const hour = 60 * 60 * 1000
	groups, err := table.Aggregate(ctx, scope, store.AggregateQuery[S]{
		From: q.From, To: q.To, Where: q.Where, GroupBy: []*filter.Column[S]{column}, Bucket: hour,
		Measures: []store.Measure[S]{{Function: store.Count}}, MaxGroups: maxTraces,
	})
	if errors.Is(err, store.ErrTooLarge) {
		return nil, tooLarge("More than %d traces would have to be looked at. Ask for less: a shorter time range.", maxTraces)
	}
	if err != nil {
		return nil, err
	}
	const perTrace = 120 // a place in the map and one in the list
	if err := held.Add(int64(perTrace * len(groups.Rows))); err != nil {
		return nil, err
	}
	slices.SortFunc(groups.Rows, func(a, b store.Group) int {
		return cmp.Or(cmp.Compare(a.Bucket, b.Bucket), cmp.Compare(a.Keys[0], b.Keys[0]))
	})
	seen := make(map[string]struct{}, len(groups.Rows))
	var ids []string
	for n := range groups.Rows {
		id := groups.Rows[n].Keys[0]
		if _, known := seen[id]; known || id == "" {
			continue
		}
		seen[id] = struct{}{}
		ids = append(ids, id)
	}
	return ids, nil
}

// chunks calls a function with the traces that have rows in a table, as many at once as are looked at together, and with the tally of
// the memory that it holds until it returns. It ends the iteration of rows with the error of either.
func chunks[S, R any](
	ctx context.Context, e *Engine, table store.Table[S], scope domain.ProjectScope, column *filter.Column[S], q store.Query[S],
	each func(ids []string, held *memory.Tally, yield func(*R, error) bool) (goOn bool, err error),
) iter.Seq2[*R, error] {
	return func(yield func(*R, error) bool) {
		all, held := memory.NewTally(ctx), memory.NewTally(ctx)
		defer all.Release()
		defer held.Release()
		ids, err := traceIDs(ctx, table, scope, column, q, all)
		if err != nil {
			yield(nil, err)
			return
		}
		for some := range slices.Chunk(ids, cmp.Or(e.tracesAtOnce, defaultAtOnce)) {
			goOn, err := each(some, held, yield)
			held.Release()
			if err != nil {
				yield(nil, err)
				return
			}
			if !goOn {
				return
			}
		}
	}
}

// ofTraces returns a query for the rows of some traces that meets the conditions of another.
func ofTraces[S any](q store.Query[S], column *filter.Column[S], ids []string) (store.Query[S], error) {
	named, err := filter.NewTexts(column, filter.AnyOf, ids)
	q.Where = append(slices.Clip(slices.Clone(q.Where)), named)
	return q, err
}

// meets says whether a row meets all conditions.
func meets[R any](where []filter.Condition[R], row *R) bool {
	for n := range where {
		if !where[n].Match(row) {
			return false
		}
	}
	return true
}
