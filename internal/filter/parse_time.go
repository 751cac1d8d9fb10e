package filter

import (
	"math"
	"strconv"
	"strings"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
)

// readTime reads a point in time: a text, or milliseconds since 1970.
func readTime(v decode.Value) domain.Micros {
	received := "Invalid Date"
	switch kind := v.Kind(); kind {
	case "string":
		if t, ok := parseTime(v.Text()); ok {
			return domain.Micros(t.UnixMicro())
		}
	case "number":
		const most = 8.64e15 // a hundred million days on either side of 1970, as far as dates of clients reach
		if millis, err := strconv.ParseFloat(string(v.Raw()), 64); err == nil && math.Abs(millis) <= most {
			return domain.Micros(millis) * 1000 // whole milliseconds
		}
	default:
		received = kind
	}
	v.Reject(decode.WrongType(v.Path(), "date", received))
	return 0
}

// parseTime reads a date with or without a time, and a time with or without seconds, a fraction of them and a zone. What
// has no zone is UTC.
func parseTime(text string) (time.Time, bool) {
	const day, longest = len(time.DateOnly), 64
	if len(text) > longest {
		return time.Time{}, false
	}
	if len(text) > day && strings.IndexByte("Tt ", text[day]) >= 0 {
		text = text[:day] + "T" + strings.ToUpper(text[day+1:])
	}
	for _, layout := range []string{
		"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", time.DateOnly,
		"2006-01-02T15:04Z07:00", "2006-01-02T15:04",
		"2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02T15:04Z0700", "2006-01-02T15:04Z07",
	} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
