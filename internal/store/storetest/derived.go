package storetest

import (
	"fmt"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// derivedFrom names a column of each kind to derive others from, and accessors for their values.
type derivedFrom[R any] struct {
	text, list, time, number string
	textOf                   func(*R) string
	listOf                   func(*R) []string
	timeOf                   func(*R) domain.Micros
}

// derivedOf returns derived columns like those of the users of a store.
func derivedOf[R any](c *filter.Catalogue[R], from derivedFrom[R]) []*filter.Column[R] {
	column := func(id string) *filter.Column[R] {
		found, ok := c.Column(id)
		if !ok {
			panic("BUG: there is no column " + id)
		}
		return found
	}
	number := column(from.number)
	derived := []*filter.Column[R]{
		// The id of an existing column, with other values.
		filter.DerivedText(from.text, func(row *R) (string, bool) {
			text := from.textOf(row)
			return text[:min(1, len(text))], text == ""
		}, column(from.text)),
		filter.DerivedNumber("length", func(row *R) (float64, bool) {
			text := from.textOf(row)
			return float64(len(text)), text == "b"
		}, column(from.text)),
		// Derived from no columns at all.
		filter.DerivedText("always", func(*R) (string, bool) { return "always", false }),
		filter.DerivedNumber("one", func(*R) (float64, bool) { return 1, false }),
		filter.DerivedBool("is set", func(row *R) bool { return from.textOf(row) != "" }, column(from.text)),
		filter.DerivedText("month", func(row *R) (string, bool) {
			return from.timeOf(row).Time().Format("2006-01"), false
		}, column(from.time)),
		filter.DerivedNumber("number of its second", func(row *R) (float64, bool) {
			value, null := number.Number(row)
			return value + float64(from.timeOf(row).Time().Second()), null
		}, number, column(from.time)),
	}
	if from.list != "" {
		derived = append(derived, filter.DerivedText("whole list", func(row *R) (string, bool) {
			list := from.listOf(row)
			return fmt.Sprintf("%q", list), len(list) == 0
		}, column(from.list)))
	}
	return derived
}
