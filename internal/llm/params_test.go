package llm_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/llm"
	"almanac/internal/llm/llmtest"
)

// TestParameters checks what is sent for each family of models.
func TestParameters(t *testing.T) {
	all := llm.Params{
		Temperature: new(1.5), TopP: new(0.9), TopK: new(40), MaxTokens: new(500), FrequencyPenalty: new(0.1), PresencePenalty: new(0.2),
		Seed: new(int64(7)), Stop: []string{"END"},
	}
	thinks := llm.Params{Temperature: new(0.5), MaxTokens: new(500), Effort: "high"}
	budget := llm.Params{MaxTokens: new(500), ReasoningTokens: new(2000)}
	for _, c := range []struct {
		api     llmtest.API
		model   string
		params  llm.Params
		want    string // members of the body besides the messages
		dropped string
	}{
		{llmtest.OpenAI, "gpt-4.1", all, `{"frequency_penalty":0.1,"max_tokens":500,"presence_penalty":0.2,"seed":7,"stop":["END"],` +
			`"temperature":1.5,"top_p":0.9}`, "top_k"},
		{
			llmtest.OpenAI, "o3-mini", all, `{"max_completion_tokens":500,"seed":7}`,
			"frequency_penalty presence_penalty stop temperature top_k top_p",
		},
		{llmtest.OpenAI, "gpt-5-mini", thinks, `{"max_completion_tokens":500,"reasoning_effort":"high"}`, "temperature"},
		{llmtest.OpenAI, "gpt-5.2", thinks, `{"max_completion_tokens":500,"reasoning_effort":"high","temperature":0.5}`, ""},
		{llmtest.OpenAI, "gpt-5-chat-latest", all, `{"frequency_penalty":0.1,"max_completion_tokens":500,"presence_penalty":0.2,"seed":7,` +
			`"stop":["END"],"temperature":1.5,"top_p":0.9}`, "top_k"},
		{llmtest.OpenAI, "gpt-4o-search-preview", thinks, `{"max_tokens":500,"reasoning_effort":"high"}`, "temperature"},
		{llmtest.Compatible, "o3-mini", all, `{"frequency_penalty":0.1,"max_tokens":500,"presence_penalty":0.2,"seed":7,"stop":["END"],` +
			`"temperature":1.5,"top_k":40,"top_p":0.9}`, ""},
		{
			llmtest.Responses, "gpt-5-mini", thinks, `{"max_output_tokens":500,"reasoning":{"effort":"high","summary":"auto"},"store":false}`,
			"temperature",
		},
		{
			llmtest.Anthropic, "claude-sonnet-4-6", all, `{"max_tokens":500,"stop_sequences":["END"],"temperature":1,"top_k":40}`,
			"frequency_penalty presence_penalty seed top_p",
		},
		{
			llmtest.Anthropic, "claude-opus-4-7", all, `{"max_tokens":500,"stop_sequences":["END"]}`,
			"frequency_penalty presence_penalty seed temperature top_k top_p",
		},
		{
			llmtest.Anthropic, "claude-opus-4-7", thinks, `{"max_tokens":500,"output_config":{"effort":"high"},"thinking":{"type":"adaptive"}}`,
			"temperature",
		},
		{llmtest.Anthropic, "claude-3-haiku-20240307", llm.Params{}, `{"max_tokens":4096}`, ""},
		{llmtest.Anthropic, "claude-of-the-future", llm.Params{}, `{"max_tokens":16384}`, ""},
		{llmtest.Anthropic, "claude-sonnet-4-5", budget, `{"max_tokens":2500,"thinking":{"budget_tokens":2000,"type":"enabled"}}`, ""},
		{llmtest.Anthropic, "claude-sonnet-4-6", budget, `{"max_tokens":2500,"thinking":{"type":"adaptive"}}`, ""},
		{llmtest.Bedrock, "amazon.nova-pro-v1:0", all, `{"additionalModelRequestFields":{"top_k":40},"inferenceConfig":{"maxTokens":500,` +
			`"stopSequences":["END"],"temperature":1,"topP":0.9}}`, "frequency_penalty presence_penalty seed"},
		{
			llmtest.Bedrock, "anthropic.claude-opus-4-7-v1:0", all, `{"inferenceConfig":{"maxTokens":500,"stopSequences":["END"]}}`,
			"frequency_penalty presence_penalty seed temperature top_k top_p",
		},
		{llmtest.Bedrock, "openai.gpt-oss-120b-1:0", thinks, `{"additionalModelRequestFields":{"reasoning_effort":"high"},` +
			`"inferenceConfig":{"maxTokens":500,"temperature":0.5}}`, ""},
		{
			llmtest.Bedrock, "eu.anthropic.claude-sonnet-4-5-20250929-v1:0", budget,
			`{"additionalModelRequestFields":{"thinking":{"budget_tokens":2000,"type":"enabled"}},"inferenceConfig":{"maxTokens":2500}}`, "",
		},
		{llmtest.Studio, "gemini-2.5-flash", all, `{"generationConfig":{"frequencyPenalty":0.1,"maxOutputTokens":500,"presencePenalty":0.2,` +
			`"seed":7,"stopSequences":["END"],"temperature":1.5,"topK":40,"topP":0.9}}`, ""},
		{
			llmtest.Studio, "gemini-2.5-flash", budget,
			`{"generationConfig":{"maxOutputTokens":500,"thinkingConfig":{"includeThoughts":true,"thinkingBudget":2000}}}`, "",
		},
		{
			llmtest.VertexGemini, "gemini-3-pro", thinks,
			`{"generationConfig":{"maxOutputTokens":500,"temperature":0.5,"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"high"}}}`, "",
		},
	} {
		t.Run(string(c.api)+" "+c.model, func(t *testing.T) {
			p := llmtest.Start(t, c.api)
			req := ask(p, "Hi")
			req.Model, req.Params = c.model, c.params
			result, err := newClient(t, nil).Complete(t.Context(), p.Connection(), req)
			if err != nil {
				t.Fatal(err)
			}
			body := p.Requests()[0].Body
			for _, name := range []string{"model", "messages", "input", "contents", "system", "systemInstruction"} {
				delete(body, name)
			}
			got, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			var want map[string]any
			if err := json.Unmarshal([]byte(c.want), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, body); diff != "" {
				t.Errorf("got %s\n%s", got, diff)
			}
			slices.Sort(result.Dropped)
			dropped := strings.NewReplacer("topP", "top_p", "topK", "top_k").Replace(strings.Join(result.Dropped, " "))
			if dropped != c.dropped {
				t.Errorf("dropped %q, want %q", dropped, c.dropped)
			}
		})
	}
}

