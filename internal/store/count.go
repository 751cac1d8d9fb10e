package store

import (
	"context"

	"almanac/internal/domain"
)

// CountRows returns the number of rows that match the conditions and the time range of a query. It ignores paging.
func CountRows[R any](ctx context.Context, table Table[R], scope domain.ProjectScope, q Query[R]) (int, error) {
	groups, err := table.Aggregate(ctx, scope, AggregateQuery[R]{
		From: q.From, To: q.To, Where: q.Where, Measures: []Measure[R]{{Function: Count}},
	})
	if err != nil || len(groups.Rows) == 0 {
		return 0, err
	}
	return int(groups.Rows[0].Values[0].Value), nil
}
