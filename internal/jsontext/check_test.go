package jsontext

import (
	"encoding/json"
	"strings"
	"testing"
)

// valid and invalid are examples of JSON and of other texts. Fuzzing starts with them.
var (
	valid = []string{
		`{}`, `[]`, ` {} `, "\t[\r\n1 , 2 ]", `""`, `"a"`, `"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00"`, `"é"`, `0`, `-0`, `12`, `1.50`,
		`1e5`, `1E+5`,
		`-1.5e-10`, `0.5`, `1e400`, `true`, `false`, `null`, `{"a":1}`, `{"a":{"b":[1,{"c":null}]},"d":"e"}`, `[[],[[]],{}]`, `[ ]`,
		`{ }`, `" "`,
		`"` + strings.Repeat("long text ", 10) + `"`, `{ "a" : 1 , "b" : 2 }`, `"\u00af\u00AF\u0a9F"`, `"\ud800"`, "\"\xff\x7f\"",
		`{"a":1,"a":2}`,
		`{"a\"b":"\\","\u0061":[-2.5e3,"\u00e9\n",true,null]}`, `"\\\\\""`, `["\\", "\"", "a b", " "]`,
	}
	invalid = []string{
		``, ` `, `{`, `}`, `[`, `]`, `[1`, `[1,`, `[1,]`, `[,1]`, `[,]`, `[1}`, `[1 2]`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`,
		`{"a":1,}`, `{"a" 1}`,
		`{a:1}`, `{1:1}`, `{"a"}`, `{"a":}`, `{"a:1}`, `{"a":1 "b":2}`, `{"a":1]`, `{,}`, `"`, `"a`, `"\`, `"\"`, `"\x"`, `"\a"`, `"\u12"`,
		`"\u12g4"`,
		`"\u00AG"`, `"\u00@1"`, "\"\\u00`1\"", `"\u00/1"`, `"\u00:1"`, `"\u00a`, "\"\n\"", "\"\x00\"", "\"\x1f\"", `01`, `00`, `-`, `-a`,
		`-01`, `1.`,
		`.5`, `1e`, `1e+`, `1.e1`, `+1`, `0x1`, `1 2`, `9/`, `:`, `tru`, `truE`, `True`, `nul`, `nan`, `NaN`, `Infinity`, `'a'`, `{} {}`,
		`a`, "\xff",
		`//`, `{"a":1}}`, `{"a":1}x`, "1\u00a0", "[\v1]", `{"a":tru}`, `["a`, `{"a":"`, `{"a":"\"}`,
	}
)

func nested(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

func TestValid(t *testing.T) {
	for want, texts := range map[bool][]string{true: valid, false: invalid} {
		for _, text := range texts {
			if Valid(text) != want || json.Valid([]byte(text)) != want {
				t.Errorf("%q is JSON: %v", text, !want)
			}
		}
	}
	for text, want := range map[string]bool{
		nested(MaxDepth): true, nested(MaxDepth + 1): false,
		strings.Repeat(`{"a":`, MaxDepth) + "1" + strings.Repeat("}", MaxDepth):     true,
		strings.Repeat(`{"a":`, MaxDepth+1) + "1" + strings.Repeat("}", MaxDepth+1): false,
		strings.Repeat("[", 1<<20): false, strings.Repeat(`{"a":`, 1<<20): false,
		// Neither brackets in strings nor siblings count as nesting.
		`"` + strings.Repeat("[{", MaxDepth) + `"`: true, `[` + strings.Repeat("[],{},", MaxDepth) + `[]]`: true,
	} {
		if Valid(text) != want {
			t.Errorf("%.20q of %d bytes is JSON: %v", text, len(text), !want)
		}
	}
}

// TestEnd tests where texts stop being JSON.
func TestEnd(t *testing.T) {
	for text, want := range map[string]int{
		`1.`: 2, `1.}`: 2, `-`: 1, `-x`: 1, `1e+`: 3, `x`: 0, `tru}`: 0, `"a`: 2, `"a\q"`: 2, "\"a\n\"": 2, `{"a" 1}`: 5, `{"a":1,}`: 7,
		`[1 2]`: 3, `[1`: 2, ``: 0,
	} {
		if end, ok := End(text, 0); ok || end != want {
			t.Errorf("%q ends at %d, %v, want %d", text, end, ok, want)
		}
	}
	for text, want := range map[string]int{`1.5,`: 3, `01`: 1, `{"a":1}}`: 7, `"a",`: 3, `truee`: 4} {
		if end, ok := End(text, 0); !ok || end != want {
			t.Errorf("%q ends at %d, %v, want %d", text, end, ok, want)
		}
	}
}

// FuzzText compares everything that reads JSON with encoding/json.
func FuzzText(f *testing.F) {
	for _, text := range append(valid, invalid...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		isValid := json.Valid([]byte(text))
		if strings.Count(text, "[")+strings.Count(text, "{") <= MaxDepth {
			if got := Valid(text); got != isValid {
				t.Fatalf("%q is JSON: %v, want %v", text, got, isValid)
			}
		}
		if isValid {
			checkWalk(t, text)
			checkCompact(t, text)
			return
		}
		// Invalid JSON must do no harm.
		for m := MembersOf(text); m.Next(); {
			m.Key()
			Unquote(m.Value)
		}
		for e := ElementsOf(text); e.Next(); {
			Unquote(e.Value)
		}
		if m := CheckedMembersOf(text); true {
			for m.Next() {
				if !json.Valid([]byte(m.Value)) {
					t.Errorf("%q has a member %q", text, m.Value)
				}
			}
			if m.Whole {
				t.Errorf("%q is whole", text)
			}
		}
		AppendCompact(nil, text, nil)
		Compact(text)
		Unescape(text)
	})
}
