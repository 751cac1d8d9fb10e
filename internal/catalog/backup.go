package catalog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrNoBackup is returned for a database that has better tools of its own.
var ErrNoBackup = errors.New("the catalog is in PostgreSQL: back it up with pg_dump")

// Backup writes a copy of an SQLite database into a file that does not exist yet. The copy is of one moment, whoever
// writes meanwhile, and on disk when Backup returns.
func (c *Catalog) Backup(ctx context.Context, path string) error {
	if c.db.backup == "" {
		return ErrNoBackup
	}
	if _, err := c.db.write.ExecContext(ctx, c.db.backup, path); err != nil {
		return fmt.Errorf("cannot copy the catalog to %s: %w", path, err)
	}
	if err := makeDurable(path); err != nil {
		return fmt.Errorf("cannot sync the copy of the catalog: %w", err)
	}
	return nil
}

// makeDurable brings a file and its name to disk, and keeps it from others.
func makeDurable(path string) error {
	if err := os.Chmod(path, 0o600); err != nil {
		return err
	}
	for _, name := range []string{path, filepath.Dir(path)} {
		file, err := os.Open(name) //nolint:gosec // the operator names it
		if err != nil {
			return err
		}
		if err := errors.Join(file.Sync(), file.Close()); err != nil {
			return err
		}
	}
	return nil
}
