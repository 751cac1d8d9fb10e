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

// meetsAll reports whether a row matches all conditions.
func meetsAll[R any](row *R, where []filter.Condition[R]) bool {
	for i := range where {
		if !where[i].Match(row) {
			return false
		}
	}
	return true
}

// Aggregate collects the rows of each group and then computes each measure over them.
func (t *modelTable[R]) Aggregate(ctx context.Context, scope domain.ProjectScope, q store.AggregateQuery[R]) (*store.Groups, error) {
	project := scope.ProjectID()
	if err := checkAggregate(q); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rows, err := t.rows(project, func(row *R) bool {
		return within(*t.time(row), q.From, q.To) && t.arrived(row, q.Arrived) && meetsAll(row, q.Where)
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
		switch {
		case q.Bucket != 0:
			bucket = floor(t.time(row).Millis(), q.Bucket)
		case q.Calendar != nil:
			bucket, _ = q.Calendar(t.time(row).Millis())
		}
		for _, keys := range groupKeys(row, q.GroupBy) {
			name := fmt.Sprintf("%d %#v", bucket, keys) // quoted, so that keys cannot be confused
			if groups[name] == nil {
				g := &group{Group: store.Group{Bucket: bucket}}
				for _, k := range keys {
					g.Keys, g.Nulls = append(g.Keys, k.Text), append(g.Nulls, k.Null)
				}
				groups[name] = g
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
	bytes := int64(0)
	for _, g := range groups {
		for n, m := range q.Measures {
			if m.Function == store.Histogram {
				if g.Histograms == nil {
					g.Histograms = make([][]store.Bin, len(q.Measures))
				}
				g.Histograms[n] = store.NewHistogram(numbersOf(m.Column, g.rows), m.Bins)
			}
			g.Values = append(g.Values, compute(m, g.rows))
		}
		result.Rows = append(result.Rows, g.Group)
		bytes += 100 + int64(8*len(g.rows)*len(q.Measures))
	}
	if q.MaxBytes != 0 && bytes > q.MaxBytes {
		return nil, fmt.Errorf("aggregating takes %d bytes: %w", bytes, store.ErrTooLarge)
	}
	return result, nil
}

// checkAggregate returns ErrInvalid for an invalid query.
func checkAggregate[R any](q store.AggregateQuery[R]) error {
	if q.Bucket < 0 || q.Bucket > 0 && q.Calendar != nil || q.MaxGroups < 0 || q.MaxBytes < 0 {
		return fmt.Errorf("aggregating into %d groups in buckets of %d ms: %w", q.MaxGroups, q.Bucket, store.ErrInvalid)
	}
	for _, column := range q.GroupBy {
		switch column.Kind() {
		case filter.Text, filter.Bool, filter.List, filter.Number:
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

// measurable reports whether the function fits its column.
func measurable[R any](m store.Measure[R]) bool {
	switch m.Function {
	case store.Count:
		return m.Column == nil || m.Column.Kind() == filter.Number || m.Column.Kind() == filter.Text
	case store.Sum, store.Average:
		return m.Column != nil && m.Column.Kind() == filter.Number
	case store.Min, store.Max:
		return m.Column != nil && (m.Column.Kind() == filter.Number || m.Column.Kind() == filter.Time)
	case store.Quantile:
		return m.Column != nil && m.Column.Kind() == filter.Number && m.Quantile >= 0 && m.Quantile <= 1
	case store.Distinct:
		return m.Column != nil && (m.Column.Kind() == filter.Number || m.Column.Kind() == filter.Text)
	case store.Histogram:
		return m.Column != nil && m.Column.Kind() == filter.Number && m.Bins >= 1 && m.Bins <= store.MaxBins
	}
	return false
}

// floor returns the start of the bucket that contains the time. Division truncates towards zero, which is upwards
// before 1970.
func floor(millis, bucket int64) int64 {
	start := millis - millis%bucket
	if start > millis {
		start -= bucket
	}
	return start
}

// groupKey is one key of a group.
type groupKey struct {
	Text string
	Null bool
}

// groupKeys returns the keys of all groups that the row belongs to: one per column, in every combination.
func groupKeys[R any](row *R, by []*filter.Column[R]) [][]groupKey {
	keys := [][]groupKey{nil}
	for _, column := range by {
		var longer [][]groupKey
		for _, k := range keys {
			for _, value := range groupValues(row, column) {
				longer = append(longer, append(slices.Clone(k), value))
			}
		}
		keys = longer
	}
	return keys
}

// groupValues returns the row's distinct values in a column. An empty list is null.
func groupValues[R any](row *R, column *filter.Column[R]) []groupKey {
	switch column.Kind() {
	case filter.Bool:
		return []groupKey{{Text: strconv.FormatBool(column.Bool(row))}}
	case filter.List:
		var keys []groupKey
		for _, value := range column.List(row) {
			if k := (groupKey{Text: value}); !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
		if len(keys) > 0 {
			return keys
		}
	case filter.Number:
		if value, null := column.Number(row); !null && value == value {
			if value == 0 {
				value = 0 // not -0
			}
			return []groupKey{{Text: strconv.FormatFloat(value, 'g', -1, 64)}}
		}
	default:
		if value, null := column.Text(row); !null {
			return []groupKey{{Text: value}}
		}
	}
	return []groupKey{{Null: true}}
}

// numbersOf returns the values that are set and not NaN.
func numbersOf[R any](column *filter.Column[R], rows []*R) []float64 {
	var values []float64
	for _, row := range rows {
		if value, null := column.Value(row); !null && value == value {
			values = append(values, value)
		}
	}
	return values
}

// compute computes a measure over the rows of a group.
func compute[R any](m store.Measure[R], rows []*R) domain.OptFloat {
	if m.Column == nil {
		return domain.FloatOf(float64(len(rows)))
	}
	if m.Column.Kind() == filter.Text {
		different := map[string]bool{}
		count := 0
		for _, row := range rows {
			if value, null := m.Column.Text(row); !null && value != "" {
				different[value] = true
				count++
			}
		}
		if m.Function == store.Count {
			return domain.FloatOf(float64(count))
		}
		return domain.FloatOf(float64(len(different)))
	}
	values := numbersOf(m.Column, rows)
	slices.Sort(values)
	var sum domain.Sum
	different := map[float64]bool{}
	for _, value := range values {
		sum.Add(value)
		different[value] = true
	}
	switch {
	case m.Function == store.Count || m.Function == store.Histogram:
		return domain.FloatOf(float64(len(values)))
	case m.Function == store.Distinct:
		return domain.FloatOf(float64(len(different)))
	case m.Function == store.Sum:
		return numberOrNull(sum.Value())
	case len(values) == 0:
		return domain.OptFloat{}
	case m.Function == store.Average:
		return numberOrNull(sum.Value() / float64(len(values)))
	case m.Function == store.Min:
		return domain.FloatOf(values[0])
	case m.Function == store.Max:
		return domain.FloatOf(values[len(values)-1])
	default:
		return numberOrNull(quantile(values, m.Quantile))
	}
}

// numberOrNull returns null for NaN.
func numberOrNull(value float64) domain.OptFloat {
	if math.IsNaN(value) {
		return null
	}
	return num(value)
}

// quantile returns the value at position q*(n-1) of sorted values.
func quantile(values []float64, q float64) float64 {
	whole, part := math.Modf(q * float64(len(values)-1))
	low := values[int(whole)]
	if part == 0 {
		return low
	}
	high := values[int(whole)+1]
	if low == high { // infinity minus infinity would be NaN
		return low
	}
	if math.IsInf(low, -1) && !math.IsInf(high, 1) {
		return low
	}
	return low + part*(high-low)
}
