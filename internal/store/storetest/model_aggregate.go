package storetest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// meetsAll says whether a row meets all conditions.
func meetsAll[R any](row *R, where []filter.Condition[R]) bool {
	for i := range where {
		if !where[i].Match(row) {
			return false
		}
	}
	return true
}

// Aggregate collects the rows of each group and then computes over them one measure after the other.
func (t *modelTable[R]) Aggregate(ctx context.Context, scope domain.ProjectScope, q store.AggregateQuery[R]) (*store.Groups, error) {
	project := scope.ProjectID()
	if err := checkAggregate(q); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rows, err := t.rows(project, func(row *R) bool {
		return within(*t.time(row), q.From, q.To) && meetsAll(row, q.Where)
	})
	if err != nil {
		return nil, err
	}
	type group struct {
		store.Group
		rows []*R
	}
	groups := map[string]*group{}
	for _, row := range rows {
		var bucket int64
		if q.Bucket != 0 {
			bucket = floor(t.time(row).Millis(), q.Bucket)
		}
		for _, keys := range groupKeys(row, q.GroupBy) {
			name := fmt.Sprintf("%d %q", bucket, keys) // quoted, so that keys cannot run into each other
			if groups[name] == nil {
				groups[name] = &group{Group: store.Group{Bucket: bucket, Keys: keys}}
			}
			groups[name].rows = append(groups[name].rows, row)
		}
	}
	limit := q.MaxGroups
	if limit == 0 {
		limit = store.DefaultMaxGroups
	}
	if len(groups) > limit {
		return nil, fmt.Errorf("aggregating into %d groups where %d are allowed: %w", len(groups), limit, store.ErrTooLarge)
	}
	result := &store.Groups{}
	for _, g := range groups {
		for _, m := range q.Measures {
			g.Values = append(g.Values, compute(m, g.rows))
		}
		result.Rows = append(result.Rows, g.Group)
	}
	return result, nil
}

// checkAggregate refuses what makes no sense.
func checkAggregate[R any](q store.AggregateQuery[R]) error {
	if q.Bucket < 0 {
		return fmt.Errorf("aggregating into buckets of %d ms: %w", q.Bucket, store.ErrInvalid)
	}
	for _, column := range q.GroupBy {
		switch column.Kind() {
		case filter.Text, filter.Bool, filter.List:
		default:
			return fmt.Errorf("grouping by %s: %w", column.ID(), store.ErrInvalid)
		}
	}
	for _, m := range q.Measures {
		if !measurable(m) {
			return fmt.Errorf("computing function %d: %w", m.Function, store.ErrInvalid)
		}
	}
	return nil
}

// measurable says whether the function fits its column.
func measurable[R any](m store.Measure[R]) bool {
	switch m.Function {
	case store.Count:
		return m.Column == nil
	case store.Sum, store.Average, store.Min, store.Max:
		return m.Column != nil && m.Column.Kind() == filter.Number
	case store.Quantile:
		return m.Column != nil && m.Column.Kind() == filter.Number && m.Quantile >= 0 && m.Quantile <= 1
	case store.Distinct:
		return m.Column != nil && m.Column.Kind() == filter.Text
	}
	return false
}

// floor returns the start of the bucket that the time is in. Division cuts towards zero, which is upwards before 1970.
func floor(millis, bucket int64) int64 {
	start := millis - millis%bucket
	if start > millis {
		start -= bucket
	}
	return start
}

// groupKeys returns the keys of all groups that the row belongs to: one of each column, in every combination.
func groupKeys[R any](row *R, by []*filter.Column[R]) [][]string {
	keys := [][]string{nil}
	for _, column := range by {
		var longer [][]string
		for _, k := range keys {
			for _, value := range groupValues(row, column) {
				longer = append(longer, append(slices.Clone(k), value))
			}
		}
		keys = longer
	}
	return keys
}

// groupValues returns the row's values in a column, each once. A list without elements is null.
func groupValues[R any](row *R, column *filter.Column[R]) []string {
	switch column.Kind() {
	case filter.Bool:
		return []string{strconv.FormatBool(column.Bool(row))}
	case filter.List:
		values := slices.Clone(column.List(row))
		slices.Sort(values)
		if values = slices.Compact(values); len(values) > 0 {
			return values
		}
		return []string{""}
	default:
		value, null := column.Text(row)
		if null {
			value = ""
		}
		return []string{value}
	}
}

// compute makes one number of the rows of a group.
func compute[R any](m store.Measure[R], rows []*R) domain.OptFloat {
	switch m.Function {
	case store.Count:
		return domain.FloatOf(float64(len(rows)))
	case store.Distinct:
		different := map[string]bool{}
		for _, row := range rows {
			if value, null := m.Column.Text(row); !null && value != "" {
				different[value] = true
			}
		}
		return domain.FloatOf(float64(len(different)))
	}
	var values []float64
	sum := 0.0
	for _, row := range rows {
		if value, null := m.Column.Number(row); !null {
			values = append(values, value)
			sum += value
		}
	}
	slices.Sort(values)
	switch {
	case m.Function == store.Sum:
		return domain.FloatOf(sum)
	case len(values) == 0:
		return domain.OptFloat{}
	case m.Function == store.Average:
		return domain.FloatOf(sum / float64(len(values)))
	case m.Function == store.Min:
		return domain.FloatOf(values[0])
	case m.Function == store.Max:
		return domain.FloatOf(values[len(values)-1])
	default:
		return domain.FloatOf(quantile(values, m.Quantile))
	}
}

// quantile returns the value at position q*(n-1) of sorted values.
func quantile(values []float64, q float64) float64 {
	whole, part := math.Modf(q * float64(len(values)-1))
	low := values[int(whole)]
	if part == 0 {
		return low
	}
	high := values[int(whole)+1]
	if low == high { // infinity minus infinity would be no number
		return low
	}
	return low + part*(high-low)
}
