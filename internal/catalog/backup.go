package catalog

import (
	"context"
	"errors"
	"fmt"
	"os"

	"almanac/internal/disk"
)

// ErrNoBackup is returned for a database that has better tools of its own.
var ErrNoBackup = errors.New("the catalog is in PostgreSQL: back it up with pg_dump")

// Backup writes a copy of an SQLite database into a file that does not exist yet. The copy is of one moment, whoever
// writes meanwhile, and on disk when Backup returns. Its name is there after SyncDirectory only.
func (c *Catalog) Backup(ctx context.Context, d disk.Disk, path string) error {
	if c.db.SQL.Backup == "" {
		return ErrNoBackup
	}
	// SQLite takes an empty file for a new database. One that it makes itself can be read by everybody.
	file, err := d.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return fmt.Errorf("cannot copy the catalog to %s: %w", path, err)
	}
	if _, err := c.db.SQL.Write.ExecContext(ctx, c.db.SQL.Backup, path); err != nil {
		return fmt.Errorf("cannot copy the catalog to %s: %w", path, err)
	}
	if err := d.SyncFile(disk.CatalogCopy, path); err != nil {
		return fmt.Errorf("cannot sync the copy of the catalog: %w", err)
	}
	return nil
}
