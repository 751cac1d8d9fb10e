package respond

import (
	"math"
	"testing"

	"almanac/internal/domain"
)

func TestAppendNumber(t *testing.T) {
	for want, number := range map[string]float64{
		"0": math.Copysign(0, -1), "1": 1, "-1.5": -1.5, "0.1": 0.1, "0.30000000000000004": 0.30000000000000004,
		"0.000001": 1e-6, "0.0000025": 2.5e-6, "9.99e-7": 9.99e-7, "1.5e-7": 1.5e-7, "1e-12": 1e-12, "1e-100": 1e-100,
		"-5e-324": -5e-324, "123456789012": 123456789012, "100000000000000000000": 1e20, "1e+21": 1e21, "1.5e+300": 1.5e300,
		"9007199254740992": 1 << 53, "null": math.NaN(),
	} {
		if got := string(appendNumber(nil, number)); got != want {
			t.Errorf("appendNumber(%v) = %s, want %s", number, got, want)
		}
	}
	for _, number := range []float64{math.Inf(1), math.Inf(-1)} {
		if got := string(appendNumber(nil, number)); got != "null" {
			t.Errorf("appendNumber(%v) = %s", number, got)
		}
	}
}

func TestAppendSeconds(t *testing.T) {
	for millis, want := range map[int64]string{
		0: "0", 1: "0.001", 10: "0.01", 100: "0.1", 101: "0.101", 250: "0.25", 999: "0.999", 1000: "1", 2864: "2.864",
		60_000: "60", 86_400_001: "86400.001", -1: "-0.001", -1500: "-1.5",
	} {
		if got := string(appendSeconds(nil, millis)); got != want {
			t.Errorf("appendSeconds(%d) = %s, want %s", millis, got, want)
		}
	}
}

func TestAppendDuration(t *testing.T) {
	for _, c := range []struct {
		from, to domain.Micros
		want     string
	}{
		{1_000, 0, "null"},
		{1_000_000, 1_000_000, "0"},
		{1_000_999, 1_001_000, "0.001"}, // both are cut before they are compared
		{1_000_000, 1_000_999, "0"},
		{1_000_000, 3_864_000, "2.864"},
		{2_000_000, 1_000_000, "-1"},
		{-1, 1_000, "0.002"},
	} {
		if got := string(appendDuration(nil, c.from, c.to)); got != c.want {
			t.Errorf("from %d to %d are %s seconds, want %s", c.from, c.to, got, c.want)
		}
	}
}
