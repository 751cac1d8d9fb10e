package legacy

import (
	"bytes"
	"cmp"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/internal/decode"
	"almanac/internal/domain"
)

// Maximum lengths, in characters. Those of ids and names are part of the API contract. The fields of a trace are stored
// with each of its observations, so all of them are bounded.
const (
	maxID    = 800
	maxName  = 1000
	maxText  = 1000
	maxTags  = 1000
	tagBytes = 8 << 10 // total for all tags of a trace
)

// maxPromptVersion is the maximum version of a prompt.
const maxPromptVersion = 65535

// eventType describes a type of event.
type eventType struct {
	trace  bool
	kind   string // type of the observation; empty if the body has it
	update bool
	// What the body of an observation includes.
	timed  bool // an end time
	priced bool // a model, usage and cost
}

// eventTypes are the supported event types.
var eventTypes = map[string]eventType{
	"trace-create":       {trace: true},
	"event-create":       {kind: "EVENT"},
	"span-create":        {kind: "SPAN", timed: true},
	"span-update":        {kind: "SPAN", timed: true, update: true},
	"generation-create":  {kind: "GENERATION", timed: true, priced: true},
	"generation-update":  {kind: "GENERATION", timed: true, priced: true, update: true},
	"agent-create":       {kind: "AGENT", timed: true, priced: true},
	"tool-create":        {kind: "TOOL", timed: true, priced: true},
	"chain-create":       {kind: "CHAIN", timed: true, priced: true},
	"retriever-create":   {kind: "RETRIEVER", timed: true, priced: true},
	"evaluator-create":   {kind: "EVALUATOR", timed: true, priced: true},
	"embedding-create":   {kind: "EMBEDDING", timed: true, priced: true},
	"guardrail-create":   {kind: "GUARDRAIL", timed: true, priced: true},
	"observation-create": {timed: true, priced: true},
	"observation-update": {timed: true, priced: true, update: true},
}

// runItemCreate is an event type reserved for the service itself.
const runItemCreate = "dataset-run-item-create"

// read decodes an event. Its error is a *decode.Invalid.
func (w *work) read(n int, e *Event) (*change, error) {
	kind, known := eventTypes[e.Type]
	switch {
	case e.Type == runItemCreate:
		return nil, refuse(decode.Violation(nil, "Dataset run item creation is only allowed for internal usage"))
	case !known:
		return nil, refuse(decode.NoDiscriminator([]any{"type"}, "type"))
	}
	c := &change{event: n, at: cmp.Or(e.Timestamp, w.now), update: kind.update, kind: kind.kind}
	if refusal := w.times.Refusal(c.at, w.now); refusal != "" { // it is the time of a row that has no other
		return nil, refuse(decode.Violation([]any{"timestamp"}, refusal))
	}
	b := bodyOf(e).Object()
	if kind.trace {
		w.readTrace(c, b)
		if c.public.value && !e.MayPublish {
			c.public = given[bool]{}
			w.unpublished[n] = true
		}
	} else {
		w.readObservation(c, b, &kind)
	}
	if err := b.Err(); err != nil {
		return nil, err
	}
	return c, nil
}

func refuse(issue decode.Issue) error { return &decode.Invalid{Issues: []decode.Issue{issue}} }

// bodyOf returns the body of an event for decoding. Issues include the path within the event.
func bodyOf(e *Event) decode.Value {
	body := []byte(e.Body)
	if !utf8.Valid(body) {
		body = bytes.ToValidUTF8(body, []byte("\uFFFD"))
	}
	return decode.NewPart(body, "body")
}

func (w *work) readTrace(c *change, b *decode.Object) {
	c.traceID = readID(b.Field("id"))
	c.start = member(b.Field("timestamp"), w.readStart)
	c.name = member(b.Field("name"), upTo(maxName))
	c.sessionID = member(b.Field("sessionId"), upTo(maxText))
	c.userID = member(b.Field("userId"), upTo(maxText))
	c.environment = readEnvironment(b.Field("environment"))
	c.release = member(b.Field("release"), upTo(maxText))
	c.version = member(b.Field("version"), upTo(maxText))
	c.public = member(b.Field("public"), decode.Value.Bool)
	c.tags = member(b.Field("tags"), readTags)
	w.readContent(c, b)
	if c.traceID == "" {
		c.traceID = domain.NewID()
	}
}

func (w *work) readObservation(c *change, b *decode.Object, kind *eventType) {
	c.traceID = readID(b.Field("traceId"))
	c.environment = readEnvironment(b.Field("environment"))
	c.name = member(b.Field("name"), decode.Value.Text)
	c.start = member(b.Field("startTime"), w.readStart)
	c.level = member(b.Field("level"), func(v decode.Value) string { return v.Enum("DEBUG", "DEFAULT", "WARNING", "ERROR") })
	c.status = member(b.Field("statusMessage"), decode.Value.Text)
	c.parent = member(b.Field("parentObservationId"), upTo(maxID))
	c.version = member(b.Field("version"), decode.Value.Text)
	w.readContent(c, b)
	c.decides = !c.update || kind.priced
	if c.kind != "" {
		c.id = requiredID(b.Field("id"))
	} else {
		c.kind = b.Field("type").Enum("GENERATION", "SPAN", "EVENT")
		if c.id = readID(b.Field("id")); c.id == "" {
			c.id = domain.NewID()
		}
	}
	if kind.timed {
		c.end = member(b.Field("endTime"), readTime)
	}
	if kind.priced {
		w.readPriced(c, b)
	}
}

