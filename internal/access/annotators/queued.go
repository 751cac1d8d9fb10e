// Package annotators determines what is in a user's annotation queues, which is what an annotator may read, score and
// comment on.
package annotators

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/store"
)

// Queues are the annotation queues of a project to which a user is assigned. They contain the items of these queues.
// They also contain a trace if they contain one of its observations, since nobody can judge a step without the rest, or
// its session. They contain an observation if they contain its trace. They never contain an empty id.
type Queues struct {
	Catalog      *catalog.Catalog
	Observations store.Table[domain.Observation]
	Scope        domain.ProjectScope
	UserID       string
}

// Assigned reports whether the user is assigned to a queue.
func (q *Queues) Assigned(ctx context.Context, queueID string) (bool, error) {
	return q.Catalog.IsAssigned(ctx, q.Scope, queueID, q.UserID)
}

// Have reports whether all objects of a type, named as in items and comments, are in the queues; false if no ids are
// given.
func (q *Queues) Have(ctx context.Context, objectType string, ids ...string) (bool, error) {
	switch objectType {
	case domain.ObjectTrace:
		return q.HaveTraces(ctx, ids...)
	case domain.ObjectObservation:
		return q.HaveObservations(ctx, ids...)
	case domain.ObjectSession:
		return q.HaveSessions(ctx, ids...)
	}
	return false, nil
}

// HaveSessions reports whether all the sessions are in the queues; false if no ids are given.
func (q *Queues) HaveSessions(ctx context.Context, ids ...string) (bool, error) {
	missing, err := q.missing(ctx, domain.ObjectSession, ids)
	return err == nil && len(ids) > 0 && len(missing) == 0, err
}

// HaveObservations reports whether all the observations are in the queues; false if no ids are given.
func (q *Queues) HaveObservations(ctx context.Context, ids ...string) (bool, error) {
	missing, err := q.missing(ctx, domain.ObjectObservation, ids)
	if err != nil || len(ids) == 0 || missing[""] {
		return false, err
	}
	if len(missing) == 0 {
		return true, nil
	}
	traces := make(map[string]bool) // there may be several, if traces share an observation id
	found := make(map[string]bool)
	for row, err := range q.Observations.Lookup(ctx, q.Scope, store.Lookup{IDs: slices.Collect(maps.Keys(missing))}) {
		if err != nil {
			return false, fmt.Errorf("cannot look up %d observations: %w", len(missing), err)
		}
		traces[strings.Clone(row.TraceID)], found[strings.Clone(row.ID)] = true, true
	}
	if len(found) < len(missing) {
		return false, nil
	}
	return q.HaveTraces(ctx, slices.Collect(maps.Keys(traces))...)
}

// HaveTraces reports whether all the traces are in the queues; false if no ids are given.
func (q *Queues) HaveTraces(ctx context.Context, ids ...string) (bool, error) {
	missing, err := q.missing(ctx, domain.ObjectTrace, ids)
	if err != nil || len(ids) == 0 || missing[""] {
		return false, err
	}
	if len(missing) == 0 {
		return true, nil
	}
	// The observations of a trace are checked in chunks, since there may be very many.
	const atOnce = 500
	parts := make([]part, 0, atOnce)
	for row, err := range q.Observations.Lookup(ctx, q.Scope, store.Lookup{TraceIDs: slices.Collect(maps.Keys(missing))}) {
		if err != nil {
			return false, fmt.Errorf("cannot look up %d traces: %w", len(missing), err)
		}
		if missing[row.TraceID] {
			parts = append(parts, part{strings.Clone(row.TraceID), strings.Clone(row.ID), strings.Clone(row.SessionID)})
		}
		if len(parts) == atOnce {
			if err := q.remove(ctx, missing, parts); err != nil || len(missing) == 0 {
				return err == nil, err
			}
			parts = parts[:0]
		}
	}
	err = q.remove(ctx, missing, parts)
	return err == nil && len(missing) == 0, err
}

// part is an observation of a trace.
type part struct{ trace, id, session string }

// remove removes from a set the traces with a part that is in the queues.
func (q *Queues) remove(ctx context.Context, traces map[string]bool, parts []part) error {
	ids, sessions := make([]string, len(parts)), make([]string, len(parts))
	for n, p := range parts {
		ids[n], sessions[n] = p.id, p.session
	}
	notObservations, err := q.missing(ctx, domain.ObjectObservation, ids)
	if err != nil {
		return err
	}
	notSessions, err := q.missing(ctx, domain.ObjectSession, sessions)
	if err != nil {
		return err
	}
	for _, p := range parts {
		if !notObservations[p.id] || !notSessions[p.session] {
			delete(traces, p.trace)
		}
	}
	return nil
}

// missing returns the set of ids that are not items of the queues. An empty id is always in it.
func (q *Queues) missing(ctx context.Context, objectType string, ids []string) (map[string]bool, error) {
	missing := make(map[string]bool, len(ids))
	for _, id := range ids {
		missing[id] = true
	}
	wanted := slices.DeleteFunc(slices.Sorted(maps.Keys(missing)), func(id string) bool { return id == "" })
	found, err := q.Catalog.QueuedObjects(ctx, q.Scope, q.UserID, objectType, wanted)
	for _, id := range found {
		delete(missing, id)
	}
	return missing, err
}
