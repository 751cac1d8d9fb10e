package traces_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/query/traces"
	"almanac/internal/store"
	"almanac/internal/store/storetest"
)

// newFinder returns a finder for the given number of traces with two rows each. Every second one has the user u, every
// third a score.
func newFinder(t *testing.T, count int) *traces.Finder {
	t.Helper()
	f := &traces.Finder{Store: storetest.NewModel(), Scope: domain.OfProject("p")}
	var rows []domain.Observation
	var scores []domain.Score
	for n := range count {
		id := fmt.Sprintf("t%03d", n)
		root := domain.Observation{
			TraceID: id, ID: "root", StartTime: domain.Micros(n+1) * 1_000_000, CreatedAt: domain.Micros(n + 1), Name: "n",
			SessionID: fmt.Sprint("s", n%4),
		}
		child := domain.Observation{
			TraceID: id, ID: "child", ParentID: "root", StartTime: root.StartTime + 1000, CreatedAt: root.CreatedAt,
			TotalCost: domain.FloatOf(1),
		}
		if n%2 == 0 {
			child.UserID = "u" // any row may name the user
		}
		if n%3 == 0 {
			scores = append(scores, domain.Score{
				ID: id, TraceID: id, Name: "q", DataType: "NUMERIC", Value: domain.FloatOf(float64(n)), Timestamp: root.StartTime,
			})
		}
		rows = append(rows, root, child)
	}
	if err := errors.Join(f.Store.Observations().Append(t.Context(), f.Scope, rows),
		f.Store.Scores().Append(t.Context(), f.Scope, scores)); err != nil {
		t.Fatal(err)
	}
	return f
}

func ofUser(t *testing.T) []filter.Condition[domain.TraceSummary] {
	t.Helper()
	condition, err := filter.NewText(filter.TraceColumn("userId"), filter.Equal, "u")
	if err != nil {
		t.Fatal(err)
	}
	return []filter.Condition[domain.TraceSummary]{condition}
}

// TestFind takes every path to a page: over the newest rows, by conditions, from scores, and from a session.
func TestFind(t *testing.T) {
	f := newFinder(t, 20)
	check := func(what string, ids []string, err error, want string) {
		t.Helper()
		if got := strings.Join(ids, " "); err != nil || got != want {
			t.Errorf("%s: %q, want %q: %v", what, got, want, err)
		}
	}
	ids, total, err := f.Find(t.Context(), new(traces.Query), 2, 3)
	check("the newest", ids, err, "t017 t016 t015")
	if total != 20 {
		t.Errorf("%d traces", total)
	}
	ids, total, err = f.Find(t.Context(), &traces.Query{
		Where: ofUser(t), From: 5_000_000, Order: traces.Order{Column: "id", Ascending: true},
	}, 1, 2)
	check("of a user", ids, err, "t006 t008")
	if total != 8 {
		t.Errorf("%d traces of the user", total)
	}
	ids, err = f.Scored(t.Context(), &traces.Query{Where: ofUser(t)}, store.Query[domain.Score]{})
	check("of a user with scores", ids, err, "t018 t012 t006 t000")
	session, ids, err := f.Session(t.Context(), "s1")
	check("of a session", ids, err, "t001 t005 t009 t013 t017")
	if session == nil || session.CreatedAt != 2 || session.Environment != "default" {
		t.Errorf("the session is %+v", session)
	}
	sessions, total, err := f.Sessions(t.Context(), &traces.SessionQuery{From: 2, To: 4}, 0, 10)
	if total != 2 {
		t.Errorf("%d sessions", total)
	}
	ids = nil
	for _, s := range sessions {
		ids = append(ids, s.ID)
	}
	check("sessions", ids, err, "s2 s1")
	var read []string
	for trace, err := range f.Read(t.Context(), []string{"t003", "none", "t001"}, traces.Parts{Observations: true, Scores: true}) {
		if err != nil {
			t.Fatal(err)
		}
		read = append(read, trace.ID+":"+strings.Join(slices.Concat(trace.ObservationIDs, trace.ScoreIDs), ","))
	}
	check("read", read, nil, "t003:child,root,t003 t001:child,root")
}

// TestFindersAreBounded checks that each call holds no more than it may, whether the limit is explicit or follows from
// memory, and releases the memory of traces that it assembled.
func TestFindersAreBounded(t *testing.T) {
	f := newFinder(t, 20)
	f.Limit = 19
	var many *traces.TooMany
	_, _, err := f.Find(t.Context(), &traces.Query{Order: traces.Order{Column: "name"}}, 0, 1)
	if !errors.As(err, &many) || many.Limit != 19 {
		t.Errorf("20 traces where 19 may be remembered: %v", err)
	}
	f.Limit = 3
	if sessions, total, err := f.Sessions(t.Context(), new(traces.SessionQuery), 1, 2); err != nil || len(sessions) != 2 || total != 4 {
		t.Errorf("%d of %d sessions, which need not be remembered: %v", len(sessions), total, err)
	}
	f.Limit = 0
	byName := &traces.Query{Order: traces.Order{Column: "name"}}
	small := memory.NewBudget(memory.Sizes{Shared: 3000}, 0) // three quarters suffice for 11 traces
	if _, _, err := f.Find(memory.With(t.Context(), small.Lease("")), byName, 0, 12); !errors.As(err, &many) || many.Limit != 11 {
		t.Errorf("12 traces in memory for 11: %v", err)
	}
	budget := memory.NewBudget(memory.Sizes{Shared: 1 << 20}, 0)
	lease := budget.Lease("")
	if _, err := f.Matching(memory.With(t.Context(), lease), &traces.Query{Where: ofUser(t)}); err != nil {
		t.Fatal(err)
	}
	if held := budget.Held(); held == 0 || held > 20*400 {
		t.Errorf("%d bytes are held for 10 of 20 traces", held)
	}
}

// TestReadManyTraces reads short traces with a few long ones among them. However many are read at a time, they come in
// order, each once and with its content, and no more than one long trace is in memory.
func TestReadManyTraces(t *testing.T) {
	const count, long = 700, 3 << 20
	f := newFinder(t, count)
	var ids []string
	var rows []domain.Observation
	size := func(n int) int {
		if n == 0 || n == 300 || n == 301 || n == count-1 {
			return long
		}
		return n
	}
	for n := range count {
		id := fmt.Sprintf("t%03d", n)
		ids = append(ids, id)
		rows = append(rows, domain.Observation{TraceID: id, ID: "root", StartTime: 1_000_000, Input: strings.Repeat("x", size(n))})
	}
	if err := f.Store.Observations().Append(t.Context(), f.Scope, rows); err != nil {
		t.Fatal(err)
	}
	budget := memory.NewBudget(memory.Sizes{Shared: 64 << 20}, 0)
	ctx := memory.With(t.Context(), budget.Lease(""))
	next, most := 0, int64(0)
	for trace, err := range f.Read(ctx, ids, traces.Parts{Content: true}) {
		if err != nil {
			t.Fatal(err)
		}
		if trace.ID != ids[next] || len(trace.Input) != size(next) {
			t.Fatalf("%s with %d bytes, want %s with %d", trace.ID, len(trace.Input), ids[next], size(next))
		}
		next, most = next+1, max(most, budget.Held())
	}
	if next != count || most < long || most > long+(1<<20) || budget.Held() != 0 {
		t.Errorf("%d traces, with up to %d bytes at a time and %d at the end", next, most, budget.Held())
	}
}
