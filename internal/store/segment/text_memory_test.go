package segment

import (
	"errors"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// TestLongNamesTakeMemory checks that a reader copies long strings of narrow columns only if there is memory for them,
// wherever they are stored: with many readers waiting for memory, such copies would exceed any limit.
func TestLongNamesTakeMemory(t *testing.T) {
	const rows, size = 32, 300 << 10
	for name, distinct := range map[string]int{"each once": rows, "each twice": rows / 2} {
		t.Run(name, func(t *testing.T) {
			s, err := Open(t.TempDir(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			scope := domain.OfProject("p")
			for n := range rows {
				value := strconv.Itoa(n%distinct) + strings.Repeat("x", size)
				if err := s.Scores().Append(t.Context(), scope, []domain.Score{
					{ID: strconv.Itoa(n), Timestamp: domain.Micros(n + 1), StringValue: value},
				}); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			scan := func(budget *memory.Budget) (read int, err error) {
				lease := budget.Lease("")
				defer lease.Release()
				for row, err := range s.Scores().Scan(memory.With(t.Context(), lease), scope, store.Query[domain.Score]{Limit: 10}) {
					if err != nil {
						return read, err
					}
					read += len(row.StringValue)
				}
				return read, nil
			}
			for range 3 { // pages that are read often are worth caching
				budget := memory.NewBudget(memory.Sizes{Shared: 64 << 20}, 0)
				if read, err := scan(budget); err != nil || read < 10*size {
					t.Fatal(read, err)
				}
				if budget.Held() != 0 {
					t.Errorf("%d bytes stay counted", budget.Held())
				}
			}
			budget := memory.NewBudget(memory.Sizes{Shared: 64 << 20}, 0)
			other := budget.Lease("")
			defer other.Release()
			if err := other.Grow(t.Context(), 63<<20); err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err = scan(budget)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, memory.ErrBusy) {
				t.Errorf("without memory: %v", err)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
				t.Errorf("%d bytes were allocated by a reader that had to wait", took)
			}
		})
	}
}
