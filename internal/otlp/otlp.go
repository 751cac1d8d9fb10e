// Package otlp reads trace exports of the OpenTelemetry protocol, in protobuf and in JSON, into one set of structures.
// It knows the wire format only; package semconv knows what attributes mean.
package otlp

// Export is one decoded request. A decoder fills and reuses it: its lists and texts are valid until the next request
// is decoded into it or it is reset, and texts may be views of the body. All texts are valid UTF-8. The zero value is
// ready for use.
type Export struct {
	// ResourceSpans are the groups with usable spans. The first group that was sent is kept without, too: it tells an
	// export of empty groups from an empty export.
	ResourceSpans []ResourceSpans
	// Spans counts the spans of all groups, rejected ones included.
	Spans int
	// Rejected counts the spans that cannot be used; Problems tells the distinct reasons, at most a few.
	Rejected int
	Problems []string
	// BadFields counts the fields of resources and scopes that cannot be used, such as attributes that are no list.
	// What hangs below them is unknown or missing; their neighbours are kept.
	BadFields int

	oddFields bool     // a bad field is bad for another reason than not being a list
	badScopes []string // names of scopes with problems, at most a few
	build     builder
}

// Usable counts the spans that can be stored.
func (e *Export) Usable() int { return e.Spans - e.Rejected }

// Refused reports whether the request has problems and nothing that can be stored.
func (e *Export) Refused() bool { return len(e.Problems) > 0 && e.Usable() == 0 }

// ResourceSpans are the spans of one resource.
type ResourceSpans struct {
	Resource   Resource
	ScopeSpans []ScopeSpans
}

// Resource describes the process that made the spans.
type Resource struct {
	Attributes []Attribute
}

// ScopeSpans are the spans of one instrumentation scope.
type ScopeSpans struct {
	Scope Scope
	Spans []Span // the usable ones, at least one
}

// Scope is the library that made the spans. Extra holds members of a JSON scope that the protocol does not know.
type Scope struct {
	Name       string
	Version    string
	Attributes []Attribute
	Extra      []Attribute
}

// Span is one usable span: it has ids.
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

// Nanos is a time in nanoseconds since 1970, if it was sent and can be one. All of its values lie between the years 1677
// and 2262; a later time is treated as if it had not been sent, since it is garbage and would sort above all others.
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

// Kind says what a Value holds.
type Kind uint8

// The kinds of values.
const (
	KindNull  Kind = iota // nothing, or a number that JSON cannot express
	KindText              // Text
	KindFloat             // Float
	KindInt               // Int
	KindBool              // Int is 1 or 0
	KindList              // List
	KindJSON              // Text is JSON: of a key-value list, of bytes, of an empty or malformed value
)

// Value is the value of an attribute.
type Value struct {
	Kind  Kind
	Text  string
	Int   int64
	Float float64
	List  []Value
}
