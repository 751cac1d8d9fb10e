package catalog

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

// DB is the database that the tables are in.
type DB struct {
	SQL *sqldb.DB
	Now func() time.Time

	mu          sync.Mutex
	subscribers []func(Change)
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

// Reader returns a session outside of any transaction.
func (d *DB) Reader() session { return session{conn: d.SQL.Read, db: d.SQL, now: d.Now} }

// Update runs f in a transaction that is committed if f returns nil. Duplicates come out as domain.ErrConflict. Subscribers
// know of its changes when it returns; other servers are told with the commit.
func (d *DB) Update(ctx context.Context, f func(session) error) error {
	tx, err := d.SQL.Write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after a commit
	s := session{conn: tx, db: d.SQL, now: d.Now, changes: new([]Change)}
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
	d.tell(*s.changes...) // also after a failure: a commit whose answer was lost counts
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

// transact runs f in a transaction, as Update does, and returns what it returns.
func transact[T any](ctx context.Context, d *DB, f func(session) (T, error)) (result T, err error) {
	err = d.Update(ctx, func(s session) error {
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

// maxAhead is how far the clock of another server may be ahead. A time that is further in the future was noted by a clock that
// was wrong.
const maxAhead = time.Minute

// lockProject makes other changes of the project's evaluators and rules wait for this transaction.
func (s session) lockProject(ctx context.Context, scope domain.ProjectScope) error {
	_, err := s.exec(ctx, "UPDATE projects SET name = name WHERE id = ?", scope.ProjectID())
	return err
}
