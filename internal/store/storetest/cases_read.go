package storetest

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

func order[R any](t *testing.T, x *tester[R]) {
	rows := []R{
		x.row("a", "later", at(2)),
		// The same millisecond: microseconds do not count, the trace id of an observation does, and then the id, byte
		// by byte.
		x.row("é", "1", at(1)),
		x.row("b", "é", at(1)),
		x.row("b", "b", at(1)),
		x.row("b", "a", at(1)+999),
		x.row("b", "B", at(1)),
		x.row("b", "9", at(1)),
		x.row("b", "10", at(1)),
		x.row("aa", "2", at(1)+998),
		x.row("a", "3", at(1)+999),
		x.row("B", "4", at(1)),
		x.row("a", "earlier", at(0)),
		x.row("a", "yesterday", at(0)-day),
		// Before 1970, a time between two milliseconds belongs to the earlier one.
		x.row("z", "just after 1970", 999),
		x.row("a", "in the last millisecond", -1),
		x.row("a", "a millisecond before", -1000),
		x.row("z", "two milliseconds before", -1001),
		x.row("a", "long before", -50*365*day),
	}
	if !x.keyHasTrace {
		// The same without the trace ids.
		byID := []string{"é", "b", "a", "B", "9", "4", "3", "2", "10", "1"}
		place := func(row R) int { return slices.Index(byID, *x.id(&row)) }
		slices.SortFunc(rows[1:11], func(a, b R) int { return place(a) - place(b) })
	}
	for i := 0; i < len(rows); i += 3 {
		n := len(rows)
		x.append(t, rows[(i*7+3)%n], rows[(i*7+10)%n], rows[(i*7+17)%n]) // each once, in no particular order
		if i/3 == n/6 {                                                  // halfway
			x.flush(t) // so that rows of one millisecond come from different places
		}
	}
	x.inEveryState(t, func(t *testing.T) { x.wantAll(t, rows...) })
}

func timeBounds[R any](t *testing.T, x *tester[R]) {
	var rows []R
	for _, when := range []domain.Micros{
		at(0) + day, at(1), at(0) + 1, at(0), at(0) - day, 1, -1, -1000, -1001, -at(0),
	} {
		rows = append(rows, x.row("t", fmt.Sprintf("%03d", 100-len(rows)), when))
	}
	bounds := []domain.Micros{0}
	for i := range rows {
		when := *x.time(&rows[i])
		bounds = append(bounds, when)
		if !x.remote() || i%4 == 2 {
			bounds = append(bounds, when+1)
		}
	}
	x.append(t, rows...)
	x.inEveryState(t, func(t *testing.T) {
		for n, from := range bounds {
			for m, to := range bounds {
				if x.remote() && (n+m)%2 == 1 { // combine each bound with half of the others
					continue
				}
				var want []R
				for i := range rows {
					when := *x.time(&rows[i])
					if (from == 0 || from <= when) && (to == 0 || when < to) {
						want = append(want, rows[i])
					}
				}
				q := store.Query[R]{From: from, To: to}
				x.wantRows(t, "Scan("+describeQuery(q)+")", x.scan(t, q), want)
			}
		}
	})
}

// conditions checks that all conditions apply, together with bounds, position and limit. Scripts check what each
// condition means.
func conditions[R any](t *testing.T, x *tester[R]) {
	var rows []R
	for i := range 200 {
		row := x.labelled(fmt.Sprint("t", i%4), fmt.Sprintf("%03d", 999-i), at(int64(-i)), fmt.Sprint("label ", i%3))
		*x.sessionID(&row) = fmt.Sprint("s", i%5)
		rows = append(rows, row)
	}
	name, session := x.column(t, "name"), x.column(t, "sessionId")
	label, err := filter.NewText(name, filter.EndsWith, "2")
	if err != nil {
		t.Fatal(err)
	}
	sessions, err := filter.NewTexts(session, filter.AnyOf, []string{"s1", "s4", "none"})
	if err != nil {
		t.Fatal(err)
	}
	x.append(t, rows[:100]...)
	x.flush(t)
	x.append(t, rows[100:]...)
	x.inEveryState(t, func(t *testing.T) {
		after := x.position(&rows[20])
		for _, q := range []store.Query[R]{
			{},
			{Where: []filter.Condition[R]{label}},
			{Where: []filter.Condition[R]{sessions}},
			{Where: []filter.Condition[R]{label, sessions}},
			{Where: []filter.Condition[R]{sessions, label, label}, From: at(-150), To: at(-10)},
			{Where: []filter.Condition[R]{label, sessions}, From: at(-150), To: at(-10), After: &after, Limit: 5},
			{Where: []filter.Condition[R]{label}, From: at(-1), To: at(0)},
		} {
			var want []R
			for i := range rows {
				if within(*x.time(&rows[i]), q.From, q.To) && meetsAll(&rows[i], q.Where) && (q.After == nil || i > 20) &&
					(q.Limit == 0 || len(want) < q.Limit) {
					want = append(want, rows[i])
				}
			}
			x.wantRows(t, "Scan("+describeQuery(q)+")", x.scan(t, q), want)
		}
	})
}

