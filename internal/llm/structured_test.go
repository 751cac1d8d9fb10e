package llm_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"almanac/internal/llm"
	"almanac/internal/llm/llmtest"
)

// verdict is what a judge answers: the reasoning comes first.
var verdict = &llm.Schema{Name: "verdict", JSON: json.RawMessage(`{"type":"object","properties":{"reasoning":{"type":"string"},` +
	`"score":{"type":"number","minimum":0,"maximum":1},"label":{"type":"string","enum":["Good","Bad"]}},` +
	`"required":["reasoning","score","label"],"additionalProperties":false}`)}

const (
	good    = `{"reasoning":"It is right.","score":0.9,"label":"Good"}`
	tooHigh = `{"reasoning":"It is right.","score":7,"label":"Good"}`
)

func judge(p *llmtest.Provider) llm.Request {
	req := ask(p, "Judge this.")
	req.Schema = verdict
	return req
}

// hasNative tells which APIs follow schemas of their own accord, for the models of the fakes.
func hasNative(api llmtest.API) bool { return api != llmtest.VertexClaude }

func TestStructuredAnswers(t *testing.T) {
	eachWay(t, func(t *testing.T, p *llmtest.Provider, stream bool) {
		p.Answer(llmtest.Answer{Text: []string{good[:20], good[20:]}})
		rung := llm.NativeRung
		if !hasNative(p.API) {
			rung = llm.ToolRung
			p.Answer(llmtest.Answer{Calls: []llmtest.Call{{ID: "c", Name: "json", Arguments: good}}})
		}
		events, result, err := call(t.Context(), newClient(t, nil), p, judge(p), stream)
		if err != nil || string(result.Structured) != good || result.Rung != rung || result.Attempts != 1 || result.Text != good ||
			len(result.ToolCalls) != 0 {
			t.Fatalf("%+v, %v", result, err)
		}
		if stream && said(events, llm.TextEvent) != good {
			t.Errorf("the events are %+v", events)
		}
		sent, err := json.Marshal(p.Requests()[0].Body)
		if err != nil || !strings.Contains(string(sent), "reasoning") {
			t.Errorf("the schema was not sent: %s", sent)
		}
	})
}

// TestLadder: a server that refuses every way but words is asked in words, and at once the next time.
func TestLadder(t *testing.T) {
	eachWay(t, func(t *testing.T, p *llmtest.Provider, stream bool) {
		refusals := map[llm.Rung]llmtest.Answer{
			llm.NativeRung: {Status: 400, Message: "response_format: json_schema is not supported by this model"},
			llm.ToolRung:   {Status: 400, Message: "This model does not support tool use"},
			llm.ModeRung:   {Status: 400, Message: "JSON mode is not enabled for this model"},
		}
		rungs := []llm.Rung{llm.NativeRung, llm.ToolRung, llm.ModeRung}
		if slices.Contains([]llmtest.API{llmtest.Anthropic, llmtest.Bedrock}, p.API) {
			rungs = []llm.Rung{llm.NativeRung, llm.ToolRung}
		} else if p.API == llmtest.VertexClaude {
			rungs = []llm.Rung{llm.ToolRung}
		}
		var answers []llmtest.Answer
		for _, rung := range rungs {
			answers = append(answers, refusals[rung])
		}
		p.Answer(append(answers, llmtest.Answer{Text: []string{"<think>hm {", "}</think>Here it is:\n```json\n", good, "\n```\nBye."}})...)
		c := newClient(t, nil)
		for _, attempts := range []int{len(rungs) + 1, 1} {
			_, result, err := call(t.Context(), c, p, judge(p), stream)
			if err != nil || result.Rung != llm.PromptRung || string(result.Structured) != good || result.Attempts != attempts {
				t.Fatalf("%+v, %v; want %d attempts", result, err, attempts)
			}
		}
		all := p.Requests()
		last, err := json.Marshal(all[len(all)-1].Body)
		if err != nil || !strings.Contains(string(last), "Answer only with JSON") || strings.Contains(string(last), `"tools"`) {
			t.Errorf("asked with %s", last)
		}
	})
}

