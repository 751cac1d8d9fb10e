package otlp

import (
	"math"
	"strconv"
)

// The texts of KindJSON values and of answers are written here, in the shortest form that JSON allows.

const hexDigits = "0123456789abcdef"

// appendQuoted writes a text, which must be valid UTF-8, as a JSON string.
func appendQuoted(dst []byte, text string) []byte {
	dst = append(dst, '"')
	done := 0
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, text[done:i]...)
		done = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, `\b`...)
		case '\f':
			dst = append(dst, `\f`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	dst = append(dst, text[done:]...)
	return append(dst, '"')
}

// appendInt writes a 64-bit integer as OTLP does in JSON: as a string, since JavaScript would round it.
func appendInt(dst []byte, number int64) []byte {
	dst = append(dst, '"')
	dst = strconv.AppendInt(dst, number, 10)
	return append(dst, '"')
}

// appendFloat writes a number as JavaScript does, and those that JSON does not have as OTLP does, as strings.
func appendFloat(dst []byte, number float64) []byte {
	switch {
	case math.IsNaN(number):
		return append(dst, `"NaN"`...)
	case math.IsInf(number, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(number, -1):
		return append(dst, `"-Infinity"`...)
	}
	if size := math.Abs(number); size == 0 || size >= 1e-6 && size < 1e21 {
		return strconv.AppendFloat(dst, number, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, number, 'e', -1, 64)
	// Go writes at least two digits of an exponent.
	if n := len(dst); n >= 4 && dst[n-4] == 'e' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// appendCompact writes everything that is left, which must have been checked, without blanks between its parts and without
// needless escapes. Numbers keep their digits.
func (r *jsonReader) appendCompact(dst []byte) []byte {
	for c := r.kind(); c != 0; c = r.kind() {
		if c == '"' {
			text, _ := r.borrowText()
			dst = appendQuoted(dst, text)
			continue
		}
		dst = append(dst, c)
		r.pos++
	}
	return dst
}