// column returns a column of the table.
func (k *kind[R]) column(t testing.TB, id string) *filter.Column[R] {
	t.Helper()
	column, ok := k.catalogue.Column(id)
	if !ok {
		t.Fatalf("BUG: %s have no column %s", k.name, id)
	}
	return column
}

func limit[R any](t *testing.T, x *tester[R]) {
	var rows []R
	for i := range 10 {
		rows = append(rows, x.row("t", strconv.Itoa(i), at(int64(-i))))
	}
	x.append(t, rows...)
	x.inEveryState(t, func(t *testing.T) {
		for n, want := range map[int]int{0: 10, 1: 1, 9: 9, 10: 10, 11: 10, 1 << 40: 10} {
			x.wantRows(t, fmt.Sprintf("limit %d", n), x.scan(t, store.Query[R]{Limit: n}), rows[:want])
		}
	})
}

// pages reads everything page by page, each from the position of the last row of the previous page.
func (x *tester[R]) pages(t *testing.T, q store.Query[R]) []R {
	t.Helper()
	var all []R
	for {
		page := x.scan(t, q)
		all = append(all, page...)
		if len(page) < q.Limit {
			return all
		}
		if len(all) > 100_000 {
			t.Fatal("paging does not end")
		}
		after := x.position(&page[len(page)-1])
		q.After = &after
	}
}

func paging[R any](t *testing.T, x *tester[R]) {
	var rows []R
	for i := range 40 {
		// Several rows share a millisecond and a trace, or just one of the two.
		rows = append(rows, x.row(fmt.Sprint("t", i/3%4), fmt.Sprintf("%02d", i), at(int64(-i/13))+domain.Micros(i%2)))
	}
	slices.SortFunc(rows, x.compare)
	x.append(t, rows...)
	x.inEveryState(t, func(t *testing.T) {
		for _, size := range []int{1, 2, 7, 39, 40, 41} {
			x.wantRows(t, fmt.Sprintf("pages of %d", size), x.pages(t, store.Query[R]{Limit: size}), rows)
		}
		for i := 0; i < len(rows); i += len(rows) / x.rounds(len(rows)) {
			after := x.position(&rows[i])
			x.wantRows(t, fmt.Sprintf("after row %d", i), x.scan(t, store.Query[R]{After: &after}), rows[i+1:])
		}
		// Positions without a row are valid as well.
		beforeAll := store.Position{Millis: at(0).Millis(), ID: "u"}
		if x.keyHasTrace {
			beforeAll = store.Position{Millis: at(0).Millis(), TraceID: "u"}
		}
		for name, c := range map[string]struct {
			after store.Position
			want  []R
		}{
			"newest":         {store.Position{Millis: at(1).Millis()}, rows},
			"oldest":         {store.Position{Millis: at(-1000).Millis(), TraceID: "t", ID: "x"}, nil},
			"before its key": {beforeAll, rows},
			"end of a millisecond": {
				store.Position{Millis: at(0).Millis()}, slices.DeleteFunc(slices.Clone(rows), func(row R) bool {
					return x.time(&row).Millis() == at(0).Millis()
				}),
			},
		} {
			x.wantRows(t, "after the "+name, x.scan(t, store.Query[R]{After: &c.after}), c.want)
		}
	})
	// The row that a position was taken from may have been deleted.
	gone := rows[20]
	after := x.position(&gone)
	x.delete(t, store.Selection{IDs: []string{*x.id(&gone)}})
	x.inEveryState(t, func(t *testing.T) {
		x.wantRows(t, "after a row that is gone", x.scan(t, store.Query[R]{After: &after}), rows[21:])
	})
}

