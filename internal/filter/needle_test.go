package filter_test

import (
	"strings"
	"testing"

	"almanac/internal/filter"
)

func TestMatched(t *testing.T) {
	for _, c := range []struct {
		text, search string
		want         int
	}{
		{"a party of art", "art", 11},
		{"Art", "aRT", 0},
		{"party", "art", -1},
		{"", "art", -1},
		{"no such word", "art", -1},
		{"a b, c a b c", "a b c", 7},
		{strings.Repeat("party ", 40) + "art", "art", 1}, // looked for only so far; the text matches
		{strings.Repeat("party ", 40), "art", -1},
		{"大阪の返品です", "返品", 9},
	} {
		if got := filter.NewNeedle(c.search).Matched(c.text); got != c.want {
			t.Errorf("%q in %q: %d, want %d", c.search, c.text, got, c.want)
		}
	}
}
