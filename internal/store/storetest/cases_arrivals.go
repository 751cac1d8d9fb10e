package storetest

import (
	"fmt"
	"testing"

	"almanac/internal/store"
)

// arrivals checks that windows between marks partition the rows by when they were appended: each is in exactly one,
// whatever its time, and a replaced row is in the window of the write that replaced it.
func arrivals[R any](t *testing.T, x *tester[R]) {
	mark := func() int64 { return x.mark(x.store) }
	late, old, again := x.row("t", "late", at(-5000)), x.row("t", "old", at(0)), x.row("t", "again", at(10))
	var noise []R
	for i := range 1000 {
		noise = append(noise, x.row("n", fmt.Sprintf("noise %03d", i), at(int64(i))))
	}
	x.append(t, old, again)
	x.appendIn(t, foreign, noise...)
	first := mark()
	x.flush(t)
	x.append(t, late)
	x.append(t, again)
	second := mark()
	x.flush(t)
	x.appendIn(t, foreign, noise[:700]...) // so that merging rewrites the row group
	if n := x.delete(t, store.Selection{IDs: []string{"nothing"}}); n != 0 {
		t.Fatalf("it deleted %d rows", n)
	}
	third := mark()
	if first >= second || second > third {
		t.Fatalf("marks are %d, %d, %d", first, second, third)
	}
	x.inEveryState(t, func(t *testing.T) {
		for _, c := range []struct {
			name   string
			window store.Window
			want   []R
		}{
			{"first", store.Window{After: -1, UpTo: first}, []R{old}},
			{"second", store.Window{After: first, UpTo: second}, []R{again, late}},
			{"third", store.Window{After: second, UpTo: third}, nil},
			{"all", store.Window{After: -1, UpTo: third}, []R{again, old, late}},
		} {
			x.wantRows(t, c.name, x.scan(t, store.Query[R]{Arrived: &c.window, Want: store.WantAll}), c.want)
			groups, err := x.table.Aggregate(t.Context(), projectScope(mine), store.AggregateQuery[R]{
				Arrived: &c.window, Measures: []store.Measure[R]{{Function: store.Count}},
			})
			if err != nil {
				t.Fatal(err)
			}
			counted := 0.0
			for _, g := range groups.Rows {
				counted += g.Values[0].Value
			}
			if counted != float64(len(c.want)) {
				t.Errorf("%s: %v rows are counted, want %d", c.name, counted, len(c.want))
			}
		}
		x.wantRows(t, "of a time", x.scan(t, store.Query[R]{
			Arrived: &store.Window{After: first, UpTo: second}, From: at(0), Want: store.WantAll,
		}), []R{again})
	})
	x.append(t, late)
	if now := mark(); now <= third {
		t.Errorf("after an append the mark is %d, before it %d", now, third)
	}
	if m := x.store.Mark(); x.store.Resume(m) != m {
		t.Errorf("reading does not go on where it was: %+v, not %+v", x.store.Resume(m), m)
	}
}

// deleteArrivals checks that a delete spares rows outside its window, however it selects rows.
func deleteArrivals[R any](t *testing.T, x *tester[R]) {
	early, late := x.row("t", "early", at(0)), x.row("t", "late", at(0))
	replaced, again := x.labelled("t", "again", at(0), "early"), x.labelled("t", "again", at(0), "late")
	for _, s := range []store.Selection{
		{TraceIDs: []string{"t"}}, {IDs: []string{"early", "late", "again"}}, {Before: at(1)}, {All: true},
	} {
		for name, between := range x.places() {
			t.Run(fmt.Sprintf("%+v, %s", s, name), func(t *testing.T) {
				defer x.delete(t, store.Selection{All: true})
				x.append(t, early, replaced)
				between(t)
				first := x.mark(x.store)
				x.append(t, late, again)
				between(t)
				s.Arrived = &store.Window{After: -1, UpTo: first}
				for _, want := range []int{1, 0} {
					if n := x.delete(t, s); n != want {
						t.Errorf("Delete of what came first = %d, want %d", n, want)
					}
				}
				x.inEveryState(t, func(t *testing.T) { x.wantAll(t, late, again) })
				s.Arrived = &store.Window{After: first, UpTo: x.mark(x.store)}
				if n := x.delete(t, s); n != 2 {
					t.Errorf("Delete of what came next = %d, want 2", n)
				}
				x.inEveryState(t, func(t *testing.T) { x.wantAll(t) })
			})
		}
	}
}
