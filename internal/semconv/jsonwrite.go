package semconv

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// appendJSON writes a value compactly and in one spelling: members in their order, characters as themselves. It goes
// over the text once, however deeply it is nested.
func appendJSON(dst []byte, j jsonText) []byte {
	s := string(j)
	for i := 0; i < len(s); {
		switch c := s[i]; c {
		case ' ', '\n', '\t', '\r':
			i++
		case '{', '}', '[', ']', ',', ':':
			dst = append(dst, c)
			i++
		default:
			end := skipValue(s, i)
			dst = appendScalar(dst, s[i:end])
			i = end
		}
	}
	return dst
}

// appendScalar writes a string, a number or a word.
func appendScalar(dst []byte, s string) []byte {
	switch {
	case s[0] == '"':
		dst = append(dst, '"')
		dst = appendRespelled(dst, s[1:len(s)-1])
		return append(dst, '"')
	case s[0] == '-' || isDigit(s[0]):
		return appendNumber(dst, s)
	default:
		return append(dst, s...)
	}
}

// appendRespelled writes the inside of a string with the escapes that are needed and no others.
func appendRespelled(dst []byte, raw string) []byte {
	for {
		n := strings.IndexByte(raw, '\\')
		if n < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:n]...)
		r, size := unescape(raw[n:])
		if r < utf8.RuneSelf && !plainByte[r] {
			dst = appendEscaped(dst, string(r))
		} else {
			dst = utf8.AppendRune(dst, r)
		}
		raw = raw[n+size:]
	}
}

// maxDigits is the length of the largest whole number that a double can approximate.
const maxDigits = 308

// appendNumber writes a number. Whole ones keep all their digits, others are written as short as they can be, and what
// is beyond a double becomes a string, since most readers would refuse it as a number.
func appendNumber(dst []byte, s string) []byte {
	digits := strings.TrimPrefix(s, "-")
	switch {
	case digits == "0":
		return append(dst, '0')
	case len(digits) <= maxDigits && skipDigits(digits, 0) == len(digits):
		return append(dst, s...)
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return appendText(dst, s)
	}
	return appendFloat(dst, f)
}

// decoded resolves the escapes of what stands between the quotes of a string.
func decoded(raw string) string {
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return string(appendDecoded(make([]byte, 0, len(raw)), raw))
}

func appendDecoded(dst []byte, raw string) []byte {
	for {
		n := strings.IndexByte(raw, '\\')
		if n < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:n]...)
		r, size := unescape(raw[n:])
		dst = utf8.AppendRune(dst, r)
		raw = raw[n+size:]
	}
}

// unescape reads the escape that a text begins with. Half of a surrogate pair cannot be told in UTF-8 and becomes the
// replacement character.
func unescape(s string) (r rune, size int) {
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
		r, _ = hexRune(s, 2)
		if !utf16.IsSurrogate(r) {
			return r, 6
		}
		if len(s) >= 8 && s[6] == '\\' && s[7] == 'u' {
			if low, ok := hexRune(s, 8); ok {
				if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
					return both, 12
				}
			}
		}
		return utf8.RuneError, 6
	default:
		return rune(s[1]), 2
	}
}
