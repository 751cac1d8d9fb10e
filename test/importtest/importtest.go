// Package importtest holds what tests of imports share: a target, and a source that is cut off.
package importtest

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/store/segment"
	"almanac/internal/transfer/importing"
	"almanac/test/catalogtest"
)

// Open opens an empty catalog and an empty store until the test ends.
func Open(t *testing.T) (*catalog.Catalog, *segment.Store) {
	t.Helper()
	events, err := segment.Open(t.TempDir(), segment.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := events.Close(); err != nil {
			t.Error(err)
		}
	})
	return catalogtest.Open(t, catalogtest.File(t)).Catalog, events
}

// Cut is a source that fails after some pages.
type Cut struct {
	importing.Source
	Left int
}

// ErrCut is the error of a source that is cut off.
var ErrCut = errors.New("cut off")

// Pages reads a table until the source is cut off.
func (c *Cut) Pages(ctx context.Context, table, cursor string) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		for page, err := range c.Source.Pages(ctx, table, cursor) {
			if c.Left--; c.Left < 0 {
				page, err = nil, ErrCut
			}
			if !yield(page, err) || err != nil {
				return
			}
		}
	}
}
