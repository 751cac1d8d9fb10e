package catalog

import "context"

// Page is a part of a list: at most Limit things behind the first Offset ones.
type Page struct{ Offset, Limit int }

// queryPage returns a page of the rows that "FROM … WHERE …" names, and how many there are in all. The two are read one after
// the other, so that a change in between can make them differ by it.
func queryPage[T any](ctx context.Context, s session, scan func(row) (T, error), columns, from, order string, page Page, args ...any) (items []T, total int, err error) {
	total, err = queryOne(ctx, s, scanCount, "SELECT COUNT(*) "+from, args...)
	if err != nil || page.Offset >= total {
		return nil, total, err
	}
	items, err = queryAll(ctx, s, scan, "SELECT "+columns+" "+from+" ORDER BY "+order+" LIMIT ? OFFSET ?",
		append(args[:len(args):len(args)], page.Limit, page.Offset)...)
	return items, total, err
}

func scanCount(r row) (count int, err error) {
	err = r.Scan(&count)
	return count, err
}
