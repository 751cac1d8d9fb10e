package semconv

import (
	"strconv"
	"strings"

	"almanac/internal/jsontext"
)

// appendJSON writes a value compactly and normalized: members in their order, characters unescaped where possible.
func appendJSON(dst []byte, j jsonText) []byte {
	return jsontext.AppendCompact(dst, string(j), appendNumber)
}

// maxDigits is the maximum length of an integer that a float64 can approximate.
const maxDigits = 308

// appendNumber writes a number. Integers keep all their digits, other numbers are written as short as possible, and
// numbers out of the range of a float64 become strings, since most readers would refuse them as numbers.
func appendNumber(dst []byte, s string) []byte {
	digits := strings.TrimPrefix(s, "-")
	switch {
	case digits == "0":
		return append(dst, '0')
	case len(digits) <= maxDigits && jsontext.SkipDigits(digits, 0) == len(digits):
		return append(dst, s...)
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return jsontext.AppendString(dst, s)
	}
	return jsontext.AppendNumber(dst, f)
}
