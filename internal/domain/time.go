package domain

import "time"

// Micros is a point in time in microseconds since 1970, UTC. 0 means unset.
type Micros int64

// MicrosOf converts t, truncated to microseconds; 0 for the zero time.
func MicrosOf(t time.Time) Micros {
	if t.IsZero() {
		return 0
	}
	return Micros(t.UnixMicro())
}

// MicrosIn returns the number of microseconds in a duration.
func MicrosIn(d time.Duration) Micros { return Micros(d.Microseconds()) }

// Time returns the time in UTC; the zero time for 0.
func (m Micros) Time() time.Time {
	if m == 0 {
		return time.Time{}
	}
	return time.UnixMicro(int64(m)).UTC()
}

// Millis returns milliseconds since 1970, rounded down. Rows are ordered by it, since clients see and send times at
// this precision.
func (m Micros) Millis() int64 {
	ms := int64(m) / 1000
	if int64(m)%1000 < 0 {
		ms--
	}
	return ms
}

// Day returns the number of the UTC day since 1970.
func (m Micros) Day() int64 {
	const perDay = 24 * 60 * 60 * 1000
	ms := m.Millis()
	day := ms / perDay
	if ms%perDay < 0 {
		day--
	}
	return day
}

// OptInt is an integer that may be unset.
type OptInt struct {
	Value int64
	Set   bool
}

// IntOf returns a set integer.
func IntOf(v int64) OptInt { return OptInt{v, true} }

// OptFloat is a number that may be unset.
type OptFloat struct {
	Value float64
	Set   bool
}

// FloatOf returns a set number.
func FloatOf(v float64) OptFloat { return OptFloat{v, true} }
