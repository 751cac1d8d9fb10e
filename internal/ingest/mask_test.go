package ingest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

func masksOf(t *testing.T, rules string) *Masks {
	t.Helper()
	m, err := parseMasks([]byte(rules))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMaskedText(t *testing.T) {
	const digits = `[{"projectId":"*","pattern":"[0-9]{4}","replacement":"####"}]`
	cases := []struct{ name, rules, text, want string }{
		{"plain text", digits, "card 1234 5678", "card #### ####"},
		{"no match", digits, "card 123", "card 123"},
		{"a text in JSON", digits, `{"card": "1234", "name":"x"}`, `{"card": "####", "name":"x"}`},
		{"a number in JSON becomes a text", digits, `{"card":1234,"n":12}`, `{"card":"####","n":12}`},
		{"part of a number", digits, `[-12345.5e3]`, `["-####5.5e3"]`},
		{"names of members stay", digits, `{"1234":"1234"}`, `{"1234":"####"}`},
		{"names with a blank behind them", digits, `{"1234" : [ "1234" ]}`, `{"1234" : [ "####" ]}`},
		{"a JSON string", digits, `"say 1234"`, `"say ####"`},
		{"escapes are read", digits, `["12\u00334"]`, `["####"]`},
		{"escapes are written", `[{"projectId":"*","pattern":"secret","replacement":"\"x\"\n<&>"}]`, `["a secret"]`, `["a \"x\"\n<&>"]`},
		{
			"quotes in texts", `[{"projectId":"*","pattern":"pass=\"[^\"]*\"","replacement":"pass=?"}]`, `["pass=\"1\" and \\", "pass=1"]`,
			`["pass=? and \\", "pass=1"]`,
		},
		{"formatting stays", digits, "{\n  \"a\": [ 1, 2 ],\n  \"b\": \"1234\"\n}", "{\n  \"a\": [ 1, 2 ],\n  \"b\": \"####\"\n}"},
		{"what only looks like JSON", digits, `{"card": 1234`, `{"card": ####`},
		{"groups", `[{"projectId":"*","pattern":"(\\w+)@(\\w+)","replacement":"${1}@example"}]`, "jo@home", "jo@example"},
		{"removal", `[{"projectId":"*","pattern":"x","replacement":""}]`, "axb", "ab"},
		{
			"rules in order", `[{"projectId":"*","pattern":"a","replacement":"b"},{"projectId":"*","pattern":"b","replacement":"c"}]`,
			"ab", "cc",
		},
		{
			"deep JSON", digits, strings.Repeat("[", 20_000) + "1234" + strings.Repeat("]", 20_000),
			strings.Repeat("[", 20_000) + "####" + strings.Repeat("]", 20_000),
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := c.text
			for _, rule := range masksOf(t, c.rules).of("any") {
				text = rule.text(text)
			}
			if text != c.want {
				t.Errorf("got %.200s\nwant %.200s", text, c.want)
			}
		})
	}
}

// TestMaskedFields puts a secret into every field and checks where it is left.
func TestMaskedFields(t *testing.T) {
	const secret = "sesame"
	row := domain.Observation{
		Input: secret, TraceInput: secret, ToolDefinitions: `{"open":"sesame"}`,
		Output: secret, TraceOutput: secret, ToolCalls: `["sesame"]`, ExperimentItemExpectedOutput: secret, StatusMessage: secret,
		Metadata: `{"a":"sesame","b":[1,"sesame"]}`, TraceMetadata: `{"a":{"b":"sesame"}}`,
		ExperimentMetadata: `{"a":"sesame"}`, ExperimentItemMetadata: `{"a":"sesame"}`,
		UserID: secret, Name: secret, // fields used as identifiers are not masked
	}
	cases := []struct {
		fields string
		want   domain.Observation
	}{
		{`["input"]`, func(o domain.Observation) domain.Observation {
			o.Input, o.TraceInput, o.ToolDefinitions = "*", "*", `{"open":"*"}`
			return o
		}(row)},
		{`["output"]`, func(o domain.Observation) domain.Observation {
			o.Output, o.TraceOutput, o.ToolCalls, o.ExperimentItemExpectedOutput, o.StatusMessage = "*", "*", `["*"]`, "*", "*"
			return o
		}(row)},
		{`["metadata"]`, func(o domain.Observation) domain.Observation {
			o.Metadata, o.TraceMetadata, o.ExperimentMetadata, o.ExperimentItemMetadata = `{"a":"*","b":[1,"*"]}`, `{"a":{"b":"*"}}`,
				`{"a":"*"}`, `{"a":"*"}`
			return o
		}(row)},
		{`null`, func(o domain.Observation) domain.Observation {
			return domain.Observation{
				Input: "*", TraceInput: "*", ToolDefinitions: `{"open":"*"}`,
				Output: "*", TraceOutput: "*", ToolCalls: `["*"]`, ExperimentItemExpectedOutput: "*", StatusMessage: "*",
				Metadata: `{"a":"*","b":[1,"*"]}`, TraceMetadata: `{"a":{"b":"*"}}`, ExperimentMetadata: `{"a":"*"}`,
				ExperimentItemMetadata: `{"a":"*"}`,
				UserID:                 o.UserID, Name: o.Name,
			}
		}(row)},
	}
	for _, c := range cases {
		got := row
		for _, rule := range masksOf(t, `[{"projectId":"*","fields":`+c.fields+`,"pattern":"sesame","replacement":"*"}]`).of("p") {
			rule.apply(&got)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("fields %s: %s", c.fields, diff)
		}
	}
}

