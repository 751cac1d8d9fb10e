package export

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// narrow is a store that cannot count more than so many different values at once.
type narrow struct {
	store.Store
	most float64
}

// Observations returns the table of observations.
func (n narrow) Observations() store.Table[domain.Observation] {
	return narrowTable{n.Store.Observations(), n.most}
}

type narrowTable struct {
	store.Table[domain.Observation]
	most float64
}

// Aggregate computes over rows.
func (t narrowTable) Aggregate(ctx context.Context, scope domain.ProjectScope, q store.AggregateQuery[domain.Observation]) (*store.Groups, error) {
	groups, err := t.Table.Aggregate(ctx, scope, q)
	if err != nil {
		return nil, err
	}
	different := 0.0
	for _, g := range groups.Rows {
		for n, m := range q.Measures {
			if m.Function == store.Distinct {
				different += g.Values[n].Value
			}
		}
	}
	if different > t.most {
		return nil, store.ErrTooLarge
	}
	return groups, nil
}

// TestOwnersOfManyTraces counts traces and sessions of users, also where the store counts only those of a few users at once. If those of one
// are too many, the export fails and says why.
func TestOwnersOfManyTraces(t *testing.T) {
	w := newWorld(t)
	var rows []domain.Observation
	var want []string
	for user := 7; user > 0; user-- { // the last seen first
		for n := range 3 * user {
			rows = append(rows, domain.Observation{
				TraceID: fmt.Sprintf("t%d-%d", user, n/2), ID: strconv.Itoa(n), StartTime: domain.Micros(1_800_000_000_000_000 + user), UserID: fmt.Sprint("u", user), SessionID: fmt.Sprintf("s%d", n%user),
			})
		}
		want = append(want, fmt.Sprintf("u%d %d traces %d sessions", user, (3*user+1)/2, user))
	}
	if err := w.store.Observations().Append(t.Context(), w.scope, rows); err != nil {
		t.Fatal(err)
	}
	whole := w.store
	for _, most := range []float64{1000, 20, 17} {
		w.store = narrow{whole, most}
		stop := w.run(w.runner())
		e := w.ask(Request{Table: Users, Format: JSONL})
		if most == 17 {
			if e = w.await(e.ID, domain.ExportFailed); !strings.Contains(e.Error, "too many traces to count") {
				t.Errorf("it failed: %s", e.Error)
			}
			stop()
			continue
		}
		w.await(e.ID, domain.ExportDone)
		stop()
		var got []string
		for line := range strings.Lines(w.content(e.ID)) {
			got = append(got, ownerLine(t, line))
		}
		if !slices.Equal(got, want) {
			t.Errorf("with at most %v at once there are %q, want %q", most, got, want)
		}
	}
}

func ownerLine(t *testing.T, line string) string {
	t.Helper()
	var user struct {
		ID                         string
		CountTraces, CountSessions int
	}
	if err := json.Unmarshal([]byte(line), &user); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s %d traces %d sessions", user.ID, user.CountTraces, user.CountSessions)
}
