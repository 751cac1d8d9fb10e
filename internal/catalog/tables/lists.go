package tables

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/internal/domain"
)

// Query is a fragment of a statement with its arguments.
type Query struct {
	Text string
	Args []any
}

// Condition is a condition on rows with its arguments; an empty one matches all rows.
type Condition = Query

// SQL returns a fragment of a statement with its arguments.
func SQL(text string, args ...any) Query { return Query{text, args} }

// And returns the query with an additional condition.
func (q Query) And(c Condition) Query {
	if c.Text == "" {
		return q
	}
	return Query{q.Text + " AND " + c.Text, append(slices.Clip(q.Args), c.Args...)}
}

// If returns a condition if wanted is true, and otherwise one that matches all rows.
func If(wanted bool, text string, args ...any) Condition {
	if !wanted {
		return Condition{}
	}
	return Condition{text, args}
}

// In returns the condition that a column has one of the values.
func In(column string, values []string) Condition {
	if len(values) == 0 {
		return Condition{Text: "FALSE"}
	}
	args := make([]any, len(values))
	for n, value := range values {
		args[n] = value
	}
	return Condition{column + " IN (" + Placeholders(len(values)) + ")", args}
}

// Placeholders returns a list of count placeholders.
func Placeholders(count int) string { return strings.TrimSuffix(strings.Repeat("?, ", count), ", ") }

// Page is a part of a list: at most Limit items after skipping Offset.
type Page struct{ Offset, Limit int }

// QueryPage returns a page of the rows that "FROM … WHERE …" selects, and the total count. These are two queries, so a
// change in between can make them inconsistent.
func QueryPage[T any](
	ctx context.Context, s Session, scan func(Row) (T, error), columns string, from Query, order string, page Page,
) (items []T, total int, err error) {
	total, err = QueryOne(ctx, s, ScanValue[int], "SELECT COUNT(*) "+from.Text, from.Args...)
	if err != nil || page.Offset >= total {
		return nil, total, err
	}
	items, err = QueryAll(ctx, s, scan, "SELECT "+columns+" "+from.Text+" ORDER BY "+order+" LIMIT ? OFFSET ?",
		append(slices.Clip(from.Args), page.Limit, page.Offset)...)
	return items, total, err
}

// Unstorable reports whether one of the strings cannot be stored in a database: PostgreSQL refuses zero bytes and
// invalid UTF-8. So nothing can have such a name.
func Unstorable(texts ...string) bool {
	for _, text := range texts {
		if strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
			return true
		}
	}
	return false
}

// MaxListed is the maximum number of values listed in one statement.
const MaxListed = 500

// Missing returns the values that do not occur in a column of the project's rows selected by a query.
func (s Session) Missing(ctx context.Context, scope domain.ProjectScope, selected, column string, values []string) ([]string, error) {
	if len(values) == 0 {
		return nil, nil
	}
	q := Query{selected, []any{scope.ProjectID()}}.And(In(column, values))
	known, err := QueryAll(ctx, s, ScanValue[string], q.Text, q.Args...)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(values), func(value string) bool { return slices.Contains(known, value) }), nil
}
