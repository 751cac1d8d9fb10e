package storetest

import (
	"fmt"
	"testing"

	"almanac/internal/store"
)

// arrivals checks that windows between marks divide the rows by when they were appended: each is in one of them, whatever its time, and
// one that was replaced is in the window of the write that replaced it.
func arrivals[R any](t *testing.T, x *tester[R]) {
	mark := func() int64 {
		m := x.store.Mark()
		if !x.keyHasTrace {
			return m.Scores
		}
		return m.Observations
	}
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
	x.appendIn(t, foreign, noise[:700]...) // so that merging writes the row group anew
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
		}
		x.wantRows(t, "of a time", x.scan(t, store.Query[R]{Arrived: &store.Window{After: first, UpTo: second}, From: at(0), Want: store.WantAll}), []R{again})
	})
	x.append(t, late)
	if now := mark(); now <= third {
		t.Errorf("after an append the mark is %d, before it %d", now, third)
	}
	if m := x.store.Mark(); x.store.Resume(m) != m {
		t.Errorf("reading does not go on where it was: %+v, not %+v", x.store.Resume(m), m)
	}
}
