package catalog

import (
	"path/filepath"
	"testing"
)

// TestSynchronous asks SQLite whether a commit is on disk when it returns: 2 is FULL.
func TestSynchronous(t *testing.T) {
	c, err := Open(t.Context(), filepath.Join(t.TempDir(), "catalog.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var level int
	if err := c.db.SQL.Write.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&level); err != nil || level != 2 {
		t.Errorf("synchronous is %d, %v; want 2", level, err)
	}
}
