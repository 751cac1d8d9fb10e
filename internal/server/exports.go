package server

import (
	"fmt"

	"almanac/internal/blob"
	"almanac/internal/catalog"
	"almanac/internal/config"
	"almanac/internal/datadir"
	"almanac/internal/platform"
	"almanac/internal/store"
	"almanac/internal/transfer/export"
)

// exportSpare is the disk space that exports leave free: they can be repeated, but data sent by applications cannot.
const exportSpare = 1 << 30

// newExports returns what makes the files of exports. They are stored next to media.
func newExports(options config.Serve, c *catalog.Catalog, events store.Store, blobs blob.Store) *export.Files {
	var room func(int64) error
	if !options.BlobsInBucket() {
		directory := options.BlobDirectory(datadir.MediaDir(options.Data))
		room = func(bytes int64) error {
			free, err := platform.FreeBytes(directory)
			if err == nil && free < uint64(bytes)+exportSpare { //nolint:gosec // it is not negative
				err = fmt.Errorf("%w: %d MB", blob.ErrNoSpace, free>>20)
			}
			return err
		}
	}
	return &export.Files{Catalog: c, Store: events, Blobs: blobs, Room: room}
}
