package semconv

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shown formats usage as "kind=units" in one line.
func shown(p Provided) string {
	var list []string
	for _, u := range p.Usage {
		list = append(list, fmt.Sprintf("%s=%d", u.Kind, u.Units))
	}
	return strings.Join(list, " ")
}

func TestUsage(t *testing.T) {
	const details = "langfuse.observation.usage_details"
	for _, c := range []struct {
		name  string
		scope string
		pairs []any
		want  string
	}{
		{"none", "x", nil, ""},
		{"explicit", "x", []any{details, `{"input":1,"output":2.0}`, "gen_ai.usage.input_tokens", 9}, "input=1 output=2"},
		{"explicit, the last of a name", "x", []any{details, `{"a":1,"b":2,"a":3}`}, "a=3 b=2"},
		{"explicit, other JSON stops", "x", []any{details, `[1]`, "gen_ai.usage.input_tokens", 9}, ""},
		{"explicit, a value that is no text stops", "x", []any{details, 5, "gen_ai.usage.input_tokens", 9}, ""},
		{"explicit, no JSON goes on", "x", []any{details, `{`, "gen_ai.usage.input_tokens", 9}, "input=9"},
		{"explicit, empty text goes on", "x", []any{details, ``, "gen_ai.usage.input_tokens", 9}, "input=9"},
		{"summary", "x", []any{details, `{"input":1}`, "gen_ai.operation.name", "invoke_agent"}, ""},
		{"summary", "ai", []any{"gen_ai.usage.input_tokens", 9, "gen_ai.operation.name", "agent_step"}, ""},
		{
			"texts and others", "x",
			[]any{details, `{"a":"12","b":" +7x","c":"3.9","d":"-1","e":"x","f":true,"g":null,"h":{},"i":[],"j":-1,"k":1.5,` +
				`"l":1e3,"m":"99999999999999999999","n":9223372036854775807,"o":9223372036854775808}`},
			"a=12 b=7 c=3 l=1000 n=9223372036854775807",
		},
		{
			"OpenAI chat", "x",
			[]any{details, `{"total_tokens":620,"prompt_tokens":500,"completion_tokens":120,` +
				`"prompt_tokens_details":{"cached_tokens":300,"audio_tokens":null},"completion_tokens_details":null}`},
			"input=200 output=120 total=620 input_cached_tokens=300",
		},
		{
			"OpenAI responses", "x",
			[]any{details, `{"input_tokens":10,"output_tokens":5,"total_tokens":15,"output_tokens_details":{"reasoning_tokens":7}}`},
			"input=10 output=0 total=15 output_reasoning_tokens=7",
		},
		{
			"OpenAI without total", "x",
			[]any{details, `{"prompt_tokens":1,"completion_tokens":2}`},
			"prompt_tokens=1 completion_tokens=2",
		},
		{
			"OpenAI, text", "x",
			[]any{details, `{"prompt_tokens":"1","completion_tokens":2,"total_tokens":3}`},
			"prompt_tokens=1 completion_tokens=2 total_tokens=3",
		},
		{
			"OpenAI, mixed", "x",
			[]any{details, `{"prompt_tokens":1,"output_tokens":2,"total_tokens":3}`},
			"prompt_tokens=1 output_tokens=2 total_tokens=3",
		},
		{
			"OpenAI, one name thrice", "x",
			[]any{details, `{"prompt_tokens":1,"prompt_tokens":2,"prompt_tokens":3}`},
			"prompt_tokens=3",
		},
		{
			"OpenAI, details of no number", "x",
			[]any{details, `{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3,"prompt_tokens_details":{"a":"x"}}`},
			"prompt_tokens=1 completion_tokens=2 total_tokens=3",
		},
		{
			"OpenAI, details that are none", "x",
			[]any{details, `{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3,"prompt_tokens_details":5}`},
			"prompt_tokens=1 completion_tokens=2 total_tokens=3 prompt_tokens_details=5",
		},

		{
			"Genkit", "genkit-tracer",
			[]any{"genkit:output", `{"usage":{"inputTokens":11,"outputTokens":9,"totalTokens":20,"thoughtsTokens":4}}`},
			"input=11 output=5 total=20 output_reasoning=4",
		},
		{
			"Genkit, zeros", "genkit-tracer",
			[]any{"genkit:output", `{"usage":{"inputTokens":0,"outputTokens":2,"thoughtsTokens":0}}`},
			"output=2",
		},
		{
			"Genkit, thoughts are more", "genkit-tracer",
			[]any{"genkit:output", `{"usage":{"outputTokens":2,"thoughtsTokens":5}}`},
			"output=0 output_reasoning=5",
		},
		{"Genkit, none", "genkit-tracer", []any{"genkit:output", `text`, "gen_ai.usage.input_tokens", 9}, "input=9"},

		{"Vercel, always", "ai", nil, "input=0 output=0"},
		{
			"Vercel", "ai",
			[]any{
				"gen_ai.usage.input_tokens", 1, "gen_ai.usage.prompt_tokens", 90, "gen_ai.usage.completion_tokens", "30",
				"gen_ai.usage.output_tokens", 1, "ai.usage.tokens", 130, "ai.usage.cachedInputTokens", 40, "ai.usage.reasoningTokens", 10,
			},
			"input=50 output=20 total=130 input_cached_tokens=40 output_reasoning_tokens=10",
		},
		{
			"Vercel, second names", "ai",
			[]any{"gen_ai.usage.input_tokens", 5, "gen_ai.usage.output_tokens", 4, "gen_ai.usage.x", 3},
			"input=5 output=4",
		},
		{
			"Vercel, OpenAI", "ai",
			[]any{
				"gen_ai.usage.input_tokens", 50, "gen_ai.usage.output_tokens", 40, "ai.usage.cachedInputTokens", 20,
				"ai.response.providerMetadata",
				`{"openai":{"cachedPromptTokens":7,"reasoningTokens":5,"acceptedPredictionTokens":2,"rejectedPredictionTokens":1}}`,
			},
			"input=30 output=35 input_cached_tokens=20 output_reasoning_tokens=5 accepted_prediction_tokens=2 rejected_prediction_tokens=1",
		},
		{
			"Vercel, Anthropic", "ai",
			[]any{
				"gen_ai.usage.input_tokens", 1000, "ai.response.providerMetadata",
				`{"anthropic":{"usage":{"cache_creation_input_tokens":100,"cache_read_input_tokens":300}}}`,
			},
			"input=600 input_cache_creation=100 input_cached_tokens=300 output=0",
		},
		{
			"Vercel, Bedrock", "ai",
			[]any{
				"gen_ai.usage.input_tokens", 1000, "ai.response.providerMetadata",
				`{"bedrock":{"usage":{"cacheReadInputTokens":10,"cacheWriteInputTokens":20,"cacheCreationInputTokens":30}}}`,
			},
			"input=960 input_cache_read=10 input_cache_write=20 input_cache_creation=30 output=0",
		},
		{
			"Vercel, odd metadata of the provider", "ai",
			[]any{"gen_ai.usage.input_tokens", 10, "ai.response.providerMetadata", `{"openai":5,"anthropic":{"usage":[]},"bedrock":null}`},
			"input=10 output=0",
		},
		{
			"Vercel, broken metadata", "ai",
			[]any{"gen_ai.usage.input_tokens", 10, "ai.usage.tokens", 5, "ai.response.providerMetadata", `{`},
			"input=10",
		},
		{
			"Vercel, metadata that is no object", "ai",
			[]any{"gen_ai.usage.input_tokens", 10, "ai.response.providerMetadata", `null`},
			"input=10",
		},
		{
			"Vercel, less than its parts", "ai",
			[]any{"gen_ai.usage.input_tokens", 1, "ai.usage.cachedInputTokens", 5},
			"input=0 input_cached_tokens=5 output=0",
		},

		{
			"Vertex", "gcp.vertex.agent",
			[]any{
				"gcp.vertex.agent.llm_response", `{"usage_metadata":{"cached_content_token_count":60}}`, "gen_ai.usage.input_tokens", 100,
			},
			"input=40 input_cached_tokens=60",
		},
		{
			"Vertex, told already", "gcp.vertex.agent",
			[]any{
				"gcp.vertex.agent.llm_response", `{"usage_metadata":{"cached_content_token_count":60}}`,
				"gen_ai.usage.input_tokens", 100, "gen_ai.usage.cache_read.input_tokens", 10,
			},
			"input=90 input_cached_tokens=10",
		},
		{
			"Vertex, nothing cached", "gcp.vertex.agent",
			[]any{"gcp.vertex.agent.llm_response", `{"usage_metadata":{"cached_content_token_count":0}}`, "gen_ai.usage.input_tokens", 5},
			"input=5",
		},
		{
			"Vertex, no JSON", "gcp.vertex.agent",
			[]any{"gcp.vertex.agent.llm_response", `x`, "gen_ai.usage.input_tokens", 5},
			"input=5",
		},
		{"Vertex, no response", "gcp.vertex.agent", []any{"gen_ai.usage.input_tokens", 5}, "input=5"},
		{
			"Vertex, no input", "gcp.vertex.agent",
			[]any{"gcp.vertex.agent.llm_response", `{"usage_metadata":{"cached_content_token_count":6}}`},
			"input_cached_tokens=6",
		},

		{
			"generic", "x",
			[]any{
				"gen_ai.usage.input_tokens", 120, "gen_ai.usage.output_tokens", 40, "gen_ai.usage.total_tokens", 160,
				"gen_ai.usage.cost", 5,
				"gen_ai.usage.cache_read.input_tokens", 100, "gen_ai.usage.cache_creation.input_tokens", 10,
				"gen_ai.usage.reasoning.output_tokens", 5, "llm.token_count.completion_details.audio", 3,
			},
			"input=10 output=32 total=160 input_cached_tokens=100 input_cache_creation=10 output_reasoning_tokens=5 output_audio_tokens=3",
		},
		{
			"generic, others", "x",
			[]any{
				"gen_ai.usage.details.reasoning_tokens", 8, "gen_ai.usage.images", 2, "llm.token_count.cost", 3,
				"gen_ai.usage.output_tokens", 30,
				"gen_ai.usage.fraction", 0.5, "gen_ai.usage.negative", -1,
			},
			"images=2 cost=3 output=30 total=30",
		},
		{"generic, reasoning is part of the output", "x", []any{
			"gen_ai.usage.input_tokens", 100, "gen_ai.usage.output_tokens", 20, "gen_ai.usage.reasoning_tokens", 5,
		}, "input=100 output=20"},
		{"generic, details alone", "x", []any{"gen_ai.usage.details.reasoning_tokens", 5}, "reasoning_tokens=5"},
		{"generic, details are not in the total", "x", []any{
			"gen_ai.usage.input_tokens", 100, "gen_ai.usage.output_tokens", 20, "gen_ai.usage.details.audio_tokens", 7,
			"gen_ai.usage.details.cache_read_tokens", 40,
		}, "audio_tokens=7 input=60 output=20 input_cached_tokens=40 total=120"},
		{"generic, kinds of values", "x", []any{
			"gen_ai.usage.input_tokens", "12", "gen_ai.usage.output_tokens", "x", "gen_ai.usage.total_tokens", nil, "gen_ai.usage.a", true,
			"gen_ai.usage.b",
			[]any{1},
			"gen_ai.usage.c", "",
		}, "input=12"},
		{
			"generic, zero wins", "x",
			[]any{"llm.token_count.prompt", 9, "gen_ai.usage.prompt_tokens", 0, "gen_ai.usage.input_tokens", 8},
			"input=0",
		},
		{
			"generic, less than its parts", "x",
			[]any{"gen_ai.usage.input_tokens", 1, "gen_ai.usage.cache_read_tokens", 5},
			"input=0 input_cached_tokens=5",
		},
		{"generic, parts alone", "x", []any{"gen_ai.usage.cache_read_tokens", 5}, "input_cached_tokens=5"},
		{
			"generic, a fraction of a token", "x",
			[]any{"gen_ai.usage.input_tokens", 1.5, "gen_ai.usage.output_tokens", 2},
			"output=2",
		},
		{"generic, kinds of the same name", "x", []any{"gen_ai.usage.input", 3, "gen_ai.usage.input_tokens", 5}, "input=5"},
		{
			"generic, one name with both prefixes", "x",
			[]any{"gen_ai.usage.total_tokens", 5, "llm.token_count.total_tokens", 6},
			"total=6",
		},
		{"generic, not a source", "x", []any{"llm.usage.total_tokens", 24}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, p := mappedAttributes(c.scope, c.pairs...); shown(p) != c.want {
				t.Errorf("%s, want %s", shown(p), c.want)
			}
		})
	}
}

