package traces

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// Session is what rows say about their session. It begins when the first of them arrived.
type Session struct {
	ID          string
	CreatedAt   domain.Micros
	Environment string
}

// add adds a row of the session, newest first.
func (s *Session) add(row *domain.Observation) {
	if s.Environment == "" || s.CreatedAt == 0 || row.CreatedAt != 0 && row.CreatedAt <= s.CreatedAt {
		s.CreatedAt = row.CreatedAt
		if environment := cmp.Or(row.Environment, "default"); s.Environment != environment {
			s.Environment = strings.Clone(environment)
		}
	}
}

// SessionQuery selects sessions.
type SessionQuery struct {
	// From and To bound the beginning of a session: From <= time < To. 0 means no bound.
	From, To domain.Micros
	// Environments, if not empty, are the environments to select.
	Environments []string
}

func (q *SessionQuery) matches(s *Session) bool {
	return (q.From == 0 || s.CreatedAt >= q.From) && (q.To == 0 || s.CreatedAt < q.To) &&
		(len(q.Environments) == 0 || slices.Contains(q.Environments, s.Environment))
}

// Sessions returns a page of the sessions that meet the conditions, newest first, and their total number. The beginning
// of a session is known only from all of its rows, of which the store finds the first. The session is in the environment
// of that row; it has to be read only if rows of several environments arrived at the same time.
func (f *Finder) Sessions(ctx context.Context, q *SessionQuery, offset, limit int) (page []*Session, total int, err error) {
	environment := filter.ObservationColumn("environment")
	rq := store.RankQuery[domain.Observation]{
		Key:      filter.ObservationColumn("sessionId"),
		Measures: []store.RankMeasure[domain.Observation]{{Function: store.Min, Column: filter.CreatedAt()}},
		Skip:     offset, Limit: limit,
	}
	if len(q.Environments) > 0 {
		rq.Skip, rq.Limit = 0, offset+limit // unclear sessions may come first
		names := slices.DeleteFunc(slices.Clone(q.Environments), func(name string) bool { return name == "" })
		if len(names) == 0 { // no session has such a name
			return nil, 0, nil
		}
		if slices.Contains(names, "default") {
			names = append(names, "")
		}
		inside, err := filter.NewTexts(environment, filter.AnyOf, names)
		if err != nil {
			return nil, 0, err
		}
		others, err := filter.NewTexts(environment, filter.NoneOf, names)
		if err != nil {
			return nil, 0, err
		}
		for _, condition := range []filter.Condition[domain.Observation]{inside, others} {
			rq.Measures = append(rq.Measures, store.RankMeasure[domain.Observation]{
				Function: store.Min, Column: filter.CreatedAt(), If: []filter.Condition[domain.Observation]{condition},
			})
		}
	}
	rq.Judge = func(t *store.RankTotals) (store.RankOrder, store.Verdict) {
		created := domain.Micros(0) // if no row says when it arrived
		if !math.IsNaN(t.Values[0]) {
			created = domain.Micros(t.Values[0])
		}
		order := store.RankOrder{Value: float64(created.Millis())}
		switch {
		case created == 0 && len(q.Environments) > 0:
			return order, store.Unclear
		case q.From != 0 && created < q.From || q.To != 0 && created >= q.To:
			return order, store.Unwanted
		case len(q.Environments) > 0 && t.Values[1] != t.Values[0]:
			return order, store.Unwanted // the first row is in another environment
		case len(q.Environments) > 0 && t.Values[2] == t.Values[0]:
			return order, store.Unclear // rows of several environments arrived first
		}
		return order, store.Wanted
	}
	ranking, err := f.Store.Observations().Rank(ctx, f.Scope, rq)
	if err != nil {
		return nil, 0, err
	}
	if most := f.limit(ctx); len(ranking.Unclear) > most {
		return nil, 0, &TooMany{"sessions", most}
	}
	unclear, err := f.readSessions(ctx, ranking.Unclear)
	if err != nil {
		return nil, 0, err
	}
	unclear = slices.DeleteFunc(unclear, func(s *Session) bool { return !q.matches(s) })
	places := ranking.Places
	for _, s := range unclear {
		places = append(places, store.RankPlace{RankOrder: store.RankOrder{Value: float64(s.CreatedAt.Millis())}, Key: s.ID})
	}
	slices.SortFunc(places, func(a, b store.RankPlace) int { return rq.Compare(&a, &b) })
	places = places[min(offset-rq.Skip, len(places)):]
	var ids []string
	for _, p := range places[:min(limit, len(places))] {
		ids = append(ids, p.Key)
	}
	page, err = f.readSessions(ctx, ids)
	return page, ranking.Total + len(unclear), err
}

// readSessions reads all rows of some sessions. Those that do not exist are left out.
func (f *Finder) readSessions(ctx context.Context, ids []string) ([]*Session, error) {
	var list []*Session
	held := memory.NewTally(ctx)
	for some := range slices.Chunk(ids, BatchSize) {
		known := make(map[string]*Session, len(some))
		for _, id := range some {
			known[id] = &Session{ID: id}
			list = append(list, known[id])
			if err := held.Add(traceBytes); err != nil {
				return nil, err
			}
		}
		for row, err := range f.Store.Observations().Lookup(ctx, f.Scope, store.Lookup{SessionIDs: some}) {
			if err != nil {
				return nil, err
			}
			if s := known[row.SessionID]; s != nil {
				s.add(row)
			}
		}
	}
	return slices.DeleteFunc(list, func(s *Session) bool { return s.Environment == "" }), nil
}

// Session returns a session and the ids of its traces, oldest first, or nil if the session does not exist.
func (f *Finder) Session(ctx context.Context, id string) (*Session, []string, error) {
	limit := f.limit(ctx)
	session := &Session{ID: id}
	var ids []string
	known, held := make(map[string]struct{}), memory.NewTally(ctx)
	for row, err := range f.Store.Observations().Lookup(ctx, f.Scope, store.Lookup{SessionIDs: []string{id}}) {
		if err != nil {
			return nil, nil, err
		}
		session.add(row)
		if _, again := known[row.TraceID]; again {
			continue
		}
		if len(ids) == limit {
			return nil, nil, &TooMany{"traces", limit}
		}
		if err := held.Add(traceBytes); err != nil {
			return nil, nil, err
		}
		trace := strings.Clone(row.TraceID)
		known[trace] = struct{}{}
		ids = append(ids, trace)
	}
	if len(ids) == 0 {
		return nil, nil, nil
	}
	// A trace is in one session, even if its rows name several.
	inSession, err := filter.NewText(filter.TraceColumn("sessionId"), filter.Equal, id)
	if err != nil {
		return nil, nil, err
	}
	q := &Query{Where: []filter.Condition[domain.TraceSummary]{inSession}, Order: Order{Ascending: true}}
	all, err := f.evaluateAll(ctx, q, ids)
	return session, inOrder(q, all), err
}
