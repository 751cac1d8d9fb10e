package decode

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Query reads query parameters. Parameters that are never read are ignored unless Strict is called. A repeated
// parameter is an array and fits only where a list is read.
type Query struct {
	values url.Values
	read   []string
	Issues
}

// NewQuery returns a reader for the given parameters.
func NewQuery(values url.Values) *Query { return &Query{values: values} }

// all returns the values of a parameter and marks it as read.
func (q *Query) all(name string) []string {
	q.read = append(q.read, name)
	return q.values[name]
}

// Strict records an issue for parameters that were not read. Call it after reading all of them.
func (q *Query) Strict() {
	var unknown []string
	for name := range q.values {
		if !slices.Contains(q.read, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown) // the order in which they were sent is unknown
		q.Add(UnknownKeys(nil, unknown))
	}
}

// one returns the parameter's only value; ok is false if it is absent or, with an issue, repeated.
func (q *Query) one(name string) (text string, ok bool) {
	switch values := q.all(name); len(values) {
	case 0:
		return "", false
	case 1:
		return values[0], true
	}
	q.Add(WrongType([]any{name}, "string", "array"))
	return "", false
}

// Values returns all values of a parameter.
func (q *Query) Values(name string) []string { return q.all(name) }

// String returns the parameter, or nil if it is absent. An empty value is a value.
func (q *Query) String(name string) *string {
	text, ok := q.one(name)
	if !ok {
		return nil
	}
	return &text
}

// RequiredString returns the parameter and records an issue if it is absent.
func (q *Query) RequiredString(name string) string {
	if len(q.all(name)) == 0 {
		q.Add(WrongType([]any{name}, "string", "undefined"))
		return ""
	}
	text, _ := q.one(name)
	return text
}

// Enum returns the parameter if it is exactly one of the allowed values, or "" if it is absent.
func (q *Query) Enum(name string, allowed ...string) string {
	switch values := q.all(name); {
	case len(values) == 0:
		return ""
	case len(values) == 1 && slices.Contains(allowed, values[0]):
		return values[0]
	}
	q.Add(NotInEnum([]any{name}, allowed))
	return ""
}

// Bool returns the parameter, which must be true or false, or nil if it is absent.
func (q *Query) Bool(name string) *bool {
	switch q.Enum(name, "true", "false") {
	case "true":
		return new(true)
	case "false":
		return new(false)
	}
	return nil
}

// IntRule bounds an integer parameter.
type IntRule struct {
	Default      int // when the parameter is absent
	Min, Max     int
	ExclusiveMin bool // Min itself is not allowed
	EmptyIsZero  bool // an empty value is 0 instead of absent
}

// Int returns the parameter as an integer. Values out of bounds are reported, never clamped.
func (q *Query) Int(name string, rule IntRule) int {
	text, found := "", false
	switch values := q.all(name); len(values) {
	case 0:
	case 1:
		text, found = values[0], true
	default:
		q.Add(NotANumber([]any{name}))
		return rule.Default
	}
	if !found || (text == "" && !rule.EmptyIsZero) {
		return rule.Default
	}
	f, ok := ParseNumber(text)
	path := []any{name}
	switch {
	case !ok:
		q.Add(NotANumber(path))
	case f != math.Trunc(f) || math.Abs(f) > maxSafeInteger:
		q.Add(NotAnInteger(path))
	case f > float64(rule.Max):
		q.Add(TooBig(path, float64(rule.Max)))
	case f < float64(rule.Min), rule.ExclusiveMin && f == float64(rule.Min):
		q.Add(TooSmall(path, float64(rule.Min), rule.ExclusiveMin))
	default:
		return int(f)
	}
	return rule.Default
}

// maxSafeInteger is the largest integer that JSON clients represent exactly.
const maxSafeInteger = 1<<53 - 1

// Number returns the parameter as a number, or nil if it is absent or empty.
func (q *Query) Number(name string) *float64 {
	values := q.all(name)
	if len(values) == 0 || (len(values) == 1 && values[0] == "") {
		return nil
	}
	if len(values) == 1 {
		if f, ok := ParseNumber(values[0]); ok {
			return &f
		}
	}
	q.Add(NotANumber([]any{name}))
	return nil
}

// ParseNumber reads a decimal number leniently: surrounding whitespace and exponents are allowed, and an empty string
// is 0.
func ParseNumber(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, true
	}
	// ParseFloat also accepts hexadecimal floats, underscores, "inf" and "nan", none of which is a number here.
	if strings.Trim(text, "0123456789+-.eE") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}

// Time returns the parameter as a time with a time zone, in UTC and truncated to milliseconds, or the zero time if it
// is absent.
func (q *Query) Time(name string) time.Time {
	text, ok := q.one(name)
	if !ok {
		return time.Time{}
	}
	t, ok := ParseDatetime(text)
	if !ok {
		q.Add(NotADatetime([]any{name}))
	}
	return t
}

// Date returns the parameter as a time, in more forms than Time accepts: without a time zone, which means UTC, or
// without a time of day. It returns nil if the parameter is absent or empty.
func (q *Query) Date(name string) *time.Time {
	values := q.all(name)
	if len(values) == 0 || (len(values) == 1 && values[0] == "") {
		return nil
	}
	if len(values) == 1 {
		if t, ok := ParseDate(values[0]); ok {
			return &t
		}
	}
	q.Add(NotADate([]any{name}))
	return nil
}

// MaxCommaList is the maximum number of items in a CommaList.
const MaxCommaList = 1000

// CommaList returns the comma-separated items of a parameter, trimmed and without empty ones. Unlike with List, the
// parameter must not be repeated.
func (q *Query) CommaList(name string) []string {
	text, ok := q.one(name)
	if !ok {
		return nil
	}
	list := splitCommas(text)
	if len(list) > MaxCommaList {
		q.Add(TooLong([]any{name}, "array", MaxCommaList))
		return nil
	}
	return list
}

// List returns the values of a parameter that may be repeated. A single value is split at commas, and its parts are
// trimmed and empty ones left out.
func (q *Query) List(name string) []string {
	values := q.all(name)
	if len(values) != 1 {
		return slices.Clone(values)
	}
	return splitCommas(values[0])
}

func splitCommas(text string) []string {
	var list []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// Page is a page of a list with numbered pages.
type Page struct{ Number, Limit int }

// Offset returns the number of items before the page.
func (p Page) Offset() int { return (p.Number - 1) * p.Limit }

// Bounds of lists with numbered pages. The largest page number keeps Offset within 64 bits.
const (
	maxPageLimit  = 100
	maxPageNumber = 1 << 40
)

// Page returns the parameters page (from 1) and limit (1 to 100, by default defaultLimit); empty values count as
// absent.
func (q *Query) Page(defaultLimit int) Page {
	return Page{
		Number: q.Int("page", IntRule{Default: 1, Min: 0, Max: maxPageNumber, ExclusiveMin: true}),
		Limit:  q.Int("limit", IntRule{Default: defaultLimit, Min: 0, Max: maxPageLimit, ExclusiveMin: true}),
	}
}
