package decode

import (
	"math"
	"strings"
	"time"
)

// maxMomentLen bounds the text of a moment. It is more than any of its forms needs.
const maxMomentLen = 64

// momentLayouts are the forms of a moment: ISO 8601, down to a year alone, and the dates of mail and of HTTP. Seconds may have a
// fraction.
var momentLayouts = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
	"2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z0700",
	"2006-01-02", "2006-01", "2006", time.RFC1123, time.RFC1123Z,
}

// ParseMoment reads a point in time that may be written in more ways than ParseDatetime takes, cut to milliseconds. What has no
// zone is UTC, what has no time of day is midnight. A number of milliseconds is none.
func ParseMoment(text string) (time.Time, bool) {
	text = strings.TrimSpace(text)
	if len(text) > maxMomentLen {
		return time.Time{}, false
	}
	if day := len("2006-01-02"); len(text) > day && text[day-3] == '-' && (text[day] == ' ' || text[day] == 't') {
		text = text[:day] + "T" + text[day+1:]
	}
	if rest, found := strings.CutSuffix(text, "z"); found {
		text = rest + "Z"
	}
	for _, layout := range momentLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC().Truncate(time.Millisecond), true
		}
	}
	return time.Time{}, false
}

// NotAMoment says that a value is no point in time.
func NotAMoment(path []any) Issue {
	i := WrongType(path, "date", "Date")
	i.after = []member{{"received", "Invalid Date"}}
	return i
}

// Moment returns the parameter as ParseMoment reads it; nil if it is absent. An empty value is none.
func (q *Query) Moment(name string) *time.Time {
	text, ok := q.one(name)
	if !ok {
		return nil
	}
	t, ok := ParseMoment(text)
	if !ok {
		q.Add(NotAMoment([]any{name}))
		return nil
	}
	return &t
}

// Moment returns a text as ParseMoment reads it, or a number of milliseconds since 1970.
func (v Value) Moment() time.Time {
	switch v.Kind() {
	case "string":
		if t, ok := ParseMoment(v.Text()); ok {
			return t
		}
	case "number":
		const most = 8.64e15 // a hundred million days on either side of 1970, as far as dates of clients reach
		if millis := v.Number(); math.Abs(millis) <= most {
			return time.UnixMilli(int64(millis)).UTC()
		}
	default:
		v.issues.Add(WrongType(v.path, "date", v.Kind()))
		return time.Time{}
	}
	v.issues.Add(NotAMoment(v.path))
	return time.Time{}
}
