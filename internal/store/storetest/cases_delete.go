package storetest

import (
	"fmt"
	"slices"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// wantDeleted deletes rows in every state of the store: rows are written, brought into the state, deleted, deleted
// again, and read in all states that follow.
func (x *tester[R]) wantDeleted(t *testing.T, rows []R, s store.Selection, keep func(*R) bool) {
	t.Helper()
	slices.SortFunc(rows, x.compare)
	var kept []R
	for i := range rows {
		if keep(&rows[i]) {
			kept = append(kept, rows[i])
		}
	}
	for _, before := range []struct {
		name string
		do   func(t *testing.T)
	}{
		{"as written", func(*testing.T) {}},
		{"after flush", x.flush},
		{"after merge", func(t *testing.T) { x.flush(t); x.merge(t) }},
		{"after opening again", x.reopen},
	} {
		if x.remote() && (before.name == "after flush" || before.name == "after opening again") {
			continue // the same as written
		}
		t.Run(before.name, func(t *testing.T) {
			if before.name == "after merge" {
				x.needMerges(t)
			}
			defer x.delete(t, store.Selection{All: true})
			half := len(rows) / 2
			x.append(t, rows[half:]...)
			before.do(t)
			x.append(t, rows[:half]...)
			if n := x.delete(t, s); n != len(rows)-len(kept) {
				t.Errorf("Delete(%+v) = %d, want %d", s, n, len(rows)-len(kept))
			}
			if n := x.delete(t, s); n != 0 {
				t.Errorf("Delete(%+v) the second time = %d, want 0", s, n)
			}
			x.inEveryState(t, func(t *testing.T) { x.wantAll(t, kept...) })
			if n := x.delete(t, s); n != 0 {
				t.Errorf("Delete(%+v) the third time = %d, want 0", s, n)
			}
		})
	}
}

// someRows returns rows of three traces over three days.
func (x *tester[R]) someRows() []R {
	var rows []R
	for i := range 24 {
		row := x.row(fmt.Sprint("t", i%3), fmt.Sprintf("%02d", i), at(int64(i%4))+domain.Micros(i%3)*day)
		*x.sessionID(&row) = "s"
		rows = append(rows, row)
	}
	if x.keyHasTrace {
		rows = append(rows, x.row("t0", "01", at(7)), x.row("t2", "01", at(8)))
	}
	return rows
}

func deleteByTrace[R any](t *testing.T, x *tester[R]) {
	x.wantDeleted(t, x.someRows(), store.Selection{TraceIDs: []string{"t1", "none", "t2", "t1"}}, func(row *R) bool {
		return *x.traceID(row) == "t0"
	})
}

func deleteByID[R any](t *testing.T, x *tester[R]) {
	ids := []string{"20", "01", "none", "t0", "", "01"}
	x.wantDeleted(t, x.someRows(), store.Selection{IDs: ids}, func(row *R) bool {
		return !slices.Contains(ids, *x.id(row))
	})
}

func deleteBefore[R any](t *testing.T, x *tester[R]) {
	rows := append(x.someRows(), x.row("t", "last", at(2)+day-1), x.row("t", "first", at(2)+day), x.row("t", "old", -at(0)))
	x.wantDeleted(t, rows, store.Selection{Before: at(2) + day}, func(row *R) bool {
		return *x.time(row) >= at(2)+day
	})
	t.Run("before 1970", func(t *testing.T) {
		rows := []R{x.row("t", "after", 1), x.row("t", "before", -1), x.row("t", "long before", -day-1)}
		x.wantDeleted(t, rows, store.Selection{Before: -1}, func(row *R) bool { return *x.time(row) >= -1 })
	})
}

func deleteAll[R any](t *testing.T, x *tester[R]) {
	x.wantDeleted(t, x.someRows(), store.Selection{All: true}, func(*R) bool { return false })
}

func deleteAndAppend[R any](t *testing.T, x *tester[R]) {
	for _, s := range []store.Selection{{TraceIDs: []string{"t"}}, {IDs: []string{"r"}}, {Before: at(1)}, {All: true}} {
		t.Run(fmt.Sprintf("%+v", s), func(t *testing.T) {
			defer x.delete(t, store.Selection{All: true})
			row := x.labelled("t", "r", at(0), "first")
			x.append(t, row)
			x.delete(t, s)
			x.append(t, row)
			x.inEveryState(t, func(t *testing.T) { x.wantAll(t, row) })
			x.delete(t, s)
			again := x.labelled("t", "r", at(-5)-day, "second")
			x.append(t, again)
			x.inEveryState(t, func(t *testing.T) { x.wantAll(t, again) })
			if n := x.delete(t, s); n != 1 {
				t.Errorf("Delete(%+v) = %d, want 1", s, n)
			}
			x.inEveryState(t, func(t *testing.T) { x.wantAll(t) })
		})
	}
}

func deleteReplaced[R any](t *testing.T, x *tester[R]) {
	old := x.labelled("t", "r", at(0)-day, "old")
	replacement := x.labelled("t", "r", at(0), "replacement")
	for name, between := range x.places() {
		t.Run(name, func(t *testing.T) {
			for _, s := range []store.Selection{{TraceIDs: []string{"t"}}, {IDs: []string{"r"}}, {Before: at(1)}, {All: true}} {
				x.append(t, old)
				between(t)
				x.append(t, replacement)
				if n := x.delete(t, s); n != 1 {
					t.Errorf("Delete(%+v) = %d, want 1: a row that was replaced is none", s, n)
				}
				x.inEveryState(t, func(t *testing.T) { x.wantAll(t) })
			}
			// Only the time of the visible row counts.
			x.append(t, old)
			between(t)
			x.append(t, replacement)
			if n := x.delete(t, store.Selection{Before: at(0)}); n != 0 {
				t.Errorf("Delete of what is older than the replacement = %d, want 0", n)
			}
			x.inEveryState(t, func(t *testing.T) { x.wantAll(t, replacement) })
			x.append(t, old)
			if n := x.delete(t, store.Selection{Before: at(0)}); n != 1 {
				t.Errorf("Delete of a row that became older = %d, want 1", n)
			}
			x.inEveryState(t, func(t *testing.T) { x.wantAll(t) })
		})
	}
}

// senselessDeletes checks that an ambiguous or empty selection deletes nothing.
func senselessDeletes[R any](t *testing.T, x *tester[R]) {
	row := x.row("t", "a", at(0))
	x.append(t, row)
	for name, s := range map[string]store.Selection{
		"nothing":         {},
		"two lists":       {TraceIDs: []string{"t"}, IDs: []string{"a"}},
		"list and time":   {TraceIDs: []string{"t"}, Before: at(1)},
		"list and all":    {IDs: []string{"a"}, All: true},
		"time and all":    {Before: at(1), All: true},
		"empty list only": {TraceIDs: []string{}},
	} {
		_, err := x.table.Delete(t.Context(), projectScope(mine), s)
		wantError(t, "Delete by "+name, err, store.ErrInvalid)
	}
	x.inEveryState(t, func(t *testing.T) { x.wantAll(t, row) })
}
