package admin

import (
	"context"
	"errors"
	"testing"
	"time"

	"almanac/internal/store"
)

// TestStorage measures once for all who ask, again after a while, and again at once after a failure.
func TestStorage(t *testing.T) {
	measurements, failure := 0, errors.New("the store is away")
	s := NewStorage(func(context.Context) ([]store.DaySize, error) {
		measurements++
		return []store.DaySize{
			{ProjectID: "a", Day: 11, Rows: 2, Bytes: 20},
			{ProjectID: "a", Day: 9, Rows: 1, Bytes: 10},
			{ProjectID: "a", Day: 10, Rows: 1, Bytes: 10},
			{ProjectID: "b", Day: -3, Rows: 1, Bytes: 1},
		}, failure
	})
	now := time.Unix(1_800_000_000, 0)
	s.clock = func() time.Time { return now }
	if _, _, err := s.of(t.Context()); !errors.Is(err, failure) {
		t.Errorf("a failure is %v", err)
	}
	failure = nil
	for _, step := range []struct {
		later time.Duration
		want  int
	}{{0, 2}, {time.Minute, 2}, {remeasure, 3}, {-time.Hour, 4}} {
		now = now.Add(step.later)
		got, at, err := s.of(t.Context())
		if err != nil || measurements != step.want || got["a"] != (stored{4, 40, 9}) || got["b"].Oldest != -3 {
			t.Errorf("after %s: %v by %d measurements, want %d: %v", step.later, got, measurements, step.want, err)
		}
		if now.Sub(at) >= remeasure {
			t.Errorf("after %s: measured at %s", step.later, at)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	s.turn <- struct{}{} // somebody else measures
	if _, _, err := s.of(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("who left waits for %v", err)
	}
}
