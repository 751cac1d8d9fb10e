package main

import (
	"encoding/hex"

	"github.com/VictoriaMetrics/easyproto"

	"almanac/internal/domain"
)

// encode encodes rows as an OTLP request, as the native SDKs do. With missingUsage, a quarter of the model calls have
// no usage.
func encode(rows []domain.Observation, missingUsage bool) []byte {
	var m easyproto.Marshaler
	resourceSpans := m.MessageMarshaler().AppendMessage(1)
	resource := resourceSpans.AppendMessage(1)
	attribute(resource, 1, "service.name", "bench")
	attribute(resource, 1, "telemetry.sdk.language", "python")
	scopeSpans := resourceSpans.AppendMessage(2)
	scope := scopeSpans.AppendMessage(1)
	scope.AppendString(1, "langfuse-sdk")
	scope.AppendString(2, "5.0.4")
	for i := range rows {
		span(scopeSpans.AppendMessage(2), &rows[i], missingUsage)
	}
	return m.Marshal(nil)
}

func span(m *easyproto.MessageMarshaler, o *domain.Observation, missingUsage bool) {
	const nano = 1000 // of a microsecond
	m.AppendBytes(1, id(o.TraceID))
	m.AppendBytes(2, id(o.ID))
	if o.ParentID != "" {
		m.AppendBytes(4, id(o.ParentID))
	}
	m.AppendString(5, o.Name)
	m.AppendFixed64(7, uint64(o.StartTime)*nano)
	m.AppendFixed64(8, uint64(max(o.EndTime, o.StartTime))*nano)
	text := func(key, value string) {
		if value != "" {
			attribute(m, 9, key, value)
		}
	}
	text("langfuse.observation.type", typeNames[o.Type])
	text("langfuse.observation.input", o.Input)
	text("langfuse.observation.output", o.Output)
	text("langfuse.observation.model.name", o.Model)
	text("langfuse.observation.model.parameters", o.ModelParameters)
	if !missingUsage {
		text("langfuse.observation.usage_details", o.Usage)
	} else {
		text("langfuse.observation.usage_details", o.ProvidedUsage)
	}
	text("langfuse.observation.metadata", o.Metadata)
	text("langfuse.observation.level", o.Level)
	text("langfuse.observation.status_message", o.StatusMessage)
	text("langfuse.user.id", o.UserID)
	text("langfuse.session.id", o.SessionID)
	text("langfuse.environment", o.Environment)
	text("langfuse.release", o.Release)
	text("langfuse.version", o.Version)
	text("langfuse.trace.name", o.TraceName)
	if len(o.Tags) > 0 {
		a := m.AppendMessage(9)
		a.AppendString(1, "langfuse.trace.tags")
		list := a.AppendMessage(2).AppendMessage(5)
		for _, tag := range o.Tags {
			list.AppendMessage(1).AppendString(1, tag)
		}
	}
}

var typeNames = map[string]string{
	"SPAN": "span", "GENERATION": "generation", "EVENT": "event", "EMBEDDING": "embedding", "AGENT": "agent", "TOOL": "tool",
	"CHAIN":     "chain",
	"RETRIEVER": "retriever", "GUARDRAIL": "guardrail", "EVALUATOR": "evaluator",
}

func attribute(m *easyproto.MessageMarshaler, field uint32, key, value string) {
	a := m.AppendMessage(field)
	a.AppendString(1, key)
	a.AppendMessage(2).AppendString(1, value)
}

// id decodes a hexadecimal id into its form on the wire.
func id(text string) []byte {
	b, _ := hex.DecodeString(text)
	return b
}
