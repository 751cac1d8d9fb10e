package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
)

// foreignMark is in every string of the rows of the neighbouring project, which the same person may see as well as
// project a.
const foreignMark = "foreignmark"

var someCount = regexp.MustCompile(`"(count|selected)":[1-9]`)

// foreignRows returns rows with ids that also exist in project a and with ids of their own, newer and more expensive
// than those of a.
func foreignRows() ([]domain.Observation, []domain.Score) {
	var rows []domain.Observation
	var scores []domain.Score
	for _, ids := range [][2]string{{"t1", "root"}, {"t1", foreignMark}, {foreignMark, foreignMark}, {foreignMark, "call"}} {
		start := domain.Micros(1_790_000_500_000_000)
		rows = append(rows, domain.Observation{
			TraceID: ids[0], ID: ids[1], Type: "GENERATION", Name: foreignMark, TraceName: foreignMark, Level: "ERROR",
			StatusMessage: foreignMark, StartTime: start, EndTime: start + 9_000_000,
			UserID: foreignMark, SessionID: foreignMark, Tags: []string{foreignMark}, Model: foreignMark, Version: foreignMark,
			Release: foreignMark, PromptName: foreignMark,
			Environment: foreignMark, Input: foreignMark, Output: foreignMark, Metadata: `{"` + foreignMark + `":"` + foreignMark +
				`","tenant":"` + foreignMark + `"}`,
			TotalCost: domain.FloatOf(7), TotalTokens: domain.IntOf(7), ToolNames: []string{foreignMark},
			ToolCallNames: []string{foreignMark}, ExperimentName: foreignMark,
		})
		scores = append(scores,
			domain.Score{
				ID: ids[0] + ids[1], TraceID: ids[0], ObservationID: ids[1], Timestamp: start, Name: foreignMark, DataType: "CATEGORICAL",
				StringValue: foreignMark,
			},
			domain.Score{
				ID: ids[0] + ids[1] + "2", TraceID: ids[0], Timestamp: start, Name: "mood", DataType: "CATEGORICAL",
				StringValue: foreignMark,
			})
	}
	return rows, scores
}

