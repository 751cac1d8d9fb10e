package domain

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Limit is one of the limits that a key, a project or an organization can have.
type Limit int

// The limits. Minutes and days are in UTC.
const (
	RequestsPerMinute Limit = iota
	RequestsPerDay
	SpansPerMinute
	SpansPerDay
	BytesPerMinute
	BytesPerDay
	LimitCount
)

var limitNames = [LimitCount]string{"requestsPerMinute", "requestsPerDay", "spansPerMinute", "spansPerDay", "bytesPerMinute", "bytesPerDay"}

// String returns the name of the limit in the API.
func (l Limit) String() string { return limitNames[l] }

// Unit returns what the limit counts: requests, spans or bytes.
func (l Limit) Unit() string { return units[l/2] }

// Daily reports whether the limit is per day rather than per minute.
func (l Limit) Daily() bool { return l%2 == 1 }

var units = [LimitCount / 2]string{"requests", "spans", "bytes"}

// MaxLimit is the maximum value of a limit.
const MaxLimit = 1 << 50

// Limits are the limits of one key, project or organization; 0 means no limit.
type Limits [LimitCount]int64

// Amounts are numbers of requests, spans and bytes, in the order of units.
type Amounts [LimitCount / 2]int64

// Plus returns the sum.
func (a Amounts) Plus(b Amounts) Amounts {
	for n := range a {
		a[n] += b[n]
	}
	return a
}

// Usage is what one key, project or organization has used in a minute and in a day, both numbered since 1970.
type Usage struct {
	Minute, Day     int64
	InMinute, InDay Amounts
}

// LimitLevel is the kind of subject that limits and usage apply to.
type LimitLevel string

// The levels.
const (
	LevelKey          LimitLevel = "key"
	LevelProject      LimitLevel = "project"
	LevelOrganization LimitLevel = "organization"
)

// LimitSubject is a key, project or organization by its id.
type LimitSubject struct {
	Level LimitLevel
	ID    string
}

// UnmarshalText parses limits as written by operators: requests=1000/m,spans=5000000/d.
func (l *Limits) UnmarshalText(text []byte) error {
	*l = Limits{}
	for part := range strings.SplitSeq(string(text), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if err := l.read(part); err != nil {
			return fmt.Errorf("%q: %w", part, err)
		}
	}
	return nil
}

var errLimitForm = errors.New("expected requests, spans or bytes, as in requests=1000/m or spans=5000000/d")

func (l *Limits) read(part string) error {
	unit, rest, _ := strings.Cut(part, "=")
	number, window, _ := strings.Cut(rest, "/")
	for limit := range LimitCount {
		daily := window == "d" || window == "day"
		if limit.Unit() != strings.TrimSpace(unit) || limit.Daily() != daily || !daily && window != "m" && window != "minute" {
			continue
		}
		n, err := strconv.ParseInt(strings.ReplaceAll(strings.TrimSpace(number), "_", ""), 10, 64)
		switch {
		case err != nil || n < 1 || n > MaxLimit:
			return fmt.Errorf("%q is not a number from 1 to %d", number, int64(MaxLimit))
		case l[limit] != 0:
			return errors.New("it is said twice")
		}
		l[limit] = n
		return nil
	}
	return errLimitForm
}

// String formats limits in the syntax of UnmarshalText.
func (l Limits) String() string {
	var parts []string
	for limit, n := range l {
		if n == 0 {
			continue
		}
		window := "m"
		if Limit(limit).Daily() {
			window = "d"
		}
		parts = append(parts, fmt.Sprintf("%s=%d/%s", Limit(limit).Unit(), n, window))
	}
	return strings.Join(parts, ",")
}

// MarshalText returns the result of String.
func (l Limits) MarshalText() ([]byte, error) { return []byte(l.String()), nil }
