package catalog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"almanac/internal/catalog/sqldb"
	"almanac/internal/catalog/tables"
)

// Subscribe makes f receive changes: those made through this catalog before the method that makes them returns, and
// those made by other servers while Listen runs. The function must return quickly and must not use the catalog.
func (c *Catalog) Subscribe(f func(tables.Change)) { c.db.Subscribe(f) }

// Announce notifies all subscribers and servers of a change that was not made through a catalog.
func (c *Catalog) Announce(ctx context.Context, change tables.Change) error {
	err := c.db.Update(ctx, func(s tables.Session) error {
		s.Note(change)
		return nil
	})
	if err != nil {
		return fmt.Errorf("cannot announce a change of kind %q: %w", change.Kind, err)
	}
	return nil
}

// Notify notifies the subscribers of this server of a change that another process has already made to the catalog.
func (c *Catalog) Notify(change tables.Change) { c.db.Notify(change) }

// Listen notifies subscribers of changes made by other servers, until ctx is done. Whenever it starts or resumes
// listening, it announces that anything may have changed. It does nothing where there are no other servers.
func (c *Catalog) Listen(ctx context.Context, log *slog.Logger) {
	if c.db.SQL.Listen == nil {
		return
	}
	wait, hears := sqldb.FirstWait, true
	for {
		err := c.db.SQL.Listen(ctx, func() {
			c.db.Notify(tables.Change{})
			if !hears {
				log.Info("listening for catalog changes again")
			}
			wait, hears = sqldb.FirstWait, true
		}, func(text string) { c.db.Notify(tables.ReadNotice(text)) })
		if ctx.Err() != nil {
			return
		}
		if hears {
			log.Warn("cannot listen for catalog changes made by other servers: caches may be stale", "error", err)
		}
		if errors.Is(err, sqldb.ErrNotificationsLost) {
			c.db.Notify(tables.Change{}) // other servers may change anything without notice
		}
		hears = false
		if sqldb.Sleep(ctx, wait) != nil {
			return
		}
		wait = min(2*wait, sqldb.LongWait)
	}
}
