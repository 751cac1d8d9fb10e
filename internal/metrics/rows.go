package metrics

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/memory"
	"almanac/internal/store"
	"almanac/internal/traces"
)

// defaultAtOnce is how many traces are looked at together.
const defaultAtOnce = 1000

// batches calls a function with the traces that have rows in a table which a query selects, as many at once as are looked at together, and
// with the tally of the memory that it holds until it returns. The function reports whether more are wanted.
func batches[S any](
	ctx context.Context, e *Engine, scope domain.ProjectScope, table store.Table[S], column *filter.Column[S], q store.Query[S],
	each func(f *traces.Finder, ids []string, held *memory.Tally) (goOn bool, err error),
) error {
	all, held := memory.NewTally(ctx), memory.NewTally(ctx)
	defer all.Release()
	defer held.Release()
	finder := &traces.Finder{Store: e.Store, Scope: scope}
	ids, err := traces.Having(ctx, finder, table, column, q, all)
	if many, tooMany := errors.AsType[*traces.TooMany](err); tooMany {
		return tooLarge("More than %d traces would have to be looked at. Ask for less: a shorter time range.", many.Limit)
	}
	if err != nil {
		return err
	}
	for some := range slices.Chunk(ids, cmp.Or(e.tracesAtOnce, defaultAtOnce)) {
		goOn, err := each(finder, some, held)
		held.Release()
		if err != nil || !goOn {
			return err
		}
	}
	return nil
}

// ofTraces returns a query for the rows of some traces that meets the conditions of another.
func ofTraces[S any](q store.Query[S], column *filter.Column[S], ids []string) (store.Query[S], error) {
	named, err := filter.NewTexts(column, filter.AnyOf, ids)
	q.Where = append(slices.Clip(slices.Clone(q.Where)), named)
	return q, err
}

// subject is what scores are about: an observation, or a trace as a whole with an empty id.
type subject struct{ traceID, id string }

// subjectBytes is what a place in a map of subjects takes; about.
const subjectBytes = 120

// countScores returns how many scores that a query selects there are of each trace, or of each observation if there is such a column.
func (e *Engine) countScores(
	ctx context.Context, scope domain.ProjectScope, q store.Query[domain.Score], held *memory.Tally, observation ...*filter.Column[domain.Score],
) (map[subject]int, error) {
	groups, err := e.Store.Scores().Aggregate(ctx, scope, store.AggregateQuery[domain.Score]{
		From: q.From, To: q.To, Where: q.Where, MaxGroups: maxGroups, MaxBytes: maxBytes,
		GroupBy:  append([]*filter.Column[domain.Score]{filter.ScoreColumn("traceId")}, observation...),
		Measures: []store.Measure[domain.Score]{{Function: store.Count}},
	})
	if err != nil {
		return nil, err
	}
	if err := held.Add(int64(subjectBytes * len(groups.Rows))); err != nil {
		return nil, err
	}
	counts := make(map[subject]int, len(groups.Rows))
	for n := range groups.Rows {
		g := &groups.Rows[n]
		about := subject{traceID: g.Keys[0]}
		if len(observation) > 0 {
			about.id = g.Keys[1]
		}
		counts[about] = int(g.Values[0].Value)
	}
	memory.Of(ctx).Shrink(groups.Held)
	return counts, nil
}
