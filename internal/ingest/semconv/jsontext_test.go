package semconv

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/jsontext"
)

func TestParseJSON(t *testing.T) {
	for _, text := range []string{
		`{}`, `[]`, `""`, `0`, `-0`, `-1.5e+10`, `1E5`, `true`, `false`, `null`, " \t\r\n[1] ", `{"a":{"b":[1,"x",null]}}`,
		`"\"\\\/\b\f\n\r\té\ud83d\ude00\ud800"`, `{"a":1,"a":2}`, `[ 1 , 2 ]`, `{ "a" : 1 }`, `"é"`, `[[[[]]]]`,
	} {
		if !json.Valid([]byte(text)) {
			t.Fatalf("%s is no JSON: the test is wrong", text)
		}
		if j, ok := parseJSON(text); !ok || string(j) != strings.TrimSpace(text) {
			t.Errorf("%s: %q %t", text, j, ok)
		}
	}
	for _, text := range []string{
		``, ` `, `plain`, `tru`, `nul`, `True`, `NaN`, `Infinity`, `-`, `+1`, `01`, `1.`, `.5`, `1e`, `1e+`, `0x1`, `1 2`, `1-2`,
		`"`, `"a`, `"\x"`, `"\u12"`, `"\u12g4"`, "\"a\nb\"", "\"\x00\"", `"\`, `[`, `[1`, `[1,`, `[1,]`, `[,1]`, `[1 2]`, `]`,
		`{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{a:1}`, `{"a" 1}`, `{"a":1 "b":2}`, `{1:2}`, `{}{}`, `[}`, "\ufeff{}",
		"\u00a01", "[1]\x00",
	} {
		if json.Valid([]byte(text)) {
			t.Fatalf("%s is JSON: the test is wrong", text)
		}
		if j, ok := parseJSON(text); ok {
			t.Errorf("%s passes as %q", text, j)
		}
	}
	for depth, want := range map[int]bool{jsontext.MaxDepth: true, jsontext.MaxDepth + 1: false, 1_000_000: false} {
		if _, ok := parseJSON(strings.Repeat("[", depth) + strings.Repeat("]", depth)); ok != want {
			t.Errorf("depth %d: %t", depth, ok)
		}
		if _, ok := parseJSON(strings.Repeat(`{"a":`, depth-1) + "{}" + strings.Repeat("}", depth-1)); ok != want {
			t.Errorf("depth %d of objects: %t", depth, ok)
		}
	}
}

func TestAppendJSON(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{` { "b" : [ 1 , { } , [ ] ] , "a" : "x y" } `, `{"b":[1,{},[]],"a":"x y"}`},
		{`"\u0141\u00f3d\u017a \/ \ud83d\ude00 \u0022 \u000a \u001f"`, `"Łódź / 😀 \" \n \u001f"`},
		{`"\ud83d x \ude00 \ud83d\u0041"`, `"� x � �A"`},
		{`1.0`, `1`},
		{`-0`, `0`},
		{`-0.0`, `0`},
		{`1e3`, `1000`},
		{`1.50`, `1.5`},
		{`123456789012345678901234567890`, `123456789012345678901234567890`},
		{`-9007199254740993`, `-9007199254740993`},
		{`1e999`, `"1e999"`},
		{`1` + strings.Repeat("0", 400), `"1` + strings.Repeat("0", 400) + `"`},
		{`[true,false,null]`, `[true,false,null]`},
		{`{"a\u0062":1}`, `{"ab":1}`},
		{`"\\u0061"`, `"\\u0061"`},
		{`"\b\f\n\r\t\"\\\/\u00C4"`, `"\b\f\n\r\t\"\\/Ä"`},
		{"{\n}", "{}"},
		{`["\\", "\\\"", "a"]`, `["\\","\\\"","a"]`},
	} {
		j, ok := parseJSON(c.text)
		if !ok {
			t.Fatalf("%s is no JSON", c.text)
		}
		if got := string(appendJSON(nil, j)); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

func TestWalk(t *testing.T) {
	j, _ := parseJSON(` { "a" : "x\"},{" , "b\u0062" : { "c" : [ 1 , "]" , { } ] } , "" : null , "a" : 2 } `)
	var got []string
	for c := j.members(); c.Next(); {
		got = append(got, c.Key()+"="+string(c.value()))
	}
	want := []string{`a="x\"},{"`, `bb={ "c" : [ 1 , "]" , { } ] }`, `=null`, `a=2`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if j.get("a") != "2" {
		t.Errorf("of two members the first was taken: %s", j.get("a"))
	}
	got = nil
	for c := j.get("bb").get("c").elements(); c.Next(); {
		got = append(got, string(c.value()))
	}
	if diff := cmp.Diff([]string{"1", `"]"`, "{ }"}, got); diff != "" {
		t.Error(diff)
	}
	for _, text := range []jsonText{"", "1", `"a"`, "null", "{}", "[]"} {
		m, e := text.members(), text.elements()
		if m.Next() || e.Next() || text.get("a") != "" || text.get("a").get("b").str() != "" {
			t.Errorf("%q has something within", text)
		}
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		text jsonText
		want int64
		ok   bool
	}{
		{"0", 0, true},
		{"12", 12, true},
		{"12.0", 12, true},
		{"1e3", 1000, true},
		{"9223372036854775807", 9223372036854775807, true},
		{"9223372036854775808", 0, false},
		{"1e300", 0, false},
		{"1e999", 0, false},
		{"-1", 0, false},
		{"3.5", 0, false},
		{`"12"`, 0, false},
		{"true", 0, false},
		{"null", 0, false},
		{"", 0, false},
	} {
		if got, ok := c.text.count(); ok != c.ok || ok && got != c.want {
			t.Errorf("%s: %d %t", c.text, got, ok)
		}
	}
}
