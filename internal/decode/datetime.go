package decode

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
	"time"
)

// datetimePattern describes the accepted datetimes to clients, in the issue about one that is rejected: a real calendar
// day, T, hours and minutes, optional seconds with an optional fraction, then Z or an offset.
const datetimePattern = `^` + datePattern + `T` + timePattern + `$`

const (
	datePattern = `(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29` +
		`|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))`
	timePattern = `(?:(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|([+-](?:[01]\d|2[0-3]):[0-5]\d)))`
)

var datetimeRegexp = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(datetimePattern) })

// maxDatetimeLen bounds the string matched against the pattern; a fraction of a hundred digits still fits.
const maxDatetimeLen = 128

// ParseDatetime parses YYYY-MM-DDTHH:MM[:SS[.fraction]] followed by Z or an offset ±HH:MM, truncated to milliseconds.
func ParseDatetime(text string) (time.Time, bool) {
	t, ok := ParseInstant(text)
	return t.Truncate(time.Millisecond), ok
}

// ParseInstant parses the same strings without truncation, for times that only establish the order of events.
func ParseInstant(text string) (time.Time, bool) {
	if len(text) > maxDatetimeLen || !datetimeRegexp().MatchString(text) {
		return time.Time{}, false
	}
	date, clock := text[:len("2006-01-02T15:04")], text[len("2006-01-02T15:04"):]
	zone := clock[strings.IndexAny(clock, "Z+-"):]
	seconds := cmp.Or(strings.TrimSuffix(clock, zone), ":00")
	t, err := time.Parse("2006-01-02T15:04:05Z07:00", date+seconds+zone)
	if err != nil {
		return time.Time{}, false
	}
	return t.UTC(), true
}
