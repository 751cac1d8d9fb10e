package scores_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/query/traces"
)

const (
	scoresV1Path = "/api/public/scores"
	scoresV2Path = "/api/public/v2/scores"
)

// scoredTraces returns the rows of three traces; in the last, the trace attributes are in a child.
func scoredTraces() []domain.Observation {
	return []domain.Observation{
		{
			TraceID: "t1", ID: "o1", StartTime: march, Name: "root", UserID: "u1", SessionID: "s1", Tags: []string{"b", "a"},
			Environment: "production",
		},
		{TraceID: "t2", ID: "o2", StartTime: march, Name: "root", UserID: "u1", Tags: []string{"a"}},
		{TraceID: "t3", ID: "o3", StartTime: march, Name: "root", Environment: "default"},
		{
			TraceID: "t3", ID: "o4", ParentID: "o3", StartTime: march + 1000, Name: "child", UserID: "u2", Tags: []string{"c"},
			Environment: "default",
		},
	}
}

func TestDeprecatedScores(t *testing.T) {
	const (
		flat = `{"id":"num","projectId":"project-a","environment":"default","name":"quality","value":0.9,"source":"API","authorUserId":null,` +
			`"comment":"good","metadata":{"k":"v","deep":{"n":[1,"0613"]}},"configId":"c1","queueId":null,"executionTraceId":null,` +
			`"createdAt":"2026-03-04T05:06:08.123Z","updatedAt":"2026-03-04T05:06:09.123Z","timestamp":"2026-03-04T05:06:07.123Z",` +
			`"traceId":"t1","observationId":"o1",`
		subjects = `"sessionId":null,"datasetRunId":null,`
		tail     = `"stringValue":null,"dataType":"NUMERIC"`
		meta     = `],"meta":{"page":1,"limit":50,"totalItems":1,"totalPages":1}}`
		notFound = `{"message":"Score not found","error":"LangfuseNotFoundError"}`
		none     = `{"data":[],"meta":{"page":1,"limit":50,"totalItems":0,"totalPages":0}}`
	)
	deprecated := map[string]string{"Deprecation": "@1767225600", "Link": `</api/public/v3/scores>; rel="successor-version"`}
	var scenarios []apitest.Scenario
	add := func(s apitest.Scenario) {
		s.Key, s.Given, s.Scores = "project", scoredTraces(), someScores()
		if s.Status == 0 {
			s.Status, s.WantHeader = 200, deprecated
		}
		scenarios = append(scenarios, s)
	}
	add(apitest.Scenario{Name: "v1 by id", Path: scoresV1Path + "/num", Want: flat + tail + `}`})
	add(apitest.Scenario{Name: "v2 by id", Path: scoresV2Path + "/num", Want: flat + subjects + tail + `}`})
	add(apitest.Scenario{Name: "v1 of a session", Path: scoresV1Path + "/sess", Status: 404, Want: notFound})
	add(apitest.Scenario{Name: "v1 of a run", Path: scoresV1Path + "/run", Status: 404, Want: notFound})
	add(apitest.Scenario{Name: "v1 of a correction", Path: scoresV1Path + "/fix", Status: 404, Want: notFound})
	add(apitest.Scenario{Name: "v1 unknown", Path: scoresV1Path + "/nope", Status: 404, Want: notFound, WantHeader: deprecated})
	add(apitest.Scenario{Name: "v2 unknown", Path: scoresV2Path + "/nope", Status: 404, Want: notFound})
	add(apitest.Scenario{
		Name: "v2 of a session", Path: scoresV2Path + "/sess", Contains: []string{
			`"traceId":null,"observationId":null,"sessionId":"s1","datasetRunId":null`,
		},
	})
	add(apitest.Scenario{Name: "v2 of a run", Path: scoresV2Path + "/run", Contains: []string{`"sessionId":null,"datasetRunId":"e1"`}})
	add(apitest.Scenario{
		Name: "v2 of a correction", Path: scoresV2Path + "/fix", Contains: []string{
			`"value":0,`, `"stringValue":"","dataType":"CORRECTION"`,
		},
	})
	add(apitest.Scenario{
		Name: "v2 of a text", Path: scoresV2Path + "/text", Contains: []string{`"stringValue":"long text here","dataType":"TEXT"}`},
		Missing: []string{`"value"`},
	})
	add(apitest.Scenario{
		Name: "v1 of a boolean", Path: scoresV1Path + "/no", Contains: []string{
			`"value":0,`, `"stringValue":"False","dataType":"BOOLEAN"}`,
		},
	})
	add(apitest.Scenario{
		Name: "v1 of a category", Path: scoresV1Path + "/cat", Contains: []string{
			`"value":0,`, `"stringValue":"red","dataType":"CATEGORICAL"}`,
		},
	})
	add(apitest.Scenario{
		Name: "v1 list", Path: addressWith(scoresV1Path, "name", "quality"),
		Want: `{"data":[` + flat + tail + `,"trace":{"userId":"u1","tags":["a","b"],"environment":"production"}}` + meta,
	})
	add(apitest.Scenario{
		Name: "v2 list", Path: addressWith(scoresV2Path, "name", "quality"),
		Want: `{"data":[` + flat + subjects + tail +
			`,"trace":{"userId":"u1","tags":["a","b"],"environment":"production","sessionId":"s1"}}` + meta,
	})
	add(apitest.Scenario{
		Name: "v2 without traces", Path: addressWith(scoresV2Path, "name", "quality", "fields", "score"),
		Want: `{"data":[` + flat + subjects + tail + `,"trace":null}` + meta,
	})
	add(apitest.Scenario{
		Name: "v2 with both", Path: addressWith(scoresV2Path, "name", "quality", "fields", "nope, trace , score"),
		Contains: []string{`"trace":{"userId":"u1"`},
	})
	add(apitest.Scenario{
		Name: "v2 of a bare trace", Path: addressWith(scoresV2Path, "scoreIds", "no"),
		Contains: []string{`"trace":{"userId":"u1","tags":["a"],"environment":"default","sessionId":null}`},
	})
	add(apitest.Scenario{
		Name: "v2 of a session in a list", Path: addressWith(scoresV2Path, "sessionId", "s1"),
		Contains: []string{`"id":"sess"`, `"trace":null`},
	})
	add(apitest.Scenario{
		Name: "the trace need not exist", Path: addressWith(scoresV2Path, "scoreIds", "num"),
		Contains: []string{`"id":"num"`, `"trace":null`, `"totalItems":1`},
	})
	scenarios[len(scenarios)-1].Given = nil
	add(apitest.Scenario{Name: "nothing", Path: addressWith(scoresV2Path, "name", "nope"), Want: none})
	add(apitest.Scenario{Name: "nothing of a user", Path: addressWith(scoresV1Path, "userId", "nope"), Want: none})
	add(apitest.Scenario{
		Name: "a page behind the last", Path: addressWith(scoresV2Path, "page", "5", "limit", "3"),
		Want: `{"data":[],"meta":{"page":5,"limit":3,"totalItems":8,"totalPages":3}}`,
	})
	add(apitest.Scenario{Name: "v1 page", Path: addressWith(scoresV1Path, "page", "2", "limit", "2"), Contains: []string{
		`{"data":[{"id":"cat"`, `,{"id":"bool"`, `"meta":{"page":2,"limit":2,"totalItems":5,"totalPages":3}}`,
	}})

	refuse := func(name, path, want string) {
		add(apitest.Scenario{Name: name, Path: path, Status: 400, Want: want, WantHeader: deprecated})
	}
	data := func(issue string) string { return fmt.Sprintf(invalidScores, issue) }
	refuse("fields without score", addressWith(scoresV2Path, "fields", "trace"),
		`{"message":"Scores needs to be selected always.","error":"InvalidRequestError"}`)
	refuse("unknown fields", addressWith(scoresV2Path, "fields", "nope"),
		`{"message":"Scores needs to be selected always.","error":"InvalidRequestError"}`)
	const needsTrace = `{"message":"Cannot filter by trace properties (userId, traceTags) when 'trace' field is not included. ` +
		`Please add 'trace' to the fields parameter or remove trace filters.","error":"InvalidRequestError"}`
	refuse("a user without traces", addressWith(scoresV2Path, "fields", "score", "userId", "u1"), needsTrace)
	refuse("tags without traces", addressWith(scoresV2Path, "fields", "score", "traceTags", "a"), needsTrace)
	refuse("source", addressWith(scoresV1Path, "source", "api"),
		data(`{"code":"invalid_value","values":["API","EVAL","ANNOTATION"],"path":["source"],"message":"Invalid option: expected one of \"API\"|\"EVAL\"|\"ANNOTATION\""}`))
	refuse("operator", addressWith(scoresV1Path, "operator", "<>", "value", "1"),
		data(`{"code":"invalid_value","values":["<",">","<=",">=","!=","="],"path":["operator"],`+
			`"message":"Invalid option: expected one of \"<\"|\">\"|\"<=\"|\">=\"|\"!=\"|\"=\""}`))
	refuse("data type", addressWith(scoresV2Path, "dataType", "numeric"),
		data(`{"code":"invalid_value","values":["NUMERIC","CATEGORICAL","BOOLEAN","CORRECTION","TEXT"],"path":["dataType"],`+
			`"message":"Invalid option: expected one of \"NUMERIC\"|\"CATEGORICAL\"|\"BOOLEAN\"|\"CORRECTION\"|\"TEXT\""}`))
	refuse("value", addressWith(scoresV2Path, "value", "x"), data(fmt.Sprintf(noNumber, "value")))
	refuse("repeated name", addressWith(scoresV2Path, "name", "a", "name", "b"), data(fmt.Sprintf(wantsString, "name")))
	refuse("a filter that is no JSON", addressWith(scoresV2Path, "filter", "{nope"),
		`{"message":"Invalid JSON in filter parameter","error":"InvalidRequestError"}`)
	refuse("an unknown column", addressWith(scoresV2Path, "filter", `[{"type":"string","column":"nope","operator":"=","value":"x"}]`),
		`{"message":"Column nope is not one that can be filtered by.","error":"InvalidRequestError"}`)
	refuse("a wrong type", addressWith(scoresV2Path, "filter", `[{"type":"string","column":"value","operator":"=","value":"x"}]`),
		`{"message":"Invalid filter type 'string' for column 'value'. Expected filter type 'number'.","error":"InvalidRequestError"}`)
	refuse("matches",
		addressWith(scoresV2Path, "filter", `[{"type":"stringObject","column":"metadata","key":"k","operator":"matches","value":"v"}]`),
		"{\"message\":\"`matches` is not supported here.\",\"error\":\"InvalidRequestError\"}")
	for _, name := range []string{"fromTimestamp", "toTimestamp"} {
		add(apitest.Scenario{
			Name: name, Path: addressWith(scoresV1Path, name, "2026-03-04"), Status: 400,
			Contains: []string{`"message":"Invalid ISO datetime"`, name},
		})
	}
	apitest.Run(t, scenarios)
	apitest.Run(t, []apitest.Scenario{
		{Name: "v1 list needs a permission", Path: scoresV1Path, Key: "limited", Status: 403, Contains: []string{"scores:read"}},
		{Name: "v2 list needs a permission", Path: scoresV2Path, Key: "limited", Status: 403, Contains: []string{"scores:read"}},
		{Name: "v1 by id needs a permission", Path: scoresV1Path + "/num", Key: "limited", Status: 403, Contains: []string{"scores:read"}},
		{Name: "v2 by id needs a permission", Path: scoresV2Path + "/num", Key: "limited", Status: 403, Contains: []string{"scores:read"}},
	})
}

