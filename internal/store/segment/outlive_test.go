package segment

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// TestAnswersOutliveTheStore reads rows and groups after the files that they came from were unmapped. Rows are valid
// only until the next step, but a caller that keeps one longer must not crash the server. Every row has distinct
// strings, which are read from mapped memory.
func TestAnswersOutliveTheStore(t *testing.T) {
	project := domain.OfProject("p")
	text := func(kind string, n int) string { return fmt.Sprintf("%s-%06d-%030d", kind, n, n) }
	const count, passes = 3*pageRows + 7, 3
	answers := func() (rows []domain.Observation, keys []string) {
		s, err := Open(t.TempDir(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		written := make([]domain.Observation, count)
		for n := range written {
			written[n] = domain.Observation{
				ID: text("id", n), TraceID: text("trace", n), UserID: text("user", n), SessionID: text("session", n),
				StartTime: domain.Micros(n+1) * 1000, Input: text("input", n),
			}
		}
		if err := s.Observations().Append(t.Context(), project, written); err != nil {
			t.Fatal(err)
		}
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range passes { // the second pass puts pages into the cache, the third finds them there
			for row, err := range s.Observations().Scan(t.Context(), project, store.Query[domain.Observation]{Want: store.WantAll}) {
				if err != nil {
					t.Fatal(err)
				}
				rows = append(rows, *row)
			}
		}
		for _, id := range []string{"userId", "traceId", "sessionId"} {
			column, ok := filter.Observations().Column(id)
			if !ok {
				t.Fatalf("no column %s", id)
			}
			groups, err := s.Observations().Aggregate(t.Context(), project, store.AggregateQuery[domain.Observation]{
				GroupBy: []*filter.Column[domain.Observation]{column},
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range groups.Rows {
				keys = append(keys, g.Keys...)
			}
		}
		return rows, keys
	}
	rows, keys := answers()
	for range 5 { // files are unmapped by cleanups, in the background
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	if len(rows) != passes*count || len(keys) != 3*count {
		t.Fatalf("%d rows and %d groups of %d", len(rows), len(keys), count)
	}
	for i, row := range rows {
		n := count - 1 - i%count
		if row.ID != text("id", n) || row.TraceID != text("trace", n) || row.UserID != text("user", n) ||
			row.SessionID != text("session", n) || row.Input != text("input", n) {
			t.Fatalf("row %d: %+v", n, row)
		}
	}
	found := make(map[string]bool)
	for _, key := range keys {
		found[key] = true
	}
	for n := range count {
		if !found[text("user", n)] || !found[text("trace", n)] || !found[text("session", n)] {
			t.Fatalf("a group of row %d is missing", n)
		}
	}
}
