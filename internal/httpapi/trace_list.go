package httpapi

import (
	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
	"almanac/internal/traces"
)

// finder finds traces and sessions of a project.
func (a *API) finder(scope domain.ProjectScope) *traces.Finder {
	return &traces.Finder{Store: a.Store, Scope: scope, Limit: a.Limits.Traces}
}

// listTraces returns a numbered page of traces.
func (a *API) listTraces(c *Call, scope domain.ProjectScope) (any, error) {
	q, err := readTracesQuery(c.Query())
	if err != nil {
		return nil, err
	}
	finder := a.finder(scope)
	ids, total, err := finder.Find(c.Context(), &q.Query, q.page.Offset(), q.page.Limit)
	if err != nil {
		return nil, err
	}
	project := scope.ProjectID()
	list := &rowList[domain.TraceSummary]{
		rows: finder.Read(c.Context(), ids, q.parts()), limit: q.page.Limit, finish: pageMeta{q.page, total}.appendTo,
		write: func(dst []byte, t *domain.TraceSummary, flush respond.Flush) []byte {
			return respond.AppendTrace(dst, t, project, q.fields, flush)
		},
	}
	return list.answer(c)
}
