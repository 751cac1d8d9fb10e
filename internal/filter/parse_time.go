package filter

import (
	"math"
	"strconv"
	"strings"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
)

// readTime reads a point in time: a string, or milliseconds since 1970.
func readTime(v decode.Value) domain.Micros {
	received := "Invalid Date"
	switch kind := v.Kind(); kind {
	case "string":
		if t, ok := parseTime(v.Text()); ok {
			return domain.Micros(t.UnixMicro())
		}
	case "number":
		const most = 8.64e15 // the JavaScript Date range: a hundred million days on either side of 1970
		if millis, err := strconv.ParseFloat(string(v.Raw()), 64); err == nil && math.Abs(millis) <= most {
			return domain.Micros(millis) * 1000 // truncated to whole milliseconds
		}
	default:
		received = kind
	}
	v.Reject(decode.WrongType(v.Path(), "date", received))
	return 0
}

// parseTime parses a date with an optional time of day, which may have seconds, a fraction and a time zone. Without a
// time zone it is UTC.
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
