package jsonschema

import (
	"encoding/json"
	"strings"
	"testing"
)

func patternSchema(pattern string) string {
	quoted, _ := json.Marshal(pattern)
	return `{"type":"string","pattern":` + string(quoted) + `}`
}

func TestPatternsMatchAsInJavaScript(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern, text string
		want          bool
	}{
		{"^a", "ab", true},
		{"^a", "ba", false},
		{"b$", "b\n", false},
		{"", "", true},
		{"a|b", "xb", true},
		{"a|", "x", true},
		{".", "\n", false},
		{".", "\u2028", false},
		{"^.$", "😀", true},
		{`^\d$`, "٣", false},
		{`^\w$`, "é", false},
		{`^\s$`, "\u00a0", true},
		{`^\s$`, "\ufeff", true},
		{`^\s$`, "\v", true},
		{`^\S$`, "\u3000", false},
		{`^[\S]$`, "a", true},
		{`^[^\S]$`, "\u2003", true},
		{`^[\s\d]+$`, "1 \u00a02", true},
		{`^[]$`, "a", false},
		{`^[^]$`, "\n", true},
		{`^[[:alph]$`, "[", true},
		{`^[[:alph]$`, "b", false},
		{`^[a\-c]$`, "b", false},
		{`^[\b]$`, "\b", true},
		{`\bfoo\b`, "a foo b", true},
		{`^\u0061\u{62}\x63$`, "abc", true},
		{`^\ud83d\ude00$`, "😀", true},
		{`^[\ud83d\ude00-\ud83d\ude02]$`, "😁", true},
		{`^\ud83d$`, "😀", false},
		{`\ud83d\u0061|\ude00\ud83d|b`, "b", true},
		{`^\/\.\$\{\}$`, "/.${}", true},
		{`^\cA\0\t\n\v\f\r$`, "\x01\x00\t\n\v\f\r", true},
		{`^\p{L}+$`, "aéΩ", true},
		{`^\p{Script=Greek}$`, "Ω", true},
		{`^\P{Lu}$`, "A", false},
		{`^[\p{Lu}\d]+$`, "A1", true},
		{`^(?<year>\d{4})-(?:\d{2})$`, "2026-01", true},
		{`^a{2}$`, "aa", true},
		{`^a{2,}?$`, "aaa", true},
		{`^a{1,2}$`, "aaa", false},
		{`^a{0}$`, "", true},
		{`^.{1,1500}$`, strings.Repeat("é", 1_500), true},
		{`^.{1,1500}$`, strings.Repeat("é", 1_501), false},
		{`^a{2500}$`, strings.Repeat("a", 2_500), true},
		{`^a{2500,}$`, strings.Repeat("a", 2_499), false},
		{`^(a{60}){60}$`, strings.Repeat("a", 3_600), true},
		{`^(a{60}){60}$`, strings.Repeat("a", 3_599), false},
		{`^((a{10}){20}b){9}$`, strings.Repeat(strings.Repeat("a", 200)+"b", 9), true},
	}
	for _, test := range tests {
		value, _ := json.Marshal(test.text)
		if got := compiled(t, patternSchema(test.pattern)).Validate(value) == nil; got != test.want {
			t.Errorf("%s matches %.40q: got %v, want %v", test.pattern, test.text, got, test.want)
		}
	}
}

func TestPatternsThatAreRefused(t *testing.T) {
	t.Parallel()
	tests := []struct{ pattern, want string }{
		{"(?=a)", "looks ahead or behind, which is not supported"},
		{"(?!a)", "looks ahead or behind, which is not supported"},
		{"(?<=a)", "looks ahead or behind, which is not supported"},
		{"(?<!a)", "looks ahead or behind, which is not supported"},
		{`(a)\1`, "refers back to a group, which is not supported"},
		{`(?<n>a)\k<n>`, "refers back to a group, which is not supported"},
		{"(?i:a)", "has an unknown kind of group"},
		{"(?<>a)", "has a group without a name"},
		{"(?<1a>a)", `has a group of the impossible name "1a"`},
		{"(?<a>a)(?<a>a)", `has two groups of the name "a"`},
		{"(", "has a group without an end"},
		{")", "has a parenthesis too many"},
		{"a**", "has nothing before '*'"},
		{"^*", "has nothing before '*'"},
		{"?", "has nothing before '?'"},
		{"]", "has nothing before ']'"},
		{"}", "has nothing before '}'"},
		{"a{", "has a { that does not begin a number of repetitions"},
		{"a{,2}", "has a { that does not begin a number of repetitions"},
		{"a{1,x}", "has a { that does not begin a number of repetitions"},
		{"a{2,1}", "has numbers of repetitions out of order"},
		{"[a", "ends too early"},
		{"[b-a]", "has a range of characters out of order"},
		{`[\d-a]`, "has a range of characters out of order"},
		{`[a-\d]`, "has a range of characters out of order"},
		{`\`, "ends too early"},
		{`[\`, "ends too early"},
		{`\q`, `has an unknown escape \q`},
		{`\-`, `has an unknown escape \-`},
		{`\00`, "has an octal number"},
		{`\c1`, `has a \c without a letter`},
		{`\x1`, "ends too early"},
		{`\xzz`, "has a character number that is not hexadecimal"},
		{`\u00zz`, "has a character number that is not hexadecimal"},
		{`\u{110000}`, "has an impossible character number"},
		{`\u{61`, "has an impossible character number"},
		{`\pL`, `has a \p without a name in braces`},
		{`\p{sc=G-k}`, `has a \p that is not supported`},
		{`\p{Nothing}`, "is not supported: error parsing regexp: invalid character class range: `\\p{Nothing}`"},
	}
	for _, test := range tests {
		_, err := Compile([]byte(patternSchema(test.pattern)))
		if err == nil || !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.pattern, err, test.want)
		}
	}
}
