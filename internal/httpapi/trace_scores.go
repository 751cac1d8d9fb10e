package httpapi

import (
	"context"
	"encoding/json"

	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
	"almanac/internal/store"
)

// isTraceScore says whether the deprecated reads of traces show a score: one of the trace or of an observation in it,
// and no correction.
func isTraceScore(s *domain.Score) bool {
	return s.SessionID == "" && s.ExperimentID == "" && s.DataType != "CORRECTION"
}

// eachScore calls a function with the scores that traces show.
func eachScore(
	ctx context.Context, from store.Store, scope domain.ProjectScope, traceIDs []string, want store.Want, each func(*domain.Score),
) error {
	for s, err := range from.Scores().Lookup(ctx, scope, store.Lookup{TraceIDs: traceIDs, Want: want}) {
		if err != nil {
			return err
		}
		if isTraceScore(s) {
			each(s)
		}
	}
	return nil
}

// scoreV1Body is a score as the deprecated reads show it.
type scoreV1Body struct {
	ID               string          `json:"id"`
	ProjectID        string          `json:"projectId"`
	Environment      string          `json:"environment"`
	Name             string          `json:"name"`
	Value            *float64        `json:"value,omitempty"` // texts have none
	Source           string          `json:"source"`
	AuthorUserID     *string         `json:"authorUserId"`
	Comment          *string         `json:"comment"`
	Metadata         json.RawMessage `json:"metadata"`
	ConfigID         *string         `json:"configId"`
	QueueID          *string         `json:"queueId"`
	ExecutionTraceID *string         `json:"executionTraceId"`
	CreatedAt        respond.Time    `json:"createdAt"`
	UpdatedAt        respond.Time    `json:"updatedAt"`
	Timestamp        respond.Time    `json:"timestamp"`
	TraceID          *string         `json:"traceId"`
	ObservationID    *string         `json:"observationId"`
	StringValue      *string         `json:"stringValue"`
	DataType         string          `json:"dataType"`
}

// appendScoreV1 appends a score as the deprecated reads show it.
func appendScoreV1(dst []byte, s *domain.Score, projectID string) []byte {
	b := scoreV1Body{
		ID: s.ID, ProjectID: projectID, Environment: s.Environment, Name: s.Name, Source: s.Source, DataType: s.DataType,
		AuthorUserID: optional(s.AuthorUserID), Comment: optional(s.Comment), Metadata: json.RawMessage("{}"),
		ConfigID: optional(s.ConfigID), QueueID: optional(s.QueueID), ExecutionTraceID: optional(s.ExecutionTraceID),
		CreatedAt: respond.Time(s.CreatedAt.Time()), UpdatedAt: respond.Time(s.UpdatedAt.Time()),
		Timestamp: respond.Time(s.Timestamp.Time()),
		TraceID:   optional(s.TraceID), ObservationID: optional(s.ObservationID),
	}
	if b.Environment == "" {
		b.Environment = "default"
	}
	if s.DataType != "TEXT" {
		b.Value = &s.Value.Value
	}
	if s.DataType != "NUMERIC" {
		b.StringValue = &s.StringValue
	}
	if json.Valid([]byte(s.Metadata)) {
		b.Metadata = json.RawMessage(s.Metadata)
	}
	text, err := respond.Marshal(b)
	if err != nil { // only a value that is no number can be the reason, and none is stored
		panic("BUG: the score " + s.ID + " does not marshal: " + err.Error())
	}
	return append(dst, text...)
}

// optional returns nil, which is written as null, for an unset text.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
