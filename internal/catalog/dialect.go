package catalog

import (
	"context"
	"database/sql"
	"errors"
)

// dialect is what differs between the databases.
type dialect struct {
	name string
	// read and write are separate pools where the database wants a single writer, and one and the same otherwise.
	read, write *sql.DB
	// migrationLock is a statement that waits for other migrations of the same database; empty where there is one writer.
	migrationLock string
	rebind        func(query string) string
	isDuplicate   func(error) bool
	// notify is a statement that sends its parameter to all servers when the transaction is committed; empty where there is one
	// server. listen waits for such messages: it calls hearing when every later one will be heard, and heard for each.
	notify string
	listen func(ctx context.Context, hearing func(), heard func(text string)) error
	// lock runs a function while no other server runs one under the same name; nil where there is one server.
	lock func(ctx context.Context, name string, run func(context.Context)) error
	// hold keeps other servers from holding the same rows until the function that it returns is called; nil where there is one
	// server. locks is the pool that it uses.
	hold  func(ctx context.Context, project string, ids []string) (release func(), err error)
	locks *sql.DB
	// isOutOfSpace reports whether an error means that the database has run out of space or the like, which may come back.
	isOutOfSpace func(error) bool
	// verify is a statement whose rows are texts, one for each fault found, or the single row "ok".
	verify string
	// backup is a statement that copies the database into the file that its parameter names; empty if there is none.
	backup string
	// findTable is a statement with one row if there is a table of the name that its parameter has.
	findTable string
	// tables is a statement that lists the tables, those that others refer to first; empty where there are better tools
	// to copy a database.
	tables string
	// inOrderMade is how rows of any table are read in the order in which they were made.
	inOrderMade string
}

func (d *dialect) close() error {
	err := d.write.Close()
	if d.read != d.write {
		err = errors.Join(err, d.read.Close())
	}
	if d.locks != nil {
		err = errors.Join(err, d.locks.Close())
	}
	return err
}
