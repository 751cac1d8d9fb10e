package auth

import (
	"errors"
	"testing"
	"time"
)

// TestKeysDuringOutages lets the store of the keys fail: keys that were used before keep working for the grace time,
// nobody else gets in, and a change that the server has heard of is respected.
func TestKeysDuringOutages(t *testing.T) {
	away := errors.New("connection refused")
	const grace = 10 * time.Minute
	used, other := basic("pk-a:sk-a"), basic("pk-b:sk-b")
	for _, c := range []struct {
		name   string
		grace  time.Duration
		err    error
		after  time.Duration // since the key was used
		header string
		heard  bool // a change was announced before the outage
		status int  // 0 means accepted
	}{
		{"a key used before", grace, away, time.Minute, used, false, 0},
		{"at the end of the grace time", grace, away, grace, used, false, 0},
		{"after the grace time", grace, away, grace + 6*time.Second, used, false, 503},
		{"a wrong secret", grace, away, time.Minute, basic("pk-a:sk-b"), false, 401},
		{"a key that was not used", grace, away, time.Minute, other, false, 503},
		{"after a change", grace, away, time.Minute, used, true, 503},
		{"no grace time", 0, away, time.Minute, used, false, 503},
		{"a store that fails otherwise", grace, errors.New("no such table"), time.Minute, used, false, 503},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := newStore()
			keys := newKeys(store)
			now := time.Unix(1_790_000_000, 0)
			keys.now = func() time.Time { return now }
			keys.TolerateOutages(Outages{Grace: c.grace, Away: func(err error) bool { return errors.Is(err, away) }})
			if _, err := keys.Check(t.Context(), used); err != nil {
				t.Fatal(err)
			}
			if c.heard {
				keys.Invalidate()
			}
			store.failure = c.err
			now = now.Add(c.after)
			keys.sweep()
			for range 3 {
				_, err := keys.Check(t.Context(), c.header)
				status := 0
				if denied, ok := errors.AsType[*Denied](err); ok {
					status = denied.Status
				}
				if status != c.status {
					t.Fatalf("%v, want status %d", err, c.status)
				}
			}
			if c.status == 0 && store.lookUps != 2 {
				t.Errorf("%d lookups: the store must not be asked for each request while it is away", store.lookUps-1)
			}
			store.failure = nil
			now = now.Add(2 * outagePause)
			if _, err := keys.Check(t.Context(), used); err != nil {
				t.Errorf("after the outage: %v", err)
			}
		})
	}
}
