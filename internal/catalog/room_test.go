package catalog_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"almanac/test/catalogtest"
)

// TestFullSQLite fills the database to the last page that it may have. What does not fit changes nothing, and with room
// writes go on.
func TestFullSQLite(t *testing.T) {
	c := catalogtest.Open(t, filepath.Join(t.TempDir(), "catalog.db"))
	limit := func(pages int) {
		t.Helper()
		if _, err := c.DB.SQL.Write.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count=%d", pages)); err != nil {
			t.Fatal(err)
		}
	}
	limit(1) // SQLite takes the pages that it has already as the least
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
