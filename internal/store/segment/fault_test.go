package segment

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// TestFilesCutShortInUse truncates files that are in use: reads fail with the name of the file, and the process
// survives.
func TestFilesCutShortInUse(t *testing.T) {
	for _, suffix := range []string{".parquet", ".idx"} {
		t.Run(suffix, func(t *testing.T) {
			s := opener(Options{})(t, t.TempDir())
			defer s.Close()
			scope := domain.OfProject("p")
			table := s.Observations().(*table[domain.Observation])
			var rows []domain.Observation
			for n := range 3000 {
				rows = append(rows, domain.Observation{
					TraceID: fmt.Sprint("t", n/10), ID: strconv.Itoa(n), StartTime: domain.Micros(1_800_000_000_000_000 + n*1000),
					Name: fmt.Sprint("n", n%50), Input: fmt.Sprint("text ", n), TotalCost: domain.FloatOf(float64(n)),
				})
			}
			if err := s.Observations().Append(t.Context(), scope, rows); err != nil {
				t.Fatal(err)
			}
			if err := s.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			path := strings.TrimSuffix(table.current.Load().groups[0].file.path, ".parquet") + suffix
			if err := os.Truncate(path, 0); err != nil {
				t.Fatal(err)
			}
			wantNamed := func(what string, err error) {
				t.Helper()
				if err == nil || !strings.Contains(err.Error(), path) {
					t.Errorf("%s: error %v, want one that names %s", what, err, path)
				}
			}
			last := func(seq func(func(*domain.Observation, error) bool)) (err error) {
				for _, e := range seq {
					err = e
				}
				return err
			}
			wantNamed("scan", last(s.Observations().Scan(t.Context(), scope, store.Query[domain.Observation]{Limit: 10})))
			wantNamed("lookup", last(s.Observations().Lookup(t.Context(), scope, store.Lookup{TraceIDs: []string{"t7"}})))
			if suffix == ".idx" {
				return // aggregates do not read it
			}
			_, err := s.Observations().Aggregate(t.Context(), scope, store.AggregateQuery[domain.Observation]{
				Bucket: 1000, Measures: []store.Measure[domain.Observation]{{Function: store.Count}},
			})
			wantNamed("aggregate", err)
		})
	}
}

func TestOtherPanicsGoOn(t *testing.T) {
	s := opener(Options{})(t, t.TempDir())
	defer s.Close()
	table := s.Observations().(*table[domain.Observation])
	defer func() {
		if r := recover(); r != "mine" {
			t.Errorf("recovered %v", r)
		}
	}()
	for range table.guarded(func(yield func(*domain.Observation, error) bool) { yield(nil, nil) }) {
		panic("mine")
	}
}
