package demo

import (
	"encoding/hex"
	"time"
)

// Trace is the trace of one request to an application.
type Trace struct {
	Name    string
	User    string // empty for none
	Session string // empty for none
	service *service
	// Spans are in order of their start; the first is the root.
	Spans []*Span
}

// ID returns the id of the trace in hexadecimal, as on servers.
func (t *Trace) ID() string { return hex.EncodeToString(t.Spans[0].traceID[:]) }

// service is the program that a trace comes from and its instrumentation.
type service struct {
	name                    string
	language                string
	sdkName, sdkVersion     string // OpenTelemetry SDK
	scopeName, scopeVersion string
}

// Span is one piece of work in a trace.
type Span struct {
	traceID    [16]byte
	id, parent [8]byte
	name       string
	kind       string // kind of observation
	start, end time.Time
	attributes []attribute
	failure    string // error message; empty if there was none
	verdict    *verdict
}

// Kind returns the kind of observation that the span is, such as "generation".
func (s *Span) Kind() string { return s.kind }

// Failed reports whether the span ended with an error.
func (s *Span) Failed() bool { return s.failure != "" }

// The kinds of observations.
const (
	kindSpan       = "span"
	kindGeneration = "generation"
	kindEvent      = "event"
	kindEmbedding  = "embedding"
	kindAgent      = "agent"
	kindTool       = "tool"
	kindChain      = "chain"
	kindRetriever  = "retriever"
	kindEvaluator  = "evaluator"
	kindGuardrail  = "guardrail"
)

// attribute is a named value: a string, bool, int64, float64, []string, or time.Time, which is sent as a string.
type attribute struct {
	key   string
	value any
}

func (s *Span) set(key string, value any) { s.attributes = append(s.attributes, attribute{key, value}) }

// shift moves the trace in time.
func (t *Trace) shift(by time.Duration) {
	for _, s := range t.Spans {
		s.start, s.end = s.start.Add(by), s.end.Add(by)
		for i := range s.attributes {
			if at, ok := s.attributes[i].value.(time.Time); ok {
				s.attributes[i].value = at.Add(by)
			}
		}
	}
}
