package semconv

import (
	"testing"

	"almanac/internal/ingest/otlp"
)

func event(name string, pairs ...any) otlp.Event {
	return otlp.Event{Name: name, Attributes: attributes(pairs...)}
}

// TestIORules has at least one case for each rule.
func TestIORules(t *testing.T) {
	for _, c := range []struct {
		name    string
		scope   string
		pairs   []any
		events  []otlp.Event
		in, out string
	}{
		{name: "nothing", pairs: []any{"http.method", "GET"}},

		{
			name: "native", pairs: []any{"langfuse.observation.input", `{"a": 1}`, "langfuse.observation.output", "x"},
			in: `{"a": 1}`, out: "x",
		},
		{
			name: "native, typed", pairs: []any{"langfuse.observation.input", []any{"a", 1}, "langfuse.observation.output", 0.5},
			in: `["a",1]`, out: "0.5",
		},
		{name: "native, false is something", pairs: []any{"langfuse.observation.input", false, "input", "x"}, in: "false"},
		{name: "native, empty is something", pairs: []any{"langfuse.observation.output", "", "input", "x", "output", "y"}},
		{name: "native, null is nothing", pairs: []any{"langfuse.observation.output", nil, "input", "x"}, in: "x"},
		{name: "native supplies both", pairs: []any{"langfuse.observation.input", "x", "output", "y"}, in: "x"},

		{name: "Genkit, parts", scope: "genkit-tracer", pairs: []any{
			"genkit:input", `{"messages": [ 1 ]}`, "genkit:output", `{"message": "hi \"you\""}`,
		}, in: "[1]", out: `hi "you"`},
		{
			name: "Genkit, whole", scope: "genkit-tracer", pairs: []any{"genkit:input", `{"q": 1}`, "genkit:output", "text"},
			in: `{"q":1}`, out: "text",
		},
		{name: "Genkit, always", scope: "genkit-tracer", pairs: []any{"input", "x"}},
		{
			name: "Genkit, null", scope: "genkit-tracer",
			pairs: []any{"genkit:input", "null", "genkit:output", `{"message":null}`}, out: `{"message":null}`,
		},
		{name: "Genkit of another scope", pairs: []any{"genkit:input", `{}`}},

		{
			name: "Vercel", scope: "ai", pairs: []any{"ai.prompt.messages", "m", "ai.prompt", "p", "ai.response.text", "t"},
			in: "m", out: "t",
		},
		{
			name: "Vercel", scope: "ai", pairs: []any{"ai.prompt", "p", "ai.toolCall.args", "a", "ai.result.text", "t"}, in: "p",
			out: "t",
		},
		{
			name: "Vercel", scope: "ai",
			pairs: []any{"ai.toolCall.args", "a", "ai.toolCall.result", "r", "ai.response.object", "o"}, in: "a", out: "r",
		},
		{name: "Vercel, object", scope: "ai", pairs: []any{"ai.response.object", "o", "ai.result.object", "p"}, out: "o"},
		{name: "Vercel, object", scope: "ai", pairs: []any{"ai.result.object", "p", "ai.response.toolCalls", "c"}, out: "p"},
		{name: "Vercel, calls", scope: "ai", pairs: []any{"ai.response.toolCalls", "c", "ai.result.toolCalls", "d"}, out: "c"},
		{name: "Vercel, calls", scope: "ai", pairs: []any{"ai.result.toolCalls", "d"}, out: "d"},
		{
			name: "Vercel, text and calls", scope: "ai", pairs: []any{"ai.response.text", "", "ai.response.toolCalls", []any{"c"}},
			out: `{"role":"assistant","content":"","tool_calls":["c"]}`,
		},
		{name: "Vercel, empty text", scope: "ai", pairs: []any{"ai.response.text", "", "ai.result.object", "o"}, out: "o"},
		{name: "Vercel 7", scope: "ai", pairs: []any{
			"gen_ai.input.messages", `[{"role":"user"}]`, "gen_ai.output.messages", "o", "gen_ai.system_instructions", "s",
		}, in: `[{"role":"system","content":"s"},{"role":"user"}]`, out: "o"},
		{
			name: "Vercel, each side by itself", scope: "ai", pairs: []any{"ai.prompt", "p", "gen_ai.output.messages", "o"},
			in: "p", out: "o",
		},
		{
			name: "Vercel 7, tool", scope: "ai", pairs: []any{"gen_ai.tool.call.arguments", "a", "gen_ai.tool.call.result", "r"},
			in: "a", out: "r",
		},
		{name: "Vercel, always", scope: "ai", pairs: []any{"input", "x"}},
		{
			name: "Vercel, null prompt", scope: "ai",
			pairs: []any{"ai.prompt.messages", nil, "ai.prompt", "p", "gen_ai.input.messages", "m"}, in: "m",
		},
		{name: "Vercel of another scope", pairs: []any{"ai.prompt", "p"}},

		{name: "Flue turn", scope: "@flue/opentelemetry", pairs: []any{
			"flue.tool.arguments", "no", "flue.turn.input", `{ "a" : 1 }`, "flue.turn.output", `"quoted"`, "flue.tool.result", "no",
		}, in: `{"a":1}`, out: "quoted"},
		{name: "Flue tool", scope: "@flue/opentelemetry", pairs: []any{
			"flue.task.prompt", "no", "flue.tool.arguments", "a", "flue.tool.result", []any{1}, "flue.task.result", "no",
		}, in: "a", out: "[1]"},
		{name: "Flue task", scope: "@flue/opentelemetry", pairs: []any{
			"flue.workflow.payload", "no", "flue.task.prompt", "p", "flue.task.result", "r", "flue.operation.result", "no",
		}, in: "p", out: "r"},
		{name: "Flue workflow", scope: "@flue/opentelemetry", pairs: []any{
			"flue.workflow.payload", "p", "flue.operation.result", "r", "flue.workflow.result", "no",
		}, in: "p", out: "r"},
		{name: "Flue workflow", scope: "@flue/opentelemetry", pairs: []any{"flue.workflow.result", "r"}, out: "r"},
		{name: "Flue, nothing", scope: "@flue/opentelemetry", pairs: []any{"input", "x"}, in: "x"},
		{name: "Flue of another scope", pairs: []any{"flue.turn.input", "x"}},

		{
			name: "details event", events: []otlp.Event{
				event("gen_ai.client.inference.operation.details"),
				event("gen_ai.client.inference.operation.details", "gen_ai.input.messages", `[]`, "gen_ai.system_instructions", "s"),
				event("gen_ai.client.inference.operation.details", "gen_ai.output.messages", `no`),
			},
			in: `[{"role":"system","content":"s"}]`,
		},
		{
			name: "message events", events: []otlp.Event{
				event("gen_ai.user.message", "content", "u", "n", 1), event("exception", "x", "y"), event("gen_ai.system.message"),
				event("gen_ai.assistant.message", "content", "a", "role", "model"), event("gen_ai.tool.message", "id", "t"),
			},
			in: `[{"role":"user","content":"u","n":1},{"role":"system"},{"role":"model","content":"a"},{"role":"tool","id":"t"}]`,
		},
		{name: "one choice", events: []otlp.Event{event("gen_ai.choice", "index", 0, "role", "r")}, out: `{"index":0,"role":"r"}`},
		{
			name: "two choices", events: []otlp.Event{event("gen_ai.choice", "index", 0), event("gen_ai.choice")},
			out: `[{"index":0},{}]`,
		},
		{
			name: "content events", events: []otlp.Event{
				event("gen_ai.content.completion", "gen_ai.completion", "c"),
				event("gen_ai.content.prompt", "gen_ai.prompt.0.role", "user"),
				event("gen_ai.content.prompt", "gen_ai.prompt", "second"),
			},
			in: `[{"role":"user"}]`, out: "c",
		},
		{
			name: "content events, one side", events: []otlp.Event{event("gen_ai.content.prompt", "other", 1)}, in: `{"other":1}`,
			out: "{}",
		},
		{
			name: "content events, no attributes", events: []otlp.Event{event("gen_ai.content.prompt")},
			pairs: []any{"input", "x"}, in: "x",
		},
		{
			name: "other events", events: []otlp.Event{event("gen_ai.evaluation.result", "a", 1)}, pairs: []any{"input", "x"},
			in: "x",
		},

		{
			name: "Vertex", pairs: []any{"gcp.vertex.agent.llm_request", "q", "gcp.vertex.agent.llm_response", "r"}, in: "q",
			out: "r",
		},
		{name: "Vertex tool", pairs: []any{
			"gcp.vertex.agent.llm_request", "{}", "gcp.vertex.agent.llm_response", "",
			"gcp.vertex.agent.tool_call_args", "{}", "gcp.vertex.agent.tool_response", "r",
		}, in: "{}", out: "r"},
		{name: "Vertex, nothing", pairs: []any{"gcp.vertex.agent.llm_request", "{}", "input", "x"}, in: "x"},

		{name: "prompt", pairs: []any{"prompt", "p", "all_messages_events", "e"}, in: "p", out: "e"},
		{name: "LiveKit", pairs: []any{
			"lk.input_text", "", "lk.user_transcript", "no", "lk.function_tool.output", "f", "lk.response.text", "no",
		}, out: "f"},
		{
			name: "LiveKit", pairs: []any{"lk.user_transcript", "t", "lk.chat_ctx", "no", "lk.response.text", "r"}, in: "t",
			out: "r",
		},
		{name: "LiveKit", pairs: []any{"lk.chat_ctx", "c"}, in: "c"},

		{name: "Logfire", pairs: []any{
			"events", `[{"event.name":"gen_ai.choice","a":1},{"event.name":"x"},5,{"event.name":"gen_ai.choice","a":2}]`,
		}, in: `[{"event.name":"x"},5]`, out: `{"event.name":"gen_ai.choice","a":1}`},
		{
			name: "Logfire, choice only", pairs: []any{"events", `[{"event.name":"gen_ai.choice"}]`},
			out: `{"event.name":"gen_ai.choice"}`,
		},
		{name: "Logfire, list", pairs: []any{"events", []any{"a", 1}}, in: `["a",1]`},
		{name: "Logfire, no entries", pairs: []any{"events", `[]`, "input", "x"}, in: "x"},
		{name: "Logfire, no list", pairs: []any{"events", `{"a":1}`, "input", "x"}, in: "x"},
		{name: "Logfire, no JSON", pairs: []any{"events", `[`, "input", "x"}, in: "x"},
		{name: "Logfire, empty list", pairs: []any{"events", []any{}, "input", "x"}, in: "x"},
		{name: "Logfire, number", pairs: []any{"events", 5, "input", "x"}, in: "x"},

		{name: "MLflow", pairs: []any{"mlflow.spanInputs", `{"a": 1}`, "mlflow.spanOutputs", "o"}, in: `{"a": 1}`, out: "o"},
		{name: "Traceloop", pairs: []any{"traceloop.entity.input", "i", "traceloop.entity.output", "o"}, in: "i", out: "o"},
		{name: "OpenInference", pairs: []any{"input.value", "i", "output.value", "o"}, in: "i", out: "o"},
		{name: "plain", pairs: []any{"input", "i", "output", 0}, in: "i", out: "0"},

		{name: "Pydantic", scope: "pydantic-ai", pairs: []any{
			"pydantic_ai.all_messages", `[{"role":"system"}]`, "final_result", "r", "gen_ai.system_instructions", "s",
		}, in: `[{"role":"system"}]`, out: "r"},
		{name: "Pydantic, result only", scope: "pydantic-ai", pairs: []any{"final_result", "r"}, out: "r"},
		{name: "Pydantic of another scope", pairs: []any{"pydantic_ai.all_messages", "x"}},
		{name: "tool", pairs: []any{"tool_arguments", "a", "tool_response", "r"}, in: "a", out: "r"},

		{
			name: "parts of prompts", pairs: []any{"gen_ai.prompt.0.role", "user", "gen_ai.completion", "bare"},
			in: `[{"role":"user"}]`, out: "bare",
		},
		{name: "parts of prompts, one side", pairs: []any{"gen_ai.completion.0.role", "user"}, in: "{}", out: `[{"role":"user"}]`},
		{name: "an empty prompt", pairs: []any{"gen_ai.prompt", ""}, in: "{}", out: "{}"},
		{
			name: "parts of messages", in: `[{"message":{"role":"user"}}]`, out: "{}",
			pairs: []any{"llm.input_messages.0.message.role", "user"},
		},
		{name: "parts of messages", pairs: []any{"llm.output_messages", "bare"}, in: "{}", out: `bare`},

		{name: "GenAI", pairs: []any{"gen_ai.input.messages", "i", "gen_ai.output.messages", []any{1}}, in: "i", out: "[1]"},
		{name: "GenAI tool", pairs: []any{"gen_ai.tool.call.arguments", "a", "gen_ai.tool.call.result", "r"}, in: "a", out: "r"},
		{
			name: "GenAI messages and tool", pairs: []any{"gen_ai.output.messages", "o", "gen_ai.tool.call.arguments", "a"},
			out: "o",
		},
		{name: "GenAI, empty", pairs: []any{"gen_ai.input.messages", "", "gen_ai.tool.call.arguments", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			row, _ := mapped(input{
				scope: otlp.Scope{Name: c.scope}, span: otlp.Span{Attributes: attributes(c.pairs...), Events: c.events},
			})
			if row.Input != c.in || row.Output != c.out {
				t.Errorf("%q and %q, want %q and %q", row.Input, row.Output, c.in, c.out)
			}
		})
	}
}

