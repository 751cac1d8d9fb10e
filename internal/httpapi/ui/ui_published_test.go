package ui_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

// published returns traces of project a: one published by its spans, and two that are not. They share an observation
// id.
func published() []domain.Observation {
	return []domain.Observation{
		{
			TraceID: "open", ID: "root", StartTime: apitest.October, Type: "SPAN", Name: "shown", Input: "shown text", Public: true,
			Tags: []string{"of spans"},
		},
		{
			TraceID: "mine", ID: "root", StartTime: apitest.October, Type: "SPAN", Name: "mine", Input: "secret of mine",
			Tags: []string{"of spans"}, SessionID: "s",
		},
		{
			TraceID: "mine", ID: "step", ParentID: "root", StartTime: apitest.October + 1, Type: "SPAN", Name: "mine", Tags: []string{"of spans"},
			SessionID: "s",
		},
		{TraceID: "other", ID: "root", StartTime: apitest.October, Type: "SPAN", Name: "other", Input: "secret of other"},
	}
}

// readsOf returns all requests by which a trace can be read.
func readsOf(trace string) []string {
	return []string{
		apitest.UIProject + "/traces/" + trace + "/tree", apitest.UIProject + "/traces/" + trace + "/find?q=s",
		apitest.UIProject + "/observations/root/detail?traceId=" + trace,
		apitest.UIProject + "/observations/root/io/input?traceId=" + trace,
	}
}

