package sqldb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	_ "github.com/jackc/pgx/v5/stdlib" // registers the driver
)

const postgresConnections = 16

// OpenPostgres prepares connections to the PostgreSQL database at a URL; the first statement connects.
func OpenPostgres(_ context.Context, address string) (*DB, error) {
	db, err := sql.Open("pgx", address)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(postgresConnections)
	db.SetMaxIdleConns(postgresConnections)
	locks, err := sql.Open("pgx", address)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	locks.SetMaxOpenConns(holdConnections)
	locks.SetMaxIdleConns(holdConnections)
	locks.SetConnMaxIdleTime(time.Minute)
	return &DB{
		Name: "PostgreSQL", Read: db, Write: db,
		// Held until the transaction ends. The number is "almanac" in base 36.
		MigrationLock: "SELECT pg_advisory_xact_lock(23075061348)",
		Rebind:        numberPlaceholders,
		IsDuplicate:   isPostgresDuplicate,
		Notify:        notifyOnIt,
		Listen:        Listener(address, db, answering),
		Lock:          postgresLock(address),
		Clock:         "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
		Serialize:     "SELECT pg_advisory_xact_lock(23075, hashtext(?))",
		Hold:          postgresHolder(locks),
		locks:         locks,
		IsOutOfSpace:  postgresOutOfSpace,
		IsUnavailable: postgresUnavailable,
		Verify:        "SELECT 'ok'",
		FindTable:     "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?",
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

// postgresOutOfSpace reports whether err is of the class "insufficient resources": disk space, memory, connections.
func postgresOutOfSpace(err error) bool {
	const insufficientResources = "53"
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && strings.HasPrefix(pgErr.Code, insufficientResources)
}

// postgresUnavailable reports whether err comes from the way to the database, or from a database that is starting,
// stopping or read-only after a failover.
func postgresUnavailable(err error) bool {
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch pgErr.Code {
		case "57P01", "57P02", "57P03", "25006": // shutdown, crash, cannot connect now, read-only transaction
			return true
		}
		return strings.HasPrefix(pgErr.Code, "08") // connection exception
	}
	var connecting *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connecting) || errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || pgconn.SafeToRetry(err)
}
