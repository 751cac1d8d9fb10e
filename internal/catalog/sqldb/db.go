// Package sqldb opens the databases that the catalog can be in, SQLite and PostgreSQL, and says what differs between them:
// connections, errors, and what several servers on one database tell each other.
package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// DB is an open database, with what differs between the two kinds.
type DB struct {
	Name string
	// Read and Write are separate pools where the database wants a single writer, and one and the same otherwise.
	Read, Write *sql.DB
	// MigrationLock is a statement that waits for other migrations of the same database; empty where there is one writer.
	MigrationLock string
	Rebind        func(query string) string
	IsDuplicate   func(error) bool
	// Notify is a statement that sends its parameter to all servers when the transaction is committed; empty where there is one
	// server. Listen waits for such messages: it calls hearing when every later one will be heard, and heard for each.
	Notify string
	Listen func(ctx context.Context, hearing func(), heard func(text string)) error
	// Lock runs a function while no other server runs one under the same name; nil where there is one server.
	Lock func(ctx context.Context, name string, run func(context.Context)) error
	// Hold keeps other servers from holding the same rows until the function that it returns is called; nil where there is one
	// server. locks is the pool that it uses.
	Hold  func(ctx context.Context, project string, ids []string) (release func(), err error)
	locks *sql.DB
	// IsOutOfSpace reports whether an error means that the database has run out of space or the like, which may come back.
	IsOutOfSpace func(error) bool
	// Verify is a statement whose rows are texts, one for each fault found, or the single row "ok".
	Verify string
	// Backup is a statement that copies the database into the file that its parameter names; empty if there is none.
	Backup string
	// FindTable is a statement with one row if there is a table of the name that its parameter has.
	FindTable string
	// Tables is a statement that lists the tables, those that others refer to first; empty where there are better tools
	// to copy a database.
	Tables string
	// InOrderMade is how rows of any table are read in the order in which they were made.
	InOrderMade string
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

// How long to wait before the next attempt when the database cannot be reached, or has something else to say than hoped for.
const (
	FirstWait = 100 * time.Millisecond
	LongWait  = time.Second
)

// Sleep waits, unless ctx is done first.
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
