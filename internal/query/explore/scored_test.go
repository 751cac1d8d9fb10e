package explore

import (
	"errors"
	"fmt"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/query/traces"
	"almanac/internal/store/segment"
)

// TestTooManyScored checks that the number of scored rows held is bounded, and that exceeding it is an error.
func TestTooManyScored(t *testing.T) {
	s, err := segment.Open(t.TempDir(), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	scope := domain.OfProject("p")
	var rows []domain.Observation
	var scores []domain.Score
	for n := range 10 {
		id := fmt.Sprint("t", n)
		rows = append(rows, domain.Observation{TraceID: id, ID: "root", StartTime: domain.Micros(n + 1)})
		for i := range 2 {
			scores = append(scores, domain.Score{
				ID: fmt.Sprint(n, i), TraceID: id, ObservationID: fmt.Sprint("o", i), Name: "quality", DataType: "NUMERIC",
				Value: domain.FloatOf(float64(n)), Timestamp: 1,
			})
		}
	}
	if err := errors.Join(s.Observations().Append(t.Context(), scope, rows), s.Scores().Append(t.Context(), scope, scores)); err != nil {
		t.Fatal(err)
	}
	e := &Explorer{Store: s, Scope: scope, Traces: &traces.Finder{Store: s, Scope: scope}, Scored: 10}
	drafts, err := filter.ParseDrafts(`[{"type":"numberObject","column":"scores","key":"quality","operator":">=","value":0}]`,
		filter.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	selection := new(Selection)
	if err := selection.AddScores(&drafts[0]); err != nil {
		t.Fatal(err)
	}
	if count, exact, err := e.Count(t.Context(), selection.ofTraces()); count != 10 || !exact || err != nil {
		t.Errorf("ten traces: %d, %t, %v", count, exact, err)
	}
	if _, _, err := e.Count(t.Context(), selection); err == nil ||
		err.Error() != "more than 10 rows with such scores would have to be looked at" {
		t.Errorf("twenty observations: %v", err)
	}
}
