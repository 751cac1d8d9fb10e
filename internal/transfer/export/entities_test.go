package export

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/test/failing"
)

// TestEntitiesOfManyTraces counts traces and sessions of users, also if the store can count those of only a few users at
// a time. If a single user has too many, the export fails and says why.
func TestEntitiesOfManyTraces(t *testing.T) {
	w := newWorld(t)
	var rows []domain.Observation
	var want []string
	for user := 7; user > 0; user-- { // last seen first
		for n := range 3 * user {
			rows = append(rows, domain.Observation{
				TraceID: fmt.Sprintf("t%d-%d", user, n/2), ID: strconv.Itoa(n), StartTime: domain.Micros(1_800_000_000_000_000 + user),
				UserID: fmt.Sprint("u", user), SessionID: fmt.Sprintf("s%d", n%user),
			})
		}
		want = append(want, fmt.Sprintf("u%d %d traces %d sessions", user, (3*user+1)/2, user))
	}
	if err := w.store.Observations().Append(t.Context(), w.scope, rows); err != nil {
		t.Fatal(err)
	}
	whole := w.store
	for _, most := range []int{1000, 20, 17} {
		w.store = &failing.Refusing{Store: whole, Answer: func(q store.AggregateQuery[domain.Observation], groups *store.Groups) error {
			if failing.Different(q, groups) > most {
				return store.ErrTooLarge
			}
			return nil
		}}
		r := w.files()
		r.maxOwned = 1
		stop := w.run(r)
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
			got = append(got, entityLine(t, line))
		}
		if !slices.Equal(got, want) {
			t.Errorf("with at most %v at once there are %q, want %q", most, got, want)
		}
	}
}

func entityLine(t *testing.T, line string) string {
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
