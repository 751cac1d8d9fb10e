package respond

import (
	"math"
	"strconv"

	"almanac/internal/domain"
)

// appendNumber appends a number as JavaScript does: with the fewest digits that tell it from all others, and without an
// exponent from 1e-6 up to 1e21. What is not finite becomes null.
func appendNumber(dst []byte, number float64) []byte {
	size := math.Abs(number)
	switch {
	case math.IsNaN(number) || math.IsInf(number, 0):
		return append(dst, "null"...)
	case size == 0:
		return append(dst, '0') // also for the negative zero
	case size >= 1e-6 && size < 1e21:
		return strconv.AppendFloat(dst, number, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, number, 'e', -1, 64)
	if n := len(dst); dst[n-4] == 'e' && dst[n-2] == '0' { // e-07 is written e-7
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// appendSeconds appends milliseconds as a number of seconds.
func appendSeconds(dst []byte, millis int64) []byte {
	if millis < 0 {
		dst = append(dst, '-')
		millis = -millis
	}
	dst = strconv.AppendInt(dst, millis/1000, 10)
	rest := millis % 1000
	if rest == 0 {
		return dst
	}
	dst = append(dst, '.')
	for unit := int64(100); rest > 0; unit /= 10 {
		dst = append(dst, digits[rest/unit])
		rest %= unit
	}
	return dst
}

// appendDuration appends the seconds between two points in time, both cut to milliseconds as clients see them; null if
// the second is unset.
func appendDuration(dst []byte, from, to domain.Micros) []byte {
	if to == 0 {
		return append(dst, "null"...)
	}
	return appendSeconds(dst, to.Millis()-from.Millis())
}

// appendIntOrNull appends null for an unset integer.
func appendIntOrNull(dst []byte, v domain.OptInt) []byte {
	if !v.Set {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, v.Value, 10)
}
