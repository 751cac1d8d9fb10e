package respond

import (
	"strconv"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// appendSeconds appends milliseconds as a number of seconds.
func appendSeconds(dst []byte, name string, millis int64) []byte {
	dst = append(dst, name...)
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

// appendDuration appends the seconds between two times, both truncated to milliseconds as clients see them, or null if
// the second is unset.
func appendDuration(dst []byte, name string, from, to domain.Micros) []byte {
	if to == 0 {
		return appendNull(dst, name)
	}
	return appendSeconds(dst, name, to.Millis()-from.Millis())
}

func appendInt(dst []byte, name string, n int64) []byte {
	return strconv.AppendInt(append(dst, name...), n, 10)
}

func appendNumber(dst []byte, name string, f float64) []byte {
	return jsontext.AppendNumber(append(dst, name...), f)
}

func appendBool(dst []byte, name string, b bool) []byte {
	return strconv.AppendBool(append(dst, name...), b)
}

// appendIntOrNull appends null for an unset integer.
func appendIntOrNull(dst []byte, name string, v domain.OptInt) []byte {
	if !v.Set {
		return appendNull(dst, name)
	}
	return appendInt(dst, name, v.Value)
}
