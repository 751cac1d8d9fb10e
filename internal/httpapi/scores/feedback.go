package scores

import (
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// The limits of feedback.
const (
	MaxFeedbackBody   = 16 << 10
	maxFeedbackTarget = 200
	maxFeedback       = 3000
	maxFeedbackGoal   = 1500
	maxReferenceURL   = 2048
)

// SubmitFeedback forwards feedback to the sink that the operator has configured. Nothing is stored here.
func (h *Handlers) SubmitFeedback(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	m, err := readFeedback(c.Body())
	if err != nil {
		return nil, err
	}
	if h.Feedback == nil {
		return nil, respond.Conflict("Feedback submission is not configured for this deployment")
	}
	id, err := uuid.NewRandom()
	if err != nil {
		return nil, fmt.Errorf("cannot make an id for feedback: %w", err)
	}
	m.ID, m.ProjectID, m.SubmittedAt = id.String(), scope.ProjectID(), time.Now().UTC().Truncate(time.Millisecond)
	if busy := c.CallOut(func() { err = h.Feedback.Send(c.Context(), m) }); busy != nil {
		return nil, busy
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", &respond.Error{
			Status: http.StatusServiceUnavailable, Name: "ServiceUnavailableError",
			Message: "The feedback could not be passed on. Try again later.",
		}, err)
	}
	return respond.Status{Code: http.StatusCreated, Body: struct {
		ID string `json:"id"`
	}{m.ID}}, nil
}

func readFeedback(body decode.Value) (FeedbackMessage, error) {
	b := body.Object()
	m := FeedbackMessage{
		TargetType: b.Field("targetType").Enum("skill", "mcp-tool", "cli", "docs", "public-api", "other"),
		Target:     b.Field("target").TrimmedLen(1, maxFeedbackTarget),
		Feedback:   b.Field("feedback").TrimmedLen(1, maxFeedback),
		Goal:       decode.Optional(b.Field("goal"), func(v decode.Value) string { return v.TrimmedLen(1, maxFeedbackGoal) }),
		ReferenceURL: decode.Optional(b.Field("referenceUrl"), func(v decode.Value) string {
			return v.WebAddress(maxReferenceURL)
		}),
	}
	b.Strict()
	return m, b.Err()
}
