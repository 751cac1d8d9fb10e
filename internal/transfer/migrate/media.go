package migrate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"almanac/internal/blob"
)

// Media copies the blobs of a directory, which may be in use, to another store, except those that it has already. Blobs
// never change, so one of the same size is the same. It returns how many blobs there are and how many were copied.
func Media(ctx context.Context, from string, to blob.Store, told func(files, copied int64)) (files, copied int64, err error) {
	err = blob.EachKey(from, func(key string, size int64) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		files++
		defer func() { told(files, copied) }()
		if there, err := to.Open(ctx, key, size); err == nil && size > 0 {
			return there.Close()
		}
		file, err := os.Open(filepath.Join(from, filepath.FromSlash(blob.ObjectPath(key)))) //nolint:gosec // one of our files
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed meanwhile
		}
		if err != nil {
			return err
		}
		defer file.Close() //nolint:errcheck // only read
		if err := to.Put(ctx, key, file, size); err != nil {
			return err
		}
		copied++
		return nil
	})
	if err != nil {
		return files, copied, fmt.Errorf("cannot copy media: %w", err)
	}
	return files, copied, nil
}
