package retention

import (
	"testing"
	"time"
)

// TestSteadiness goes through sequences of clock readings, each with the time that has really passed.
func TestSteadiness(t *testing.T) {
	const start = 1_700_000_000 * int64(time.Second)
	type look struct {
		name          string
		shows, passed time.Duration // since the start
		calm, jump    time.Duration
	}
	for _, looks := range [][]look{
		{
			{"the first look", 0, time.Minute, 0, 0},
			{"as it should be", time.Minute, 2 * time.Minute, time.Minute, 0},
			{"a little fast", 2*time.Minute + drift, 3 * time.Minute, 2 * time.Minute, 0},
			{"a little slow", 3 * time.Minute, 4 * time.Minute, 3 * time.Minute, 0},
			{"too fast", 4*time.Minute + drift + 1, 5 * time.Minute, 0, drift + 1},
			{"steady again", 5*time.Minute + drift + 1, 6 * time.Minute, time.Minute, 0},
			{"set back", 6 * time.Minute, 7 * time.Minute, 0, -drift - 1},
			{"steady once more", 16 * time.Minute, 17 * time.Minute, 10 * time.Minute, 0},
		},
		{
			{"the first look", 0, 0, 0, 0},
			{"years ahead", 10 * 365 * 24 * time.Hour, time.Minute, 0, 10*365*24*time.Hour - time.Minute},
			{"asleep: neither clock went on", 10 * 365 * 24 * time.Hour, time.Minute, 0, 0},
		},
	} {
		var s steadiness
		for _, l := range looks {
			if calm, jump := s.look(start+int64(l.shows), l.passed); calm != l.calm || jump != l.jump {
				t.Errorf("%s: calm for %v after a jump by %v, want %v and %v", l.name, calm, jump, l.calm, l.jump)
			}
		}
	}
}
