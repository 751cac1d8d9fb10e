package filter

import "almanac/internal/domain"

// MustColumn returns a column that is known to exist.
func (c *Catalogue[R]) MustColumn(name string) *Column[R] {
	column, ok := c.Column(name)
	if !ok {
		panic("BUG: there is no column " + name)
	}
	return column
}

// ObservationColumn returns a column of observations that is known to exist.
func ObservationColumn(name string) *Column[domain.Observation] {
	return Observations().MustColumn(name)
}

// ScoreColumn returns a column of scores that is known to exist.
func ScoreColumn(name string) *Column[domain.Score] { return Scores().MustColumn(name) }

// TraceColumn returns a column of traces that is known to exist.
func TraceColumn(name string) *Column[domain.TraceSummary] { return Traces().MustColumn(name) }

// Must returns a condition that cannot fail, such as one made from constants. It panics on an error.
func Must[R any](c Condition[R], err error) Condition[R] {
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return c
}

// MatchAll reports whether a row meets all conditions.
func MatchAll[R any](where []Condition[R], row *R) bool {
	for n := range where {
		if !where[n].Match(row) {
			return false
		}
	}
	return true
}
