package ui_test

import (
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

// TestDeletions counts and deletes the traces selected by a query, with API keys.
func TestDeletions(t *testing.T) {
	f, viewer := apitest.NewExplored(t)
	rows := apitest.ExploreRows()
	for n := range rows {
		rows[n].CreatedAt = rows[n].StartTime
	}
	f.Keep(t, "project-a", rows, []domain.Score{
		{ID: "whole", SessionID: "s1", Timestamp: 1, Name: "mood", DataType: "CATEGORICAL", StringValue: "fine"},
	})
	f.Keep(t, "project-b", rows, nil)
	left := func(want string) func(*testing.T, *apitest.Fixture) {
		return func(t *testing.T, _ *apitest.Fixture) {
			if got := viewer.Ask(t, "POST", apitest.UIProject+"/query/count", `{"of":"traces"}`, 200); got != `{"count":`+want+`,"exact":true}` {
				t.Errorf("left are %s", got)
			}
		}
	}
	ask := func(name, key, body string, status int, after func(*testing.T, *apitest.Fixture), contains ...string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Method: "POST", Path: "/api/public/deletions", Key: key, Body: body, Status: status, Contains: contains,
			After: after,
		}
	}
	once := func(name, key, body string, status int, after func(*testing.T, *apitest.Fixture), contains ...string) apitest.Scenario {
		s := ask(name, key, body, status, after, contains...)
		s.Once = true
		return s
	}
	for _, s := range []apitest.Scenario{
		ask("nothing selected", "project", `{"dryRun":false}`, 400, left("3"), "Say what to delete"),
		ask("an unknown member", "project", `{"user":"ann"}`, 400, nil, "Unrecognized key"),
		ask("no key", "", `{"userId":"ann"}`, 401, nil),
		ask("a key of the organization", "organization", `{"userId":"ann"}`, 403, nil),
		ask("counted", "project", `{"sessionId":"s1"}`, 200, left("3"), `{"dryRun":true,"asOf":"20`, `"traces":2,"scores":1,"done":true}`),
		// in several attempts
		ask("by another project", "foreign", `{"sessionId":"s1","dryRun":false}`, 200, left("3"), `"scores":0,"done":true}`),
		once("deleted", "project", `{"sessionId":"s1","dryRun":false}`, 200, left("1"), `{"dryRun":false,"asOf":"20`,
			`"traces":2,"scores":1,"done":true}`),
		ask("deleted again", "project", `{"sessionId":"s1","dryRun":false}`, 200, left("1"), `"traces":0,"scores":0,"done":true}`),
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}
