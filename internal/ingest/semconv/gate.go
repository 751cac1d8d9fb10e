package semconv

import (
	"strings"

	"almanac/internal/jsontext"
)

// Inputs and outputs are large and seldom involve tools. A scan of their text shows whether parsing them is worthwhile.

// beginsLikeJSON reports whether text starts like an object or a list.
func beginsLikeJSON(text string) bool {
	i := jsontext.SkipSpace(text, 0)
	return i < len(text) && (text[i] == '{' || text[i] == '[')
}

// mentions reports whether one of the words follows a quote, as in member names and strings. This includes JSON within
// a JSON string, where the quote is preceded by a backslash.
func mentions(text string, words ...string) bool {
	for {
		i := strings.IndexByte(text, '"') + 1
		if i == 0 || i == len(text) {
			return false
		}
		text = text[i:]
		for _, w := range words {
			if text[0] == w[0] && strings.HasPrefix(text, w) {
				return true
			}
		}
	}
}

// hidesLetters reports whether letters may be written as escapes. No client does that in practice, but words could not
// be searched for then.
func hidesLetters(text string) bool {
	for {
		_, rest, ok := strings.Cut(text, `\u00`)
		if !ok {
			return false
		}
		if rest != "" && rest[0] >= '4' && rest[0] <= '7' {
			return true
		}
		text = rest
	}
}
