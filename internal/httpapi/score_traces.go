package httpapi

import (
	"context"
	"errors"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/respond"
	"almanac/internal/store"
)

// ofMatchingTraces narrows a query to the scores of traces that meet its conditions on traces. It says false if there is
// no such trace.
//
// What a trace is like is known when all of its rows are. So the traces of the scores that meet the other conditions are
// put together, a batch at a time; if these are many, only those that have a row which speaks for them.
func (a *API) ofMatchingTraces(ctx context.Context, scope domain.ProjectScope, q *scorePageQuery) (bool, error) {
	search := &traceSearch{API: a, scope: scope, query: &tracesQuery{where: q.traces}}
	candidates, err := search.scored(ctx, q.query)
	if err != nil {
		return false, err
	}
	bytes := len(candidates) * traceBytes
	if !a.admission.reserve(bytes) {
		return false, errMemory
	}
	defer a.admission.giveBack(bytes)
	var ids []string
	for batch := range slices.Chunk(candidates, traceBatch) {
		found, err := search.evaluate(ctx, batch)
		if err != nil {
			return false, err
		}
		for _, f := range found {
			ids = append(ids, f.id)
		}
	}
	if len(ids) == 0 {
		return false, nil
	}
	named, err := filter.NewTexts(scoreColumn("traceId"), filter.AnyOf, ids)
	q.query.Where = append(q.query.Where, named)
	return true, err
}

// scored returns the traces that may meet the conditions and have scores which a query selects.
func (s *traceSearch) scored(ctx context.Context, query store.Query[domain.Score]) ([]string, error) {
	limit := s.limit()
	groups, err := s.Store.Scores().Aggregate(ctx, s.scope, store.AggregateQuery[domain.Score]{
		From: query.From, To: query.To, Where: query.Where, MaxGroups: limit,
		GroupBy:  []*filter.Column[domain.Score]{scoreColumn("traceId")},
		Measures: []store.Measure[domain.Score]{{Function: store.Count}},
	})
	if errors.Is(err, store.ErrTooLarge) {
		return s.candidates(ctx) // the conditions on traces may leave fewer
	}
	if err != nil {
		return nil, err
	}
	scored := make(map[string]struct{}, len(groups.Rows))
	for n := range groups.Rows {
		if id := groups.Rows[n].Keys[0]; id != "" {
			scored[id] = struct{}{}
		}
	}
	var ids []string
	if len(scored) > traceBatch {
		if ids, err = s.candidates(ctx); err == nil {
			return slices.DeleteFunc(ids, func(id string) bool {
				_, ok := scored[id]
				return !ok
			}), nil
		}
		var tooMany *respond.Error
		if !errors.As(err, &tooMany) {
			return nil, err
		}
	}
	for id := range scored {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids, nil
}