// TestIOOrder removes one convention after the other; the next one in order must supply input and output.
func TestIOOrder(t *testing.T) {
	steps := []struct {
		name    string
		pairs   []any
		events  []otlp.Event
		in, out string
	}{
		{
			name: "native", pairs: []any{"langfuse.observation.input", "1i", "langfuse.observation.output", "1o"}, in: "1i",
			out: "1o",
		},
		{
			name: "details event", in: "5i", out: "5o",
			events: []otlp.Event{
				event("gen_ai.client.inference.operation.details", "gen_ai.input.messages", "5i", "gen_ai.output.messages", "5o"),
			},
		},
		{
			name: "message events", in: `[{"role":"user"}]`, out: `{"a":1}`,
			events: []otlp.Event{event("gen_ai.user.message"), event("gen_ai.choice", "a", 1)},
		},
		{
			name: "content events", in: "7i", out: "7o",
			events: []otlp.Event{event("gen_ai.content.prompt", "input", "7i"), event("gen_ai.content.completion", "output", "7o")},
		},
		{
			name: "Vertex", pairs: []any{"gcp.vertex.agent.llm_request", "8i", "gcp.vertex.agent.llm_response", "8o"}, in: "8i",
			out: "8o",
		},
		{name: "prompt", pairs: []any{"prompt", "9i", "all_messages_events", "9o"}, in: "9i", out: "9o"},
		{name: "LiveKit", pairs: []any{"lk.input_text", "10i", "lk.response.text", "10o"}, in: "10i", out: "10o"},
		{
			name: "Logfire", pairs: []any{"events", `[11,{"event.name":"gen_ai.choice"}]`}, in: "[11]",
			out: `{"event.name":"gen_ai.choice"}`,
		},
		{name: "MLflow", pairs: []any{"mlflow.spanInputs", "12i", "mlflow.spanOutputs", "12o"}, in: "12i", out: "12o"},
		{
			name: "Traceloop", pairs: []any{"traceloop.entity.input", "13i", "traceloop.entity.output", "13o"}, in: "13i",
			out: "13o",
		},
		{name: "OpenInference", pairs: []any{"input.value", "14i", "output.value", "14o"}, in: "14i", out: "14o"},
		{name: "plain", pairs: []any{"input", "15i", "output", "15o"}, in: "15i", out: "15o"},
		{name: "Pydantic", pairs: []any{"pydantic_ai.all_messages", "16i", "final_result", "16o"}, in: "16i", out: "16o"},
		{name: "tool", pairs: []any{"tool_arguments", "17i", "tool_response", "17o"}, in: "17i", out: "17o"},
		{name: "prompt parts", pairs: []any{"gen_ai.prompt.0.a", 18, "gen_ai.completion", "18o"}, in: `[{"a":18}]`, out: "18o"},
		{
			name: "message parts", pairs: []any{"llm.input_messages.0.a", 19, "llm.output_messages.0.a", 19}, in: `[{"a":19}]`,
			out: `[{"a":19}]`,
		},
		{name: "GenAI", pairs: []any{"gen_ai.input.messages", "20i", "gen_ai.output.messages", "20o"}, in: "20i", out: "20o"},
		{name: "nothing"},
	}
	for i, want := range steps {
		var span otlp.Span
		for _, s := range steps[i:] {
			span.Attributes = append(span.Attributes, attributes(s.pairs...)...)
			span.Events = append(span.Events, s.events...)
		}
		row, _ := mapped(input{scope: otlp.Scope{Name: "pydantic-ai"}, span: span})
		if row.Input != want.in || row.Output != want.out {
			t.Errorf("%s: %q and %q", want.name, row.Input, row.Output)
		}
	}
}
