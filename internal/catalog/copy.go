package catalog

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"almanac/internal/catalog/tables"
)

// ErrInUse is returned for a catalog that must not be overwritten.
var ErrInUse = errors.New("the target catalog already contains an installation, or a server was started on it since the last copy: it " +
	"would be overwritten. Copy into an empty database")

// CopyTo replaces the contents of another catalog with the contents of this one, in one transaction. It can be repeated
// until a server is started on the other catalog, see MarkInUse; it returns ErrInUse if that catalog holds anything
// that was not copied. It returns the number of rows copied.
func (c *Catalog) CopyTo(ctx context.Context, to *Catalog) (copied int64, err error) {
	if c.db.SQL.Tables == "" {
		return 0, errors.New("the catalog is in PostgreSQL: copy it with pg_dump")
	}
	names, err := tables.QueryAll(ctx, c.db.Reader(), tables.ScanValue[string], c.db.SQL.Tables)
	if err != nil {
		return 0, fmt.Errorf("cannot list the tables of the catalog: %w", err)
	}
	// These tables describe the database itself.
	names = slices.DeleteFunc(names, func(name string) bool {
		return name == "schema_versions" || name == earlierVersions || name == "copies" || name == "jobs" ||
			// The other installation has its own event store, which numbers rows anew.
			name == "blob_storage_runs" || name == "export_deletions" || name == "export_marks"
	})
	err = to.db.Update(ctx, func(s tables.Session) error {
		if err := beginCopy(ctx, s); err != nil {
			return err
		}
		for _, table := range slices.Backward(names) { // referring tables first
			if _, err := s.Exec(ctx, "DELETE FROM "+table); err != nil {
				return fmt.Errorf("cannot empty the table %s: %w", table, err)
			}
		}
		for _, table := range names {
			count, err := c.copyTable(ctx, s, table)
			if err != nil {
				return fmt.Errorf("cannot copy the table %s: %w", table, err)
			}
			copied += count
		}
		// The row numbers of pending deletions are those of the source's event store. The other store numbers its rows
		// differently, so any row may be among them.
		_, err := s.Exec(ctx, "UPDATE daily_totals_state SET pending_up_to = ?", int64(math.MaxInt64))
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("cannot copy the catalog: %w", err)
	}
	return copied, nil
}

// beginCopy refuses a catalog with contents that were not copied into it, and marks it as a copy.
func beginCopy(ctx context.Context, s tables.Session) error {
	copied, err := s.Exists(ctx, "SELECT started_at FROM copies LIMIT 1")
	if err != nil || copied {
		return err
	}
	used, err := s.Exists(ctx, "SELECT id FROM organizations LIMIT 1")
	if err != nil {
		return err
	}
	if used {
		return ErrInUse
	}
	_, err = s.Exec(ctx, "INSERT INTO copies (started_at) VALUES (?)", tables.Millis(s.Now()))
	return err
}

// MarkInUse records that a server was started on the catalog, which is then no longer a copy.
func (c *Catalog) MarkInUse(ctx context.Context) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		_, err := s.Exec(ctx, "DELETE FROM copies")
		return err
	})
}

// copyTable copies the rows of a table in insertion order, since rows may refer to earlier rows of the same table.
func (c *Catalog) copyTable(ctx context.Context, s tables.Session, table string) (count int64, err error) {
	found, err := c.db.SQL.Read.QueryContext(ctx, "SELECT * FROM "+table+c.db.SQL.OrderByInsertion) //nolint:gosec // a table of ours
	if err != nil {
		return 0, err
	}
	defer found.Close() //nolint:errcheck // only read
	columns, err := found.Columns()
	if err != nil {
		return 0, err
	}
	types, err := columnTypes(ctx, s, table, columns)
	if err != nil {
		return 0, err
	}
	into := table + " (" + strings.Join(columns, ", ") + ")"
	var some [][]any
	for found.Next() {
		values, scanned := make([]any, len(columns)), make([]any, len(columns))
		for n := range values {
			scanned[n] = &values[n]
		}
		if err := found.Scan(scanned...); err != nil {
			return 0, err
		}
		for n, value := range values {
			values[n] = converted(value, types[n])
		}
		some = append(some, values)
		if count++; len(some) == tables.RowsPerStatement {
			if err := s.InsertRows(ctx, into, some); err != nil {
				return 0, err
			}
			some = some[:0]
		}
	}
	if err := found.Err(); err != nil {
		return 0, err
	}
	return count, s.InsertRows(ctx, into, some)
}

// columnTypes returns the database type names of columns of a table.
func columnTypes(ctx context.Context, s tables.Session, table string, columns []string) ([]string, error) {
	rows, err := s.Conn.QueryContext(ctx, "SELECT "+strings.Join(columns, ", ")+" FROM "+table+" LIMIT 0")
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // only read
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	names := make([]string, len(types))
	for n, t := range types {
		names[n] = t.DatabaseTypeName()
	}
	return names, rows.Err()
}

// converted returns a value as a column of the given type accepts it: SQLite may return booleans as numbers and strings
// as bytes.
func converted(value any, databaseType string) any {
	switch v := value.(type) {
	case []byte:
		return string(v)
	case int64:
		if strings.HasPrefix(databaseType, "BOOL") {
			return v != 0
		}
	}
	return value
}
