// Package otlp decodes trace exports of the OpenTelemetry protocol, in protobuf and JSON, into one set of structures.
// It knows only the wire format; package semconv knows what attributes mean.
package otlp

// Export is one decoded request. Decoders reuse its memory: its slices and strings are valid until it is reset or the
// next request is decoded into it, and strings may share memory with the body. All strings are valid UTF-8. The zero
// value is ready to use.
type Export struct {
	// ResourceSpans are the groups with usable spans. The first group is kept even without any, to distinguish an export
	// of empty groups from an empty export.
	ResourceSpans []ResourceSpans
	// Spans counts the spans of all groups, including rejected ones.
	Spans int
	// Rejected counts the unusable spans; Problems lists the distinct reasons, up to a small number.
	Rejected int
	Problems []string
	// WrongTimes counts the rejected spans that start at a time that is not accepted.
	WrongTimes int
	// BadFields counts the unusable fields of resources and scopes, such as attributes that are not a list. Whatever they
	// contain is missing; other fields are kept.
	BadFields int

	oddFields bool     // a field is bad for a reason other than not being a list
	badScopes []string // names of scopes with problems, at most a few
	build     builder
}

// Usable returns the number of spans that can be stored.
func (e *Export) Usable() int { return e.Spans - e.Rejected }

// Refused reports whether the request has problems and no usable spans.
func (e *Export) Refused() bool { return len(e.Problems) > 0 && e.Usable() == 0 }

// ResourceSpans are the spans of one resource.
type ResourceSpans struct {
	Resource   Resource
	ScopeSpans []ScopeSpans
}

// Resource describes the process that produced the spans.
type Resource struct {
	Attributes []Attribute
}

// ScopeSpans are the spans of one instrumentation scope.
type ScopeSpans struct {
	Scope Scope
	Spans []Span // the usable ones, at least one
}

// Scope is the library that produced the spans. Extra holds members of a JSON scope that are not part of the protocol.
type Scope struct {
	Name       string
	Version    string
	Attributes []Attribute
	Extra      []Attribute
}

// Span is one usable span, that is, one with valid ids.
type Span struct {
	TraceID  string // lower-case hexadecimal, or as the client wrote it in JSON
	SpanID   string
	ParentID string // empty for none
	Name     string
	Start    Nanos
	End      Nanos

	Attributes []Attribute
	Events     []Event

	StatusCode    int
	StatusMessage string
}

// Nanos is a time in nanoseconds since 1970, if one was sent and is valid. All values lie between the years 1677 and
// 2262; a later time is treated as not sent, since it is garbage and would sort above all others.
type Nanos struct {
	Value int64
	Set   bool
}

// Event is something that happened during a span.
type Event struct {
	Name       string
	Attributes []Attribute
}

// Attribute is a named value.
type Attribute struct {
	Key   string
	Value Value
}

// Kind is the kind of data in a Value.
type Kind uint8

// The kinds of values.
const (
	KindNull  Kind = iota // nothing, or a number that JSON cannot represent
	KindText              // Text
	KindFloat             // Float
	KindInt               // Int
	KindBool              // Int is 1 or 0
	KindList              // List
	KindJSON              // Text is JSON: a key-value list, bytes, or an empty or malformed value
)

// Value is the value of an attribute.
type Value struct {
	Kind  Kind
	Text  string
	Int   int64
	Float float64
	List  []Value
}
