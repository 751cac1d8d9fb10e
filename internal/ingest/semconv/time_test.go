package semconv

import (
	"math"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
)

func TestSpanTimes(t *testing.T) {
	set := func(n int64) otlp.Nanos { return otlp.Nanos{Value: n, Set: true} }
	for _, c := range []struct {
		name       string
		start, end otlp.Nanos
		want       [2]domain.Micros
	}{
		{
			"cut to milliseconds", set(1767225600123999999), set(1767225602987654321),
			[2]domain.Micros{1767225600123000, 1767225602987000},
		},
		{"no end", set(5e6), otlp.Nanos{}, [2]domain.Micros{5000, 5000}},
		{"an end of 0", set(1767225600123999999), set(0), [2]domain.Micros{1767225600123000, 1767225600123000}},
		{"an end of 0, and a start before it", set(-2e6), set(0), [2]domain.Micros{-2000, 1}},
		{"a start of 0", set(0), set(5e6), [2]domain.Micros{1, 5000}},
		{"no start", otlp.Nanos{}, set(5e6), [2]domain.Micros{5000, 5000}},
		{"neither", otlp.Nanos{}, otlp.Nanos{}, [2]domain.Micros{1_767_225_700_000_000, 1_767_225_700_000_000}},
		{"end before start", set(9e6), set(5e6), [2]domain.Micros{9000, 5000}},
		{"the beginning of 1970 is a time", set(0), set(999_999), [2]domain.Micros{1, 1}},
		{"before 1970", set(-1), set(-2e6), [2]domain.Micros{-1000, -2000}},
		{"the ends of time", set(math.MinInt64), set(math.MaxInt64), [2]domain.Micros{-9223372036855000, 9223372036854000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			start, end := spanTimes(&otlp.Span{Start: c.start, End: c.end}, at)
			if got := [2]domain.Micros{start, end}; got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
	if shown := iso(epochMicros); shown != "1970-01-01T00:00:00.000Z" {
		t.Errorf("the beginning of 1970 reads back as %v", shown)
	}
}

func TestParseDate(t *testing.T) {
	for _, c := range []struct {
		text string
		want any
	}{
		{"2026-01-05T10:00:00.500Z", "2026-01-05T10:00:00.500Z"},
		{"2026-01-05T10:00:00.500999Z", "2026-01-05T10:00:00.500Z"},
		{"2026-01-05T10:00:00+02:00", "2026-01-05T08:00:00.000Z"},
		{"2026-01-05T10:00:00+0200", "2026-01-05T08:00:00.000Z"},
		{"2026-01-05T10:00:00.25", "2026-01-05T10:00:00.250Z"},
		{"2026-01-05 10:00:00.25", "2026-01-05T10:00:00.250Z"},
		{"2026-01-05 10:00:00.25+00:00", "2026-01-05T10:00:00.250Z"},
		{"2026-01-05T10:00", "2026-01-05T10:00:00.000Z"},
		{"2026-01-05T10:00Z", "2026-01-05T10:00:00.000Z"},
		{"2026-01-05", "2026-01-05T00:00:00.000Z"},
		{"1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"},
		{"0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"},
		{"9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"},
		{"0000-12-31T23:59:59Z", nil},
		{"9999-12-31T23:59:59-01:00", nil},
		{"", nil},
		{"yesterday", nil},
		{"2026-13-01", nil},
		{"1767225600", nil},
	} {
		if got := iso(parseDate(c.text)); got != c.want {
			t.Errorf("%s: %v, want %v", c.text, got, c.want)
		}
	}
}

func TestAfter(t *testing.T) {
	for _, c := range []struct {
		ms   float64
		want domain.Micros
	}{
		{250.2, 1_251_000},
		{250, 1_250_000},
		{-1000, epochMicros},
		{math.NaN(), 0},
		{math.Inf(1), 0},
		{1e300, 0},
		{-1e300, 0},
		{latest, 0},
	} {
		if got := after(1_000_000, c.ms); got != c.want {
			t.Errorf("%v: %d, want %d", c.ms, got, c.want)
		}
	}
	if got := after(ofMillis(earliest), latest-earliest); got != ofMillis(latest) {
		t.Errorf("from the first time to the last: %d, want %d", got, ofMillis(latest))
	}
}
