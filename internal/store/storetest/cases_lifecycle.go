package storetest

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// tablesApart checks that rows of one table are only in that table, however similar they are.
func tablesApart(t *testing.T, f *fixture) {
	o, s := testerOf(f, observations()), testerOf(f, scores())
	observation, score := o.row("t", "a", at(0)), s.row("t", "a", at(0))
	other := o.row("t", "b", at(-1))
	o.append(t, observation, other)
	s.append(t, score)
	o.wantAll(t, observation, other)
	s.wantAll(t, score)
	if n := s.delete(t, store.Selection{TraceIDs: []string{"t"}}); n != 1 {
		t.Errorf("Delete of scores = %d, want 1", n)
	}
	f.flush(t)
	o.wantAll(t, observation, other)
	s.wantAll(t)
	s.append(t, score)
	if n := o.delete(t, store.Selection{All: true}); n != 2 {
		t.Errorf("Delete of observations = %d, want 2", n)
	}
	o.inEveryState(t, func(t *testing.T) {
		o.wantAll(t)
		testerOf(f, scores()).wantAll(t, score)
	})
}

func closed(t *testing.T, f *fixture) {
	o := testerOf(f, observations())
	row := o.row("t", "a", at(0))
	o.append(t, row)
	if err := f.store.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	wantClosed(t, o)
	wantClosed(t, testerOf(f, scores()))
	wantError(t, "Flush", f.store.Flush(t.Context()), store.ErrClosed)
	wantError(t, "Ping", f.store.Ping(t.Context()), store.ErrClosed)
	_, err := f.store.Sizes(t.Context())
	wantError(t, "Sizes", err, store.ErrClosed)
	if err := f.store.Close(); err != nil && !errors.Is(err, store.ErrClosed) {
		t.Errorf("the second Close: %v", err)
	}
	f.store = f.open(t, f.dir)
	testerOf(f, observations()).wantAll(t, row)
}

func wantClosed[R any](t *testing.T, x *tester[R]) {
	t.Helper()
	ctx, scope := t.Context(), projectScope(mine)
	wantError(t, "Append", x.table.Append(ctx, scope, []R{x.row("t", "b", at(0))}), store.ErrClosed)
	_, err := collect(x.table.Scan(ctx, scope, store.Query[R]{}))
	wantError(t, "Scan", err, store.ErrClosed)
	_, err = collect(x.table.Lookup(ctx, scope, store.Lookup{IDs: []string{"a"}}))
	wantError(t, "Lookup", err, store.ErrClosed)
	_, err = x.table.Aggregate(ctx, scope, store.AggregateQuery[R]{Measures: []store.Measure[R]{{Function: store.Count}}})
	wantError(t, "Aggregate", err, store.ErrClosed)
	_, err = x.table.Delete(ctx, scope, store.Selection{All: true})
	wantError(t, "Delete", err, store.ErrClosed)
}

// closingWhileReading closes a store during an iteration, which may end with ErrClosed but must not yield anything
// wrong.
func closingWhileReading(t *testing.T, f *fixture) {
	x := testerOf(f, observations())
	var rows []domain.Observation
	for i := range 1000 {
		row := x.labelled("t", fmt.Sprintf("%04d", 9999-i), at(int64(-i)), "x")
		row.Input = fmt.Sprint("input ", i)
		rows = append(rows, row)
	}
	x.append(t, rows[500:]...)
	x.flush(t)
	x.append(t, rows[:500]...)
	next, stop := iter.Pull2(x.table.Scan(t.Context(), projectScope(mine), store.Query[domain.Observation]{Want: store.WantAll}))
	defer stop()
	first, err, ok := next()
	if err != nil || !ok {
		t.Fatalf("first row: %v", err)
	}
	got := []domain.Observation{clone(first)}
	// Close may wait for readers, so it must run in the background.
	done := make(chan error, 1)
	go func() { done <- f.store.Close() }()
	for {
		row, err, ok := next()
		if err != nil {
			wantError(t, "Scan", err, store.ErrClosed)
		} else if !ok && len(got) != len(rows) {
			t.Errorf("the iteration ended without an error after %d of %d rows", len(got), len(rows))
		}
		if err != nil || !ok {
			break
		}
		got = append(got, clone(row))
	}
	if err := <-done; err != nil {
		t.Errorf("Close: %v", err)
	}
	x.wantRows(t, "Scan", got, rows[:min(len(got), len(rows))])
}

func openAgain[R any](t *testing.T, x *tester[R]) {
	var rows []R
	for i := range 30 {
		row := x.labelled(fmt.Sprint("t", i%3), fmt.Sprintf("%02d", 50-i), at(int64(-i)), fmt.Sprint("label ", i))
		for _, p := range x.parts(&row) {
			*p.fields[0] = fmt.Sprintf(`{"a":%d}`, i)
		}
		rows = append(rows, row)
	}
	for round := range 5 {
		x.append(t, rows[round*5:round*5+5]...)
		if round%2 == 1 {
			x.flush(t)
		}
		x.reopen(t)
		x.wantAll(t, rows[:round*5+5]...)
	}
	x.delete(t, store.Selection{IDs: []string{*x.id(&rows[0])}})
	x.reopen(t)
	x.wantAll(t, rows[1:25]...)
	for range 3 {
		x.reopen(t)
	}
	x.wantAll(t, rows[1:25]...)
}

