package segment

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestQueueOrder requests some row groups, then more, and compares with all of them sorted.
func TestQueueOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		var q queue[int]
		for range rapid.IntRange(1, 40).Draw(t, "groups") {
			q.groups = append(q.groups, pending[int]{youngest: r.Int64N(30) - 5})
		}
		want := slices.Clone(q.groups)
		slices.SortFunc(want, func(a, b pending[int]) int { return cmp.Compare(b.youngest, a.youngest) })
		for n := 0; n < len(want); n += 1 + r.IntN(5) {
			if got := q.due(n); got != want[n].youngest {
				t.Fatalf("group %d is of %d, want %d", n, got, want[n].youngest)
			}
			for i, g := range want[:n+1] {
				if q.groups[i].youngest != g.youngest {
					t.Fatalf("after %d groups, group %d is of %d, want %d", n+1, i, q.groups[i].youngest, g.youngest)
				}
			}
		}
	})
}
