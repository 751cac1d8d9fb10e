package domain

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVariablesOfPrompts(t *testing.T) {
	for prompt, want := range map[string][]string{
		"":                              {},
		"none":                          {},
		"{{a}} {{ b }} {{a}} {{_c1}}":   {"a", "b", "_c1"},
		"{{1a}} {{a b}} {{}} {{a-b}}":   {},
		"{{ {{a}} }}":                   {"a"},
		"{{a}":                          {},
		"{{{a}}}":                       {},
		"{{a}}{{b}}}}{{":                {"a", "b"},
		"{\"json\": {\"x\": {{value}}}": {"value"},
	} {
		d := EvaluatorDefinition{Prompt: []ChatMessage{{Role: "user", Content: prompt}}}
		if diff := cmp.Diff(want, d.Variables(EvaluatorJudge)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", prompt, diff)
		}
	}
	several := EvaluatorDefinition{Prompt: []ChatMessage{{Content: "{{b}}"}, {Content: "{{a}}{{b}}"}}}
	if diff := cmp.Diff([]string{"b", "a"}, several.Variables(EvaluatorJudge)); diff != "" {
		t.Errorf("several messages (-want +got):\n%s", diff)
	}
}
