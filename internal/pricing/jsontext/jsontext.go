// Package jsontext reads and writes parts of JSON texts without building anything in memory. It writes as JavaScript does,
// which is what clients compare with.
package jsontext

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// AppendString appends a text as a JSON string. What is not UTF-8 becomes the replacement character.
func AppendString(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return appendEscaped(append(dst, text[:i]...), text[i:])
		}
	}
	return append(append(dst, text...), '"')
}

// appendEscaped appends the rest of a string from the first character that may need an escape.
func appendEscaped(dst []byte, text string) []byte {
	const hex = "0123456789abcdef"
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\t':
			dst = append(dst, '\\', 't')
		case r == '\r':
			dst = append(dst, '\\', 'r')
		case r == '\b':
			dst = append(dst, '\\', 'b')
		case r == '\f':
			dst = append(dst, '\\', 'f')
		case r < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// AppendNumber appends a number with the fewest digits that tell it from all others. It must be finite.
func AppendNumber(dst []byte, number float64) []byte {
	size := math.Abs(number)
	if size == 0 {
		return append(dst, '0')
	}
	if size >= 1e-6 && size < 1e21 {
		return strconv.AppendFloat(dst, number, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, number, 'e', -1, 64)
	if n := len(dst); n >= 4 && dst[n-4] == 'e' && dst[n-2] == '0' { // e-09 is written e-9
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// AppendCompact appends a valid JSON text without blanks, its strings and numbers in the form in which they are written here.
func AppendCompact(dst []byte, text string) []byte {
	for text != "" {
		n := 1
		switch c := text[0]; {
		case c == '"':
			if n = endOfString(text); n < 0 {
				n = len(text)
			}
			dst = appendString(dst, text[:n])
		case c == '-' || c >= '0' && c <= '9':
			n = endOfWord(text)
			dst = appendNumber(dst, text[:n])
		case strings.IndexByte(blanks, c) < 0:
			dst = append(dst, c)
		}
		text = text[n:]
	}
	return dst
}

// appendString appends a string that is written in another way.
func appendString(dst []byte, value string) []byte {
	if strings.IndexByte(value, '\\') >= 0 {
		if text, ok := Unquote(value); ok {
			return AppendString(dst, text)
		}
	}
	return append(dst, value...)
}

// appendNumber appends a number that is written in another way. What a float64 cannot hold stays as it is.
func appendNumber(dst []byte, value string) []byte {
	const exact = 15 // a whole number of so many digits is the same in every form
	if len(value) > exact || strings.ContainsAny(value, ".eE-") {
		if number, err := strconv.ParseFloat(value, 64); err == nil {
			return AppendNumber(dst, number)
		}
	}
	return append(dst, value...)
}
