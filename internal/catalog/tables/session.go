package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/internal/catalog/sqldb"
	"almanac/internal/domain"
)

// DB is the database with the catalog's tables.
type DB struct {
	SQL *sqldb.DB
	Now func() time.Time

	mu          sync.Mutex
	subscribers []func(Change)
}

// Session runs statements on the database or in a transaction.
type Session struct {
	Conn interface {
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	}
	SQL     *sqldb.DB
	Now     func() time.Time
	changes *[]Change // made by the transaction; nil outside of one
	taken   *int64    // counts the memory taken by reads; nil if it is released with the request
}

// Reader returns a session outside of any transaction.
func (d *DB) Reader() Session { return Session{Conn: d.SQL.Read, SQL: d.SQL, Now: d.Now} }

// Update runs f in a transaction that is committed if f returns nil. Unique violations are returned as
// domain.ErrConflict. Subscribers have been notified of the changes when Update returns; other servers are notified
// with the commit.
func (d *DB) Update(ctx context.Context, f func(Session) error) error {
	tx, err := d.SQL.Write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after a commit
	s := Session{Conn: tx, SQL: d.SQL, Now: d.Now, changes: new([]Change)}
	if err := f(s); err != nil {
		if d.SQL.IsDuplicate(err) {
			return fmt.Errorf("%w: it exists already", domain.ErrConflict)
		}
		return err
	}
	if err := s.announce(ctx); err != nil {
		return err
	}
	err = tx.Commit()
	d.Notify(*s.changes...) // even after an error: the commit may have succeeded with its response lost
	return err
}

// Exec runs a statement and returns how many rows it affected.
func (s Session) Exec(ctx context.Context, query string, args ...any) (affected int64, err error) {
	result, err := s.Conn.ExecContext(ctx, s.SQL.Rebind(query), sanitized(args)...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// Insert stores one row. The string into names the table and the columns for the values.
func (s Session) Insert(ctx context.Context, into string, values ...any) error {
	_, err := s.Exec(ctx, "INSERT INTO "+into+" VALUES ("+Placeholders(len(values))+")", values...)
	return err
}

// RowsPerStatement is the maximum number of rows that one statement inserts or looks up.
const RowsPerStatement = 100

// InsertRows stores any number of rows.
func (s Session) InsertRows(ctx context.Context, into string, rows [][]any) error {
	for some := range slices.Chunk(rows, RowsPerStatement) {
		one := ", (" + Placeholders(len(some[0])) + ")"
		if _, err := s.Exec(ctx, "INSERT INTO "+into+" VALUES "+strings.Repeat(one, len(some))[2:], slices.Concat(some...)...); err != nil {
			return err
		}
	}
	return nil
}

// Transact runs f in a transaction, as Update does, and returns its result.
func Transact[T any](ctx context.Context, d *DB, f func(Session) (T, error)) (result T, err error) {
	err = d.Update(ctx, func(s Session) error {
		result, err = f(s)
		return err
	})
	return result, err
}

// Optional returns nil if the error is domain.ErrNotFound.
func Optional[T any](record T, err error) (*T, error) {
	if errors.Is(err, domain.ErrNotFound) {
		return nil, nil
	}
	return &record, err
}

// OrNotFound returns domain.ErrNotFound if a statement affected no row.
func OrNotFound(affected int64, err error) error {
	if err == nil && affected == 0 {
		return domain.ErrNotFound
	}
	return err
}

// WithSubject adds the kind and id to a not-found error; other errors are returned unchanged.
func WithSubject(err error, kind, id string) error {
	if errors.Is(err, domain.ErrNotFound) {
		return fmt.Errorf("%s %q: %w", kind, id, domain.ErrNotFound)
	}
	return err
}

// NamedConflict adds the kind and name to a conflict error; other errors are returned unchanged.
func NamedConflict(err error, kind, name string) error {
	if errors.Is(err, domain.ErrConflict) {
		return fmt.Errorf("%s %q: %w", kind, name, err)
	}
	return err
}

// MaxAhead is how far the clock of another server may be ahead. A time further in the future was written by a clock
// that was wrong.
const MaxAhead = time.Minute

// LockProject makes this transaction and others that call it for the same project wait for each other. It is for
// changes that count what the project has.
func (s Session) LockProject(ctx context.Context, scope domain.ProjectScope) error {
	_, err := s.Exec(ctx, "UPDATE projects SET name = name WHERE id = ?", scope.ProjectID())
	return err
}
