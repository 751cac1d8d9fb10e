package experiments_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/query/experiments"
	"almanac/internal/store/segment"
)

// BenchmarkList reads the first page of 50 experiments with 200 items of 5 rows each, among six times as many ordinary
// rows.
func BenchmarkList(b *testing.B) {
	s, err := segment.Open(b.TempDir(), segment.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	at := october
	for e := range 60 {
		var rows []domain.Observation
		for n := range 7000 {
			at += 1000
			row := domain.Observation{
				TraceID: fmt.Sprintf("%016x%016x", e, n/5), ID: fmt.Sprintf("%016x", e*10_000+n), StartTime: at, EndTime: at + 500,
				Name:  "step",
				Input: strings.Repeat("x", 200),
			}
			if n < 1000 {
				row.ExperimentID, row.ExperimentName, row.ExperimentDatasetID = fmt.Sprintf("%016x", e), fmt.Sprint("run ", e), "dataset"
				row.ExperimentItemID, row.ExperimentItemRootSpanID = fmt.Sprint("item-", n/5), fmt.Sprintf("%016x", e*10_000+n/5*5)
				row.ExperimentMetadata, row.ExperimentItemMetadata = `{"model":"gpt-4o"}`, `{"lang":"de"}`
				row.ExperimentItemExpectedOutput = strings.Repeat("y", 200)
			}
			rows = append(rows, row)
		}
		if err := s.Observations().Append(b.Context(), domain.OfProject(project), rows); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	for _, metadata := range []bool{false, true} {
		b.Run(fmt.Sprint("metadata ", metadata), func(b *testing.B) {
			for b.Loop() {
				page, err := experiments.List(b.Context(), s.Observations(), domain.OfProject(project),
					experiments.Query{Limit: 50, Metadata: metadata})
				if err != nil || len(page.IDs) != 50 || page.Next == nil {
					b.Fatal(page, err)
				}
				for _, err := range page.Experiments(b.Context()) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
