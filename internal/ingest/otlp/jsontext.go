package otlp

import (
	"math"
	"strconv"

	"almanac/internal/jsontext"
)

// Helpers for writing the JSON of KindJSON values and of responses, in its shortest form.

// appendInt writes a 64-bit integer as OTLP's JSON does: as a string, since JavaScript would round it.
func appendInt(dst []byte, number int64) []byte {
	dst = append(dst, '"')
	dst = strconv.AppendInt(dst, number, 10)
	return append(dst, '"')
}

// appendFloat writes a number as JavaScript does, and those that JSON lacks as strings, as OTLP does.
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
