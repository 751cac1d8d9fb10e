package traces

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/memory"
	"almanac/internal/store"
)

// Session is what rows say about their session: it begins with the first of them that arrived.
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

// SessionQuery says which sessions are found.
type SessionQuery struct {
	// From and To bound when a session began: From <= it < To. 0 stands for no bound.
	From, To domain.Micros
	// Environments, if there are any, are those that it may be of.
	Environments []string
}

func (q *SessionQuery) matches(s *Session) bool {
	return (q.From == 0 || s.CreatedAt >= q.From) && (q.To == 0 || s.CreatedAt < q.To) &&
		(len(q.Environments) == 0 || slices.Contains(q.Environments, s.Environment))
}

// Sessions returns the sessions that meet the conditions, newest first. When a session was first seen is known when
// all of its rows are, so all rows with a session are looked at.
func (f *Finder) Sessions(ctx context.Context, q *SessionQuery) ([]*Session, error) {
	limit := f.limit(ctx)
	all, held := make(map[string]*Session), memory.NewTally(ctx)
	query := rowQuery{Where: []filter.Condition[domain.Observation]{filter.Must(filter.NewNull(filter.ObservationColumn("sessionId"), false))}}
	for row, err := range f.Store.Observations().Scan(ctx, f.Scope, query) {
		if err != nil {
			return nil, err
		}
		s := all[row.SessionID]
		if s == nil {
			if len(all) == limit {
				return nil, &TooMany{"sessions", limit}
			}
			if err := held.Add(traceBytes); err != nil {
				return nil, err
			}
			s = &Session{ID: strings.Clone(row.SessionID)}
			all[s.ID] = s
		}
		s.add(row)
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

// Session returns a session and the ids of its traces, oldest first; nil if there is none of that id.
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
