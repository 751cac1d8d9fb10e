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

// steps are lengths of buckets that people read easily, in milliseconds.
var steps = func() []int64 {
	const second, minute, hour, day = 1000, 60 * 1000, 60 * 60 * 1000, 24 * 60 * 60 * 1000
	return []int64{
		1, 2, 5, 10, 20, 50, 100, 200, 500, second, 2 * second, 5 * second, 10 * second, 15 * second, 30 * second,
		minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour,
		day, 2 * day, 7 * day, 14 * day, 28 * day, 56 * day, 91 * day, 182 * day, 364 * day,
	}
}()

// Divide returns the start of the first of at most so many buckets that cover the milliseconds from first to last, and their
// length: the shortest one that people read easily and that is not shorter than the given one. Thousands of years, which
// clients can request, have longer ones.
func Divide(first, last int64, buckets int, shortest int64) (start, step int64) {
	for _, step = range steps {
		start, _ = Every(step)(first)
		if step >= shortest && (last-start)/step < int64(buckets) {
			return start, step
		}
	}
	longest := step
	step = (last - first) / max(1, int64(buckets)-1)
	step += longest - step%longest
	start, _ = Every(step)(first)
	return start, step
}

// Days are Buckets of calendar days in a time zone.
func Days(zone *time.Location) Buckets {
	return calendar(zone, func(at time.Time, n int) time.Time {
		year, month, day := at.Date()
		return time.Date(year, month, day+n, 0, 0, 0, 0, zone)
	})
}

// Weeks are Buckets of calendar weeks in a time zone, starting on Mondays.
func Weeks(zone *time.Location) Buckets {
	return calendar(zone, func(at time.Time, n int) time.Time {
		year, month, day := at.Date()
		sinceMonday := (int(at.Weekday()) + 6) % 7
		return time.Date(year, month, day-sinceMonday+7*n, 0, 0, 0, 0, zone)
	})
}

// Months are Buckets of calendar months in a time zone.
func Months(zone *time.Location) Buckets {
	return calendar(zone, func(at time.Time, n int) time.Time {
		year, month, _ := at.Date()
		return time.Date(year, month+time.Month(n), 1, 0, 0, 0, 0, zone)
	})
}

// calendar returns buckets of which first returns the start: of the n-th one after the one that contains a local time.
func calendar(zone *time.Location, first func(at time.Time, n int) time.Time) Buckets {
	return func(millis int64) (start, end int64) {
		at := time.UnixMilli(millis).In(zone)
		n := 0
		start, end = first(at, n).UnixMilli(), first(at, n+1).UnixMilli()
		// Where clocks change at midnight or a day is left out, a day does not begin at its midnight.
		for ; millis < start; n-- {
			start, end = first(at, n-1).UnixMilli(), start
		}
		for ; millis >= end; n++ {
			start, end = end, first(at, n+2).UnixMilli()
		}
		return start, end
	}
}
