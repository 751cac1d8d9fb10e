package demo

import (
	"time"

	"github.com/VictoriaMetrics/easyproto"
)

// Encoder encodes exports. It reuses memory and is not safe for concurrent use. The zero value is ready to use.
type Encoder struct{ marshaler easyproto.Marshaler }

// AppendExport appends traces as an ExportTraceServiceRequest of OTLP in protobuf. Consecutive traces of the same
// service form one group.
func (e *Encoder) AppendExport(dst []byte, traces []*Trace) []byte {
	e.marshaler.Reset()
	request := e.marshaler.MessageMarshaler()
	for len(traces) > 0 {
		same := 1
		for same < len(traces) && traces[same].service == traces[0].service {
			same++
		}
		const resourceSpans = 1
		appendGroup(request.AppendMessage(resourceSpans), traces[0].service, traces[:same])
		traces = traces[same:]
	}
	return e.marshaler.Marshal(dst)
}

// appendGroup writes a ResourceSpans message.
func appendGroup(m *easyproto.MessageMarshaler, s *service, traces []*Trace) {
	const (
		resource   = 1
		scopeSpans = 2
		attributes = 1 // of a resource
		scope      = 1 // of scope spans
		spans      = 2
		scopeName  = 1
		scopeLevel = 2
	)
	r := m.AppendMessage(resource)
	for _, a := range []attribute{
		{"service.name", s.name},
		{"telemetry.sdk.language", s.language},
		{"telemetry.sdk.name", s.sdkName},
		{"telemetry.sdk.version", s.sdkVersion},
	} {
		appendAttribute(r.AppendMessage(attributes), a)
	}
	group := m.AppendMessage(scopeSpans)
	library := group.AppendMessage(scope)
	library.AppendString(scopeName, s.scopeName)
	library.AppendString(scopeLevel, s.scopeVersion)
	for _, t := range traces {
		for _, span := range t.Spans {
			appendSpan(group.AppendMessage(spans), span)
		}
	}
}

func appendSpan(m *easyproto.MessageMarshaler, s *Span) {
	const (
		traceID    = 1
		spanID     = 2
		parentID   = 4
		name       = 5
		kind       = 6
		start      = 7
		end        = 8
		attributes = 9
		status     = 15

		kindInternal = 1
		kindClient   = 3 // the work is done elsewhere

		statusMessage = 2
		statusCode    = 3
		codeError     = 2
	)
	m.AppendBytes(traceID, s.traceID[:])
	m.AppendBytes(spanID, s.id[:])
	if s.parent != [8]byte{} {
		m.AppendBytes(parentID, s.parent[:])
	}
	m.AppendString(name, s.name)
	spanKind := int32(kindInternal)
	if s.kind == kindGeneration || s.kind == kindEmbedding {
		spanKind = kindClient
	}
	m.AppendInt32(kind, spanKind)
	m.AppendFixed64(start, nanos(s.start))
	m.AppendFixed64(end, nanos(s.end))
	for _, a := range s.attributes {
		appendAttribute(m.AppendMessage(attributes), a)
	}
	if s.failure != "" {
		st := m.AppendMessage(status)
		st.AppendString(statusMessage, s.failure)
		st.AppendInt32(statusCode, codeError)
	}
}

func nanos(t time.Time) uint64 { return uint64(max(0, t.UnixNano())) }

func appendAttribute(m *easyproto.MessageMarshaler, a attribute) {
	const (
		key   = 1
		value = 2
	)
	m.AppendString(key, a.key)
	appendValue(m.AppendMessage(value), a.value)
}

// appendValue writes an AnyValue message.
func appendValue(m *easyproto.MessageMarshaler, value any) {
	const (
		text   = 1
		yes    = 2
		whole  = 3
		number = 4
		list   = 5
		values = 1 // of a list
	)
	switch v := value.(type) {
	case string:
		m.AppendString(text, v)
	case bool:
		m.AppendBool(yes, v)
	case int64:
		m.AppendInt64(whole, v)
	case float64:
		m.AppendDouble(number, v)
	case time.Time:
		m.AppendString(text, v.UTC().Format("2006-01-02T15:04:05.000Z"))
	case []string:
		l := m.AppendMessage(list)
		for _, item := range v {
			appendValue(l.AppendMessage(values), item)
		}
	}
}
