package scores

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/access/annotators"
	"almanac/internal/domain"
	"almanac/internal/store"
)

// These functions decide whether a request, as its handler gets it, concerns only objects in the caller's annotation
// queues.

// QueueAssigned reports whether the caller is assigned to the queue of the request.
func QueueAssigned(ctx context.Context, queues *annotators.Queues, q QueueRequest) (bool, error) {
	return queues.Assigned(ctx, q.queue)
}

// Queued reports whether the request is restricted to scores of traces or sessions in the queues.
func Queued(ctx context.Context, queues *annotators.Queues, q *Query) (bool, error) {
	if len(q.sessionIDs) > 0 {
		return queues.HaveSessions(ctx, q.sessionIDs...)
	}
	return queues.HaveTraces(ctx, q.traceIDs...)
}

// NewScoresQueued reports whether all scores of the request are about traces or sessions in the queues, and their
// observations belong to these traces. Scores already stored under the same ids must be as well, because writing a score
// again can move it.
func (h *Handlers) NewScoresQueued(ctx context.Context, queues *annotators.Queues, q *NewScores) (bool, error) {
	if len(q.invalid) > 0 {
		return false, q.invalid[0].err
	}
	var ids, traces, sessions []string
	var observations []observationOf
	about := func(trace, session, experiment string) (known bool) {
		if trace != "" {
			traces = append(traces, trace)
		}
		if session != "" {
			sessions = append(sessions, session)
		}
		return experiment == "" && trace+session != ""
	}
	for n := range q.drafts {
		draft := &q.drafts[n]
		if !about(draft.TraceID, draft.SessionID.Text, draft.ExperimentID.Text) {
			return false, nil
		}
		if id := draft.ObservationID.Text; id != "" {
			observations = append(observations, observationOf{draft.TraceID, id})
		}
		if draft.QueueID != "" {
			if ok, err := queues.Assigned(ctx, draft.QueueID); err != nil || !ok {
				return false, err
			}
		}
		ids = append(ids, draft.ID)
	}
	for row, err := range h.Store.Scores().Lookup(ctx, queues.Scope, store.Lookup{IDs: ids}) {
		if err != nil {
			return false, fmt.Errorf("cannot look up %d scores: %w", len(ids), err)
		}
		if !about(strings.Clone(row.TraceID), strings.Clone(row.SessionID), row.ExperimentID) {
			return false, nil
		}
	}
	if len(sessions) > 0 {
		if ok, err := queues.HaveSessions(ctx, sessions...); err != nil || !ok || len(traces) == 0 {
			return ok, err
		}
	}
	if ok, err := queues.HaveTraces(ctx, traces...); err != nil || !ok {
		return false, err
	}
	return h.haveObservations(ctx, queues.Scope, observations)
}

// observationOf names an observation of a trace.
type observationOf struct{ trace, id string }

// haveObservations reports whether each observation exists in its trace.
func (h *Handlers) haveObservations(ctx context.Context, scope domain.ProjectScope, list []observationOf) (bool, error) {
	if len(list) == 0 {
		return true, nil
	}
	missing, ids := make(map[observationOf]bool, len(list)), make([]string, 0, len(list))
	for _, o := range list {
		missing[o] = true
		ids = append(ids, o.id)
	}
	slices.Sort(ids)
	for row, err := range h.Store.Observations().Lookup(ctx, scope, store.Lookup{IDs: slices.Compact(ids)}) {
		if err != nil {
			return false, fmt.Errorf("cannot look up %d observations: %w", len(ids), err)
		}
		delete(missing, observationOf{row.TraceID, row.ID})
	}
	return len(missing) == 0, nil
}

// CommentsQueued reports whether the request is restricted to comments on an object in the queues.
func CommentsQueued(ctx context.Context, queues *annotators.Queues, q CommentsQuery) (bool, error) {
	return queues.Have(ctx, q.filter.ObjectType, q.filter.ObjectID)
}

// CommentQueued reports whether the comment of the request is on an object in the queues.
func (h *Handlers) CommentQueued(ctx context.Context, queues *annotators.Queues, q CommentRequest) (bool, error) {
	comment, err := h.Catalog.Comments.Get(ctx, queues.Scope, q.id)
	if errors.Is(err, domain.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return queues.Have(ctx, comment.ObjectType, comment.ObjectID)
}

// NewCommentQueued reports whether the comment in the request is on an object in the queues, with the caller as its
// author.
func NewCommentQueued(ctx context.Context, queues *annotators.Queues, n domain.Comment) (bool, error) {
	if n.AuthorUserID != nil && *n.AuthorUserID != queues.UserID {
		return false, nil
	}
	return queues.Have(ctx, n.ObjectType, n.ObjectID)
}
