package analytics

import (
	"math"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// question is what the store must compute for a metric, and how the value of the metric follows from it.
type question[T any] struct {
	asked  []store.Measure[T]
	answer func(results []domain.OptFloat, bins [][]store.Bin) value
}

var quantiles = map[string]float64{"p50": 0.5, "p75": 0.75, "p90": 0.9, "p95": 0.95, "p99": 0.99}

// askStore returns the question for a metric over stored rows.
func (m *plannedMetric[S, R]) askStore(bins int) question[S] {
	fast := m.measure.fast
	if m.Aggregation == "histogram" {
		fast = nil // bin edges lie halfway between values, which must be exact
	}
	return ask(m, m.measure.column.stored, fast, bins)
}

// askRows returns the question for a metric over joined rows.
func (m *plannedMetric[S, R]) askRows(bins int) question[R] {
	return ask[S, R](m, m.measure.column.joined, nil, bins)
}

// ask returns the question for a metric: on the fast column if there is one and it suffices, else on the column.
func ask[S, R, T any](m *plannedMetric[S, R], column, fast *filter.Column[T], bins int) question[T] {
	rows := store.Measure[T]{Function: store.Count}
	if m.measure.name == countMeasure && (m.Aggregation == "count" || m.Aggregation == "sum") {
		return question[T]{[]store.Measure[T]{rows}, m.single}
	}
	form := m.measure.form
	if fast == nil {
		fast, form = column, asIs
	}
	of := func(f store.Function, c *filter.Column[T]) store.Measure[T] {
		return store.Measure[T]{Function: f, Column: c}
	}
	switch m.Aggregation {
	case "count":
		if form == orZero {
			return question[T]{[]store.Measure[T]{rows}, m.single}
		}
		return question[T]{[]store.Measure[T]{of(store.Count, fast)}, m.single}
	case "uniq":
		if form == orZero {
			fast = column
		}
		return question[T]{[]store.Measure[T]{of(store.Distinct, fast)}, m.single}
	case "sum", "avg":
		values := of(store.Count, fast)
		if form == orZero {
			values = rows
		}
		return question[T]{[]store.Measure[T]{of(store.Sum, fast), values}, m.fromSum(form)}
	case "histogram":
		histogram := store.Measure[T]{Function: store.Histogram, Column: column, Bins: bins}
		return question[T]{
			[]store.Measure[T]{histogram}, func(_ []domain.OptFloat, bins [][]store.Bin) value { return histogramValue(bins[0]) },
		}
	}
	if form == orZero {
		fast, form = column, asIs
	}
	picked := store.Measure[T]{Function: store.Quantile, Column: fast, Quantile: quantiles[m.Aggregation]}
	switch m.Aggregation {
	case "min":
		picked = of(store.Min, fast)
	case "max":
		picked = of(store.Max, fast)
	}
	return question[T]{[]store.Measure[T]{picked}, m.fromOne(form)}
}

// single returns the only result.
func (m *plannedMetric[S, R]) single(results []domain.OptFloat, _ [][]store.Bin) value {
	return numberValue(results[0])
}

// fromSum derives the value from a sum and the number of values.
func (m *plannedMetric[S, R]) fromSum(form fastForm) func([]domain.OptFloat, [][]store.Bin) value {
	return func(results []domain.OptFloat, _ [][]store.Bin) value {
		sum, count := results[0].Value, results[1].Value
		switch {
		case form == inMillis:
			sum = math.Round(sum * 1000) // the sum is a whole number of milliseconds
		case m.measure.cost:
			sum = domain.Dollars(sum)
		default:
			sum = tidy(sum)
		}
		switch {
		case !results[0].Set: // infinities added up to NaN
			return value{}
		case count == 0 && (m.measure.nullable || m.Aggregation == "avg"):
			return value{}
		case m.Aggregation == "avg":
			sum /= count
		}
		return numberValue(domain.FloatOf(sum))
	}
}

// fromOne derives the value from a single result, which is one of the values or interpolated between two.
func (m *plannedMetric[S, R]) fromOne(form fastForm) func([]domain.OptFloat, [][]store.Bin) value {
	return func(results []domain.OptFloat, _ [][]store.Bin) value {
		result := results[0]
		if form == inMillis {
			result.Value *= 1000
		}
		result.Value = tidy(result.Value)
		return numberValue(result)
	}
}

// ofNothing returns the value of a metric over no rows: in a query without groups or, if filled, in a time bucket that
// was filled in.
func (m *plannedMetric[S, R]) ofNothing(filled bool) value {
	quantile := quantiles[m.Aggregation] != 0
	switch {
	case m.Aggregation == "histogram":
		return histogramValue(nil)
	case m.Aggregation == "count" || m.Aggregation == "uniq":
		return numberValue(domain.FloatOf(0))
	case m.measure.nullable || m.measure.emptyIsNull || !filled && (quantile || m.Aggregation == "avg"):
		return value{}
	}
	return numberValue(domain.FloatOf(0))
}
