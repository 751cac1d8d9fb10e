package respond

import (
	"testing"

	"almanac/internal/domain"
)

func TestAppendSeconds(t *testing.T) {
	for millis, want := range map[int64]string{
		0: "0", 1: "0.001", 10: "0.01", 100: "0.1", 101: "0.101", 250: "0.25", 999: "0.999", 1000: "1", 2864: "2.864",
		60_000: "60", 86_400_001: "86400.001", -1: "-0.001", -1500: "-1.5",
	} {
		if got := string(appendSeconds(nil, "", millis)); got != want {
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
		if got := string(appendDuration(nil, "", c.from, c.to)); got != c.want {
			t.Errorf("from %d to %d are %s seconds, want %s", c.from, c.to, got, c.want)
		}
	}
}
