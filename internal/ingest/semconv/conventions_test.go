package semconv

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
)

func TestTraceloopAssociations(t *testing.T) {
	for _, c := range []struct {
		pairs         []any
		user, session string
	}{
		{[]any{"traceloop.association.properties.user_id", "u", "traceloop.association.properties.session_id", "s"}, "u", "s"},
		{[]any{"traceloop.association.properties.userId", "u", "traceloop.association.properties.sessionId", "s"}, "u", "s"},
		{
			[]any{
				"traceloop.association.properties.user_id", "other", "user.id", "u", "session.id", "s",
				"traceloop.association.properties.session_id", "other",
			}, "u", "s",
		},
		{[]any{"llm.user", "u"}, "u", ""},
		{[]any{"traceloop.association.properties.tenant", "t"}, "", ""},
	} {
		row, _ := mappedAttributes("x", c.pairs...)
		if row.UserID != c.user || row.SessionID != c.session {
			t.Errorf("%v: user %q, session %q", c.pairs, row.UserID, row.SessionID)
		}
	}
}

func TestTimeToFirstChunk(t *testing.T) {
	for _, c := range []struct {
		pairs []any
		want  int64 // milliseconds
	}{
		{[]any{"gen_ai.client.operation.time_to_first_chunk", 0.29078}, 291},
		{[]any{"gen_ai.response.time_to_first_chunk", 0.5}, 500},
		{[]any{"gen_ai.server.time_to_first_token", 2}, 2000},
		{[]any{"gen_ai.client.operation.time_to_first_chunk", 0.5, "ai.response.msToFirstChunk", 7}, 7},
	} {
		row, _ := mapped(input{span: otlp.Span{Start: otlp.Nanos{Value: 1e18, Set: true}, Attributes: attributes(c.pairs...)}})
		if got := row.CompletionStartTime.Millis() - row.StartTime.Millis(); got != c.want {
			t.Errorf("%v: %d ms", c.pairs, got)
		}
	}
	row, _ := mappedAttributes("x", "gen_ai.response.time_to_first_chunk", "soon")
	if row.CompletionStartTime != 0 {
		t.Errorf("a time that is none: %v", row.CompletionStartTime)
	}
}

func TestOfferedFunctions(t *testing.T) {
	row, _ := mappedAttributes("litellm",
		"gen_ai.input.messages", `[{"role":"user"}]`, "gen_ai.completion.0.function_call.name", "get_weather",
		"llm.request.functions.1.name", "b", "llm.request.functions.0.name", "a", "llm.request.functions.0.description", "does it",
		"llm.request.functions.0.parameters", `{"type": "object"}`, "llm.request.functions.other", "kept")
	if diff := cmp.Diff([]string{"a", "b"}, row.ToolNames); diff != "" {
		t.Error(diff)
	}
	if want := `{"messages":[{"role":"user"}],"tools":[{"name":"a","description":"does it","parameters":"{\"type\": \"object\"}"},{"name":"b"}]}`; row.Input != want {
		t.Errorf("input %s, want %s", row.Input, want)
	}
	if want := `{"attributes.llm.request.functions.other":"kept","scope.name":"litellm"}`; row.Metadata != want {
		t.Errorf("metadata %s, want %s", row.Metadata, want)
	}
	if diff := cmp.Diff([]string{"get_weather"}, row.ToolCallNames); diff != "" {
		t.Error(diff)
	}
	// Functions without a name are left in place.
	row, _ = mappedAttributes("litellm", "llm.request.functions.0.description", "does it")
	if row.Input != "" || row.ToolNames != nil {
		t.Errorf("input %s, tools %v", row.Input, row.ToolNames)
	}
}

func TestVercelFunctionsRepeatWhatTheirCallsUsed(t *testing.T) {
	used := []any{
		"ai.model.id", "gpt-5-mini", "ai.usage.tokens", 10, "ai.usage.cachedInputTokens", 40, "ai.usage.reasoningTokens", 5,
		"ai.response.providerMetadata", `{"openai":{"reasoningTokens":5}}`,
	}
	_, p := mappedAttributes("ai", append(used, "ai.operationId", "ai.streamText")...)
	if diff := cmp.Diff([]domain.UsageEntry{{Kind: "input"}, {Kind: "output"}}, p.Usage); diff != "" {
		t.Error(diff)
	}
	_, p = mappedAttributes("ai", append(used, "ai.operationId", "ai.streamText.doStream")...)
	if len(p.Usage) != 5 {
		t.Errorf("%v", p.Usage)
	}
}