// crash opens copies of the store's files made while it was open, without any preparation for shutdown.
func crash[R any](t *testing.T, x *tester[R]) {
	wantCopy := func(what string, want ...R) {
		t.Helper()
		dir := t.TempDir()
		copied, err := copyDir(x.dir, dir)
		if err != nil {
			t.Fatal(err)
		}
		if !copied {
			t.Skip("the store keeps nothing in its directory")
		}
		after := &fixture{open: x.open, dir: dir}
		after.store = x.open(t, dir)
		t.Run(what, func(t *testing.T) { testerOf(after, x.kind).wantAll(t, want...) })
		if err := after.store.Close(); err != nil {
			t.Errorf("%s: Close: %v", what, err)
		}
	}
	var rows []R
	for i := range 20 {
		rows = append(rows, x.labelled(fmt.Sprint("t", i%3), fmt.Sprintf("%02d", 50-i), at(0)-domain.Micros(i)*day/4, "first"))
	}
	x.append(t, rows[:10]...)
	wantCopy("after append", rows[:10]...)
	x.flush(t)
	wantCopy("after flush", rows[:10]...)
	x.append(t, rows[10:]...)
	wantCopy("after append and flush", rows...)
	*x.label(&rows[3]), *x.label(&rows[13]) = "second", "second"
	x.append(t, rows[3], rows[13])
	wantCopy("after replacing", rows...)
	x.delete(t, store.Selection{IDs: []string{*x.id(&rows[5]), *x.id(&rows[15])}})
	rows = slices.Delete(slices.Delete(rows, 15, 16), 5, 6)
	wantCopy("after delete", rows...)
	x.flush(t)
	wantCopy("after delete and flush", rows...)
	if x.merge(t) {
		wantCopy("after merge", rows...)
	}
	x.delete(t, store.Selection{All: true})
	wantCopy("after deleting everything")
}

func stats(t *testing.T, f *fixture) {
	o, s := testerOf(f, observations()), testerOf(f, scores())
	want := func(what string, observations, scores int64) {
		t.Helper()
		all := f.store.Stats()
		for name, c := range map[string]struct {
			got  store.TableStats
			rows int64
		}{"observations": {all.Observations, observations}, "scores": {all.Scores, scores}} {
			if c.got.Rows != c.rows {
				t.Errorf("%s: %d %s, want %d", what, c.got.Rows, name, c.rows)
			}
			// This case never writes more than ten rows of each.
			if g := c.got; g.HotRows < 0 || g.HotRows > g.Rows || g.DeadRows < 0 || g.DeadRows > 20 || g.HotBytes < 0 ||
				g.LogBytes < 0 || g.Segments < 0 || g.Files < 0 || g.DiskBytes < 0 || g.Flushes < 0 || g.Merges < 0 || g.Superseded < 0 {
				t.Errorf("%s: the stats of %s make no sense: %+v", what, name, g)
			}
		}
	}
	want("empty", 0, 0)
	for i := range 5 {
		o.append(t, o.row("t", strconv.Itoa(i), at(int64(i))))
		s.append(t, s.row("t", strconv.Itoa(i), at(int64(i))))
	}
	s.appendIn(t, foreign, s.row("t", "0", at(0)))
	want("after append", 5, 6)
	f.flush(t)
	want("after flush", 5, 6)
	if g := f.store.Stats().Observations; g.HotRows != 0 {
		t.Errorf("after flush %d rows are in memory only", g.HotRows)
	}
	before := f.store.Stats()
	o.append(t, o.row("t", "0", at(0)), o.row("t", "1", at(1)+day), o.row("t", "new", at(2)))
	want("after replacing", 6, 6)
	f.flush(t)
	want("after replacing and flush", 6, 6)
	after := f.store.Stats()
	if n := after.Observations.Superseded - before.Observations.Superseded; n != 2 {
		t.Errorf("%d rows were replaced, want 2", n)
	}
	if after.Scores.Superseded != before.Scores.Superseded {
		t.Error("replaced observations count as scores")
	}
	if after.Observations.Flushes <= before.Observations.Flushes {
		t.Error("flushes are not counted")
	}
	o.delete(t, store.Selection{IDs: []string{"0", "none"}})
	s.delete(t, store.Selection{All: true})
	want("after delete", 5, 1)
	f.flush(t)
	if f.merge(t) {
		want("after merge", 5, 1)
	}
	f.reopen(t)
	want("opened again", 5, 1)
}
