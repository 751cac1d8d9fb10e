package semconv

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"almanac/internal/otlp"
)

func TestAppendFloat(t *testing.T) {
	for _, c := range []struct {
		f    float64
		want string
	}{
		{0, "0"},
		{math.Copysign(0, -1), "0"},
		{1, "1"},
		{-1.5, "-1.5"},
		{0.1, "0.1"},
		{100, "100"},
		{1e20, "100000000000000000000"},
		{123456789012345680000, "123456789012345680000"},
		{1e21, "1e+21"},
		{1.5e300, "1.5e+300"},
		{1e-6, "0.000001"},
		{1e-7, "1e-7"},
		{-1.25e-9, "-1.25e-9"},
		{5e-324, "5e-324"},
		{math.NaN(), "null"},
		{math.Inf(-1), "null"},
	} {
		if got := string(appendFloat(nil, c.f)); got != c.want {
			t.Errorf("%v: %s, want %s", c.f, got, c.want)
		}
	}
}

func TestAppendText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `""`},
		{"plain", `"plain"`},
		{"Łódź 🚀 \u2028", "\"Łódź 🚀 \u2028\""},
		{`a"b\c/d`, `"a\"b\\c/d"`},
		{"\b\f\n\r\t", `"\b\f\n\r\t"`},
		{"\x00\x1f\x7f", "\"\\u0000\\u001f\x7f\""},
		{strings.Repeat("x", 100) + "\n", `"` + strings.Repeat("x", 100) + `\n"`},
		{"1234567\"", `"1234567\""`},
		{"é12345\\", `"é12345\\"`},
	} {
		got := string(appendText(nil, c.text))
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
		var back string
		if err := json.Unmarshal([]byte(got), &back); err != nil || back != c.text {
			t.Errorf("%q comes back as %q: %v", c.text, back, err)
		}
	}
}

// TestSkipPlain compares the look at eight bytes with a look at one, for every byte at every place.
func TestSkipPlain(t *testing.T) {
	for c := range 256 {
		for place := range 20 {
			b := []byte(strings.Repeat("\xfe", 20))
			b[place] = byte(c)
			want := 20
			if !plainByte[c] {
				want = place
			}
			if got := skipPlain(string(b), 0); got != want {
				t.Fatalf("byte %#x at %d: %d", c, place, got)
			}
		}
	}
}

func TestAppendValue(t *testing.T) {
	deep := val([]any{})
	for range maxDepth + 5 {
		deep = val([]any{deep})
	}
	for _, c := range []struct {
		value any
		want  string
	}{
		{nil, "null"},
		{"a\n", `"a\n"`},
		{42, "42"},
		{math.MinInt64, "-9223372036854775808"},
		{0.5, "0.5"},
		{math.NaN(), "null"},
		{true, "true"},
		{false, "false"},
		{[]any{}, "[]"},
		{[]any{"a", 1, nil, []any{true}}, `["a",1,null,[true]]`},
		{otlp.Value{Kind: otlp.KindJSON, Text: `{"a":1}`}, `"{\"a\":1}"`},
		{otlp.Value{Kind: 99}, "null"},
		{deep, strings.Repeat("[", maxDepth) + "null" + strings.Repeat("]", maxDepth)},
	} {
		v := val(c.value)
		if got := string(appendValue(nil, &v)); got != c.want {
			t.Errorf("%#v: %s, want %s", c.value, got, c.want)
		}
	}
}

// TestArena: texts stay as they are while others are made, also those that are larger than a chunk.
func TestArena(t *testing.T) {
	var a arena
	for range 3 {
		var texts, want []string
		for i := range 3000 {
			w := strings.Repeat(string(rune('a'+i%26)), []int{0, 3, 700, 20_000}[i%4])
			texts, want = append(texts, a.close(append(a.open(), w...))), append(want, w)
		}
		for i := range texts {
			if texts[i] != want[i] {
				t.Fatalf("text %d changed", i)
			}
		}
		if cap(a.chunk) > lastChunk {
			t.Fatalf("chunk of %d bytes", cap(a.chunk))
		}
		a.reset()
	}
	if got := a.join("a", "", "bc"); got != "abc" {
		t.Errorf("joined %q", got)
	}
}
