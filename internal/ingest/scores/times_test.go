package scores

import (
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
)

// TestTimes checks that scores too far from now are refused, each on its own. One without a time has that of its arrival.
func TestTimes(t *testing.T) {
	o := newWriter().Options
	o.Times = domain.WindowOfDays(10, 1)
	w, now, day := NewWriter(o), domain.MicrosOf(arrival), domain.MicrosIn(24*time.Hour)
	received := draft(t, 1, `"id":"d"`)
	received.Received = true
	refusals, err := w.Write(t.Context(), scope, []Draft{
		draft(t, now-10*day, `"id":"a"`), draft(t, now-11*day, `"id":"b"`), draft(t, now+2*day, `"id":"c"`), received,
	})
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range []string{"", "too far in the past", "in the future", ""} {
		if (refusals[n] != nil) != (want != "") || want != "" && !strings.Contains(refusals[n].Error(), want) {
			t.Errorf("score %d: %v, want %q", n, refusals[n], want)
		}
	}
}
