package storetest

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

func projectsApart[R any](t *testing.T, x *tester[R]) {
	var ours, theirs []R
	for i := range 10 {
		// Both projects have these keys, and one has some of its own.
		row := x.labelled("t", fmt.Sprintf("%02d", 20-i), at(int64(-i)), "ours")
		*x.sessionID(&row) = "s"
		ours = append(ours, row)
		*x.label(&row) = "theirs"
		theirs = append(theirs, row)
	}
	secret := x.labelled("their trace", "their id", at(-100), "theirs")
	*x.sessionID(&secret) = "their session"
	theirs = append(theirs, secret)
	for i := 0; i < len(ours); i += 2 {
		x.append(t, ours[i:i+2]...)
		x.appendIn(t, foreign, theirs[i:i+2]...)
	}
	x.appendIn(t, foreign, secret)
	check := func(t *testing.T) {
		x.wantAll(t, ours...)
		x.wantRows(t, "Scan of the other project", x.scanIn(t, foreign, store.Query[R]{}), theirs)
		if n := x.count(t, foreign); n != len(theirs) {
			t.Errorf("Aggregate counts %d rows of the other project, want %d", n, len(theirs))
		}
		for _, l := range []store.Lookup{{TraceIDs: []string{"t"}}, {SessionIDs: []string{"s"}}} {
			x.wantRows(t, fmt.Sprintf("Lookup(%+v)", l), x.lookup(t, l), ours)
		}
		for _, l := range []store.Lookup{
			{TraceIDs: []string{"their trace"}}, {IDs: []string{"their id"}}, {SessionIDs: []string{"their session"}},
		} {
			x.wantRows(t, fmt.Sprintf("Lookup(%+v)", l), x.lookup(t, l), nil)
		}
		groups, err := x.table.Aggregate(t.Context(), projectScope(mine), store.AggregateQuery[R]{
			GroupBy:  []*filter.Column[R]{x.column(t, "name")},
			Measures: []store.Measure[R]{{Function: store.Count}, {Function: store.Distinct, Column: x.column(t, "traceId")}},
		})
		if err != nil {
			t.Fatal(err)
		}
		want := &store.Groups{Rows: []store.Group{group([]string{"ours"}, num(float64(len(ours))), num(1))}}
		if d := diffGroups(want, groups); d != "" {
			t.Errorf("Aggregate: %s", d)
		}
	}
	x.inEveryState(t, check)

	for _, s := range []store.Selection{{TraceIDs: []string{"their trace"}}, {IDs: []string{"their id"}}} {
		if n := x.delete(t, s); n != 0 {
			t.Errorf("Delete(%+v) removed %d rows of another project", s, n)
		}
	}
	x.inEveryState(t, check)
	for _, s := range []store.Selection{{TraceIDs: []string{"t"}}, {IDs: []string{"20", "19"}}, {Before: at(1)}, {All: true}} {
		x.append(t, ours...)
		x.delete(t, s)
		x.wantRows(t, fmt.Sprintf("Scan after Delete(%+v) in another project", s), x.scanIn(t, foreign, store.Query[R]{}), theirs)
	}
	x.inEveryState(t, func(t *testing.T) {
		x.wantAll(t)
		x.wantRows(t, "Scan", x.scanIn(t, foreign, store.Query[R]{}), theirs)
		x.wantRows(t, "Scan", x.scanIn(t, "proj", store.Query[R]{}), nil)
	})
}

// noProject checks that a scope without a project is refused, with an error or a panic, and that the store works
// afterwards: a panic must not leave anything locked.
func noProject[R any](t *testing.T, x *tester[R]) {
	row := x.row("t", "a", at(0))
	x.append(t, row)
	for name, call := range map[string]func(domain.ProjectScope) error{
		"Append": func(none domain.ProjectScope) error {
			return x.table.Append(t.Context(), none, []R{x.row("t", "b", at(0))})
		},
		"Scan": func(none domain.ProjectScope) error {
			_, err := collect(x.table.Scan(t.Context(), none, store.Query[R]{}))
			return err
		},
		"Lookup": func(none domain.ProjectScope) error {
			_, err := collect(x.table.Lookup(t.Context(), none, store.Lookup{IDs: []string{"a"}}))
			return err
		},
		"Aggregate": func(none domain.ProjectScope) error {
			_, err := x.table.Aggregate(t.Context(), none, store.AggregateQuery[R]{Measures: []store.Measure[R]{{Function: store.Count}}})
			return err
		},
		"Delete": func(none domain.ProjectScope) error {
			_, err := x.table.Delete(t.Context(), none, store.Selection{All: true})
			return err
		},
	} {
		if !refused(call) {
			t.Errorf("%s without a project is not refused", name)
		}
	}
	x.inEveryState(t, func(t *testing.T) { x.wantAll(t, row) })
}

