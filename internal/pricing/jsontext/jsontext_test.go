package jsontext

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func TestAppendString(t *testing.T) {
	for text, want := range map[string]string{
		"":                    `""`,
		"input":               `"input"`,
		`a"b\c`:               `"a\"b\\c"`,
		"a\n\t\r\b\fb":        `"a\n\t\r\b\fb"`,
		"\x00\x1f\x7f":        "\"\\u0000\\u001f\x7f\"",
		"é日😀":                 `"é日😀"`,
		"a\xffb":              "\"a\uFFFDb\"",
		"<>&\u2028":           "\"<>&\u2028\"",
		"plain then \" quote": `"plain then \" quote"`,
	} {
		if got := string(AppendString(nil, text)); got != want {
			t.Errorf("AppendString(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestAppendNumber(t *testing.T) {
	for want, number := range map[string]float64{
		"0": math.Copysign(0, -1), "1": 1, "-1.5": -1.5, "0.1": 0.1, "0.30000000000000004": 0.30000000000000004,
		"0.000001": 1e-6, "9.99e-7": 9.99e-7, "4e-7": 4e-7, "1e-12": 1e-12, "1e-100": 1e-100, "-5e-324": -5e-324,
		"100000000000000000000": 1e20, "1e+21": 1e21, "1.5e+300": 1.5e300, "123456789012": 123456789012,
	} {
		if got := string(AppendNumber(nil, number)); got != want {
			t.Errorf("AppendNumber(%v) = %s, want %s", number, got, want)
		}
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("a\"b\xff\n\u2028é")
	f.Fuzz(func(t *testing.T, text string) {
		var got string
		quoted := AppendString(nil, text)
		if err := json.Unmarshal(quoted, &got); err != nil {
			t.Fatalf("%q was written as %s: %v", text, quoted, err)
		}
		var want strings.Builder
		for _, r := range text {
			want.WriteRune(r)
		}
		if got != want.String() {
			t.Errorf("%q was written as %s and read as %q", text, quoted, got)
		}
	})
}
