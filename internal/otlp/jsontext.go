package otlp

import (
	"math"
	"strconv"

	"almanac/internal/jsontext"
)

// The texts of KindJSON values and of answers are written here, in the shortest form that JSON allows.

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
	return jsontext.AppendNumber(dst, number)
}