func refused(call func(domain.ProjectScope) error) (refused bool) {
	defer func() {
		if recover() != nil {
			refused = true
		}
	}()
	return call(domain.ProjectScope{}) != nil
}

// oneMoment starts iterations, changes everything, and checks that the iterations continue as if nothing had happened.
func oneMoment[R any](t *testing.T, x *tester[R]) {
	var rows []R
	for i := range 200 {
		row := x.labelled(fmt.Sprint("t", i%5), fmt.Sprintf("%03d", 400-i), at(0)-domain.Micros(i)*day/50, "before")
		*x.sessionID(&row) = "s"
		*x.parts(&row)[0].fields[0] = fmt.Sprintf(`{"text":"%d %s"}`, i, strings.Repeat("before ", 100))
		rows = append(rows, row)
	}
	changes := map[string]func(t *testing.T){
		"append": func(t *testing.T) {
			var more []R
			for i := range rows {
				more = append(more, x.labelled("t0", fmt.Sprint("new ", i), at(5)-domain.Micros(i)*day/50, "after"))
			}
			x.append(t, more...)
		},
		"replace": func(t *testing.T) {
			replacements := slices.Clone(rows)
			for i := range replacements {
				*x.label(&replacements[i]) = "after"
				*x.time(&replacements[i]) += domain.Micros(i%3-1) * day
				x.narrow(&replacements[i], 0)
			}
			x.append(t, replacements...)
		},
		"delete by trace": func(t *testing.T) { x.delete(t, store.Selection{TraceIDs: []string{"t1", "t2"}}) },
		"delete by time":  func(t *testing.T) { x.delete(t, store.Selection{Before: at(0) - 2*day}) },
		"delete all":      func(t *testing.T) { x.delete(t, store.Selection{All: true}) },
		"flush":           x.flush,
		"merge":           func(t *testing.T) { x.merge(t) },
		"everything": func(t *testing.T) {
			x.append(t, x.labelled("t0", "one more", at(5)-3*day, "after"))
			x.flush(t)
			x.delete(t, store.Selection{TraceIDs: []string{"t0"}})
			x.merge(t)
			x.delete(t, store.Selection{All: true})
			x.flush(t)
			x.merge(t)
			x.append(t, x.labelled("t0", "one more", at(5)-3*day, "after"))
			x.flush(t)
			x.merge(t)
		},
	}
	for name, change := range changes {
		places := []string{"in memory", "on disk", "in both"}
		if x.remote() {
			places = places[:1]
		}
		for _, place := range places {
			t.Run(name+", "+place, func(t *testing.T) {
				defer x.delete(t, store.Selection{All: true})
				x.append(t, rows[:100]...)
				if place != "in memory" {
					x.flush(t)
				}
				x.append(t, rows[100:]...)
				if place == "on disk" {
					x.flush(t)
				}
				for what, seq := range map[string]iter.Seq2[*R, error]{
					"Scan":   x.table.Scan(t.Context(), projectScope(mine), store.Query[R]{Want: store.WantAll}),
					"Lookup": x.table.Lookup(t.Context(), projectScope(mine), store.Lookup{SessionIDs: []string{"s"}, Want: store.WantAll}),
				} {
					next, stop := iter.Pull2(seq)
					defer stop()
					first, err, ok := next()
					if err != nil || !ok {
						t.Fatalf("%s: first row: %v", what, err)
					}
					got := []R{clone(first)}
					defer func() {
						for {
							row, err, ok := next()
							if err != nil {
								t.Errorf("%s: %v", what, err)
							}
							if err != nil || !ok {
								break
							}
							got = append(got, clone(row))
						}
						x.wantRows(t, what, got, rows)
					}()
				}
				change(t)
			})
		}
	}
}

