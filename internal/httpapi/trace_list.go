package httpapi

import (
	"context"
	"iter"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
)

// listTraces returns a numbered page of traces.
func (a *API) listTraces(c *Call, scope domain.ProjectScope) (any, error) {
	q, err := readTracesQuery(c.Query())
	if err != nil {
		return nil, err
	}
	search := &traceSearch{API: a, scope: scope, query: q}
	page, total, err := search.find(c.Context())
	if err != nil {
		return nil, err
	}
	project := scope.ProjectID()
	reader := &traceReader{store: a.Store, scope: scope, fields: q.fields, environments: q.environments}
	list := &rowList[domain.TraceSummary]{
		rows: reader.readAll(c.Context(), page), limit: q.page.Limit, finish: pageMeta{q.page, total}.appendTo,
		write: func(dst []byte, t *domain.TraceSummary) []byte { return respond.AppendTrace(dst, t, project, q.fields) },
	}
	return list.answer(a, c)
}

// tracesAtOnce is how many traces of a list are read at once, and in memory.
const tracesAtOnce = 10

// readAll reads traces a few at a time, since their inputs and outputs may be long. Those that were deleted meanwhile are
// left out.
func (r *traceReader) readAll(ctx context.Context, list []foundTrace) iter.Seq2[*domain.TraceSummary, error] {
	return func(yield func(*domain.TraceSummary, error) bool) {
		for part := range slices.Chunk(list, tracesAtOnce) {
			ids := make([]string, len(part))
			for n := range part {
				ids[n] = part[n].id
			}
			some, err := r.readSome(ctx, ids)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, trace := range some {
				if !yield(trace, nil) {
					return
				}
			}
		}
	}
}
