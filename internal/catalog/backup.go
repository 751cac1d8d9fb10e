package catalog

import (
	"context"
	"errors"
	"fmt"
	"os"

	"almanac/internal/disk"
)

// ErrNoBackup is returned for a database that comes with better backup tools.
var ErrNoBackup = errors.New("the catalog is in PostgreSQL: back it up with pg_dump")

// Backup writes a consistent copy of an SQLite database to a new file, even while others write to the database. The
// contents are durable when Backup returns; the file name is durable only after SyncDirectory.
func (c *Catalog) Backup(ctx context.Context, d disk.Disk, path string) error {
	if c.db.SQL.Backup == "" {
		return ErrNoBackup
	}
	// SQLite treats an empty file as a new database. A file created by SQLite itself would be world-readable.
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
