package sqldb

import (
	"context"
	"database/sql"
	"fmt"
	"hash/fnv"
	"slices"
)

const (
	// holdConnections is the maximum number of writers of a server that can hold rows at the same time; others wait.
	holdConnections = 16
	// MaxHeld is the maximum number of rows that are locked individually. The database has room for a few thousand
	// locks, so for more rows the whole project is locked.
	MaxHeld = 64
)

// postgresHolder returns a function that holds rows with locks of a transaction, which are released however the
// transaction ends. The locks use their own connections, because a holder may need the catalog before it releases them.
func postgresHolder(pool *sql.DB) func(ctx context.Context, project string, ids []string) (func(), error) {
	return func(ctx context.Context, project string, ids []string) (func(), error) {
		tx, err := pool.BeginTx(ctx, nil)
		if err == nil {
			if err = lockRows(ctx, tx, project, ids); err != nil {
				_ = tx.Rollback()
			}
		}
		if err != nil {
			return nil, fmt.Errorf("cannot lock %d rows of project %s against other servers: %w", len(ids), project, err)
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
	slices.Sort(numbers) // a fixed order avoids deadlocks
	_, err := tx.ExecContext(ctx,
		"SELECT pg_advisory_xact_lock_shared($1), (SELECT count(pg_advisory_xact_lock(number)) FROM unnest($2::bigint[]) AS number)",
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
