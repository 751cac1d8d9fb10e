// Package storechoice opens the event store that tests of the API run on, so that the same tests, unchanged, hold for all of
// them: ALMANAC_TEST_STORE=embedded or =clickhouse runs them on that one instead of the one that they usually take.
package storechoice

import (
	"fmt"
	"os"
	"testing"

	"almanac/internal/store"
	"almanac/internal/store/segment"
	"almanac/internal/store/storetest"
)

// Kind is a kind of store.
type Kind string

// The kinds. Tests that look at rows only usually take the model, which is the fastest; tests that flush, or that have many
// rows, take the embedded store.
const (
	Model      Kind = "model"
	Embedded   Kind = "embedded"
	ClickHouse Kind = "clickhouse"
)

// chosen is where the kind is named.
const chosen = "ALMANAC_TEST_STORE"

// Open returns an empty store for a test, which is closed at its end: of the kind that ALMANAC_TEST_STORE names, or else of
// the usual one. A test process that calls it must call Stop at its end.
func Open(t testing.TB, usual Kind) store.Store {
	t.Helper()
	kind := usual
	if name := os.Getenv(chosen); name != "" {
		kind = Kind(name)
	}
	s, err := open(t, kind)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // some tests close it earlier
	return s
}

func open(t testing.TB, kind Kind) (store.Store, error) {
	t.Helper()
	switch kind {
	case Model:
		return storetest.NewModel(), nil
	case Embedded:
		return segment.Open(t.TempDir(), segment.Options{FlushBytes: 64 << 10, MinFreeDisk: 1})
	case ClickHouse:
		return engine.part()
	}
	return nil, fmt.Errorf("%s is %q: it must be %s, %s or %s", chosen, kind, Model, Embedded, ClickHouse)
}

// Stop ends what all tests of the process share.
func Stop() error { return engine.stop() }