// TestUIExploreSharedIDs makes every query about one project, as a person and with the project's key, in every way that
// could return rows of another project that the same person may see. The same queries find those rows in their own
// project.
func TestUIExploreSharedIDs(t *testing.T) {
	f, b := apitest.NewExplored(t)
	rows, scores := foreignRows()
	f.Keep(t, "project-a2", rows, scores)
	columns := `["name","traceName","model","userId","sessionId","tags","environment","version","release","promptName","statusMessage","toolNames","calledToolNames","experimentName","metadata.tenant"]`
	bodies := []string{
		``, `"search":"` + foreignMark + `"`, `"search":"t1"`, `"environment":["` + foreignMark + `"]`,
		`"filter":[{"type":"string","column":"name","operator":"contains","value":"` + foreignMark + `"}]`,
		`"filter":[{"type":"string","column":"traceId","operator":"=","value":"` + foreignMark + `"}]`,
		`"filter":[{"type":"stringObject","column":"metadata","key":"tenant","operator":"=","value":"` + foreignMark + `"}]`,
		`"filter":[{"type":"categoryOptions","column":"scores","key":"mood","operator":"any of","value":["` + foreignMark + `"]}]`,
		`"filter":[{"type":"arrayOptions","column":"scoreNames","operator":"any of","value":["` + foreignMark + `"]}]`,
		`"filter":[{"type":"arrayOptions","column":"scoreNames","operator":"none of","value":["quality"]}]`,
	}
	if apitest.OnClickHouse() { // each takes a tenth of a second, and package storetest checks the isolation
		bodies = bodies[:4]
	}
	join := func(parts ...string) string {
		var some []string
		for _, p := range parts {
			if p != "" {
				some = append(some, p)
			}
		}
		return "{" + strings.Join(some, ",") + "}"
	}
	queries := map[string]func(selection string) string{
		"query/observations": func(s string) string { return join(s, `"scores":true,"metadataKeys":["tenant","`+foreignMark+`"]`) },
		"query/traces": func(s string) string {
			return join(s, `"scores":true,"metadataKeys":["tenant"],"order":{"column":"totalCost"}`)
		},
		"query/sessions":    func(s string) string { return join(withoutSearch(s)) },
		"query/users":       func(s string) string { return join(withoutSearch(s), `"order":{"column":"totalCost"}`) },
		"query/count":       func(s string) string { return join(s, `"of":"traces"`) },
		"query/facets":      func(s string) string { return join(s, `"columns":`+columns) },
		"query/histogram":   func(s string) string { return join(s, `"from":"2026-09-21T14:20:00Z","to":"2026-09-21T14:30:00Z"`) },
		"query/groups":      func(s string) string { return join(s, `"by":"userId"`) },
		"query/differences": func(s string) string { return `{"selection":` + join(s) + `,"baseline":{}}` },
	}
	// check checks that the response to a query about project a contains nothing of the neighbouring project.
	check := func(method, path, body string) {
		t.Helper()
		_, own := b.Try(t, method, apitest.UIProject+"/"+path, body)
		// a has nothing at that time and of that name
		counts := path == "query/histogram" || path == "query/count" && strings.Contains(body, foreignMark)
		if strings.Contains(own, foreignMark) || counts && !strings.Contains(own, `"count":0`) || counts && someCount.MatchString(own) {
			t.Errorf("%s %s tells about another project: %s", path, body, own)
		}
	}
	for name, body := range queries {
		for _, s := range bodies {
			check("POST", name, body(s))
			if got := f.Ask(t, apitest.Post(name, body(s))); strings.Contains(got, foreignMark) {
				t.Errorf("%s %s with the key of the project: %s", name, body(s), got)
			}
		}
		if there := b.Ask(t, "POST", "/api/ui/projects/project-a2/"+name, body(""), 200); !strings.Contains(there, foreignMark) &&
			!someCount.MatchString(there) {
			t.Errorf("%s does not find the rows where they are: %s", name, there)
		}
	}
	for _, column := range []string{
		"name", "traceName", "model", "userId", "sessionId", "tags", "environment", "metadata", "metadata.tenant", "scores", "scores.mood",
	} {
		path := "suggest?prefix=" + foreignMark + "&column=" + url.QueryEscape(column)
		check("GET", path, "")
		if there := b.Ask(t, "GET", "/api/ui/projects/project-a2/"+path, "", 200); !strings.Contains(there, foreignMark) {
			t.Errorf("%s does not find it where it is: %s", path, there)
		}
	}
	for _, path := range []string{
		"traces/t1/tree", "traces/t1/find?q=order", "observations/root/io/input?traceId=t1", "observations/root/io/metadata",
		"observations/call/io/input",
		"observations/root/detail?traceId=t1", "observations/root/detail", "observations/call/detail",
	} {
		check("GET", path, "")
	}
	for _, path := range []string{
		"traces/" + foreignMark + "/tree", "traces/" + foreignMark + "/find?q=" + foreignMark, "observations/" + foreignMark + "/io/input",
		"observations/" + foreignMark + "/detail",
		"observations/" + foreignMark + "/detail?traceId=" + foreignMark, "observations/call/detail?traceId=" + foreignMark,
	} {
		b.Ask(t, "GET", apitest.UIProject+"/"+path, "", 404)
		b.Ask(t, "GET", "/api/ui/projects/project-a2/"+path, "", 200)
	}
	if got := b.Ask(t, "GET", apitest.UIProject+"/traces/t1/find?q="+foreignMark, "", 200); !strings.HasPrefix(got, `{"hits":[],"total":0`) {
		t.Errorf("find tells about another project: %s", got)
	}
}

// withoutSearch removes a search string that is not part of an id.
func withoutSearch(selection string) string {
	if selection == `"search":"t1"` {
		return ""
	}
	return selection
}

