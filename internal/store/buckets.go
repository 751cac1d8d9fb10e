package store

import "time"

// Buckets divides time into buckets: it returns the bucket that contains a time, from start up to but not including
// end, all in milliseconds since 1970. Every time is in exactly one bucket.
type Buckets func(millis int64) (start, end int64)

// Every returns buckets of equal length, in milliseconds, counted from 1970.
func Every(millis int64) Buckets {
	return func(at int64) (start, end int64) {
		start = at - at%millis
		if start > at {
			start -= millis
		}
		return start, start + millis
	}
}

// Weeks are Buckets of calendar weeks, starting on Mondays, UTC.
func Weeks(millis int64) (start, end int64) {
	const (
		day = 24 * 60 * 60 * 1000
		// 1970 began on a Thursday.
		toMonday = 3 * day
	)
	start, end = Every(7 * day)(millis + toMonday)
	return start - toMonday, end - toMonday
}

// Months are Buckets of calendar months, UTC.
func Months(millis int64) (start, end int64) {
	year, month, _ := time.UnixMilli(millis).UTC().Date()
	first := func(month time.Month) int64 { return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC).UnixMilli() }
	return first(month), first(month + 1)
}
