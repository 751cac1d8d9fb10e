package ui_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

// TestUIWholeEntities lists, counts and selects for deletion the sessions and users that meet conditions as a whole.
func TestUIWholeEntities(t *testing.T) {
	f, b := apitest.NewExplored(t)
	rows := apitest.ExploreRows()
	for n := range rows {
		rows[n].CreatedAt = rows[n].StartTime // deletions leave out what arrived later
	}
	f.Keep(t, "project-a", rows, nil)
	number := func(column, operator string, value float64) string {
		return fmt.Sprintf(`{"type":"number","column":%q,"operator":%q,"value":%v}`, column, operator, value)
	}
	option := func(column, operator, value string) string {
		return fmt.Sprintf(`{"type":"stringOptions","column":%q,"operator":%q,"value":[%q]}`, column, operator, value)
	}
	for _, c := range []struct {
		name, filter, sessions, users string
		traces                        int // of the users
	}{
		{"everything", "", "s1", "bob ann", 3},
		{"a cost", number("totalCost", ">", 0.2), "s1", "ann", 1},
		{"a sum", number("totalTokens", "=", 15), "s1", "ann", 1},
		{"no errors", number("errorCount", "=", 0), "", "bob", 2},
		{"none with errors", option("level", "none of", "ERROR"), "", "bob", 2},
		{"two traces", number("traceCount", ">", 1), "s1", "bob", 2},
		{"a time", `{"type":"datetime","column":"firstSeen","operator":"<","value":"2026-09-21T14:13:30Z"}`, "s1", "ann", 1},
		{"a part of the id", `{"type":"string","column":"id","operator":"contains","value":"n"}`, "", "ann", 1},
	} {
		for on, want := range map[string]string{"sessions": c.sessions, "users": c.users} {
			body := `{"conditionsOn":"` + on + `","filter":[` + c.filter + `]`
			if got, _ := rowIDs(t, b.Ask(t, "POST", apitest.UIProject+"/query/"+on, body+"}", 200)); got != want {
				t.Errorf("%s of %s: %s, want %s", c.name, on, got, want)
			}
			wanted := fmt.Sprintf(`{"count":%d,"exact":true}`, len(strings.Fields(want)))
			if got := b.Ask(t, "POST", apitest.UIProject+"/query/count", body+`,"of":"`+on+`"}`, 200); got != wanted {
				t.Errorf("%s of %s: %s, want %s", c.name, on, got, wanted)
			}
		}
		if c.filter == "" {
			continue // selects everything, which is not deleted
		}
		got := f.Ask(t, apitest.Post("deletions", `{"conditionsOn":"users","filter":[`+c.filter+`]}`))
		if !strings.Contains(got, fmt.Sprintf(`"traces":%d,`, c.traces)) {
			t.Errorf("deletion of users with %s: %s", c.name, got)
		}
	}
	for _, wrong := range []string{
		`{"conditionsOn":"sessions","filter":[` + number("sessionCount", ">", 0) + `]}`, `{"order":{"column":"sessions"}}`,
		`{"conditionsOn":"sessions","filter":[{"type":"string","column":"totalCost","operator":"=","value":"x"}]}`,
	} {
		b.Ask(t, "POST", apitest.UIProject+"/query/sessions", wrong, 400)
	}
}

// TestUIScoresOfEntities shows the scores of sessions and users, finds them by these, and leaves others out.
func TestUIScoresOfEntities(t *testing.T) {
	f, b := apitest.NewExplored(t)
	f.Keep(t, "project-a", nil, []domain.Score{
		{ID: "3", TraceID: "t2", Timestamp: 1, Name: "quality", DataType: "NUMERIC", Value: domain.FloatOf(1)},
		{ID: "4", SessionID: "s1", Timestamp: 1, Name: "tone", DataType: "CATEGORICAL", StringValue: "calm"},
	})
	sessions := b.Ask(t, "POST", apitest.UIProject+"/query/sessions", `{"scores":true}`, 200)
	want := `"scores":{"mood":{"count":1,"average":null,"values":[{"value":"good","count":1}]},` +
		`"quality":{"count":2,"average":0.75,"values":[]},"tone":{"count":1,"average":null,"values":[{"value":"calm","count":1}]}}`
	if !strings.Contains(sessions, want) {
		t.Errorf("scores of a session: %s", sessions)
	}
	if got := b.Ask(t, "POST", apitest.UIProject+"/query/sessions", `{}`, 200); !strings.Contains(got, `"scores":null`) {
		t.Errorf("scores that nobody asked for: %s", got)
	}
	for filter, want := range map[string]string{
		`{"type":"categoryOptions","column":"scores","key":"tone","operator":"any of","value":["calm"]}`:  "s1",
		`{"type":"categoryOptions","column":"scores","key":"tone","operator":"none of","value":["calm"]}`: "",
		`{"type":"numberObject","column":"scores","key":"quality","operator":">","value":0.9}`:            "s1",
		`{"type":"numberObject","column":"scores","key":"quality","operator":">","value":1}`:              "",
	} {
		got, _ := rowIDs(t, b.Ask(t, "POST", apitest.UIProject+"/query/sessions", `{"conditionsOn":"sessions","filter":[`+filter+`]}`, 200))
		if got != want {
			t.Errorf("sessions with %s: %s, want %s", filter, got, want)
		}
	}
	users := b.Ask(t, "POST", apitest.UIProject+"/query/users", `{"conditionsOn":"users","filter":[`+
		`{"type":"arrayOptions","column":"scoreNames","operator":"any of","value":["quality"]}]}`, 200)
	if got, _ := rowIDs(t, users); got != "bob ann" {
		t.Errorf("users with a score: %s", got)
	}
}
