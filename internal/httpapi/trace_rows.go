package httpapi

import (
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// rowQueries returns what the conditions on traces say about rows. A trace that meets the conditions has, for each of these
// lists, a row that one of its queries selects; these need not be the same row. There is at least one list.
func (q *tracesQuery) rowQueries() [][]rowQuery {
	const most = 4 // conditions of one filter
	var lists [][]rowQuery
	from, to := q.from, q.to
	for n := range q.where {
		c := &q.where[n]
		if c.Column() == traceColumn("timestamp") {
			from, to = narrowed(from, to, c)
			continue
		}
		if list := rowQueriesOf(c); len(list) > 0 && len(lists) < most {
			lists = append(lists, list)
		}
	}
	if from != 0 || to != 0 || len(lists) == 0 {
		lists = append(lists, []rowQuery{{from: from, to: to}})
	}
	return lists
}

// narrowed returns a time range that a condition on the timestamp makes smaller: the first row of a trace is in it.
func narrowed(from, to domain.Micros, c *traceCondition) (domain.Micros, domain.Micros) {
	const milli = 1000
	// A bound of 0 would be none.
	millis := domain.Micros(min(max(c.Millis(), -maxFilterMillis), maxFilterMillis))
	switch at := millis * milli; c.Operator() {
	case filter.Greater, filter.GreaterEqual:
		if at != 0 && (from == 0 || at > from) {
			from = at
		}
	case filter.Less, filter.LessEqual:
		if end := at + milli; end != 0 && (to == 0 || end < to) {
			to = end
		}
	}
	return from, to
}

// maxFilterMillis is beyond all times that rows have, and far from the ends of what a number of microseconds can hold.
const maxFilterMillis = 8_640_000_000_000_000

// rowQueriesOf returns what a condition on traces says about rows; nothing if that is nothing.
func rowQueriesOf(c *traceCondition) []rowQuery {
	var columns []string // one of them has the value in some row
	switch c.Column().ID() {
	case "id":
		columns = []string{"traceId"}
	case "userId", "sessionId", "version", "release", "environment", "tags":
		columns = []string{c.Column().ID()}
	case "name":
		columns = []string{"traceName", "name"}
	}
	var list []rowQuery
	for _, name := range columns {
		condition, ok := sameOnRows(observationColumn(name), c)
		if !ok {
			return nil
		}
		list = append(list, rowQuery{where: []filter.Condition[domain.Observation]{condition}})
	}
	return list
}

// sameOnRows returns the condition that a row meets which has the value of a trace; false if there need not be such a
// row, because the condition is also met by traces without a value.
func sameOnRows(column *filter.Column[domain.Observation], c *traceCondition) (made filter.Condition[domain.Observation], ok bool) {
	var err error
	switch operator := c.Operator(); operator {
	case filter.Equal, filter.Contains, filter.StartsWith, filter.EndsWith:
		if c.Text() == "" {
			return made, false
		}
		made, err = filter.NewText(column, operator, c.Text())
	case filter.AnyOf:
		if slices.Contains(c.Texts(), "") {
			return made, false
		}
		made, err = filter.NewTexts(column, filter.AnyOf, c.Texts())
	case filter.AllOf:
		if len(c.Texts()) == 0 {
			return made, false
		}
		made, err = filter.NewTexts(column, filter.AnyOf, c.Texts()[:1])
	default:
		return made, false
	}
	return made, err == nil
}
