package catalog

import (
	"context"
	"fmt"

	"almanac/internal/catalog/tables"
)

// SeveralServers reports whether servers may share the catalog. Each can have an event store of its own.
func (c *Catalog) SeveralServers() bool { return c.db.SQL.Lock != nil }

// EventStores returns the ids of the event stores in data directories that belong to this catalog. There are none before
// the first start, and if events were always stored elsewhere.
func (c *Catalog) EventStores(ctx context.Context) ([]string, error) {
	ids, err := tables.QueryAll(ctx, c.db.Reader(), tables.ScanValue[string], "SELECT id FROM event_stores ORDER BY id")
	if err != nil {
		return nil, fmt.Errorf("cannot read the ids of the event stores: %w", err)
	}
	return ids, nil
}

// SetEventStore records that an event store belongs to this catalog, instead of the one that did so before, or, if
// several servers may share the catalog, beside the others.
func (c *Catalog) SetEventStore(ctx context.Context, id string) error {
	err := c.db.Update(ctx, func(s tables.Session) error {
		if !c.SeveralServers() {
			if _, err := s.Exec(ctx, "DELETE FROM event_stores"); err != nil {
				return err
			}
		}
		_, err := s.Exec(ctx, "INSERT INTO event_stores (id) VALUES (?) ON CONFLICT DO NOTHING", id)
		return err
	})
	if err != nil {
		return fmt.Errorf("cannot record the id of the event store: %w", err)
	}
	return nil
}
