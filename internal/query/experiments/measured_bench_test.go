package experiments_test

import (
	"fmt"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/query/experiments"
	"almanac/internal/store/segment"
)

// BenchmarkCompare reads three experiments of 1,000 items with four scores each and compares them.
func BenchmarkCompare(b *testing.B) {
	s, err := segment.Open(b.TempDir(), segment.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	var rows []domain.Observation
	var scores []domain.Score
	for e := range 3 {
		for n := range 1000 {
			id := fmt.Sprintf("%016x", e*1000+n)
			row := domain.Observation{
				TraceID: id + id, ID: id, StartTime: october + domain.Micros(n*1000), EndTime: october + domain.Micros(n*1000+500+n%70),
				ExperimentID: fmt.Sprint("e", e), ExperimentItemID: fmt.Sprint("item-", n), ExperimentItemRootSpanID: id,
				TotalCost: domain.FloatOf(float64(1+n%9) / 1000),
			}
			rows = append(rows, row)
			for k := range 4 {
				scores = append(scores, domain.Score{
					ID: fmt.Sprint(id, k), TraceID: row.TraceID, Name: fmt.Sprint("score ", k), Source: "API", DataType: domain.ScoreNumeric,
					Value: domain.FloatOf(float64((n*7+e*n+k)%11) / 10), Timestamp: row.StartTime,
				})
			}
		}
	}
	scope := domain.OfProject(project)
	if err := s.Observations().Append(b.Context(), scope, rows); err != nil {
		b.Fatal(err)
	}
	if err := s.Scores().Append(b.Context(), scope, scores); err != nil {
		b.Fatal(err)
	}
	if err := s.Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	m := &experiments.Measurer{
		Rows: s.Observations(), Scores: s.Scores(), Scope: scope, Show: func(*domain.Score) bool { return true },
	}
	read := func() *experiments.Aligned {
		found, err := m.Read(b.Context(), []string{"e0", "e1", "e2"}, false)
		if err != nil {
			b.Fatal(err)
		}
		aligned, err := found.Align(false, nil)
		if err != nil || len(aligned.Items) != 1000 || len(aligned.Measures) != 4 {
			b.Fatal(len(aligned.Items), aligned.Measures, err)
		}
		return aligned
	}
	b.Run("items that got worse, sorted", func(b *testing.B) {
		for b.Loop() {
			aligned := read()
			worse := aligned.Keep(experiments.Regressions, nil)
			aligned.Sort(worse, experiments.Order{Measure: aligned.Measures[0], Difference: true})
		}
	})
	b.Run("statistics", func(b *testing.B) {
		for b.Loop() {
			aligned := read()
			for _, measure := range append(aligned.Measures[:4:4], experiments.Latency, experiments.Cost) {
				aligned.Differences(1, measure)
				aligned.Differences(2, measure)
			}
		}
	})
}
