package semconv

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestCheckValue agrees with the standard library about what is JSON.
func TestCheckValue(t *testing.T) {
	for _, text := range []string{
		``, ` `, `1`, `-1`, `-`, `0`, `00`, `01`, `0.`, `.5`, `0.5`, `1e`, `1e5`, `1E+5`, `1e-5`, `1e+`, `+1`, `9/`, `:`, `Infinity`, `NaN`,
		`true`, `tru`, `truE`, `false`, `null`, `nul`, `"`, `""`, `"a`, `"\"`, `"\""`, `"\\"`, `"\b\f\n\r\t\/"`, `"\a"`, `"\x41"`,
		`"\u00af"`, `"\u00AF"`, `"\u0a9F"`, `"\u00ag"`, `"\u00AG"`, `"\u00@1"`, "\"\\u00`1\"", `"\u00/1"`, `"\u00:1"`, `"\u00a"`, `"\u00a`,
		"\"\t\"", "\"\x1f\"", `" "`, `"é"`,
		`[]`, `[ ]`, `[1]`, `[1,]`, `[,1]`, `[1 2]`, `[1`, `[`, `]`, `[1}`, `[[],[[]]]`,
		`{}`, `{ }`, `{"a":1}`, `{"a":1,}`, `{"a"}`, `{"a":}`, `{"a" 1}`, `{a:1}`, `{"a:1}`, `{"a":1 "b":2}`, `{"a":1,"b":[{}]}`, `{"a":1`, `{`, `}`, `{"a":1]`, `{,}`,
		"[\n\t\r 1 ,\n2]", "[\v1]", `1 2`, `{"a":1}x`,
	} {
		if got := text != "" && checkValue(text, 0, maxDepth) == len(text); got != (json.Valid([]byte(text)) && strings.TrimSpace(text) == text) {
			t.Errorf("%q is JSON: %v", text, got)
		}
	}
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	if checkValue(nested(maxDepth), 0, maxDepth) < 0 || checkValue(nested(maxDepth+1), 0, maxDepth) >= 0 {
		t.Errorf("lists are not read up to a depth of %d", maxDepth)
	}
}

func TestHexRune(t *testing.T) {
	for text, want := range map[string]rune{"0000": 0, "0019": 0x19, "00af": 0xaf, "00AF": 0xaf, "fFfF": 0xffff, "9a9A0": 0x9a9a} {
		if got, ok := hexRune(text, 0); !ok || got != want {
			t.Errorf("%s is %x, %v, want %x", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "000", "000g", "000G", "000/", "000:", "000@", "000`"} {
		if got, ok := hexRune(text, 0); ok {
			t.Errorf("%s is %x", text, got)
		}
	}
}
