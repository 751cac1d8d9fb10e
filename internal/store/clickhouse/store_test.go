package clickhouse

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"
	"testing"
	"time"

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
		return openTest(t, server, database, Options{})
	}
}

func openTest(t *testing.T, server *chtest.Server, database string, o Options) *Store {
	t.Helper()
	a, err := ParseAddress(strings.Replace(strings.TrimSuffix(server.URL, "/"), "http://", "clickhouse://", 1) + "/" + database)
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

func TestStore(t *testing.T) {
	server := chtest.Start(t)
	storetest.Run(t, opener(t, server))
}

func TestScripts(t *testing.T) {
	storetest.RunScripts(t, opener(t, chtest.Start(t)))
}

func TestRandom(t *testing.T) {
	storetest.RunRandom(t, opener(t, chtest.Start(t)))
}

func timeIt(t *testing.T, what string) func() {
	began := time.Now()
	return func() { t.Log(what, time.Since(began)) }
}
