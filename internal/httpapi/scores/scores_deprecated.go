package scores

import (
	"context"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/limits/memory"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// The deprecated reads of scores exist in two versions. Version 1 knows only scores of traces and observations.

// ListScoresV1 serves GET /api/public/scores.
func (h *Handlers) ListScoresV1(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q, err := readScoresV1Query(c.Query())
	if err != nil {
		return nil, err
	}
	return h.listScorePage(c, scope, q, respond.AppendListedScoreV1)
}

// ListScoresV2 serves GET /api/public/v2/scores.
func (h *Handlers) ListScoresV2(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q, err := readScoresV2Query(c.Query())
	if err != nil {
		return nil, err
	}
	return h.listScorePage(c, scope, q, respond.AppendListedScoreV2)
}

// GetScoreV1 serves GET /api/public/scores/{scoreId}.
func (h *Handlers) GetScoreV1(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	return h.getScore(c, scope, traces.ShowsScore, respond.AppendScoreV1)
}

// GetScoreV2 serves GET /api/public/v2/scores/{scoreId}.
func (h *Handlers) GetScoreV2(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	return h.getScore(c, scope, func(*domain.Score) bool { return true }, respond.AppendScoreV2)
}

// getScore returns one score, if the API version knows its kind.
func (h *Handlers) getScore(
	c *endpoint.Call, scope domain.ProjectScope, knows func(*domain.Score) bool,
	write func(dst []byte, s *domain.Score, projectID string, flush respond.Flush) []byte,
) (any, error) {
	lookup := store.Lookup{IDs: []string{c.Path("scoreId")}, Want: store.WantAll}
	return c.Stream(func(p *endpoint.StreamWriter, dst []byte) ([]byte, error) {
		for s, err := range h.Store.Scores().Lookup(c.Context(), scope, lookup) {
			if err != nil {
				return nil, err
			}
			if knows(s) {
				return write(dst, s, scope.ProjectID(), p.Flush), nil
			}
		}
		return nil, respond.NotFound("Score not found")
	})
}

// listScorePage returns a numbered page of scores, newest first.
func (h *Handlers) listScorePage(
	c *endpoint.Call, scope domain.ProjectScope, q *scorePageQuery,
	write func(dst []byte, s *domain.Score, projectID string, trace *domain.TraceSummary, flush respond.Flush) []byte,
) (any, error) {
	ctx := c.Context()
	if len(q.traces) > 0 {
		anything, err := h.ofMatchingTraces(ctx, scope, q)
		if err != nil || !anything {
			return endpoint.PageMeta{Page: q.page, Total: 0}.Empty(), err
		}
	}
	total, err := store.CountRows(ctx, h.Store.Scores(), scope, q.query)
	if err != nil {
		return nil, err
	}
	meta := endpoint.PageMeta{Page: q.page, Total: total}
	if q.page.Offset() >= total {
		return meta.Empty(), nil
	}
	ids, traceIDs, err := h.scoresOfPage(ctx, scope, q)
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 { // scores were deleted in the meantime
		return meta.Empty(), nil
	}
	known := make(map[string]*domain.TraceSummary)
	if q.withTraces {
		if known, err = h.Finder(scope).Summaries(ctx, traceIDs, memory.NewTally(ctx)); err != nil {
			return nil, err
		}
	}
	project := scope.ProjectID()
	list := &endpoint.List[domain.Score]{
		Rows: h.Store.Scores().Lookup(ctx, scope, store.Lookup{IDs: ids, Want: store.WantAll}), Limit: q.page.Limit, Finish: meta.AppendTo,
		Write: func(dst []byte, s *domain.Score, flush respond.Flush) []byte {
			return write(dst, s, project, known[s.TraceID], flush)
		},
	}
	return list.Answer(c)
}

// ofMatchingTraces restricts a query to the scores of traces that meet its conditions on traces. It returns false if
// there is no such trace.
func (h *Handlers) ofMatchingTraces(ctx context.Context, scope domain.ProjectScope, q *scorePageQuery) (bool, error) {
	ids, err := h.Finder(scope).Scored(ctx, &traces.Query{Where: q.traces}, q.query)
	if err != nil || len(ids) == 0 {
		return false, err
	}
	named, err := filter.NewTexts(filter.ScoreColumn("traceId"), filter.AnyOf, ids)
	q.query.Where = append(q.query.Where, named)
	return true, err
}

// scoresOfPage returns the ids of the scores of a page and of their traces, without reading long columns.
func (h *Handlers) scoresOfPage(ctx context.Context, scope domain.ProjectScope, q *scorePageQuery) (ids, traceIDs []string, err error) {
	query := q.query
	query.Limit = q.page.Offset() + q.page.Limit
	n := 0
	for s, err := range h.Store.Scores().Scan(ctx, scope, query) {
		if err != nil {
			return nil, nil, err
		}
		if n++; n <= q.page.Offset() {
			continue
		}
		ids = append(ids, strings.Clone(s.ID))
		if s.TraceID != "" {
			traceIDs = append(traceIDs, strings.Clone(s.TraceID))
		}
	}
	slices.Sort(traceIDs)
	return ids, slices.Compact(traceIDs), nil
}
