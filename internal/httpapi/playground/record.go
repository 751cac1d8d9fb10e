package playground

import (
	"context"
	"errors"
	"time"

	"almanac/internal/catalog/media"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/ingest"
	"almanac/internal/llm"
	"almanac/internal/llm/transcript"
)

// outcome is how a run ended.
type outcome struct {
	started, ended time.Time
	result         *llm.Result
	err            error
	gone           bool // the person stopped it, or left
}

// message says what went wrong; "" if nothing did.
func (o *outcome) message() string {
	switch {
	case o.gone:
		return "Stopped before the answer was complete"
	case o.err != nil:
		return o.err.Error()
	}
	return ""
}

func (o *outcome) level() string {
	switch {
	case o.gone:
		return "WARNING"
	case o.err != nil:
		return "ERROR"
	}
	return "DEFAULT"
}

// record stores the trace of the run, whether or not the person is still there, and returns it as stored.
func (s *session) record(o outcome) (*domain.Observation, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.events.Context()), storing)
	defer cancel()
	if len(s.in.media) > 0 {
		if err := s.linkMedia(ctx); err != nil {
			s.h.Log.Warn("cannot link the files of a run to its trace", "trace", s.traceID, "error", err)
		}
	}
	rows, err := s.h.Records.Rows(ctx, s.scope, s.by, []ingest.Row{{Observation: s.row(o), Usage: llm.UsageEntries(o.result.Usage)}})
	if err != nil {
		return nil, err
	}
	return &rows[0], nil
}

// linkMedia keeps the files of the run as long as its trace.
func (s *session) linkMedia(ctx context.Context) error {
	link := domain.MediumLink{TraceID: s.traceID, ObservationID: s.id, Field: domain.FieldInput}
	kept := make([]media.KeptMedium, len(s.in.media))
	for n, part := range s.in.media {
		m := part.medium
		m.BlobKey = "" // it is stored
		kept[n] = media.KeptMedium{Medium: m, Links: []domain.MediumLink{link}}
	}
	return s.h.Catalog.KeepMedia(ctx, s.scope, kept)
}

// row returns the generation of the run.
func (s *session) row(o outcome) domain.Observation {
	row := domain.Observation{
		TraceID: s.traceID, ID: s.id, Type: "GENERATION", Name: "playground", TraceName: "playground",
		Environment: domain.PlaygroundEnvironment, Level: o.level(), StatusMessage: o.message(),
		StartTime: domain.MicrosOf(o.started), EndTime: domain.MicrosOf(o.ended),
		UserID: s.user.Email, Model: s.in.request.Model, ModelParameters: transcript.Parameters(&s.in.request),
		Input: s.input(), Output: transcript.Output(o.result),
		Metadata: s.metadata(o.result), Source: domain.SourceServer,
	}
	if first := o.result.FirstToken; first > 0 {
		row.CompletionStartTime = domain.MicrosOf(o.started.Add(first))
	}
	if s.in.prompt.Name != "" {
		row.PromptName, row.PromptVersion = s.in.prompt.Name, domain.IntOf(int64(s.in.prompt.Version))
		row.TraceName = s.in.prompt.Name
	}
	return row
}

type (
	usageBody struct {
		Details map[string]int64 `json:"details"`
		Input   int64            `json:"input"`
		Output  int64            `json:"output"`
		Total   *int64           `json:"total"`
	}
	costBody struct {
		// Total is in US dollars; null if the price list does not have the model.
		Total *float64 `json:"total"`
	}
	traceBody struct {
		TraceID       string `json:"traceId"`
		ObservationID string `json:"observationId"`
	}
	doneBody struct {
		TraceID      *string        `json:"traceId"` // null if the run could not be recorded
		Ms           int64          `json:"ms"`
		FirstTokenMs *int64         `json:"firstTokenMs"`
		Finish       llm.Finish     `json:"finish"`
		Model        *string        `json:"model"`
		Rung         llm.Rung       `json:"rung"`
		Repaired     bool           `json:"repaired"`
		Attempts     int            `json:"attempts"`
		Dropped      []string       `json:"dropped"`
		Signatures   map[int]string `json:"signatures"` // of tool calls, to be sent back with them
	}
	errorBody struct {
		Error        string `json:"error"`
		Message      string `json:"message"`
		RetryAfterMs *int64 `json:"retryAfterMs"`
		Ms           int64  `json:"ms"`
	}
)

// finish sends what is known at the end of a run.
func (s *session) finish(o outcome, recorded *domain.Observation) error {
	var errs []error
	send := func(name string, body any) { errs = append(errs, s.send(name, body)) }
	done := doneBody{
		Ms: o.ended.Sub(o.started).Milliseconds(), Finish: o.result.Finish, Rung: o.result.Rung, Repaired: o.result.Repaired,
		Attempts: o.result.Attempts, Dropped: domain.NotNil(o.result.Dropped), Signatures: map[int]string{},
	}
	if recorded != nil {
		done.TraceID = &s.traceID
		send("trace", traceBody{s.traceID, s.id})
		usage := usageBody{Details: o.result.Usage, Input: recorded.InputTokens, Output: recorded.OutputTokens}
		if usage.Details == nil {
			usage.Details = map[string]int64{}
		}
		if recorded.TotalTokens.Set {
			usage.Total = &recorded.TotalTokens.Value
		}
		send("usage", usage)
		var cost costBody
		if recorded.TotalCost.Set {
			cost.Total = &recorded.TotalCost.Value
		}
		send("cost", cost)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if o.gone {
		return s.send("error", errorBody{Error: "stopping", Message: endpoint.ErrStopping.Error(), Ms: done.Ms})
	}
	if o.err != nil {
		failed := errorBody{Error: "failed", Message: o.err.Error(), Ms: done.Ms}
		if e, ok := errors.AsType[*llm.Error](o.err); ok {
			failed.Error = string(e.Kind)
			if e.RetryAfter > 0 {
				failed.RetryAfterMs = new(e.RetryAfter.Milliseconds())
			}
		}
		return s.send("error", failed)
	}
	if o.result.FirstToken > 0 {
		done.FirstTokenMs = new(o.result.FirstToken.Milliseconds())
	}
	if o.result.Model != "" {
		done.Model = &o.result.Model
	}
	for n, call := range o.result.ToolCalls {
		if call.Signature != "" {
			done.Signatures[n] = call.Signature
		}
	}
	return s.send("done", done)
}
