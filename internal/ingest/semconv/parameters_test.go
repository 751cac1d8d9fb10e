package semconv

import (
	"fmt"
	"strings"
	"testing"
)

func TestModelParameters(t *testing.T) {
	const nothing = `{"maxSteps":null,"toolChoice":null,"maxTokens":null,"finishReason":null,"system":null,"maxRetries":null,` +
		`"mode":null,"temperature":null,"service_tier":null}`
	for _, c := range []struct {
		name  string
		scope string
		pairs []any
		want  string
	}{
		{"none", "x", nil, ""},
		{
			"explicit", "x",
			[]any{"langfuse.observation.model.parameters", `{"t":0.20,"n":1e2,"s":"x","b":true,"l":["a", 1],"o":{"a": 1},"z":null}`},
			`{"t":0.2,"n":100,"s":"x","b":"true","l":"[\"a\",1]","o":"{\"a\":1}","z":"null"}`,
		},
		{
			"explicit and empty", "x",
			[]any{"langfuse.observation.model.parameters", `{}`, "llm.invocation_parameters", `{"a":1}`},
			`{}`,
		},
		{"the last of equal names", "x", []any{"langfuse.observation.model.parameters", `{"a":1,"b":2,"a":3}`}, `{"a":3,"b":2}`},
		{
			"explicit, no JSON", "x",
			[]any{"langfuse.observation.model.parameters", `{`, "llm.invocation_parameters", `{"a":1}`},
			`{"a":1}`,
		},
		{"explicit, no object", "x", []any{"langfuse.observation.model.parameters", `[1]`, "model_config", `{"a":1}`}, `{"a":1}`},
		{"explicit, no text", "x", []any{"langfuse.observation.model.parameters", 5, "gen_ai.request.a", 1}, `{"a":1}`},
		{"explicit before Genkit's", "genkit-tracer", []any{
			"langfuse.observation.model.parameters", `{"a":1}`, "genkit:input", `{"config":{"b":1}}`,
		}, `{"a":1}`},

		{"Genkit input", "genkit-tracer", []any{
			"genkit:input", `{"config":{"topK":3,"x":[1]}}`, "genkit:output", `{"request":{"config":{"b":1}}}`,
		}, `{"topK":3,"x":"[1]"}`},
		{
			"Genkit output", "genkit-tracer",
			[]any{"genkit:input", `{}`, "genkit:output", `{"request":{"config":{"b":1}}}`},
			`{"b":1}`,
		},
		{
			"Genkit, nothing", "genkit-tracer",
			[]any{"genkit:input", `no`, "genkit:output", `[]`, "gen_ai.request.a", "x"},
			`{"a":"x"}`,
		},
		{"Genkit of another scope", "x", []any{"genkit:input", `{"config":{"topK":3}}`}, ""},

		{"Vercel, nothing", "ai", nil, nothing},
		{"Vercel, everything", "ai", []any{
			"ai.settings.maxSteps", 3, "ai.prompt.toolChoice", `{"type":"auto"}`, "gen_ai.request.max_tokens", 64,
			"gen_ai.response.finish_reasons",
			[]any{"stop", 1, nil, true},
			"gen_ai.finishReason", "no", "gen_ai.system", "openai",
			"ai.model.provider", "no", "ai.settings.maxRetries", 0, "ai.settings.mode", "json", "gen_ai.request.temperature", 0.1,
			"ai.response.providerMetadata", `{"openai":{"serviceTier":"flex"}}`, "gen_ai.request.service_tier", "no",
		}, `{"maxSteps":"3","toolChoice":"{\"type\":\"auto\"}","maxTokens":"64","finishReason":"stop,1,,true","system":"openai",` +
			`"maxRetries":"0","mode":"json","temperature":"0.1","service_tier":"flex"}`},
		{"Vercel, second choices", "ai", []any{
			"gen_ai.finishReason", "stop", "ai.model.provider", "p", "gen_ai.request.service_tier", "priority",
			"ai.response.providerMetadata", `{"openai":{"serviceTier":null}}`,
		}, `{"maxSteps":null,"toolChoice":null,"maxTokens":null,"finishReason":"stop","system":"p","maxRetries":null,` +
			`"mode":null,"temperature":null,"service_tier":"priority"}`},
		{
			"Vercel, explicit on top", "ai",
			[]any{"langfuse.observation.model.parameters", `{"mode":"x","own":true}`},
			strings.Replace(strings.TrimSuffix(nothing, "}"), `"mode":null`, `"mode":"x"`, 1) + `,"own":"true"}`,
		},
		{"Vercel, broken metadata of the provider", "ai", []any{"ai.response.providerMetadata", `{`}, nothing},

		{"OpenInference", "x", []any{
			"llm.invocation_parameters", `{"a":1}`, "model_config", `{"b":1}`, "gen_ai.request.c", 1,
		}, `{"a":1}`},
		{
			"model_config", "x",
			[]any{"llm.invocation_parameters", `no`, "model_config", `{"b":1}`, "gen_ai.request.c", 1},
			`{"b":1}`,
		},
		{"attributes", "x", []any{
			"gen_ai.request.model", "m", "gen_ai.request.temperature", 0.5, "llm.invocation_parameters.top_k", 3,
			"gen_ai.request.stop",
			[]any{"a"},
			"gen_ai.request.stream", true, "gen_ai.request.s", "x", "gen_ai.request.z", nil,
			"llm.invocation_parameters.temperature", 1, "llm.invocation_parameters.model", "m",
		}, `{"temperature":1,"top_k":3,"stop":"[\"a\"]","stream":"true","s":"x","z":"null"}`},
		{"only the model", "x", []any{"gen_ai.request.model", "m"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if row, _ := mappedAttributes(c.scope, c.pairs...); row.ModelParameters != c.want {
				t.Errorf("%s, want %s", row.ModelParameters, c.want)
			}
		})
	}
}

func TestManyParameters(t *testing.T) {
	var b strings.Builder
	for i := range maxMembers + 50 {
		fmt.Fprintf(&b, `,"p%d":%d`, i, i)
	}
	row, _ := mappedAttributes("x", "langfuse.observation.model.parameters", "{"+b.String()[1:]+"}")
	if got := memberList(t, row.ModelParameters); len(got) != maxMembers || got[maxMembers-1] != "p9999=9999" {
		t.Errorf("%d parameters", len(got))
	}
}