// TestPublishedTraces reads traces as people without access, before and after publication.
func TestPublishedTraces(t *testing.T) {
	f := apitest.New(t, nil)
	f.Keep(t, "project-a", published(), []domain.Score{
		{ID: "1", TraceID: "mine", ObservationID: "root", Timestamp: 1, Name: "quality", DataType: "NUMERIC", Value: domain.FloatOf(0.5)},
	})
	f.Keep(t, "project-a2", []domain.Observation{
		{TraceID: "mine", ID: "root", StartTime: apitest.October, Name: "neighbour", Input: "secret of the neighbour"},
	}, nil)
	member := f.As(t, f.NewMember(t, "member@a.test", domain.RoleMember).ID)
	viewer := f.As(t, f.NewMember(t, "viewer@a.test", domain.RoleViewer).ID)
	stranger, err := f.Catalog.CreateAccount(t.Context(), "stranger@b.test", "Stranger", "", domain.Actor{Kind: "cli"})
	if err != nil {
		t.Fatal(err)
	}
	const marks = apitest.UIProject + "/traces/mine/marks"
	member.Ask(t, "POST", apitest.UIProject+"/comments",
		`{"projectId":"p","objectType":"OBSERVATION","objectId":"root","content":"secret comment"}`, 200)

	networks := 0
	read := func(trace string, whenVisitor, whenStranger int) {
		t.Helper()
		networks++
		for _, path := range readsOf(trace) {
			for _, who := range []struct {
				*apitest.Browser
				status int
			}{{f.Browser(), whenVisitor}, {f.As(t, stranger.ID), whenStranger}} {
				who.Address = fmt.Sprintf("198.51.100.%d:1", networks) // a new network, to stay below the rate limit
				answer := who.Ask(t, "GET", path, "", who.status)
				if strings.Contains(answer, "secret comment") || who.status != 200 && strings.Contains(answer, "secret") {
					t.Errorf("%s tells %s", path, answer)
				}
			}
		}
	}
	read("open", 200, 200)
	read("mine", 401, 404)
	viewer.Ask(t, "PATCH", marks, `{"public":true}`, 403)
	read("mine", 401, 404)
	if got := member.Ask(t, "PATCH", marks, `{"public":true}`, 200); got != `{"public":true,"bookmarked":false,"tags":["of spans"]}` {
		t.Errorf("published: %s", got)
	}
	read("mine", 200, 200)
	read("other", 401, 404)
	read("nowhere", 401, 404)
	visitor := f.Browser()
	for _, path := range []string{
		// An observation can be read only in a published trace, and only if the request names the trace.
		apitest.UIProject + "/observations/root/detail", apitest.UIProject + "/observations/root/io/input",
		apitest.UIProject + "/observations/root/detail?traceId=", apitest.UIProject + "/observations/root/io/input?traceId=other",
		// Publishing gives access to nothing else.
		"/api/ui/projects/project-a2/traces/mine/tree", "/api/ui/projects/project-a2/observations/root/detail?traceId=mine",
		"/api/ui/projects/nowhere/traces/mine/tree",
		apitest.UIProject + "/comments?objectType=OBSERVATION&objectId=root", apitest.UIProject + "/v3/scores?traceId=mine",
		apitest.UIProject + "/v2/observations?traceId=mine", apitest.UIProject + "/members",
	} {
		if answer := visitor.Ask(t, "GET", path, "", 401); strings.Contains(answer, "secret") {
			t.Errorf("%s tells %s", path, answer)
		}
	}
	// What is checked is what is read: naming a published trace first, or in a query that cannot be read, grants nothing.
	for _, second := range []string{
		"&traceId=other", "&traceId=", "&traceId=x", "&traceId=%zz", "&%zz", ";traceId=other", "&traceid=other;",
	} {
		for _, of := range []string{"/observations/root/detail", "/observations/root/io/input"} {
			if answer := visitor.Ask(t, "GET", apitest.UIProject+of+"?traceId=mine"+second, "", 400); strings.Contains(answer, "secret") {
				t.Errorf("%s?traceId=mine%s tells %s", of, second, answer)
			}
		}
	}
	visitor.Ask(t, "GET", apitest.UIProject+"/observations/nowhere/detail?traceId=mine", "", 404)
	visitor.Ask(t, "PATCH", marks, `{"public":false}`, 401)
	tree := visitor.Ask(t, "GET", apitest.UIProject+"/traces/mine/tree", "", 200)
	if !strings.Contains(tree, `"scores":[0,0]`) || !strings.Contains(tree, `"comments":[0,0]`) {
		t.Errorf("visitors are told what people think: %s", tree)
	}
	if mine := member.Ask(t, "GET", apitest.UIProject+"/traces/mine/tree", "", 200); !strings.Contains(mine, `"scores":[1,0]`) ||
		!strings.Contains(mine, `"comments":[1,0]`) {
		t.Errorf("members are not: %s", mine)
	}

	// People override spans, even those that arrive later.
	member.Ask(t, "PATCH", apitest.UIProject+"/traces/open/marks", `{"public":false}`, 200)
	f.Keep(t, "project-a", []domain.Observation{{TraceID: "open", ID: "later", StartTime: apitest.October, Public: true}}, nil)
	read("open", 401, 404)
	member.Ask(t, "PATCH", apitest.UIProject+"/traces/open/marks", `{"public":null}`, 200)
	read("open", 200, 200)
	// A deleted trace is not published when it is sent again.
	f.As(t, f.NewMember(t, "admin@a.test", domain.RoleAdmin).ID).Ask(t, "DELETE", apitest.UIProject+"/traces/mine", "", 200)
	read("mine", 401, 404)
	f.Keep(t, "project-a", published()[1:], nil)
	read("mine", 401, 404)
	// The traces of a deleted project are no longer published, although its events are deleted later.
	if err := f.Catalog.DeleteProject(t.Context(), domain.OfOrganization("org-a"), "project-a", domain.Actor{Kind: "cli"}); err != nil {
		t.Fatal(err)
	}
	read("open", 401, 404)
}

// TestVisitsAreLimited requests traces until the rate limit of a network is reached; another network is not affected.
func TestVisitsAreLimited(t *testing.T) {
	f := apitest.New(t, nil)
	f.Keep(t, "project-a", published(), nil)
	visitor, member := f.Browser(), f.As(t, f.NewMember(t, "member@a.test", domain.RoleMember).ID)
	tries := 0
	for ; tries < 1000; tries++ {
		status, answer := visitor.Try(t, "GET", apitest.UIProject+"/traces/other/tree", "")
		if status == http.StatusTooManyRequests {
			if !strings.Contains(answer, "Too many requests from your network") {
				t.Error(answer)
			}
			break
		}
	}
	if tries < 100 || tries == 1000 {
		t.Errorf("refused after %d", tries)
	}
	status, _ := visitor.Try(t, "GET", apitest.UIProject+"/traces/open/tree", "")
	if status != http.StatusTooManyRequests && status != http.StatusOK { // a moment later, one more may be allowed
		t.Errorf("what is published: %d", status)
	}
	visitor.Address = "203.0.113.1:1"
	visitor.Ask(t, "GET", apitest.UIProject+"/traces/open/tree", "", 200)
	member.Ask(t, "GET", apitest.UIProject+"/traces/other/tree", "", 200)
}

