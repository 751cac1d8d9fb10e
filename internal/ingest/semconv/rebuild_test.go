package semconv

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/jsontext"
)

func TestRebuild(t *testing.T) {
	const p = "gen_ai.prompt."
	for _, c := range []struct {
		name  string
		pairs []any
		want  string
	}{
		{
			"messages",
			[]any{p + "0.role", "system", p + "0.content", "x", p + "1.role", "user"},
			`[{"role":"system","content":"x"},{"role":"user"}]`,
		},
		{"any order", []any{p + "2.a", 2, p + "0.a", 0, p + "1.a", 1, p + "0.b", true}, `[{"a":0,"b":true},{"a":1},{"a":2}]`},
		{"holes", []any{p + "3.a", 1, p + "1.a", 2}, `[null,{"a":2},null,{"a":1}]`},
		{
			"nested lists",
			[]any{p + "0.tool_calls.1.name", "b", p + "0.tool_calls.0.name", "a"},
			`[{"tool_calls":[{"name":"a"},{"name":"b"}]}]`,
		},
		{"an object", []any{p + "name", "x", p + "list.0", 1, p + "list.1", 2}, `{"name":"x","list":[1,2]}`},
		{"an index alone is a key", []any{p + "0", "x", p + "1", "y"}, `{"0":"x","1":"y"}`},
		{"one index with a dot makes a list", []any{p + "0", "x", p + "1.a", "y"}, `["x",{"a":"y"}]`},
		{"a list within a list", []any{p + "0.0", 1, p + "0.1", 2}, `[[1,2]]`},
		{"typed values", []any{p + "0.a", []any{1, "x"}, p + "0.b", nil, p + "0.c", 0.5}, `[{"a":[1,"x"],"b":null,"c":0.5}]`},
		{"a key in a list is left out", []any{p + "0.a", 1, p + "name", "x"}, `[{"a":1}]`},
		{"a value within a value is left out", []any{p + "0.a", 1, p + "0.a.b", 2, p + "0.c", 3}, `[{"a":1,"c":3}]`},
		{"a value over an object is left out", []any{p + "0.a.b", 2, p + "0.a", 1}, `[{"a":{"b":2}}]`},
		{"two names of one element", []any{p + "0.a", 1, p + "00.a", 2}, `[{"a":1}]`},
		{
			"names of prototypes",
			[]any{p + "0.__proto__.a", 1, p + "constructor", 2, p + "0.prototype", 3, p + "0.b", 4},
			`[{"a":1,"b":4}]`,
		},
		{"empty names", []any{p + "", 1, p + "a..b", 2}, `{"":1,"a":{"":{"b":2}}}`},
		{
			"just enough room",
			[]any{p + "9999.a", 1, p + "9999.list.0", 2},
			"[" + strings.Repeat("null,", 9999) + `{"a":1,"list":[2]}]`,
		},
		{"too far out", []any{p + "0.a", 1, p + "10001.a", 2, p + "99999999999999999999.a", 3, p + "1.a", 4}, `[{"a":1},{"a":4}]`},
		{
			"too much in all",
			[]any{p + "0.a.9000", 1, p + "1.a.2000", 2, p + "1.b", 3},
			`[{"a":[` + strings.Repeat("null,", 9000) + `1]},{"b":3}]`,
		},
		{"too deep", []any{p + "a", 1, p + strings.Repeat("x.", jsontext.MaxDepth) + "y", 2}, `{"a":1}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if row, _ := mappedAttributes("x", c.pairs...); row.Input != c.want {
				t.Errorf("%.300s, want %.300s", row.Input, c.want)
			}
		})
	}
}

// TestRebuildMany rebuilds an object with many members and a list with many elements, in arbitrary order.
func TestRebuildMany(t *testing.T) {
	var pairs []any
	want := map[string]any{}
	list := make([]any, 300)
	for i := range 300 {
		n := i * 7 % 300
		pairs = append(pairs, fmt.Sprintf("gen_ai.prompt.key%d", n), n, fmt.Sprintf("gen_ai.prompt.list.%d.n", n), n)
		want[fmt.Sprint("key", n)], list[n] = float64(n), map[string]any{"n": float64(n)}
	}
	want["list"] = list
	row, _ := mappedAttributes("x", pairs...)
	var got map[string]any
	unmarshal(t, []byte(row.Input), &got)
	a, _ := json.Marshal(want)
	b, _ := json.Marshal(got)
	if string(a) != string(b) {
		t.Errorf("got %.200s", row.Input)
	}
}

// TestRebuildBounds checks that many deep names are bounded.
func TestRebuildBounds(t *testing.T) {
	var pairs []any
	for i := range 1000 {
		pairs = append(pairs, fmt.Sprintf("gen_ai.prompt.k%d%s", i, strings.Repeat(".a", jsontext.MaxDepth-1)), i)
	}
	row, _ := mappedAttributes("x", pairs...)
	if n := len(memberList(t, row.Input)); n != (maxNodes-1)/jsontext.MaxDepth {
		t.Errorf("%d of 1000", n)
	}
	var m tree
	m.reset(nodeObject)
	m.nodes = slices.Grow(m.nodes, keptNodes+1)
	if m.reset(nodeObject); cap(m.nodes) > keptNodes {
		t.Error("the memory of a large tree is kept")
	}
}
