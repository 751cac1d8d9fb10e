package catalog

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/internal/domain"
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

// cannotExist reports whether one of the texts is none that a database can hold: PostgreSQL refuses zero bytes and what is not
// UTF-8. Nothing has such a name.
func cannotExist(texts ...string) bool {
	for _, text := range texts {
		if strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
			return true
		}
	}
	return false
}

// maxListed is how many values a statement names at most.
const maxListed = 500

// missing returns those of the values that no row which a query of the project selects has in a column.
func (s session) missing(ctx context.Context, scope domain.ProjectScope, selected, column string, values []string) ([]string, error) {
	if len(values) == 0 {
		return nil, nil
	}
	q := query{selected, []any{scope.ProjectID()}}.and(in(column, values))
	known, err := queryAll(ctx, s, scanValue[string], q.text, q.args...)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(values), func(value string) bool { return slices.Contains(known, value) }), nil
}
