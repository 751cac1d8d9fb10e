package catalog

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/catalog/tables"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migration is one step of the schema: a file whose name begins with its version.
type migration struct {
	version    int
	name       string
	statements string
}

// readMigrations returns all migrations, oldest first.
func readMigrations(files fs.FS) ([]migration, error) {
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	list := make([]migration, len(names))
	for n, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		number, _, _ := strings.Cut(path.Base(name), "_")
		version, err := strconv.Atoi(number)
		if err != nil || version < 1 {
			return nil, fmt.Errorf("the name of the migration %s does not start with a version", name)
		}
		list[n] = migration{version, path.Base(name), string(text)}
	}
	slices.SortFunc(list, func(a, b migration) int { return a.version - b.version })
	return list, nil
}

const createVersions = `CREATE TABLE IF NOT EXISTS schema_versions (
	version BIGINT NOT NULL PRIMARY KEY,
	at      BIGINT NOT NULL
)`

// earlierVersions is the table in which a library recorded the versions before the program ran its own migrations.
// Programs from that time read it, and refuse a database whose version they do not know.
const earlierVersions = "goose_db_version"

// pending returns the migrations that a database lacks, the newest version that it has, and the newest version that
// exists.
func pending(applied []int, all []migration) (missing []migration, current, target int) {
	if len(applied) > 0 {
		current = slices.Max(applied)
	}
	for _, m := range all {
		target = max(target, m.version)
		if !slices.Contains(applied, m.version) {
			missing = append(missing, m)
		}
	}
	return missing, current, target
}

// ErrNewer is wrapped by errors about a database that is too new for this program.
var ErrNewer = errors.New("written by a newer version of Almanac")

// refuseNewer returns an error for a database written by a newer program.
func refuseNewer(current, target int) error {
	if current > target {
		return fmt.Errorf("the catalog has schema version %d, %w; this version supports up to %d: run that version, or restore an "+
			"earlier backup", current, ErrNewer, target)
	}
	return nil
}

// migrate brings the schema to this program's version, all of it or nothing: both databases support schema changes in
// transactions. If several servers start at the same time, one migrates and the others wait.
func (c *Catalog) migrate(ctx context.Context) error {
	all, err := readMigrations(migrationFiles)
	if err != nil {
		return fmt.Errorf("cannot read the embedded migrations: %w", err)
	}
	return c.db.Update(ctx, func(s tables.Session) error {
		if c.db.SQL.MigrationLock != "" {
			if _, err := s.Exec(ctx, c.db.SQL.MigrationLock); err != nil {
				return fmt.Errorf("cannot wait for other servers to migrate the catalog: %w", err)
			}
		}
		applied, earlier, err := schemaVersions(ctx, s)
		if err != nil {
			return err
		}
		missing, current, target := pending(applied, all)
		if err := refuseNewer(current, target); err != nil {
			return err
		}
		if _, err := s.Exec(ctx, createVersions); err != nil {
			return fmt.Errorf("cannot prepare the catalog's schema versions: %w", err)
		}
		if earlier {
			if err := takeVersionsOver(ctx, s, applied, target); err != nil {
				return fmt.Errorf("cannot take over the schema versions of an earlier version of Almanac: %w", err)
			}
		}
		for _, m := range missing {
			if _, err := s.Exec(ctx, m.statements); err != nil {
				return fmt.Errorf("cannot migrate the catalog from schema version %d to %d: %s: %w", current, target, m.name, err)
			}
			if err := noteVersion(ctx, s, m.version); err != nil {
				return err
			}
		}
		return nil
	})
}

func noteVersion(ctx context.Context, s tables.Session, version int) error {
	_, err := s.Exec(ctx, "INSERT INTO schema_versions (version, at) VALUES (?, ?)", version, tables.Millis(s.Now()))
	return err
}

// takeVersionsOver copies the versions from earlierVersions. It also inserts the target version into that table, so
// that programs that read it refuse the database from now on.
func takeVersionsOver(ctx context.Context, s tables.Session, applied []int, target int) error {
	for _, version := range applied {
		if err := noteVersion(ctx, s, version); err != nil {
			return err
		}
	}
	_, err := s.Exec(ctx, "INSERT INTO "+earlierVersions+" (version_id, is_applied) VALUES (?, ?)", target, true)
	return err
}

// schemaStatus compares the schema of a database with this program's, and returns an error if it is newer.
func (c *Catalog) schemaStatus(ctx context.Context) (missing []migration, current, target int, err error) {
	all, err := readMigrations(migrationFiles)
	if err != nil {
		return nil, 0, 0, fmt.Errorf("cannot read the embedded migrations: %w", err)
	}
	applied, _, err := schemaVersions(ctx, c.db.Reader())
	if err != nil {
		return nil, 0, 0, err
	}
	missing, current, target = pending(applied, all)
	return missing, current, target, refuseNewer(current, target)
}

// requireCurrent returns an error for a database whose schema is not this program's.
func (c *Catalog) requireCurrent(ctx context.Context) error {
	missing, current, target, err := c.schemaStatus(ctx)
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("the catalog has schema version %d, this version of Almanac needs %d, and migration %s has not been applied: "+
			"start the server once to upgrade the catalog",
			current, target, missing[0].name)
	}
	return err
}

// schemaVersions returns the versions that a database has. If earlier is true, they are recorded only in
// earlierVersions.
func schemaVersions(ctx context.Context, s tables.Session) (applied []int, earlier bool, err error) {
	for _, from := range []struct{ table, query string }{
		{"schema_versions", "SELECT version FROM schema_versions ORDER BY version"},
		{earlierVersions, "SELECT DISTINCT version_id FROM " + earlierVersions + " WHERE version_id > 0 ORDER BY version_id"},
	} {
		found, err := tables.QueryAll(ctx, s, tables.ScanValue[string], s.SQL.FindTable, from.table)
		if err == nil && len(found) > 0 {
			applied, err = tables.QueryAll(ctx, s, tables.ScanValue[int], from.query)
		}
		if err != nil {
			return nil, false, fmt.Errorf("cannot read the schema version of the catalog: %w", err)
		}
		if len(found) > 0 {
			return applied, from.table == earlierVersions, nil
		}
	}
	return nil, false, nil
}