// TestDeprecatedScoresSelect checks which scores each parameter selects.
func TestDeprecatedScoresSelect(t *testing.T) {
	f := apitest.New(t, nil)
	extra := domain.Score{
		ID: "late", TraceID: "t3", Name: "late", DataType: "NUMERIC", Value: domain.FloatOf(-1.5), Source: "API",
		Timestamp: march + 100_000,
		Metadata:  `{"rater":{"name":"ann"},"n":5}`, Environment: "default", ExecutionTraceID: "x",
	}
	f.Keep(t, "project-a", scoredTraces(), append(someScores(), extra))
	f.Keep(t, "project-a2", scoredTraces(), []domain.Score{{ID: "num", TraceID: "t1", Name: "quality", Timestamp: march}})
	if err := f.Store.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	filterOf := func(conditions string) string { return addressWith("", "filter", conditions)[1:] }
	for _, c := range []struct {
		query string
		first string // ids returned by version 1, newest first
		// second is what version 2 returns; "" means the same, and "-" nothing.
		second string
	}{
		{"", "late no text cat bool num", "late no fix run sess text cat bool num"},
		{"name=ok", "no bool", ""},
		{
			"name=&userId=&configId=&queueId=&value=&scoreIds=&environment=&traceTags=&limit=&page=", "late no text cat bool num",
			"late no fix run sess text cat bool num",
		},
		{"environment=production", "cat", ""},
		{"environment=production&environment=other", "cat", ""},
		{"environment=production,default&name=cat", "cat", ""},
		{"source=EVAL", "-", "sess"},
		{"source=ANNOTATION", "cat", ""},
		{"dataType=NUMERIC", "late num", "late run sess num"},
		{"dataType=CORRECTION", "-", "fix"},
		{"dataType=TEXT", "text", ""},
		{"scoreIds=num,+cat,nope", "cat num", ""},
		{"configId=c1", "num", ""},
		{"queueId=q1", "cat", ""},
		{"operator=%3E&value=0.5&dataType=NUMERIC", "num", "sess num"},
		{"operator=%3E%3D&value=0.5&dataType=NUMERIC", "num", "run sess num"},
		{"operator=%3C&value=0.5&dataType=NUMERIC", "late", ""},
		{"operator=%3C%3D&value=0.5&dataType=NUMERIC", "late", "late run"},
		{"operator=%3D&value=0.9", "num", ""},
		{"operator=%21%3D&value=0.9&dataType=NUMERIC", "late", "late run sess"},
		{"value=0.9&dataType=NUMERIC", "late num", "late run sess num"},
		{"operator=%3D&dataType=NUMERIC", "late num", "late run sess num"},
		{"fromTimestamp=2026-03-04T05:06:07.126Z", "late no text", "late no fix run sess text"},
		{"toTimestamp=2026-03-04T05:06:07.125Z", "bool num", ""},
		{"userId=u1", "no text cat bool num", "no fix text cat bool num"},
		{"userId=u2", "late", ""},
		{"traceTags=a", "no text cat bool num", "no fix text cat bool num"},
		{"traceTags=a,b", "cat bool num", ""},
		{"traceTags=b&traceTags=a", "cat bool num", ""},
		{"traceTags=a,c", "-", "-"},
		{"userId=u1&traceTags=b&dataType=NUMERIC", "num", ""},
		{"userId=u2&traceTags=c&name=late", "late", ""},
		{"userId=u1&name=late", "-", "-"},
		{"page=2&limit=2&userId=u1", "cat bool", "text cat"},
		// Only in version 2; version 1 does not know these parameters.
		{"sessionId=s1", "late no text cat bool num", "sess"},
		{"datasetRunId=e1", "late no text cat bool num", "run"},
		{"traceId=t1", "late no text cat bool num", "cat bool num"},
		{"observationId=o1,+o2", "late no text cat bool num", "fix num"},
		{filterOf(`[]`) + "&name=ok", "no bool", ""},
		{
			filterOf(`[{"type":"stringOptions","column":"name","operator":"any of","value":["cat","run"]}]`) + "&name=ok",
			"no bool", "run cat",
		},
		{filterOf(`[{"type":"number","column":"value","operator":">","value":1}]`) + "&operator=%3C&value=0", "late", "sess"},
		{
			filterOf(`[{"type":"datetime","column":"timestamp","operator":">","value":"2026-03-04T05:06:07.129Z"}]`) +
				"&toTimestamp=2026-03-04T05:06:07.125Z", "bool num", "late no",
		},
		{filterOf(`[{"type":"string","column":"datasetRunId","operator":"=","value":"e1"}]`), "late no text cat bool num", "run"},
		{
			filterOf(`[{"type":"stringObject","column":"metadata","key":"rater.name","operator":"=","value":"ann"}]`),
			"late no text cat bool num", "late",
		},
		{
			filterOf(`[{"type":"numberObject","column":"metadata","key":"n","operator":">=","value":5}]`), "late no text cat bool num",
			"late",
		},
		{
			filterOf(`[{"type":"stringObject","column":"metadata","key":"k","operator":"contains","value":"v"}]`) + "&userId=u1",
			"no text cat bool num", "num",
		},
	} {
		t.Run(c.query, func(t *testing.T) {
			for path, want := range map[string]string{scoresV1Path: c.first, scoresV2Path: c.second} {
				if want == "" {
					want = c.first
				}
				want = strings.TrimPrefix(want, "-")
				w := httptest.NewRecorder()
				r := apitest.Scenario{Path: path + "?" + c.query, Key: "project"}.Request()
				f.ServeHTTP(w, r)
				if w.Code != 200 {
					t.Fatalf("%d %s", w.Code, w.Body)
				}
				apitest.CheckDescribed(t, r, w.Result(), w.Body.Bytes())
				if got := strings.Join(scoreIDs(t, w.Body.Bytes()), " "); got != want {
					t.Errorf("%s finds %q, want %q", path, got, want)
				}
			}
		})
	}
}

