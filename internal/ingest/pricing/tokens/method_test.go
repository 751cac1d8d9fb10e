package tokens

import "testing"

func TestMethodOf(t *testing.T) {
	openai := func(e encoding, chat bool) Method { return Method{known: true, encoding: e, chat: chat} }
	for _, test := range []struct {
		id, config string
		want       Method
	}{
		{"openai", `{"tokenizerModel":"gpt-4o"}`, openai(o200kBase, true)},
		{"openai", `{"tokenizerModel":"gpt-4o-2024-05-13"}`, openai(o200kBase, true)},
		{"openai", `{"tokenizerModel":"gpt-4o-mini"}`, openai(o200kBase, false)},
		{"openai", `{"tokenizerModel":"gpt-4.1"}`, openai(o200kBase, false)},
		{"openai", `{"tokenizerModel":"gpt-5-mini"}`, openai(o200kBase, false)},
		{"openai", `{"tokenizerModel":"o3-mini"}`, openai(o200kBase, false)},
		{"openai", `{"tokenizerModel":"chatgpt-4o-latest"}`, openai(o200kBase, false)},
		{"openai", `{"tokenizerModel":"gpt-4"}`, openai(cl100kBase, true)},
		{"openai", `{"tokenizerModel":"gpt-4-0314"}`, openai(cl100kBase, true)},
		{"openai", `{"tokenizerModel":"gpt-4-32k-0613"}`, openai(cl100kBase, true)},
		{"openai", `{"tokenizerModel":"gpt-4-turbo-preview"}`, openai(cl100kBase, false)},
		{"openai", `{"tokenizerModel":"gpt-4-vision-preview"}`, openai(cl100kBase, true)},
		{"openai", `{"tokenizerModel":"gpt-3.5-turbo-16k-0613"}`, openai(cl100kBase, true)},
		{"openai", `{"tokenizerModel":"gpt-3.5-turbo-0125"}`, openai(cl100kBase, false)},
		{"openai", `{"tokenizerModel":"gpt-35-turbo"}`, openai(cl100kBase, true)},
		{"openai", `{"tokenizerModel":"text-embedding-ada-002"}`, openai(cl100kBase, false)},
		{"openai", `{"tokenizerModel":"babbage-002"}`, openai(cl100kBase, false)},
		{"openai", `{"tokenizerModel":"davinci-002"}`, openai(cl100kBase, false)},
		{"openai", `{"tokenizerModel":"text-davinci-002"}`, openai(p50kBase, false)},
		{"openai", `{"tokenizerModel":"text-davinci-003"}`, openai(p50kBase, false)},
		{"openai", `{"tokenizerModel":"text-davinci-001"}`, openai(r50kBase, false)},
		{"openai", `{"tokenizerModel":"text-curie-001"}`, openai(r50kBase, false)},
		{
			"openai", `{"tokenizerModel":"gpt-3.5-turbo-0301","tokensPerMessage":4,"tokensPerName":-1}`,
			Method{known: true, encoding: cl100kBase, chat: true, perMessage: 4, perName: -1},
		},
		{"openai", `{"tokenizerModel":"gpt-44"}`, Method{}},
		{"openai", `{"tokenizerModel":"something-else"}`, Method{}},
		{"openai", `{"tokenizerModel":7}`, Method{}},
		{"openai", `[]`, Method{}},
		{"openai", ``, Method{}},
		{"claude", `{"tokenizerModel":"gpt-4"}`, Method{}},
		{"", `{"tokenizerModel":"gpt-4"}`, Method{}},
	} {
		if got := MethodOf(test.id, []byte(test.config)); got != test.want {
			t.Errorf("MethodOf(%q, %s) = %+v, want %+v", test.id, test.config, got, test.want)
		}
	}
	if (MethodOf("openai", nil) != Method{}) {
		t.Error("a definition without a configuration has a method")
	}
}
