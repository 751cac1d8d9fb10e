package inherit

import (
	"context"
	"testing"

	"almanac/internal/store"
	"almanac/test/storechoice"
)

// bitwise is a store that finds what arrived bit by bit, and calls look before.
type bitwise struct {
	store.Store
	look func()
}

func (s bitwise) Observations() store.Table[row] { return bitwiseTable{s.Store.Observations(), s} }

type bitwiseTable struct {
	store.Table[row]
	s bitwise
}

func (t bitwiseTable) Arrivals(ctx context.Context, window store.Window, _ int) ([]store.ArrivedTrace, int64, error) {
	t.s.look()
	return t.Table.Arrivals(ctx, window, 1)
}

// TestPositionInABacklog checks that the position advances while there is much to do: a server that is stopped must not begin
// again with all that was ever stored.
func TestPositionInABacklog(t *testing.T) {
	s := storechoice.Open(t)
	send(t, s, "", "t1", "t2", "t3")
	var seen []int64
	var j *Job
	j = newJob(nil, bitwise{s, func() { seen = append(seen, j.at.Read) }})
	if err := j.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	for n := 1; n < len(seen); n++ {
		// Where rows may become visible late, everything is looked at twice, and only the second time counts.
		if advanced := seen[n] > seen[n-1]; advanced != (j.settling == 0) {
			t.Errorf("the positions are %v", seen)
		}
	}
	if len(seen) < 3 {
		t.Errorf("the test looked at %v", seen)
	}
}