// TestScoresOfMatchingTraces covers every way to find the scored traces of a user: starting from the scores if they are
// few, otherwise from the user's traces, from both if those are many as well, and from only one of them if the others
// are too many for memory.
func TestScoresOfMatchingTraces(t *testing.T) {
	const limit = traces.BatchSize + 100
	for _, c := range []struct {
		name                  string
		traces, users, scored int // how many traces exist, have the user, and have a score; those with both come first
		status                int
	}{
		{"few scores", traces.BatchSize + 50, 30, 20, 200},
		{"few scores, many traces", traces.BatchSize + 50, traces.BatchSize + 10, 20, 200},
		{"many scores", traces.BatchSize + 50, 30, traces.BatchSize + 20, 200},
		{"many of both", traces.BatchSize + 50, traces.BatchSize + 40, traces.BatchSize + 20, 200},
		{"more scores than can be remembered, many traces", limit + 50, traces.BatchSize + 10, limit + 20, 200},
		{"more scores than can be remembered", limit + 50, 30, limit + 20, 200},
		{"more traces of the user than can be remembered", limit + 50, limit + 10, traces.BatchSize + 20, 200},
		{"more of both", limit + 50, limit + 10, limit + 20, 422},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := apitest.New(t, func(o *httpapi.Options) { o.Limits.Traces = limit })
			var rows []domain.Observation
			var scores []domain.Score
			for n := range c.traces {
				row := domain.Observation{TraceID: fmt.Sprint("t", n), ID: "o", StartTime: march + domain.Micros(n)*1000, Name: "n"}
				if n < c.users {
					row.UserID = "u"
				}
				rows = append(rows, row)
				if n < c.scored {
					scores = append(scores, domain.Score{
						ID: fmt.Sprint("s", n), TraceID: row.TraceID, Name: "n", DataType: "NUMERIC", Value: domain.FloatOf(1),
						Source: "API", Timestamp: march,
					})
				}
			}
			scores = append(scores, domain.Score{
				ID: "session", SessionID: "s", Name: "n", DataType: "NUMERIC", Value: domain.FloatOf(1), Source: "API", Timestamp: march,
			})
			f.Keep(t, "project-a", rows, scores)
			s := apitest.Scenario{Path: addressWith(scoresV2Path, "userId", "u", "limit", "1"), Key: "project", Status: c.status}
			if c.status == 200 {
				s.Contains = []string{fmt.Sprintf(`"totalItems":%d,`, min(c.users, c.scored)), `"trace":{"userId":"u"`}
			}
			f.Run(t, s)
		})
	}
}

const march = domain.Micros(1_772_600_767_123_000) // 2026-03-04T05:06:07.123Z