func TestMaskedScore(t *testing.T) {
	masks, err := parseMasks([]byte(`[{"projectId":"p","fields":["output"],"pattern":"secret","replacement":"***"},
		{"projectId":"*","fields":["metadata"],"pattern":"[0-9]{4}","replacement":"#"}]`))
	if err != nil {
		t.Fatal(err)
	}
	for project, want := range map[string]string{
		"p": `a *** 1234|*** text|{"k":"#","n":"#","secret":"secret"}`,
		"q": `a secret 1234|secret text|{"k":"#","n":"#","secret":"secret"}`,
	} {
		comment, text, metadata := "a secret 1234", "secret text", `{"k":"1234","n":5678,"secret":"secret"}`
		masks.Score(domain.OfProject(project), &comment, &text, &metadata)
		if got := comment + "|" + text + "|" + metadata; got != want {
			t.Errorf("in %s: %s, want %s", project, got, want)
		}
	}
	var none *Masks
	text := "secret"
	none.Score(domain.OfProject("p"), &text, &text, &text)
	if text != "secret" {
		t.Errorf("no rules masked %s", text)
	}
}

func TestMasksOfAProject(t *testing.T) {
	m := masksOf(t,
		`[{"projectId":"a","pattern":"a","replacement":"1"},{"projectId":"*","pattern":"b","replacement":"2"},{"projectId":"c","pattern":"c","replacement":"3"}]`)
	for project, want := range map[string]int{"a": 2, "c": 2, "d": 1} {
		if got := len(m.of(project)); got != want {
			t.Errorf("project %s has %d rules, want %d", project, got, want)
		}
	}
	row := domain.Observation{Input: "abc"}
	m.Apply("a", &row)
	if row.Input != "12c" {
		t.Errorf("the rules of a project and those of all make %q of abc", row.Input)
	}
	if m.Rules() != 3 || len((*Masks)(nil).of("a")) != 0 || len(new(Masks).of("a")) != 0 {
		t.Error("the number of rules is wrong")
	}
}

func TestRefusedMasks(t *testing.T) {
	cases := []struct{ name, rules, want string }{
		{"not JSON", `nope`, "not a list of rules"},
		{"not a list", `{}`, "not a list of rules"},
		{"two lists", `[] []`, "something follows"},
		{"an unknown member", `[{"projectId":"*","pattern":"a","replacement":"","flags":"i"}]`, `unknown field "flags"`},
		{"no project", `[{"pattern":"a","replacement":""}]`, "rule 1: it has no projectId"},
		{"no pattern", `[{"projectId":"*","replacement":""}]`, "rule 1: it has no pattern"},
		{"no replacement", `[{"projectId":"*","pattern":"a"}]`, "rule 1: it has no replacement"},
		{
			"a bad pattern", `[{"projectId":"*","pattern":"a","replacement":""},{"projectId":"*","pattern":"(","replacement":""}]`,
			"rule 2: its pattern is no regular expression",
		},
		{"a pattern for nothing", `[{"projectId":"*","pattern":"a*","replacement":""}]`, `"a*" matches the empty text`},
		{"an unknown field", `[{"projectId":"*","fields":["userId"],"pattern":"a","replacement":""}]`, `there is no field "userId"`},
		{"no fields", `[{"projectId":"*","fields":[],"pattern":"a","replacement":""}]`, "its list of fields is empty"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "rules.json")
			if err := os.WriteFile(path, []byte(c.rules), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := LoadMasks(path)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v, want %q and the file", err, c.want)
			}
		})
	}
	if _, err := LoadMasks(filepath.Join(t.TempDir(), "missing")); err == nil ||
		!strings.Contains(err.Error(), "cannot read the masking rules") {
		t.Errorf("a missing file: %v", err)
	}
	if m, err := LoadMasks(""); err != nil || m.Rules() != 0 {
		t.Errorf("no file: %v", err)
	}
}

// FuzzMask checks that JSON stays JSON and that no match of the pattern is left.
func FuzzMask(f *testing.F) {
	for _, seed := range []string{
		`{"a":"1234","1234":[1234,-1234.5e6,"12\u00334",null,true]}`, `"\"1234"`, `[1234`, `1234`, "", "{\"\":\"\xff\"}", `["\ud800 1234"]`,
	} {
		f.Add(seed)
	}
	rule, err := newMaskRule(new("*"), nil, new("1234"), new("#"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		masked := rule.text(text)
		if !jsontext.MayContainStrings(text) || !json.Valid([]byte(text)) {
			if strings.Contains(masked, "1234") {
				t.Errorf("%q is left in %q", "1234", masked)
			}
			return
		}
		if !json.Valid([]byte(masked)) {
			t.Fatalf("%q is no JSON any more: %q", text, masked)
		}
		var value any
		decoder := json.NewDecoder(strings.NewReader(masked))
		decoder.UseNumber()
		if err := decoder.Decode(&value); err != nil {
			t.Fatal(err)
		}
		checkValues(t, value)
	})
}

func checkValues(t *testing.T, value any) {
	t.Helper()
	switch v := value.(type) {
	case map[string]any:
		for _, member := range v {
			checkValues(t, member)
		}
	case []any:
		for _, item := range v {
			checkValues(t, item)
		}
	case string:
		if strings.Contains(v, "1234") {
			t.Errorf("a text is left: %q", v)
		}
	case json.Number:
		if strings.Contains(v.String(), "1234") {
			t.Errorf("a number is left: %s", v)
		}
	}
}
