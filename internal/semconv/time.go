package semconv

import (
	"math"
	"time"

	"almanac/internal/domain"
	"almanac/internal/otlp"
)

// The times a row can have: years 1 to 9999, so that every one can be written with four digits.
const (
	earliest = -62135596800000 // milliseconds
	latest   = 253402300799999
)

// epochMicros stands for the very beginning of 1970, since zero means that there is no time. It reads back the same:
// times are shown in milliseconds.
const epochMicros domain.Micros = 1

// ofMillis returns a time in milliseconds since 1970; nothing if a row cannot have it.
func ofMillis(ms int64) domain.Micros {
	switch {
	case ms < earliest || ms > latest:
		return 0
	case ms == 0:
		return epochMicros
	default:
		return domain.Micros(ms * 1000)
	}
}

// spanTimes returns when a span began and ended, cut to milliseconds. A missing one is the other one; if both are
// missing, it is the time of the request.
func spanTimes(s *otlp.Span, now domain.Micros) (start, end domain.Micros) {
	start, end = ofNanos(s.Start), ofNanos(s.End)
	switch {
	case start == 0 && end == 0:
		start = ofMillis(now.Millis())
		return start, start
	case start == 0:
		return end, end
	case end == 0:
		return start, start
	default:
		return start, end
	}
}

func ofNanos(n otlp.Nanos) domain.Micros {
	if !n.Set {
		return 0
	}
	ms := n.Value / 1e6
	if n.Value%1e6 < 0 {
		ms--
	}
	return ofMillis(ms)
}

// after returns the time that lies some milliseconds after another, rounded up; nothing if a row cannot have it.
func after(start domain.Micros, ms float64) domain.Micros {
	if ms = math.Ceil(ms); math.IsNaN(ms) || math.Abs(ms) > latest-earliest {
		return 0
	}
	return ofMillis(start.Millis() + int64(ms))
}

// dateLayouts are the notations of dates that clients use; fractions of a second are always allowed, and a time without
// a zone is in UTC.
var dateLayouts = [...]string{
	time.RFC3339,
	"2006-01-02T15:04:05",
	"2006-01-02 15:04:05Z07:00",
	"2006-01-02 15:04:05",
	"2006-01-02T15:04:05Z0700",
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04",
	"2006-01-02",
}

const longestDate = 64

// parseDate reads a date and cuts it to milliseconds; nothing if it is none.
func parseDate(text string) domain.Micros {
	if len(text) > longestDate {
		return 0
	}
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return ofMillis(t.UnixMilli())
		}
	}
	return 0
}
