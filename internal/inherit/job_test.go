package inherit

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/jobs"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
	"almanac/test/catalogtest"
	"almanac/test/storechoice"
)

// completed returns the user of a child of each trace.
func completed(t *testing.T, s store.Store, ids ...string) (users []string) {
	t.Helper()
	for _, id := range ids {
		for o, err := range s.Observations().Lookup(t.Context(), domain.OfProject("p"), store.Lookup{TraceIDs: []string{id}}) {
			if err != nil {
				t.Fatal(err)
			}
			if o.ParentID != "" {
				users = append(users, o.UserID)
			}
		}
	}
	return users
}

// send sends children, and then the roots of their traces.
func send(t *testing.T, s store.Store, input string, ids ...string) {
	t.Helper()
	for _, parent := range []string{"root", ""} {
		for _, id := range ids {
			o := row{TraceID: id, ID: "o" + parent, ParentID: parent, StartTime: 1000, Input: input}
			if parent == "" {
				o.UserID, o.Input = "u", ""
			}
			if err := s.Observations().Append(t.Context(), domain.OfProject("p"), []row{o}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func newJob(c *catalog.Catalog, s store.Store) *Job {
	j := New(c, s, quiet())
	j.every = time.Millisecond
	return j
}

// work runs the job once, as a server does.
func work(t *testing.T, j *Job, budget *memory.Budget) bool {
	t.Helper()
	ran, err := jobs.New(jobs.Options{Memory: budget, Log: quiet()}, j.Kind()).Step(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return ran
}

// TestJob checks that the job runs when something has arrived, goes on where another server was, and begins again if the
// store has lost what was written.
func TestJob(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		s := storechoice.Open(t)
		j := newJob(c.Catalog, s)
		if err := j.Reconcile(t.Context()); err != nil {
			t.Fatal(err)
		}
		send(t, s, "", "t1")
		if !work(t, j, nil) || work(t, j, nil) {
			t.Error("the job does not run exactly when something has arrived")
		}
		if users := completed(t, s, "t1"); users[0] != "u" {
			t.Errorf("the users are %q", users)
		}
		at, err := c.PositionOf(t.Context(), KindName)
		if err != nil || at.Read != s.Mark().Observations || at.Mark != at.Read {
			t.Errorf("the position is %+v, %v, and the store is at %d", at, err, s.Mark().Observations)
		}

		next := newJob(c.Catalog, s)
		if err := next.Reconcile(t.Context()); err != nil {
			t.Fatal(err)
		}
		if next.at != at || next.prompt != at.Read {
			t.Errorf("another server goes on at %+v, %d", next.at, next.prompt)
		}
		restored := storechoice.Open(t)
		send(t, restored, "", "t2")
		behind := newJob(c.Catalog, restored)
		if at.Mark <= restored.Mark().Observations {
			t.Fatalf("the restored store is at %d", restored.Mark().Observations)
		}
		if err := behind.Reconcile(t.Context()); err != nil {
			t.Fatal(err)
		}
		if work(t, behind, nil); behind.at.Read != restored.Mark().Observations {
			t.Errorf("on the restored store the position is %+v", behind.at)
		}
		if users := completed(t, restored, "t2"); users[0] != "u" {
			t.Errorf("the users of the restored store are %q", users)
		}
	})
}

var errTest = errors.New("the test wants this to fail")

// interrupted is a store that stops in the middle of an amendment.
type interrupted struct {
	store.Store
	left int
}

func (s *interrupted) Observations() store.Table[row] {
	return interruptedTable{s.Store.Observations(), s}
}

type interruptedTable struct {
	store.Table[row]
	s *interrupted
}

func (t interruptedTable) Amend(ctx context.Context, scope domain.ProjectScope, ids []string, change func(*row) bool) (int, error) {
	some := ids[:min(len(ids), t.s.left)]
	t.s.left -= len(some)
	n, err := t.Table.Amend(ctx, scope, some, change)
	if err == nil && len(some) < len(ids) {
		err = errors.Join(store.ErrUnavailable, errTest)
	}
	return n, err
}

// TestCrash checks that what one server has begun, another completes.
func TestCrash(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		s := storechoice.Open(t)
		ids := strings.Fields("t1 t2 t3 t4")
		first := newJob(c.Catalog, &interrupted{s, 2})
		if err := first.Reconcile(t.Context()); err != nil {
			t.Fatal(err)
		}
		send(t, s, "", ids...)
		if err := first.Step(t.Context()); !errors.Is(err, errTest) {
			t.Fatalf("the first server fails with %v", err)
		}
		if users := completed(t, s, ids...); strings.Join(users, "") != "uu" {
			t.Fatalf("the first server has completed %q", users)
		}
		second := newJob(c.Catalog, s)
		if err := second.Reconcile(t.Context()); err != nil {
			t.Fatal(err)
		}
		work(t, second, nil)
		if users := completed(t, s, ids...); strings.Join(users, "") != "uuuu" {
			t.Errorf("the second server leaves %q", users)
		}
	})
}

// TestLittleMemory checks that the job takes its memory from the budget, and that a trace that does not fit does not keep
// others from being completed.
func TestLittleMemory(t *testing.T) {
	c := catalogtest.Open(t, catalogtest.File(t))
	s := storechoice.Open(t)
	send(t, s, strings.Repeat("x", 3<<20), "large")
	send(t, s, strings.Repeat("x", 1<<10), "small")
	j := newJob(c.Catalog, s)
	if err := j.Reconcile(t.Context()); err != nil {
		t.Fatal(err)
	}
	budget := memory.NewBudget(memory.SizesOf(8<<20), 0)
	work(t, j, budget)
	if users := completed(t, s, "large", "small"); users[0] != "" || users[1] != "u" || budget.Held() != 0 {
		t.Errorf("the users are %q, and %d bytes are held", users, budget.Held())
	}
	send(t, s, "", "large")
	work(t, j, memory.NewBudget(memory.SizesOf(256<<20), 0))
	if users := completed(t, s, "large"); users[0] != "u" {
		t.Errorf("with enough memory the users are %q", users)
	}
}
