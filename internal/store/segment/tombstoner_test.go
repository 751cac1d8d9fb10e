package segment

import (
	"strconv"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// TestLongTraceGrows checks that a write to a long trace looks at each of its rows at most once, however many rows the
// write has.
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
			rows = append(rows, domain.Observation{
				TraceID: "t", ID: strconv.Itoa(n), Name: name, StartTime: domain.Micros(1_790_000_000_000_000 + n),
			})
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

// TestManyRowsShareHalfAKey checks that a write does not look at all rows that share its id or its trace for each of
// its rows.
func TestManyRowsShareHalfAKey(t *testing.T) {
	const rows = 1000
	for name, row := range map[string]func(n int) domain.Observation{
		"id":    func(n int) domain.Observation { return domain.Observation{TraceID: strconv.Itoa(n), ID: "same"} },
		"trace": func(n int) domain.Observation { return domain.Observation{TraceID: "same", ID: strconv.Itoa(n)} },
	} {
		s, err := Open(t.TempDir(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		scope := domain.OfProject("p")
		for round := range 2 { // in the second, each row replaces one
			var batch []domain.Observation
			for n := range rows {
				o := row(n)
				o.StartTime, o.Name = domain.Micros(1_790_000_000_000_000+n), strconv.Itoa(round)
				batch = append(batch, o)
			}
			if err := s.Observations().Append(t.Context(), scope, batch); err != nil {
				t.Fatal(err)
			}
		}
		count := make(map[string]int)
		for o, err := range s.Observations().Scan(t.Context(), scope, store.Query[domain.Observation]{}) {
			if err != nil {
				t.Fatal(err)
			}
			count[o.Name]++
		}
		if len(count) != 1 || count["1"] != rows {
			t.Errorf("one %s: rows by round are %v", name, count)
		}
		v := s.observations.current.Load()
		looked, same := 0, make(map[*hotRow[domain.Observation]]bool)
		for _, hot := range v.hot {
			for _, run := range hot.snapshot("p") {
				for _, h := range run {
					looked += hot.eachWithSameKey(h, v.seq, func(other *hotRow[domain.Observation]) { same[other] = true })
				}
			}
		}
		if looked > 10*rows || len(same) != rows { // the live row for each replaced one
			t.Errorf("one %s: looked at %d rows to find %d", name, looked, len(same))
		}
	}
}
