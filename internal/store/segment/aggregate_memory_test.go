package segment

import (
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// TestGroupsStayCounted checks that the memory of the returned groups is already accounted for, so that the caller need
// not wait for it while holding them.
func TestGroupsStayCounted(t *testing.T) {
	const groups, size = 20, 50 << 10
	s, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	rows := make([]domain.Score, groups)
	for n := range rows {
		rows[n] = domain.Score{ID: strconv.Itoa(n), Timestamp: domain.Micros(n + 1), Name: strconv.Itoa(n) + strings.Repeat("x", size)}
	}
	scope := domain.OfProject("p")
	if err := s.Scores().Append(t.Context(), scope, rows); err != nil {
		t.Fatal(err)
	}
	name, _ := filter.Scores().Column("name")
	for _, where := range []string{"in memory", "in a segment"} {
		budget := memory.NewBudget(memory.Sizes{Shared: 64 << 20}, 0)
		lease := budget.Lease("")
		found, err := s.Scores().Aggregate(memory.With(t.Context(), lease), scope, store.AggregateQuery[domain.Score]{
			GroupBy: []*filter.Column[domain.Score]{name},
		})
		if err != nil || len(found.Rows) != groups {
			t.Fatal(found, err)
		}
		if held := budget.Held(); held != found.Held || held < (groups-2)*size || held > 2*groups*size {
			t.Errorf("%s: %d bytes are held, and %d for %d groups of %d", where, held, found.Held, groups, size)
		}
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
