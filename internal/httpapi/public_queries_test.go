package httpapi

import (
	"strings"
	"testing"

	"almanac/internal/domain"
)

// TestPublicQueries makes the web application's queries with a project key: the results are the same, the errors are
// those of the public API.
func TestPublicQueries(t *testing.T) {
	f, b := newExplored(t)
	for path, body := range map[string]string{
		"observations": `{"search":"checkout","scores":true,"order":{"column":"latency"}}`, "traces": `{"scores":true}`, "sessions": `{}`, "users": `{"order":{"column":"totalCost"}}`,
		"count": `{"of":"traces"}`, "facets": `{"columns":["name","type"]}`, "histogram": `{"buckets":5}`, "groups": `{"by":"model"}`, "differences": `{"selection":{"search":"t1"},"baseline":{}}`,
	} {
		want := ownTime.ReplaceAllString(b.ask(t, "POST", uiProject+"/query/"+path, body, 200), `"TIME"`)
		if got := f.ask(t, post("query/"+path, body)); got != want || !strings.ContainsAny(got, "123456789") {
			t.Errorf("%s: %s\nto people %s", path, got, want)
		}
		if got := f.ask(t, post("query/"+path, `{"from":"yesterday"}`).gives(400, "")); !strings.Contains(got, `"error":[{`) {
			t.Errorf("%s without a time: %s", path, got)
		}
	}
	if got := f.ask(t, get("suggest?column=name&prefix=ll")); got != `{"values":[{"value":"llm","count":1}]}` {
		t.Errorf("suggestions: %s", got)
	}
	f.ask(t, get("suggest?column=input").gives(400, ""))
	got := f.ask(t, post("query/traces", `{"filter":[{"type":"string","column":"colour","operator":"=","value":"x"}]}`).gives(400, ""))
	if got != `{"message":"Column colour is not one that can be filtered by.","error":"InvalidRequestError"}` {
		t.Errorf("an unknown column: %s", got)
	}
}

// TestUIDeletionByScores deletes only the traces with a given score.
func TestUIDeletionByScores(t *testing.T) {
	f, _ := newExplored(t)
	rows := exploreRows()
	for n := range rows {
		rows[n].CreatedAt = rows[n].StartTime
	}
	f.keep(t, "project-a", rows, nil)
	b := f.as(t, f.newMember(t, "admin@a.test", domain.RoleAdmin).ID)
	const good = `"filter":[{"type":"categoryOptions","column":"scores","key":"mood","operator":"any of","value":["good"]}]`
	if got := b.ask(t, "POST", uiProject+"/deletions", `{`+good+`}`, 200); !strings.Contains(got, `"traces":1,`) {
		t.Errorf("counted: %s", got)
	}
	if got := b.ask(t, "POST", uiProject+"/deletions", `{"dryRun":false,`+good+`}`, 200); !strings.Contains(got, `"traces":1,`) || !strings.Contains(got, `"done":true`) {
		t.Errorf("deleted: %s", got)
	}
	if got, _ := rowIDs(t, b.ask(t, "POST", uiProject+"/query/traces", `{}`, 200)); got != "t3/orphan t2/root" {
		t.Errorf("left are %s", got)
	}
}
