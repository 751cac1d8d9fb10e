package llm_test

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/llm"
	"almanac/internal/llm/llmtest"
)

// TestCountlessToolCalls: calls without a name and arguments add nothing to the length of an answer, but each takes memory
// and is looked for among all others.
func TestCountlessToolCalls(t *testing.T) {
	many := func(before, call, after string) string {
		return before + strings.TrimSuffix(strings.Repeat(call+",", 20_000), ",") + after
	}
	for api, answer := range map[llmtest.API]string{
		llmtest.Anthropic: many(`{"content":[`, `{"type":"tool_use"}`, `],"stop_reason":"tool_use"}`),
		llmtest.Bedrock:   many(`{"output":{"message":{"content":[`, `{"toolUse":{}}`, `]}},"stopReason":"tool_use"}`),
		llmtest.Responses: many(`{"status":"completed","output":[`, `{"type":"function_call"}`, `]}`),
		llmtest.Studio:    many(`{"candidates":[{"finishReason":"STOP","content":{"parts":[`, `{"functionCall":{}}`, `]}}]}`),
	} {
		p := llmtest.Start(t, api)
		p.Answer(llmtest.Answer{Body: answer})
		result, err := newClient(t, nil).Complete(t.Context(), p.Connection(), ask(p, "Hello"))
		if failed, ok := errors.AsType[*llm.Error](err); !ok || failed.Kind != llm.Malformed || len(result.ToolCalls) > 1000 {
			t.Errorf("%s: %d calls, %v", api, len(result.ToolCalls), err)
		}
	}
}

// TestLongNames: the ids and names of calls count as parts of an answer.
func TestLongNames(t *testing.T) {
	p := llmtest.Start(t, llmtest.Compatible)
	name := strings.Repeat("x", 3<<20)
	p.Answer(llmtest.Answer{Calls: []llmtest.Call{{ID: name, Name: name, Arguments: "{}"}}})
	_, err := newClient(t, nil).Complete(t.Context(), p.Connection(), ask(p, "Hello"))
	if failed, ok := errors.AsType[*llm.Error](err); !ok || failed.Kind != llm.Malformed {
		t.Errorf("6 MB of names: %v", err)
	}
}

// TestSecretsInCalls: a provider may repeat the key anywhere.
func TestSecretsInCalls(t *testing.T) {
	eachWay(t, func(t *testing.T, p *llmtest.Provider, stream bool) {
		secret := llmtest.Secret
		if p.API == llmtest.VertexGemini || p.API == llmtest.VertexClaude {
			secret = llmtest.Token
		}
		p.Answer(llmtest.Answer{Calls: []llmtest.Call{{ID: "id-" + secret, Name: "name-" + secret, Arguments: "{}"}}})
		events, result, err := call(t.Context(), newClient(t, nil), p, ask(p, "Hello"), stream)
		if err != nil || len(result.ToolCalls) != 1 {
			t.Fatalf("%+v, %v", result, err)
		}
		told, err := json.Marshal([]any{events, result})
		if err != nil || strings.Contains(string(told), secret) {
			t.Errorf("the secret is told: %s, %v", told, err)
		}
	})
}

// shortest returns how long the quickest of three runs takes: others are held up by what else the machine does.
func shortest(run func()) time.Duration {
	best := time.Duration(math.MaxInt64)
	for range 3 {
		began := time.Now()
		run()
		best = min(best, time.Since(began))
	}
	return best
}

// TestManyPieces: a content can be a list of texts, of which there can be very many.
func TestManyPieces(t *testing.T) {
	p := llmtest.Start(t, llmtest.Compatible)
	took := func(pieces int) time.Duration {
		body := `{"choices":[{"message":{"content":[` + strings.TrimSuffix(strings.Repeat(`{"text":"a"},`, pieces), ",") + `]},"finish_reason":"stop"}]}`
		return shortest(func() {
			p.Answer(llmtest.Answer{Body: body})
			result, err := newClient(t, nil).Complete(t.Context(), p.Connection(), ask(p, "Hello"))
			if err != nil || len(result.Text) != pieces {
				t.Fatalf("%d bytes of %d pieces, %v", len(result.Text), pieces, err)
			}
		})
	}
	if few, many := took(20_000), took(200_000); many > 40*few {
		t.Errorf("20,000 pieces take %s, 200,000 take %s", few, many)
	}
}

// TestCostlyAnswers: what a structured answer costs to read does not grow with the product of its length and its schema's.
func TestCostlyAnswers(t *testing.T) {
	p := llmtest.Start(t, llmtest.OpenAI)
	var labels []string
	for n := range 1500 {
		labels = append(labels, strconv.Quote(strconv.Itoa(n)))
	}
	for _, c := range []struct{ item, small, large string }{
		{"0", `{"type":"number","minimum":1}`, `{"type":"number",` + strings.Repeat(" ", 200_000) + `"minimum":1}`},
		{`"c"`, `{"type":"string","enum":["1"]}`, `{"type":"string","enum":[` + strings.Join(labels, ",") + `]}`},
	} {
		took := func(items string) time.Duration {
			return shortest(func() {
				p.Answer(llmtest.Answer{Text: []string{`{"n":[` + strings.TrimSuffix(strings.Repeat(c.item+",", 10_000), ",") + `]}`}})
				req := judge(p)
				req.Schema = &llm.Schema{JSON: json.RawMessage(`{"type":"object","properties":{"n":{"type":"array","items":` + items + `}}}`)}
				_, err := newClient(t, nil).Complete(t.Context(), p.Connection(), req)
				if failed, ok := errors.AsType[*llm.Error](err); !ok || failed.Kind != llm.Unstructured {
					t.Fatalf("%.100s: %v", items, err)
				}
			})
		}
		if small, large := took(c.small), took(c.large); large > 8*small {
			t.Errorf("reading takes %s with a schema of %d bytes, %s with one of %d bytes", small, len(c.small), large, len(c.large))
		}
	}
}
