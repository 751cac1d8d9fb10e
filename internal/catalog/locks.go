package catalog

import (
	"context"
	"log/slog"

	"almanac/internal/catalog/sqldb"
)

// WithLock runs f while no other server on the same database runs one under the same name. It waits for its turn until ctx is
// done. The context of f ends when its turn does, since the connection to the database is lost.
func (c *Catalog) WithLock(ctx context.Context, name string, f func(context.Context) error) error {
	if c.db.Lock == nil {
		return f(ctx)
	}
	var failed error
	if err := c.db.Lock(ctx, name, func(ctx context.Context) { failed = f(ctx) }); err != nil {
		return err
	}
	return failed
}

// RunExclusive runs a job while no other server on the same database runs it, until ctx is done. The job's context ends when this can
// no longer be said; the job should return then, and is run again later, by whoever is first.
func (c *Catalog) RunExclusive(ctx context.Context, name string, log *slog.Logger, job func(context.Context)) {
	for failing := false; ctx.Err() == nil; {
		err := c.WithLock(ctx, name, func(ctx context.Context) error {
			failing = false
			log.Debug("it is this server's turn to run a job", "job", name)
			job(ctx)
			return nil
		})
		if err != nil && ctx.Err() == nil && !failing {
			log.Warn("cannot tell whether it is this server's turn to run a job", "job", name, "error", err)
		}
		failing = err != nil
		if sqldb.Sleep(ctx, sqldb.LongWait) != nil {
			return
		}
	}
}

// HoldRows keeps other servers from holding the same rows of the event store until release is called: a merge reads what is
// there and writes it back changed. It waits for those who hold one of them. Where there are no other servers it does
// nothing.
func (c *Catalog) HoldRows(ctx context.Context, project string, ids []string) (release func(), err error) {
	if c.db.Hold == nil || len(ids) == 0 {
		return func() {}, nil
	}
	return c.db.Hold(ctx, project, ids)
}