// TestMarks checks that every read of a trace shows the marks that people set.
func TestMarks(t *testing.T) {
	f := apitest.New(t, nil)
	f.Keep(t, "project-a", published(), nil)
	user := f.NewMember(t, "member@a.test", domain.RoleMember)
	member := f.As(t, user.ID)
	const marks = apitest.UIProject + "/traces/mine/marks"
	for _, c := range []struct{ name, body, want string }{
		{"tags, in order and once", `{"tags":["new"," bad ","new"]}`, `{"public":false,"bookmarked":false,"tags":["bad","new"]}`},
		{"a bookmark beside them", `{"bookmarked":true}`, `{"public":false,"bookmarked":true,"tags":["bad","new"]}`},
		{"no tags at all", `{"tags":[]}`, `{"public":false,"bookmarked":true,"tags":[]}`},
		{"tags of spans again", `{"tags":null}`, `{"public":false,"bookmarked":true,"tags":["of spans"]}`},
		{"all at once", `{"public":true,"bookmarked":false,"tags":["new"]}`, `{"public":true,"bookmarked":false,"tags":["new"]}`},
		{"bookmarked", `{"bookmarked":true}`, `{"public":true,"bookmarked":true,"tags":["new"]}`},
	} {
		if got := member.Ask(t, "PATCH", marks, c.body, 200); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	// A span sent again and a new span do not change the marks.
	f.Keep(t, "project-a", published()[1:2], nil)
	f.Keep(t, "project-a", []domain.Observation{
		{TraceID: "mine", ID: "later", Type: "SPAN", ParentID: "root", StartTime: apitest.October + 2, Tags: []string{"late"}},
	}, nil)
	for path, want := range map[string][]string{
		"/api/public/traces/mine":             {`"tags":["new"]`, `"public":true`, `"bookmarked":true`},
		"/api/public/traces/mine?fields=core": {`"tags":["new"]`, `"public":true`, `"bookmarked":true`},
		"/api/public/traces?tags=new":         {`"id":"mine"`, `"tags":["new"]`, `"totalItems":1`},
		"/api/public/traces?tags=of+spans":    {`"id":"open"`, `"totalItems":1`},
		"/api/public/traces?filter=" +
			`%5B%7B%22type%22%3A%22boolean%22%2C%22column%22%3A%22bookmarked%22%2C%22operator%22%3A%22%3D%22%2C%22value%22%3Atrue%7D%5D`: {
			`"id":"mine"`, `"totalItems":1`,
		},
		"/api/public/v2/observations?fields=core&filter=" +
			`%5B%7B%22type%22%3A%22arrayOptions%22%2C%22column%22%3A%22tags%22%2C%22operator%22%3A%22any+of%22%2C%22value%22%3A%5B%22new%22%5D%7D%5D`: {`"id":"root"`, `"id":"step"`, `"id":"later"`},
		"/api/public/sessions/s": {`"tags":["new"]`, `"bookmarked":true`},
		"/api/public/v2/observations?traceId=mine&isRootObservation=true&fields=core,basic,trace_context": {
			`"tags":["new"]`, `"public":true`, `"bookmarked":true`,
		},
		"/api/public/v2/observations?parentObservationId=root&fields=core,basic,trace_context": {
			`"tags":["new"]`, `"public":true`, `"bookmarked":false`,
		},
	} {
		got := f.Ask(t, apitest.Scenario{Name: path, Method: "GET", Path: path})
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("%s: %s is missing in %s", path, part, got)
			}
		}
		if strings.Contains(got, `"late"`) || strings.Contains(path, "mine") && strings.Contains(got, "of spans") {
			t.Errorf("%s shows tags of spans: %s", path, got)
		}
	}
	for path, body := range map[string]string{"/traces/mine/tree": "", "/query/traces": `{"search":"mine"}`} {
		method := "GET"
		if body != "" {
			method = "POST"
		}
		if got := member.Ask(t, method, apitest.UIProject+path, body, 200); !strings.Contains(got, `"tags":["new"]`) ||
			!strings.Contains(got, `"public":true`) || !strings.Contains(got, `"bookmarked":true`) {
			t.Errorf("%s: %s", path, got)
		}
	}

	tagged := func(tag string) string {
		return `{"filter":[{"type":"arrayOptions","column":"tags","operator":"any of","value":["` + tag + `"]}]}`
	}
	for path, want := range map[string][2]string{
		"query/traces": {"mine/root", "open/root"}, "query/observations": {"mine/step mine/root mine/later", "open/root"},
	} {
		for n, tag := range []string{"new", "of spans"} {
			if got, _ := rowIDs(t, member.Ask(t, "POST", apitest.UIProject+"/"+path, tagged(tag), 200)); got != want[n] {
				t.Errorf("%s tagged %s: %s, want %s", path, tag, got, want[n])
			}
		}
	}
	if got := member.Ask(t, "POST", apitest.UIProject+"/query/count", tagged("new"), 200); !strings.Contains(got, `"count":3`) {
		t.Errorf("counted: %s", got)
	}

	many := strings.Repeat(`"x",`, 100) + `"x"`
	for body, message := range map[string]string{
		`{}`: "At least one field", `{"tags":"x"}`: "expected array", `{"tags":[1]}`: "expected string", `{"tags":[" "]}`: "Too small",
		`{"tags":["` + strings.Repeat("x", 201) + `"]}`: "Too big",
		`{"tags":[` + many + `]}`:                       "Too big", `{"public":"yes"}`: "expected boolean",
		`{"bookmarked":1}`: "expected boolean", `{"name":"x"}`: "nrecognized",
	} {
		if got := member.Ask(t, "PATCH", marks, body, 400); !strings.Contains(got, message) {
			t.Errorf("%.60s: %s", body, got)
		}
	}
	for _, id := range []string{"nowhere", strings.Repeat("x", 2000), "a%00b"} {
		member.Ask(t, "PATCH", apitest.UIProject+"/traces/"+id+"/marks", `{"public":true}`, 404)
	}
	log, err := apitest.OldestFirst(t.Context(), f.Catalog, domain.OfOrganization("org-a"))
	if err != nil {
		t.Fatal(err)
	}
	last := log[len(log)-1]
	if last.ResourceKind != "trace" || last.ResourceID != "mine" || last.Action != "update" ||
		last.Actor != (domain.Actor{Kind: "user", ID: user.ID}) ||
		string(last.After) != `{"bookmarked":true,"public":true,"tags":["new"]}` || last.Origin.RequestID == "" {
		t.Errorf("the last entry is %+v", last)
	}
}

