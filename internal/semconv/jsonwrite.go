package semconv

import (
	"strconv"
	"strings"

	"almanac/internal/jsontext"
)

// appendJSON writes a value compactly and in one spelling: members in their order, characters as themselves.
func appendJSON(dst []byte, j jsonText) []byte {
	return jsontext.AppendCompact(dst, string(j), appendNumber)
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
	case len(digits) <= maxDigits && jsontext.SkipDigits(digits, 0) == len(digits):
		return append(dst, s...)
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return jsontext.AppendString(dst, s)
	}
	return jsontext.AppendNumber(dst, f)
}
