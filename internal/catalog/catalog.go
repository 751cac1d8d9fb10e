package catalog

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/internal/catalog/sqldb"
	"almanac/internal/domain"
)

// Catalog is an open control-plane database. Its methods may be called from many goroutines.
type Catalog struct {
	db  *sqldb.DB
	now func() time.Time

	mu          sync.Mutex
	subscribers []func(Change)
}

// Open opens the database at the address, a PostgreSQL URL or the path of an SQLite file, which is created if it
// does not exist, and brings its schema up to this program's version. It is for the server.
func Open(ctx context.Context, address string) (*Catalog, error) {
	return open(ctx, address, (*Catalog).migrate)
}

// OpenCurrent opens a database that has this program's schema already and changes nothing. It is for commands that run
// beside a server, which may be of another version.
func OpenCurrent(ctx context.Context, address string) (*Catalog, error) {
	return open(ctx, address, (*Catalog).requireCurrent)
}

// OpenAsIs opens a database with this program's schema or an earlier one, and changes nothing. Of an earlier one only Verify and
// Backup are of use.
func OpenAsIs(ctx context.Context, address string) (c *Catalog, earlier bool, err error) {
	c, err = open(ctx, address, func(c *Catalog, ctx context.Context) error {
		missing, _, _, err := c.age(ctx)
		earlier = len(missing) > 0
		return err
	})
	return c, earlier, err
}

func open(ctx context.Context, address string, prepare func(*Catalog, context.Context) error) (*Catalog, error) {
	return prepared(ctx, prepare, func() (*sqldb.DB, error) {
		if IsPostgres(address) {
			return sqldb.OpenPostgres(ctx, address)
		}
		return sqldb.OpenSQLite(ctx, address, nil)
	})
}

// OpenSQLite opens a database file as Open does, through a driver that wraps SQLite's: tests make statements fail in it.
func OpenSQLite(ctx context.Context, path string, wrap func(driver.Driver) driver.Driver) (*Catalog, error) {
	return prepared(ctx, (*Catalog).migrate, func() (*sqldb.DB, error) { return sqldb.OpenSQLite(ctx, path, wrap) })
}

// CheckBackup refuses a copy of an SQLite database that a newer program has written. The file is not changed, and nobody may be
// changing it.
func CheckBackup(ctx context.Context, path string) error {
	db, err := sqldb.OpenCopy(path)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // only read
	_, _, _, err = (&Catalog{db: db}).age(ctx)
	return err
}

// prepared returns the catalog in a database once its schema is as it should be.
func prepared(ctx context.Context, prepare func(*Catalog, context.Context) error, openDB func() (*sqldb.DB, error)) (*Catalog, error) {
	db, err := openDB()
	if err != nil {
		return nil, fmt.Errorf("cannot open the catalog database: %w", err)
	}
	c := &Catalog{db: db, now: time.Now}
	if err := prepare(c, ctx); err != nil {
		_ = db.Close()
		return nil, err
	}
	return c, nil
}

// IsPostgres reports whether the address is a PostgreSQL URL rather than the path of a file.
func IsPostgres(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// Close releases the database. Nothing is left to write: every method that returned is durable.
func (c *Catalog) Close() error { return c.db.Close() }

// Ping reports whether the database answers.
func (c *Catalog) Ping(ctx context.Context) error {
	if err := c.db.Read.PingContext(ctx); err != nil {
		return fmt.Errorf("the catalog database does not answer: %w", err)
	}
	return nil
}

// Verify checks the database file for damage and returns a text for each fault found.
func (c *Catalog) Verify(ctx context.Context) ([]string, error) {
	found, err := queryAll(ctx, c.reader(), scanValue[string], c.db.Verify)
	if err != nil {
		return nil, fmt.Errorf("cannot verify the catalog: %w", err)
	}
	if len(found) == 1 && found[0] == "ok" {
		return nil, nil
	}
	return found, nil
}

// session runs statements on the database or in a transaction.
type session struct {
	conn interface {
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	}
	db      *sqldb.DB
	now     func() time.Time
	changes *[]Change // that the transaction made; nil outside of one
	taken   *int64    // counts the memory that reads take; nil if it is given back with everything else of the request
}

// IsOutOfSpace reports whether an error means that the database has run out of something that may come back, such as space on its
// disk. Nothing was changed then.
func (c *Catalog) IsOutOfSpace(err error) bool { return c.db.IsOutOfSpace(err) }

func (c *Catalog) reader() session { return session{conn: c.db.Read, db: c.db, now: c.now} }

// update runs f in a transaction that is committed if f returns nil. Duplicates come out as domain.ErrConflict. Subscribers
// know of its changes when it returns; other servers are told with the commit.
func (c *Catalog) update(ctx context.Context, f func(session) error) error {
	tx, err := c.db.Write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after a commit
	s := session{conn: tx, db: c.db, now: c.now, changes: new([]Change)}
	if err := f(s); err != nil {
		if c.db.IsDuplicate(err) {
			return fmt.Errorf("%w: it exists already", domain.ErrConflict)
		}
		return err
	}
	if err := s.announce(ctx); err != nil {
		return err
	}
	err = tx.Commit()
	c.tell(*s.changes...) // also after a failure: a commit whose answer was lost counts
	return err
}

func (s session) exec(ctx context.Context, query string, args ...any) (affected int64, err error) {
	result, err := s.conn.ExecContext(ctx, s.db.Rebind(query), storable(args)...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// insert stores one row. Into is the table with the columns that the values are for.
func (s session) insert(ctx context.Context, into string, values ...any) error {
	_, err := s.exec(ctx, "INSERT INTO "+into+" VALUES ("+placeholders(len(values))+")", values...)
	return err
}

// rowsPerStatement is how many rows one statement inserts or asks for.
const rowsPerStatement = 100

// insertRows stores any number of rows.
func (s session) insertRows(ctx context.Context, into string, rows [][]any) error {
	for some := range slices.Chunk(rows, rowsPerStatement) {
		one := ", (" + placeholders(len(some[0])) + ")"
		if _, err := s.exec(ctx, "INSERT INTO "+into+" VALUES "+strings.Repeat(one, len(some))[2:], slices.Concat(some...)...); err != nil {
			return err
		}
	}
	return nil
}

// transact runs f in a transaction, as update does, and returns what it returns.
func transact[T any](ctx context.Context, c *Catalog, f func(session) (T, error)) (result T, err error) {
	err = c.update(ctx, func(s session) error {
		result, err = f(s)
		return err
	})
	return result, err
}

// optional returns nil for what was not found.
func optional[T any](thing T, err error) (*T, error) {
	if errors.Is(err, domain.ErrNotFound) {
		return nil, nil
	}
	return &thing, err
}

// orNotFound returns domain.ErrNotFound if a statement affected no row.
func orNotFound(affected int64, err error) error {
	if err == nil && affected == 0 {
		return domain.ErrNotFound
	}
	return err
}

// named says in a not-found error what was looked for; other errors pass through.
func named(err error, kind, id string) error {
	if errors.Is(err, domain.ErrNotFound) {
		return fmt.Errorf("%s %q: %w", kind, id, domain.ErrNotFound)
	}
	return err
}

// namedConflict says in a conflict what was to be stored; other errors pass through.
func namedConflict(err error, kind, name string) error {
	if errors.Is(err, domain.ErrConflict) {
		return fmt.Errorf("%s %q: %w", kind, name, err)
	}
	return err
}
