package experimenting

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/llm"
)

func textsOf(messages []llm.Message) (texts []string) {
	for _, m := range messages {
		texts = append(texts, string(m.Role)+": "+m.Parts[0].Text)
	}
	return texts
}

func TestFill(t *testing.T) {
	one := func(role, content string) []domain.PromptMessage {
		return []domain.PromptMessage{{Role: role, Content: content}}
	}
	for _, c := range []struct {
		name     string
		messages []domain.PromptMessage
		input    string
		want     []string
		problem  string
	}{
		{"members are variables", one("user", "{{ a }} and {{b}}"), `{"a":"x","b":{"c":1.50}}`, []string{`user: x and {"c":1.50}`}, ""},
		{"variables in values stay", one("user", "{{a}} {{b}}"), `{"a":"{{b}}","b":"{{a}}"}`, []string{"user: {{b}} {{a}}"}, ""},
		{"the whole input", one("system", "About {{input}}"), `{"a":"x"}`, []string{`system: About {"a":"x"}`}, ""},
		{"a member named input", one("user", "{{input}}"), `{"input":"x"}`, []string{"user: x"}, ""},
		{"a text for the only variable", one("user", "Say {{word}}, {{word}}"), `"hi"`, []string{"user: Say hi, hi"}, ""},
		{"a list for the only variable", one("user", "{{list}}"), `[1,2]`, []string{"user: [1,2]"}, ""},
		{"a text for two variables", one("user", "{{a}} {{b}}"), `"hi"`, nil, `has no "a", "b"`},
		{"an object without the only variable", one("user", "{{a}}"), `{"b":1}`, nil, `has no "a"`},
		{"null is a value", one("user", "{{a}}"), `{"a":null}`, []string{"user: null"}, ""},
		{"without variables the input follows", one("system", "Be brief."), `"hi"`, []string{"system: Be brief.", "user: hi"}, ""},
		{"no input", one("user", "{{a}}"), "", nil, "has no input"},
		{
			"messages of a placeholder",
			[]domain.PromptMessage{{Role: "system", Content: "S"}, {Placeholder: "history"}, {Role: "user", Content: "{{q}}"}},
			`{"q":"x","history":[{"role":"assistant","content":"a"},{"role":"Human","content":"b"}]}`,
			[]string{"system: S", "assistant: a", "user: b", "user: x"},
			"",
		},
		{"a placeholder without messages", []domain.PromptMessage{{Placeholder: "history"}}, `{"history":"x"}`, nil, "is not a list of messages"},
		{
			"a placeholder with a message of parts",
			[]domain.PromptMessage{{Placeholder: "history"}},
			`{"history":[{"role":"user","content":[]}]}`,
			nil,
			"whose content is not a text",
		},
		{
			"a placeholder again",
			[]domain.PromptMessage{{Placeholder: "h"}, {Placeholder: "h"}},
			`{"h":[{"role":"user","content":"a"}]}`,
			[]string{"user: a", "user: a"},
			"",
		},
		{"nothing but empty texts", one("user", "{{a}}"), `{"a":""}`, nil, "are empty"},
		{
			"many empty messages",
			slices.Repeat([]domain.PromptMessage{{Placeholder: "h"}}, 200),
			`{"h":[` + strings.Repeat(`{"role":"user","content":""},`, 100) + `{"role":"user","content":""}]}`,
			nil,
			"longer than 4 MB",
		},
		{"a long name", one("user", "{{"+strings.Repeat("n", 1000)+"}}"), `{}`, nil, `has no "` + strings.Repeat("n", 100) + `"`},
		{"a missing placeholder", []domain.PromptMessage{{Placeholder: "history"}}, `{"q":1}`, nil, `has no "history"`},
		{"too much", one("user", strings.Repeat("{{a}}", 50)), `{"a":"` + strings.Repeat("x", 100_000) + `"}`, nil, "longer than 4 MB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			item := &domain.DatasetItem{}
			if c.input != "" {
				item.Input = json.RawMessage(c.input)
			}
			p := Plan{Messages: c.messages}
			got, err := p.fill(item)
			if c.problem != "" {
				if _, ok := errors.AsType[*ItemError](err); !ok || !strings.Contains(err.Error(), c.problem) {
					t.Errorf("got %v, want a problem with %q", err, c.problem)
				}
				return
			}
			if err != nil || !slices.Equal(textsOf(got), c.want) {
				t.Errorf("got %q, %v, want %q", textsOf(got), err, c.want)
			}
		})
	}
}

