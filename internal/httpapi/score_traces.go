package httpapi

import (
	"context"
	"errors"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/respond"
	"almanac/internal/memory"
	"almanac/internal/store"
)

// ofMatchingTraces narrows a query to the scores of traces that meet its conditions on traces. It says false if there is
// no such trace.
//
// What a trace is like is known when all of its rows are, so traces that may be meant are put together, a batch at a time.
func (a *API) ofMatchingTraces(ctx context.Context, scope domain.ProjectScope, q *scorePageQuery) (bool, error) {
	search := &traceSearch{API: a, scope: scope, query: &tracesQuery{where: q.traces}}
	candidates, err := search.scored(ctx, q.query)
	if err != nil {
		return false, err
	}
	if err := memory.Of(ctx).Grow(ctx, int64(len(candidates)*traceBytes)); err != nil {
		return false, err
	}
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

// scored returns traces, among which are all that meet the conditions and have scores which a query selects. It begins
// where there is less to look at: if the scores are few, the traces are theirs; otherwise they are those that the
// conditions leave, without those that have no score if they are many.
func (s *traceSearch) scored(ctx context.Context, query store.Query[domain.Score]) ([]string, error) {
	scores, err := s.countScores(ctx, s.scope, query)
	if err != nil {
		return nil, err
	}
	if scores <= traceBatch {
		return s.tracesOfScores(ctx, query)
	}
	candidates, err := s.candidates(ctx)
	var tooMany *respond.Error
	switch {
	case errors.As(err, &tooMany):
		ids, err := s.tracesOfScores(ctx, query)
		if errors.Is(err, store.ErrTooLarge) {
			return nil, tooMany
		}
		return ids, err
	case err != nil || len(candidates) <= traceBatch:
		return candidates, err
	}
	ids, err := s.tracesOfScores(ctx, query)
	if errors.Is(err, store.ErrTooLarge) {
		return candidates, nil
	}
	return slices.DeleteFunc(candidates, func(id string) bool {
		_, found := slices.BinarySearch(ids, id)
		return !found
	}), err
}

// tracesOfScores returns the traces of the scores that a query selects, sorted.
func (s *traceSearch) tracesOfScores(ctx context.Context, query store.Query[domain.Score]) ([]string, error) {
	groups, err := s.Store.Scores().Aggregate(ctx, s.scope, store.AggregateQuery[domain.Score]{
		From: query.From, To: query.To, Where: query.Where, MaxGroups: s.limit(),
		GroupBy:  []*filter.Column[domain.Score]{scoreColumn("traceId")},
		Measures: []store.Measure[domain.Score]{{Function: store.Count}},
	})
	if err != nil {
		return nil, err
	}
	var ids []string
	for n := range groups.Rows {
		if id := groups.Rows[n].Keys[0]; id != "" {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}
