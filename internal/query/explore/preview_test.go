package explore

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPreview(t *testing.T) {
	for _, c := range []struct{ name, text, role, want string }{
		{"nothing", " ", "user", ""},
		{"a text", "Hello  there", "user", "Hello  there"},
		{"a text in JSON", `"Hello\nthere"`, "user", "Hello\nthere"},
		{
			"messages",
			`[{"role":"system","content":"s"},{"role":"user","content":"first"},{"role":"assistant","content":"a"},{"role":"user","content":"last"}]`, "user", "last",
		},
		{"messages that end with a tool", `[{"role":"user","content":"asked"},{"role":"tool","content":"found"}]`, "user", "asked"},
		{"nobody of the role", `[{"role":"system","content":"only this"}]`, "user", "only this"},
		{
			"parts",
			`[{"role":"user","content":[{"type":"text","text":"look at"},{"type":"image_url","image_url":{}},{"type":"text","text":"this"}]}]`, "user", "look at\nthis",
		},
		{"messages in an object", `{"model":"m","messages":[{"role":"user","content":"hi"}]}`, "user", "hi"},
		{"a choice", `{"choices":[{"index":0,"message":{"role":"assistant","content":"answer"}}]}`, "assistant", "answer"},
		{"a message", `{"role":"assistant","content":"answer"}`, "assistant", "answer"},
		{"Gemini", `{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`, "user", "hi"},
		{
			"Anthropic", `{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"answer"}]}`,
			"assistant", "answer",
		},
		{"LangChain", `{"messages":[{"type":"human","content":"hi"},{"type":"ai","content":"answer"}]}`, "user", "hi"},
		{"JSON in a text in JSON", `"[{\"role\":\"user\",\"content\":\"deep\"}]"`, "user", "deep"},
		{"something else", "{ \"a\": [1, 2],\n\"b\": \"\\u5f53\" }", "user", `{"a":[1,2],"b":"当"}`},
		{
			"a call of a tool only", `{"role":"assistant","content":null,"tool_calls":[{"id":"1"}]}`, "assistant",
			`{"role":"assistant","content":null,"tool_calls":[{"id":"1"}]}`,
		},
		{"broken", `[{"role":"user","con`, "user", `[{"role":"user","con`},
	} {
		if got := Preview(c.text, c.role); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := Preview(strings.Repeat("当", 1000), "user"); got != strings.Repeat("当", PreviewLength) {
		t.Errorf("a long text: %d characters", utf8.RuneCountInString(got))
	}
}

// FuzzPreview checks that the preview of any text is short and valid UTF-8.
func FuzzPreview(f *testing.F) {
	for _, text := range []string{
		`[{"role":"user","content":"x"}]`, `"\u5`, `{"messages":[[`, "\xff\xfe", `{"content":{"content":{"parts":["a"]}}}`,
		`[[[[[["a"]]]]]]`, `{"a":"\ud83d"}`, `{"a":"\`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Preview(text, "user")
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > PreviewLength {
			t.Errorf("%q", got)
		}
	})
}
