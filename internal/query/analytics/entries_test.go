package analytics

import (
	"cmp"
	"slices"
	"testing"
)

// TestEntriesOf reads objects as they are stored, and as other programs may have written them.
func TestEntriesOf(t *testing.T) {
	one := []entry{{"a", 1}}
	for text, want := range map[string][]entry{
		``:                     nil,
		`{}`:                   nil,
		`{"a":1}`:              one,
		`{"a":1,"b":2.5e-7}`:   {{"a", 1}, {"b", 2.5e-7}},
		`{ "a" : 1 }`:          one,
		`{"a": 1 }`:            one,
		`{"\u0061":1}`:         one,
		`{"q\"":1,"b":2}`:      {{"b", 2}, {`q"`, 1}},
		`{"a,b}":1}`:           {{"a,b}", 1}},
		`{"a":1,"b":1e999}`:    one, // not a float64
		` {"a":1}`:             one,
		`{"a":1}x`:             nil,
		`{"a":1`:               nil,
		`{"a"`:                 nil,
		`{a:1}`:                nil,
		`{"a":"x"}`:            nil,
		`[1]`:                  nil,
		`null`:                 nil,
		"{\"\xff\":1,\"a\":1}": {{"a", 1}, {"\uFFFD", 1}},
	} {
		got := entriesOf(text)
		slices.SortFunc(got, func(a, b entry) int { return cmp.Compare(a.kind, b.kind) })
		if !slices.Equal(got, want) {
			t.Errorf("%s has %v, want %v", text, got, want)
		}
	}
}
