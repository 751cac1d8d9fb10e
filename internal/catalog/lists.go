package catalog

import (
	"context"
	"slices"
	"strings"
)

// query is a part of a statement with its arguments.
type query struct {
	text string
	args []any
}

// condition is what rows have to meet, with its arguments; an empty one is met by all.
type condition = query

// and returns the query with a condition more.
func (q query) and(c condition) query {
	if c.text == "" {
		return q
	}
	return query{q.text + " AND " + c.text, append(slices.Clip(q.args), c.args...)}
}

// when returns a condition, or one that is met by all unless it is wanted.
func when(wanted bool, text string, args ...any) condition {
	if !wanted {
		return condition{}
	}
	return condition{text, args}
}

// in returns the condition that a column has one of the values.
func in(column string, values []string) condition {
	if len(values) == 0 {
		return condition{text: "FALSE"}
	}
	args := make([]any, len(values))
	for n, value := range values {
		args[n] = value
	}
	return condition{column + " IN (" + placeholders(len(values)) + ")", args}
}

func placeholders(count int) string { return strings.TrimSuffix(strings.Repeat("?, ", count), ", ") }

// Page is a part of a list: at most Limit things after the first Offset ones.
type Page struct{ Offset, Limit int }

// queryPage returns a page of the rows that "FROM … WHERE …" selects, and how many there are in all. The two are read one after
// the other, so a change in between can make them differ.
func queryPage[T any](ctx context.Context, s session, scan func(row) (T, error), columns string, from query, order string, page Page) (items []T, total int, err error) {
	total, err = queryOne(ctx, s, scanValue[int], "SELECT COUNT(*) "+from.text, from.args...)
	if err != nil || page.Offset >= total {
		return nil, total, err
	}
	items, err = queryAll(ctx, s, scan, "SELECT "+columns+" "+from.text+" ORDER BY "+order+" LIMIT ? OFFSET ?",
		append(slices.Clip(from.args), page.Limit, page.Offset)...)
	return items, total, err
}
