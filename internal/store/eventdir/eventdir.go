// Package eventdir opens the event store of a data directory, and makes sure that it belongs to the catalog: without
// its events, or with those of another installation, a server would start as if nothing were wrong.
//
// The catalog knows the id of the store from the first start on. A catalog that several servers share knows the stores
// of all of them: a store that it does not know is refused, but an empty one is taken for that of another server.
package eventdir

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/catalog"
	"almanac/internal/config"
	"almanac/internal/datadir"
	"almanac/internal/disk"
	"almanac/internal/domain"
	"almanac/internal/store/segment"
)

// ErrOther is wrapped by errors about a store that does not belong to the catalog.
var ErrOther = errors.New("events and catalog do not belong together")

// Open opens the store in the data directory, or creates the first one of the catalog.
func Open(ctx context.Context, c *catalog.Catalog, s config.Storage, options segment.Options) (*segment.Store, error) {
	if err := Check(ctx, c, s); err != nil {
		return nil, err
	}
	events, err := segment.Open(datadir.EventsDir(s.Data), options)
	if err != nil {
		return nil, err
	}
	known, err := c.EventStores(ctx)
	if err == nil && !slices.Contains(known, events.ID()) {
		err = c.SetEventStore(ctx, events.ID())
	}
	if err != nil {
		return nil, errors.Join(err, events.Close())
	}
	return events, nil
}

// OpenReadOnly opens the store in the data directory or backup for reading; see segment.OpenReadOnly.
func OpenReadOnly(
	ctx context.Context, c *catalog.Catalog, s config.Storage, scratch string, options segment.Options,
) (*segment.Store, error) {
	if err := Check(ctx, c, s); err != nil {
		return nil, err
	}
	return segment.OpenReadOnly(datadir.EventsDir(s.Data), scratch, options)
}

// Check returns an error if the store in the data directory is not one that the catalog knows. It changes nothing.
func Check(ctx context.Context, c *catalog.Catalog, s config.Storage) error {
	known, err := c.EventStores(ctx) // first: a server that starts meanwhile records the id in the store first
	if err != nil {
		return err
	}
	directory := datadir.EventsDir(s.Data)
	tables, err := segment.TableIDs(directory)
	if err != nil {
		return err
	}
	id, written := "", false
	for _, t := range tables {
		written = written || t.Written
		if t.ID != "" && id != "" && t.ID != id {
			return other("%s is a part of the event store %s, the tables beside it are of the event store %s", t.Directory, t.ID, id)
		}
		if t.ID != "" {
			id = t.ID
		}
	}
	of := catalogName(s)
	switch {
	case len(known) == 0, id == "" && c.SeveralServers():
		return nil
	case !written:
		return other("%s belongs to the event store %s, but there are no events in %s", of, known[0], directory)
	case id == "":
		return other("%s belongs to the event store %s, but the one in %s has no id: it is older, or of another installation", of,
			known[0], directory)
	case !slices.Contains(known, id):
		return other("%s belongs to the event store %s, but %s is the event store %s, of another installation", of,
			strings.Join(known, ", "), directory, id)
	}
	for _, t := range tables {
		if t.ID == "" {
			return other("%s belongs to the event store %s, but %s is not a part of it: it is missing, or of another installation", of, id,
				t.Directory)
		}
	}
	return nil
}

func other(format string, args ...any) error {
	return fmt.Errorf("%w: %s; bring the right directory back, or restore a backup, or run almanac doctor --accept-loss to go on with "+
		"what is there",
		ErrOther, fmt.Sprintf(format, args...))
}

// catalogName names the catalog in messages, without the password of a database.
func catalogName(s config.Storage) string {
	if address := s.CatalogAddress(datadir.CatalogFile(s.Data)); !catalog.IsPostgres(address) {
		return "the catalog " + address
	}
	return "the catalog in PostgreSQL"
}

// Adopt makes what is in the data directory the store of the catalog, with a new id: the store that had the old one may
// be in use elsewhere. What is missing is created. No server may have it open.
func Adopt(ctx context.Context, d disk.Disk, c *catalog.Catalog, s config.Storage) error {
	id := domain.NewID()
	if err := segment.SetID(d, datadir.EventsDir(s.Data), id); err != nil {
		return err
	}
	return c.SetEventStore(ctx, id)
}
