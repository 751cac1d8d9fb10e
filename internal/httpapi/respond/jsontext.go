package respond

import (
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxNesting is how deeply a JSON text may be nested to be passed on as JSON. It is beyond what is taken in, and below
// where clients have trouble.
const maxNesting = 256

// isJSON says whether a text is one JSON value.
func isJSON(text string) bool {
	i := skipSpace(text, 0)
	end := endOfValue(text, i, maxNesting)
	return end > 0 && skipSpace(text, end) == len(text)
}

// appendJSON appends a text that is JSON. Bytes in its strings that are not UTF-8 are replaced.
func appendJSON(dst []byte, text string) []byte {
	if utf8.ValidString(text) {
		return append(dst, text...)
	}
	for _, r := range text {
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// appendParsed appends the value that a text stands for: null if it is unset, what it says if it is JSON, and otherwise
// the text itself.
func appendParsed(dst []byte, text string) []byte {
	switch {
	case text == "":
		return append(dst, "null"...)
	case isJSON(text):
		return appendJSON(dst, text)
	}
	return appendText(dst, text)
}

// endOfValue returns where the value ends that begins at i, or -1 if there is none.
func endOfValue(s string, i, depth int) int {
	if i >= len(s) || depth == 0 {
		return -1
	}
	switch s[i] {
	case '"':
		return endOfString(s, i)
	case '{':
		return endOfObject(s, i, depth)
	case '[':
		return endOfList(s, i, depth)
	case 't':
		return endOfWord(s, i, "true")
	case 'f':
		return endOfWord(s, i, "false")
	case 'n':
		return endOfWord(s, i, "null")
	}
	return endOfNumber(s, i)
}

func endOfObject(s string, i, depth int) int {
	i = skipSpace(s, i+1)
	if i < len(s) && s[i] == '}' {
		return i + 1
	}
	for {
		if i = beginningOfValue(s, endOfString(s, i)); i < 0 {
			return -1
		}
		if i = endOfValue(s, i, depth-1); i < 0 {
			return -1
		}
		i = skipSpace(s, i)
		switch {
		case i < len(s) && s[i] == '}':
			return i + 1
		case i == len(s) || s[i] != ',':
			return -1
		}
		i = skipSpace(s, i+1)
	}
}

// beginningOfValue returns where the value of a member begins whose name ends at i, or -1 if there is no name or value.
func beginningOfValue(s string, i int) int {
	if i < 0 {
		return -1
	}
	if i = skipSpace(s, i); i == len(s) || s[i] != ':' {
		return -1
	}
	return skipSpace(s, i+1)
}

func endOfList(s string, i, depth int) int {
	i = skipSpace(s, i+1)
	if i < len(s) && s[i] == ']' {
		return i + 1
	}
	for {
		if i = endOfValue(s, i, depth-1); i < 0 {
			return -1
		}
		i = skipSpace(s, i)
		switch {
		case i < len(s) && s[i] == ']':
			return i + 1
		case i == len(s) || s[i] != ',':
			return -1
		}
		i = skipSpace(s, i+1)
	}
}

func endOfWord(s string, i int, word string) int {
	if !strings.HasPrefix(s[i:], word) {
		return -1
	}
	return i + len(word)
}

// endOfString returns where the string ends that begins at i, or -1 if there is none or it has a wrong escape.
func endOfString(s string, i int) int {
	if i >= len(s) || s[i] != '"' {
		return -1
	}
	for i++; ; {
		i = skipPlain(s, i)
		switch {
		case i == len(s) || s[i] < ' ':
			return -1
		case s[i] == '"':
			return i + 1
		}
		if i = endOfEscape(s, i); i < 0 {
			return -1
		}
	}
}

// skipPlain returns where the next byte is that a string cannot hold as it is, from i on.
func skipPlain(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		if found := specialBytes(eightBytes(s, i)); found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(s) && escapes[s[i]] == 0 {
		i++
	}
	return i
}

// endOfEscape returns where the escape ends that begins with the backslash at i, or -1 if it is none.
func endOfEscape(s string, i int) int {
	if i+1 == len(s) {
		return -1
	}
	switch s[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		if _, ok := hexDigits(s, i+2); ok {
			return i + 6
		}
	}
	return -1
}

// hexDigits reads four hexadecimal digits.
func hexDigits(s string, i int) (r rune, ok bool) {
	if i+4 > len(s) {
		return 0, false
	}
	for _, c := range []byte(s[i : i+4]) {
		switch {
		case isDigit(c):
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = (c | 0x20) - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// endOfNumber returns where the number ends that begins at i, or -1 if there is none.
func endOfNumber(s string, i int) int {
	if i < len(s) && s[i] == '-' {
		i++
	}
	whole := i
	if i = skipDigits(s, i); i == whole || s[whole] == '0' && i > whole+1 {
		return -1
	}
	if i < len(s) && s[i] == '.' {
		fraction := i + 1
		if i = skipDigits(s, fraction); i == fraction {
			return -1
		}
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		exponent := i
		if i = skipDigits(s, exponent); i == exponent {
			return -1
		}
	}
	return i
}

func skipDigits(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

func skipSpace(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i
}

// firstRune reads the character that the inside of a checked string begins with, and says how many bytes it takes there.
// Half of a surrogate pair is the replacement character.
func firstRune(s string) (r rune, size int) {
	if s[0] != '\\' {
		return utf8.DecodeRuneInString(s)
	}
	switch s[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		r, _ = hexDigits(s, 2)
		if !utf16.IsSurrogate(r) {
			return r, 6
		}
		if strings.HasPrefix(s[6:], `\u`) {
			low, _ := hexDigits(s, 8)
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return both, 12
			}
		}
		return utf8.RuneError, 6
	}
	return rune(s[1]), 2
}
