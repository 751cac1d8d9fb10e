package export

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decoded replaces escapes such as \u00e9 by their characters. Quotes, backslashes, control characters and unpaired
// surrogates stay escaped, so that JSON in the text remains valid.
func decoded(text string) string {
	if !strings.Contains(text, `\u`) {
		return text
	}
	b := make([]byte, 0, len(text))
	for n := 0; n < len(text); {
		if text[n] != '\\' || n+1 == len(text) {
			b = append(b, text[n])
			n++
			continue
		}
		first, ok := escapedUnit(text[n:])
		if !ok {
			b = append(b, text[n], text[n+1]) // another escape, such as an escaped backslash
			n += 2
			continue
		}
		char, length := first, 6
		if utf16.IsSurrogate(first) {
			second, _ := escapedUnit(text[n+6:])
			char, length = utf16.DecodeRune(first, second), 12
		}
		if char == utf8.RuneError || char < ' ' || char == '"' || char == '\\' {
			b = append(b, text[n:n+6]...)
			n += 6
			continue
		}
		b = utf8.AppendRune(b, char)
		n += length
	}
	return string(b)
}

// escapedUnit returns the UTF-16 code unit whose escape the text begins with.
func escapedUnit(text string) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(text[2:6], 16, 16)
	return rune(unit), err == nil
}
