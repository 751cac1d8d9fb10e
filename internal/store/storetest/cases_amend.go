package storetest

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"almanac/internal/store"
)

// arrivedTraces checks that the traces of a window are found in all projects, also bit by bit.
func arrivedTraces[R any](t *testing.T, x *tester[R]) {
	mark := func() int64 { return x.mark(x.store) }
	start := mark()
	x.append(t, x.row("a", "1", at(0)), x.row("a", "2", at(1)), x.row("b", "3", at(-7000)))
	x.appendIn(t, foreign, x.row("a", "1", at(5)))
	first := mark()
	x.flush(t)
	x.append(t, x.row("a", "4", at(2)))
	x.append(t, x.row("c", "5", at(3)), x.row("d", "6", at(3)))
	x.delete(t, store.Selection{TraceIDs: []string{"d"}})
	second := mark()
	trace := func(project, id string) store.ArrivedTrace {
		return store.ArrivedTrace{ProjectID: project, TraceID: id}
	}
	early := []store.ArrivedTrace{trace(mine, "a"), trace(mine, "b"), trace(foreign, "a")}
	late := []store.ArrivedTrace{trace(mine, "a"), trace(mine, "c")}
	x.inEveryState(t, func(t *testing.T) {
		for _, c := range []struct {
			window store.Window
			want   []store.ArrivedTrace
		}{
			{store.Window{After: start, UpTo: first}, early},
			{store.Window{After: first, UpTo: second}, late},
			{store.Window{After: start, UpTo: second}, append(slices.Clone(early), late...)},
			{store.Window{After: second, UpTo: second}, nil},
		} {
			for _, limit := range []int{1000, 2} {
				x.wantArrivals(t, c.window, limit, c.want)
			}
		}
	})
}

// wantArrivals checks what arrived in a window, reading about as many rows at a time as the limit says. A deleted trace may
// be among them.
func (x *tester[R]) wantArrivals(t *testing.T, window store.Window, limit int, want []store.ArrivedTrace) {
	t.Helper()
	found := map[store.ArrivedTrace]bool{}
	for rest := window; rest.After < window.UpTo; {
		traces, upTo, err := x.table.Arrivals(t.Context(), rest, limit)
		if err != nil {
			t.Fatal(err)
		}
		if upTo <= rest.After || upTo > window.UpTo {
			t.Fatalf("what arrived in %+v is complete up to %d", rest, upTo)
		}
		if limit == 1000 && upTo != window.UpTo {
			t.Errorf("of %+v only the arrivals up to %d are returned", rest, upTo)
		}
		for _, trace := range traces {
			found[trace] = true
		}
		rest.After = upTo
	}
	delete(found, store.ArrivedTrace{ProjectID: mine, TraceID: "d"})
	for _, trace := range want {
		if !found[trace] {
			t.Errorf("%+v, %d at a time: %+v is missing", window, limit, trace)
		}
	}
	for trace := range found {
		if slices.Contains(want, trace) {
			continue
		}
		t.Errorf("%+v, %d at a time: %+v did not arrive", window, limit, trace)
	}
}

// relabel returns a change from one label to another.
func (x *tester[R]) relabel(from, to string) func(*R) bool {
	return func(row *R) bool {
		if *x.label(row) != from {
			return false
		}
		*x.label(row) = to
		return true
	}
}

// newestFirst returns rows in the order of reads.
func (x *tester[R]) newestFirst(rows ...R) []R {
	slices.SortFunc(rows, func(a, b R) int { return comparePositions(x.position(&a), x.position(&b)) })
	return rows
}

