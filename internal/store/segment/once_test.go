package segment

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// TestReadOnce checks that a scan with Once keeps a page only while it has rows to come, and stays out of the cache.
func TestReadOnce(t *testing.T) {
	const rows, size = 6000, 2000
	s, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, project := range []string{"a", "b"} { // they share a page
		batch := make([]domain.Observation, rows)
		for n := range batch {
			batch[n] = domain.Observation{
				TraceID: fmt.Sprint("t", n/2), ID: strconv.Itoa(n), StartTime: domain.Micros(n+1) * 1000, Name: fmt.Sprint("name ", n%3),
				Input: project + strconv.Itoa(n) + strings.Repeat("x", size),
			}
		}
		if err := s.Observations().Append(t.Context(), domain.OfProject(project), batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	scope := domain.OfProject("b")
	if _, err := s.Observations().Delete(t.Context(), scope, store.Selection{TraceIDs: []string{"t0", "t1000"}}); err != nil {
		t.Fatal(err)
	}
	some, err := filter.NewTexts(filter.ObservationColumn("name"), filter.AnyOf, []string{"name 1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		where []filter.Condition[domain.Observation]
		want  int
	}{{"all", nil, rows - 4}, {"some", []filter.Condition[domain.Observation]{some}, rows/3 - 1}} {
		budget := memory.NewBudget(memory.Sizes{Shared: 256 << 20}, 0)
		lease := budget.Lease("")
		query := store.Query[domain.Observation]{Where: c.where, Want: store.WantIO, Once: true}
		found, most := 0, int64(0)
		for o, err := range s.Observations().Scan(memory.With(t.Context(), lease), scope, query) {
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(o.Input, "b"+o.ID+"x") {
				t.Fatalf("observation %s has the input %.20q", o.ID, o.Input)
			}
			found, most = found+1, max(most, budget.Held())
		}
		narrow := func(once bool) (most int64) {
			for _, err := range s.Observations().Scan(memory.With(t.Context(), lease), scope,
				store.Query[domain.Observation]{Where: c.where, Once: once}) {
				if err != nil {
					t.Fatal(err)
				}
				most = max(most, budget.Held())
			}
			return most
		}
		if found != c.want {
			t.Errorf("%s: %d rows, want %d", c.name, found, c.want)
		}
		short := narrow(true)
		if long := most - short; long > 2*longPageMaxBytes {
			t.Errorf("%s: %d bytes of long texts are held", c.name, long)
		}
		if all := narrow(false); short == 0 || short > all/3 {
			t.Errorf("%s: %d bytes of other columns are held, and %d by a scan that keeps them", c.name, short, all)
		}
		if held := budget.Held(); held != 0 {
			t.Errorf("%s: %d bytes are held afterwards", c.name, held)
		}
	}
	input, _ := filter.Observations().Column("input")
	column := s.observations.schema.physical[input.ID()][0]
	s.observations.cache.pages.RemoveFunc(func(key cacheKey) bool {
		if int(key.column) == column {
			t.Errorf("page %d of the inputs is in the cache", key.page)
		}
		return false
	})
}
