package metrics

import (
	"time"

	"almanac/internal/store"
)

// cut says how time is cut into buckets.
type cut struct {
	buckets store.Buckets
	layout  string // of the time of a bucket
	// millis is how long all buckets are, if they are all alike and counted from 1970.
	millis int64
}

const (
	timeLayout = "2006-01-02T15:04:05Z"
	dateLayout = time.DateOnly
)

// cutOf returns how a granularity cuts time; nil if there is none.
func cutOf(q *Query) *cut {
	granularity := q.Granularity
	if granularity == "auto" {
		granularity = autoGranularity(q.To.Sub(q.From))
	}
	every := func(d time.Duration, layout string) *cut {
		return &cut{buckets: store.Every(d.Milliseconds()), layout: layout, millis: d.Milliseconds()}
	}
	switch granularity {
	case "minute":
		return every(time.Minute, timeLayout)
	case "hour":
		return every(time.Hour, timeLayout)
	case "day":
		return every(24*time.Hour, dateLayout)
	case "week":
		return &cut{buckets: store.Weeks, layout: dateLayout}
	case "month":
		return &cut{buckets: store.Months, layout: dateLayout}
	}
	return nil
}

// autoGranularity chooses a granularity that gives a readable number of buckets. Durations end at 292 years, and longer
// ones are as long as that.
func autoGranularity(d time.Duration) string {
	switch {
	case d < 2*time.Hour:
		return "minute"
	case d < 72*time.Hour:
		return "hour"
	case d < 1440*time.Hour:
		return "day"
	case d < 8760*time.Hour:
		return "week"
	}
	return "month"
}

// format returns the time of a bucket as rows show it.
func (c *cut) format(start int64) string { return time.UnixMilli(start).UTC().Format(c.layout) }
