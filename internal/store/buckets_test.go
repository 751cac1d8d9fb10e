package store

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestBuckets(t *testing.T) {
	at := func(text string) int64 {
		parsed, err := time.Parse("2006-01-02 15:04:05.000", text)
		if err != nil {
			t.Fatal(err)
		}
		return parsed.UnixMilli()
	}
	for _, c := range []struct {
		name            string
		buckets         Buckets
		at, start, last string // the last millisecond
	}{
		{"minute", Every(60_000), "2026-03-04 05:06:07.890", "2026-03-04 05:06:00.000", "2026-03-04 05:06:59.999"},
		{"before 1970", Every(60_000), "1969-12-31 23:59:59.999", "1969-12-31 23:59:00.000", "1969-12-31 23:59:59.999"},
		{"edge", Every(60_000), "2026-03-04 05:06:00.000", "2026-03-04 05:06:00.000", "2026-03-04 05:06:59.999"},
		{"week", Weeks, "2026-03-04 05:06:07.890", "2026-03-02 00:00:00.000", "2026-03-08 23:59:59.999"},
		{"Monday", Weeks, "2026-03-02 00:00:00.000", "2026-03-02 00:00:00.000", "2026-03-08 23:59:59.999"},
		{"Sunday", Weeks, "2026-03-01 23:59:59.999", "2026-02-23 00:00:00.000", "2026-03-01 23:59:59.999"},
		{"week of 1970", Weeks, "1970-01-01 00:00:00.000", "1969-12-29 00:00:00.000", "1970-01-04 23:59:59.999"},
		{"month", Months, "2026-02-28 23:59:59.999", "2026-02-01 00:00:00.000", "2026-02-28 23:59:59.999"},
		{"leap year", Months, "2028-02-01 00:00:00.000", "2028-02-01 00:00:00.000", "2028-02-29 23:59:59.999"},
		{"December", Months, "2025-12-31 12:00:00.000", "2025-12-01 00:00:00.000", "2025-12-31 23:59:59.999"},
		{"month before 1970", Months, "1969-12-31 12:00:00.000", "1969-12-01 00:00:00.000", "1969-12-31 23:59:59.999"},
	} {
		start, end := c.buckets(at(c.at))
		if start != at(c.start) || end != at(c.last)+1 {
			t.Errorf("%s: %s is in %s to %s", c.name, c.at, time.UnixMilli(start).UTC(), time.UnixMilli(end).UTC())
		}
	}
}

// TestBucketsMeet checks what defines buckets: each contains its time, and the next one starts where it ends.
func TestBucketsMeet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Int64Range(-1<<44, 1<<44).Draw(t, "at")
		width := rapid.Int64Range(1, 1<<40).Draw(t, "width")
		for name, buckets := range map[string]Buckets{"every": Every(width), "weeks": Weeks, "months": Months} {
			start, end := buckets(at)
			if at < start || at >= end {
				t.Fatalf("%s: %d is not between %d and %d", name, at, start, end)
			}
			if again, _ := buckets(start); again != start {
				t.Fatalf("%s: the bucket of %d starts at %d", name, start, again)
			}
			if next, _ := buckets(end); next != end {
				t.Fatalf("%s: the bucket behind %d starts at %d", name, end, next)
			}
		}
	})
}
