package domain

import (
	"math"
	"time"
)

// TimeWindow limits how far from the present the time of a new event may be. The zero value allows any time.
type TimeWindow struct {
	// Age and Future are the limits before and after now; 0 for none.
	Age, Future Micros
}

// WindowOfDays returns the window of this many days before and after now; 0 for no limit.
func WindowOfDays(age, future int) TimeWindow {
	return TimeWindow{Micros(age) * MicrosIn(24*time.Hour), Micros(future) * MicrosIn(24*time.Hour)}
}

// Bounds returns the earliest and the latest time that are allowed.
func (w TimeWindow) Bounds(now Micros) (earliest, latest Micros) {
	earliest, latest = math.MinInt64, math.MaxInt64
	if w.Age > 0 {
		earliest = now - w.Age
	}
	if w.Future > 0 {
		latest = now + w.Future
	}
	return earliest, latest
}

// Refusal explains why a time is not allowed; it is empty for a time that is.
func (w TimeWindow) Refusal(at, now Micros) string {
	earliest, latest := w.Bounds(now)
	switch {
	case at < earliest:
		return "The time is too far in the past: this server accepts times from " + earliest.Time().Format(time.RFC3339) + " on"
	case at > latest:
		return "The time is in the future: this server accepts times up to " + latest.Time().Format(time.RFC3339)
	}
	return ""
}
