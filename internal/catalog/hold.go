package catalog

import "context"

// HoldRows keeps other servers from holding the same rows of the event store until release is called: a merge reads what is
// there and writes it back changed. It waits for those who hold one of them. Where there are no other servers it does
// nothing.
func (c *Catalog) HoldRows(ctx context.Context, project string, ids []string) (release func(), err error) {
	if c.db.Hold == nil || len(ids) == 0 {
		return func() {}, nil
	}
	return c.db.Hold(ctx, project, ids)
}
