package semconv

import (
	"math"
	"time"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
)

// The valid range of times of a row: years 1 to 9999, so that all can be written with four digits.
const (
	earliest = -62135596800000 // milliseconds
	latest   = 253402300799999
)

// epochMicros represents the start of 1970, since zero means unset. It reads back the same: times are shown in
// milliseconds.
const epochMicros domain.Micros = 1

// ofMillis converts milliseconds since 1970, to 0 if they are out of range.
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

// spanTimes returns the start and end of a span, truncated to milliseconds. A missing one is replaced by the other; if
// both are missing, by the time of the request. An end of 0 is missing, as it is in protobuf, unless the span starts
// there.
func spanTimes(s *otlp.Span, now domain.Micros) (start, end domain.Micros) {
	start, end = ofNanos(s.Start), ofNanos(s.End)
	if s.End.Value == 0 && start > epochMicros {
		end = 0
	}
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

// after returns start plus ms milliseconds, rounded up; 0 if that is out of range.
func after(start domain.Micros, ms float64) domain.Micros {
	if ms = math.Ceil(ms); math.IsNaN(ms) || math.Abs(ms) > latest-earliest {
		return 0
	}
	return ofMillis(start.Millis() + int64(ms))
}

// dateLayouts are the date formats that clients use. Fractions of a second are always allowed, and a time without a
// zone is in UTC.
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

// parseDate parses a date and truncates it to milliseconds; 0 if it is not a date.
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
