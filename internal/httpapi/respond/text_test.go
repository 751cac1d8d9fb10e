package respond

import (
	"strings"
	"testing"
)

func TestAppendParsed(t *testing.T) {
	for text, want := range map[string]string{
		"":                 `null`,
		"null":             `null`,
		"2":                `2`,
		`"quoted"`:         `"quoted"`,
		`{"a": [1, true]}`: `{"a": [1, true]}`,
		"plain text":       `"plain text"`,
		`{"a":`:            `"{\"a\":"`,
		"007":              `"007"`,
		"{\"a\":\"\xff\"}": "{\"a\":\"\uFFFD\"}",
		"\xff":             "\"\uFFFD\"",
		strings.Repeat("[", 300) + strings.Repeat("]", 300): `"` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `"`,
	} {
		if got := string(appendParsed(nil, "", text, nil)); got != want {
			t.Errorf("%q is written as %s, want %s", text, got, want)
		}
	}
}

func TestAppendTexts(t *testing.T) {
	for _, c := range []struct {
		texts []string
		want  string
	}{{nil, `[]`}, {[]string{}, `[]`}, {[]string{"a"}, `["a"]`}, {[]string{"a", "", `"`}, `["a","","\""]`}} {
		if got := string(appendTexts(nil, "", c.texts)); got != c.want {
			t.Errorf("appendTexts(%q) = %s, want %s", c.texts, got, c.want)
		}
	}
}
