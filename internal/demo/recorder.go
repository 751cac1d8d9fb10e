package demo

import (
	"encoding/binary"
	"fmt"
	"time"

	"almanac/internal/jsontext"
)

// recorder collects the spans of one trace while its clock runs.
type recorder struct {
	chance
	trace *Trace
	now   time.Time
	// common are attributes of every span in the trace, which SDKs propagate from the first one.
	common []attribute
}

// about is what is known about a trace before it begins.
type about struct {
	service       *service
	name          string
	user, session string // empty for none
	tags          []string
	stage         stage
	metadata      []member
	public        bool
}

// record begins a trace at an arbitrary time: finish moves it to its final time.
func record(c chance, a *about) *recorder {
	r := &recorder{chance: c, now: time.Unix(0, 0), trace: &Trace{Name: a.name, User: a.user, Session: a.session, service: a.service}}
	r.share("langfuse.trace.name", a.name)
	r.share("langfuse.environment", a.stage.environment)
	r.share("langfuse.version", a.stage.version)
	r.share("langfuse.release", a.stage.release)
	if a.user != "" {
		r.share("langfuse.user.id", a.user)
	}
	if a.session != "" {
		r.share("langfuse.session.id", a.session)
	}
	if len(a.tags) > 0 {
		r.share("langfuse.trace.tags", a.tags)
	}
	if a.public {
		r.share("langfuse.trace.public", true)
	}
	for _, m := range a.metadata {
		r.share("langfuse.trace.metadata."+m.name, jsonOf(m.value))
	}
	return r
}

func (r *recorder) share(key string, value any) { r.common = append(r.common, attribute{key, value}) }

// finish returns the trace, shifted so that it ends at the given time.
func (r *recorder) finish(at time.Time) *Trace {
	r.trace.shift(at.Sub(r.trace.Spans[0].end))
	return r.trace
}

// begin starts a span now, within its parent; the first span has none.
func (r *recorder) begin(parent *Span, kind, name string) *Span {
	s := r.beginPlain(parent, kind, name)
	s.set("langfuse.observation.type", kind)
	return s
}

// beginPlain starts a span without an observation type: it follows from the other attributes.
func (r *recorder) beginPlain(parent *Span, kind, name string) *Span {
	s := &Span{kind: kind, name: name, start: r.now}
	binary.BigEndian.PutUint64(s.id[:], r.Uint64()|1) // an id must not be all zeros
	if parent == nil {
		binary.BigEndian.PutUint64(s.traceID[:8], r.Uint64()|1)
		binary.BigEndian.PutUint64(s.traceID[8:], r.Uint64())
		s.set("langfuse.internal.is_app_root", true)
	} else {
		s.traceID, s.parent = parent.traceID, parent.id
	}
	s.attributes = append(s.attributes, r.common...)
	r.trace.Spans = append(r.trace.Spans, s)
	return s
}

// end ends a span now.
func (r *recorder) end(s *Span) { s.end = r.now }

// pass advances the clock.
func (r *recorder) pass(d time.Duration) { r.now = r.now.Add(d) }

// work advances the clock by a random duration for work that usually takes this long.
func (r *recorder) work(usual time.Duration) { r.pass(r.takes(usual)) }

// event records an event without a duration.
func (r *recorder) event(parent *Span, name, level, message string, metadata ...member) {
	s := r.begin(parent, kindEvent, name)
	s.level(level, message)
	s.metadata(metadata...)
	r.end(s)
}

// member is one entry of a metadata object.
type member struct {
	name  string
	value any
}

// jsonOf returns a value as JSON.
func jsonOf(value any) string {
	text, err := jsontext.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("BUG: %v cannot be written as JSON: %v", value, err))
	}
	return string(text)
}

// io sets the input and output of a span. Strings are sent as they are, anything else as JSON; nil is not sent.
func (s *Span) io(input, output any) {
	s.content("langfuse.observation.input", input)
	s.content("langfuse.observation.output", output)
}

func (s *Span) content(key string, value any) {
	switch v := value.(type) {
	case nil:
	case string:
		s.set(key, v)
	default:
		s.set(key, jsonOf(v))
	}
}

// metadata adds entries to the metadata of a span; values keep their types.
func (s *Span) metadata(members ...member) {
	for _, m := range members {
		s.set("langfuse.observation.metadata."+m.name, jsonOf(m.value))
	}
}

const (
	levelDebug   = "DEBUG"
	levelWarning = "WARNING"
	levelError   = "ERROR"
)

// level marks a span as unusual.
func (s *Span) level(level, message string) {
	s.set("langfuse.observation.level", level)
	if message != "" {
		s.set("langfuse.observation.status_message", message)
	}
}

// fail marks a span as failed.
func (s *Span) fail(message string) {
	s.failure = message
	s.level(levelError, message)
}
