package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/respond"
	"almanac/internal/store"
)

// session is what rows say about their session: it begins with the first of them that arrived.
type session struct {
	id          string
	created     domain.Micros
	environment string
}

// add adds a row of the session, newest first.
func (s *session) add(row *domain.Observation) {
	if s.created == 0 || row.CreatedAt <= s.created {
		s.created = row.CreatedAt
		if s.environment != row.Environment {
			s.environment = strings.Clone(row.Environment)
		}
	}
}

// sessionBody is a session as clients see it.
type sessionBody struct {
	ID          string       `json:"id"`
	CreatedAt   respond.Time `json:"createdAt"`
	ProjectID   string       `json:"projectId"`
	Environment string       `json:"environment"`
}

func (s *session) body(projectID string) sessionBody {
	return sessionBody{
		ID: s.id, CreatedAt: respond.Time(s.created.Time()), ProjectID: projectID, Environment: cmp.Or(s.environment, "default"),
	}
}

// sessionsQuery is what a client asks for.
type sessionsQuery struct {
	page         decode.Page
	from, to     domain.Micros
	environments []string
}

func readSessionsQuery(q *decode.Query) (*sessionsQuery, error) {
	out := &sessionsQuery{page: q.Page(defaultPage)}
	out.from, out.to = domain.MicrosOf(q.Time("fromTimestamp")), domain.MicrosOf(q.Time("toTimestamp"))
	out.environments = q.Values("environment") // unlike elsewhere, commas are part of a name
	return out, q.Err()
}

func (q *sessionsQuery) matches(s *session) bool {
	return (q.from == 0 || s.created >= q.from) && (q.to == 0 || s.created < q.to) &&
		(len(q.environments) == 0 || slices.Contains(q.environments, cmp.Or(s.environment, "default")))
}

// listSessions returns a numbered page of sessions, newest first.
func (a *API) listSessions(c *Call, scope domain.ProjectScope) (any, error) {
	q, err := readSessionsQuery(c.Query())
	if err != nil {
		return nil, err
	}
	found, err := a.findSessions(c.Context(), scope, q)
	if err != nil {
		return nil, err
	}
	first := min(q.page.Offset(), len(found))
	page := found[first:min(first+q.page.Limit, len(found))]
	return pageOf(c, q.page, len(found), page, func(s *session) sessionBody { return s.body(scope.ProjectID()) })
}

// findSessions returns the sessions that meet the conditions, newest first. When a session was first seen is known when
// all of its rows are, so all rows with a session are looked at.
func (a *API) findSessions(ctx context.Context, scope domain.ProjectScope, q *sessionsQuery) ([]*session, error) {
	inSession, err := filter.NewNull(observationColumn("sessionId"), false)
	if err != nil {
		return nil, err
	}
	limit := (&traceSearch{API: a}).limit()
	all, known := make(map[string]*session), remembered{ctx: ctx}
	query := store.Query[domain.Observation]{Where: []filter.Condition[domain.Observation]{inSession}}
	for row, err := range a.Store.Observations().Scan(ctx, scope, query) {
		if err != nil {
			return nil, err
		}
		s := all[row.SessionID]
		if s == nil {
			if len(all) == limit {
				return nil, tooMany("sessions", limit, "Use GET "+observationsSuccessor+" instead.")
			}
			if err := known.add(); err != nil {
				return nil, err
			}
			s = &session{id: strings.Clone(row.SessionID)}
			all[s.id] = s
		}
		s.add(row)
	}
	var found []*session
	for _, s := range all {
		if q.matches(s) {
			found = append(found, s)
		}
	}
	slices.SortFunc(found, func(a, b *session) int {
		return cmp.Or(cmp.Compare(b.created.Millis(), a.created.Millis()), cmp.Compare(b.id, a.id))
	})
	return found, nil
}

// getSession returns a session with its traces, oldest first.
func (a *API) getSession(c *Call, scope domain.ProjectScope) (any, error) {
	s := session{id: c.Path("sessionId")}
	search := &traceSearch{API: a, scope: scope, query: &tracesQuery{order: traceOrder{column: "timestamp", ascending: true}}}
	ids, err := search.ofSession(c.Context(), &s)
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		return nil, respond.NotFound("Session not found within authorized project")
	}
	// A trace is in one session, even if its rows name several.
	if err := search.query.add(filter.NewText(traceColumn("sessionId"), filter.Equal, s.id)); err != nil {
		return nil, err
	}
	var found []foundTrace
	for batch := range slices.Chunk(ids, traceBatch) {
		matching, err := search.evaluate(c.Context(), batch)
		if err != nil {
			return nil, err
		}
		found = append(found, matching...)
	}
	slices.SortFunc(found, search.query.order.compare)

	project := scope.ProjectID()
	head, err := respond.Marshal(s.body(project))
	if err != nil {
		return nil, err
	}
	head = append(bytes.TrimSuffix(head, []byte("}")), `,"traces":[`...)
	reader := &traceReader{store: a.Store, scope: scope, fields: respond.TraceIO}
	list := &rowList[domain.TraceSummary]{
		rows: reader.readAll(c.Context(), found), limit: math.MaxInt,
		write: func(dst []byte, t *domain.TraceSummary, flush respond.Flush) []byte {
			return respond.AppendTraceOfSession(dst, t, project, flush)
		},
		finish: func(dst []byte, _ bool) []byte { return dst },
	}
	return list.answerWith(c, head)
}

// ofSession returns the traces that have rows of a session, and adds these rows to it.
func (s *traceSearch) ofSession(ctx context.Context, of *session) ([]string, error) {
	limit := s.limit()
	var ids []string
	known, memory := make(map[string]struct{}), remembered{ctx: ctx}
	for row, err := range s.Store.Observations().Lookup(ctx, s.scope, store.Lookup{SessionIDs: []string{of.id}}) {
		if err != nil {
			return nil, err
		}
		of.add(row)
		if _, again := known[row.TraceID]; again {
			continue
		}
		if len(ids) == limit {
			return nil, tooManyTraces(limit)
		}
		if err := memory.add(); err != nil {
			return nil, err
		}
		id := strings.Clone(row.TraceID)
		known[id] = struct{}{}
		ids = append(ids, id)
	}
	return ids, nil
}
