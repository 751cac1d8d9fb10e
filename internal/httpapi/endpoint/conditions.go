package endpoint

import (
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// FixedText is a parameter that asks for rows whose column is a text.
type FixedText struct{ Column, Text string }

// FixedList is a parameter that asks for rows whose column is one of some texts.
type FixedList struct {
	Column string
	Texts  []string
}

// Narrow bounds a query by a condition on the time of rows, so that the store looks only where such rows can be. The
// condition stays: it compares milliseconds, and decides at the edges.
func Narrow[R any](query *store.Query[R], c *filter.Condition[R]) {
	const second = 1_000_000 // far more than what the two disagree about
	at := domain.Micros(c.Millis() * 1000)
	switch c.Operator() {
	case filter.Greater, filter.GreaterEqual:
		query.From = max(query.From, at-second)
	case filter.Less, filter.LessEqual:
		if to := at + second; query.To == 0 || to < query.To {
			query.To = to
		}
	}
}
