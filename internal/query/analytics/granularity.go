package analytics

import (
	"time"

	"almanac/internal/store"
)

// cut defines how time is divided into buckets.
type cut struct {
	buckets store.Buckets
	layout  string // layout of the bucket's time
	// millis is the length of a bucket if all have the same length and are aligned to 1970.
	millis int64
}

const (
	timeLayout = "2006-01-02T15:04:05Z"
	dateLayout = time.DateOnly
)

// cutOf returns the cut for the granularity of a query, or nil if it has none.
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

// autoGranularity chooses a granularity that gives a readable number of buckets. time.Duration saturates at 292 years.
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

// format returns the start of a bucket as rows show it.
func (c *cut) format(start int64) string { return time.UnixMilli(start).UTC().Format(c.layout) }