// TestOwnComments changes and deletes comments, as their author and as others.
func TestOwnComments(t *testing.T) {
	f := apitest.New(t, nil)
	f.Keep(t, "project-a", apitest.Commented(), nil)
	writer := f.NewMember(t, "writer@a.test", domain.RoleMember)
	author, other := f.As(t, writer.ID), f.As(t, f.NewMember(t, "other@a.test", domain.RoleMember).ID)
	viewer, admin := f.As(t, f.NewMember(t, "viewer@a.test", domain.RoleViewer).ID),
		f.As(t, f.NewMember(t, "admin@a.test", domain.RoleAdmin).ID)
	write := func(more string) string {
		t.Helper()
		answer := author.Ask(t, "POST", apitest.UIProject+"/comments",
			`{"projectId":"p","objectType":"OBSERVATION","objectId":"o1","content":"first"`+more+`}`, 200)
		return apitest.UIProject + "/comments/" + strings.TrimSuffix(strings.TrimPrefix(answer, `{"id":"`), `"}`)
	}
	anchored := write(`,"dataField":"input","path":["messages","0","content"],"rangeStart":3,"rangeEnd":9`)
	const anchor = `"dataField":"input","path":["messages","0","content"],"rangeStart":3,"rangeEnd":9`
	if got := author.Ask(t, "GET", anchored, "", 200); !strings.Contains(got, anchor) {
		t.Errorf("the anchor is missing in %s", got)
	}
	plain := write("")
	if got := author.Ask(t, "GET", plain, "", 200); strings.Contains(got, "dataField") || strings.Contains(got, "range") {
		t.Errorf("a comment without a place: %s", got)
	}
	mention := "hello @[Name of other](user:" + writer.ID + ")"
	if got := author.Ask(t, "PATCH", anchored, `{"content":" `+mention+` "}`, 200); !strings.Contains(got, `"content":"`+mention+`"`) ||
		!strings.Contains(got, anchor) {
		t.Errorf("changed: %s", got)
	}
	for _, c := range []struct {
		who    *apitest.Browser
		method string
		status int
	}{
		{other, "PATCH", 403},
		{other, "DELETE", 403},
		{viewer, "PATCH", 403},
		{viewer, "DELETE", 403},
		{f.Browser(), "DELETE", 401},
		{admin, "PATCH", 403},
		{admin, "DELETE", 204},
	} {
		body := ""
		if c.method == "PATCH" {
			body = `{"content":"changed"}`
		}
		c.who.Ask(t, c.method, plain, body, c.status)
	}
	author.Ask(t, "GET", plain, "", 404)
	author.Ask(t, "PATCH", plain, `{"content":"again"}`, 404)
	author.Ask(t, "DELETE", plain, "", 404)
	author.Ask(t, "PATCH", strings.Replace(anchored, "project-a/", "project-a2/", 1), `{"content":"of another project"}`, 404)
	for _, body := range []string{
		`{}`, `{"content":" "}`, `{"content":"` + strings.Repeat("x", 5001) + `"}`, `{"content":"x","objectId":"o2"}`,
	} {
		author.Ask(t, "PATCH", anchored, body, 400)
	}
	author.Ask(t, "DELETE", anchored, "", 204)
	for _, more := range []string{
		`"dataField":"input"`, `"dataField":"title","path":[],"rangeStart":0,"rangeEnd":1`,
		`"dataField":"input","path":[],"rangeStart":2,"rangeEnd":2`,
		`"dataField":"input","path":[],"rangeStart":-1,"rangeEnd":2`, `"dataField":"input","path":"x","rangeStart":1,"rangeEnd":2`,
		`"dataField":"input","path":[` + strings.Repeat(`"x",`, 100) + `"x"],"rangeStart":1,"rangeEnd":2`,
		`"dataField":"input","path":["` + strings.Repeat("x", 1001) + `"],"rangeStart":1,"rangeEnd":2`,
		`"dataField":"input","path":[],"rangeStart":1,"rangeEnd":104857601`,
	} {
		author.Ask(t, "POST", apitest.UIProject+"/comments", `{"projectId":"p","objectType":"TRACE","objectId":"t1","content":"c",`+more+`}`, 400)
	}
	author.Ask(t, "POST", apitest.UIProject+"/comments", `{"projectId":"p","objectType":"SESSION","objectId":"s1","content":"c",`+anchor+`}`, 400)
}

