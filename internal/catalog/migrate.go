package catalog

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migration is one step of the schema: a file whose name begins with its version.
type migration struct {
	version    int
	name       string
	statements string
}

// readMigrations returns all steps, the oldest first.
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
			return nil, fmt.Errorf("the name of the migration %s does not begin with a version", name)
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

// pending returns the steps that a database lacks, and the versions of the newest step that it has and that there is.
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

// refuseNewer refuses a database that a newer program has written.
func refuseNewer(current, target int) error {
	if current > target {
		return fmt.Errorf("the catalog has schema version %d, written by a newer Almanac; this one knows up to %d: start the newer program, or restore a backup", current, target)
	}
	return nil
}

// migrate brings the schema up to this program's version, all of it or nothing: both databases change schemas in
// transactions. Where several servers may start at once, one migrates and the others wait.
func (c *Catalog) migrate(ctx context.Context) error {
	all, err := readMigrations(migrationFiles)
	if err != nil {
		return fmt.Errorf("cannot read the embedded migrations: %w", err)
	}
	return c.update(ctx, func(s session) error {
		if c.db.migrationLock != "" {
			if _, err := s.exec(ctx, c.db.migrationLock); err != nil {
				return fmt.Errorf("cannot wait for others to migrate the catalog: %w", err)
			}
		}
		if _, err := s.exec(ctx, createVersions); err != nil {
			return fmt.Errorf("cannot prepare the catalog's schema versions: %w", err)
		}
		applied, err := s.versions(ctx)
		if err != nil {
			return err
		}
		missing, current, target := pending(applied, all)
		if err := refuseNewer(current, target); err != nil {
			return err
		}
		for _, m := range missing {
			if _, err := s.exec(ctx, m.statements); err != nil {
				return fmt.Errorf("cannot bring the catalog from schema version %d to %d: %s: %w", current, target, m.name, err)
			}
			if _, err := s.exec(ctx, "INSERT INTO schema_versions (version, at) VALUES (?, ?)", m.version, millis(s.now())); err != nil {
				return err
			}
		}
		return nil
	})
}

// requireCurrent refuses a database whose schema is not this program's.
func (c *Catalog) requireCurrent(ctx context.Context) error {
	all, err := readMigrations(migrationFiles)
	if err != nil {
		return fmt.Errorf("cannot read the embedded migrations: %w", err)
	}
	applied, err := c.reader().versions(ctx)
	if err != nil {
		return err
	}
	missing, current, target := pending(applied, all)
	if err := refuseNewer(current, target); err != nil {
		return err
	}
	if len(missing) > 0 {
		return fmt.Errorf("the catalog has schema version %d, this Almanac has %d: start its server once, which brings the catalog up to date", current, target)
	}
	return nil
}

func (s session) versions(ctx context.Context) ([]int, error) {
	applied, err := queryAll(ctx, s, scanValue[int], "SELECT version FROM schema_versions ORDER BY version")
	if err != nil {
		return nil, fmt.Errorf("cannot read the schema version of the catalog: %w", err)
	}
	return applied, nil
}
