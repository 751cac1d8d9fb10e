package auth

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	injected "almanac/test/failing"
)

// TestFailuresOfTheRecord injects a failure into every call that stores the uses of keys, one per round. The failure is
// logged, and the next round stores what this one did not.
func TestFailuresOfTheRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failures := new(injected.Switch)
		c, err := catalog.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "catalog.db"), failures.Driver)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		by, scope := domain.Actor{Kind: "cli"}, domain.OfOrganization("o")
		if _, err := c.CreateOrganization(t.Context(), "o", "Org", by); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"pk-a", "pk-b"} {
			if _, err := c.CreateKey(t.Context(), scope, tenants.NewKey{PublicKey: name, SecretHash: HashSecret("sk")}, by); err != nil {
				t.Fatal(err)
			}
		}
		var log strings.Builder
		keys := NewKeys(c, time.Minute, slog.New(slog.NewTextHandler(&log, nil)))
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() { keys.Run(ctx) })
		defer func() { cancel(); done.Wait() }()
		use := func(name string) time.Time {
			t.Helper()
			if _, err := keys.Check(t.Context(), basic(name+":sk")); err != nil {
				t.Fatal(err)
			}
			return time.Now()
		}
		for round := 0; ; round++ {
			log.Reset()
			want := map[string]time.Time{"pk-a": use("pk-a"), "pk-b": use("pk-b")}
			failures.Arm()
			time.Sleep(recordInterval + time.Second)
			synctest.Wait()
			failed := failures.Disarm()
			want["pk-b"] = use("pk-b") // the newer time wins
			time.Sleep(recordInterval)
			synctest.Wait()
			list, err := c.Keys(t.Context(), scope)
			if err != nil || len(list) != 2 {
				t.Fatal(list, err)
			}
			for _, k := range list {
				if k.LastUsedAt == nil || !k.LastUsedAt.Equal(want[k.PublicKey]) {
					t.Errorf("after a failure of %s %s was last used at %v, want %v", failed, k.PublicKey, k.LastUsedAt, want[k.PublicKey])
				}
			}
			if failed == "" {
				if round < 4 {
					t.Errorf("only %d calls were made to fail", round)
				}
				return
			}
			if !strings.Contains(log.String(), "level=WARN") {
				t.Errorf("a failure of %s is not in the log: %s", failed, log.String())
			}
		}
	})
}
