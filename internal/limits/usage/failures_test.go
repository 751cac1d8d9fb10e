package usage

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/test/failing"
)

// TestFailuresOfTheJob injects a failure into every call of the job to the catalog, one per round. The failure is
// logged, and soon after it the catalog has every request counted once, and changed limits are in effect.
func TestFailuresOfTheJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failures := new(failing.Switch)
		c, err := catalog.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "catalog.db"), failures.Driver)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		by := domain.Actor{Kind: "cli"}
		if _, err := c.CreateOrganization(t.Context(), "o", "Org", by); err != nil {
			t.Fatal(err)
		}
		var log strings.Builder
		k := New(Options{Store: c, Metrics: prometheus.NewRegistry(), Log: slog.New(slog.NewTextHandler(&log, nil))})
		if err := k.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() { k.Run(ctx) })
		defer func() { cancel(); done.Wait() }()

		organization := domain.LimitSubject{Level: domain.LevelOrganization, ID: "o"}
		for round := int64(1); ; round++ {
			log.Reset()
			limits := domain.Limits{1000 + round}
			if _, err := c.SetLimits(t.Context(), domain.OfOrganization("o"), tenants.LimitOwner{}, limits, by); err != nil {
				t.Fatal(err)
			}
			if _, err := k.Reserve(client, request); err != nil {
				t.Fatal(err)
			}
			failures.Arm()
			k.Changed()
			time.Sleep(syncInterval + time.Second)
			synctest.Wait()
			failed := failures.Disarm()
			time.Sleep(syncInterval)
			synctest.Wait()
			if got := k.Report(organization).Set; got != limits {
				t.Errorf("after a failure of %s the limits are %v, want %v", failed, got, limits)
			}
			used, err := c.UsageSince(t.Context(), 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, subject := range subjectsOf(client) {
				if got := used[subject].InDay[0]; got != round {
					t.Fatalf("after a failure of %s %d requests of the %s are written down, want %d", failed, got, subject.Level, round)
				}
			}
			if failed == "" {
				if round < 8 {
					t.Errorf("only %d calls were made to fail", round-1)
				}
				return
			}
			if !strings.Contains(log.String(), "level=WARN") {
				t.Errorf("a failure of %s is not in the log: %s", failed, log.String())
			}
		}
	})
}

// TestClockJumps sets the clock ten years ahead and back: limits keep working, even after a restart.
func TestClockJumps(t *testing.T) {
	const years = 10 * 365 * 24 * time.Hour
	limited := map[domain.LimitLevel]domain.Limits{domain.LevelProject: limitsOf(t, "requests=3/m,requests=5/d")}
	for name, restart := range map[string]bool{"running": false, "started again": true} {
		t.Run(name, func(t *testing.T) {
			store := newMemory()
			b := newBench(t, store, limited)
			start := b.now
			again := func(at time.Time) {
				b.sync(t.Context())
				if restart {
					b = newBench(t, store, limited)
				}
				b.now = at
			}
			takes := func(when string, want int, limit domain.Limit) {
				t.Helper()
				taken, refused := b.take(t, client, request, 10)
				if taken != want || refused.Limit != limit || refused.ResetAt.Sub(b.now) > 24*time.Hour || !refused.ResetAt.After(b.now) {
					t.Errorf("%s %d taken, refused with %+v", when, taken, refused)
				}
			}
			takes("at first", 3, domain.RequestsPerMinute)
			again(start.Add(years))
			takes("ten years ahead", 3, domain.RequestsPerMinute)
			again(start.Add(time.Second))
			takes("back again", 3, domain.RequestsPerMinute) // the jump has reset the daily count
			again(start.Add(30 * time.Second))               // the next minute
			takes("a minute later", 2, domain.RequestsPerDay)
			b.sync(t.Context())
			if usage := store.usage[domain.LimitSubject{Level: domain.LevelProject, ID: "p"}]; usage.InDay[0] != 5 ||
				usage.Day != start.Unix()/86400 {
				t.Errorf("what is written down is %+v", usage)
			}
		})
	}
}

// TestSmallSteps sets the clock back by seconds across the end of a minute, and of a day: nobody gets the limit twice.
func TestSmallSteps(t *testing.T) {
	b := newBench(t, newMemory(), map[domain.LimitLevel]domain.Limits{domain.LevelProject: limitsOf(t, "requests=4/m,requests=6/d")})
	midnight := time.Date(2026, 5, 7, 0, 0, 0, 0, time.UTC)
	b.now = midnight.Add(time.Second)
	if taken, _ := b.take(t, client, request, 3); taken != 3 {
		t.Errorf("%d taken", taken)
	}
	first, err := b.Reserve(client, request)
	if err != nil {
		t.Fatal(err)
	}
	b.now = midnight.Add(-time.Second)
	if taken, refused := b.take(t, client, request, 3); taken != 0 || !refused.ResetAt.Equal(midnight.Add(time.Minute)) {
		t.Errorf("after a step back %d taken, refused with %+v", taken, refused)
	}
	first.Undo()
	if taken, _ := b.take(t, client, request, 3); taken != 1 {
		t.Errorf("%d taken after one came back", taken)
	}
	b.sync(t.Context())
	b.now = midnight.Add(time.Minute)
	if taken, refused := b.take(t, client, request, 3); taken != 2 || refused.Limit != domain.RequestsPerDay {
		t.Errorf("in the next minute %d taken, refused with %+v", taken, refused)
	}
}
