package filter

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWords(t *testing.T) {
	cases := []struct {
		name, text string
		want       string // separated by |
	}{
		{"nothing", "", ""},
		{"no words", " .,-_%\n", ""},
		{"words", "Needle in, a_haystack-42!", "Needle|in|a|haystack|42"},
		{"an address", "needle@x.io", "needle|x|io"},
		{"letters with marks", "naïve Überraschung", "naïve|Überraschung"},
		{"other characters are parts of words", "10€ – ok👍", "10€|–|ok👍"},
		{"other scripts", "привет мир שלום", "привет|мир|שלום"},
		{"Chinese", "你好世界", "你|好|世|界"},
		{"Chinese with marks", "用，Docker。部署", "用|，|Docker|。|部|署"},
		{"Japanese", "ラーメンを食べる", "ラ|ー|メ|ン|を|食|べ|る"},
		{"half-wide Katakana", "ｶﾞｽ", "ｶ|ﾞ|ｽ"},
		{"Korean", "한국 어", "한|국|어"},
		{"Korean in parts", "\u1112\u1161", "\u1112|\u1161"},
		{"mixed", "GPT4模型v2 é界é", "GPT4|模|型|v2|é|界|é"},
		{"wide letters", "ＡＢＣ１２", "ＡＢＣ１２"},
		{"rare Han", "𠮷a", "𠮷|a"},
		{"not UTF-8", "a\xff\xfeb \xe4\xbd", "a\xff\xfeb|\xe4\xbd"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(Words(nil, c.text), "|"); got != c.want {
				t.Errorf("words of %q: %q, want %q", c.text, got, c.want)
			}
		})
	}
	if got := Words([]string{"x"}, "y"); !slices.Equal(got, []string{"x", "y"}) {
		t.Errorf("appended to a word: %q", got)
	}
}

func TestWordsProperties(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("aZ09 ,é你好。ー\u1100"))))
	rapid.Check(t, func(t *rapid.T) {
		s := text.Draw(t, "text")
		words := Words(nil, s)

		// Folding before or after splitting gives the same words.
		var folded []string
		EachFolded(s, nil, func(word []byte) { folded = append(folded, string(word)) })
		if want := Words(nil, string(appendFolded(nil, s))); !slices.Equal(folded, want) {
			t.Fatalf("words folded: %q, words of the folded text: %q", folded, want)
		}

		// Words are everything but separators, in order, and are words themselves.
		rest := s
		for _, w := range words {
			at := strings.Index(rest, w)
			if at < 0 || len(Words(nil, rest[:at])) > 0 {
				t.Fatalf("%q is out of place in %q", w, s)
			}
			rest = rest[at+len(w):]
			if again := Words(nil, w); len(again) != 1 || again[0] != w {
				t.Fatalf("the word %q has the words %q", w, again)
			}
		}
		if len(Words(nil, rest)) > 0 {
			t.Fatalf("%q is left of %q", rest, s)
		}

		// Boundaries are the positions where a text can be split without changing its words.
		for i := range s {
			split := Words(Words(nil, s[:i]), s[i:])
			if got := isBoundary(s, i); got != slices.Equal(split, words) {
				t.Fatalf("position %d of %q is a boundary: %v", i, s, got)
			}
		}
	})
}
