package ui

import (
	"context"
	"fmt"
	"strings"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/explore"
	"almanac/internal/store"
)

const (
	// deletedAtOnce is the number of traces deleted in one step, which the audit log records in one transaction.
	deletedAtOnce = 500
	// deletionTime is how long one request keeps starting further steps.
	deletionTime = 10 * time.Second
	maxEntityID  = 1000 // characters in the id of a session or a user
)

// deletion describes what to delete.
type deletion struct {
	selection *explore.Selection
	sessionID string // its own scores are deleted as well
	asOf      time.Time
	dryRun    bool
}

// deletionBody reports how much a deletion would remove, or has removed so far.
type deletionBody struct {
	DryRun bool `json:"dryRun"`
	// AsOf limits the deletion to rows created until then. A client that sends it again continues the same deletion.
	AsOf   respond.Time `json:"asOf"`
	Traces int          `json:"traces"`
	Scores int          `json:"scores"` // of the session itself
	// Done is false if there is more to delete, or to count.
	Done bool `json:"done"`
}

// Delete deletes the traces that have a selected observation, or counts them. One request works for a limited time;
// sent again with the asOf of its response, it continues. So nothing is lost if a server stops in between.
func (h *Handlers) Delete(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	d, err := readDeletion(c.Body(), time.Now())
	if err != nil {
		return nil, err
	}
	answer := deletionBody{DryRun: d.dryRun, AsOf: respond.Time(d.asOf), Done: true}
	scores, err := h.sessionScores(c.Context(), scope, d)
	if err != nil {
		return nil, err
	}
	answer.Scores = len(scores)
	if d.dryRun {
		answer.Traces, answer.Done, err = h.explorer(scope).Count(c.Context(), d.selection)
		return answer, err
	}
	selected, err := h.explorer(scope).Resolve(c.Context(), d.selection)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	for next := (*explore.TracePlace)(nil); ; {
		ids, further, err := h.explorer(scope).TraceIDs(c.Context(), selected, next, deletedAtOnce)
		if err != nil {
			return nil, err
		}
		if len(ids) > 0 {
			if err := h.RemoveTraces(c, scope, ids); err != nil {
				return nil, err
			}
		}
		answer.Traces += len(ids)
		if next = further; next == nil { // a slow search may return pages without traces
			break
		}
		if time.Since(began) > deletionTime {
			answer.Done = false
			return answer, nil
		}
	}
	// Last, so that an interrupted deletion can be repeated.
	return answer, h.removeScores(c, scope, scores)
}

// readDeletion reads a deletion. It is a dry run by default, and is rejected if it has no condition.
func readDeletion(body decode.Value, now time.Time) (*deletion, error) {
	b := body.Object()
	s, err := readSelection(b)
	d := &deletion{selection: s, dryRun: decode.NullishOr(b.Field("dryRun"), decode.Value.Bool, true)}
	entity := func(v decode.Value) string { return v.TextLen(1, maxEntityID) }
	d.sessionID = decode.NullishOr(b.Field("sessionId"), entity, "")
	userID := decode.NullishOr(b.Field("userId"), entity, "")
	d.asOf = decode.NullishOr(b.Field("asOf"), decode.Value.Instant, now.Truncate(time.Millisecond))
	if d.asOf.After(now) {
		b.Field("asOf").Reject(decode.Violation(b.Field("asOf").Path(), "The moment is in the future"))
	}
	if err == nil {
		s.OfTraces = true
		add := func(column, value string) {
			if value != "" {
				s.Where = append(s.Where, filter.Must(filter.NewText(filter.ObservationColumn(column), filter.Equal, value)))
			}
		}
		add("sessionId", d.sessionID)
		add("userId", userID)
		if !s.HasConditions() && s.From == 0 && s.To == 0 {
			v := b.Field("filter")
			v.Reject(decode.Violation(v.Path(), "Say what to delete: a session, a user, a filter, words, or a time"))
		}
		s.Within = append(s.Within, filter.Must(filter.NewTime(filter.CreatedAt(), filter.LessEqual, domain.MicrosOf(d.asOf))))
	}
	return d, finish(b, err)
}

// sessionScores returns the ids of the scores of a session as a whole.
func (h *Handlers) sessionScores(ctx context.Context, scope domain.ProjectScope, d *deletion) (ids []string, err error) {
	if d.sessionID == "" {
		return nil, nil
	}
	q := store.Query[domain.Score]{Where: []filter.Condition[domain.Score]{
		filter.Must(filter.NewText(filter.ScoreColumn("sessionId"), filter.Equal, d.sessionID)),
		filter.Must(filter.NewNull(filter.ScoreColumn("traceId"), true)),
	}}
	for score, err := range h.Store.Scores().Scan(ctx, scope, q) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, strings.Clone(score.ID))
	}
	return ids, nil
}

func (h *Handlers) removeScores(c *endpoint.Call, scope domain.ProjectScope, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	if err := h.Catalog.RecordDeletion(c.Context(), scope, "score", ids, c.Actor()); err != nil {
		return err
	}
	if _, err := h.Store.Scores().Delete(c.Context(), scope, store.Selection{IDs: ids}); err != nil {
		return endpoint.WriteError(fmt.Errorf("cannot delete %d scores of a session: %w", len(ids), err))
	}
	return nil
}
