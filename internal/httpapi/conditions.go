package httpapi

import (
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

type fixedText struct{ column, text string }

type fixedList struct {
	column string
	texts  []string
}

// narrow bounds a query by a condition on the time of rows, so that the store looks only where such rows can be. The
// condition stays: it compares milliseconds, and decides at the edges.
func narrow[R any](query *store.Query[R], c *filter.Condition[R]) {
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
