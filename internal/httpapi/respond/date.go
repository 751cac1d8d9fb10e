package respond

import (
	"time"

	"almanac/internal/domain"
)

// The range of times that can be written with a four-digit year, in milliseconds. Rows should not have times outside
// it; if one does, the time is clamped, since clients cannot parse any other.
const (
	earliestMillis = -62167219200000 // 0000-01-01T00:00:00.000Z
	latestMillis   = 253402300799999 // 9999-12-31T23:59:59.999Z
)

// appendDate appends a time in the API's format, in quotes. It is several times as fast as time.AppendFormat, and a row
// has up to five times.
func appendDate(dst []byte, name string, at domain.Micros) []byte {
	return appendTime(append(dst, name...), at)
}

func appendTime(dst []byte, at domain.Micros) []byte {
	millis := min(max(at.Millis(), earliestMillis), latestMillis)
	t := time.UnixMilli(millis).UTC()
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	dst = append(dst, '"')
	dst = appendTwoDigits(dst, year/100)
	dst = appendTwoDigits(dst, year%100)
	dst = append(dst, '-')
	dst = appendTwoDigits(dst, int(month))
	dst = append(dst, '-')
	dst = appendTwoDigits(dst, day)
	dst = append(dst, 'T')
	dst = appendTwoDigits(dst, hour)
	dst = append(dst, ':')
	dst = appendTwoDigits(dst, minute)
	dst = append(dst, ':')
	dst = appendTwoDigits(dst, second)
	fraction := t.Nanosecond() / 1e6
	dst = append(dst, '.', digits[fraction/100])
	dst = appendTwoDigits(dst, fraction%100)
	return append(dst, 'Z', '"')
}

const digits = "0123456789"

func appendTwoDigits(dst []byte, n int) []byte { return append(dst, digits[n/10], digits[n%10]) }

// appendDateOrNull appends null for an unset time.
func appendDateOrNull(dst []byte, name string, at domain.Micros) []byte {
	if at == 0 {
		return appendNull(dst, name)
	}
	return appendDate(dst, name, at)
}