// TestScoresNameTheirAuthors writes scores as people and as programs.
func TestScoresNameTheirAuthors(t *testing.T) {
	f := apitest.New(t, nil)
	f.Keep(t, "project-a", apitest.Commented(), nil)
	first, second := f.NewMember(t, "first@a.test", domain.RoleMember), f.NewMember(t, "second@a.test", domain.RoleMember)
	author := func(want string) {
		t.Helper()
		if got := f.StoredScores(t, "project-a", "s")["s"].AuthorUserID; got != want {
			t.Errorf("the author is %q, want %q", got, want)
		}
	}
	const score = `{"id":"s","traceId":"t1","name":"quality","value":1}`
	f.As(t, first.ID).Ask(t, "POST", apitest.UIProject+"/scores", score, 200)
	author(first.ID)
	f.As(t, second.ID).Ask(t, "POST", apitest.UIProject+"/scores", `[`+score+`]`, 202)
	author(second.ID)
	if got := f.Ask(t, apitest.Scenario{
		Name: "read", Method: "GET", Path: "/api/public/v3/scores?id=s&fields=details,annotation,subject",
	}); !strings.Contains(got, `"authorUserId":"ID"`) {
		t.Errorf("the author is missing in %s", got)
	}
	f.Ask(t, apitest.Post("scores", score))
	author("")
	f.As(t, first.ID).Ask(t, "POST", apitest.UIProject+"/scores", `{"id":"s","traceId":"t1","name":"quality","value":1,"authorUserId":"`+
		second.ID+`"}`, 200)
	author(first.ID)
}

