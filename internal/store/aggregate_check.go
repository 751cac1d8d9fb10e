package store

import (
	"cmp"
	"fmt"
	"slices"

	"almanac/internal/filter"
)

// Check returns ErrInvalid for an invalid query, and fills in default limits.
func (q *AggregateQuery[R]) Check() error {
	if q.Bucket < 0 || q.MaxGroups < 0 || q.MaxBytes < 0 || q.Bucket > 0 && q.Calendar != nil {
		return fmt.Errorf("%w: buckets of %d ms, at most %d groups and %d bytes", ErrInvalid, q.Bucket, q.MaxGroups, q.MaxBytes)
	}
	for _, c := range q.GroupBy {
		if !slices.Contains([]filter.Kind{filter.Text, filter.Bool, filter.List, filter.Number}, c.Kind()) {
			return fmt.Errorf("%w: cannot group by %s, a column of kind %s", ErrInvalid, c.ID(), c.Kind())
		}
	}
	for n := range q.Measures {
		if err := q.Measures[n].check(); err != nil {
			return err
		}
	}
	q.MaxGroups = cmp.Or(q.MaxGroups, DefaultMaxGroups)
	q.MaxBytes = cmp.Or(q.MaxBytes, DefaultMaxBytes)
	return nil
}

func (m *Measure[R]) check() error {
	if m.Function == Count && m.Column == nil {
		return nil
	}
	kinds := []filter.Kind{filter.Number}
	switch m.Function {
	case Count, Distinct:
		kinds = append(kinds, filter.Text)
	case Min, Max:
		kinds = append(kinds, filter.Time)
	}
	switch {
	case m.Function > Histogram || m.Column == nil || !slices.Contains(kinds, m.Column.Kind()):
		return fmt.Errorf("%w: function %d does not fit its column", ErrInvalid, m.Function)
	case m.Function == Quantile && !(m.Quantile >= 0 && m.Quantile <= 1):
		return fmt.Errorf("%w: quantile %v is not between 0 and 1", ErrInvalid, m.Quantile)
	case m.Function == Histogram && (m.Bins < 1 || m.Bins > MaxBins):
		return fmt.Errorf("%w: a histogram of %d bins", ErrInvalid, m.Bins)
	}
	return nil
}
