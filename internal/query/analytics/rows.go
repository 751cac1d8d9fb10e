package analytics

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// defaultAtOnce is the default number of traces processed together.
const defaultAtOnce = 1000

// batches calls each with the ids of traces that have rows selected by q in the table, a batch at a time, and with a
// tally for memory held until each returns. It stops when each returns false.
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

// ofTraces returns q restricted to the rows of some traces.
func ofTraces[S any](q store.Query[S], column *filter.Column[S], ids []string) (store.Query[S], error) {
	named, err := filter.NewTexts(column, filter.AnyOf, ids)
	q.Where = append(slices.Clip(slices.Clone(q.Where)), named)
	return q, err
}

// subject is the subject of scores: an observation, or a whole trace if id is empty.
type subject struct{ traceID, id string }

// subjectBytes is the approximate memory of an entry in a map of subjects.
const subjectBytes = 120

// countScores returns the number of scores selected by q for each trace, or for each observation if its column is
// given.
func (e *Engine) countScores(
	ctx context.Context, scope domain.ProjectScope, q store.Query[domain.Score], held *memory.Tally,
	observation ...*filter.Column[domain.Score],
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
