package segment

import (
	"fmt"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// BenchmarkAggregate groups rows of a segment in ways that take different code paths: by dictionaries and buckets, with
// distinct values, with many groups, and row by row.
func BenchmarkAggregate(b *testing.B) {
	type R = domain.Observation
	s, err := Open(b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	scope := domain.OfProject("p")
	rows := make([]R, 100_000)
	for n := range rows {
		start := domain.Micros(1_790_812_800_000_000 + int64(n)*1_000_000)
		rows[n] = R{
			TraceID: fmt.Sprintf("%032x", n/8), ID: fmt.Sprintf("%016x", n), StartTime: start,
			EndTime: start + domain.Micros(n*7919%3_000_000),
			Model:   fmt.Sprint("model-", n%13), UserID: fmt.Sprint("user-", n*31%5000), TotalCost: domain.FloatOf(float64(n%997) / 1e6),
			Tags: []string{"a", fmt.Sprint("t", n%7)},
		}
	}
	if err := s.Observations().Append(b.Context(), scope, rows); err != nil {
		b.Fatal(err)
	}
	if err := s.Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	column := func(name string) *filter.Column[R] {
		c, ok := filter.Observations().Column(name)
		if !ok {
			b.Fatal(name)
		}
		return c
	}
	by := func(names ...string) (list []*filter.Column[R]) {
		for _, name := range names {
			list = append(list, column(name))
		}
		return list
	}
	cost := store.Measure[R]{Function: store.Sum, Column: column("totalCost")}
	latency := store.Measure[R]{Function: store.Quantile, Column: column("latency"), Quantile: 0.95}
	for _, c := range []struct {
		name  string
		query store.AggregateQuery[R]
	}{
		{
			"models by hour", store.AggregateQuery[R]{
				GroupBy: by("model"), Bucket: 3_600_000, Measures: []store.Measure[R]{{Function: store.Count}, cost, latency},
			},
		},
		{
			"users by day", store.AggregateQuery[R]{
				Bucket: 86_400_000, Measures: []store.Measure[R]{{Function: store.Distinct, Column: column("userId")}},
			},
		},
		{"many groups", store.AggregateQuery[R]{GroupBy: by("traceId"), Measures: []store.Measure[R]{{Function: store.Count}, cost}}},
		{"row by row", store.AggregateQuery[R]{GroupBy: by("tags"), Measures: []store.Measure[R]{{Function: store.Count}, cost, latency}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Observations().Aggregate(b.Context(), scope, c.query); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
