package catalog_test

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/test/catalogtest"
)

// fillEveryTable puts two rows into each table of an SQLite catalog, with a value in each column of the first, and as
// few as possible in the second.
func fillEveryTable(t *testing.T, c *catalogtest.Catalog) {
	t.Helper()
	ctx, s := t.Context(), tables.Session{Conn: c.DB.SQL.Write, SQL: c.DB.SQL, Now: c.DB.Now}
	names, err := tables.QueryAll(ctx, s, tables.ScanValue[string], c.DB.SQL.Tables)
	if err != nil {
		t.Fatal(err)
	}
	type column struct{ name, kind, notNull, table, to string }
	for _, table := range names {
		if table == "schema_versions" || table == "copies" {
			continue
		}
		columns, err := tables.QueryAll(ctx, s, func(r tables.Row) (c column, err error) {
			err = r.Scan(&c.name, &c.kind, &c.notNull, &c.table, &c.to)
			return c, err
		}, `SELECT i.name, i.type, i."notnull", coalesce(f."table", ''), coalesce(f."to", '')
			FROM pragma_table_info(?) i LEFT JOIN pragma_foreign_key_list(?) f ON f."from" = i.name ORDER BY i.cid`, table, table)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 2 {
			var names, marks []string
			var values []any
			for _, c := range columns {
				if slices.Contains(names, c.name) || n == 1 && c.notNull == "0" {
					continue // part of two keys, or not needed
				}
				var value any
				switch kind := c.kind; {
				case c.table != "":
					parents, err := tables.QueryAll(ctx, s, tables.ScanValue[string], "SELECT "+c.to+" FROM "+c.table+" ORDER BY rowid")
					if err != nil || len(parents) == 0 {
						t.Fatalf("%s.%s refers to %s, which has %d rows, %v", table, c.name, c.table, len(parents), err)
					}
					value = parents[min(n, len(parents)-1)]
				case kind == "TEXT":
					value = fmt.Sprintf("%s.%s ü %d", table, c.name, n)
				case kind == "BOOLEAN":
					value = n == 0
				case strings.HasPrefix(kind, "DOUBLE"):
					value = 0.1 + float64(n)
				case kind == "BIGINT":
					value = 1<<40*n + len(c.name)
				default:
					value = 1<<20*n + len(c.name)
				}
				names, marks, values = append(names, c.name), append(marks, "?"), append(values, value)
			}
			if _, err := s.Exec(ctx, "INSERT INTO "+table+" ("+strings.Join(names, ", ")+") VALUES ("+strings.Join(marks, ", ")+")",
				values...); err != nil {
				t.Fatalf("%s: %v", table, err)
			}
		}
	}
}

// dump returns every row of the tables as text.
func dump(t *testing.T, c *catalogtest.Catalog, tables []string) map[string][]string {
	t.Helper()
	all := make(map[string][]string)
	for _, table := range tables {
		rows, err := c.DB.SQL.Read.QueryContext(t.Context(), "SELECT * FROM "+table)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			values, into := make([]any, len(columns)), make([]any, len(columns))
			for n := range values {
				into[n] = &values[n]
			}
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			for n, v := range values {
				if yes, ok := v.(bool); ok {
					v = map[bool]int{true: 1}[yes]
				}
				values[n] = fmt.Sprintf("%s=%v", columns[n], v)
			}
			slices.SortFunc(values, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
			all[table] = append(all[table], fmt.Sprint(values))
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		slices.Sort(all[table])
	}
	return all
}

func TestCopyTo(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, target *catalogtest.Catalog, _ string) {
		source := catalogtest.Open(t, filepath.Join(t.TempDir(), "source.db"))
		fillEveryTable(t, source)
		names, err := tables.QueryAll(t.Context(), source.DB.Reader(), tables.ScanValue[string], source.DB.SQL.Tables)
		if err != nil {
			t.Fatal(err)
		}
		names = slices.DeleteFunc(names, func(name string) bool {
			return slices.Contains([]string{"schema_versions", "copies", "jobs", "blob_storage_runs", "export_deletions", "export_marks"},
				name)
		})
		for round := range 2 {
			rows, err := source.CopyTo(t.Context(), target.Catalog)
			if err != nil || rows != int64(2*len(names)-round) {
				t.Fatalf("round %d: %d rows of %d tables, %v", round, rows, len(names), err)
			}
			want := dump(t, source, names)
			for n, row := range want["daily_totals_state"] { // the copy belongs to another event store
				want["daily_totals_state"][n] = regexp.MustCompile(`pending_up_to=\d+`).ReplaceAllString(row,
					fmt.Sprint("pending_up_to=", math.MaxInt64))
			}
			if diff := cmp.Diff(want, dump(t, target, names)); diff != "" {
				t.Errorf("round %d: the copy differs (-source +copy):\n%s", round, diff)
			}
			// A row deleted from the source is missing from the next copy.
			if _, err := source.DB.SQL.Write.ExecContext(t.Context(), "DELETE FROM audit_log WHERE rowid = 1"); err != nil {
				t.Fatal(err)
			}
		}
		if err := target.MarkInUse(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := source.CopyTo(t.Context(), target.Catalog); !errors.Is(err, catalog.ErrInUse) {
			t.Errorf("copying over a catalog that is in use: %v", err)
		}
	})
}

func TestCopyToRefusesAnotherInstallation(t *testing.T) {
	source, target := catalogtest.Open(t, filepath.Join(t.TempDir(), "a.db")), catalogtest.Open(t, filepath.Join(t.TempDir(), "b.db"))
	catalogtest.Seed(t, target, "theirs")
	if _, err := source.CopyTo(t.Context(), target.Catalog); !errors.Is(err, catalog.ErrInUse) {
		t.Errorf("copying over another installation: %v", err)
	}
	if all, err := target.Organizations(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("the other installation has %v, %v", all, err)
	}
}
