package segment

import (
	"testing"

	"almanac/bench/corpus"
	"almanac/internal/domain"
)

// BenchmarkFlush appends typical rows, 500 at a time, and flushes them to a segment.
func BenchmarkFlush(b *testing.B) {
	rows := make([]domain.Observation, 20_000)
	corpus.New(corpus.Options{Rows: len(rows), Days: 1, Seed: 1}).Fill(rows)
	for b.Loop() {
		b.StopTimer()
		s, err := Open(b.TempDir(), Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		for first := 0; first < len(rows); first += 500 {
			if err := s.Observations().Append(b.Context(), domain.OfProject("p"), rows[first:first+500]); err != nil {
				b.Fatal(err)
			}
		}
		if err := s.Flush(b.Context()); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(rows)), "ns/row")
}