func TestCostOfLiteLLM(t *testing.T) {
	for amount, want := range map[float64][]domain.CostEntry{5.6e-05: {{Kind: "total", Amount: 5.6e-05}}, 0: nil} {
		_, p := mappedAttributes("litellm", "gen_ai.cost.total_cost", amount)
		if len(p.Cost) != len(want) || len(want) > 0 && p.Cost[0] != want[0] {
			t.Errorf("%v: %v", amount, p.Cost)
		}
	}
	_, p := mappedAttributes("litellm", "gen_ai.cost.total_cost", 1.0, "gen_ai.usage.cost", 2.0)
	if diff := cmp.Diff([]domain.CostEntry{{Kind: "total", Amount: 2}}, p.Cost); diff != "" {
		t.Error(diff)
	}
}

func TestOpenInferenceCallsBesideTheOutput(t *testing.T) {
	const call = "llm.output_messages.0.message.tool_calls.0.tool_call."
	pairs := []any{
		"openinference.span.kind", "LLM", "output.value", "assistant: None", "llm.output_messages.0.message.role", "assistant",
		call + "id", "call_1", call + "function.name", "get_weather", call + "function.arguments", `{"city": "Oslo"}`,
	}
	row, _ := mappedAttributes("x", pairs...)
	if diff := cmp.Diff([]string{"get_weather"}, row.ToolCallNames); diff != "" || row.Output != "assistant: None" {
		t.Errorf("output %s, calls %s", row.Output, diff)
	}
	if want := `["{\"id\":\"call_1\",\"arguments\":\"{\\\"city\\\": \\\"Oslo\\\"}\",\"type\":\"function\",\"index\":0}"]`; row.ToolCalls != want {
		t.Errorf("calls %s, want %s", row.ToolCalls, want)
	}
}

func TestLlamaIndexPreparesCalls(t *testing.T) {
	for name, model := range map[string]string{"OpenAI._prepare_chat_with_tools": "", "OpenAI.chat": "gpt-5-mini"} {
		row, _ := mapped(input{
			scope: otlp.Scope{Name: "openinference.instrumentation.llama_index"},
			span:  otlp.Span{Name: name, Attributes: attributes("openinference.span.kind", "LLM", "llm.model_name", "gpt-5-mini")},
		})
		if row.Model != model || row.Type != "GENERATION" {
			t.Errorf("%s: model %q, type %s", name, row.Model, row.Type)
		}
	}
}

func TestGoogleAgents(t *testing.T) {
	request := `{"model":"gemini-2.5-flash","config":{"tools":[{"function_declarations":[{"name":"a"},{"name":"b","description":"does it"}]},` +
		`{"functionDeclarations":[{"name":"c"}]}]}}`
	response := func(output string) string {
		return `{"usage_metadata":{"cached_content_token_count":40,"candidates_token_count":` + output + `,"thoughts_token_count":5}}`
	}
	for _, c := range []struct {
		output string // as reported in the response
		want   []domain.UsageEntry
	}{
		{
			"15", []domain.UsageEntry{
				{Kind: "input", Units: 60},
				{Kind: "output", Units: 15},
				{Kind: "input_cached_tokens", Units: 40},
				{Kind: "output_reasoning_tokens", Units: 5},
			},
		},
		// An output that differs from the candidates may already include the thoughts.
		{"10", []domain.UsageEntry{
			{Kind: "experimental.reasoning_tokens", Units: 5},
			{Kind: "input", Units: 60},
			{Kind: "output", Units: 15},
			{Kind: "input_cached_tokens", Units: 40},
		}},
	} {
		row, p := mappedAttributes("gcp.vertex.agent",
			"gcp.vertex.agent.llm_request", request, "gcp.vertex.agent.llm_response", response(c.output), "gcp.vertex.agent.session_id",
			"s",
			"gen_ai.usage.experimental.reasoning_tokens", 5, "gen_ai.usage.input_tokens", 100, "gen_ai.usage.output_tokens", 15)
		if diff := cmp.Diff(c.want, p.Usage); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"a", "b", "c"}, row.ToolNames); diff != "" || row.SessionID != "s" {
			t.Errorf("session %q, tools %s", row.SessionID, diff)
		}
	}
}
