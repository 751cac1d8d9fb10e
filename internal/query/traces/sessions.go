package traces

import (
	"cmp"
	"context"
	"errors"
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
	if s.CreatedAt == 0 || row.CreatedAt <= s.CreatedAt {
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

// Sessions returns the sessions that meet the conditions, newest first. The beginning of a session is known only from
// all of its rows, so the store aggregates all rows with a session.
func (f *Finder) Sessions(ctx context.Context, q *SessionQuery) ([]*Session, error) {
	limit := f.limit(ctx)
	sessionID, environment := filter.ObservationColumn("sessionId"), filter.ObservationColumn("environment")
	groups, err := f.Store.Observations().Aggregate(ctx, f.Scope, store.AggregateQuery[domain.Observation]{
		Where:     []filter.Condition[domain.Observation]{filter.Must(filter.NewNull(sessionID, false))},
		GroupBy:   []*filter.Column[domain.Observation]{sessionID, environment},
		Measures:  []store.Measure[domain.Observation]{{Function: store.Min, Column: filter.CreatedAt()}},
		MaxGroups: limit,
	})
	if errors.Is(err, store.ErrTooLarge) {
		return nil, &TooMany{"sessions", limit}
	}
	if err != nil {
		return nil, err
	}
	held := memory.NewTally(ctx)
	all := make(map[string]*Session, len(groups.Rows))
	var unclear []string // sessions whose first rows may be in several environments
	for n := range groups.Rows {
		g := &groups.Rows[n]
		created := domain.Micros(g.Values[0].Value)
		s := all[g.Keys[0]]
		switch {
		case s == nil:
			if err := held.Add(traceBytes); err != nil {
				return nil, err
			}
			all[g.Keys[0]] = &Session{g.Keys[0], created, cmp.Or(g.Keys[1], "default")}
		case created == s.CreatedAt || created == 0 || s.CreatedAt == 0:
			unclear = append(unclear, s.ID)
		case created < s.CreatedAt:
			s.CreatedAt, s.Environment = created, cmp.Or(g.Keys[1], "default")
		}
	}
	if err := f.readSessions(ctx, all, unclear); err != nil {
		return nil, err
	}
	var matching []*Session
	for _, s := range all {
		if q.matches(s) {
			matching = append(matching, s)
		}
	}
	slices.SortFunc(matching, func(a, b *Session) int {
		return cmp.Or(cmp.Compare(b.CreatedAt.Millis(), a.CreatedAt.Millis()), cmp.Compare(b.ID, a.ID))
	})
	return matching, nil
}

// readSessions reads all rows of some sessions.
func (f *Finder) readSessions(ctx context.Context, all map[string]*Session, ids []string) error {
	for some := range slices.Chunk(ids, BatchSize) {
		for _, id := range some {
			*all[id] = Session{ID: id}
		}
		for row, err := range f.Store.Observations().Lookup(ctx, f.Scope, store.Lookup{SessionIDs: some}) {
			if err != nil {
				return err
			}
			if s := all[row.SessionID]; s != nil {
				s.add(row)
			}
		}
	}
	return nil
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
