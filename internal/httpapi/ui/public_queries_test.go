package ui_test

import (
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

// TestPublicQueries makes the web application's queries with a project key: the results are the same, the errors are
// those of the public API.
func TestPublicQueries(t *testing.T) {
	f, b := apitest.NewExplored(t)
	for path, body := range map[string]string{
		"observations": `{"search":"checkout","scores":true,"order":{"column":"latency"}}`, "traces": `{"scores":true}`, "sessions": `{}`,
		"users": `{"order":{"column":"totalCost"}}`,
		"count": `{"of":"traces"}`, "facets": `{"columns":["name","type"]}`, "histogram": `{"buckets":5}`, "groups": `{"by":"model"}`,
		"differences": `{"selection":{"search":"t1"},"baseline":{}}`,
	} {
		want := apitest.OwnTime.ReplaceAllString(b.Ask(t, "POST", apitest.UIProject+"/query/"+path, body, 200), `"TIME"`)
		if got := f.Ask(t, apitest.Post("query/"+path, body)); got != want || !strings.ContainsAny(got, "123456789") {
			t.Errorf("%s: %s\nto people %s", path, got, want)
		}
		if got := f.Ask(t, apitest.Post("query/"+path, `{"from":"yesterday"}`).Gives(400, "")); !strings.Contains(got, `"error":[{`) {
			t.Errorf("%s without a time: %s", path, got)
		}
	}
	if got := f.Ask(t, apitest.Get("suggest?column=name&prefix=ll")); got != `{"values":[{"value":"llm","count":1}]}` {
		t.Errorf("suggestions: %s", got)
	}
	f.Ask(t, apitest.Get("suggest?column=input").Gives(400, ""))
	got := f.Ask(t, apitest.Post("query/traces", `{"filter":[{"type":"string","column":"colour","operator":"=","value":"x"}]}`).Gives(400, ""))
	if got != `{"message":"Column colour is not one that can be filtered by.","error":"InvalidRequestError"}` {
		t.Errorf("an unknown column: %s", got)
	}
}

// TestUIDeletionByScores deletes only the traces with a given score.
func TestUIDeletionByScores(t *testing.T) {
	f, _ := apitest.NewExplored(t)
	rows := apitest.ExploreRows()
	for n := range rows {
		rows[n].CreatedAt = rows[n].StartTime
	}
	f.Keep(t, "project-a", rows, nil)
	b := f.As(t, f.NewMember(t, "admin@a.test", domain.RoleAdmin).ID)
	const good = `"filter":[{"type":"categoryOptions","column":"scores","key":"mood","operator":"any of","value":["good"]}]`
	if got := b.Ask(t, "POST", apitest.UIProject+"/deletions", `{`+good+`}`, 200); !strings.Contains(got, `"traces":1,`) {
		t.Errorf("counted: %s", got)
	}
	if got := b.Ask(t, "POST", apitest.UIProject+"/deletions", `{"dryRun":false,`+good+`}`, 200); !strings.Contains(got, `"traces":1,`) ||
		!strings.Contains(got, `"done":true`) {
		t.Errorf("deleted: %s", got)
	}
	if got, _ := rowIDs(t, b.Ask(t, "POST", apitest.UIProject+"/query/traces", `{}`, 200)); got != "t3/orphan t2/root" {
		t.Errorf("left are %s", got)
	}
}
