package semconv

import (
	"math"
	"strings"
	"testing"

	"almanac/internal/ingest/otlp"
	"almanac/internal/jsontext"
)

func TestAppendValue(t *testing.T) {
	deep := val([]any{})
	for range jsontext.MaxDepth + 5 {
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
		{deep, strings.Repeat("[", jsontext.MaxDepth) + "null" + strings.Repeat("]", jsontext.MaxDepth)},
	} {
		v := val(c.value)
		if got := string(appendValue(nil, &v)); got != c.want {
			t.Errorf("%#v: %s, want %s", c.value, got, c.want)
		}
	}
}

// TestArena checks that strings stay intact while others are created, including those larger than a chunk.
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
