package ui_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/store"
)

// TestUIDeletions counts and deletes traces by their session, user and content.
func TestUIDeletions(t *testing.T) {
	f, viewer := apitest.NewExplored(t)
	owner := f.As(t, f.NewMember(t, "owner@a.test", domain.RoleOwner).ID)
	rows := apitest.ExploreRows()
	for n := range rows {
		rows[n].CreatedAt = rows[n].StartTime
	}
	f.Keep(t, "project-a", rows, []domain.Score{
		{ID: "whole", SessionID: "s1", Timestamp: 1, Name: "mood", DataType: "CATEGORICAL", StringValue: "fine"},
	})
	f.Keep(t, "project-b", rows, nil)
	const deletions = apitest.UIProject + "/deletions"
	count := func() string { return viewer.Ask(t, "POST", apitest.UIProject+"/query/count", `{"of":"traces"}`, 200) }
	tell := func(body string) string {
		t.Helper()
		var answer struct {
			DryRun, Done   bool
			AsOf           time.Time
			Traces, Scores int
		}
		if err := json.Unmarshal([]byte(owner.Ask(t, "POST", deletions, body, 200)), &answer); err != nil || answer.AsOf.IsZero() {
			t.Fatal(err, answer.AsOf)
		}
		return fmt.Sprintf("%v %d traces, %d scores, done %v", answer.DryRun, answer.Traces, answer.Scores, answer.Done)
	}

	viewer.Ask(t, "POST", deletions, `{"sessionId":"s1"}`, 403)
	for _, body := range []string{
		`{}`, `{"dryRun":false}`, `{"environment":["production"],"dryRun":false}`, `{"userId":"","dryRun":false}`,
		`{"userId":"ann","asOf":"2999-01-01T00:00:00Z"}`, `{"user":"ann"}`,
	} {
		if got := owner.Ask(t, "POST", deletions, body, 400); strings.Contains(body, "{}") && !strings.Contains(got, "Say what to delete") {
			t.Errorf("%s: %s", body, got)
		}
	}
	for _, step := range []struct{ body, want, left string }{
		{`{"sessionId":"s1"}`, "true 2 traces, 1 scores, done true", "3"},
		{`{"userId":"ann"}`, "true 1 traces, 0 scores, done true", "3"},
		{`{"filter":[{"type":"string","column":"level","operator":"=","value":"ERROR"}]}`, "true 1 traces, 0 scores, done true", "3"},
		{`{"userId":"nobody","dryRun":false}`, "false 0 traces, 0 scores, done true", "3"},
		{`{"userId":"bob","asOf":"2020-01-01T00:00:00Z","dryRun":false}`, "false 0 traces, 0 scores, done true", "3"},
		{`{"search":"needle","dryRun":false}`, "false 1 traces, 0 scores, done true", "2"},
		{`{"sessionId":"s1","dryRun":false}`, "false 1 traces, 1 scores, done true", "1"},
		{`{"sessionId":"s1","dryRun":false}`, "false 0 traces, 0 scores, done true", "1"},
		{`{"to":"2100-01-01T00:00:00Z","dryRun":false}`, "false 1 traces, 0 scores, done true", "0"},
	} {
		if got := tell(step.body); got != step.want {
			t.Errorf("%s: %s, not %s", step.body, got, step.want)
		}
		if got := count(); got != `{"count":`+step.left+`,"exact":true}` {
			t.Errorf("after %s: %s", step.body, got)
		}
	}
	for _, id := range []string{"t1", "t2", "t3", "whole"} {
		var actors []string
		for e, err := range f.Catalog.AuditLog(t.Context(), domain.OfOrganization("org-a"), catalog.AuditFilter{ResourceID: id}) {
			if err != nil {
				t.Fatal(err)
			}
			actors = append(actors, e.Actor.Kind)
		}
		if !slices.Equal(actors, []string{"user"}) {
			t.Errorf("the audit log of %s: %v", id, actors)
		}
	}
	left := 0
	for _, err := range f.Store.Observations().Scan(t.Context(), domain.OfProject("project-b"), store.Query[domain.Observation]{}) {
		if err != nil {
			t.Fatal(err)
		}
		left++
	}
	if left != len(rows) {
		t.Errorf("%d rows are left of another project", left)
	}
}
