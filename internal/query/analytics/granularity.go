package analytics

import (
	"time"

	"almanac/internal/store"
)

// cut defines how time is divided into buckets.
type cut struct {
	buckets store.Buckets
	layout  string         // layout of the bucket's time
	zone    *time.Location // of that time
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
	zone := time.UTC
	if q.Zone != nil {
		zone = q.Zone
	}
	dates := func(buckets func(*time.Location) store.Buckets) *cut {
		return &cut{buckets: buckets(zone), layout: dateLayout, zone: zone}
	}
	every := func(d time.Duration, layout string) *cut {
		return &cut{buckets: store.Every(d.Milliseconds()), layout: layout, zone: time.UTC, millis: d.Milliseconds()}
	}
	switch granularity {
	case "minute":
		return every(time.Minute, timeLayout)
	case "hour":
		return every(time.Hour, timeLayout)
	case "day":
		if q.Zone == nil {
			return every(24*time.Hour, dateLayout)
		}
		return dates(store.Days)
	case "week":
		return dates(store.Weeks)
	case "month":
		return dates(store.Months)
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
func (c *cut) format(start int64) string { return time.UnixMilli(start).In(c.zone).Format(c.layout) }