func pagingWhileAppending[R any](t *testing.T, x *tester[R]) {
	var rows []R
	for i := range 300 {
		rows = append(rows, x.labelled(fmt.Sprint("t", i%3), fmt.Sprintf("old %03d", 300-i), at(int64(-i/4)), "old"))
	}
	slices.SortFunc(rows, x.compare)
	x.append(t, rows[:150]...)
	x.flush(t)
	x.append(t, rows[150:]...)
	stop := make(chan struct{})
	var appending sync.WaitGroup
	defer appending.Wait()
	defer close(stop)
	ctx, table, target := t.Context(), x.table, x.store
	appending.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			// New rows are before, between and after the old ones.
			batch := make([]R, 5)
			for j := range batch {
				batch[j] = x.labelled(fmt.Sprint("t", j), fmt.Sprint("new ", i%100, " ", j), at(int64(j*25-100)), "new")
			}
			if err := appendTo(ctx, table, projectScope(mine), batch); err != nil {
				t.Errorf("Append: %v", err)
				return
			}
			if i%20 == 10 {
				if err := target.Flush(ctx); err != nil {
					t.Errorf("Flush: %v", err)
					return
				}
			}
		}
	})
	for range 2 {
		for _, size := range []int{7, 50} {
			got := x.pages(t, store.Query[R]{Limit: size})
			if !slices.IsSortedFunc(got, x.compare) {
				t.Errorf("pages of %d: the rows are not in order", size)
			}
			old := slices.DeleteFunc(got, func(row R) bool { return *x.label(&row) == "new" })
			x.wantRows(t, fmt.Sprintf("pages of %d", size), old, rows)
		}
	}
}

func pageReadsLittle[R any](t *testing.T, x *tester[R]) {
	counter, ok := x.store.(ReadCounter)
	if !ok {
		t.Skip("the store does not count what it reads")
	}
	const n = 20_000
	rows := make([]R, n)
	for i := range rows {
		rows[i] = x.row("t", fmt.Sprintf("%06d", i), at(int64(i)))
	}
	x.append(t, rows...)
	check := func(what string, q store.Query[R]) {
		before := counter.RowsRead()
		if got := len(x.scan(t, q)); got != q.Limit {
			t.Errorf("%s: %d rows, want %d", what, got, q.Limit)
		}
		if read := counter.RowsRead() - before; read > n/2 {
			t.Errorf("%s: %d of %d rows were read for %d", what, read, n, q.Limit)
		}
	}
	middle := x.position(&rows[n/2])
	for _, state := range []string{"as written", "flushed"} {
		check(state+", first page", store.Query[R]{Limit: 10})
		check(state+", page in the middle", store.Query[R]{Limit: 10, After: &middle})
		check(state+", last page", store.Query[R]{Limit: 10, To: at(10)})
		x.flush(t)
	}
}

// namingConditions queries rows by each indexed column: it checks the result, and that little is read for it. Values
// recur in rows that are not adjacent, in another project and in other columns, and some rows have none.
func namingConditions[R any](t *testing.T, x *tester[R]) {
	const n = 3000
	rows := make([]R, n)
	for i := range rows {
		rows[i] = x.row(fmt.Sprint("v", i%500), fmt.Sprintf("v%d", n-i), at(int64(i)))
		for id, field := range x.named {
			if id != "id" && id != "traceId" && i%3 != 0 {
				*field(&rows[i]) = fmt.Sprint("v", i%(400+len(id)))
			}
		}
	}
	x.append(t, rows[:2000]...)
	x.flush(t)
	x.append(t, rows[2000:]...)
	x.appendIn(t, "other", rows...)
	x.delete(t, store.Selection{IDs: []string{"v7"}})
	rows = slices.DeleteFunc(rows, func(row R) bool { return *x.id(&row) == "v7" })
	slices.SortFunc(rows, x.compare)
	counter, counts := x.store.(ReadCounter)
	many := []string{"v10", "v11"} // too many to look up each of them
	for i := range 5000 {
		many = append(many, fmt.Sprint("none", i))
	}
	x.inEveryState(t, func(t *testing.T) {
		for id, field := range x.named {
			for _, values := range [][]string{{"v7"}, {"v10", "v11", "none", "v10"}, {"none"}, {"v2", ""}, many} {
				c, err := filter.NewTexts(x.column(t, id), filter.AnyOf, values)
				if len(values) == 1 {
					c, err = filter.NewText(x.column(t, id), filter.Equal, values[0])
				}
				if err != nil {
					t.Fatal(err)
				}
				var want []R
				for i := range rows {
					if slices.Contains(values, *field(&rows[i])) {
						want = append(want, rows[i])
					}
				}
				before := int64(0)
				if counts {
					before = counter.RowsRead()
				}
				what := fmt.Sprintf("Scan(%s any of %.100q)", id, values)
				x.wantRows(t, what, x.scan(t, store.Query[R]{Where: []filter.Condition[R]{c}}), want)
				// Once for the position and once for the row.
				if counts && !slices.Contains(values, "") && len(values) < len(many) && counter.RowsRead()-before > int64(2*len(want)) {
					t.Errorf("%s: %d rows were read for %d", what, counter.RowsRead()-before, len(want))
				}
			}
		}
	})
}

