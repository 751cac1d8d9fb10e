package catalog

import "context"

// WithLock runs f while this server holds the named lock, which only one server of the database can hold at a time. It
// waits for the lock until ctx is done. The context of f is canceled when the lock is lost along with the database
// connection.
func (c *Catalog) WithLock(ctx context.Context, name string, f func(context.Context) error) error {
	if c.db.SQL.Lock == nil {
		return f(ctx)
	}
	var failed error
	if err := c.db.SQL.Lock(ctx, name, func(ctx context.Context) { failed = f(ctx) }); err != nil {
		return err
	}
	return failed
}

// LockRows locks rows of the event store against other servers until release is called, for merges, which read rows and
// write them back changed. It waits for servers that hold any of the rows. On SQLite, where there is only one server,
// it does nothing.
func (c *Catalog) LockRows(ctx context.Context, project string, ids []string) (release func(), err error) {
	if c.db.SQL.Hold == nil || len(ids) == 0 {
		return func() {}, nil
	}
	return c.db.SQL.Hold(ctx, project, ids)
}