// readBegins checks that a read sees the store as of when the iteration starts, not when the iterator was created.
func readBegins[R any](t *testing.T, x *tester[R]) {
	scan := x.table.Scan(t.Context(), projectScope(mine), store.Query[R]{})
	ids := x.table.Lookup(t.Context(), projectScope(mine), store.Lookup{IDs: []string{"a"}})
	row := x.row("t", "a", at(0))
	x.append(t, row)
	for what, seq := range map[string]iter.Seq2[*R, error]{"Scan": scan, "Lookup": ids} {
		got, err := collect(seq)
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		x.wantRows(t, what, got, []R{row})
	}
}

func cancelled[R any](t *testing.T, x *tester[R]) {
	const n = 4000
	rows := make([]R, n)
	for i := range rows {
		rows[i] = x.labelled(fmt.Sprint("t", i%3), fmt.Sprintf("%05d", i), at(int64(-i)), "x")
	}
	x.append(t, rows[:n/2]...)
	x.flush(t)
	x.append(t, rows[n/2:]...)
	reads := func(ctx context.Context) map[string]iter.Seq2[*R, error] {
		return map[string]iter.Seq2[*R, error]{
			"Scan":   x.table.Scan(ctx, projectScope(mine), store.Query[R]{}),
			"Lookup": x.table.Lookup(ctx, projectScope(mine), store.Lookup{TraceIDs: []string{"t0", "t1", "t2"}}),
		}
	}
	aggregate := func(ctx context.Context) error {
		_, err := x.table.Aggregate(ctx, projectScope(mine), store.AggregateQuery[R]{
			GroupBy:  []*filter.Column[R]{x.column(t, "id")},
			Measures: []store.Measure[R]{{Function: store.Count}},
		})
		return err
	}

	over, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	for name, ctx := range map[string]context.Context{"cancelled before": over, "too late before": late} {
		for what, seq := range reads(ctx) {
			got, err := collect(seq)
			wantError(t, what+" "+name, err, ctx.Err())
			x.wantRows(t, what+" "+name, got, nil)
		}
		wantError(t, "Aggregate "+name, aggregate(ctx), ctx.Err())
	}

	for _, what := range []string{"Scan", "Lookup"} {
		ctx, cancel := context.WithCancel(t.Context())
		seen := 0
		var last error
		for _, err := range reads(ctx)[what] {
			if last = err; err == nil {
				seen++
			}
			cancel()
		}
		cancel()
		wantError(t, what+" cancelled at the first row", last, context.Canceled)
		if seen == n {
			t.Errorf("%s cancelled at the first row returned all rows", what)
		}
	}

	// An aggregate cancelled while it runs either fails or has already finished.
	for i := range 5 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*time.Millisecond)
		if err := aggregate(ctx); err != nil {
			wantError(t, "Aggregate cancelled while running", err, context.DeadlineExceeded)
		}
		cancel()
	}

	// A cancelled batch is kept as a whole or not at all, and the store keeps working either way.
	batch := []R{x.labelled("t9", "a", at(1), "x"), x.labelled("t9", "b", at(2), "x")}
	err := x.table.Append(over, projectScope(mine), batch)
	got := x.lookup(t, store.Lookup{TraceIDs: []string{"t9"}})
	switch {
	case err == nil && len(got) != 2:
		t.Errorf("Append with a cancelled context returned nil and kept %d of 2 rows", len(got))
	case err != nil && len(got) == 1:
		t.Errorf("Append with a cancelled context failed (%v) and kept 1 of 2 rows", err)
	}
	x.append(t, x.row("t8", "c", at(3)))
	if got := x.lookup(t, store.Lookup{TraceIDs: []string{"t8"}}); len(got) != 1 {
		t.Errorf("after cancelled calls %d rows are found, want 1", len(got))
	}
}

