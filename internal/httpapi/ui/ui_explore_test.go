package ui_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

// rowIDs returns the ids of the rows of a response, and its cursor.
func rowIDs(t *testing.T, answer string) (ids, cursor string) {
	t.Helper()
	var page struct {
		Rows   []struct{ ID, TraceID string }
		Cursor *string
	}
	if err := json.Unmarshal([]byte(answer), &page); err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, r := range page.Rows {
		list = append(list, strings.TrimPrefix(r.TraceID+"/"+r.ID, "/"))
	}
	if page.Cursor != nil {
		cursor = *page.Cursor
	}
	return strings.Join(list, " "), cursor
}

func TestUIQueryObservations(t *testing.T) {
	_, b := apitest.NewExplored(t)
	path := apitest.UIProject + "/query/observations"
	for _, c := range []struct{ name, body, want string }{
		{"newest first", `{}`, "t3/circle t3/orphan t2/root t1/tool t1/call t1/root"},
		{"a time range", `{"from":"2026-09-21T14:13:22Z","to":"2026-09-21T14:14:20Z"}`, "t1/tool"},
		{"an environment", `{"environment":["staging"]}`, "t2/root"},
		{"the environment of rows without one", `{"environment":["default"]}`, "t3/circle t3/orphan"},
		{"a filter", `{"filter":[{"type":"stringOptions","column":"level","operator":"any of","value":["ERROR"]}]}`, "t1/tool"},
		{
			"a filter on the start", `{"filter":[{"type":"datetime","column":"startTime","operator":"<","value":"2026-09-21T14:13:21Z"}]}`,
			"t1/root",
		},
		{"words of an input", `{"search":"QUESTION"}`, "t2/root"},
		{"words of an output", `{"search":"the needle"}`, "t1/tool"},
		{"a part of a word", `{"search":"needl"}`, ""},
		{"a name", `{"search":"lookup"}`, "t1/tool"},
		{"an id of a trace", `{"search":"t3"}`, "t3/circle t3/orphan"},
		{"an id of a user", `{"search":"ann"}`, "t1/tool t1/call t1/root"},
		{"the oldest", `{"order":{"column":"startTime","direction":"asc"},"limit":2}`, "t1/root t1/call"},
		{"the slowest", `{"order":{"column":"latency"},"limit":2}`, "t1/root t2/root"},
		{"the fastest", `{"order":{"column":"latency","direction":"asc"}}`, "t2/root t1/tool t1/call t1/root t3/circle t3/orphan"},
		{"the most expensive", `{"order":{"column":"totalCost"},"limit":1}`, "t1/call"},
		{"the longest", `{"order":{"column":"totalTokens"},"limit":1}`, "t1/call"},
	} {
		if got, _ := rowIDs(t, b.Ask(t, "POST", path, c.body, 200)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	got := b.Ask(t, "POST", path,
		`{"metadataKeys":["tenant","a.b","none"],"scores":true,"filter":[{"type":"string","column":"traceId","operator":"=","value":"t1"}]}`, 200)
	for _, want := range []string{
		`"inputPreview":"where is my 当 order?"`, `"outputPreview":"On its way"`, `"metadata":{"a.b":"[1,2]","tenant":"acme"}`,
		`"scores":{"mood":"good","quality":0.5}`,
		`"statusMessage":"no such order"`, `"latency":4,`, `"usage":{"input":10,"output":5,"total":15},"totalCost":0.25`, `"tags":["beta"]`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
}

// TestUIQueryPages reads lists page by page in every order: together the pages equal one large page.
func TestUIQueryPages(t *testing.T) {
	f, b := apitest.NewExplored(t)
	var rows []domain.Observation
	for n := range 40 { // long traces that overlap, many with the same start and the same figures
		start := domain.Micros(1_791_000_000_000_000 + int64(n%7)*1000)
		for i := range 3 {
			rows = append(rows, domain.Observation{
				TraceID: fmt.Sprint("many-", n), ID: strconv.Itoa(i), StartTime: start + domain.Micros(i*n*100_000),
				EndTime: start + domain.Micros(i*(n%5)*100_000) + 1000,
				UserID:  fmt.Sprint("user-", n%11), SessionID: fmt.Sprint("session-", n%13), TotalCost: domain.FloatOf(float64(n % 4)),
				TotalTokens: domain.IntOf(int64(n % 3)), Level: []string{"", "", "ERROR"}[n%3],
			})
		}
	}
	f.Keep(t, "project-a", rows, nil)
	limit := 3
	if testing.Short() {
		limit = 25
	}
	errorsOnly := `,"filter":[{"type":"string","column":"level","operator":"=","value":"ERROR"}]`
	for path, columns := range map[string][]string{
		"observations": {
			"startTime", "latency", "totalCost", "totalTokens",
		}, "traces": {"startTime", "latency", "totalCost", "totalTokens"},
		"sessions": {"lastSeen", "totalCost", "traces", "totalTokens"}, "users": {"lastSeen", "totalCost", "traces", "totalTokens"},
	} {
		for _, column := range columns {
			for _, direction := range []string{"asc", "desc"} {
				for _, more := range []string{"", errorsOnly} {
					if apitest.OnClickHouse() && (direction == "asc") == (more == "") { // half of them: each takes a tenth of a second
						continue
					}
					query := `"order":{"column":"` + column + `","direction":"` + direction + `"}` + more
					whole, none := rowIDs(t, b.Ask(t, "POST", apitest.UIProject+"/query/"+path, `{"limit":200,`+query+`}`, 200))
					if none != "" || whole == "" {
						t.Fatalf("%s by %s: all are %q, and then %s", path, query, whole, none)
					}
					var parts []string
					for cursor := ""; len(parts) < 100; {
						part, next := rowIDs(t,
							b.Ask(t, "POST", apitest.UIProject+"/query/"+path, fmt.Sprintf(`{"limit":%d,"cursor":%q,%s}`, limit, cursor, query),
								200))
						parts = append(parts, part)
						if cursor = next; cursor == "" {
							break
						}
					}
					if got := strings.Join(parts, " "); got != whole {
						t.Errorf("%s by %s: in pages %s\nat once %s", path, query, got, whole)
					}
				}
			}
		}
	}
}

func TestUIQueryTraces(t *testing.T) {
	_, b := apitest.NewExplored(t)
	path := apitest.UIProject + "/query/traces"
	for _, c := range []struct{ name, body, want string }{
		{"newest first", `{}`, "t3/orphan t2/root t1/root"},
		{"one observation is enough", `{"filter":[{"type":"string","column":"level","operator":"=","value":"ERROR"}]}`, "t1/root"},
		{"roots only", `{"filter":[{"type":"boolean","column":"isRootObservation","operator":"=","value":true}]}`, "t2/root t1/root"},
		{"the oldest", `{"order":{"column":"startTime","direction":"asc"},"limit":1}`, "t1/root"},
		{"the slowest", `{"order":{"column":"latency"}}`, "t1/root t3/orphan t2/root"},
		{"the most expensive", `{"order":{"column":"totalCost"},"limit":1}`, "t1/root"},
		{"nothing", `{"search":"nowhere"}`, ""},
	} {
		if got, _ := rowIDs(t, b.Ask(t, "POST", path, c.body, 200)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	got := b.Ask(t, "POST", path, `{"scores":true,"search":"t1"}`, 200)
	for _, want := range []string{
		`"observations":3`, `"errors":1`, `"totalTokens":15`, `"totalCost":0.25`, `"latency":4,`, `"hasRoot":true`, `"tags":["beta"]`,
		`"traceName":"checkout"`,
		`"mood":"good"`, `"quality":0.5`, `"inputPreview":"where is my`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
	if got := b.Ask(t, "POST", path, `{"search":"t3"}`, 200); !strings.Contains(got, `"hasRoot":false`) ||
		!strings.Contains(got, `"observations":2`) {
		t.Errorf("without a root: %s", got)
	}
}

// TestUIFound asks where the text of a search was found: in the observation itself, or in one of the trace.
func TestUIFound(t *testing.T) {
	_, b := apitest.NewExplored(t)
	for _, c := range []struct{ kind, search, want string }{
		{
			"observations", "NEEDLE",
			`"found":{"observationId":"tool","name":"lookup","type":"TOOL","field":"output","before":"the ","text":"needle","after":""}`,
		},
		{
			"traces", "the Needle",
			`"found":{"observationId":"tool","name":"lookup","type":"TOOL","field":"output","before":"","text":"the needle","after":""}`,
		},
		{
			"traces", "my", // a decoded string of JSON, of the observation that stands for the trace
			`"found":{"observationId":"root","name":"checkout","type":"AGENT","field":"input","before":"where is ","text":"my","after":" 当 order?"}`,
		},
		{"traces", "lookup", `"found":{"observationId":"tool","name":"lookup","type":"TOOL","field":"name","before":"","text":"lookup","after":""}`},
		{"observations", "t3", `"found":{"observationId":"circle","name":"round","type":"SPAN","field":"traceId","before":"","text":"t3","after":""}`},
	} {
		for _, order := range []string{"startTime", "totalCost"} {
			body := fmt.Sprintf(`{"search":%q,"order":{"column":%q},"conditionsOn":%q}`, c.search, order, c.kind)
			if got := b.Ask(t, "POST", apitest.UIProject+"/query/"+c.kind, body, 200); !strings.Contains(got, c.want) {
				t.Errorf("%s with %q by %s: %s, want %s", c.kind, c.search, order, got, c.want)
			}
		}
	}
	for _, kind := range []string{"observations", "traces"} {
		if got := b.Ask(t, "POST", apitest.UIProject+"/query/"+kind, `{}`, 200); strings.Contains(got, "found") {
			t.Errorf("%s without a search: %s", kind, got)
		}
	}
}

func TestUIQueryOwners(t *testing.T) {
	_, b := apitest.NewExplored(t)
	sessions, users := apitest.UIProject+"/query/sessions", apitest.UIProject+"/query/users"
	want := `{"rows":[{"id":"s1","firstSeen":"2026-09-21T14:13:20.000Z","lastSeen":"2026-09-21T14:14:20.000Z","duration":61,"traces":2,"observations":4,"totalCost":0.25,"inputCost":0,"outputCost":0,"totalTokens":15,"inputTokens":10,"outputTokens":5,"errors":1,"scores":null,"users":["ann","bob"],"environment":"production"}],"cursor":null}`
	if got := b.Ask(t, "POST", sessions, `{}`, 200); got != want {
		t.Errorf("sessions: %s", got)
	}
	if got := b.Ask(t, "POST", sessions, `{"environment":["staging"]}`, 200); !strings.Contains(got, `"observations":1,`) {
		t.Errorf("a session in one environment: %s", got)
	}
	if got := b.Ask(t, "POST", sessions, `{"search":"1","filter":[{"type":"string","column":"level","operator":"=","value":"ERROR"}]}`,
		200); got != want {
		t.Errorf("sessions with an error: %s", got)
	}
	for body, want := range map[string]string{
		`{}`: "bob ann", `{"order":{"column":"totalCost"}}`: "ann bob", `{"order":{"column":"lastSeen","direction":"asc"}}`: "ann bob",
		`{"order":{"column":"traces"}}`: "bob ann", `{"search":"o"}`: "bob", `{"search":"O"}`: "",
		`{"filter":[{"type":"string","column":"name","operator":"=","value":"llm"}]}`: "ann",
	} {
		if got, _ := rowIDs(t, b.Ask(t, "POST", users, body, 200)); got != want {
			t.Errorf("users by %s: %s, want %s", body, got, want)
		}
	}
	if got := b.Ask(t, "POST", users, `{"search":"bob"}`, 200); !strings.Contains(got,
		`"traces":2,"observations":2,"totalCost":0,"inputCost":0,"outputCost":0,"totalTokens":0,"inputTokens":0,"outputTokens":0,"errors":0,"scores":null,"sessions":1}`) {
		t.Errorf("a user: %s", got)
	}
}

func TestUIQueryCounts(t *testing.T) {
	_, b := apitest.NewExplored(t)
	for _, c := range []struct{ path, body, want string }{
		{"count", `{}`, `{"count":6,"exact":true}`},
		{"count", `{"of":"traces"}`, `{"count":3,"exact":true}`},
		{"count", `{"of":"traces","search":"root"}`, `{"count":2,"exact":true}`},
		{"count", `{"search":"question"}`, `{"count":1,"exact":true}`},
		{
			"facets", `{"columns":["type","level","tags","isRoot","metadata.tenant"],"limit":2}`,
			`{"facets":{"isRoot":[{"value":"false","count":4},{"value":"true","count":2}],"level":[{"value":"ERROR","count":1}],"metadata.tenant":[{"value":"acme","count":1}],"tags":[{"value":"beta","count":1}],"type":[{"value":"AGENT","count":2},{"value":"SPAN","count":2}]},"partial":false}`,
		},
		{
			"facets", `{"columns":["type","name"],"filter":[{"type":"string","column":"name","operator":"=","value":"llm"}]}`,
			`{"facets":{"name":[{"value":"checkout","count":2},{"value":"late","count":1},{"value":"llm","count":1},{"value":"lookup","count":1},{"value":"round","count":1}],"type":[{"value":"GENERATION","count":1}]},"partial":false}`,
		},
		{
			"histogram", `{"from":"2026-09-21T14:13:00Z","to":"2026-09-21T14:16:00Z","buckets":3}`,
			`{"start":"2026-09-21T14:13:00.000Z","step":60000,"buckets":[{"count":3,"errors":1},{"count":1,"errors":0},{"count":2,"errors":0}],"partial":false}`,
		},
		{
			"histogram", `{"buckets":2,"search":"checkout"}`,
			`{"start":"2026-09-21T14:12:00.000Z","step":120000,"buckets":[{"count":1,"errors":0},{"count":1,"errors":0}],"partial":false}`,
		},
		{"histogram", `{"to":"2020-01-01T00:00:00Z"}`, `{"start":"1970-01-01T00:00:00.000Z","step":1,"buckets":[],"partial":false}`},
		{
			"groups", `{"by":"name","limit":1}`,
			`{"groups":[{"value":"checkout","count":2,"errors":0,"p50":2.5,"p95":3.8499999999999996,"totalCost":0,"totalTokens":0}],"partial":false}`,
		},
		{
			"groups", `{"by":"metadata.tenant"}`,
			`{"groups":[{"value":"acme","count":1,"errors":0,"p50":4,"p95":4,"totalCost":0,"totalTokens":0}],"partial":false}`,
		},
		{
			"groups", `{"by":"isRoot","search":"t1"}`,
			`{"groups":[{"value":"false","count":2,"errors":1,"p50":1,"p95":1,"totalCost":0.25,"totalTokens":15},{"value":"true","count":1,"errors":0,"p50":4,"p95":4,"totalCost":0,"totalTokens":0}],"partial":false}`,
		},
	} {
		if got := b.Ask(t, "POST", apitest.UIProject+"/query/"+c.path, c.body, 200); got != c.want {
			t.Errorf("%s %s: %s\nwant %s", c.path, c.body, got, c.want)
		}
	}
	got := b.Ask(t, "POST", apitest.UIProject+"/query/differences",
		`{"selection":{"filter":[{"type":"string","column":"level","operator":"=","value":"ERROR"}]},"baseline":{}}`, 200)
	if !strings.HasPrefix(got,
		`{"selected":1,"baseline":6,"differences":[{"column":"name","value":"lookup","count":1,"baselineCount":1,"share":1,"baselineShare":0.16666666666666666,"lift":6}`) {
		t.Errorf("differences: %s", got)
	}
	if strings.Contains(got, `"column":"level"`) {
		t.Errorf("differences tell what was asked for: %s", got)
	}
	for query, want := range map[string]string{
		"column=name&prefix=l":            `{"values":[{"value":"late","count":1},{"value":"llm","count":1},{"value":"lookup","count":1}]}`,
		"column=name&limit=1":             `{"values":[{"value":"checkout","count":2}]}`,
		"column=tags&prefix=be":           `{"values":[{"value":"beta","count":1}]}`,
		"column=metadata":                 `{"values":[{"value":"a.b","count":1},{"value":"tenant","count":1}]}`,
		"column=metadata.tenant&prefix=a": `{"values":[{"value":"acme","count":1}]}`,
		"column=scores":                   `{"values":[{"value":"mood","count":1},{"value":"quality","count":1}]}`,
		"column=scores.mood&prefix=g":     `{"values":[{"value":"good","count":1}]}`, "column=scores.quality": `{"values":[]}`,
		"column=scores&prefix=q": `{"values":[{"value":"quality","count":1}]}`, "column=userId&prefix=zz": `{"values":[]}`,
	} {
		if got := b.Ask(t, "GET", apitest.UIProject+"/suggest?"+query, "", 200); got != want {
			t.Errorf("%s: %s\nwant %s", query, got, want)
		}
	}
}

// TestUIQueryByScores searches rows by their scores: an observation has its own and those of its trace, a trace has all
// scores within it.
func TestUIQueryByScores(t *testing.T) {
	f, b := apitest.NewExplored(t)
	f.Keep(t, "project-a", nil, []domain.Score{
		{ID: "3", TraceID: "t2", Timestamp: 2, Name: "quality", DataType: "NUMERIC", Value: domain.FloatOf(0.9)},
		{ID: "4", TraceID: "t2", Timestamp: 2, Name: "quality", DataType: "NUMERIC", Value: domain.FloatOf(0.1)},
		{
			ID: "5", TraceID: "t3", ObservationID: "orphan", Timestamp: 2, Name: "safe", DataType: "BOOLEAN", Value: domain.FloatOf(1),
			StringValue: "True",
		},
		{
			ID: "6", TraceID: "t3", ObservationID: "circle", Timestamp: 2, Name: "safe", DataType: "BOOLEAN", Value: domain.FloatOf(0),
			StringValue: "False",
		},
		{ID: "7", TraceID: "t1", ObservationID: "tool", Timestamp: 2, Name: "quality", DataType: "CORRECTION", StringValue: "better"},
		{ID: "8", SessionID: "s1", Timestamp: 2, Name: "quality", DataType: "NUMERIC", Value: domain.FloatOf(7)},
		{
			ID: "9", TraceID: "t2", ObservationID: "call", Timestamp: 2, Name: "other", DataType: "TEXT",
			StringValue: "an id that t1 has, too",
		},
	})
	f.Keep(t, "project-b", nil, []domain.Score{
		{ID: "3", TraceID: "t3", Timestamp: 2, Name: "quality", DataType: "NUMERIC", Value: domain.FloatOf(7)},
	})
	score := func(typ, name, operator, value string) string {
		return `{"type":"` + typ + `","column":"scores","key":"` + name + `","operator":"` + operator + `","value":` + value + `}`
	}
	names := func(operator, list string) string {
		return `{"type":"arrayOptions","column":"scoreNames","operator":"` + operator + `","value":[` + list + `]}`
	}
	for _, c := range []struct{ name, filter, observations, traces string }{
		{"more than a number", score("numberObject", "quality", ">", "0.4"), "t2/root t1/call", "t2/root t1/root"},
		{"less than any", score("numberObject", "quality", "<", "0"), "", ""},
		{
			"one score between two numbers", score("numberObject", "quality", ">", "0.4") + "," +
				score("numberObject", "quality", "<", "0.8"), "t1/call", "t1/root",
		},
		{
			"a score and a column", score("numberObject", "quality", ">", "0.4") +
				`,{"type":"string","column":"level","operator":"=","value":"ERROR"}`, "", "t1/root",
		},
		{
			"two names", score("numberObject", "quality", "=", "0.5") + "," + score("categoryOptions", "mood", "any of", `["good"]`),
			"t1/call", "t1/root",
		},
		{"a category of the trace", score("categoryOptions", "mood", "any of", `["bad","good"]`), "t1/tool t1/call t1/root", "t1/root"},
		{"no such category", score("categoryOptions", "mood", "none of", `["good"]`), "t3/circle t3/orphan t2/root", "t3/orphan t2/root"},
		{
			"none of no category", score("categoryOptions", "mood", "none of", `[]`), "t3/circle t3/orphan t2/root t1/tool t1/call t1/root",
			"t3/orphan t2/root t1/root",
		},
		{"true", score("booleanObject", "safe", "=", "true"), "t3/orphan", "t3/orphan"},
		{"not true", score("booleanObject", "safe", "<>", "true"), "t3/circle t2/root t1/tool t1/call t1/root", "t2/root t1/root"},
		{"a part of a text", score("stringObject", "safe", "contains", `"als"`), "t3/circle", "t3/orphan"},
		{
			"not a part of a text", score("stringObject", "safe", "does not contain", `"als"`), "t3/orphan t2/root t1/tool t1/call t1/root",
			"t2/root t1/root",
		},
		{"a name", names("any of", `"safe","mood"`), "t3/circle t3/orphan t1/tool t1/call t1/root", "t3/orphan t1/root"},
		{"all names", names("all of", `"quality","mood"`), "t1/call", "t1/root"},
		{"no name", names("none of", `"quality"`), "t3/circle t3/orphan t1/tool t1/root", "t3/orphan"},
		{"a name that is nowhere", names("any of", `"missing"`), "", ""},
		{
			"none of a name that is nowhere", names("none of", `"missing"`), "t3/circle t3/orphan t2/root t1/tool t1/call t1/root",
			"t3/orphan t2/root t1/root",
		},
		{
			"any score", `{"type":"null","column":"scores","operator":"is not null"}`,
			"t3/circle t3/orphan t2/root t1/tool t1/call t1/root", "t3/orphan t2/root t1/root",
		},
		{"no score", `{"type":"null","column":"scores","operator":"is null"}`, "", ""},
	} {
		query := `{"filter":[` + c.filter + `]`
		if got, _ := rowIDs(t, b.Ask(t, "POST", apitest.UIProject+"/query/observations", query+"}", 200)); got != c.observations {
			t.Errorf("%s: %s, want %s", c.name, got, c.observations)
		}
		if got, _ := rowIDs(t, b.Ask(t, "POST", apitest.UIProject+"/query/traces", query+"}", 200)); got != c.traces {
			t.Errorf("traces with %s: %s, want %s", c.name, got, c.traces)
		}
		for of, list := range map[string]string{"observations": c.observations, "traces": c.traces} {
			want := fmt.Sprintf(`{"count":%d,"exact":true}`, len(strings.Fields(list)))
			if got := b.Ask(t, "POST", apitest.UIProject+"/query/count", query+`,"of":"`+of+`"}`, 200); got != want {
				t.Errorf("%s with %s: %s, want %s", of, c.name, got, want)
			}
		}
	}
	// Rows scored long before the time range are not searched for.
	after := `{"from":"2026-09-21T00:00:00Z","filter":[` + score("numberObject", "quality", ">", "0.4") + `]}`
	if got, _ := rowIDs(t, b.Ask(t, "POST", apitest.UIProject+"/query/observations", after, 200)); got != "" {
		t.Errorf("scored before: %s", got)
	}
	for _, wrong := range []string{
		score("categoryOptions", "mood", "any of", `[]`), score("stringObject", "safe", "matches", `"x"`),
		score("datetime", "safe", ">", `"2026-09-21T00:00:00Z"`),
		`{"type":"number","column":"scores","operator":"=","value":1}`,
		`{"type":"string","column":"scoreNames","operator":"=","value":"x"}`,
		`{"type":"numberObject","column":"scoreNames","key":"x","operator":"=","value":1}`,
	} {
		b.Ask(t, "POST", apitest.UIProject+"/query/observations", `{"filter":[`+wrong+`]}`, 400)
	}
	safe := `"filter":[` + score("booleanObject", "safe", "=", "true") + `]}`
	for _, c := range []struct{ path, body, want string }{
		{"facets", `{"columns":["name"],` + safe, `{"facets":{"name":[{"value":"late","count":1}]},"partial":false}`},
		{
			"histogram", `{"buckets":2,` + safe,
			`{"start":"2026-09-21T14:12:00.000Z","step":120000,"buckets":[{"count":0,"errors":0},{"count":1,"errors":0}],"partial":false}`,
		},
		{
			"groups", `{"by":"name",` + safe,
			`{"groups":[{"value":"late","count":1,"errors":0,"p50":null,"p95":null,"totalCost":0,"totalTokens":0}],"partial":false}`,
		},
	} {
		if got := b.Ask(t, "POST", apitest.UIProject+"/query/"+c.path, c.body, 200); got != c.want {
			t.Errorf("%s by scores: %s\nwant %s", c.path, got, c.want)
		}
	}
	if got, _ := rowIDs(t, b.Ask(t, "POST", apitest.UIProject+"/query/users", "{"+safe, 200)); got != "bob" {
		t.Errorf("users by scores: %s", got)
	}
	got := b.Ask(t, "POST", apitest.UIProject+"/query/differences", `{"selection":{"filter":[`+score("booleanObject", "safe", "=", "true")+
		`]},"baseline":{"filter":[`+score("booleanObject", "safe", "=", "false")+`]}}`, 200)
	if !strings.HasPrefix(got, `{"selected":1,"baseline":1,`) {
		t.Errorf("differences by scores: %s", got)
	}
}

// TestUICountOfLongTraces: a trace is counted once even if its rows are found in several slices of time.
func TestUICountOfLongTraces(t *testing.T) {
	f, b := apitest.NewExplored(t)
	const hour = 3_600_000_000
	start := domain.Micros(1_790_000_000*1_000_000) + 100*hour
	f.Keep(t, "project-a", []domain.Observation{
		{TraceID: "long", ID: "first", Name: "begin", StartTime: start, Input: `"marmalade"`},
		{TraceID: "long", ID: "last", ParentID: "first", Name: "end", StartTime: start + 30*hour, Input: `"marmalade"`},
	}, nil)
	if got := b.Ask(t, "POST", apitest.UIProject+"/query/count", `{"of":"traces","search":"marmalade"}`, 200); got != `{"count":1,"exact":true}` {
		t.Error(got)
	}
}

func TestUITrace(t *testing.T) {
	f, b := apitest.NewExplored(t)
	if _, err := f.Catalog.Comments.Create(t.Context(), domain.OfProject("project-a"), domain.Comment{
		ObjectType: "OBSERVATION", ObjectID: "call", Content: "look",
	}, domain.Actor{Kind: "cli"}); err != nil {
		t.Fatal(err)
	}
	got := b.Ask(t, "GET", apitest.UIProject+"/traces/t1/tree", "", 200)
	want := `"total":3,"dictionary":{"names":["lookup","llm","checkout"],"types":["TOOL","GENERATION","AGENT"],"levels":["ERROR","DEFAULT"],"models":["gpt-x"]},"columns":{"id":["root","call","tool"],"parent":[-1,0,1],"start":[0,1000000,2000000],"end":[4000000,2000000,3000000],"name":[2,1,0],"type":[2,1,0],"level":[1,1,0],"model":[-1,0,-1],"scores":[0,1,0],"inputTokens":[0,10,0],"outputTokens":[0,5,0],"cost":[null,0.25,null],"comments":[0,1,0]}}`
	if !strings.HasPrefix(got,
		`{"traceId":"t1","trace":{"name":"checkout","userId":"ann","sessionId":"s1","tags":["beta"],"environment":"production"`) ||
		!strings.HasSuffix(got, want) {
		t.Errorf("the tree: %s\nwant %s", got, want)
	}
	if got := b.Ask(t, "GET", apitest.UIProject+"/traces/t3/tree", "", 200); !strings.Contains(got, `"id":["orphan","circle"],"parent":[-1,-1]`) {
		t.Errorf("a missing parent and a circle: %s", got)
	}
	b.Ask(t, "GET", apitest.UIProject+"/traces/none/tree", "", 404)

	for q, want := range map[string]string{
		"NEEDLE":         `{"hits":[{"observationId":"tool","field":"output","count":1,"excerpt":"the needle"}],"total":1,"partial":false}`,
		"%E5%BD%93":      `{"hits":[{"observationId":"root","field":"input","count":1,"excerpt":",\"content\":\"be kind\"},{\"role\":\"user\",\"content\":\"where is my \\u5f53 order?\"}]"}],"total":1,"partial":false}`,
		"such%20order":   `{"hits":[{"observationId":"tool","field":"statusMessage","count":1,"excerpt":"no such order"}],"total":1,"partial":false}`,
		"nowhere-at-all": `{"hits":[],"total":0,"partial":false}`,
	} {
		if got := b.Ask(t, "GET", apitest.UIProject+"/traces/t1/find?q="+q, "", 200); got != want {
			t.Errorf("find %s: %s\nwant %s", q, got, want)
		}
	}
	b.Ask(t, "GET", apitest.UIProject+"/traces/none/find?q=x", "", 404)
	b.Ask(t, "GET", apitest.UIProject+"/traces/t1/find?q=", "", 400)
	b.Ask(t, "GET", apitest.UIProject+"/traces/t1/find?q="+strings.Repeat("x", 201), "", 400)
}

func TestUIObservation(t *testing.T) {
	f, b := apitest.NewExplored(t)
	long := strings.Repeat("当", 30_000)
	f.Keep(t, "project-a", []domain.Observation{
		{
			TraceID: "t9", ID: "long", StartTime: 1, Input: long, Metadata: `{"k":1}`, Usage: `{"input":3}`, ExperimentID: "e",
			ToolNames: []string{"search"},
		},
	}, nil)
	got := b.Ask(t, "GET", apitest.UIProject+"/observations/long/detail?traceId=t9", "", 200)
	for _, want := range []string{
		`"cut":{"input":{"truncated":true,"bytes":90000}}`, `"usageDetails":{"input":3}`, `"metadata":"{\"k\":1}"`,
		`"toolNames":["search"]`, `"experiment":{"id":"e"`, `"output":null`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in %.2000s", want, got)
		}
	}
	if n := strings.Count(got, "当"); n != 64<<10/3+300 {
		t.Errorf("%d characters of the text, and its preview", n)
	}
	b.Ask(t, "GET", apitest.UIProject+"/observations/long/detail?traceId=t1", "", 404)
	b.Ask(t, "GET", apitest.UIProject+"/observations/none/detail", "", 404)

	path := apitest.UIProject + "/observations/long/io/input?traceId=t9"
	if got := b.Ask(t, "GET", path, "", 200); got != long {
		t.Errorf("the text has %d bytes", len(got))
	}
	get := func(header, value string) *http.Response {
		r := b.Request("GET", path, "")
		r.Header.Set(header, value)
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		return w.Result()
	}
	whole := get("Accept", "*/*")
	if tag := whole.Header.Get("Etag"); tag == "" || get("If-None-Match", tag).StatusCode != http.StatusNotModified {
		t.Errorf("the entity tag %q is not known", tag)
	}
	if whole.Header.Get("Content-Type") != "text/plain; charset=utf-8" || whole.Header.Get("X-Content-Type-Options") != "nosniff" ||
		!strings.Contains(whole.Header.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("headers %v", whole.Header)
	}
	if part := get("Range", "bytes=3-5"); part.StatusCode != http.StatusPartialContent ||
		part.Header.Get("Content-Range") != "bytes 3-5/90000" || part.ContentLength != 3 {
		t.Errorf("a range: %d %v", part.StatusCode, part.Header)
	}
	if behind := get("Range", "bytes=90000-"); behind.StatusCode != http.StatusRequestedRangeNotSatisfiable {
		t.Errorf("a range behind the end: %d", behind.StatusCode)
	}
	b.Ask(t, "GET", apitest.UIProject+"/observations/long/io/secret", "", 404)
	b.Ask(t, "GET", apitest.UIProject+"/observations/none/io/input", "", 404)
	if got := b.Ask(t, "GET", apitest.UIProject+"/observations/long/io/output?traceId=t9", "", 200); got != "" {
		t.Errorf("an unset text: %q", got)
	}
}

// TestUIExploreLimits reaches every limit of the bodies.
func TestUIExploreLimits(t *testing.T) {
	_, b := apitest.NewExplored(t)
	many := func(item string, count int) string { return "[" + strings.Repeat(item+",", count-1) + item + "]" }
	text := func(length int) string { return `"` + strings.Repeat("x", length) + `"` }
	condition := `{"type":"string","column":"name","operator":"=","value":"x"}`
	for _, c := range []struct{ path, body, message string }{
		{"observations", `{"limit":201}`, "limit"},
		{"observations", `{"limit":0}`, "limit"},
		{"traces", `{"limit":201}`, "limit"},
		{"sessions", `{"limit":201}`, "limit"},
		{"users", `{"limit":201}`, "limit"},
		{"observations", `{"search":` + text(1001) + `}`, "search"},
		{"observations", `{"search":"--"}`, "search"},
		{"sessions", `{"search":` + text(201) + `}`, "search"},
		{"observations", `{"environment":` + many(`"x"`, 101) + `}`, "environment"},
		{"observations", `{"environment":[` + text(201) + `]}`, "environment"},
		{"observations", `{"metadataKeys":` + many(`"x"`, 21) + `}`, "metadataKeys"},
		{"observations", `{"metadataKeys":[` + text(501) + `]}`, "metadataKeys"},
		{"observations", `{"filter":` + many(condition, 101) + `}`, "filter"},
		{"observations", `{"filter":[{"type":"string","column":"nothing","operator":"=","value":"x"}]}`, "nothing"},
		{"observations", `{"filter":[{"type":"string","column":"input","operator":"contains","value":"x"}]}`, "matches"},
		{"observations", `{"filter":"x"}`, "filter"},
		{"observations", `{"from":"yesterday"}`, "from"},
		{"observations", `{"order":{"column":"input"}}`, "order"},
		{"observations", `{"order":{"column":"latency","direction":"up"}}`, "direction"},
		{"observations", `{"cursor":"x"}`, "cursor"},
		{"observations", `{"cursor":` + text(9000) + `}`, "cursor"},
		{"observations", `{"unknown":1}`, "unknown"},
		{"traces", `{"cursor":"e30"}`, "cursor"},
		{"users", `{"order":{"column":"latency"}}`, "order"},
		{"users", `{"cursor":"e30"}`, "cursor"},
		{"count", `{"of":"scores"}`, "of"},
		{"facets", `{}`, "columns"},
		{"facets", `{"columns":[]}`, "columns"},
		{"facets", `{"columns":` + many(`"name"`, 31) + `}`, "columns"},
		{"facets", `{"columns":["input"]}`, "columns"},
		{"facets", `{"columns":["name"],"limit":51}`, "limit"},
		{"facets", `{"columns":["metadata.` + strings.Repeat("x", 600) + `"]}`, "columns"},
		{"histogram", `{"buckets":201}`, "buckets"},
		{"histogram", `{"buckets":1}`, "buckets"},
		{"groups", `{}`, "by"},
		{"groups", `{"by":"latency"}`, "by"},
		{"groups", `{"by":"name","limit":101}`, "limit"},
		{"differences", `{"selection":{}}`, "baseline"},
		{"differences", `{"selection":{"x":1},"baseline":{}}`, "selection"},
	} {
		if got := b.Ask(t, "POST", apitest.UIProject+"/query/"+c.path, c.body, 400); !strings.Contains(got, c.message) {
			t.Errorf("%s %.100s: %s", c.path, c.body, got)
		}
	}
	for _, query := range []string{
		"", "column=input", "column=name&limit=51", "column=name&prefix=" + strings.Repeat("x", 501),
		"column=metadata." + strings.Repeat("x", 600),
	} {
		b.Ask(t, "GET", apitest.UIProject+"/suggest?"+query, "", 400)
	}
}
