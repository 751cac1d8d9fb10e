package explore

import (
	"strings"
	"testing"
	"unicode/utf8"

	"almanac/internal/filter"
)

func TestSurroundings(t *testing.T) {
	long := strings.Repeat("word ", 100)
	for _, c := range []struct{ name, text, part, before, after string }{
		{"all of it", "refund", "refund", "", ""},
		{"a text", "I want a Refund now", "refund", "I want a ", " now"},
		{"several lines", "I want\n\n a\trefund\r\n  now\n", "refund", "I want a ", " now"},
		{
			"a long text", long + "refund " + long, "refund", "…" + strings.Repeat("word ", 12),
			" " + strings.TrimRight(strings.Repeat("word ", 28)[:139], " ") + "…",
		},
		{
			"a message", `{"role":"user","content":"Hello!\nI \"really\" want a refund for \u5f53, please."}`, "refund",
			`Hello! I "really" want a `, " for 当, please.",
		},
		{"a short value", `{"action":"refund","amount":12}`, "refund", `{"action":"`, `","amount":12}`},
		{"a key", `{"refund":{"amount":12}}`, "refund", `{"`, `":{"amount":12}}`},
		{"not JSON", `say "refund" to somebody who asks for it`, "refund", `say "`, `" to somebody who asks for it`},
		{
			"a name before a sentence", `[{"name":"issue_refund","description":"A refund is issued at once."}]`, "refund",
			"A ", " is issued at once.",
		},
		{"only names", `["issue_refund","refund","a refund"]`, "refund", `["issue_`, `","refund","a refund"]`},
		{"half a pair", `["\ud83d is what it says before the refund"]`, "refund", "is what it says before the ", ""},
		{"control characters", "a\x00\x1b[31m refund\x7f b", "refund", "a [31m ", " b"},
		{"other languages", "返金してください、返品したいです", "返品", "返金してください、", "したいです"},
	} {
		n := filter.NewNeedle(c.part)
		at := n.Matched(c.text)
		if at < 0 {
			t.Errorf("%s: not found", c.name)
			continue
		}
		at = (&Shown{Search: c.part}).prepared().telling(c.text, at)
		before, part, after := surroundings(c.text, at, at+n.Len())
		if before != c.before || !strings.EqualFold(part, c.part) || after != c.after {
			t.Errorf("%s: %q %q %q, want %q and %q around it", c.name, before, part, after, c.before, c.after)
		}
	}
}

// TestSurroundingsAreCut cuts within characters and escapes, and looks at long parts.
func TestSurroundingsAreCut(t *testing.T) {
	for _, c := range []struct{ filler, shown string }{
		{"界", "界"}, {"😀", "😀"}, {`\u5f53`, "当"}, {`\\`, `\`}, {`\"`, `"`}, {`\ud83d\ude00`, "😀"}, {`\n`, ""}, {"\xff", ""},
	} {
		for shift := range 13 {
			filler := strings.Repeat(c.filler, 400)
			text := `["` + strings.Repeat("x", shift) + filler + " refund " + filler + `"]`
			at := strings.Index(text, "refund")
			before, _, after := surroundings(text, at, at+len("refund"))
			for _, side := range []string{before, after} {
				rest := strings.Trim(strings.ReplaceAll(side, c.shown, ""), "… x")
				if n := utf8.RuneCountInString(side); c.shown != "" && rest != "" || !utf8.ValidString(side) || n > foundAfter+1 {
					t.Errorf("%q after %d: %q has %q", c.filler, shift, side, rest)
				}
			}
			if utf8.RuneCountInString(before) > foundBefore+1 {
				t.Errorf("%q: too much before it: %q", c.filler, before)
			}
		}
	}
	phrase := strings.Repeat("long ", 150)
	if _, part, after := surroundings(phrase, 0, len(phrase)); utf8.RuneCountInString(part) != foundText+1 || after != "" {
		t.Errorf("a long phrase: %q and %q", part, after)
	}
}
