package ingest

import (
	"encoding/json"
	"regexp"
	"strings"
)

// masker replaces what a pattern matches.
type masker struct {
	pattern     *regexp.Regexp
	replacement string
}

// text masks a text. In JSON the pattern sees every text and number on its own, as it is meant and not as it is
// escaped, and the result is JSON again; names of members stay. Any other text is masked as a whole.
func (m *masker) text(text string) string {
	if !jsonStart(text) || !json.Valid([]byte(text)) {
		return m.pattern.ReplaceAllString(text, m.replacement)
	}
	var b strings.Builder
	done := 0 // how much of text is in b
	replace := func(from, to int, value string) {
		masked := m.pattern.ReplaceAllString(value, m.replacement)
		if masked == value {
			return
		}
		b.WriteString(text[done:from])
		b.WriteString(quoted(masked))
		done = to
	}
	for at := 0; at < len(text); {
		switch c := text[at]; {
		case c == '"':
			end := stringEnd(text, at)
			if !isName(text, end) {
				replace(at, end, unquoted(text[at:end]))
			}
			at = end
		case c == '-' || c >= '0' && c <= '9':
			end := numberEnd(text, at)
			replace(at, end, text[at:end])
			at = end
		default:
			at++
		}
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// stringEnd returns where a string of valid JSON ends that starts at a position.
func stringEnd(text string, at int) int {
	for at++; ; at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
}

// isName says whether a string that ends at a position is the name of a member.
func isName(text string, end int) bool {
	rest := strings.TrimLeft(text[end:], " \t\r\n")
	return strings.HasPrefix(rest, ":")
}

func numberEnd(text string, at int) int {
	for at < len(text) && strings.IndexByte("+-.eE0123456789", text[at]) >= 0 {
		at++
	}
	return at
}

// unquoted returns what a JSON string means.
func unquoted(literal string) string {
	inner := literal[1 : len(literal)-1]
	if strings.IndexByte(inner, '\\') < 0 {
		return inner
	}
	var text string
	if json.Unmarshal([]byte(literal), &text) != nil {
		return inner // what is no escape to one reader of JSON may be one to another
	}
	return text
}

// quoted returns a text as a JSON string.
func quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text can always be written
	return strings.TrimSuffix(b.String(), "\n")
}
