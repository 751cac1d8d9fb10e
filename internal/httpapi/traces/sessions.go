package traces

import (
	"bytes"
	"math"

	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/traces"
)

// sessionBody is a session as clients see it.
type sessionBody struct {
	ID          string       `json:"id"`
	CreatedAt   respond.Time `json:"createdAt"`
	ProjectID   string       `json:"projectId"`
	Environment string       `json:"environment"`
}

func newSessionBody(s *traces.Session, projectID string) sessionBody {
	return sessionBody{ID: s.ID, CreatedAt: respond.Time(s.CreatedAt.Time()), ProjectID: projectID, Environment: s.Environment}
}

// ListSessions returns a numbered page of sessions, newest first.
func (h *Handlers) ListSessions(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	page := q.Page(endpoint.DefaultPage)
	query := &traces.SessionQuery{From: domain.MicrosOf(q.Time("fromTimestamp")), To: domain.MicrosOf(q.Time("toTimestamp"))}
	query.Environments = q.Values("environment") // unlike elsewhere, commas are part of a name
	if err := q.Err(); err != nil {
		return nil, err
	}
	onPage, total, err := h.Finder(scope).Sessions(c.Context(), query, page.Offset(), page.Limit)
	if err != nil {
		return nil, err
	}
	return endpoint.PageOf(c, page, total, onPage, func(s *traces.Session) sessionBody { return newSessionBody(s, scope.ProjectID()) })
}

// GetSession returns a session with its traces, oldest first.
func (h *Handlers) GetSession(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	finder := h.Finder(scope)
	s, ids, err := finder.Session(c.Context(), c.Path("sessionId"))
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nil, respond.NotFound("Session not found within authorized project")
	}
	project := scope.ProjectID()
	head, err := respond.Marshal(newSessionBody(s, project))
	if err != nil {
		return nil, err
	}
	head = append(bytes.TrimSuffix(head, []byte("}")), `,"traces":[`...)
	list := &endpoint.List[domain.TraceSummary]{
		Rows: finder.Read(c.Context(), ids, traces.Parts{Content: true}), Limit: math.MaxInt,
		Write: func(dst []byte, t *domain.TraceSummary, flush respond.Flush) []byte {
			return respond.AppendTraceOfSession(dst, t, project, flush)
		},
		Finish: func(dst []byte, _ bool) []byte { return dst },
	}
	return list.AnswerWith(c, head)
}
