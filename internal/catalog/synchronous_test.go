package catalog_test

import (
	"path/filepath"
	"testing"

	"almanac/test/catalogtest"
)

// TestSynchronous checks that SQLite commits are durable when they return: 2 is FULL.
func TestSynchronous(t *testing.T) {
	c := catalogtest.Open(t, filepath.Join(t.TempDir(), "catalog.db"))
	var level int
	if err := c.DB.SQL.Write.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&level); err != nil || level != 2 {
		t.Errorf("synchronous is %d, %v; want 2", level, err)
	}
}
