package scoring

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/queued"
	"almanac/internal/scores"
	"almanac/internal/store"
)

// These functions decide whether a request concerns only objects in the caller's annotation queues. Each reads the
// request as its handler does.

// QueueAssigned reports whether the caller is assigned to the queue named by the path.
func QueueAssigned(c *endpoint.Call, _ domain.ProjectScope, queues *queued.Queues) (bool, error) {
	return queues.Assigned(c.Context(), c.Path("queueId"))
}

// ScoresQueued reports whether the request is restricted to scores of traces or sessions in the queues.
func ScoresQueued(c *endpoint.Call, _ domain.ProjectScope, queues *queued.Queues) (bool, error) {
	if _, err := readScoresQuery(c.Query()); err != nil {
		return false, err
	}
	p := readScoreParameters(c.Query())
	if ids := p.lists["sessionId"]; len(ids) > 0 {
		return queues.HaveSessions(c.Context(), ids...)
	}
	return queues.HaveTraces(c.Context(), p.lists["traceId"]...)
}

// NewScoresQueued reports whether all scores of the request are about traces or sessions in the queues. Scores already
// stored under the same ids must be as well, because writing a score again can move it.
func (h *Handlers) NewScoresQueued(c *endpoint.Call, scope domain.ProjectScope, queues *queued.Queues) (bool, error) {
	body := c.Body()
	items, read := []decode.Value{body}, scores.ReadRequest
	if body.Kind() == "array" {
		items, read = body.ArrayLen(1, endpoint.MaxBatchItems), scores.ReadListed
	}
	if err := body.Err(); err != nil {
		return false, err
	}
	var ids, traces, sessions []string
	about := func(trace, session, experiment string) (known bool) {
		if trace != "" {
			traces = append(traces, trace)
		}
		if session != "" {
			sessions = append(sessions, session)
		}
		return experiment == "" && trace+session != ""
	}
	for _, item := range items {
		draft, err := read(item.WithOwnIssues(), domain.MicrosOf(time.Now()))
		if err != nil || !about(draft.TraceID, draft.SessionID.Text, draft.ExperimentID.Text) {
			return false, err
		}
		if draft.QueueID != "" {
			if ok, err := queues.Assigned(c.Context(), draft.QueueID); err != nil || !ok {
				return false, err
			}
		}
		ids = append(ids, draft.ID)
	}
	for row, err := range h.Store.Scores().Lookup(c.Context(), scope, store.Lookup{IDs: ids}) {
		if err != nil {
			return false, fmt.Errorf("cannot look up %d scores: %w", len(ids), err)
		}
		if !about(strings.Clone(row.TraceID), strings.Clone(row.SessionID), row.ExperimentID) {
			return false, nil
		}
	}
	if len(sessions) > 0 {
		if ok, err := queues.HaveSessions(c.Context(), sessions...); err != nil || !ok || len(traces) == 0 {
			return ok, err
		}
	}
	return queues.HaveTraces(c.Context(), traces...)
}

// CommentsQueued reports whether the request is restricted to comments on an object in the queues.
func CommentsQueued(c *endpoint.Call, _ domain.ProjectScope, queues *queued.Queues) (bool, error) {
	_, filter, err := readCommentsQuery(c.Query())
	if err != nil {
		return false, err
	}
	return queues.Have(c.Context(), filter.ObjectType, filter.ObjectID)
}

// CommentQueued reports whether the comment named by the path is on an object in the queues.
func (h *Handlers) CommentQueued(c *endpoint.Call, scope domain.ProjectScope, queues *queued.Queues) (bool, error) {
	comment, err := h.Catalog.Comment(c.Context(), scope, c.Path("commentId"))
	if errors.Is(err, domain.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return queues.Have(c.Context(), comment.ObjectType, comment.ObjectID)
}

// NewCommentQueued reports whether the comment in the request is on an object in the queues, with the caller as its
// author.
func NewCommentQueued(c *endpoint.Call, _ domain.ProjectScope, queues *queued.Queues) (bool, error) {
	n, err := readComment(c.Body())
	if err != nil || n.AuthorUserID != nil && *n.AuthorUserID != queues.UserID {
		return false, err
	}
	return queues.Have(c.Context(), n.ObjectType, n.ObjectID)
}
