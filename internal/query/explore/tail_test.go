package explore

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/query/traces"
	"almanac/internal/store"
	"almanac/test/storechoice"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if err := storechoice.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// noon is when the tails of these tests begin.
var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// arrived returns a row that arrived the given time after noon and started a second before that.
func arrived(trace, id string, after time.Duration) domain.Observation {
	at := domain.MicrosOf(noon.Add(after))
	return domain.Observation{TraceID: trace, ID: id, Name: "step", StartTime: at - 1_000_000, CreatedAt: at, UpdatedAt: at}
}

type tailed struct {
	*Tail
	t     *testing.T
	store store.Store
	scope domain.ProjectScope
}

func newTailed(t *testing.T) *tailed {
	t.Helper()
	s, scope := storechoice.Open(t), domain.OfProject("p")
	e := &Explorer{Store: s, Scope: scope, Traces: &traces.Finder{Store: s, Scope: scope}}
	return &tailed{&Tail{Explorer: e, Selection: new(Selection), Limit: 3}, t, s, scope}
}

func (d *tailed) keep(rows ...domain.Observation) {
	d.t.Helper()
	if err := d.store.Observations().Append(d.t.Context(), d.scope, rows); err != nil {
		d.t.Fatal(err)
	}
}

func (d *tailed) start() {
	d.t.Helper()
	if err := d.Start(d.t.Context(), noon); err != nil {
		d.t.Fatal(err)
	}
}

// expect polls at the given time after noon.
func (d *tailed) expect(after time.Duration, want string, skipped int) {
	d.t.Helper()
	news, err := d.Poll(d.t.Context(), noon.Add(after))
	if err != nil {
		d.t.Fatal(err)
	}
	var got []string
	for _, r := range news.Rows {
		got = append(got, r.ID)
	}
	for _, r := range news.Traces {
		got = append(got, r.TraceID)
	}
	if text := strings.Join(got, " "); text != want || news.Skipped != skipped {
		d.t.Errorf("after %v: %q and %d more, want %q and %d", after, text, news.Skipped, want, skipped)
	}
}

func TestTail(t *testing.T) {
	d := newTailed(t)
	d.keep(arrived("t", "before", -time.Second), arrived("t", "long before", -time.Hour))
	d.start()
	d.expect(time.Second, "", 0)
	d.keep(arrived("t", "a", 1500*time.Millisecond), arrived("u", "a", 1600*time.Millisecond))
	d.expect(2*time.Second, "a a", 0)
	d.expect(3*time.Second, "", 0)
	again := arrived("t", "a", 3500*time.Millisecond)
	again.StartTime = arrived("t", "a", 1500*time.Millisecond).StartTime
	d.keep(again) // a replaced row is news
	d.expect(4*time.Second, "a", 0)
	d.keep(arrived("t", "b", 4*time.Second), arrived("t", "c", 5*time.Second), arrived("t", "d", 6*time.Second),
		arrived("t", "e", 7*time.Second))
	d.expect(8*time.Second, "e d c", 1)
	d.expect(9*time.Second, "", 0)
}

// TestTailOfLateRows checks that rows that take long to be stored are found exactly once, by a poll that looks further
// back.
func TestTailOfLateRows(t *testing.T) {
	d := newTailed(t)
	d.start()
	d.expect(time.Second, "", 0) // looks far back
	d.expect(4*time.Second, "", 0)
	d.keep(arrived("t", "late", time.Second), arrived("t", "too late", -time.Minute))
	d.expect(4500*time.Millisecond, "", 0)
	d.expect(5*time.Second, "late", 0)
	for n := range 20 {
		d.expect(time.Duration(n+10)*time.Second, "", 0)
	}
}

// TestTailOfOldRows checks that rows that started long ago are not found, however late they arrive.
func TestTailOfOldRows(t *testing.T) {
	d := newTailed(t)
	d.start()
	old, long := arrived("t", "import", time.Second), arrived("t", "long run", time.Second)
	old.StartTime = domain.MicrosOf(noon.Add(-48 * time.Hour))
	long.StartTime = domain.MicrosOf(noon.Add(-23 * time.Hour))
	d.keep(old, long)
	d.expect(2*time.Second, "long run", 0)
}

func TestTailOfTraces(t *testing.T) {
	d := newTailed(t)
	d.OfTraces = true
	d.Selection.Where = []filter.Condition[domain.Observation]{
		filter.Must(filter.NewText(filter.ObservationColumn("name"), filter.Equal, "step")),
	}
	d.keep(arrived("old", "root", -time.Hour))
	d.start()
	other := arrived("w", "other", time.Second)
	other.Name = "something else"
	d.keep(arrived("old", "child", time.Second), arrived("u", "a", 900*time.Millisecond), arrived("u", "b", 900*time.Millisecond), other)
	d.expect(2*time.Second, "u old", 0)
	d.keep(arrived("a", "1", 2*time.Second), arrived("b", "1", 3*time.Second), arrived("c", "1", 4*time.Second),
		arrived("d", "1", 5*time.Second))
	d.expect(6*time.Second, "d c b", 1)
}

// TestTailResumed checks that a resumed tail returns what was missed, and possibly some rows that were returned before.
func TestTailResumed(t *testing.T) {
	d := newTailed(t)
	d.keep(arrived("t", "known", -time.Minute), arrived("t", "perhaps", -time.Second), arrived("t", "missed", 5*time.Second))
	d.Resume(noon)
	d.expect(10*time.Second, "missed perhaps", 0)
	d.expect(11*time.Second, "", 0)
}

// TestTailOfManyRows checks that a tail that has seen more than it can remember continues with new rows.
func TestTailOfManyRows(t *testing.T) {
	d := newTailed(t)
	d.Limit, d.most = 1, 100
	d.start()
	rows := make([]domain.Observation, 40)
	for second := range 10 {
		for n := range rows {
			rows[n] = arrived("t", fmt.Sprint(second, n), time.Duration(second)*time.Second+time.Duration(n)*time.Microsecond)
		}
		d.keep(rows...)
		if _, err := d.Poll(t.Context(), noon.Add(time.Duration(second+1)*time.Second)); err != nil {
			t.Fatal(err)
		}
		if len(d.seen) > d.most {
			t.Fatalf("after %d seconds it remembers %d rows", second+1, len(d.seen))
		}
	}
	for n := range 12 {
		if _, err := d.Poll(t.Context(), noon.Add(time.Duration(n+11)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	d.keep(arrived("t", "new", 22*time.Second))
	d.expect(23*time.Second, "new", 0)
	d.expect(24*time.Second, "", 0)
}

func TestTailStart(t *testing.T) {
	for _, c := range []struct {
		at   time.Duration // before noon
		from time.Duration
		gap  bool
	}{
		{time.Minute, time.Minute, false},
		{5 * time.Minute, 5 * time.Minute, false},
		{time.Hour, 5 * time.Minute, true},
		{-time.Hour, 0, false},
	} {
		from, gap := TailStart(noon.Add(-c.at), noon)
		if !from.Equal(noon.Add(-c.from)) || gap != c.gap {
			t.Errorf("%v before: from %v, gap %v", c.at, noon.Sub(from), gap)
		}
	}
}
