package decode

import (
	"math"
	"strings"
	"time"
)

// maxDateLen is the maximum length of a date in bytes, far more than any of the layouts needs.
const maxDateLen = 128

// dateLayouts are the accepted date layouts: ISO 8601 down to a year alone, and the HTTP and mail date formats. Seconds
// may have a fraction in all of them.
var dateLayouts = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", time.DateOnly,
	"2006-01-02T15:04Z07:00", "2006-01-02T15:04",
	"2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z0700",
	"2006-01", "2006", time.RFC1123, time.RFC1123Z,
}

// ParseDate parses a date in one of several layouts, truncated to milliseconds. Without a time zone it is UTC. A space
// may replace the T before the time of day. Numbers with more digits than a year are not dates.
func ParseDate(text string) (time.Time, bool) {
	const day = len(time.DateOnly)
	text = strings.TrimSpace(text)
	if len(text) > maxDateLen {
		return time.Time{}, false
	}
	if len(text) > day && strings.IndexByte("Tt ", text[day]) >= 0 && text[day-3] == '-' {
		text = text[:day] + "T" + strings.ToUpper(strings.TrimLeft(text[day+1:], " "))
	}
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC().Truncate(time.Millisecond), true
		}
	}
	return time.Time{}, false
}

// NonEmptyDate is like Date, for a parameter that must not be empty.
func (q *Query) NonEmptyDate(name string) *time.Time {
	if values := q.all(name); len(values) == 1 && values[0] == "" {
		q.Add(NotADate([]any{name}))
		return nil
	}
	return q.Date(name)
}

// Date returns a string as ParseDate parses it, or a number of milliseconds since 1970.
func (v Value) Date() time.Time {
	switch v.Kind() {
	case "string":
		if t, ok := ParseDate(v.Text()); ok {
			return t
		}
	case "number":
		const most = 8.64e15 // the JavaScript Date range: a hundred million days on either side of 1970
		if millis := v.Number(); math.Abs(millis) <= most {
			return time.UnixMilli(int64(millis)).UTC()
		}
	default:
		v.issues.Add(WrongType(v.path, "date", v.Kind()))
		return time.Time{}
	}
	v.issues.Add(NotADate(v.path))
	return time.Time{}
}
