package traces

import (
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// ListTraces returns a numbered page of traces.
func (h *Handlers) ListTraces(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q, err := readTracesQuery(c.Query())
	if err != nil {
		return nil, err
	}
	finder := h.Finder(scope)
	ids, total, err := finder.Find(c.Context(), &q.Query, q.page.Offset(), q.page.Limit)
	if err != nil {
		return nil, err
	}
	project := scope.ProjectID()
	list := &endpoint.List[domain.TraceSummary]{
		Rows: finder.Read(c.Context(), ids, q.parts()), Limit: q.page.Limit, Finish: endpoint.PageMeta{Page: q.page, Total: total}.AppendTo,
		Write: func(dst []byte, t *domain.TraceSummary, flush respond.Flush) []byte {
			return respond.AppendTrace(dst, t, project, q.fields, flush)
		},
	}
	return list.Answer(c)
}
