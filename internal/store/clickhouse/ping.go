package clickhouse

import (
	"context"
	"fmt"
)

// Ping implements store.Store. It runs a query that selects no rows.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.closed(); err != nil {
		return err
	}
	if err := s.run(ctx, "SELECT 1 WHERE 0", false); err != nil {
		return fmt.Errorf("ClickHouse is not responding: %w", err)
	}
	return nil
}
