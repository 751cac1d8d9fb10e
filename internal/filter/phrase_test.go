package filter

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMatches(t *testing.T) {
	many := func(n int, last string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "w%d ", i)
		}
		return b.String() + last
	}
	cases := []struct {
		value, text string
		want        bool
	}{
		{"needle", "Needle in", true},
		{"needle", "needle@x.io", true},
		{"NEEDLE", "a needle", true},
		{"needle", "foobarneedle", false},
		{"needle", "needles", false},
		{"needle", "foobarneedle and a needle", true}, // the second is a whole word
		{"needle", "", false},
		{"alpha beta", "beta alpha", false},
		{"alpha beta", "alpha gap beta", false},
		{"alpha beta", "Alpha Beta", true},
		{"alpha beta", "xalpha beta", false},
		{"alpha beta", "xalpha betax, alpha, beta", true}, // phrase in one place, words elsewhere
		{"alpha beta", "xalpha betax, alpha", false},
		{"a%b", "a%b", true},
		{"a%b", "axb", false},
		{"a_b", "a-b", false},
		{" beta", "alpha beta", true},
		{" beta", "beta", false},
		{"(beta)", "alpha(beta)x", true},
		{"é", "É", false}, // only ASCII is folded
		{"É", "caf É", true},
		{"é", "café", false},
		{"k", "\u212a", false}, // the Kelvin sign
		{"世界", "你好世界！", true},
		{"界世", "你好世界", false},
		{"模型", "GPT模型v2", true},
		{"GPT模型", "GPT模型v2", true},
		{"PT模型", "GPT模型v2", false},
		{"docker", "用，Docker。", true},
		{many(63, "last"), many(63, "last"), true},
		{many(63, "last"), many(63, "lasting"), false},
		{many(64, "last"), many(64, "lasting"), true}, // the 65th word is not checked
		{strings.Repeat("w ", 100) + "last", strings.Repeat("w ", 100) + "lasting", false},
		{strings.Repeat("a", 2000) + "b", strings.Repeat("A", 300_000) + "b", false},
		{strings.Repeat("a", 2000) + "b", strings.Repeat("A", 300_000) + " " + strings.Repeat("a", 2000) + "B", true},
		// Without a bound on comparisons, searching for bytes that the text is full of would take seconds.
		{strings.Repeat("a", 20_000) + "e", strings.Repeat("A", 1_000_000), false},
		{strings.Repeat("a", 20_000) + "e", strings.Repeat("A", 1_000_000) + " " + strings.Repeat("A", 20_000) + "E", true},
	}
	input := observationColumn(t, "input")
	for _, c := range cases {
		made := must(NewText(input, Matches, c.value))
		if got := made.MatchText(c.text, false); got != c.want {
			t.Errorf("%.40q matches %.40q: %v", c.text, c.value, got)
		}
	}
}

// TestQueryWords checks that stores never search for more words than the limit, nor for one twice.
func TestQueryWords(t *testing.T) {
	var value strings.Builder
	for i := range 2 * MaxQueryWords {
		fmt.Fprintf(&value, "w%d W%d ", i, i)
	}
	made := must(NewText(observationColumn(t, "input"), Matches, value.String()))
	if words := made.Words(); len(words) != MaxQueryWords || words[1] != "w1" {
		t.Errorf("%d words: %q", len(words), words)
	}
}

// slowMatches is the definition of matches.
func slowMatches(text, value string) bool {
	fold := func(s string) string { return string(appendFolded(nil, s)) }
	text, value = fold(text), fold(value)
	if !strings.Contains(text, value) {
		return false
	}
	words := Words(nil, text)
	for _, w := range queryWords(value) {
		if !slices.Contains(words, w) {
			return false
		}
	}
	return true
}

func TestMatchesAgreesWithDefinition(t *testing.T) {
	input := observationColumn(t, "input")
	text := rapid.StringOfN(rapid.RuneFrom([]rune("aAbB .é你ー")), 0, 40, -1)
	rapid.Check(t, func(t *rapid.T) {
		hay := text.Draw(t, "text")
		value := text.Draw(t, "value")
		if rapid.Bool().Draw(t, "taken from the text") {
			runes := []rune(hay)
			from := rapid.IntRange(0, len(runes)).Draw(t, "from")
			value = strings.ToUpper(string(runes[from:rapid.IntRange(from, len(runes)).Draw(t, "to")]))
		}
		made, err := NewText(input, Matches, value)
		if err != nil {
			if len(Words(nil, value)) > 0 {
				t.Fatal(err)
			}
			return
		}
		if got, want := made.MatchText(hay, false), slowMatches(hay, value); got != want {
			t.Fatalf("%q matches %q: %v, want %v", hay, value, got, want)
		}
	})
}