func (x *tester[R]) amend(t *testing.T, traces []string, change func(*R) bool) int {
	t.Helper()
	n, err := x.table.Amend(t.Context(), projectScope(mine), traces, change)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// amend checks that the rows of the named traces, and no others, are changed where the change says so, and that what it
// does not touch stays.
func amend[R any](t *testing.T, x *tester[R]) {
	for name, between := range x.places() {
		t.Run(name, func(t *testing.T) {
			defer x.delete(t, store.Selection{All: true})
			var rows []R
			for n := range 700 {
				rows = append(rows, x.labelled("t", fmt.Sprintf("%03d", n), at(int64(n)), "old"))
			}
			for _, part := range x.parts(&rows[5]) {
				for n, field := range part.fields {
					*field = `{"a":"` + strconv.Itoa(n) + `"}`
				}
			}
			kept, apart := x.labelled("t", "kept", at(1), "other"), x.labelled("u", "apart", at(1), "old")
			x.append(t, append(slices.Clone(rows), kept, apart)...)
			x.appendIn(t, foreign, x.labelled("t", "000", at(0), "old"))
			between(t)
			if n := x.amend(t, []string{"t", "v"}, x.relabel("old", "new")); n != len(rows) {
				t.Errorf("%d rows were amended, want %d", n, len(rows))
			}
			if n := x.amend(t, []string{"t"}, x.relabel("old", "new")); n != 0 {
				t.Errorf("%d rows were amended again", n)
			}
			want := []R{kept, apart}
			for n := range rows {
				row := clone(&rows[n])
				*x.label(&row) = "new"
				want = append(want, row)
			}
			x.inEveryState(t, func(t *testing.T) {
				x.wantAll(t, x.newestFirst(want...)...)
				x.wantRows(t, "elsewhere", x.scanIn(t, foreign, store.Query[R]{}), []R{x.labelled("t", "000", at(0), "old")})
			})
		})
	}
}

// amendSentAgain checks that a row which a client sends again while it is amended is as the client sent it, also if it
// has another time.
func amendSentAgain[R any](t *testing.T, x *tester[R]) {
	for name, between := range x.places() {
		for _, later := range []int64{0, 1000} {
			t.Run(fmt.Sprintf("%s, moved by %d", name, later), func(t *testing.T) {
				defer x.delete(t, store.Selection{All: true})
				x.append(t, x.labelled("t", "a", at(0), "old"), x.labelled("t", "b", at(1), "old"))
				between(t)
				newer := x.labelled("t", "a", at(later), "sent again")
				send := sync.OnceFunc(func() { x.append(t, newer) })
				change := x.relabel("old", "new")
				x.amend(t, []string{"t"}, func(row *R) bool {
					if *x.id(row) == "a" && *x.label(row) == "old" {
						send()
					}
					return change(row)
				})
				x.inEveryState(t, func(t *testing.T) { x.wantAll(t, x.newestFirst(newer, x.labelled("t", "b", at(1), "new"))...) })
			})
		}
	}
}

// amendDeleted checks that a row which is deleted while it is amended stays deleted.
func amendDeleted[R any](t *testing.T, x *tester[R]) {
	for name, between := range x.places() {
		t.Run(name, func(t *testing.T) {
			defer x.delete(t, store.Selection{All: true})
			x.append(t, x.labelled("t", "a", at(0), "old"), x.labelled("u", "b", at(1), "old"))
			between(t)
			remove := sync.OnceFunc(func() { x.delete(t, store.Selection{TraceIDs: []string{"t"}}) })
			change := x.relabel("old", "new")
			x.amend(t, []string{"t", "u"}, func(row *R) bool {
				if *x.id(row) == "a" {
					remove()
				}
				return change(row)
			})
			x.inEveryState(t, func(t *testing.T) { x.wantAll(t, x.labelled("u", "b", at(1), "new")) })
		})
	}
}

// amendWhileAppending checks that rows which are sent again and again, flushed and merged, are not lost to amendments at
// the same time.
func amendWhileAppending[R any](t *testing.T, x *tester[R]) {
	const rows = 20
	rounds := x.rounds(50)
	var sending sync.WaitGroup
	ended := make(chan struct{})
	sending.Go(func() {
		defer close(ended)
		for round := range rounds {
			var batch []R
			for n := range rows {
				batch = append(batch, x.labelled("t", strconv.Itoa(n), at(int64(n)), strconv.Itoa(round)))
			}
			if err := x.table.Append(t.Context(), projectScope(mine), batch); err != nil {
				t.Error(err)
				return
			}
			if round%10 == 9 {
				if err := x.store.Flush(t.Context()); err != nil {
					t.Error(err)
				}
			}
		}
	})
	for running := true; running; {
		select {
		case <-ended:
			running = false
		default:
		}
		x.amend(t, []string{"t"}, func(row *R) bool {
			label := x.label(row)
			if len(*label) > 0 && (*label)[len(*label)-1] == '!' {
				return false
			}
			*label += "!"
			return true
		})
	}
	sending.Wait()
	var want []R
	for n := range rows {
		want = append(want, x.labelled("t", strconv.Itoa(n), at(int64(n)), strconv.Itoa(rounds-1)+"!"))
	}
	x.inEveryState(t, func(t *testing.T) { x.wantAll(t, x.newestFirst(want...)...) })
}
