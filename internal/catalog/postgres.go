package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	_ "github.com/jackc/pgx/v5/stdlib" // registers the driver
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

const postgresConnections = 16

// openPostgres prepares connections to a PostgreSQL database given by its URL; the first statement makes one.
func openPostgres(_ context.Context, address string) (*dialect, error) {
	db, err := sql.Open("pgx", address)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(postgresConnections)
	db.SetMaxIdleConns(postgresConnections)
	// Several nodes may start at once; one migrates, the others wait.
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, fmt.Errorf("cannot prepare the migration lock: %w", err)
	}
	return &dialect{
		name: "PostgreSQL", shared: true, read: db, write: db,
		migrations:  goose.DialectPostgres,
		options:     []goose.ProviderOption{goose.WithSessionLocker(locker)},
		rebind:      numberPlaceholders,
		isDuplicate: isPostgresDuplicate,
		verify:      "SELECT 'ok'",
	}, nil
}

// numberPlaceholders turns each ? into $1, $2, …; none of our statements has a question mark in a literal.
func numberPlaceholders(query string) string {
	var b strings.Builder
	for n := 1; ; n++ {
		before, after, found := strings.Cut(query, "?")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(n))
		query = after
	}
}

func isPostgresDuplicate(err error) bool {
	const uniqueViolation = "23505"
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == uniqueViolation
}
