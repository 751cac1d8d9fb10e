package domain

import (
	"testing"
	"time"
)

func TestTimeWindow(t *testing.T) {
	now := MicrosOf(time.Date(2026, 1, 11, 0, 0, 0, 0, time.UTC))
	day := MicrosIn(24 * time.Hour)
	w := WindowOfDays(10, 2)
	for at, want := range map[Micros]string{
		now: "", now - 10*day: "", now + 2*day: "",
		now - 10*day - 1: "The time is too far in the past: this server accepts times from 2026-01-01T00:00:00Z on",
		now + 2*day + 1:  "The time is in the future: this server accepts times up to 2026-01-13T00:00:00Z",
	} {
		if got := w.Refusal(at, now); got != want {
			t.Errorf("%v: %q, want %q", at.Time(), got, want)
		}
	}
	for _, at := range []Micros{1, -62135596800000000, 253402300799999000} {
		if got := (TimeWindow{}).Refusal(at, now); got != "" {
			t.Errorf("without a limit, %v: %q", at.Time(), got)
		}
	}
}
