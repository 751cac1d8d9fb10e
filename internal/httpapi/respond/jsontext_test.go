package respond

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestIsJSON(t *testing.T) {
	valid := []string{
		`{}`, `[]`, ` {} `, "\t[\r\n1 , 2 ]", `""`, `"a"`, `"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00"`, `"é"`, `0`, `-0`, `12`, `1.50`, `1e5`,
		`1E+5`, `-1.5e-10`, `true`, `false`, `null`, `{"a":1}`, `{"a":{"b":[1,{"c":null}]},"d":"e"}`, `[[],[[]],{}]`,
		`"` + strings.Repeat("long text ", 10) + `"`, `{ "a" : 1 , "b" : 2 }`,
	}
	for _, text := range valid {
		if !isJSON(text) {
			t.Errorf("%q is not taken for JSON", text)
		}
	}
	invalid := []string{
		``, ` `, `{`, `}`, `[`, `]`, `[1`, `[1,`, `[1,]`, `[,]`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{"a" 1}`, `{a:1}`, `{1:1}`,
		`"`, `"a`, `"\`, `"\"`, `"\x"`, `"\u12"`, `"\u12g4"`, "\"\n\"", "\"\x00\"", `01`, `00`, `-`, `-a`, `1.`, `.5`, `1e`, `1e+`, `+1`, `0x1`, `1 2`,
		`tru`, `True`, `nul`, `nan`, `NaN`, `Infinity`, `'a'`, `{} {}`, `[1 2]`, `a`, "\xff", `//`, `{"a":1}}`, "1\u00a0",
	}
	for _, text := range invalid {
		if isJSON(text) {
			t.Errorf("%q is taken for JSON", text)
		}
	}
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	if !isJSON(deep(maxNesting)) || isJSON(deep(maxNesting+1)) || isJSON(strings.Repeat(`{"a":`, 1<<20)) {
		t.Error("nesting is not bounded where it should be")
	}
}

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
		if got := string(appendParsed(nil, text)); got != want {
			t.Errorf("appendParsed(%q) = %s, want %s", text, got, want)
		}
	}
}

func FuzzIsJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-2.5e3,"\u00e9\n",true,null]}`, ` [] `, `"\ud800"`, `{"a":1,}`, `1e400`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Count(text, "[")+strings.Count(text, "{") >= maxNesting {
			return
		}
		if got, want := isJSON(text), json.Valid([]byte(text)); got != want {
			t.Fatalf("isJSON(%q) = %v, want %v", text, got, want)
		}
		written := appendParsed(nil, text)
		if !json.Valid(written) || !utf8.Valid(written) {
			t.Fatalf("%q became %q", text, written)
		}
	})
}

func TestMembers(t *testing.T) {
	type pair struct{ name, value string }
	for _, c := range []struct {
		text  string
		want  []pair
		whole bool
	}{
		{`{}`, nil, true},
		{` { } `, nil, true},
		{`{"a":1}`, []pair{{"a", "1"}}, true},
		{"{ \"a\" : [1, 2] ,\n\"b.c\":\"x,}\" } ", []pair{{"a", "[1, 2]"}, {"b.c", `"x,}"`}}, true},
		{`{"a\"b":{}}`, []pair{{`a\"b`, "{}"}}, true},
		{``, nil, false},
		{`[]`, nil, false},
		{`{`, nil, false},
		{`{"a":1`, []pair{{"a", "1"}}, false},
		{`{"a":1,`, []pair{{"a", "1"}}, false},
		{`{"a":1,}`, []pair{{"a", "1"}}, false},
		{`{,"a":1}`, nil, false},
		{`{"a":1 "b":2}`, []pair{{"a", "1"}}, false},
		{`{"a":1}x`, []pair{{"a", "1"}}, false},
		{`{"a":tru}`, nil, false},
		{`{"a"}`, nil, false},
		{`{"a":}`, nil, false},
	} {
		m := membersOf(c.text)
		var got []pair
		for m.next() {
			got = append(got, pair{m.name, m.value})
			if c.text[m.start:m.at] != m.value {
				t.Errorf("%q: the value %q is said to be at %d to %d", c.text, m.value, m.start, m.at)
			}
		}
		if len(got) != len(c.want) || m.whole != c.whole {
			t.Errorf("%q has members %q, whole = %v; want %q, %v", c.text, got, m.whole, c.want, c.whole)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("member %d of %q is %q, want %q", i, c.text, got[i], c.want[i])
			}
		}
		if m.next() {
			t.Errorf("%q goes on after its end", c.text)
		}
	}
}
