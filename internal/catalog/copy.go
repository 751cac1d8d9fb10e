package catalog

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"almanac/internal/catalog/rows"
)

// ErrInUse is returned for a catalog that must not be written over.
var ErrInUse = errors.New("the catalog holds an installation already, or a server was started on it since it was copied to: it would be written over. Copy into an empty database")

// CopyTo replaces everything in another catalog by what this one holds, in one transaction. It can be repeated as long as
// no server was started on the other one, see MarkInUse; a catalog that holds something else is ErrInUse. It returns how many
// rows there are.
func (c *Catalog) CopyTo(ctx context.Context, to *Catalog) (copied int64, err error) {
	if c.db.SQL.Tables == "" {
		return 0, errors.New("the catalog is in PostgreSQL: copy it with pg_dump")
	}
	tables, err := rows.QueryAll(ctx, c.db.Reader(), rows.ScanValue[string], c.db.SQL.Tables)
	if err != nil {
		return 0, fmt.Errorf("cannot list the tables of the catalog: %w", err)
	}
	// Those have rows that tell about the database itself.
	tables = slices.DeleteFunc(tables, func(name string) bool {
		return name == "schema_versions" || name == earlierVersions || name == "copies" ||
			// The event store is another one, and numbers its rows anew.
			name == "blob_storage_runs" || name == "export_deletions"
	})
	err = to.db.Update(ctx, func(s rows.Session) error {
		if err := beginCopy(ctx, s); err != nil {
			return err
		}
		for _, table := range slices.Backward(tables) { // what refers to others goes first
			if _, err := s.Exec(ctx, "DELETE FROM "+table); err != nil {
				return fmt.Errorf("cannot empty the table %s: %w", table, err)
			}
		}
		for _, table := range tables {
			count, err := c.copyTable(ctx, s, table)
			if err != nil {
				return fmt.Errorf("cannot copy the table %s: %w", table, err)
			}
			copied += count
		}
		// What is pending was read before it was copied: in the other store it has any number.
		_, err := s.Exec(ctx, "UPDATE daily_totals_state SET pending_up_to = ?", int64(math.MaxInt64))
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("cannot copy the catalog: %w", err)
	}
	return copied, nil
}

// beginCopy refuses a catalog that holds something which was not copied, and notes that this is a copy.
func beginCopy(ctx context.Context, s rows.Session) error {
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
	_, err = s.Exec(ctx, "INSERT INTO copies (started_at) VALUES (?)", rows.Millis(s.Now()))
	return err
}

// MarkInUse notes that a server was started on the catalog: it is no copy any more.
func (c *Catalog) MarkInUse(ctx context.Context) error {
	return c.db.Update(ctx, func(s rows.Session) error {
		_, err := s.Exec(ctx, "DELETE FROM copies")
		return err
	})
}

// copyTable copies the rows of a table, in the order in which they were made: some refer to others of their table.
func (c *Catalog) copyTable(ctx context.Context, s rows.Session, table string) (count int64, err error) {
	found, err := c.db.SQL.Read.QueryContext(ctx, "SELECT * FROM "+table+c.db.SQL.InOrderMade) //nolint:gosec // a table of ours
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
		if count++; len(some) == rows.RowsPerStatement {
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

// columnTypes returns the names of the types that the columns of a table have in the database.
func columnTypes(ctx context.Context, s rows.Session, table string, columns []string) ([]string, error) {
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

// converted returns a value as a column of a type takes it: databases give booleans as numbers and texts as bytes, too.
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
