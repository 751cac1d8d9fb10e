package catalog

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// TestFullSQLite fills the database to the last page that it may have. What does not fit changes nothing, and with room
// writes go on.
func TestFullSQLite(t *testing.T) {
	c := openTest(t, filepath.Join(t.TempDir(), "catalog.db"))
	limit := func(pages int) {
		t.Helper()
		if _, err := c.db.write.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count=%d", pages)); err != nil {
			t.Fatal(err)
		}
	}
	limit(1) // SQLite takes the pages that it has already as the least
	made := 0
	create := func() error {
		_, err := c.CreateOrganization(t.Context(), fmt.Sprint("o", made), "An organization", tester)
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

func TestLacksRoom(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{fmt.Errorf("writing: %w", &pgconn.PgError{Code: "53100"}), true}, // disk_full
		{&pgconn.PgError{Code: "53300"}, true},                            // too_many_connections
		{&pgconn.PgError{Code: "23505"}, false},
		{errors.New("something else"), false},
	} {
		if got := postgresOutOfSpace(c.err); got != c.want {
			t.Errorf("%v: %v, want %v", c.err, got, c.want)
		}
	}
}
