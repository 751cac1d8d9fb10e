package semconv

import (
	"encoding/json"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
)

// prose returns n bytes of text.
func prose(n int) string {
	return strings.Repeat("The Ucayali is a river in Peru and one of the headstreams of the Amazon. ", n/73+1)[:n]
}

func pythonResource() []otlp.Attribute {
	return attributes("telemetry.sdk.language", "python", "telemetry.sdk.name", "opentelemetry", "telemetry.sdk.version", "1.39.0",
		"service.name", "checkout-bot", "langfuse.environment", "staging", "langfuse.release", "2026.01.0")
}

// nativeSpan returns a generation as the SDKs send it: 17 attributes, 2 KB of text.
func nativeSpan() input {
	return input{
		resource: pythonResource(),
		scope:    otlp.Scope{Name: "langfuse-sdk", Version: "5.0.1", Attributes: attributes("public_key", "pk-lf-demo")},
		span: otlp.Span{
			TraceID: "0af7651916cd43dd8448eb211c80319c", SpanID: "b7ad6b7169203331", ParentID: "aaaaaaaaaaaaaaaa", Name: "answer-question",
			Start: otlp.Nanos{Value: 1767225600123456789, Set: true}, End: otlp.Nanos{Value: 1767225602987654321, Set: true},
			Attributes: attributes(
				"langfuse.observation.type", "generation",
				"langfuse.observation.model.name", "gpt-4o",
				"langfuse.observation.input", `[{"role":"system","content":"Be brief."},{"role":"user","content":"`+prose(1000)+`"}]`,
				"langfuse.observation.output", `{"role":"assistant","content":"`+prose(900)+`"}`,
				"langfuse.observation.model.parameters", `{"temperature":0.2,"max_tokens":64,"stream":true}`,
				"langfuse.observation.usage_details", `{"input":1000,"output":200}`,
				"langfuse.observation.prompt.name", "geo-qa",
				"langfuse.observation.prompt.version", 7,
				"langfuse.observation.completion_start_time", `"2026-01-01T00:00:01.250500Z"`,
				"user.id", "u-77",
				"session.id", "s-12",
				"langfuse.trace.tags", []any{"beta", "geo"},
				"langfuse.trace.name", "qa-flow",
				"langfuse.trace.metadata.tenant", `"acme"`,
				"langfuse.observation.metadata.attempt", "2",
				"langfuse.observation.metadata.cached", "false",
				"langfuse.internal.is_app_root", true),
		},
	}
}

// genAISpan returns a chat as OpenTelemetry's instrumentations send it.
func genAISpan() input {
	return input{
		resource: attributes("service.name", "genai-app", "service.version", "3.1.0", "deployment.environment.name", "Production"),
		scope:    otlp.Scope{Name: "opentelemetry.instrumentation.openai_v2", Version: "2.1"},
		span: otlp.Span{
			TraceID: "0af7651916cd43dd8448eb211c80319c", SpanID: "b7ad6b7169203331", Name: "chat gpt-4.1",
			Start: otlp.Nanos{Value: 1767225600123456789, Set: true}, End: otlp.Nanos{Value: 1767225602987654321, Set: true},
			Attributes: attributes(
				"gen_ai.operation.name", "chat",
				"gen_ai.provider.name", "openai",
				"gen_ai.request.model", "gpt-4.1",
				"gen_ai.response.model", "gpt-4.1-2025-04-14",
				"gen_ai.request.temperature", 0.7,
				"gen_ai.request.max_tokens", 256,
				"gen_ai.response.finish_reasons", []any{"stop"},
				"gen_ai.usage.input_tokens", 120,
				"gen_ai.usage.output_tokens", 40,
				"gen_ai.usage.cache_read.input_tokens", 100,
				"gen_ai.conversation.id", "conv-9",
				"server.address", "api.openai.com",
				"gen_ai.system_instructions", `[{"type":"text","content":"Be brief."}]`,
				"gen_ai.input.messages", `[{"role":"user","parts":[{"type":"text","content":"`+prose(1000)+`"}]}]`,
				"gen_ai.output.messages", `[{"role":"assistant","parts":[{"type":"text","content":"`+prose(900)+
					`"}],"finish_reason":"stop"}]`),
		},
	}
}

// traceloopSpan returns a span with flattened messages.
func traceloopSpan() input {
	in := genAISpan()
	in.scope = otlp.Scope{Name: "opentelemetry.instrumentation.anthropic", Version: "0.40"}
	in.span.Attributes = attributes(
		"gen_ai.system", "Anthropic", "llm.request.type", "chat", "gen_ai.request.model", "claude-3-5-sonnet-20241022",
		"gen_ai.prompt.0.role", "system", "gen_ai.prompt.0.content", "Be kind",
		"gen_ai.prompt.1.role", "user", "gen_ai.prompt.1.content", prose(1000),
		"gen_ai.completion.0.role", "assistant", "gen_ai.completion.0.content", prose(900), "gen_ai.completion.0.finish_reason", "end_turn",
		"gen_ai.usage.prompt_tokens", 20, "gen_ai.usage.completion_tokens", 4, "llm.usage.total_tokens", 24,
		"gen_ai.usage.cache_read_input_tokens", 5)
	return in
}

// toolSpan returns a span with tools in its input and tool calls in its output, so that both are parsed.
func toolSpan() input {
	in := nativeSpan()
	for i := range in.span.Attributes {
		switch a := &in.span.Attributes[i]; a.Key {
		case "langfuse.observation.input":
			a.Value = val(`{"messages":[{"role":"user","content":"` + prose(900) + `"}],"tools":[{"type":"function","function":` +
				`{"name":"add","description":"sum","parameters":{"type":"object"}}}]}`)
		case "langfuse.observation.output":
			a.Value = val(`{"role":"assistant","content":"` + prose(900) + `","tool_calls":[{"id":"c1","type":"function","function":` +
				`{"name":"add","arguments":"{\"a\":1,\"b\":1}"}}]}`)
		}
	}
	return in
}

// BenchmarkMap maps requests of 500 spans; times and allocations are per span. The baseline copies the attributes of
// the same span into a map and marshals it to JSON, which is the least that any server does.
func BenchmarkMap(b *testing.B) {
	for _, c := range []struct {
		name string
		in   input
	}{
		{"native", nativeSpan()},
		{"genai", genAISpan()},
		{"traceloop", traceloopSpan()},
		{"tools", toolSpan()},
		{"plain", input{scope: otlp.Scope{Name: "http"}, span: otlp.Span{Name: "GET /x", Attributes: attributes(
			"http.request.method", "GET", "http.response.status_code", 200, "url.path", "/x", "server.address", "example.org")}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var m Mapper
			var row domain.Observation
			b.ReportAllocs()
			for i := range b.N {
				if i%500 == 0 {
					m.Begin(Source{IngestionKey: "pk"}, at)
					m.Resource(&otlp.Resource{Attributes: c.in.resource})
					m.Scope(&c.in.scope)
				}
				m.Span(&c.in.span, &row)
			}
		})
	}
	b.Run("baseline", func(b *testing.B) {
		in := nativeSpan()
		b.ReportAllocs()
		for range b.N {
			all := make(map[string]any, len(in.span.Attributes))
			for i := range in.span.Attributes {
				all[in.span.Attributes[i].Key] = in.span.Attributes[i].Value.Text
			}
			if _, err := json.Marshal(all); err != nil {
				b.Fatal(err)
			}
		}
	})
}
