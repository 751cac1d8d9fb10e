// Package queued knows what is in the annotation queues of somebody: what an annotator may read, score and comment on.
package queued

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

// Queues are the annotation queues of a project that a user is assigned to. Something is in them if it is an item of one of them.
// A trace is in them, too, if one of its observations is, since nobody can judge a step without the rest, or if its session is. An
// observation is in them if its trace is. An empty id is of nothing.
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

// Have reports whether all of some things of a type, as items and comments name it, are in the queues; false if there are none.
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

// HaveSessions reports whether all of some sessions are in the queues; false if there are none.
func (q *Queues) HaveSessions(ctx context.Context, ids ...string) (bool, error) {
	missing, err := q.missing(ctx, domain.ObjectSession, ids)
	return err == nil && len(ids) > 0 && len(missing) == 0, err
}

// HaveObservations reports whether all of some observations are in the queues; false if there are none.
func (q *Queues) HaveObservations(ctx context.Context, ids ...string) (bool, error) {
	missing, err := q.missing(ctx, domain.ObjectObservation, ids)
	if err != nil || len(ids) == 0 || missing[""] {
		return false, err
	}
	if len(missing) == 0 {
		return true, nil
	}
	traces := make(map[string]bool) // several, if an id is used in several
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

// HaveTraces reports whether all of some traces are in the queues; false if there are none.
func (q *Queues) HaveTraces(ctx context.Context, ids ...string) (bool, error) {
	missing, err := q.missing(ctx, domain.ObjectTrace, ids)
	if err != nil || len(ids) == 0 || missing[""] {
		return false, err
	}
	if len(missing) == 0 {
		return true, nil
	}
	// What a trace consists of is looked at in pieces: it may have very many observations.
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

// remove takes the traces out of a set of which a part is in the queues.
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

// missing returns those of some ids that are no items of the queues, each once. The empty id is always among them.
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
