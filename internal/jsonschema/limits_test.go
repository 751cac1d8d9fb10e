package jsonschema

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/decode"
	"almanac/internal/jsontext"
)

const tooComplex = "# schema: schema is too complex for this value"

func TestLengthOfSchema(t *testing.T) {
	t.Parallel()
	sized := func(title string, length int) string {
		schema := `{"title":"` + title + `"}`
		return `{ "title" : "` + title + strings.Repeat("x", length-len(schema)) + "\" }\n"
	}
	tests := []struct {
		name, schema, want string
	}{
		{"as long as allowed, without blanks", sized("", 10_000), ""},
		{"one more", sized("", 10_001), "#: schema has 10001 characters, more than 10000"},
		{"characters count, not bytes", sized("ééééé", 10_005), ""},
		{"outside the first plane they count twice", sized("😀😀", 10_005), "#: schema has 10001 characters, more than 10000"},
		{"what needs an escape counts with it", sized(`\u0001\n\"`, 10_001), "#: schema has 10001 characters, more than 10000"},
		{"what needs none counts without", sized(`\u0041`, 10_005), ""},
		{
			"numbers count as they are written again",
			`{"default":[` + strings.Repeat("1.0000000000,", 2_000) + `1e2,{},[]]}`, "",
		},
	}
	for _, test := range tests {
		_, err := Compile([]byte(test.schema))
		if got := fmt.Sprint(err); err != nil && got != test.want || err == nil && test.want != "" {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}

func nested(open, inner, end string, levels int) string {
	return strings.Repeat(open, levels) + inner + strings.Repeat(end, levels)
}

func TestNesting(t *testing.T) {
	t.Parallel()
	const levels = jsontext.MaxDepth
	if _, err := Compile([]byte(nested(`{"not":`, "true", "}", levels))); err != nil {
		t.Errorf("schema of %d levels: %v", levels, err)
	}
	if _, err := Compile([]byte(nested(`{"not":`, "true", "}", levels+1))); !errors.Is(err, decode.ErrNotJSON) {
		t.Errorf("schema of one level more: got %v", err)
	}
	s := compiled(t, `{"type":"array","items":{"$ref":"#"}}`)
	if got := s.Validate([]byte(nested("[", "", "]", levels))); got != nil {
		t.Errorf("value of %d levels: %v", levels, got)
	}
	got := lines(s.Validate([]byte(nested("[", "", "]", levels+1))))
	if len(got) != 1 || !strings.HasPrefix(got[0], "# : must be JSON: not valid JSON") {
		t.Errorf("value of one level more: got %v", got)
	}
	got = lines(s.Validate([]byte("[")))
	if diff := cmp.Diff([]string{"# : must be JSON: not valid JSON"}, got); diff != "" {
		t.Errorf("no JSON (-want +got):\n%s", diff)
	}
}

func TestNumberOfViolations(t *testing.T) {
	t.Parallel()
	s := compiled(t, `{"type":"array","items":{"type":"string"}}`)
	got := s.Validate([]byte("[" + strings.Repeat("1,", 500) + "1]"))
	if len(got) != 100 || got[99].Path != "/99" {
		t.Errorf("got %d violations, the last %v", len(got), got[len(got)-1])
	}
	s = compiled(t, `{"type":"object","additionalProperties":{"type":"array","items":{"type":"string"}}}`)
	got = s.Validate([]byte(`{"` + strings.Repeat("x", 60_000) + `":[` + strings.Repeat("1,", 500) + "1]}"))
	if len(got) != 2 {
		t.Errorf("got %d violations with paths of 60 KB, want 2", len(got))
	}
	s = compiled(t, `{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}`)
	got = s.Validate([]byte("[" + strings.Repeat("1,", 500) + "1]"))
	if len(got) != 100 || got[0].Path != "/0" || got[99].Path != "/99" {
		t.Errorf("got %d violations of an alternative, the first %v", len(got), got[0])
	}
}

// No pair of a schema and a value takes more than a moment.
func TestWorkIsBounded(t *testing.T) {
	t.Parallel()
	var doubling strings.Builder
	for i := range 60 {
		fmt.Fprintf(&doubling, `"%d":{"allOf":[{"$ref":"#/definitions/%d"},{"$ref":"#/definitions/%d"}]},`, i, i+1, i+1)
	}
	numbers := "[" + strings.Repeat("1,", 200_000) + "2]"
	tests := []struct{ name, schema, value string }{
		{"doubling", `{"$ref":"#/definitions/0","definitions":{` + doubling.String() + `"60":{"type":"number"}}}`, "1"},
		{
			"doubling that is not met",
			strings.ReplaceAll(`{"$ref":"#/definitions/0","definitions":{`+doubling.String()+`"60":{"type":"string"}}}`, "allOf", "anyOf"),
			"1",
		},
		{"doubling inside not", `{"not":{"$ref":"#/definitions/0"},"definitions":{` + doubling.String() + `"60":{"type":"number"}}}`, "1"},
		{
			"three alternatives for each of many items",
			`{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"null"},{"type":"number"}]}}`, numbers,
		},
		{
			"large numbers", `{"type":"array","items":{"type":"number","minimum":1.5,"maximum":1e399}}`,
			strings.ReplaceAll(numbers, "1", "1e390"),
		},
		{
			"long lists that are compared with each other", `{"type":"array","uniqueItems":true}`,
			"[" + numbers + "," + strings.Replace(numbers, "2", "3", 1) + strings.Repeat(",[]", 18) + "]",
		},
		{"endless", `{"anyOf":[{"type":"string"},{"$ref":"#"}]}`, "1"},
		{"endless and wide", `{"allOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"}]}`, "1"},
		{"endless inside not", `{"not":{"$ref":"#"}}`, "1"},
		{"endless inside if", `{"if":{"$ref":"#"},"then":{"$ref":"#"},"else":{"$ref":"#"}}`, "1"},
		{
			"large expression on a long text", `{"type":"string","pattern":"(a?){4000}b"}`,
			`"` + strings.Repeat("a", 300_000) + `"`,
		},
		{
			"many large constants",
			`{"type":"array","items":{"enum":[` + strings.Repeat(`[1],[2,`, 1) + strings.Repeat("0,", 4_000) + `0]]}}`, numbers,
		},
		{
			"keys of arrays at every level", `{"type":"array","uniqueItems":true,"items":{"$ref":"#"}}`,
			nested("[", `"`+strings.Repeat("x", 300_000)+`"`, "]", 199),
		},
		{
			"long names in paths that are forgotten",
			`{"type":"object","additionalProperties":{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"number"}]}}}`,
			`{"` + strings.Repeat("x", 1_000_000) + `":` + numbers + "}",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := lines(compiled(t, test.schema).Validate([]byte(test.value)))
			if diff := cmp.Diff([]string{tooComplex}, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Values that are merely large are checked.
func TestLargeValuesAreChecked(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, schema, value string }{
		{"items", `{"type":"array","items":{"type":"integer","minimum":1}}`, "[" + strings.Repeat("1,", 1_000_000) + "1]"},
		{"text", `{"type":"string","minLength":1,"pattern":"^[a-z]+$"}`, `"` + strings.Repeat("a", 4_000_000) + `"`},
		{
			"objects",
			`{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"number"}},` +
				`"required":["a"],"additionalProperties":false}}`,
			"[" + strings.Repeat(`{"a":"x","b":1},`, 100_000) + `{"a":""}]`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := compiled(t, test.schema).Validate([]byte(test.value)); got != nil {
				t.Errorf("violations %v", got)
			}
		})
	}
}

func TestPatternsAreBounded(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, schema, want string }{
		{"one", `{"type":"string","pattern":"a{20001}"}`, `#: pattern "a{20001}" is too large`},
		{"beyond numbers", `{"type":"string","pattern":"a{99999999999999999999}"}`, `#: pattern "a{99999999999999999999}" is too large`},
		{"nested", `{"type":"string","pattern":"((a{100}){100}){100}"}`, `#: pattern "((a{100}){100}){100}" is too large`},
		{
			"together", `{"type":"object","patternProperties":{"a{15000}":{"type":"null"},"b{15000}":{"type":"null"}}}`,
			`#: pattern "b{15000}" and the others are too large together`,
		},
		{
			"groups", `{"type":"string","pattern":"` + nested("(", "a", ")", 102) + `"}`,
			`#: pattern "` + nested("(", "a", ")", 102) + `" has more than 100 groups within each other`,
		},
	}
	for _, test := range tests {
		if _, err := Compile([]byte(test.schema)); err == nil || err.Error() != test.want {
			t.Errorf("%s:\n got %v\nwant %s", test.name, err, test.want)
		}
	}
}
