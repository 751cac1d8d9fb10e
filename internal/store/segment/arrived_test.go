package segment

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// TestOneDamagedSegmentDoesNotHideArrivals damages the numbers, and then everything, of one of two segments: what arrived
// in the other must be found.
func TestOneDamagedSegmentDoesNotHideArrivals(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, g *rowGroup[domain.Observation]) (undo func()){
		"page": func(t *testing.T, g *rowGroup[domain.Observation]) func() {
			at := g.chunks[g.schema.sequence].pages[0]
			return damageAt(t, g.file.path, at.offset+int64(at.size)-1)
		},
		"file": func(t *testing.T, g *rowGroup[domain.Observation]) func() { return cutFile(t, g.file.path) },
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Open(t.TempDir(), unsyncedOptions())
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			s.observations.merging.Lock()
			defer s.observations.merging.Unlock()
			for n := range 2 {
				row := domain.Observation{TraceID: fmt.Sprint("t", n), ID: "a", StartTime: 1000}
				if err := errors.Join(s.Observations().Append(t.Context(), domain.OfProject("p"), []domain.Observation{row}),
					s.Flush(t.Context())); err != nil {
					t.Fatal(err)
				}
			}
			undo := damage(t, s.observations.current.Load().groups[0].rowGroup)
			defer undo()
			for range 2 {
				found, upTo, err := s.Observations().Arrivals(t.Context(), store.Window{UpTo: 2}, 10)
				if err != nil || upTo != 2 || len(found) != 1 || found[0].TraceID != "t1" {
					t.Errorf("found %v up to %d, %v", found, upTo, err)
				}
			}
		})
	}
}

// TestFirstNumbers checks that the window of a backlog ends where it has so many rows, with memory for only these.
func TestFirstNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		limit := 1 + random.IntN(8)
		numbers := make([]int64, random.IntN(40))
		first := firstNumbers{limit: limit}
		for n := range numbers {
			numbers[n] = 1 + random.Int64N(12)
			first.add(numbers[n])
			if len(first.numbers) > 2*limit+1 {
				t.Fatalf("%d numbers are kept for %d", len(first.numbers), limit)
			}
		}
		window := store.Window{UpTo: 12}
		want := window.UpTo
		if sorted := slices.Sorted(slices.Values(numbers)); len(sorted) > limit {
			want = max(sorted[0], sorted[limit]-1)
		}
		if got := first.upTo(window); got != want {
			t.Fatalf("%d of %v end at %d instead of %d", limit, numbers, got, want)
		}
	}
}

// TestAmendingLongValues checks that rows whose short columns are long are amended a few at a time.
func TestAmendingLongValues(t *testing.T) {
	s, err := Open(t.TempDir(), unsyncedOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	long := strings.Repeat("x", amendedBytes/4)
	for n := range 8 {
		row := domain.Observation{TraceID: "t", ID: strconv.Itoa(n), UserID: long, StartTime: 1000}
		if err := s.Observations().Append(t.Context(), domain.OfProject("p"), []domain.Observation{row}); err != nil {
			t.Fatal(err)
		}
	}
	before := s.Mark().Observations
	n, err := s.Observations().Amend(t.Context(), domain.OfProject("p"), []string{"t"}, func(o *domain.Observation) bool {
		o.Version = "1"
		return true
	})
	if writes := s.Mark().Observations - before; err != nil || n != 8 || writes < 2 || writes > 4 {
		t.Errorf("%d rows were amended in %d writes, %v", n, writes, err)
	}
}
