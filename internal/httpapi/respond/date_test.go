package respond

import (
	"math"
	"testing"
	"time"

	"almanac/internal/domain"
)

func TestAppendDate(t *testing.T) {
	for at, want := range map[domain.Micros]string{
		1:                       `"1970-01-01T00:00:00.000Z"`,
		-1:                      `"1969-12-31T23:59:59.999Z"`,
		1_772_600_767_123_999:   `"2026-03-04T05:06:07.123Z"`,
		1_709_164_799_999_000:   `"2024-02-28T23:59:59.999Z"`,
		1_709_164_800_000_000:   `"2024-02-29T00:00:00.000Z"`,
		-62_135_596_800_000_000: `"0001-01-01T00:00:00.000Z"`,
		253_402_300_799_999_000: `"9999-12-31T23:59:59.999Z"`,
		math.MaxInt64:           `"9999-12-31T23:59:59.999Z"`,
		math.MinInt64:           `"0000-01-01T00:00:00.000Z"`,
	} {
		if got := string(appendDate(nil, "", at)); got != want {
			t.Errorf("appendDate(%d) = %s, want %s", at, got, want)
		}
	}
	for at := domain.Micros(-5e15); at < 5e15; at += 7_919_919_191_919 {
		want := at.Time().Format(`"` + "2006-01-02T15:04:05.000Z" + `"`)
		if got := string(appendDate(nil, "", at)); got != want {
			t.Fatalf("appendDate(%d) = %s, want %s", at, got, want)
		}
	}
}

func TestAppendDateOrNull(t *testing.T) {
	if got := string(appendDateOrNull(nil, "", 0)); got != "null" {
		t.Errorf("an unset time is %s", got)
	}
	if got := string(appendDateOrNull(nil, "", domain.MicrosOf(time.Unix(1, 0)))); got != `"1970-01-01T00:00:01.000Z"` {
		t.Errorf("a time is %s", got)
	}
}