// TestUsageNames checks that every name in each list yields its kind, and that earlier names win over later ones.
func TestUsageNames(t *testing.T) {
	kinds := [conceptCount]string{
		"input", "output", "total", "input_cached_tokens", "input_cache_creation", "output_reasoning_tokens", "output_audio_tokens",
	}
	for c, names := range usageNames {
		for _, prefix := range []string{"gen_ai.usage.", "llm.token_count."} {
			var pairs []any
			for rank, name := range slices.Backward(names) {
				pairs = append(pairs, prefix+name, 100+rank)
				if _, p := mappedAttributes("x", pairs...); shown(p) != fmt.Sprintf("%s=%d", kinds[c], 100+rank) {
					t.Errorf("%v: %s", pairs, shown(p))
				}
			}
		}
	}
}

func TestManyKinds(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, `,"k%d":%d`, i, i)
	}
	object := "{" + b.String()[1:] + "}"
	_, p := mappedAttributes("x", "langfuse.observation.usage_details", object, "langfuse.observation.cost_details", object)
	if len(p.Usage) != maxKinds || len(p.Cost) != maxKinds {
		t.Errorf("%d kinds of usage, %d of cost", len(p.Usage), len(p.Cost))
	}
	_, p = mappedAttributes("x", "langfuse.observation.usage_details",
		`{"prompt_tokens":9000,"completion_tokens":5,"total_tokens":3,"prompt_tokens_details":`+object+`}`)
	if len(p.Usage) != maxKinds {
		t.Errorf("%d kinds of details", len(p.Usage))
	}
}

