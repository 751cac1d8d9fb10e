package catalog

import (
	"context"
	"fmt"

	"almanac/internal/catalog/exports"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// InstanceID returns the id of this installation, by which buckets know who writes to them.
func (c *Catalog) InstanceID(ctx context.Context) (string, error) {
	id, err := tables.Transact(ctx, c.db, func(s tables.Session) (string, error) {
		if _, err := s.Exec(ctx, "INSERT INTO instance (row_id, id) VALUES (1, ?) ON CONFLICT DO NOTHING", domain.NewID()); err != nil {
			return "", err
		}
		return tables.QueryOne(ctx, s, tables.ScanValue[string], "SELECT id FROM instance WHERE row_id = 1")
	})
	if err != nil {
		return "", fmt.Errorf("cannot read the id of this installation: %w", err)
	}
	return id, nil
}

// BecomeCopy makes this catalog that of a copy, whose original may still be running: it gets its own instance id, the
// event store that it is first opened with becomes its own, and everything that acts outwards is disabled with the given
// reason. It returns the number of integrations disabled. Jobs that write to or notify others must be disabled here.
func (c *Catalog) BecomeCopy(ctx context.Context, reason string, actor domain.Actor) (disabled int, err error) {
	err = c.db.Update(ctx, func(s tables.Session) (err error) {
		if _, err := s.Exec(ctx, "DELETE FROM instance"); err != nil {
			return err
		}
		if _, err := s.Exec(ctx, "INSERT INTO instance (row_id, id) VALUES (1, ?)", domain.NewID()); err != nil {
			return err
		}
		if _, err := s.Exec(ctx, "DELETE FROM event_stores"); err != nil {
			return err
		}
		disabled, err = exports.DisableBlobStorage(ctx, s, reason, actor)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("cannot disable the integrations of the copy: %w", err)
	}
	return disabled, nil
}
