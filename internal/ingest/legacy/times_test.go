package legacy

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
)

// TestTimes checks that events whose rows would be too far from now are refused, each on its own.
func TestTimes(t *testing.T) {
	b := newBench(t)
	b.in.Times = domain.WindowOfDays(10, 1)
	old := ev(0, "trace-create", `{"id":"a"}`)
	old.Timestamp -= domain.MicrosIn(11 * 24 * time.Hour)
	errs := b.try(
		ev(0, "trace-create", `{"id":"a"}`),
		ev(0, "trace-create", `{"id":"b","timestamp":"2026-02-19T12:00:00Z"}`),
		ev(0, "trace-create", `{"id":"c","timestamp":"2026-02-19T11:59:59Z"}`),
		ev(0, "span-create", `{"id":"d","traceId":"a","startTime":"2026-03-02T12:00:01Z"}`),
		ev(0, "span-create", `{"id":"e","traceId":"a","startTime":"2026-03-01T12:00:01Z","endTime":"2030-03-01T12:00:01Z"}`),
		old,
	)
	for n, want := range []string{"", "", "too far in the past", "in the future", "", "too far in the past"} {
		if got := fmt.Sprint(errs[n]); (errs[n] != nil) != (want != "") || !strings.Contains(got, want) {
			t.Errorf("event %d: %v, want %q", n, got, want)
		}
	}
}