// TestRefusedParametersAreRemembered: what a model says it does not take is left out, at once the next time.
func TestRefusedParametersAreRemembered(t *testing.T) {
	for _, c := range []struct {
		api             llmtest.API
		message, param  string
		code            string
		dropped, absent string
	}{
		{
			llmtest.Azure, "Unsupported value: 'temperature' does not support 0.5 with this model.", "temperature", "unsupported_value",
			"temperature", "temperature",
		},
		{
			llmtest.Azure, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "max_tokens",
			"unsupported_parameter", "", "max_tokens",
		},
		{llmtest.Compatible, "temperature: Extra inputs are not permitted", "", "", "temperature", "temperature"},
		{llmtest.Anthropic, "`temperature` is deprecated for this model.", "", "", "temperature", "temperature"},
		{
			llmtest.Bedrock, "The model returned the following errors: `temperature` is not supported", "", "", "temperature",
			"inferenceConfig.temperature",
		},
		{llmtest.Studio, "temperature is not supported for this model", "", "", "temperature", "generationConfig.temperature"},
	} {
		t.Run(string(c.api)+" "+c.param, func(t *testing.T) {
			p := llmtest.Start(t, c.api)
			p.Answer(llmtest.Answer{Status: 400, Message: c.message, Param: c.param, Code: c.code}, llmtest.Answer{Text: []string{"fine"}})
			client, req := newClient(t, nil), ask(p, "Hi")
			req.Params = llm.Params{Temperature: new(0.5), MaxTokens: new(100)}
			for _, attempts := range []int{2, 1} {
				result, err := client.Complete(t.Context(), p.Connection(), req)
				if err != nil || result.Attempts != attempts || strings.Join(result.Dropped, " ") != c.dropped {
					t.Fatalf("%+v, %v, want %d attempts", result, err, attempts)
				}
			}
			for n, r := range p.Requests() {
				if present := member(r.Body, c.absent) != nil; present != (n == 0) {
					t.Errorf("request %d: %v", n, r.Body)
				}
				if limit := firstNumber(r.Body, "max_tokens", "max_completion_tokens", "inferenceConfig.maxTokens", "generationConfig.maxOutputTokens"); limit != 100 {
					t.Errorf("request %d has the limit %v", n, limit)
				}
			}
			other := p.Connection()
			other.Key = "another"
			p.Answer(llmtest.Answer{Text: []string{"fine"}})
			if _, err := client.Complete(t.Context(), other, req); err != nil || member(p.Requests()[3].Body, c.absent) == nil {
				t.Error("what one connection refuses is left out with another")
			}
		})
	}
}

func member(body map[string]any, path string) any {
	first, rest, nested := strings.Cut(path, ".")
	if !nested {
		return body[first]
	}
	inner, _ := body[first].(map[string]any)
	return member(inner, rest)
}

func firstNumber(body map[string]any, paths ...string) float64 {
	for _, path := range paths {
		if n, ok := member(body, path).(float64); ok {
			return n
		}
	}
	return 0
}

// TestWrongValuesAreNotDropped: a value that is out of range is the caller's to correct.
func TestWrongValuesAreNotDropped(t *testing.T) {
	p := llmtest.Start(t, llmtest.OpenAI)
	p.Answer(llmtest.Answer{Status: 400, Message: "Invalid 'temperature': decimal above maximum value", Param: "temperature", Code: "decimal_above_max_value"})
	req := ask(p, "Hi")
	req.Params.Temperature = new(3.0)
	result, err := newClient(t, nil).Complete(t.Context(), p.Connection(), req)
	failed, ok := errors.AsType[*llm.Error](err)
	if !ok || failed.Kind != llm.InvalidRequest || result.Attempts != 1 || len(result.Dropped) != 0 {
		t.Errorf("%+v, %v", result, err)
	}
}
