package clickhouse

import (
	"context"

	"almanac/internal/filter"
	"almanac/internal/store"
)

// aggregateLocally aggregates rows streamed from ClickHouse, reading only the needed columns. It is used for columns
// and calendars that only Go knows.
func (t *table[R]) aggregateLocally(ctx context.Context, q *queryBuilder[R], query store.AggregateQuery[R]) (*store.Groups, error) {
	columns := q.needed(query)
	q.ask(columns, "")
	rows := func(yield func(*R, error) bool) {
		if err := t.stream(ctx, q, columns, 0, func(row *R) bool { return yield(row, nil) }); err != nil {
			yield(nil, err)
		}
	}
	return store.GroupRows(ctx, rows, t.timeOf, query)
}

// needed returns the columns that an aggregate reads.
func (q *queryBuilder[R]) needed(query store.AggregateQuery[R]) []*column[R] {
	names := map[string]bool{q.time: true}
	note := func(c *filter.Column[R]) {
		for _, name := range q.sourcesOf(c) {
			names[name] = true
		}
	}
	for _, c := range query.GroupBy {
		note(c)
	}
	for i := range query.Measures {
		if c := query.Measures[i].Column; c != nil {
			note(c)
		}
	}
	for i := range q.residual {
		note(q.residual[i].Column())
	}
	var columns []*column[R]
	for i := range q.columns {
		if names[q.columns[i].name] {
			columns = append(columns, &q.columns[i])
		}
	}
	return columns
}
