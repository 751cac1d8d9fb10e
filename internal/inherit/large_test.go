package inherit

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/test/storechoice"
)

// counting counts what is read of a store, and how often rows are amended.
type counting struct {
	store.Store
	rows, amendments int
}

func (s *counting) Observations() store.Table[row] { return countingTable{s.Store.Observations(), s} }

type countingTable struct {
	store.Table[row]
	s *counting
}

func (t countingTable) Lookup(ctx context.Context, scope domain.ProjectScope, l store.Lookup) iter.Seq2[*row, error] {
	return func(yield func(*row, error) bool) {
		for o, err := range t.Table.Lookup(ctx, scope, l) {
			if t.s.rows++; !yield(o, err) {
				return
			}
		}
	}
}

func (t countingTable) Amend(ctx context.Context, scope domain.ProjectScope, ids []string, change func(*row) bool) (int, error) {
	t.s.amendments++
	return t.Table.Amend(ctx, scope, ids, change)
}

// TestLargeTrace checks that a trace with too many observations is not read to its end, and does not keep others that
// arrive with it from being completed.
func TestLargeTrace(t *testing.T) {
	s := &counting{Store: storechoice.Open(t)}
	j := newJob(nil, s)
	send(t, s, "", "t1", "t2")
	rows := make([]row, 2*maxObservations)
	for n := range rows {
		rows[n] = row{TraceID: "large", ID: strconv.Itoa(n), StartTime: domain.Micros(1_000_000 * (2 + n)), UserID: "u"}
	}
	for len(rows) > 0 {
		if err := s.Observations().Append(t.Context(), domain.OfProject("p"), rows[:5000]); err != nil {
			t.Fatal(err)
		}
		rows = rows[5000:]
	}
	if err := j.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.rows > maxObservations+10 {
		t.Errorf("%d rows were read", s.rows)
	}
	if users := completed(t, s, "t1", "t2"); strings.Join(users, "") != "uu" {
		t.Errorf("the users are %q", users)
	}
}

// TestSentValuesAreNotKept checks that what is remembered of observations does not depend on the values that they were
// sent with, which are of any size: those are neither kept nor a reason to read a trace a second time.
func TestSentValuesAreNotKept(t *testing.T) {
	s := &counting{Store: storechoice.Open(t)}
	j := newJob(nil, s)
	long := strings.Repeat("x", 1<<20)
	var rows []row
	for n := range 5 {
		text := fmt.Sprint(n, long)
		rows = append(rows, row{
			TraceID: "t", ID: strconv.Itoa(n), StartTime: 1000, UserID: text, SessionID: text, Tags: []string{text}, Name: "no version",
		})
	}
	var f family
	for n := range rows {
		if bytes := f.see(&rows[n]); bytes > 10_000 {
			t.Errorf("%d bytes are kept", bytes)
		}
	}
	if heir := f.heirs[domain.InheritsVersion]; len(heir.UserID)+len(heir.SessionID)+len(heir.Tags[0]) > 10 {
		t.Error("the values of an observation are kept")
	}
	if err := s.Observations().Append(t.Context(), domain.OfProject("p"), rows); err != nil {
		t.Fatal(err)
	}
	if err := j.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.amendments != 0 {
		t.Errorf("a trace that lacks nothing was amended %d times", s.amendments)
	}
}