// TestUIExploreIsolation queries one project for rows that exist only in another of the same organization.
func TestUIExploreIsolation(t *testing.T) {
	f := apitest.New(t, nil)
	a := apitest.NewBelongingsOfA(t, f)
	rows := []domain.Observation{{
		TraceID: "canary-trace", ID: "canary-text", StartTime: 1, Name: "canary of the store", Input: "canary of the store",
		Metadata: `{"canary-key":"canary of the store"}`,
		UserID:   "canary of the store", SessionID: "canary of the store", Tags: []string{"canary of the store"},
	}, {TraceID: "other", ID: "other", StartTime: 1, Name: "something else"}, {
		TraceID: "recent", ID: "recent", StartTime: domain.MicrosOf(time.Now()), Name: "canary of the store", PromptName: "canary-prompt",
		ExperimentID: "canary-run", ExperimentName: "canary",
	}}
	f.Keep(t, "project-a", rows, []domain.Score{
		{ID: "canary-score", TraceID: "canary-trace", Timestamp: 1, Name: "canary", DataType: domain.ScoreNumeric, Value: domain.FloatOf(1)},
	})
	owner := f.As(t, f.NewMember(t, "owner@a.test", domain.RoleOwner).ID)
	const everything = `"search":"canary of the store"`
	bodies := map[string]string{
		"query/observations": `{` + everything + `,"metadataKeys":["canary-key"],"scores":true}`,
		"query/traces":       `{` + everything + `,"scores":true}`, "query/sessions": `{}`, "query/users": `{}`,
		"query/count": `{}`, "deletions": `{` + everything + `}`, "query/scores": `{"order":{"column":"value"}}`,
		"query/facets": `{"columns":["name","tags","userId","sessionId","metadata.canary-key"]}`, "query/histogram": `{}`,
		"query/annotation-queues": `{"search":"canary"}`,
		"query/prompts":           `{"search":"canary"}`, "query/datasets": `{"search":"canary"}`,
		"query/experiments": `{"search":"canary"}`, "query/prompt-uses": `{"names":["canary-prompt"]}`,
		"query/groups": `{"by":"name"}`, "query/differences": `{"selection":{` + everything + `},"baseline":{}}`,
		"suggest": "?column=name", "traces/{traceId}/tree": "", "traces/{traceId}/find": "?q=canary",
		"observations/{observationId}/io/{field}": "", "observations/{observationId}/detail": "",
	}
	empty := map[string]bool{"query/count": true, "deletions": true, "query/histogram": true}
	ids := strings.NewReplacer("{traceId}", "canary-trace", "{observationId}", "canary-text", "{field}", "input")
	asked := 0
	for _, rt := range f.UIRoutes() {
		name := strings.TrimPrefix(rt.Path(), "/api/ui/projects/{projectId}/")
		sent, known := bodies[name]
		if known {
			asked++
		} else if !strings.HasPrefix(name, "query/") && name != "suggest" &&
			!slices.ContainsFunc(f.ExploreRoutes(), func(other httpapi.Route) bool { return other.Path() == rt.Path() }) {
			continue
		}
		if !known {
			t.Errorf("%s: this test does not ask for it", name)
			continue
		}
		ask := func(project string) string {
			path, body := "/api/ui/projects/"+project+"/"+ids.Replace(name), sent
			if rt.Method() == "GET" {
				path, body = path+sent, ""
			}
			_, answer := owner.Try(t, rt.Method(), path, body)
			return answer
		}
		a.CheckHidden(t, ask("project-a2"))
		if mine := ask("project-a"); !strings.Contains(mine, "canary") && !empty[name] {
			t.Errorf("%s: nothing to be hidden was found at home: %s", name, mine)
		}
		if theirs := ask("project-a2"); strings.Contains(theirs, `"count":1`) || strings.Contains(theirs, `"count":2`) ||
			strings.Contains(theirs, `"count":3`) || strings.Contains(theirs, `"traces":1`) {
			t.Errorf("%s: rows of another project were counted: %s", name, theirs)
		}
	}
	if asked != len(bodies) {
		t.Errorf("%d of %d routes were asked", asked, len(bodies))
	}
	for _, column := range []string{"metadata.canary-key", "name", "scores", "userId"} {
		a.CheckHidden(t, owner.Ask(t, "GET", "/api/ui/projects/project-a2/suggest?column="+column, "", 200))
	}
}

// TestUICookies: the cookie gives no access to the public API, and keys give no access to the routes for people.
func TestUICookies(t *testing.T) {
	f := apitest.New(t, nil)
	b := f.As(t, f.NewMember(t, "ada@example.org", domain.RoleOwner).ID)
	for _, rt := range f.Routes() {
		if rt.Access().Kind() == "anyone" {
			continue
		}
		w := httptest.NewRecorder()
		f.ServeHTTP(w, b.Request(strings.Replace(rt.Method(), httpapi.AnyMethod, "GET", 1), strings.ReplaceAll(rt.Path(), "{projectId}", "project-a"),
			""))
		if w.Code != http.StatusUnauthorized {
			t.Errorf("%s %s with a cookie: %d %s", rt.Method(), rt.Path(), w.Code, w.Body)
		}
	}
	stranger := f.Browser()
	stranger.Header = map[string]string{"Authorization": apitest.BasicHeader(apitest.Keys["project"].PublicKey, apitest.Keys["project"].SecretKey)}
	stranger.Ask(t, "GET", "/api/ui/projects/project-a/v2/observations", "", 401)
	b.Ask(t, "GET", "/api/ui/projects/project-a/v2/observations", "", 200)
}
