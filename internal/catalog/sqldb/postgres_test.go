package sqldb

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestPostgresUnavailable(t *testing.T) {
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	for _, c := range []struct {
		err  error
		want bool
	}{
		{fmt.Errorf("reading: %w", refused), true},
		{fmt.Errorf("reading: %w", io.ErrUnexpectedEOF), true},
		{driver.ErrBadConn, true},
		{fmt.Errorf("reading: %w", &pgconn.PgError{Code: "57P01"}), true}, // admin_shutdown
		{&pgconn.PgError{Code: "57P03"}, true},                            // cannot_connect_now
		{&pgconn.PgError{Code: "25006"}, true},                            // read_only_sql_transaction
		{&pgconn.PgError{Code: "08006"}, true},                            // connection_failure
		{&pgconn.PgError{Code: "57014"}, false},                           // query_canceled
		{&pgconn.PgError{Code: "42P01"}, false},                           // undefined_table
		{errors.New("something else"), false},
	} {
		if got := postgresUnavailable(c.err); got != c.want {
			t.Errorf("%v: %v, want %v", c.err, got, c.want)
		}
	}
}

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
