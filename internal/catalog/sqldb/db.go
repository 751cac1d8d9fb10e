// Package sqldb opens the databases that the catalog can use, SQLite and PostgreSQL, and covers their differences:
// connections, errors, and communication between servers that share a database.
package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// DB is an open database, with the differences between the two kinds.
type DB struct {
	Name string
	// Read and Write are separate pools where the database allows a single writer, and the same pool otherwise.
	Read, Write *sql.DB
	// MigrationLock is a statement that waits for other migrations of the same database; empty where there is only one
	// writer.
	MigrationLock string
	Rebind        func(query string) string
	IsDuplicate   func(error) bool
	// Notify is a statement that sends its parameter to all servers when the transaction is committed; empty where
	// there is only one server. Listen waits for these messages: it calls onReady once no later message can be missed,
	// and onMessage for each.
	Notify string
	Listen func(ctx context.Context, onReady func(), onMessage func(text string)) error
	// Lock runs a function while no other server runs one under the same name; nil where there is only one server.
	Lock func(ctx context.Context, name string, run func(context.Context)) error
	// Clock is a query for the current time of the database, in milliseconds; empty where there is only one server. The
	// clocks of servers may differ.
	Clock string
	// Serialize is a statement that waits for other transactions which ran it with the same parameter, until they end;
	// empty where there is only one writer.
	Serialize string
	// Hold locks rows against other servers until release is called; nil where there is only one server. It uses the
	// pool locks.
	Hold  func(ctx context.Context, project string, ids []string) (release func(), err error)
	locks *sql.DB
	// IsOutOfSpace reports whether an error means that the database has temporarily run out of disk space or a similar
	// resource.
	IsOutOfSpace func(error) bool
	// IsUnavailable reports whether an error means that the database cannot be reached or is starting or stopping. A
	// change may or may not have been made.
	IsUnavailable func(error) bool
	// Verify is a statement that returns one string for each fault found, or the single row "ok".
	Verify string
	// Backup is a statement that copies the database to the file named by its parameter; empty if not supported.
	Backup string
	// FindTable is a statement that returns one row if the table named by its parameter exists.
	FindTable string
	// Tables is a statement that lists the tables, referenced tables before those that refer to them; empty where there
	// are better tools to copy a database.
	Tables string
	// OrderByInsertion is an ORDER BY clause for reading any table in insertion order.
	OrderByInsertion string
}

// Close closes all connections.
func (d *DB) Close() error {
	err := d.Write.Close()
	if d.Read != d.Write {
		err = errors.Join(err, d.Read.Close())
	}
	if d.locks != nil {
		err = errors.Join(err, d.locks.Close())
	}
	return err
}

// How long to wait before retrying when the database cannot be reached or did not return the desired result.
const (
	FirstWait = 100 * time.Millisecond
	LongWait  = time.Second
)

// Sleep waits for d. It returns early with an error if ctx is done first.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
