package clickhouse

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"sync"
	"testing"

	"almanac/internal/store"
	"almanac/internal/store/storetest"
	"almanac/test/chtest"
)

// opener returns a function that opens stores on a server, each directory of the suite in a database of its own.
func opener(t *testing.T, server *chtest.Server) storetest.Opener {
	t.Helper()
	var mu sync.Mutex
	seen := map[string]bool{}
	return func(t *testing.T, dir string) store.Store {
		t.Helper()
		sum := sha256.Sum256([]byte(dir))
		database := "test_" + hex.EncodeToString(sum[:8])
		mu.Lock()
		first := !seen[database]
		seen[database] = true
		mu.Unlock()
		if first {
			t.Cleanup(func() {
				if _, err := server.Query(context.WithoutCancel(t.Context()), "DROP DATABASE IF EXISTS "+database); err != nil {
					t.Error(err)
				}
			})
		}
		return remote{openTest(t, server, database, Options{})}
	}
}

// remote says of a store that it holds nothing itself.
type remote struct{ *Store }

// HoldsNothing is for the suite.
func (remote) HoldsNothing() {}

// merging is a store whose parts the suite can have merged.
type merging struct{ remote }

// Merge has ClickHouse merge all parts of each month.
func (m merging) Merge(ctx context.Context) error {
	for _, table := range []string{"observations", "scores"} {
		if err := m.client.exec(ctx, &statement{sql: "OPTIMIZE TABLE " + table + " FINAL", plain: true}); err != nil {
			return err
		}
	}
	return nil
}

func openTest(t *testing.T, server *chtest.Server, database string, o Options) *Store {
	t.Helper()
	a, err := ParseAddress(server.StoreAddress(database))
	if err != nil {
		t.Fatal(err)
	}
	if o.Pause == 0 {
		o.Pause = -1
	}
	s, err := Open(t.Context(), a, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// everyCase is for whoever changes this package: scores take the way of observations in most cases, and each case costs
// the engine seconds.
var everyCase = flag.Bool("every-case", false, "run all cases of the suite for scores too")

func TestStore(t *testing.T) {
	var without []string
	if !*everyCase {
		for _, name := range []string{
			"visible at once", "nothing there", "empty batch", "long texts", "many rows in one batch", "bounds of time", "limit",
			"paging while rows are appended", "senseless reads", "delete before a time", "delete all", "senseless deletes", "an iteration is one moment",
			"cancelled", "leaving an iteration early", "many goroutines", "open again",
		} {
			without = append(without, "scores/"+name)
		}
	}
	storetest.Run(t, opener(t, chtest.Start(t)), without...)
}

func TestScripts(t *testing.T) {
	storetest.RunScripts(t, opener(t, chtest.Start(t)))
}

func TestRandom(t *testing.T) {
	fewChecks(t, "6")
	open := opener(t, chtest.Start(t))
	storetest.RunRandom(t, func(t *testing.T, dir string) store.Store {
		return merging{open(t, dir).(remote)} //nolint:forcetypeassert // the opener opens nothing else
	})
}

// fewChecks makes a test check fewer things than usual, unless somebody asks for a number: each costs the engine a while.
func fewChecks(t *testing.T, n string) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	if checks.Value.String() != checks.DefValue {
		return
	}
	if err := checks.Value.Set(n); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = checks.Value.Set(checks.DefValue) })
}
