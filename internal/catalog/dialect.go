package catalog

import "database/sql"

// dialect is what differs between the databases.
type dialect struct {
	name string
	// shared: other servers use the database, too.
	shared bool
	// read and write are separate pools where the database wants a single writer, and one and the same otherwise.
	read, write *sql.DB
	// migrationLock is a statement that waits for other migrations of the same database; empty where there is one writer.
	migrationLock string
	rebind        func(query string) string
	isDuplicate   func(error) bool
	// lacksRoom says whether an error means that the database has run out of space or the like, which may come back.
	lacksRoom func(error) bool
	// verify is a statement whose rows are texts, one for each fault found, or the single row "ok".
	verify string
	// backup is a statement that copies the database into the file that its parameter names; empty if there is none.
	backup string
	// tables is a statement that lists the tables, those that others refer to first; empty where there are better tools
	// to copy a database.
	tables string
	// inOrderMade is how rows of any table are read in the order in which they were made.
	inOrderMade string
}

func (d *dialect) close() error {
	err := d.write.Close()
	if d.read != d.write {
		if readErr := d.read.Close(); err == nil {
			err = readErr
		}
	}
	return err
}