func TestChecks(t *testing.T) {
	all := Checks{Equal: true, JSON: true, Schema: json.RawMessage(`{"type":"object","properties":{"a":{}},"required":["a"]}`)}
	for _, c := range []struct {
		output, expected string
		want             string // the scores that are true
	}{
		{`hello `, `"hello"`, "equals_expected"},
		{`Hello`, `"hello"`, ""},
		{` {"b":[1,2.0],"a":1}`, `{"a":1.0,"b":[1,2]}`, "equals_expected valid_json matches_schema"},
		{`{"a":12345678901234567891}`, `{"a":12345678901234567890}`, "valid_json matches_schema"},
		{`{"a":1,"b":2}`, `{"a":1}`, "valid_json matches_schema"},
		{`{"a":1} {"a":1}`, `{"a":1}`, ""},
		{"```json\n{}\n```", `{}`, ""},
		{`null`, `null`, "equals_expected valid_json"},
		{`[1]`, `[1,2]`, "valid_json"},
		{``, `""`, "equals_expected"},
	} {
		compiled, err := all.compile()
		if err != nil {
			t.Fatal(err)
		}
		var passed []string
		for _, v := range compiled.check(c.output, &domain.DatasetItem{ExpectedOutput: json.RawMessage(c.expected)}) {
			if v.passed {
				passed = append(passed, v.name)
			} else if v.name == MatchesSchema && v.comment == "" {
				t.Errorf("%s: nothing says why it does not match the schema", c.output)
			}
		}
		if got := strings.Join(passed, " "); got != c.want {
			t.Errorf("%s for %s: %q, want %q", c.output, c.expected, got, c.want)
		}
	}
	compiled, err := Checks{Equal: true}.compile()
	if err != nil {
		t.Fatal(err)
	}
	if got := compiled.check("x", &domain.DatasetItem{}); got != nil {
		t.Errorf("an item without an expected output has the scores %v", got)
	}
	if _, err := (Checks{Schema: json.RawMessage(`{"type":1}`)}).compile(); err == nil {
		t.Error("a schema that is none was compiled")
	}
}

// TestIDsAreStable: a call that is made again replaces what it left, and no two calls have the same ids.
func TestIDsAreStable(t *testing.T) {
	call := domain.ExperimentCall{ItemID: "i1"}
	if first, again := namesOf("r1", call), namesOf("r1", domain.ExperimentCall{ItemID: "i1"}); first != again {
		t.Errorf("the ids of a call are %v and %v", first, again)
	}
	seen := make(map[string]bool)
	for _, n := range []names{
		namesOf("r1", call), namesOf("r2", call), namesOf("r1", domain.ExperimentCall{ItemID: "i2"}),
		namesOf("r1", domain.ExperimentCall{ItemID: "i1", Repetition: 1}),
	} {
		for _, id := range []string{n.trace, n.root, n.generation, n.scoreID(ValidJSON), n.scoreID(EqualsExpected)} {
			if seen[id] {
				t.Errorf("%s is there twice", id)
			}
			seen[id] = true
		}
		if len(n.trace) != 32 || len(n.root) != 16 || len(n.generation) != 16 {
			t.Errorf("the ids %+v are not as long as those of spans", n)
		}
	}
}

func TestFlatMetadata(t *testing.T) {
	for text, want := range map[string]string{
		``: ``, `{}`: ``, `[1]`: ``, `"x"`: ``,
		`{"a":"x","b":{"c":[1,2],"d":null},"e":1.50}`: `{"a":"x","b.c":"[1,2]","b.d":"","e":"1.50"}`,
	} {
		if got := flatMetadata(json.RawMessage(text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	// Long names are not repeated thousands of times, and deep values not taken apart to their bottom.
	long := strings.Repeat("n", 10_000)
	many := `{"` + long + `":{` + strings.Repeat(`"a":0,`, 10_000) + `"a":0}}`
	if got := flatMetadata(json.RawMessage(many)); len(got) > 2*len(many) || !strings.Contains(got, `{\"a\":0,`) {
		t.Errorf("%d bytes became %d", len(many), len(got))
	}
	deep := strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100)
	if got := flatMetadata(json.RawMessage(deep)); !strings.Contains(got, `a.a":"{\"a\":`) || strings.Count(got, "a.") > maxFlatDepth {
		t.Errorf("deep values became %s", got)
	}
}
