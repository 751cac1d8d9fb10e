package sqldb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"runtime"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// busyTimeout is how long a process waits for another one that is writing.
const busyTimeout = 10 * time.Second

// OpenSQLite opens or creates a database file. If wrap is not nil, it wraps the SQLite driver. One connection writes,
// and several read beside it: SQLite has one writer at a time, and queueing in Go is fairer and cheaper than its busy
// handler, which is left to other processes (almanac keys on a running server).
func OpenSQLite(ctx context.Context, path string, wrap func(driver.Driver) driver.Driver) (*DB, error) {
	var wrapped driver.Driver = &sqlite.Driver{}
	if wrap != nil {
		wrapped = wrap(wrapped)
	}
	open := func(connections int, extra ...string) *sql.DB {
		pragmas := append([]string{
			fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()), // first, so that the others wait too
			"journal_mode(WAL)",
			"synchronous(FULL)", // a commit is on disk when it returns
			"foreign_keys(ON)",
			"journal_size_limit(16777216)",
		}, extra...)
		query := url.Values{"_pragma": pragmas, "_txlock": {"immediate"}}
		db := sql.OpenDB(connector{wrapped, "file:" + url.PathEscape(path) + "?" + query.Encode()})
		db.SetMaxOpenConns(connections)
		db.SetMaxIdleConns(connections)
		return db
	}
	if err := makePrivate(path); err != nil {
		return nil, err
	}
	write := open(1)
	// The writer is opened first: it creates the file in WAL mode, which readers cannot.
	if err := untilFree(ctx, write); err != nil {
		_ = write.Close()
		return nil, err
	}
	return sqliteDB(open(max(2, runtime.GOMAXPROCS(0)), "query_only(ON)"), write), nil
}

func sqliteDB(read, write *sql.DB) *DB {
	return &DB{
		Name: "SQLite", Read: read, Write: write,
		Rebind:           func(query string) string { return query },
		IsDuplicate:      isSQLiteDuplicate,
		IsOutOfSpace:     sqliteOutOfSpace,
		IsUnavailable:    func(error) bool { return false }, // it is a file
		Verify:           "PRAGMA integrity_check",
		Backup:           "VACUUM INTO ?",
		FindTable:        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = ?",
		Tables:           "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
		OrderByInsertion: " ORDER BY rowid",
	}
}

// untilFree opens a connection, retrying while the database is busy. When several processes create the same database,
// SQLite lets only one of them switch it to WAL mode and fails the others without waiting.
func untilFree(ctx context.Context, db *sql.DB) error {
	for end := time.Now().Add(busyTimeout); ; {
		err := db.PingContext(ctx)
		var sqliteErr *sqlite.Error
		if !errors.As(err, &sqliteErr) || sqliteErr.Code()&0xff != sqlite3.SQLITE_BUSY || time.Now().After(end) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// OpenCopy opens a copy of an SQLite database for reading. It does not change the file or create others beside it, and
// nothing else may change it meanwhile.
func OpenCopy(path string) (*DB, error) {
	// SQLite does not look for what is missing from a file that it takes for immutable.
	if info, err := os.Stat(path + "-wal"); err == nil && info.Size() > 0 {
		return nil, fmt.Errorf("%s is not a whole database: somebody has opened it, and changes of theirs are in %s-wal", path, path)
	}
	db, err := sql.Open("sqlite", "file:"+url.PathEscape(path)+"?mode=ro&immutable=1")
	if err != nil {
		return nil, err
	}
	return sqliteDB(db, db), nil
}

// connector opens connections to one database.
type connector struct {
	driver driver.Driver
	name   string
}

// Connect opens a connection.
func (c connector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.name) }

// Driver returns the driver.
func (c connector) Driver() driver.Driver { return c.driver }

// makePrivate creates an empty file that only its owner can read, which SQLite treats as a new database: a file created
// by SQLite itself would be world-readable. The -wal and -shm files get the mode of the database. An existing file is
// left alone and not even opened, since closing it would drop the locks that SQLite holds on it in this process.
func makePrivate(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec,forbidigo // the operator names it; SQLite syncs the directory
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

func isSQLiteDuplicate(err error) bool {
	var sqliteErr *sqlite.Error
	if !errors.As(err, &sqliteErr) {
		return false
	}
	code := sqliteErr.Code()
	return code == sqlite3.SQLITE_CONSTRAINT_UNIQUE || code == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
}

// sqliteOutOfSpace reports whether err means a full disk, or a file that cannot be opened or grown because the process
// has no descriptor left or the disk no space.
func sqliteOutOfSpace(err error) bool {
	var sqliteErr *sqlite.Error
	if !errors.As(err, &sqliteErr) {
		return false
	}
	code := sqliteErr.Code()
	return code&0xff == sqlite3.SQLITE_FULL || code&0xff == sqlite3.SQLITE_CANTOPEN || code == sqlite3.SQLITE_IOERR_SHMSIZE
}
