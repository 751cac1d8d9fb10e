package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	_ "modernc.org/sqlite" // the driver

	"almanac/internal/domain"
)

// sqlite is the baseline: one table with an index for pages and one for traces, the obvious first design. It gives the
// same guarantee: appended rows are on disk.
type sqlite struct {
	inProcess

	write, read *sql.DB // SQLite has one writer at a time

	mu         sync.Mutex
	statements map[string]*sql.Stmt
}

// openSQLite opens or creates the database in a directory.
func openSQLite(ctx context.Context, dir string) (_ *sqlite, err error) {
	open := func(connections int) (*sql.DB, error) {
		query := url.Values{"_txlock": {"immediate"}, "_pragma": {
			"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "cache_size(-65536)", "temp_store(MEMORY)",
		}}
		db, err := sql.Open("sqlite", "file:"+url.PathEscape(filepath.Join(dir, "baseline.db"))+"?"+query.Encode())
		if err != nil {
			return nil, err
		}
		db.SetMaxOpenConns(connections)
		db.SetMaxIdleConns(connections)
		return db, nil
	}
	s := &sqlite{inProcess: inProcess{dir}, statements: make(map[string]*sql.Stmt)}
	if s.write, err = open(1); err != nil {
		return nil, err
	}
	if s.read, err = open(max(2, runtime.GOMAXPROCS(0))); err != nil {
		_ = s.write.Close()
		return nil, err
	}
	if _, err := s.write.ExecContext(ctx, schema()); err != nil {
		_ = s.close()
		return nil, fmt.Errorf("create the tables: %w", err)
	}
	return s, nil
}

// schema returns the table definition. Rows are ordered by the millisecond, as in the store.
func schema() string {
	definitions := []string{"project_id TEXT NOT NULL", "start_ms INTEGER NOT NULL"}
	for _, c := range columns {
		definitions = append(definitions, c.name+" "+sqlType(c.field(new(domain.Observation))))
	}
	return "CREATE TABLE IF NOT EXISTS observations (" + strings.Join(definitions, ", ") + ", PRIMARY KEY (project_id, trace_id, id));" +
		"CREATE INDEX IF NOT EXISTS by_time ON observations (project_id, start_ms, trace_id, id)"
}

func (s *sqlite) append(ctx context.Context, project string, rows []domain.Observation) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()                                                                                               //nolint:errcheck // nothing to undo after a commit
	insert, err := tx.PrepareContext(ctx, "INSERT OR REPLACE INTO observations VALUES "+placeholders(len(columns)+2)) //nolint:gosec // no values in it
	if err != nil {
		return err
	}
	defer insert.Close() //nolint:errcheck // the commit tells
	values := make([]any, len(columns)+2)
	for i := range rows {
		values[0], values[1] = project, rows[i].StartTime.Millis()
		for j, c := range columns {
			values[j+2] = sqlValue(c.field(&rows[i]))
		}
		if _, err := insert.ExecContext(ctx, values...); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// placeholders returns n question marks in parentheses.
func placeholders(n int) string { return "(?" + strings.Repeat(", ?", n-1) + ")" }

// flush checkpoints the log and updates the statistics of the planner, which would otherwise choose the wrong index.
func (s *sqlite) flush(ctx context.Context) error {
	_, err := s.write.ExecContext(ctx, "PRAGMA analysis_limit = 1000; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

func (s *sqlite) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, statement := range s.statements {
		_ = statement.Close()
	}
	err := s.read.Close()
	if writeErr := s.write.Close(); err == nil {
		err = writeErr
	}
	return err
}

func (s *sqlite) count(ctx context.Context) (n int64, err error) {
	err = s.read.QueryRowContext(ctx, "SELECT count(*) FROM observations").Scan(&n)
	return n, err
}

// prepared returns a prepared statement for reading, which is kept until the end.
func (s *sqlite) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if statement := s.statements[query]; statement != nil {
		return statement, nil
	}
	statement, err := s.read.PrepareContext(ctx, query) //nolint:sqlclosecheck // close does it
	if err != nil {
		return nil, err
	}
	s.statements[query] = statement
	return statement, nil
}