func lookup[R any](t *testing.T, x *tester[R]) {
	row := func(traceID, id, sessionID string, when domain.Micros) R {
		r := x.row(traceID, id, when)
		*x.sessionID(&r) = sessionID
		return r
	}
	rows := []R{
		row("t1", "a", "s1", at(3)),
		row("t3", "b", "", at(2)),
		row("t2", "c", "s1", at(2)),
		row("t1", "d", "s2", at(1)-day),
		row("t1", "e", "", at(0)-400*day),
		row("t2", "f", "s2", -at(0)),
	}
	if x.keyHasTrace {
		// The same id may be in several traces.
		rows = append(rows, row("t4", "a", "s3", -at(1)))
	}
	pick := func(places ...int) []R {
		var picked []R
		for _, i := range places {
			if i < len(rows) {
				picked = append(picked, rows[i])
			}
		}
		return picked
	}
	x.append(t, pick(5, 0, 2)...)
	x.flush(t)
	x.append(t, pick(6, 4, 3, 1)...)
	many := []string{"none"}
	for i := range 3000 {
		many = append(many, fmt.Sprint("none ", i))
	}
	x.inEveryState(t, func(t *testing.T) {
		for _, c := range []struct {
			name   string
			lookup store.Lookup
			want   []R
		}{
			{"a trace", store.Lookup{TraceIDs: []string{"t1"}}, pick(0, 3, 4)},
			{"traces", store.Lookup{TraceIDs: []string{"t2", "none", "t1", "t1"}}, pick(0, 2, 3, 4, 5)},
			{"no such trace", store.Lookup{TraceIDs: []string{"t", "T1", "t11", "a"}}, nil},
			{"an id", store.Lookup{IDs: []string{"a"}}, pick(0, 6)},
			{"ids", store.Lookup{IDs: []string{"f", "b", "f", "none", "d"}}, pick(1, 3, 5)},
			{"no such id", store.Lookup{IDs: []string{"A", "aa", "t1", "s1"}}, nil},
			{"a session", store.Lookup{SessionIDs: []string{"s1"}}, pick(0, 2)},
			{"sessions", store.Lookup{SessionIDs: []string{"s2", "s1", "s2"}}, pick(0, 2, 3, 5)},
			{"no trace", store.Lookup{TraceIDs: []string{""}}, nil},
			{"no session", store.Lookup{SessionIDs: []string{""}}, nil},
			{"no such session", store.Lookup{SessionIDs: []string{"s", "t1"}}, nil},
			{"many traces", store.Lookup{TraceIDs: append(slices.Clone(many), "t3")}, pick(1)},
			{"many ids", store.Lookup{IDs: append(slices.Clone(many), "e")}, pick(4)},
			{"many sessions", store.Lookup{SessionIDs: append(slices.Clone(many), "s2")}, pick(3, 5)},
		} {
			x.wantRows(t, c.name, x.lookup(t, c.lookup), c.want)
		}
	})
}

func senselessReads[R any](t *testing.T, x *tester[R]) {
	x.append(t, x.row("t", "a", at(0)))
	ids := []string{"a"}
	for name, l := range map[string]store.Lookup{
		"no list":     {},
		"two lists":   {TraceIDs: ids, IDs: ids},
		"three lists": {TraceIDs: ids, IDs: ids, SessionIDs: ids},
	} {
		rows, err := collect(x.table.Lookup(t.Context(), projectScope(mine), l))
		wantError(t, "Lookup by "+name, err, store.ErrInvalid)
		x.wantRows(t, "Lookup by "+name, rows, nil)
	}
	_, err := collect(x.table.Scan(t.Context(), projectScope(mine), store.Query[R]{Limit: -1}))
	wantError(t, "Scan for -1 rows", err, store.ErrInvalid)
}
