package sqldb

import (
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestPostgresOutOfSpace(t *testing.T) {
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