// TestMarksOfMany checks that traces are bookmarked and tagged together, that the answer says what they were before, and
// that those which cannot be marked do not stop the others.
func TestMarksOfMany(t *testing.T) {
	f := apitest.New(t, nil)
	f.Keep(t, "project-a", published(), nil)
	f.Keep(t, "project-a2", []domain.Observation{{TraceID: "theirs", ID: "root", StartTime: apitest.October}}, nil)
	user := f.NewMember(t, "member@a.test", domain.RoleMember)
	member := f.As(t, user.ID)
	const many, one = apitest.UIProject + "/traces/marks", apitest.UIProject + "/traces/mine/marks"
	const missing = `"message":"There is no such trace in this project"`
	member.Ask(t, "PATCH", one, `{"bookmarked":false}`, 200)
	for _, c := range []struct{ name, body, want string }{
		{
			"added to those of spans", `{"traceIds":["mine","theirs","mine"],"addTags":["new"," a "]}`,
			`{"marked":[{"traceId":"mine","bookmarked":false,"tags":null}],"failed":[{"traceId":"theirs",` + missing + `}]}`,
		},
		{
			"removed, and bookmarked", `{"traceIds":["mine","other"],"removeTags":["a"],"bookmarked":true}`,
			`{"marked":[{"traceId":"mine","bookmarked":false,"tags":["a","new","of spans"]},` +
				`{"traceId":"other","bookmarked":null,"tags":null}],"failed":[]}`,
		},
		{
			"more tags than a trace can have", `{"traceIds":["mine"],"addTags":[` + manyTags(99) + `]}`,
			`{"marked":[],"failed":[{"traceId":"mine","message":"A trace can have at most 100 tags."}]}`,
		},
	} {
		if got := member.Ask(t, "POST", many, c.body, 200); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	// What the answer said undoes the change.
	if got := member.Ask(t, "PATCH", one, `{"bookmarked":true}`, 200); got !=
		`{"public":false,"bookmarked":true,"tags":["new","of spans"]}` {
		t.Error(got)
	}
	if got := member.Ask(t, "PATCH", one, `{"bookmarked":false,"tags":null}`, 200); got !=
		`{"public":false,"bookmarked":false,"tags":["of spans"]}` {
		t.Error(got)
	}
	for _, body := range []string{
		`{"traceIds":["mine"]}`, `{"traceIds":[],"bookmarked":true}`, `{"traceIds":["mine"],"addTags":[]}`,
		`{"traceIds":["mine"],"addTags":[" "]}`, `{"traceIds":["mine"],"bookmarked":null}`, `{"bookmarked":true}`,
		`{"traceIds":["mine"],"public":true}`, `{"traceIds":[` + manyTags(101) + `],"bookmarked":true}`,
	} {
		member.Ask(t, "POST", many, body, 400)
	}
	viewer := f.As(t, f.NewMember(t, "viewer@a.test", domain.RoleViewer).ID)
	viewer.Ask(t, "POST", many, `{"traceIds":["mine"],"bookmarked":true}`, 403)
	entries, err := apitest.OldestFirst(t.Context(), f.Catalog, domain.OfOrganization("org-a"))
	if err != nil {
		t.Fatal(err)
	}
	changes := 0
	for _, e := range entries {
		if e.ResourceKind == "trace" {
			changes++
		}
	}
	if changes != 5 { // a bookmark, tags of one, both of two, and what was undone
		t.Errorf("%d changes are in the audit log", changes)
	}
}

// manyTags returns n tags as items of an array.
func manyTags(n int) string {
	tags := make([]string, n)
	for i := range tags {
		tags[i] = fmt.Sprintf(`"tag %d"`, i)
	}
	return strings.Join(tags, ",")
}