// readPriced reads the fields of observations that call a model.
func (w *work) readPriced(c *change, b *decode.Object) {
	c.completionStart = member(b.Field("completionStartTime"), readTime)
	c.model = member(b.Field("model"), decode.Value.Text)
	parameters := b.Field("modelParameters")
	c.parameters = member(parameters, w.readParameters)
	if c.parameters.value == "" && parameters.Kind() != "null" {
		c.parameters.sent = false // an empty object changes nothing
	}
	w.readUsage(c, b)
	c.promptName = member(b.Field("promptName"), decode.Value.Text)
	c.promptVersion = member(b.Field("promptVersion"), readPromptVersion)
	if (c.promptName.value == "") != (c.promptVersion.value.Value == 0) {
		b.Field("promptName").Reject(decode.Violation([]any{"body"}, "Invalid input"))
	}
}

// readContent reads the fields subject to masking; nothing else sees them before they are masked.
func (w *work) readContent(c *change, b *decode.Object) {
	row := domain.Observation{
		Input: w.mapper.PlainText(string(b.Field("input").Raw())), Output: w.mapper.PlainText(string(b.Field("output").Raw())),
		Metadata: w.mapper.PlainMetadata(string(b.Field("metadata").Raw())), StatusMessage: c.status.value,
	}
	w.masks.Apply(w.scope.ProjectID(), &row)
	c.input, c.output, c.status.value = row.Input, row.Output, row.StatusMessage
	if c.input == "{}" {
		c.input = ""
	}
	if c.output == "{}" {
		c.output = ""
	}
	c.metadata = given[string]{row.Metadata != "" || b.Field("metadata").Kind() == "null", row.Metadata}
}

// member reads a member that may be absent or null.
func member[T any](v decode.Value, read func(decode.Value) T) given[T] {
	switch v.Kind() {
	case "undefined":
		return given[T]{}
	case "null":
		return given[T]{sent: true}
	}
	return sent(read(v))
}

func upTo(characters int) func(decode.Value) string {
	return func(v decode.Value) string { return v.TextLen(0, characters) }
}

// requiredID reads a mandatory id.
func requiredID(v decode.Value) string {
	id := v.TextLen(1, maxID)
	if strings.ContainsRune(id, '\r') {
		v.Reject(decode.Violation(v.Path(), "ID must not contain carriage returns"))
	}
	return id
}

// readID reads an optional id.
func readID(v decode.Value) string {
	if id := decode.Nullish(v, requiredID); id != nil {
		return *id
	}
	return ""
}

// readEnvironment reads an environment. It never fails: invalid names become the default.
func readEnvironment(v decode.Value) string {
	if v.Kind() != "string" {
		return domain.DefaultEnvironment
	}
	return domain.NormalEnvironment(v.Text())
}

func readTags(v decode.Value) []string {
	items := v.Array()
	if len(items) > maxTags {
		v.Reject(decode.TooLong(v.Path(), "array", maxTags))
		return nil
	}
	tags := make([]string, 0, len(items))
	for _, item := range items {
		tags = append(tags, item.Text())
	}
	return tags
}

// earliest is the minimum time of a row: dates are written with a four-digit year, from 1 on.
var earliest = time.Date(1, 1, 1, 0, 0, 0, int(time.Millisecond), time.UTC)

// readTime reads a time. The start of 1970 becomes one microsecond later, since zero means unset.
func readTime(v decode.Value) domain.Micros {
	t := v.Time()
	if t.Before(earliest) {
		t = earliest
	}
	if at := domain.MicrosOf(t); at != 0 {
		return at
	}
	return 1
}

// readStart reads the time of a row.
func (w *work) readStart(v decode.Value) domain.Micros {
	at := readTime(v)
	if refusal := w.times.Refusal(at, w.now); refusal != "" {
		v.Reject(decode.Violation(v.Path(), refusal))
	}
	return at
}

func readPromptVersion(v decode.Value) domain.OptInt {
	version := v.Int()
	switch {
	case version < 0:
		v.Reject(decode.TooSmall(v.Path(), 0, false))
	case version > maxPromptVersion:
		v.Reject(decode.TooBig(v.Path(), maxPromptVersion))
	}
	return domain.IntOf(int64(version))
}

// readParameters reads the parameters of a model, with values of any type.
func (w *work) readParameters(v decode.Value) string {
	if v.Kind() != "object" {
		v.Reject(decode.WrongType(v.Path(), "record", v.Kind()))
		return ""
	}
	return w.mapper.PlainParameters(string(v.Raw()))
}
