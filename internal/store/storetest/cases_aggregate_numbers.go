package storetest

import (
	"math"
	"strconv"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// numbersAtTheEdges groups and measures NaN, infinities, both zeros, and groups without a number. The same values are
// in a stored column and in a derived one, which stores may compute differently.
func numbersAtTheEdges(t *testing.T, f *fixture) {
	type R = domain.Score
	x := testerOf(f, scores())
	inf, low, zero := math.Inf(1), math.Inf(-1), math.Copysign(0, -1)
	var rows []R
	add := func(name string, values ...domain.OptFloat) {
		for _, value := range values {
			n := int64(len(rows))
			rows = append(rows, R{ID: strconv.FormatInt(n, 10), Timestamp: at(n), Name: name, Value: value})
		}
	}
	add("no numbers", num(math.NaN()), num(math.NaN()))
	add("nothing", null)
	add("beside no number", num(math.NaN()), num(3), null, num(1))
	add("zeros", num(zero), num(0))
	add("above", num(1), num(2), num(inf))
	add("below", num(low), num(1), num(2))
	add("both ends", num(low), num(inf))
	add("ends and middle", num(low), num(5), num(inf))
	add("infinite", num(inf), num(inf))
	half := len(rows) / 2
	x.append(t, rows[:half]...)
	f.flush(t)
	x.append(t, rows[half:]...)

	value := x.column(t, "value")
	derived := filter.DerivedNumber("same", func(s *R) (float64, bool) { return s.Value.Value, !s.Value.Set }, value)
	for _, column := range []*filter.Column[R]{value, derived} {
		of := func(f store.Function, quantile ...float64) store.Measure[R] {
			m := store.Measure[R]{Function: f, Column: column}
			if len(quantile) > 0 {
				m.Quantile = quantile[0]
			}
			return m
		}
		keys := func(key string, count float64) store.Group { return group([]string{key}, num(count)) }
		histogram := func(name string, count float64, bins ...store.Bin) store.Group {
			g := group([]string{name}, num(count))
			g.Histograms = [][]store.Bin{bins}
			return g
		}
		x.wantGroups(t,
			aggregateCase[R]{"keys of " + column.ID(), store.AggregateQuery[R]{
				GroupBy: []*filter.Column[R]{column}, Measures: []store.Measure[R]{x.measure(t, store.Count, "")},
			}, []store.Group{
				keys(none, 5), keys("0", 2), keys("1", 3), keys("2", 2), keys("3", 1), keys("5", 1), keys("+Inf", 5), keys("-Inf", 3),
			}},
			aggregateCase[R]{"measures of " + column.ID(), store.AggregateQuery[R]{
				GroupBy: x.by(t, "name"), Measures: []store.Measure[R]{
					of(store.Count), of(store.Sum), of(store.Average), of(store.Min), of(store.Max), of(store.Distinct),
				},
			}, []store.Group{
				group([]string{"no numbers"}, num(0), num(0), null, null, null, num(0)),
				group([]string{"nothing"}, num(0), num(0), null, null, null, num(0)),
				group([]string{"beside no number"}, num(2), num(4), num(2), num(1), num(3), num(2)),
				group([]string{"zeros"}, num(2), num(0), num(0), num(0), num(0), num(1)),
				group([]string{"above"}, num(3), num(inf), num(inf), num(1), num(inf), num(3)),
				group([]string{"below"}, num(3), num(low), num(low), num(low), num(2), num(3)),
				group([]string{"both ends"}, num(2), null, null, num(low), num(inf), num(2)),
				group([]string{"ends and middle"}, num(3), null, null, num(low), num(inf), num(3)),
				group([]string{"infinite"}, num(2), num(inf), num(inf), num(inf), num(inf), num(1)),
			}},
			aggregateCase[R]{"quantiles of " + column.ID(), store.AggregateQuery[R]{
				GroupBy: x.by(t, "name"), Measures: []store.Measure[R]{
					of(store.Quantile, 0), of(store.Quantile, 0.25), of(store.Quantile, 0.5), of(store.Quantile, 0.75),
					of(store.Quantile, 1),
				},
			}, []store.Group{
				group([]string{"no numbers"}, null, null, null, null, null),
				group([]string{"nothing"}, null, null, null, null, null),
				group([]string{"beside no number"}, num(1), num(1.5), num(2), num(2.5), num(3)),
				group([]string{"zeros"}, num(0), num(0), num(0), num(0), num(0)),
				group([]string{"above"}, num(1), num(1.5), num(2), num(inf), num(inf)),
				group([]string{"below"}, num(low), num(low), num(1), num(1.5), num(2)),
				group([]string{"both ends"}, num(low), null, null, null, num(inf)),
				group([]string{"ends and middle"}, num(low), num(low), num(5), num(inf), num(inf)),
				group([]string{"infinite"}, num(inf), num(inf), num(inf), num(inf), num(inf)),
			}},
			aggregateCase[R]{"histograms of " + column.ID(), store.AggregateQuery[R]{
				GroupBy: x.by(t, "name"), Measures: []store.Measure[R]{{Function: store.Histogram, Column: column, Bins: 2}},
			}, []store.Group{
				histogram("no numbers", 0), histogram("nothing", 0),
				histogram("beside no number", 2, store.Bin{Lower: 1, Upper: 2, Height: 1}, store.Bin{Lower: 2, Upper: 3, Height: 1}),
				histogram("zeros", 2, store.Bin{Height: 2}),
				histogram("above", 3, store.Bin{Lower: 1, Upper: 1.5, Height: 1}, store.Bin{Lower: 1.5, Upper: 2, Height: 1}),
				histogram("below", 3, store.Bin{Lower: 1, Upper: 1.5, Height: 1}, store.Bin{Lower: 1.5, Upper: 2, Height: 1}),
				histogram("both ends", 2), histogram("ends and middle", 3, store.Bin{Lower: 5, Upper: 5, Height: 1}),
				histogram("infinite", 2),
			}},
		)
	}
}
