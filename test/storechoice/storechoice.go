// Package storechoice opens the event store that tests of the API run on, so that the same tests hold for every store:
// the embedded one or, with ALMANAC_TEST_STORE=clickhouse, the one on ClickHouse.
package storechoice

import (
	"fmt"
	"os"
	"testing"

	"almanac/internal/store"
	"almanac/internal/store/segment"
)

// Open returns an empty store for a test, which is closed at its end. A test process that calls it must call Stop at
// its end.
func Open(t testing.TB) store.Store {
	t.Helper()
	s, err := open(t, os.Getenv("ALMANAC_TEST_STORE"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // some tests close it earlier
	return s
}

func open(t testing.TB, kind string) (store.Store, error) {
	t.Helper()
	switch kind {
	case "", "embedded":
		// Some tests write more than this, so that their rows are in several segments.
		return segment.Open(t.TempDir(), segment.Options{FlushBytes: 64 << 10, MinFreeDisk: 1})
	case "clickhouse":
		return engine.part()
	}
	return nil, fmt.Errorf("ALMANAC_TEST_STORE is %q: it must be embedded or clickhouse", kind)
}

// Stop stops what all tests of the process share.
func Stop() error { return engine.stop() }
