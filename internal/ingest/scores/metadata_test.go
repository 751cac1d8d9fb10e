package scores

import (
	"testing"

	"almanac/internal/decode"
)

func TestReadMetadata(t *testing.T) {
	for sent, want := range map[string]string{
		`null`: "", `0`: "", `-0.0`: "", `false`: "", `""`: "", `{}`: "", `{ }`: "",
		`true`: `{"metadata":true}`, `1`: `{"metadata":1}`, `"x"`: `{"metadata":"x"}`, `[]`: `{"metadata":[]}`,
		`[1, 2]`:                  `{"metadata":[1,2]}`,
		`{"a": {"b": [1, 2.50]}}`: `{"a":{"b":[1,2.50]}}`,
		// Strings that look like JSON stay strings, numbers keep their digits, fields keep their order.
		`{"b":"1","a":"true","c":"{}"}`: `{"b":"1","a":"true","c":"{}"}`,
		`{"n":12345678901234567890}`:    `{"n":12345678901234567890}`,
		`{"n":"0613"}`:                  `{"n":"0613"}`,
		"{\"a\":\"\xff\"}":              `{"a":"` + "\uFFFD" + `"}`,
	} {
		if got := readMetadata(decode.NewBody([]byte(sent))); got != want {
			t.Errorf("%s became %s, want %s", sent, got, want)
		}
	}
	if got := readMetadata(decode.NewBody(nil)); got != "" {
		t.Errorf("absent metadata became %s", got)
	}
}

func TestMergeMetadata(t *testing.T) {
	cases := []struct {
		name    string
		objects []string
		want    string
	}{
		{"nothing", nil, ""},
		{"nothing but empty ones", []string{"", ""}, ""},
		{"one, as it was written", []string{"", `{"b":1,"a":2}`, ""}, `{"b":1,"a":2}`},
		{"keys of both", []string{`{"a":1}`, `{"b":2}`}, `{"a":1,"b":2}`},
		{"the later value", []string{`{"a":1}`, `{"a":"x"}`, `{"a":3}`}, `{"a":3}`},
		{"objects within", []string{`{"a":{"x":1,"y":{"z":1}}}`, `{"a":{"y":{"w":2}}}`}, `{"a":{"x":1,"y":{"w":2,"z":1}}}`},
		{"an object replaces a value", []string{`{"a":1}`, `{"a":{"x":1}}`}, `{"a":{"x":1}}`},
		{"a value replaces an object", []string{`{"a":{"x":1}}`, `{"a":null}`}, `{"a":null}`},
		{"lists are replaced", []string{`{"a":[1,2]}`, `{"a":[3]}`}, `{"a":[3]}`},
		{
			"digits and texts stay",
			[]string{`{"a":1.50,"b":"<&>"}`, `{"c":12345678901234567890}`},
			`{"a":1.50,"b":"<&>","c":12345678901234567890}`,
		},
		{"what is no object adds nothing", []string{`broken`, `{"a":1}`}, `{"a":1}`},
	}
	for _, c := range cases {
		if got := mergeMetadata(c.objects); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