// TestSeenKinds puts a count after the maximum number of meaningless members, and after one less.
func TestSeenKinds(t *testing.T) {
	for _, c := range []struct {
		before int
		seen   bool
	}{{maxSeenKinds - 1, true}, {maxSeenKinds, false}} {
		object := "{" + strings.Repeat(`"x":null,`, c.before) + `"k":7}`
		_, p := mappedAttributes("x", "langfuse.observation.usage_details", object, "langfuse.observation.cost_details", object)
		if (len(p.Usage) == 1) != c.seen || (len(p.Cost) == 1) != c.seen {
			t.Errorf("behind %d members: usage %v, cost %v", c.before, p.Usage, p.Cost)
		}
		_, p = mappedAttributes("x", "langfuse.observation.usage_details",
			`{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14,"prompt_tokens_details":`+object+`}`)
		if got := strings.Contains(shown(p), "input_k=7"); got != c.seen {
			t.Errorf("behind %d members, a detail is seen: %v: %s", c.before, got, shown(p))
		}
	}
}

func TestCost(t *testing.T) {
	const details = "langfuse.observation.cost_details"
	for _, c := range []struct {
		name  string
		pairs []any
		want  map[string]float64
	}{
		{"none", nil, nil},
		{
			"explicit",
			[]any{details, `{"input":0.5,"output":1e-3,"x":-1}`, "gen_ai.usage.cost", 9.0},
			map[string]float64{"input": 0.5, "output": 0.001},
		},
		{
			"explicit, texts and others",
			[]any{details, `{"a":"0.01","b":" 2 ","c":"x","d":null,"e":true,"f":{},"g":1e999}`},
			map[string]float64{"a": 0.01, "b": 2},
		},
		{"explicit, the last of a name", []any{details, `{"a":1,"a":2}`}, map[string]float64{"a": 2}},
		{"explicit, other JSON stops", []any{details, `[1]`, "gen_ai.usage.cost", 9.0}, nil},
		{"explicit, a value that is no text stops", []any{details, 5, "gen_ai.usage.cost", 9.0}, nil},
		{"explicit, no JSON goes on", []any{details, `{`, "gen_ai.usage.cost", 9.0}, map[string]float64{"total": 9}},
		{"GenAI", []any{"llm.cost.total", 1.0, "gen_ai.usage.cost", "0.25"}, map[string]float64{"total": 0.25}},
		{"GenAI, zero", []any{"llm.cost.total", 1.0, "gen_ai.usage.cost", 0}, map[string]float64{"total": 0}},
		{"GenAI, nothing", []any{"llm.cost.total", 1, "gen_ai.usage.cost", ""}, map[string]float64{"total": 1}},
		{"OpenInference", []any{"llm.cost.total", 0.0123}, map[string]float64{"total": 0.0123}},
		{"no number", []any{"llm.cost.total", "free"}, nil},
		{"summary", []any{details, `{"input":1}`, "gen_ai.usage.cost", 1.0, "gen_ai.operation.name", "invoke_agent"}, nil},
		{"summary", []any{"gen_ai.usage.cost", 1.0, "gen_ai.operation.name", "agent_step"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, p := mappedAttributes("x", c.pairs...)
			var got map[string]float64
			for _, x := range p.Cost {
				if got == nil {
					got = map[string]float64{}
				}
				got[x.Kind] = x.Amount
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