func leavingEarly[R any](t *testing.T, x *tester[R]) {
	var rows []R
	for i := range 500 {
		rows = append(rows, x.labelled("t", fmt.Sprintf("%04d", 9999-i), at(int64(-i)), "x"))
	}
	x.append(t, rows[:250]...)
	x.flush(t)
	x.append(t, rows[250:]...)
	leave := func() {
		for _, seq := range []iter.Seq2[*R, error]{
			x.table.Scan(t.Context(), projectScope(mine), store.Query[R]{Want: store.WantAll}),
			x.table.Lookup(t.Context(), projectScope(mine), store.Lookup{TraceIDs: []string{"t"}, Want: store.WantAll}),
		} {
			for _, err := range seq {
				if err != nil {
					t.Error(err)
				}
				break
			}
			func() {
				// A panic in the loop body leaves it as well.
				defer func() { _ = recover() }()
				for range seq {
					panic("left")
				}
			}()
		}
	}
	leave() // so that one-time initialization is done
	before := runtime.NumGoroutine()
	for range x.rounds(50) {
		leave()
	}
	deadline := time.Now().Add(10 * time.Second)
	for runtime.NumGoroutine() > before+10 {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before; they are:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
		time.Sleep(10 * time.Millisecond)
	}
	// Abandoned iterations must not block others.
	x.delete(t, store.Selection{IDs: []string{*x.id(&rows[0])}})
	x.inEveryState(t, func(t *testing.T) {
		x.wantRows(t, "Scan", x.scan(t, store.Query[R]{}), rows[1:])
	})
}

// manyGoroutines runs writers that own a trace each, and checks that each reads what it wrote, while others flush,
// merge and read everything.
func manyGoroutines[R any](t *testing.T, x *tester[R]) {
	const writers = 4
	rounds := x.rounds(25)
	ctx := t.Context()
	done := make(chan struct{})
	var writing, reading sync.WaitGroup
	defer reading.Wait()
	for w := range writers {
		writing.Go(func() { x.writeAndCheck(ctx, t, fmt.Sprint("t", w), rounds) })
	}
	for _, background := range []func() error{
		func() error { return x.store.Flush(ctx) },
		func() error {
			if m, ok := x.store.(Merger); ok {
				return m.Merge(ctx)
			}
			return nil
		},
		func() error {
			rows, err := collect(x.table.Scan(ctx, projectScope(mine), store.Query[R]{Limit: 100, Want: store.WantAll}))
			if err == nil && !slices.IsSortedFunc(rows, x.compare) {
				t.Error("Scan: the rows are not in order")
			}
			return err
		},
		func() error {
			_, err := x.table.Aggregate(ctx, projectScope(mine), store.AggregateQuery[R]{
				GroupBy: []*filter.Column[R]{x.column(t, "traceId")}, Measures: []store.Measure[R]{{Function: store.Count}},
			})
			return err
		},
		func() error { x.store.Stats(); return nil },
	} {
		reading.Go(func() {
			for {
				select {
				case <-done:
					return
				case <-time.After(time.Millisecond):
				}
				if err := background(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	writing.Wait()
	close(done)
	reading.Wait()
	x.inEveryState(t, func(t *testing.T) {
		if n := x.count(t, mine); n != writers*rounds*3 {
			t.Errorf("%d rows, want %d", n, writers*rounds*3)
		}
	})
}

// writeAndCheck appends five rows each round, replaces one of them, deletes two, and checks all rows of the trace.
func (x *tester[R]) writeAndCheck(ctx context.Context, t *testing.T, traceID string, rounds int) {
	scope := projectScope(mine)
	var want []R
	for round := range rounds {
		id := func(i int) string { return fmt.Sprint(traceID, " ", round, " ", i) }
		var batch []R
		for i := range 5 {
			batch = append(batch, x.labelled(traceID, id(i), at(int64(round*10+i)), "x"))
		}
		if err := appendTo(ctx, x.table, scope, batch); err != nil {
			t.Errorf("Append: %v", err)
			return
		}
		*x.label(&batch[1]) = "replaced"
		if err := appendTo(ctx, x.table, scope, batch[1:2]); err != nil {
			t.Errorf("Append: %v", err)
			return
		}
		if n, err := x.table.Delete(ctx, scope, store.Selection{IDs: []string{id(3), id(4)}}); n != 2 || err != nil {
			t.Errorf("Delete = %d, %v, want 2", n, err)
			return
		}
		want = append(want, batch[:3]...)
		slices.SortFunc(want, x.compare)
		got, err := collect(x.table.Lookup(ctx, scope, store.Lookup{TraceIDs: []string{traceID}}))
		if err != nil {
			t.Errorf("Lookup: %v", err)
			return
		}
		if d := x.diff(want, got, store.WantAll); d != "" {
			t.Errorf("Lookup in round %d: %s", round, d)
			return
		}
	}
}
