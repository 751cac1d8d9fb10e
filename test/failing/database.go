package failing

import (
	"context"
	"database/sql/driver"
	"strings"
)

// Driver returns a database driver whose statements fail as the switch says.
func (s *Switch) Driver(d driver.Driver) driver.Driver { return database{d, s} }

type database struct {
	driver.Driver
	s *Switch
}

// conn is what the SQLite driver returns.
type conn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// Open opens a connection.
func (d database) Open(name string) (driver.Conn, error) {
	c, err := d.Driver.Open(name)
	if err != nil {
		return nil, err
	}
	return connection{c.(conn), d.s}, nil
}

type connection struct {
	conn
	s *Switch
}

// Ping checks the connection.
func (c connection) Ping(ctx context.Context) error {
	if err := c.s.Call("catalog: ping"); err != nil {
		return err
	}
	return c.conn.Ping(ctx)
}

// BeginTx begins a transaction.
func (c connection) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	if err := c.s.Call("catalog: begin"); err != nil {
		return nil, err
	}
	tx, err := c.conn.BeginTx(ctx, options)
	if err != nil {
		return nil, err
	}
	return transaction{tx, c.s}, nil
}

// ExecContext runs a statement.
func (c connection) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if err := c.s.Call("catalog: " + shortened(query)); err != nil {
		return nil, err
	}
	return c.conn.ExecContext(ctx, query, args)
}

// QueryContext runs a query. Its rows may fail on their own.
func (c connection) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if err := c.s.Call("catalog: " + shortened(query)); err != nil {
		return nil, err
	}
	found, err := c.conn.QueryContext(ctx, query, args)
	if err != nil {
		return nil, err
	}
	return &rows{Rows: found, s: c.s, query: shortened(query)}, nil
}

type transaction struct {
	driver.Tx
	s *Switch
}

// Commit commits a transaction. If it fails, the transaction is rolled back, as when a database goes away.
func (t transaction) Commit() error {
	if err := t.s.Call("catalog: commit"); err != nil {
		_ = t.Rollback()
		return err
	}
	return t.Tx.Commit()
}

// rows fails before its first row, after the query itself succeeded.
type rows struct {
	driver.Rows
	s     *Switch
	query string
	begun bool
}

// Next reads a row.
func (r *rows) Next(into []driver.Value) error {
	if !r.begun {
		r.begun = true
		if err := r.s.Call("catalog: rows of " + r.query); err != nil {
			return err
		}
	}
	return r.Rows.Next(into)
}

// shortened returns a statement on one line.
func shortened(query string) string { return strings.Join(strings.Fields(query), " ") }
