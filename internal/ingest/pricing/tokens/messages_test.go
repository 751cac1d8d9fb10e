package tokens

import (
	"strings"
	"testing"
)

func TestCountOfTextsAndMessages(t *testing.T) {
	c := NewCounter()
	chat := MethodOf("openai", []byte(`{"tokenizerModel":"gpt-4","tokensPerMessage":3,"tokensPerName":1}`))
	plain := MethodOf("openai", []byte(`{"tokenizerModel":"text-embedding-ada-002"}`))
	old := MethodOf("openai", []byte(`{"tokenizerModel":"gpt-3.5-turbo-0301","tokensPerMessage":4,"tokensPerName":-1}`))
	v := c.vocabularyOf(cl100kBase) // for all three
	for _, test := range []struct {
		name   string
		method Method
		text   string
		same   string // text counts as many tokens as this string, and a few more
		plus   int
	}{
		{"a text", chat, "hello world", "hello world", 0},
		{"a number", chat, "12345", "12345", 0},
		{"a JSON string", chat, `"hello \u0041\nworld"`, "hello A\nworld", 0},
		{"quoted, but no JSON string", chat, `"hello" world`, `"hello" world`, 0},
		{"an object", chat, "{\n  \"a\": [1, 2.50],\n  \"b\": \"\\u00e9\"\n}", `{"a":[1,2.5],"b":"é"}`, 0},
		{"cut JSON", chat, `{"a": [1, 2`, `{"a": [1, 2`, 0},
		{"blanks", chat, " \n", " \n", 0},
		{"a list of other things", chat, `[ 1, {"role": "user"} ]`, `[1,{"role":"user"}]`, 0},
		{"an empty list", chat, `[]`, "", 3},
		{"an empty list for a model without messages", plain, `[]`, "[]", 0},
		{"a message", chat, `[{"role":"user","content":"hello"}]`, "hello", 3 + 3 + 1},
		{"two messages", chat, `[{"role":"system","content":""},{"role":"user","content":"hello"}]`, "hello", 3 + 6 + 2},
		{"a message of a model without messages", plain, `[{"role": "user","content":"hi"}]`, `[{"role":"user","content":"hi"}]`, 0},
		{"a message with other members", chat, `[{"role":"user","content":"hello","id":"x"}]`, "hello", 3 + 3 + 1},
		{"a message with a name", chat, `[{"role":"user","content":"hello","name":"user"}]`, "hello", 3 + 3 + 1 + 1 + 1},
		{"a message with an empty name", chat, `[{"role":"user","content":"hello","name":""}]`, "hello", 3 + 3 + 1 + 1},
		{"a name that saves a token", old, `[{"role":"user","content":"hello","name":"user"}]`, "hello", 3 + 4 + 1 + 1 - 1},
		{"a name that is no text", chat, `[{"role":"user","content":"hello","name":1}]`, `[{"role":"user","content":"hello","name":1}]`, 0},
		{"a null name", chat, `[{"role":"user","content":"hello","name":null}]`, `[{"role":"user","content":"hello","name":null}]`, 0},
		{"a content that is no text", chat, `[{"role":"user","content":null}]`, `[{"role":"user","content":null}]`, 0},
		{
			"one message that is none", chat, `[{"role":"user","content":"a"},{"role":"user"}]`,
			`[{"role":"user","content":"a"},{"role":"user"}]`, 0,
		},
		{
			"tool calls", chat,
			`[{"role":"user","content":"hello","tool_calls":[{"id": 1}],"function_call":null,"toolCalls":0,"functionCall":false}]`,
			`[{"id":1}]`, 3 + 3 + 1 + 1,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := c.Count(test.method, test.text)
			if want := v.count(test.same) + test.plus; !ok || got != want {
				t.Errorf("%q has %d tokens (%v), want %d", test.text, got, ok, want)
			}
		})
	}
}

// FuzzCount searches for texts that panic or have no tokens.
func FuzzCount(f *testing.F) {
	for _, text := range splitTexts {
		f.Add(text)
	}
	f.Add(`[{"role":"user","content":"hello","tool_calls":[{}]}]`)
	f.Add(strings.Repeat("[", 400))
	c := NewCounter()
	m := MethodOf("openai", []byte(`{"tokenizerModel":"gpt-4","tokensPerMessage":3,"tokensPerName":1}`))
	c.vocabularyOf(m.encoding)
	f.Fuzz(func(t *testing.T, text string) {
		n, ok := c.Count(m, text)
		if ok != (len(text) <= MaxText) || n < 0 || n > len(text)*6+perChat+16 {
			t.Errorf("%d bytes have %d tokens, %v", len(text), n, ok)
		}
	})
}
