package httpapi

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/domain"
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
			TraceID: ids[0], ID: ids[1], Type: "GENERATION", Name: foreignMark, TraceName: foreignMark, Level: "ERROR", StatusMessage: foreignMark, StartTime: start, EndTime: start + 9_000_000,
			UserID: foreignMark, SessionID: foreignMark, Tags: []string{foreignMark}, Model: foreignMark, Version: foreignMark, Release: foreignMark, PromptName: foreignMark,
			Environment: foreignMark, Input: foreignMark, Output: foreignMark, Metadata: `{"` + foreignMark + `":"` + foreignMark + `","tenant":"` + foreignMark + `"}`,
			TotalCost: domain.FloatOf(7), TotalTokens: domain.IntOf(7), ToolNames: []string{foreignMark}, ToolCallNames: []string{foreignMark}, ExperimentName: foreignMark,
		})
		scores = append(scores,
			domain.Score{ID: ids[0] + ids[1], TraceID: ids[0], ObservationID: ids[1], Timestamp: start, Name: foreignMark, DataType: "CATEGORICAL", StringValue: foreignMark},
			domain.Score{ID: ids[0] + ids[1] + "2", TraceID: ids[0], Timestamp: start, Name: "mood", DataType: "CATEGORICAL", StringValue: foreignMark})
	}
	return rows, scores
}

// TestUIExploreSharedIDs makes every query about one project, as a person and with the project's key, in every way that
// could return rows of another project that the same person may see. The same queries find those rows in their own
// project.
func TestUIExploreSharedIDs(t *testing.T) {
	f, b := newExplored(t)
	rows, scores := foreignRows()
	f.keep(t, "project-a2", rows, scores)
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
	if onClickHouse() { // each takes a tenth of a second, and package storetest checks the isolation
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
		_, own := b.try(t, method, uiProject+"/"+path, body)
		counts := path == "query/histogram" || path == "query/count" && strings.Contains(body, foreignMark) // a has nothing at that time and of that name
		if strings.Contains(own, foreignMark) || counts && !strings.Contains(own, `"count":0`) || counts && someCount.MatchString(own) {
			t.Errorf("%s %s tells about another project: %s", path, body, own)
		}
	}
	for name, body := range queries {
		for _, s := range bodies {
			check("POST", name, body(s))
			if got := f.ask(t, post(name, body(s))); strings.Contains(got, foreignMark) {
				t.Errorf("%s %s with the key of the project: %s", name, body(s), got)
			}
		}
		if there := b.ask(t, "POST", "/api/ui/projects/project-a2/"+name, body(""), 200); !strings.Contains(there, foreignMark) && !someCount.MatchString(there) {
			t.Errorf("%s does not find the rows where they are: %s", name, there)
		}
	}
	for _, column := range []string{"name", "traceName", "model", "userId", "sessionId", "tags", "environment", "metadata", "metadata.tenant", "scores", "scores.mood"} {
		path := "suggest?prefix=" + foreignMark + "&column=" + url.QueryEscape(column)
		check("GET", path, "")
		if there := b.ask(t, "GET", "/api/ui/projects/project-a2/"+path, "", 200); !strings.Contains(there, foreignMark) {
			t.Errorf("%s does not find it where it is: %s", path, there)
		}
	}
	for _, path := range []string{
		"traces/t1/tree", "traces/t1/find?q=order", "observations/root/io/input?traceId=t1", "observations/root/io/metadata", "observations/call/io/input",
		"observations/root/detail?traceId=t1", "observations/root/detail", "observations/call/detail",
	} {
		check("GET", path, "")
	}
	for _, path := range []string{
		"traces/" + foreignMark + "/tree", "traces/" + foreignMark + "/find?q=" + foreignMark, "observations/" + foreignMark + "/io/input", "observations/" + foreignMark + "/detail",
		"observations/" + foreignMark + "/detail?traceId=" + foreignMark, "observations/call/detail?traceId=" + foreignMark,
	} {
		b.ask(t, "GET", uiProject+"/"+path, "", 404)
		b.ask(t, "GET", "/api/ui/projects/project-a2/"+path, "", 200)
	}
	if got := b.ask(t, "GET", uiProject+"/traces/t1/find?q="+foreignMark, "", 200); !strings.HasPrefix(got, `{"hits":[],"total":0`) {
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
