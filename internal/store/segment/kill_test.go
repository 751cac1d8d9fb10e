package segment

import (
	"strconv"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// TestLongTraceGrows: a write to a trace that has many rows looks at each of them at most once, however many rows the write has.
func TestLongTraceGrows(t *testing.T) {
	s, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	scope := domain.OfProject("p")
	add := func(from, to int, name string) {
		t.Helper()
		var rows []domain.Observation
		for n := from; n < to; n++ {
			rows = append(rows, domain.Observation{TraceID: "t", ID: strconv.Itoa(n), Name: name, StartTime: domain.Micros(1_790_000_000_000_000 + n)})
		}
		if err := s.Observations().Append(t.Context(), scope, rows); err != nil {
			t.Fatal(err)
		}
	}
	add(0, 5000, "first")
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, hits, misses := s.observations.cache.stats()
	add(4000, 6000, "again")
	if _, later, missed := s.observations.cache.stats(); later-hits+missed-misses > 1000 {
		t.Errorf("2000 rows of a trace of 5000 looked for %d pages", later-hits+missed-misses)
	}
	count := make(map[string]int)
	for o, err := range s.Observations().Scan(t.Context(), scope, store.Query[domain.Observation]{}) {
		if err != nil {
			t.Fatal(err)
		}
		count[o.Name]++
	}
	if count["first"] != 4000 || count["again"] != 2000 {
		t.Errorf("rows by name: %v", count)
	}
}
