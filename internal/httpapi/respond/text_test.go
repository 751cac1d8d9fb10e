package respond

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAppendText(t *testing.T) {
	for text, want := range map[string]string{
		"":                          `""`,
		"plain":                     `"plain"`,
		"plain and longer than one": `"plain and longer than one"`,
		`a"b\c`:                     `"a\"b\\c"`,
		"a\n\t\r\b\fb":              `"a\n\t\r\b\fb"`,
		"\x00\x1f \x7f":             "\"\\u0000\\u001f \x7f\"",
		"é日😀":                       `"é日😀"`,
		"</script>&":                `"</script>&"`,
		"a\u2028b\u2029c":           "\"a\u2028b\u2029c\"",
		"a\xffb":                    "\"a\uFFFDb\"",
		"\xff\xfe":                  "\"\uFFFD\uFFFD\"",
		"half \xe2\x82 and \n":      "\"half \uFFFD\uFFFD and \\n\"",
		"surrogate \xed\xa0\x80\"":  "\"surrogate \uFFFD\uFFFD\uFFFD\\\"\"",
	} {
		if got := string(appendText(nil, text)); got != want {
			t.Errorf("appendText(%q) = %s, want %s", text, got, want)
		}
	}
}

// TestAppendTextPositions puts everything that is escaped at every position around the sizes that are handled at once.
func TestAppendTextPositions(t *testing.T) {
	for _, special := range []string{`"`, `\`, "\n", "\x01", "\x00", "é", "😀", "\xff", `"\`, "\x1f\""} {
		for _, length := range []int{1, 7, 8, 9, 16, 23, textBlock - 1, textBlock, textBlock + 1, 2*textBlock + 3} {
			for at := range length {
				if length > 64 && at > 20 && at < length-20 && (at < textBlock-9 || at > textBlock+9) {
					continue
				}
				text := strings.Repeat("x", at) + special + strings.Repeat("y", length-at)
				checkText(t, text)
			}
		}
	}
	checkText(t, strings.Repeat("\x01", 3*textBlock))
}

// checkText compares with what encoding/json reads and with what a text is worth in UTF-8.
func checkText(t *testing.T, text string) {
	t.Helper()
	const before = `{"a":`
	written := appendText([]byte(before), text)
	if !strings.HasPrefix(string(written), before) {
		t.Fatalf("what was there before %q is gone: %s", text, written)
	}
	written = written[len(before):]
	var got string
	if err := json.Unmarshal(written, &got); err != nil {
		t.Fatalf("%q was written as %s: %v", text, written, err)
	}
	if got != repaired(text) {
		t.Fatalf("%q was written as %s and read as %q", text, written, got)
	}
	if !utf8.Valid(written) {
		t.Fatalf("%q was written as %q, which is not UTF-8", text, written)
	}
}

// repaired returns a text whose wrong bytes are replaced one by one.
func repaired(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteRune(r)
	}
	return b.String()
}

func FuzzAppendText(f *testing.F) {
	f.Add("a\"b\xff\n\u2028é")
	f.Add(strings.Repeat("{\"a\":\"\x02\"}", 60))
	f.Fuzz(func(t *testing.T, text string) { checkText(t, text) })
}

func TestAppendTexts(t *testing.T) {
	for _, c := range []struct {
		texts []string
		want  string
	}{{nil, `[]`}, {[]string{}, `[]`}, {[]string{"a"}, `["a"]`}, {[]string{"a", "", `"`}, `["a","","\""]`}} {
		if got := string(appendTexts(nil, c.texts)); got != c.want {
			t.Errorf("appendTexts(%q) = %s, want %s", c.texts, got, c.want)
		}
	}
}
