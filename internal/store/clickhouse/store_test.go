package clickhouse

import (
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"almanac/internal/store"
	"almanac/internal/store/storetest"
	"almanac/test/chtest"
)

var engine chtest.Shared

func sharedServer(t *testing.T) *chtest.Server {
	t.Helper()
	server, err := engine.Server()
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func TestMain(m *testing.M) {
	code := m.Run()
	if err := engine.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// opener returns a function that opens stores on a server, each directory of the suite in its own database. Creating
// tables costs as much as several cases, so databases are emptied and reused when a directory is done.
func opener(t *testing.T, server *chtest.Server) storetest.Opener {
	t.Helper()
	var mu sync.Mutex
	databases := map[string]string{} // by directory
	var free []string
	t.Cleanup(func() {
		for _, database := range free {
			if _, err := server.Query(context.WithoutCancel(t.Context()), "DROP DATABASE "+database); err != nil {
				t.Error(err)
			}
		}
	})
	return func(t *testing.T, dir string) store.Store {
		t.Helper()
		mu.Lock()
		database, again := databases[dir]
		if n := len(free); !again && n > 0 {
			database, free = free[n-1], free[:n-1]
		} else if !again {
			database = "test_" + strings.ToLower(rand.Text()[:10])
		}
		databases[dir] = database
		mu.Unlock()
		if !again {
			t.Cleanup(func() {
				empty(t, server, database)
				mu.Lock()
				defer mu.Unlock()
				free = append(free, database)
			})
		}
		return remote{openTest(t, server, database, Options{})}
	}
}

// empty truncates the tables of a database.
func empty(t *testing.T, server *chtest.Server, database string) {
	t.Helper()
	for _, table := range []string{"observations", "observations_index", "scores", "scores_index"} {
		if _, err := server.Query(context.WithoutCancel(t.Context()), "TRUNCATE TABLE "+database+"."+table); err != nil {
			t.Fatal(err)
		}
	}
}

// remote marks a store as holding no data itself.
type remote struct{ *Store }

// HoldsNothing implements storetest.Remote.
func (remote) HoldsNothing() {}

// merging is a store whose parts the suite can merge.
type merging struct{ remote }

// Merge implements storetest.Merger. It merges all parts of each month.
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

// everyCase is for work on this package: scores share the code of observations in most cases, and each case takes
// seconds.
var everyCase = flag.Bool("every-case", false, "run all cases of the suite for scores too")

func TestStore(t *testing.T) {
	var without []string
	if !*everyCase {
		for _, name := range []string{
			"visible at once", "nothing there", "empty batch", "long texts", "many rows in one batch", "bounds of time", "limit",
			"paging while rows are appended", "senseless reads", "delete before a time", "delete all", "senseless deletes",
			"an iteration is one moment",
			"cancelled", "leaving an iteration early", "many goroutines", "open again",
		} {
			without = append(without, "scores/"+name)
		}
	}
	storetest.Run(t, opener(t, sharedServer(t)), without...)
}

func TestScripts(t *testing.T) {
	storetest.RunScripts(t, opener(t, sharedServer(t)))
}

func TestRandom(t *testing.T) {
	fewChecks(t, "6")
	open := opener(t, sharedServer(t))
	storetest.RunRandom(t, func(t *testing.T, dir string) store.Store {
		return merging{open(t, dir).(remote)} //nolint:forcetypeassert // the opener opens nothing else
	})
}

// fewChecks reduces the number of checks of a test, unless one was given by flag: each takes the server a while.
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
