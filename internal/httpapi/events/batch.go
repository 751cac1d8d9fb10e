package events

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/ingest/legacy"
	"almanac/internal/ingest/scores"
)

// MaxBatchBytes is the maximum size of an event batch.
const MaxBatchBytes = 4.5 * 1024 * 1024

// The event types that are accepted in every mode.
const (
	scoreEvent = "score-create"
	logEvent   = "sdk-log" // logs of client libraries, which are discarded
)

// IngestBatch ingests a batch of events and reports the outcome of each. Accepted events are on disk and can be read
// before the response is sent.
func (h *Handlers) IngestBatch(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	body := c.Body()
	list := body.Object().Field("batch")
	if list.Len() > endpoint.MaxBatchItems {
		list.Reject(decode.TooLong(list.Path(), "array", endpoint.MaxBatchItems))
		return nil, body.Err()
	}
	items := list.Array()
	if err := body.Err(); err != nil {
		return nil, err
	}
	b := &eventBatch{Handlers: h, call: c, scope: scope, events: make([]*event, len(items))}
	for n, item := range items {
		b.events[n] = b.read(item.Raw())
	}
	// Events about traces and observations count as spans. The limit applies to the whole batch or none of it.
	taken, err := h.Usage.Reserve(c.Consumer(), domain.Amounts{0, b.spans(), 0})
	if err != nil {
		return nil, err
	}
	if err := b.write(); err != nil {
		taken.Undo()
		return nil, endpoint.WriteError(err)
	}
	b.count()
	return respond.Status{Code: http.StatusMultiStatus, Body: b.answer()}, nil
}

// eventBatch is a batch of events being ingested.
type eventBatch struct {
	*Handlers
	call   *endpoint.Call
	scope  domain.ProjectScope
	events []*event
}

// event is one event with its outcome.
type event struct {
	legacy.Event
	outcome outcome
	failure endpoint.BatchError
	score   scores.Draft
}

// outcome is the outcome of an event. The response lists errors in this order.
type outcome int

const (
	eventAccepted outcome = iota
	eventInvalid
	eventOutOfScope
	eventWrongMode
)

// read reads an event and decides whether it is acceptable.
func (b *eventBatch) read(raw []byte) *event {
	v := decode.NewBody(raw)
	o := v.Object()
	e := &event{Event: legacy.Event{ID: textOr(o.Field("id"), endpoint.UnknownID), Type: textOr(o.Field("type"), endpoint.UnknownID)}}
	known := e.Type == scoreEvent || e.Type == logEvent
	if !known && b.Legacy == nil {
		return e.fails(eventWrongMode, endpoint.BatchError{
			Status: http.StatusBadRequest, Message: "Event type not accepted", Error: fmt.Sprintf(notAccepted, e.Type),
		})
	}
	checkEventID(o.Field("id"))
	e.Timestamp = domain.MicrosOf(o.Field("timestamp").Instant())
	body := o.Field("body")
	switch {
	case e.Type == scoreEvent:
		e.score, _ = scores.ReadEvent(body)
		e.score.At, e.score.BrowserKey = e.Timestamp, b.call.BrowserKey()
		e.score.DeriveID(raw)
	case e.Type == logEvent:
		body.Object()
	case o.Field("type").Kind() != "string":
		v.Reject(decode.NoDiscriminator(o.Field("type").Path(), "type"))
	default:
		e.Body, e.MayPublish = body.Raw(), b.call.May(domain.TracesPublish)
	}
	if err := v.Err(); err != nil {
		return e.fails(eventInvalid, endpoint.InvalidItem(e.ID, err))
	}
	if !b.permitted(e.Type) {
		return e.fails(eventOutOfScope, endpoint.BatchError{
			Status: http.StatusUnauthorized, Message: "Authentication error", Error: "Access Scope Denied",
		})
	}
	return e
}

// notAccepted is the error for events about traces and observations, unless the operator has enabled them.
const notAccepted = `Event type "%s" is not accepted by /api/public/ingestion when LANGFUSE_MIGRATION_V4_WRITE_MODE is events_only. ` +
	`This endpoint only accepts score and log events. Send traces with a current SDK or over OpenTelemetry (/api/public/otel/v1/traces), ` +
	`or start the server with --legacy-ingestion=accept.`

// fails marks an event as not accepted.
func (e *event) fails(as outcome, failure endpoint.BatchError) *event {
	failure.ID = e.ID
	e.outcome, e.failure = as, failure
	return e
}

// permitted reports whether the caller may send events of a type.
func (b *eventBatch) permitted(eventType string) bool {
	switch eventType {
	case logEvent:
		return true
	case scoreEvent:
		return b.call.May(domain.ScoresWrite)
	}
	return b.call.May(domain.TracesWrite)
}

// isSpan reports whether an event is about a trace or an observation, and has been accepted so far.
func (e *event) isSpan() bool {
	return e.outcome == eventAccepted && e.Type != scoreEvent && e.Type != logEvent
}

