package semconv

import (
	"testing"

	"almanac/internal/ingest/otlp"
)

func TestType(t *testing.T) {
	python := attributes("telemetry.sdk.language", "python")
	for _, c := range []struct {
		name     string
		resource []otlp.Attribute
		scope    otlp.Scope
		span     string
		pairs    []any
		want     string
	}{
		{name: "nothing", want: "SPAN"},

		{name: "native", pairs: []any{"langfuse.observation.type", "span"}, want: "SPAN"},
		{name: "native", pairs: []any{"langfuse.observation.type", "generation"}, want: "GENERATION"},
		{name: "native", pairs: []any{"langfuse.observation.type", "event"}, want: "EVENT"},
		{name: "native", pairs: []any{"langfuse.observation.type", "embedding"}, want: "EMBEDDING"},
		{name: "native", pairs: []any{"langfuse.observation.type", "agent"}, want: "AGENT"},
		{name: "native", pairs: []any{"langfuse.observation.type", "tool"}, want: "TOOL"},
		{name: "native", pairs: []any{"langfuse.observation.type", "chain"}, want: "CHAIN"},
		{name: "native", pairs: []any{"langfuse.observation.type", "retriever"}, want: "RETRIEVER"},
		{name: "native", pairs: []any{"langfuse.observation.type", "guardrail"}, want: "GUARDRAIL"},
		{name: "native", pairs: []any{"langfuse.observation.type", "evaluator"}, want: "EVALUATOR"},
		{name: "native alias", pairs: []any{"almanac.observation.type", "evaluator"}, want: "EVALUATOR"},
		{name: "native upper case", pairs: []any{"langfuse.observation.type", "TOOL"}, want: "SPAN"},
		{name: "native, no text", pairs: []any{"langfuse.observation.type", 1}, want: "SPAN"},
		{name: "native span wins over a model", pairs: []any{"langfuse.observation.type", "span", "model", "m"}, want: "SPAN"},

		{
			name: "old Python", resource: python, scope: otlp.Scope{Name: "langfuse-sdk", Version: "3.3.9"},
			pairs: []any{"langfuse.observation.type", "span", "langfuse.observation.prompt.version", nil}, want: "GENERATION",
		},
		{
			name: "old Python of unknown version", resource: python, scope: otlp.Scope{Name: "langfuse-sdk"},
			pairs: []any{"langfuse.observation.type", "span", "langfuse.observation.usage_details", "{}"}, want: "GENERATION",
		},
		{
			name: "older Python", resource: python, scope: otlp.Scope{Name: "langfuse-sdk", Version: "2.60"},
			pairs: []any{"langfuse.observation.type", "span", "langfuse.observation.cost_details", "{}"}, want: "GENERATION",
		},
		{
			name: "Python 3.4", resource: python, scope: otlp.Scope{Name: "langfuse-sdk", Version: "3.4.0"},
			pairs: []any{"langfuse.observation.type", "span", "langfuse.observation.model.name", "m"}, want: "SPAN",
		},
		{
			name: "old Python, nothing of a generation", resource: python, scope: otlp.Scope{Name: "langfuse-sdk", Version: "3.2"},
			pairs: []any{"langfuse.observation.type", "span", "langfuse.observation.input", "m"}, want: "SPAN",
		},
		{
			name: "old Python, another type", resource: python, scope: otlp.Scope{Name: "langfuse-sdk", Version: "3.2"},
			pairs: []any{"langfuse.observation.type", "tool", "langfuse.observation.model.name", "m"}, want: "TOOL",
		},
		{
			name: "old SDK in another language", scope: otlp.Scope{Name: "langfuse-sdk", Version: "3.2"},
			pairs: []any{"langfuse.observation.type", "span", "langfuse.observation.model.name", "m"}, want: "SPAN",
		},
		{
			name: "unreadable version", resource: python, scope: otlp.Scope{Name: "langfuse-sdk", Version: "dev"},
			pairs: []any{"langfuse.observation.type", "span", "langfuse.observation.model.name", "m"}, want: "SPAN",
		},

		{name: "OpenInference", pairs: []any{"openinference.span.kind", "CHAIN"}, want: "CHAIN"},
		{name: "OpenInference", pairs: []any{"openinference.span.kind", "RETRIEVER"}, want: "RETRIEVER"},
		{name: "OpenInference", pairs: []any{"openinference.span.kind", "LLM"}, want: "GENERATION"},
		{name: "OpenInference", pairs: []any{"openinference.span.kind", "EMBEDDING"}, want: "EMBEDDING"},
		{name: "OpenInference", pairs: []any{"openinference.span.kind", "AGENT"}, want: "AGENT"},
		{name: "OpenInference", pairs: []any{"openinference.span.kind", "TOOL"}, want: "TOOL"},
		{name: "OpenInference", pairs: []any{"openinference.span.kind", "GUARDRAIL"}, want: "GUARDRAIL"},
		{name: "OpenInference", pairs: []any{"openinference.span.kind", "EVALUATOR"}, want: "EVALUATOR"},
		{
			name: "OpenInference, unknown", pairs: []any{"openinference.span.kind", "UNKNOWN", "gen_ai.operation.name", "chat"},
			want: "GENERATION",
		},
		{
			name:  "native before OpenInference",
			pairs: []any{"openinference.span.kind", "LLM", "langfuse.observation.type", "tool"}, want: "TOOL",
		},

		{name: "GenAI", pairs: []any{"gen_ai.operation.name", "chat"}, want: "GENERATION"},
		{name: "GenAI", pairs: []any{"gen_ai.operation.name", "completion"}, want: "GENERATION"},
		{name: "GenAI", pairs: []any{"gen_ai.operation.name", "text_completion"}, want: "GENERATION"},
		{name: "GenAI", pairs: []any{"gen_ai.operation.name", "generate_content"}, want: "GENERATION"},
		{name: "GenAI", pairs: []any{"gen_ai.operation.name", "generate"}, want: "GENERATION"},
		{name: "GenAI", pairs: []any{"gen_ai.operation.name", "embeddings"}, want: "EMBEDDING"},
		{name: "GenAI", pairs: []any{"gen_ai.operation.name", "invoke_agent"}, want: "AGENT"},
		{name: "GenAI", pairs: []any{"gen_ai.operation.name", "create_agent"}, want: "AGENT"},
		{name: "GenAI", pairs: []any{"gen_ai.operation.name", "execute_tool"}, want: "TOOL"},
		{
			name: "GenAI, unknown", pairs: []any{"gen_ai.operation.name", "agent_step", "gen_ai.request.model", "m"},
			want: "GENERATION",
		},
		{
			name: "OpenInference before GenAI", pairs: []any{"gen_ai.operation.name", "chat", "openinference.span.kind", "TOOL"},
			want: "TOOL",
		},

		{name: "Genkit", pairs: []any{"genkit:metadata:subtype", "model"}, want: "GENERATION"},
		{name: "Genkit", pairs: []any{"genkit:metadata:subtype", "background-model"}, want: "GENERATION"},
		{name: "Genkit", pairs: []any{"genkit:metadata:subtype", "embedder"}, want: "EMBEDDING"},
		{name: "Genkit", pairs: []any{"genkit:metadata:subtype", "tool"}, want: "TOOL"},
		{name: "Genkit", pairs: []any{"genkit:metadata:subtype", "tool.v2"}, want: "TOOL"},
		{name: "Genkit", pairs: []any{"genkit:metadata:subtype", "retriever"}, want: "RETRIEVER"},
		{name: "Genkit", pairs: []any{"genkit:metadata:subtype", "evaluator"}, want: "EVALUATOR"},
		{name: "Genkit, unknown", pairs: []any{"genkit:metadata:subtype", "flow"}, want: "SPAN"},
		{
			name: "GenAI before Genkit", pairs: []any{"genkit:metadata:subtype", "tool", "gen_ai.operation.name", "chat"},
			want: "GENERATION",
		},

		{name: "Vercel", pairs: []any{"ai.model.id", "m", "operation.name", "ai.generateText.doGenerate fn"}, want: "GENERATION"},
		{name: "Vercel", pairs: []any{"ai.model.id", "m", "ai.operationId", "ai.streamText.doStream"}, want: "GENERATION"},
		{name: "Vercel", pairs: []any{"ai.model.id", "m", "ai.operationId", "ai.generateObject.doGenerate"}, want: "GENERATION"},
		{name: "Vercel", pairs: []any{"ai.model.id", "m", "ai.operationId", "ai.streamObject.doStream"}, want: "GENERATION"},
		{name: "Vercel", pairs: []any{"ai.model.id", "m", "ai.operationId", "ai.embedMany.doEmbed"}, want: "EMBEDDING"},
		{name: "Vercel", pairs: []any{"gen_ai.response.model", "m", "operation.name", "ai.embed.doEmbed"}, want: "EMBEDDING"},
		{name: "Vercel without a model", pairs: []any{"ai.operationId", "ai.streamText.doStream"}, want: "SPAN"},
		{
			name: "Vercel, id is compared whole", pairs: []any{"ai.model.id", "m", "ai.operationId", "ai.streamText.doStream x"},
			want: "SPAN",
		},
		{name: "Vercel, outer span", pairs: []any{"ai.model.id", "m", "ai.operationId", "ai.streamText"}, want: "SPAN"},
		{
			name: "Vercel, outer span with a model", pairs: []any{"gen_ai.request.model", "m", "ai.operationId", "ai.streamText"},
			want: "GENERATION",
		},
		{name: "Vercel tool", pairs: []any{"operation.name", "ai.toolCall weather"}, want: "TOOL"},
		{name: "Vercel tool", pairs: []any{"ai.operationId", "ai.toolCall", "gen_ai.request.model", "m"}, want: "TOOL"},

		{name: "GenAI tool", pairs: []any{"gen_ai.tool.name", "t", "model", "m"}, want: "TOOL"},
		{name: "GenAI tool", pairs: []any{"gen_ai.tool.call.id", "t"}, want: "TOOL"},
		{name: "GenAI tool, empty", pairs: []any{"gen_ai.tool.name", ""}, want: "SPAN"},

		{name: "Flue", pairs: []any{"flue.tool.name", "t", "flue.task.id", "x"}, want: "TOOL"},
		{name: "Flue", pairs: []any{"flue.tool.call_id", "t"}, want: "TOOL"},
		{name: "Flue", pairs: []any{"flue.task.id", "t", "model", "m"}, want: "AGENT"},
		{name: "Flue", pairs: []any{"flue.task.agent", "t"}, want: "AGENT"},

		{name: "LiveKit", scope: otlp.Scope{Name: "livekit-agents"}, span: "agent_turn", want: "AGENT"},
		{name: "LiveKit", scope: otlp.Scope{Name: "livekit-agents"}, span: "start_agent_activity", want: "AGENT"},
		{
			name: "LiveKit", scope: otlp.Scope{Name: "livekit-agents"}, span: "function_tool", pairs: []any{"model", "m"},
			want: "TOOL",
		},
		{name: "LiveKit, unknown", scope: otlp.Scope{Name: "livekit-agents"}, span: "llm_node", want: "SPAN"},
		{name: "not LiveKit", scope: otlp.Scope{Name: "other"}, span: "function_tool", want: "SPAN"},

		{
			name:  "Genkit before Vercel",
			pairs: []any{"ai.operationId", "ai.toolCall", "genkit:metadata:subtype", "retriever"}, want: "RETRIEVER",
		},
		{
			name:  "Vercel before a GenAI tool",
			pairs: []any{"gen_ai.tool.name", "t", "ai.model.id", "m", "ai.operationId", "ai.embed.doEmbed"}, want: "EMBEDDING",
		},
		{name: "a GenAI tool before Flue", pairs: []any{"flue.task.id", "t", "gen_ai.tool.name", "t"}, want: "TOOL"},
		{
			name: "Flue before LiveKit", scope: otlp.Scope{Name: "livekit-agents"}, span: "function_tool",
			pairs: []any{"flue.task.id", "t"}, want: "AGENT",
		},

		{name: "model", pairs: []any{"langfuse.observation.model.name", "m"}, want: "GENERATION"},
		{name: "model", pairs: []any{"gen_ai.request.model", "m"}, want: "GENERATION"},
		{name: "model", pairs: []any{"gen_ai.response.model", "m"}, want: "GENERATION"},
		{name: "model", pairs: []any{"llm.model_name", "m"}, want: "GENERATION"},
		{name: "model", pairs: []any{"model", "m"}, want: "GENERATION"},
		{name: "model, empty", pairs: []any{"model", ""}, want: "SPAN"},
		{name: "other model names do not count", pairs: []any{"ai.model.id", "m", "llm.response.model", "m"}, want: "SPAN"},
		{
			name: "kinds of others do not count", pairs: []any{"traceloop.span.kind", "tool", "mlflow.spanType", "LLM"},
			want: "SPAN",
		},
	} {
		row, _ := mapped(input{resource: c.resource, scope: c.scope, span: otlp.Span{Name: c.span, Attributes: attributes(c.pairs...)}})
		if row.Type != c.want {
			t.Errorf("%s %v: %s, want %s", c.name, c.pairs, row.Type, c.want)
		}
	}
}
