package store

import (
	"testing"
	"time"
	_ "time/tzdata" // also where the machine has no time zones

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
		{"week", Weeks(time.UTC), "2026-03-04 05:06:07.890", "2026-03-02 00:00:00.000", "2026-03-08 23:59:59.999"},
		{"Monday", Weeks(time.UTC), "2026-03-02 00:00:00.000", "2026-03-02 00:00:00.000", "2026-03-08 23:59:59.999"},
		{"Sunday", Weeks(time.UTC), "2026-03-01 23:59:59.999", "2026-02-23 00:00:00.000", "2026-03-01 23:59:59.999"},
		{"week of 1970", Weeks(time.UTC), "1970-01-01 00:00:00.000", "1969-12-29 00:00:00.000", "1970-01-04 23:59:59.999"},
		{"month", Months(time.UTC), "2026-02-28 23:59:59.999", "2026-02-01 00:00:00.000", "2026-02-28 23:59:59.999"},
		{"leap year", Months(time.UTC), "2028-02-01 00:00:00.000", "2028-02-01 00:00:00.000", "2028-02-29 23:59:59.999"},
		{"December", Months(time.UTC), "2025-12-31 12:00:00.000", "2025-12-01 00:00:00.000", "2025-12-31 23:59:59.999"},
		{"month before 1970", Months(time.UTC), "1969-12-31 12:00:00.000", "1969-12-01 00:00:00.000", "1969-12-31 23:59:59.999"},
		{"day", Days(time.UTC), "2026-03-04 05:06:07.890", "2026-03-04 00:00:00.000", "2026-03-04 23:59:59.999"},
		{"day in Berlin", Days(zone(t, "Europe/Berlin")), "2026-03-04 23:30:00.000", "2026-03-04 23:00:00.000", "2026-03-05 22:59:59.999"},
		{"shortest day", Days(zone(t, "Europe/Berlin")), "2026-03-29 12:00:00.000", "2026-03-28 23:00:00.000", "2026-03-29 21:59:59.999"},
		{"longest day", Days(zone(t, "Europe/Berlin")), "2026-10-25 12:00:00.000", "2026-10-24 22:00:00.000", "2026-10-25 22:59:59.999"},
		{"a day without midnight", Days(zone(t, "Asia/Beirut")), "2026-03-29 12:00:00.000", "2026-03-28 22:00:00.000", "2026-03-29 20:59:59.999"},
		{"half an hour", Days(zone(t, "Asia/Kolkata")), "2026-03-04 18:30:00.000", "2026-03-04 18:30:00.000", "2026-03-05 18:29:59.999"},
		{"week in Auckland", Weeks(zone(t, "Pacific/Auckland")), "2026-03-01 11:00:00.000", "2026-03-01 11:00:00.000", "2026-03-08 10:59:59.999"},
		{"month in New York", Months(zone(t, "America/New_York")), "2026-03-01 04:00:00.000", "2026-02-01 05:00:00.000", "2026-03-01 04:59:59.999"},
	} {
		start, end := c.buckets(at(c.at))
		if start != at(c.start) || end != at(c.last)+1 {
			t.Errorf("%s: %s is in %s to %s", c.name, c.at, time.UnixMilli(start).UTC(), time.UnixMilli(end).UTC())
		}
	}
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	found, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestBucketsMeet checks what defines buckets: each contains its time, and the next one starts where it ends.
func TestBucketsMeet(t *testing.T) {
	zones := []*time.Location{time.UTC}
	// In Samoa and on Kwajalein a day was left out, elsewhere clocks change at midnight.
	for _, name := range []string{"Asia/Beirut", "America/Sao_Paulo", "Pacific/Apia", "Pacific/Kwajalein", "Europe/Berlin", "Africa/Cairo"} {
		zones = append(zones, zone(t, name))
	}
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SampledFrom(zones).Draw(t, "zone")
		at := rapid.Int64Range(-1<<44, 1<<44).Draw(t, "at")
		width := rapid.Int64Range(1, 1<<40).Draw(t, "width")
		for name, buckets := range map[string]Buckets{"every": Every(width), "days": Days(in), "weeks": Weeks(in), "months": Months(in)} {
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

func TestDivide(t *testing.T) {
	const hour, day = int64(3_600_000), int64(86_400_000)
	for _, c := range []struct {
		first, last         int64
		buckets             int
		shortest            int64
		wantStart, wantStep int64
	}{
		{1_000, 1_099, 100, 1, 1_000, 1},
		{1_000, 1_100, 100, 1, 1_000, 2},
		{1_000, 1_100, 100, 60_000, 0, 60_000},
		{30 * hour, 54*hour - 1, 24, 60_000, 30 * hour, hour},
		{-1, 0, 2, 1, -1, 1},
		{0, 3_650 * day, 11, 1, 0, 364 * day},
		{0, 36_500 * day, 11, 1, 0, 11 * 364 * day},
		{0, 36_500 * day, 1, 1, 0, 101 * 364 * day},
	} {
		start, step := Divide(c.first, c.last, c.buckets, c.shortest)
		if start != c.wantStart || step != c.wantStep {
			t.Errorf("%+v: from %d, each %d", c, start, step)
		}
	}
}
