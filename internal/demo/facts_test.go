package demo

import "testing"

func TestFacts(t *testing.T) {
	f := facts{"order": "4711", "name": "{order}"}
	for text, want := range map[string]string{
		"":                          "",
		"no names":                  "no names",
		"{order}":                   "4711",
		"order {order}, {order}!":   "order 4711, 4711!",
		`{"a":{"order":"{order}"}}`: `{"a":{"order":"4711"}}`,
		"{unknown} {order}":         "{unknown} 4711",
		"{{order}}":                 "{4711}",
		"open { and {order":         "open { and {order",
		"{name}":                    "{order}", // replacements are not expanded again
	} {
		if got := f.in(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
