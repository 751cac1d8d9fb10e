package inherit

import (
	"flag"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"almanac/internal/domain"
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

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// onBoth runs a test on both event stores.
func onBoth(t *testing.T, test func(t *testing.T, s store.Store)) {
	for _, kind := range []string{"embedded", "clickhouse"} {
		t.Run(kind, func(t *testing.T) {
			t.Setenv("ALMANAC_TEST_STORE", kind)
			if checks := flag.Lookup("rapid.checks"); kind == "clickhouse" { // where each check waits for another process
				all := checks.Value.String()
				t.Cleanup(func() { _ = checks.Value.Set(all) })
				_ = checks.Value.Set("5")
			}
			test(t, storechoice.Open(t))
		})
	}
}

type row = domain.Observation

// world is an event store, what clients have sent to it, and the job.
type world struct {
	*rapid.T
	store store.Store
	scope domain.ProjectScope
	job   *Job
	sent  map[[2]string]row // by trace and id
}

// step lets the job work on what has arrived.
func (w *world) step() {
	if err := w.job.Step(w.Context()); err != nil {
		w.Fatal(err)
	}
}

// draw returns a row as a client sends it: few clients set these values, and most of them only with the root.
func (w *world) draw(trace string) row {
	text := func(name string, values ...string) string {
		return rapid.SampledFrom(append(values, "", "", "")).Draw(w.T, name)
	}
	r := row{
		TraceID: trace, ID: rapid.SampledFrom([]string{"a", "b", "c", "d", "e"}).Draw(w.T, "id"), ParentID: text("parent", "a"),
		StartTime: domain.Micros(1_000_000 * rapid.Int64Range(1, 4).Draw(w.T, "start")), Input: text("input", "one", "two"),
		UserID: text("user", "u1", "u2"), SessionID: text("session", "s1", "s2"), Version: text("version", "v1", "v2"),
		Source: rapid.SampledFrom([]string{domain.SourceOTel, domain.SourceOTel, domain.SourceIngestion}).Draw(w.T, "source"),
	}
	if tag := text("tag", "x", "y"); tag != "" {
		r.Tags = []string{tag}
	}
	return r
}

// send stores a batch as the pipeline does, or as an import does.
func (w *world) send() {
	var rows []row
	for range rapid.IntRange(1, 6).Draw(w.T, "rows") {
		r := w.draw(rapid.SampledFrom([]string{"t1", "t2", "t3"}).Draw(w.T, "trace"))
		rows = append(rows, r.Clone())
		w.sent[[2]string{r.TraceID, r.ID}] = r
	}
	if rapid.Bool().Draw(w.T, "as spans") {
		domain.HandDown(rows)
	}
	if err := w.store.Observations().Append(w.Context(), w.scope, rows); err != nil {
		w.Fatal(err)
	}
}

func (w *world) remove() {
	trace := rapid.SampledFrom([]string{"t1", "t2", "t3"}).Draw(w.T, "deleted")
	if _, err := w.store.Observations().Delete(w.Context(), w.scope, store.Selection{TraceIDs: []string{trace}}); err != nil {
		w.Fatal(err)
	}
	for key := range w.sent {
		if key[0] == trace {
			delete(w.sent, key)
		}
	}
}

// want returns every row with what it must have: what it was sent with or else what the summary of its trace has.
func (w *world) want() map[[2]string]row {
	byTrace := make(map[string][]row)
	for _, r := range w.sent {
		byTrace[r.TraceID] = append(byTrace[r.TraceID], r)
	}
	want := make(map[[2]string]row)
	for _, rows := range byTrace {
		slices.SortFunc(rows, func(a, b row) int {
			if a.StartTime != b.StartTime {
				return int(b.StartTime - a.StartTime)
			}
			return strings.Compare(b.ID, a.ID)
		})
		var assembly traces.Assembly
		for n := range rows {
			assembly.Add(&rows[n])
		}
		summary := assembly.Summary()
		for _, r := range rows {
			if r.UserID == "" {
				r.UserID = summary.UserID
			}
			if r.SessionID == "" {
				r.SessionID = summary.SessionID
			}
			if r.Version == "" {
				r.Version = summary.Version
			}
			if len(r.Tags) == 0 {
				r.Tags = summary.Tags
			}
			want[[2]string{r.TraceID, r.ID}] = r
		}
	}
	return want
}

func (w *world) check() {
	want := w.want()
	for got, err := range w.store.Observations().Scan(w.Context(), w.scope, store.Query[row]{Want: store.WantAll}) {
		if err != nil {
			w.Fatal(err)
		}
		key := [2]string{got.TraceID, got.ID}
		expected, known := want[key]
		if !known {
			w.Fatalf("%v is there", key)
		}
		delete(want, key)
		if !got.SameInherited(&expected) {
			w.Errorf("%v has %q %q %q %q, want %q %q %q %q", key, got.UserID, got.SessionID, got.Version, got.Tags, expected.UserID,
				expected.SessionID, expected.Version, expected.Tags)
		}
		sent := w.sent[key]
		as := got.Sent()
		if !as.SameInherited(&sent) || as.Input != sent.Input || as.StartTime != sent.StartTime || as.ParentID != sent.ParentID {
			w.Errorf("%v was sent as %+v, and not as %+v", key, sent, as)
		}
	}
	for key := range want {
		w.Errorf("%v is missing", key)
	}
}

// TestCompletion sends random spans of a few traces in random order, again and again, while the job works now and then,
// and is sometimes taken over by another server that goes on where the position was recorded last.
func TestCompletion(t *testing.T) {
	onBoth(t, func(t *testing.T, s store.Store) {
		n := 0
		rapid.Check(t, func(t *rapid.T) {
			n++
			job := New(nil, s, quiet())
			w := &world{T: t, store: s, scope: domain.OfProject(fmt.Sprint("project ", n)), job: job, sent: make(map[[2]string]row)}
			job.prompt = s.Mark().Observations // what other checks have left
			recorded := job.prompt
			t.Repeat(map[string]func(*rapid.T){
				"send":   func(*rapid.T) { w.send() },
				"again":  func(*rapid.T) { w.send() },
				"delete": func(*rapid.T) { w.remove() },
				"step":   func(*rapid.T) { w.step() },
				"record": func(*rapid.T) { recorded = w.job.prompt },
				"take over": func(*rapid.T) {
					w.job = New(nil, s, quiet())
					w.job.prompt = recorded
				},
				"flush": func(*rapid.T) {
					if err := s.Flush(w.Context()); err != nil {
						w.Fatal(err)
					}
				},
			})
			w.step()
			w.check()
			w.step() // what was completed is complete
			w.check()
		})
	})
}

// TestOrder checks the cases that people ask about, one by one, at one observation of each export.
func TestOrder(t *testing.T) {
	child := row{TraceID: "t", ID: "child", ParentID: "root", StartTime: 2000}
	root := row{TraceID: "t", ID: "root", StartTime: 1000, UserID: "u", SessionID: "s", Tags: []string{"x"}, Version: "v"}
	other := root
	other.UserID, other.Tags = "w", nil
	silent := row{TraceID: "t", ID: "root", StartTime: 1000}
	onBoth(t, func(t *testing.T, s store.Store) {
		for name, c := range map[string]struct {
			sent []row
			want string
		}{
			"the root after its child":            {[]row{child, root}, "u s v [x] user_id session_id version tags"},
			"the child after its root":            {[]row{root, child}, "u s v [x] user_id session_id version tags"},
			"the root again with another user":    {[]row{child, root, other}, "w s v [] user_id session_id version"},
			"the root again without values":       {[]row{root, child, silent}, "   [] "},
			"the child again":                     {[]row{root, child, child}, "u s v [x] user_id session_id version tags"},
			"a trace without values":              {[]row{child, silent}, "   [] "},
			"a child that has a user of its own":  {[]row{{TraceID: "t", ID: "child", StartTime: 2000, UserID: "mine"}, root}, "mine s v [x] session_id version tags"},
			"what another trace has is not taken": {[]row{child, {TraceID: "t2", ID: "root", StartTime: 1000, UserID: "u"}}, "   [] "},
		} {
			t.Run(name, func(t *testing.T) {
				scope := domain.OfProject(name)
				job := New(nil, s, quiet())
				for _, sent := range c.sent {
					if err := s.Observations().Append(t.Context(), scope, []row{sent}); err != nil {
						t.Fatal(err)
					}
					if err := job.Step(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				for got, err := range s.Observations().Lookup(t.Context(), scope, store.Lookup{IDs: []string{"child"}}) {
					if err != nil {
						t.Fatal(err)
					}
					if text := fmt.Sprintf("%s %s %s %v %s", got.UserID, got.SessionID, got.Version, got.Tags, got.Inherited); text != c.want {
						t.Errorf("it has %q, want %q", text, c.want)
					}
				}
			})
		}
	})
}

// TestTooLargeTraces checks that the number of observations that a single span can have written again is limited.
func TestTooLargeTraces(t *testing.T) {
	var f family
	o := row{TraceID: "t", StartTime: 1000}
	for range maxObservations + 1 {
		f.see(&o)
	}
	if f.observations != maxObservations+1 {
		t.Errorf("%d observations are counted", f.observations)
	}
	job := New(nil, storechoice.Open(t), quiet())
	at := store.ArrivedTrace{ProjectID: "p", TraceID: "t"}
	for n := range 3 * maxLarge {
		job.noteLarge(store.ArrivedTrace{ProjectID: "p", TraceID: strconv.Itoa(n)})
	}
	job.noteLarge(at)
	if !job.isLarge(at) || len(job.large) > maxLarge {
		t.Errorf("it is remembered: %v, with %d others", job.isLarge(at), len(job.large))
	}
	job.large[at] = time.Now().Add(-largeFor - time.Second)
	if job.isLarge(at) {
		t.Error("it is not looked at again")
	}
}
