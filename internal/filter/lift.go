package filter

import "almanac/internal/domain"

// Lift returns a column of rows that contain rows of another type: its value is that of the row returned by of, which
// must not be nil. It is derived and belongs to no catalogue.
func Lift[R, S any](c *Column[S], of func(*R) *S) *Column[R] {
	lifted := &Column[R]{id: c.id, index: -1, kind: c.kind, nullable: c.nullable, emptyIsNull: c.emptyIsNull, decimals: c.decimals}
	switch c.kind {
	case Text, LongText, Metadata:
		lifted.text = func(row *R) (string, bool) { return c.text(of(row)) }
	case List:
		lifted.list = func(row *R) []string { return c.list(of(row)) }
	case Number:
		lifted.number = func(row *R) (float64, bool) { return c.number(of(row)) }
	case Bool:
		lifted.boolean = func(row *R) bool { return c.boolean(of(row)) }
	case Time:
		lifted.time = func(row *R) domain.Micros { return c.time(of(row)) }
	}
	return lifted
}
