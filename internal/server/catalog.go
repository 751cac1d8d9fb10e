package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"almanac/internal/catalog"
	"almanac/internal/config"
	"almanac/internal/datadir"
)

// openCatalog opens the catalog, or creates one if there are no events yet. Events without a catalog mean that it is
// lost or elsewhere, which a new one would only hide.
func openCatalog(ctx context.Context, options config.Serve) (*catalog.Catalog, error) {
	file := datadir.CatalogFile(options.Data)
	address := options.CatalogAddress(file)
	if address == file {
		_, missing := os.Stat(file)
		_, err := os.Stat(datadir.EventsDir(options.Data))
		if errors.Is(missing, fs.ErrNotExist) && err == nil {
			return nil,
				fmt.Errorf("%s is missing, but there are events: restore a backup, or set --catalog to the database with the catalog", file)
		}
	}
	return catalog.Open(ctx, address)
}
