package sqldb

import (
	"context"
	"database/sql"
	"fmt"
	"hash/fnv"
	"slices"
)

const (
	// holdConnections is how many writers of a server can hold rows at once; the others wait.
	holdConnections = 16
	// MaxHeld is how many rows are locked one by one. The database has room for some thousands of locks, so whoever wants
	// more gets the project as a whole.
	MaxHeld = 64
)

// postgresHolder returns what holds rows with locks of a transaction, which are free when it ends, however it does. They have
// connections of their own: whoever holds rows may need the catalog before it lets go.
func postgresHolder(pool *sql.DB) func(ctx context.Context, project string, ids []string) (func(), error) {
	return func(ctx context.Context, project string, ids []string) (func(), error) {
		tx, err := pool.BeginTx(ctx, nil)
		if err == nil {
			if err = lockRows(ctx, tx, project, ids); err != nil {
				_ = tx.Rollback()
			}
		}
		if err != nil {
			return nil, fmt.Errorf("cannot keep other servers from writing %d rows of project %s: %w", len(ids), project, err)
		}
		return func() { _ = tx.Rollback() }, nil
	}
}

func lockRows(ctx context.Context, tx *sql.Tx, project string, ids []string) error {
	if len(ids) > MaxHeld {
		_, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", lockNumber(project))
		return err
	}
	numbers := make([]int64, len(ids))
	for n, id := range ids {
		numbers[n] = lockNumber(project, id)
	}
	slices.Sort(numbers) // everyone takes them in this order, so nobody waits in a circle
	_, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock_shared($1), (SELECT count(pg_advisory_xact_lock(number)) FROM unnest($2::bigint[]) AS number)",
		lockNumber(project), slices.Compact(numbers))
	return err
}

// lockNumber returns the number of a lock, which is the same on every server.
func lockNumber(names ...string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte("almanac rows"))
	for _, name := range names {
		_, _ = h.Write([]byte{0})
		_, _ = h.Write([]byte(name))
	}
	return int64(h.Sum64()) //nolint:gosec // a number of 64 bits, whatever its sign
}