// spans counts such events.
func (b *eventBatch) spans() (count int64) {
	for _, e := range b.events {
		if e.isSpan() {
			count++
		}
	}
	return count
}

// write stores the batch.
func (b *eventBatch) write() error {
	if err := b.writeScores(); err != nil {
		return err
	}
	return b.writeLegacy()
}

// writeScores stores the scores of the batch.
func (b *eventBatch) writeScores() error {
	var (
		drafts  []scores.Draft
		numbers []int
	)
	for n := range b.events {
		if e := b.events[n]; e.outcome == eventAccepted && e.Type == scoreEvent {
			drafts, numbers = append(drafts, e.score), append(numbers, n)
		}
	}
	refusals, err := b.Scores.Write(b.call.Context(), b.scope, drafts)
	if err != nil {
		return err
	}
	for n, refusal := range refusals {
		switch e := b.events[numbers[n]]; {
		case refusal == nil:
		case errors.Is(refusal, scores.ErrForeign):
			e.fails(eventOutOfScope, endpoint.BatchError{
				Status: http.StatusForbidden, Message: "Access denied", Error: endpoint.ForeignScore,
			})
		default:
			e.fails(eventInvalid, endpoint.InvalidItem(e.ID, refusal))
		}
	}
	return nil
}

// writeLegacy passes the events about traces and observations to Legacy.
func (b *eventBatch) writeLegacy() error {
	var (
		events  []legacy.Event
		numbers []int
	)
	for n := range b.events {
		if e := b.events[n]; e.isSpan() {
			events, numbers = append(events, e.Event), append(numbers, n)
		}
	}
	if len(events) == 0 {
		return nil
	}
	for n, err := range b.Legacy(b.call.Context(), b.scope, b.call.PublicKey(), events) {
		var refused *decode.Invalid
		switch e := b.events[numbers[n]]; {
		case err == nil:
		case errors.As(err, &refused):
			e.fails(eventInvalid, endpoint.InvalidItem(e.ID, err))
		default:
			return err
		}
	}
	return nil
}

// count counts the outcomes of the batch's scores, and logs clients whose traces are refused: such clients only report
// that something failed.
func (b *eventBatch) count() {
	stored, refused := 0, 0
	for _, e := range b.events {
		switch {
		case e.outcome == eventWrongMode:
			b.warnOfOlderClient(e.Type)
		case e.Type != scoreEvent:
		case e.outcome == eventAccepted:
			stored++
		default:
			refused++
		}
	}
	b.CountScores(stored, refused)
}

// warnEvery is the minimum interval between log messages about refused traces.
const warnEvery = time.Minute

func (b *eventBatch) warnOfOlderClient(eventType string) {
	now, last := time.Now().UnixNano(), b.warnedAt.Load()
	if passed := now - last; passed >= 0 && passed < int64(warnEvery) || !b.warnedAt.CompareAndSwap(last, now) {
		return
	}
	b.Log.Warn("rejected events of a pre-OpenTelemetry client; use --legacy-ingestion=accept to accept them",
		"type", strings.ToValidUTF8(eventType[:min(len(eventType), maxLoggedType)], ""), "project", b.scope.ProjectID(),
		"sdk", b.call.Header("X-Langfuse-Sdk-Name"), "sdk_version", b.call.Header("X-Langfuse-Sdk-Version"))
}

// maxLoggedType is how many bytes of an event type are logged.
const maxLoggedType = 40

// answer returns the response: successes ordered by timestamp with updates last, and errors by outcome.
func (b *eventBatch) answer() endpoint.BatchResponse {
	answer := endpoint.BatchResponse{Successes: []endpoint.BatchSuccess{}, Errors: []endpoint.BatchError{}}
	slices.SortStableFunc(b.events, func(x, y *event) int {
		if x.outcome != y.outcome || x.outcome != eventAccepted {
			return cmp.Compare(x.outcome, y.outcome)
		}
		if x.isUpdate() != y.isUpdate() {
			if x.isUpdate() {
				return 1
			}
			return -1
		}
		return cmp.Compare(x.Timestamp, y.Timestamp)
	})
	for _, e := range b.events {
		switch {
		case e.outcome != eventAccepted:
			answer.Errors = append(answer.Errors, e.failure)
		case e.Type != logEvent:
			answer.Successes = append(answer.Successes, endpoint.Created(e.ID))
		}
	}
	return answer
}

func (e *event) isUpdate() bool { return strings.HasSuffix(e.Type, "-update") }

// textOr returns a string, or otherwise if the value is not a string.
func textOr(v decode.Value, otherwise string) string {
	if v.Kind() != "string" {
		return otherwise
	}
	return v.Text()
}

// checkEventID validates the id of an event.
func checkEventID(v decode.Value) {
	const longest = 800
	if strings.Contains(v.TextLen(1, longest), "\r") {
		v.Reject(decode.Violation(v.Path(), "ID must not contain carriage returns"))
	}
}
