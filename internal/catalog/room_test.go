package catalog_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"almanac/test/catalogtest"
)

// TestFullSQLite fills the database to its maximum number of pages. Failed writes change nothing, and with more room
// writes succeed again.
func TestFullSQLite(t *testing.T) {
	c := catalogtest.Open(t, filepath.Join(t.TempDir(), "catalog.db"))
	limit := func(pages int) {
		t.Helper()
		if _, err := c.DB.SQL.Write.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count=%d", pages)); err != nil {
			t.Fatal(err)
		}
	}
	limit(1) // SQLite does not go below the current number of pages
	made := 0
	create := func() error {
		_, err := c.CreateOrganization(t.Context(), fmt.Sprint("o", made), "An organization", catalogtest.Tester)
		return err
	}
	err := create()
	for ; err == nil; err = create() {
		made++
	}
	if !c.IsOutOfSpace(err) {
		t.Fatalf("error %v, want one of a full database", err)
	}
	list, err := c.Organizations(t.Context())
	if err != nil || len(list) != made {
		t.Errorf("%d organizations, %v, want %d", len(list), err, made)
	}
	limit(1 << 20)
	if err := create(); err != nil {
		t.Errorf("with room: %v", err)
	}
}
