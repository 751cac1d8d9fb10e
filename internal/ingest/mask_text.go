package ingest

import (
	"encoding/json"
	"regexp"
	"strings"

	"almanac/internal/jsontext"
)

// masker replaces matches of a pattern.
type masker struct {
	pattern     *regexp.Regexp
	replacement string
}

// text masks a string. In JSON, the pattern is applied to each string (unescaped) and number on its own, member names
// are kept, and the result is valid JSON. Any other string is masked as a whole.
func (m *masker) text(text string) string {
	if !jsontext.MayContainStrings(text) || !json.Valid([]byte(text)) {
		return m.pattern.ReplaceAllString(text, m.replacement)
	}
	var b strings.Builder
	done := 0 // number of bytes of text already in b
	replace := func(from, to int, value string) {
		masked := m.pattern.ReplaceAllString(value, m.replacement)
		if masked == value {
			return
		}
		b.WriteString(text[done:from])
		b.Write(jsontext.AppendString(nil, masked))
		done = to
	}
	for at := 0; at < len(text); {
		switch c := text[at]; {
		case c == '"':
			end := jsontext.SkipString(text, at)
			if !jsontext.IsName(text, end) {
				replace(at, end, jsontext.Unescape(text[at+1:end-1]))
			}
			at = end
		case jsontext.StartsNumber(c):
			end := jsontext.SkipValue(text, at)
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
