package filter

import "almanac/internal/domain"

// Known returns a column that a program is written for: there is no need to ask whether it exists.
func (c *Catalogue[R]) Known(name string) *Column[R] {
	column, ok := c.Column(name)
	if !ok {
		panic("BUG: there is no column " + name)
	}
	return column
}

// ObservationColumn returns a column of observations that is known to exist.
func ObservationColumn(name string) *Column[domain.Observation] { return Observations().Known(name) }

// ScoreColumn returns a column of scores that is known to exist.
func ScoreColumn(name string) *Column[domain.Score] { return Scores().Known(name) }

// TraceColumn returns a column of traces that is known to exist.
func TraceColumn(name string) *Column[domain.TraceSummary] { return Traces().Known(name) }

// Must returns a condition that is the same in every run of a program, and so has no error.
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