// TestProseIsNoRefusal: servers that ignore how they are asked are asked in another way, and the beginning is void.
func TestProseIsNoRefusal(t *testing.T) {
	p := llmtest.Start(t, llmtest.Compatible)
	p.Answer(llmtest.Answer{Text: []string{"It is quite good."}}, llmtest.Answer{Calls: []llmtest.Call{{ID: "c", Name: "json", Arguments: good}}})
	events, result, err := call(t.Context(), newClient(t, nil), p, judge(p), true)
	if err != nil || result.Rung != llm.ToolRung || string(result.Structured) != good || said(events, llm.TextEvent) != good {
		t.Errorf("%+v, %v, %+v", result, err, events)
	}
	if !slices.ContainsFunc(events, func(e llm.Event) bool { return e.Kind == llm.RestartEvent }) {
		t.Errorf("nothing says that the beginning is void: %+v", events)
	}
}

func TestRepair(t *testing.T) {
	eachWay(t, func(t *testing.T, p *llmtest.Provider, stream bool) {
		wrong, right := llmtest.Answer{Text: []string{tooHigh}}, llmtest.Answer{Text: []string{good}}
		if !hasNative(p.API) {
			wrong = llmtest.Answer{Calls: []llmtest.Call{{ID: "c", Name: "json", Arguments: tooHigh}}}
		}
		p.Answer(wrong, right)
		_, result, err := call(t.Context(), newClient(t, nil), p, judge(p), stream)
		if err != nil || !result.Repaired || string(result.Structured) != good || result.Usage["input"] != 160 {
			t.Errorf("%+v, %v", result, err)
		}
		sent, err := json.Marshal(p.Requests()[1].Body)
		if err != nil || !strings.Contains(string(sent), "/score") {
			t.Errorf("the model is not told what is wrong: %s", sent)
		}
		p.Answer(wrong)
		_, result, err = call(t.Context(), newClient(t, nil), p, judge(p), stream)
		failed, ok := errors.AsType[*llm.Error](err)
		if !ok || failed.Kind != llm.Unstructured || !strings.Contains(failed.Message, "/score") || result.Attempts != 2 || result.Structured != nil {
			t.Errorf("%+v, %v", result, err)
		}
		p.Answer(llmtest.Answer{Text: []string{good[:30]}, Length: true})
		_, result, err = call(t.Context(), newClient(t, nil), p, judge(p), stream)
		if failed, ok = errors.AsType[*llm.Error](err); !ok || failed.Kind != llm.Cut {
			t.Errorf("%+v, %v", result, err)
		}
	})
}

// TestForgivenAnswers: what models write instead of what they are asked for, without any loss of meaning.
func TestForgivenAnswers(t *testing.T) {
	p := llmtest.Start(t, llmtest.OpenAI)
	c := newClient(t, nil)
	for answer, want := range map[string]string{
		`{"reasoning":"r","score":"0.5","label":" good "}`:                `{"label":"Good","reasoning":"r","score":0.5}`,
		"```json\n" + good + "\n```":                                      good,
		"<think>{\"score\":1}</think>" + good:                             good,
		"{not json} and then " + good + " and " + tooHigh:                 good,
		`{"score":1} ` + good:                                             good,
		"thoughts whose beginning is missing, {\"a\":1}</think>\n" + good: good,
	} {
		p.Answer(llmtest.Answer{Text: []string{answer}})
		result, err := c.Complete(t.Context(), p.Connection(), judge(p))
		if err != nil || string(result.Structured) != want || result.Repaired {
			t.Errorf("%s: %s, %v", answer, result.Structured, err)
		}
	}
	for schema, answers := range map[string]map[string]string{
		`{"type":"number"}`:                          {"5": "5", "\t\"5\"\n": "5", "```\n7\n```": "7"},
		`{"type":"string","enum":["Good","Bad"]}`:    {"GOOD.": `"Good"`, `"bad"`: `"Bad"`},
		`{"type":"array","items":{"type":"number"}}`: {`Here: ["1", 2]`: `[1,2]`},
	} {
		for answer, want := range answers {
			p.Answer(llmtest.Answer{Text: []string{answer}})
			req := judge(p)
			req.Schema = &llm.Schema{JSON: json.RawMessage(schema)}
			result, err := c.Complete(t.Context(), p.Connection(), req)
			if err != nil || string(result.Structured) != want || result.Rung != llm.PromptRung {
				t.Errorf("%s %q: %s, %v", schema, answer, result.Structured, err)
			}
		}
	}
}
