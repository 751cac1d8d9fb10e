package respond

import (
	"strconv"

	"almanac/internal/domain"
)

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
