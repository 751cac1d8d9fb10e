package traces_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
)

// someTraces returns traces that differ in the columns by which they can be ordered and filtered.
func someTraces() []domain.Observation {
	row := func(trace, id string, second domain.Micros) domain.Observation {
		return domain.Observation{
			TraceID: trace, ID: id, ParentID: "p", Type: "SPAN", Level: "DEFAULT", Environment: "default",
			StartTime: apitest.October + second*1_000_000,
			CreatedAt: apitest.October, UpdatedAt: apitest.October,
		}
	}
	// Trace a begins first and has the newest row of all; its user and its session are in different rows.
	a1, a2, a3 := row("a", "a1", 0), row("a", "a2", 10), row("a", "a3", 90)
	a1.ParentID, a1.Name, a1.Environment, a1.Input, a1.EndTime = "", "alpha", "production", "in", apitest.October+1_000_000
	a1.Metadata, a1.Release, a1.Bookmarked = `{"k":"v","n":5}`, "r1", true
	a2.UserID, a2.Tags, a2.Level, a2.Environment, a2.TraceMetadata = "u1", []string{"x"}, "ERROR", "production", `{"deep":{"er":"z"}}`
	a2.InputTokens, a2.OutputTokens, a2.TotalTokens = 10, 5, domain.IntOf(15)
	a2.InputCost, a2.OutputCost, a2.TotalCost = 0.1, 0.2, domain.FloatOf(0.3)
	a3.SessionID, a3.Tags, a3.Public = "s1", []string{"y"}, true
	// Trace b changed its user.
	b1, b2 := row("b", "b1", 20), row("b", "b2", 25)
	b1.ParentID, b1.Name, b1.UserID, b1.Version = "", "beta", "u1", "v1"
	b2.UserID, b2.TraceName, b2.Level = "u2", "gamma", "WARNING"
	// Trace c has only the mandatory fields.
	c1 := row("c", "c1", 30)
	// Traces d and e begin at the same time.
	d1, e1 := row("d", "d1", 40), row("e", "e1", 40)
	d1.AsRoot, d1.Name, d1.Level = true, "delta", "DEBUG"
	e1.ParentID, e1.Version, e1.UserID = "", "v2", "u3"
	return []domain.Observation{a1, a2, a3, b1, b2, c1, d1, e1}
}

func scoresOfTraces() []domain.Score {
	score := func(id, trace, name, kind string, value float64, text string) domain.Score {
		return domain.Score{
			ID: id, TraceID: trace, Name: name, DataType: kind, Value: domain.FloatOf(value), StringValue: text, Timestamp: apitest.October,
			Environment: "default",
		}
	}
	elsewhere := score("s7", "c", "quality", "NUMERIC", 9, "")
	elsewhere.ExperimentID = "run"
	produced := score("s8", "a", "other", "NUMERIC", 1, "")
	produced.Environment = "production"
	return []domain.Score{
		score("s1", "a", "quality", "NUMERIC", 0.2, ""), score("s2", "a", "quality", "NUMERIC", 0.6, ""),
		score("s3", "b", "quality", "NUMERIC", 0.9, ""),
		score("s4", "a", "tone", "CATEGORICAL", 0, "kind"), score("s5", "b", "tone", "CATEGORICAL", 0, "rude"),
		score("s6", "a", "ok", "BOOLEAN", 1, "True"), elsewhere, produced, score("s9", "b", "ok", "BOOLEAN", 0, "False"),
	}
}

// idsOf returns the ids of the items of a list.
func idsOf(t *testing.T, f *apitest.Fixture, path string) string {
	t.Helper()
	w := httptest.NewRecorder()
	f.ServeHTTP(w, apitest.Scenario{Path: path, Key: "limited"}.Request())
	page := apitest.DecodeJSON[struct{ Data []struct{ ID string } }](t, w.Body.Bytes())
	var ids []string
	for _, item := range page.Data {
		ids = append(ids, item.ID)
	}
	return strings.Join(ids, " ")
}

func TestListTraces(t *testing.T) {
	paged := func(query, ids, end string) apitest.Scenario {
		return apitest.Scenario{
			Name: query, Path: "/api/public/traces" + query, Key: "limited", Given: someTraces(), Scores: scoresOfTraces(), Status: 200,
			WantHeader: deprecated,
			Contains:   []string{end},
			After: func(t *testing.T, f *apitest.Fixture) {
				if got := idsOf(t, f, "/api/public/traces"+query); got != ids {
					t.Errorf("the traces are %q, want %q", got, ids)
				}
			},
		}
	}
	list := func(query, ids string) apitest.Scenario {
		items := len(strings.Fields(ids))
		return paged(query, ids, apitest.Meta(1, 50, items, min(items, 1)))
	}
	where := func(conditions ...string) string {
		return apitest.QueryOf("filter", "["+strings.Join(conditions, ",")+"]")
	}
	condition := func(kind, column, operator, value string) string {
		return fmt.Sprintf(`{"type":%q,"column":%q,"operator":%q,"value":%s}`, kind, column, operator, value)
	}
	keyed := func(kind, column, key, operator, value string) string {
		return fmt.Sprintf(`{"type":%q,"column":%q,"key":%q,"operator":%q,"value":%s}`, kind, column, key, operator, value)
	}
	refuse := func(query string, parts ...string) apitest.Scenario {
		return apitest.Scenario{Name: query, Path: "/api/public/traces" + query, Key: "project", Status: 400, Contains: parts}
	}
	apitest.Run(t, []apitest.Scenario{
		list("", "e d c b a"),
		paged("?limit=2", "e d", apitest.Meta(1, 2, 5, 3)),
		paged("?limit=2&page=2", "c b", apitest.Meta(2, 2, 5, 3)),
		paged("?limit=2&page=3", "a", apitest.Meta(3, 2, 5, 3)),
		paged("?limit=2&page=4", "", apitest.Meta(4, 2, 5, 3)),
		paged("?page=1099511627776&limit=100", "", apitest.Meta(1099511627776, 100, 5, 1)),
		paged("?page=&limit=&orderBy=&fields=&filter=&useEventsTable=true", "e d c b a", apitest.Meta(1, 50, 5, 1)),

		// The newest value wins, whichever row has it.
		list("?userId=u1", "a"), list("?userId=u2", "b"), list("?userId=nobody", ""), list("?userId=", "d c"),
		list("?sessionId=s1", "a"), list("?userId=u1&sessionId=s1", "a"), list("?userId=u2&sessionId=s1", ""),
		list("?name=alpha", "a"), list("?name=gamma", "b"), list("?name=beta", ""), list("?name=delta", "d"), list("?name=", "e c"),
		list("?version=v1", "b"), list("?release=r1", "a"), list("?release=", "e d c b"),
		list("?tags=x", "a"), list("?tags=x,y", "a"), list("?tags=x&tags=y", "a"), list("?tags=x,z", ""),
		list("?environment=production", "a"), list("?environment=production,default", "e d c b a"), list("?environment=staging", ""),

		// The timestamp is the first start, whatever other rows are in the range.
		list("?fromTimestamp=2026-10-06T10:00:20.000Z", "e d c b"), list("?fromTimestamp=2026-10-06T10:00:20.001Z", "e d c"),
		list("?toTimestamp=2026-10-06T10:00:40.000Z", "c b a"), list("?toTimestamp=2026-10-06T10:00:40.001Z", "e d c b a"),
		list("?fromTimestamp=2026-10-06T10:00:10.000Z&toTimestamp=2026-10-06T10:00:30.000Z", "b"),
		list("?fromTimestamp=2026-10-06T10:00:50.000Z", ""), list("?toTimestamp=2026-10-06T10:00:05.000Z&userId=u1&sessionId=s1", "a"),
		list("?fromTimestamp=2026-10-06T10:00:05.000Z&userId=u1", ""),
		paged("?fromTimestamp=2026-10-06T10:00:20.000Z&limit=1&page=4", "b", apitest.Meta(4, 1, 4, 4)),

		list("?orderBy=timestamp.asc", "a b c e d"), list("?orderBy=timestamp.DESC", "e d c b a"), list("?orderBy=id.ASC", "a b c d e"),
		list("?orderBy=id.desc", "e d c b a"),
		list("?orderBy=name.asc", "e c a d b"), list("?orderBy=name.desc", "b d a e c"),
		list("?orderBy=userId.asc", "a b e d c"), list("?orderBy=userId.desc", "e b a d c"), list("?orderBy=version.asc", "b e d c a"),
		list("?orderBy=release.desc", "a e d c b"), list("?orderBy=sessionId.asc", "a e d c b"), list("?orderBy=public.desc", "a e d c b"),
		list("?orderBy=bookmarked.asc", "e d c b a"),
		paged("?orderBy=userId.asc&limit=2&page=2", "e d", apitest.Meta(2, 2, 5, 3)),

		list(where(condition("string", "traceId", "=", `"b"`)), "b"),
		list(where(condition("stringOptions", "id", "none of", `["b","c"]`)), "e d a"),
		list(where(condition("string", "traceName", "starts with", `"al"`)), "a"),
		list(where(condition("string", "name", "contains", `"l"`)), "d a"),
		list(where(condition("string", "name", "does not contain", `"l"`)), "e c b"),
		list(where(condition("string", "userId", "contains", `""`)), "e d c b a"),
		list(where(condition("stringOptions", "userId", "any of", `["u1","u3"]`)), "e a"),
		list(where(condition("stringOptions", "userId", "any of", `["u1",""]`)), "d c a"),
		list(where(`{"type":"null","column":"userId","operator":"is null"}`), "d c"),
		list(where(`{"type":"null","column":"sessionId","operator":"is not null","value":""}`), "a"),
		list(where(condition("arrayOptions", "traceTags", "any of", `["y","z"]`)), "a"),
		list(where(condition("arrayOptions", "tags", "none of", `["y"]`)), "e d c b"),
		list(where(condition("arrayOptions", "tags", "all of", `[]`)), "e d c b a"),
		list(where(condition("boolean", "bookmarked", "=", "true")), "a"),
		list(where(condition("datetime", "timestamp", ">", `"2026-10-06T10:00:20Z"`)), "e d c"),
		list(where(condition("datetime", "timestamp", ">=", `"2026-10-06T10:00:20Z"`)), "e d c b"),
		list(where(condition("datetime", "timestamp", "<", `"2026-10-06T10:00:20Z"`)), "a"),
		list(where(condition("datetime", "timestamp", "<=", `"2026-10-06T10:00:20Z"`)), "b a"),
		list(where(condition("datetime", "timestamp", ">", "0"), condition("datetime", "timestamp", "<=", "8640000000000000")),
			"e d c b a"),
		list(where(condition("datetime", "timestamp", "<", "-1")), ""),
		list(where(keyed("stringObject", "metadata", "k", "=", `"v"`)), "a"),
		list(where(keyed("stringObject", "metadata", "deep.er", "=", `"z"`)), "a"),
		list(where(keyed("numberObject", "metadata", "n", ">", `4`)), "a"),
		list(where(keyed("stringObject", "metadata", "k", "does not contain", `"v"`)), ""),
		list(where(condition("string", "level", "=", `"ERROR"`)), "a"),
		list(where(condition("stringOptions", "level", "any of", `["DEBUG","WARNING"]`)), "d b"),
		list(where(condition("number", "errorCount", "=", "1")), "a"), list(where(condition("number", "warningCount", ">=", "1")), "b"),
		list(where(condition("number", "defaultCount", "=", "2")), "a"), list(where(condition("number", "debugCount", ">", "0")), "d"),
		list(where(condition("number", "latency", ">", "5")), "a"), list(where(condition("number", "latency", "=", "5")), "b"),
		list(where(condition("number", "tokens", "=", "15")), "a"),
		list(where(condition("number", "inputTokens", "=", "10")), "a"),
		list(where(condition("number", "outputTokens", "<", "5")), "e d c b"),
		list(where(condition("number", "totalCost", "=", "0.3")), "a"), list(where(condition("number", "inputCost", "=", "0.1")), "a"),
		list(where(condition("number", "outputCost", ">", "0.1")), "a"),
		list(where(condition("string", "version", "=", `"v2"`), condition("string", "userId", "=", `"u3"`)), "e"),
		list(where(`{"type":"positionInTrace","column":"x","operator":"="}`), "e d c b a"),

		// The filter overrides parameters, column by column.
		list(where(condition("string", "userId", "=", `"u2"`))+"&userId=u1", "b"),
		list(where(condition("string", "userId", "=", `"u2"`))+"&name=alpha", ""),
		list(where(condition("datetime", "timestamp", "<", `"2026-10-06T10:00:20Z"`))+
			"&fromTimestamp=2026-10-06T10:00:30Z&toTimestamp=2026-10-06T10:00:31Z", "a"),
		list(where()+"&userId=u1", "a"),
		list(where(condition("stringOptions", "environment", "any of", `["default"]`))+"&environment=production", "e d c b"),
		list(where(condition("arrayOptions", "tags", "any of", `["x"]`))+"&tags=nothing", "a"),

		list(where(keyed("numberObject", "scores_avg", "quality", ">=", "0.4")), "b a"),
		list(where(keyed("numberObject", "scores_avg", "quality", "=", "0.4")), "a"),
		list(where(keyed("numberObject", "scores_avg", "quality", "<", "0.5")), "a"),
		list(where(keyed("numberObject", "scores_avg", "quality", ">", "0.8")), "b"),
		list(where(keyed("numberObject", "scores_avg", "quality", "<=", "0.9")), "b a"),
		list(where(keyed("numberObject", "scores_avg", "nothing", ">=", "0")), ""),
		list(where(keyed("numberObject", "scores", "ok", "=", "1")), "a"),
		list(where(keyed("categoryOptions", "score_categories", "tone", "any of", `["kind"]`)), "a"),
		list(where(keyed("categoryOptions", "scores", "tone", "none of", `["kind"]`)), "e d c b"),
		list(where(keyed("booleanObject", "score_booleans", "ok", "=", "true")), "a"),
		list(where(keyed("booleanObject", "score_booleans", "ok", "<>", "true")), "e d c b"),
		list(where(keyed("booleanObject", "scores", "ok", "=", "false")), "b"),
		list(where(keyed("numberObject", "scores_avg", "quality", ">", "0"), condition("string", "userId", "=", `"u2"`),
			keyed("booleanObject", "score_booleans", "ok", "=", "false")), "b"),

		refuse("?page=0&limit=101&fromTimestamp=yesterday&orderBy=name", `"path":["page"]`,
			`"path":["limit"],"message":"Too big: expected number to be <=100"`, `"path":["fromTimestamp"]`,
			`{"code":"invalid_value","values":["ASC","DESC"],"path":["orderBy","order"],"message":"Invalid option: expected one of \"ASC\"|\"DESC\""}`),
		refuse("?orderBy=name.up", `"path":["orderBy","order"]`),
		refuse("?orderBy=latency.asc", `{"message":"Invalid order by column: latency","error":"InvalidRequestError"}`),
		refuse("?name=a&name=b", `"path":["name"]`),
		refuse("?filter={nope", `{"message":"Invalid JSON in filter parameter","error":"InvalidRequestError"}`),
		refuse(where(condition("string", "input", "=", `"x"`)), `Column input is not one that can be filtered by.`),
		refuse(where(keyed("stringObject", "metadata", "k", "matches", `"v"`)), "`matches` is not supported here"),
		refuse(where(condition("string", "name", "matches", `"v"`)),
			"`matches` is only supported for input, output, and metadata filters."),
		refuse(where(condition("number", "scores_avg", "=", "1")),
			`Invalid filter type 'number' for column 'scores_avg'. Expected filter type 'numberObject'.`),
		refuse(where(keyed("numberObject", "score_categories", "k", "=", "1")), `Expected filter type 'categoryOptions'.`),
		refuse(where(condition("string", "name", "=", `"x"`), `{"type":"numberObject","column":"scores_avg","operator":"=","value":1}`),
			`"path":["filter",1,"key"]`),
		refuse(where(keyed("numberObject", "scores_avg", "k", "~", "1")), `"path":["filter",0,"operator"]`),
		refuse(where(keyed("numberObject", "scores_avg", "k", "=", "1"), condition("number", "nothing", "=", "1")),
			`Column nothing is not one`),
		refuse(where(condition("number", "tags", "=", "1")),
			`Invalid filter type 'number' for column 'tags'. Expected filter type 'arrayOptions'.`),
		{Name: "no credentials", Path: "/api/public/traces", Status: 401},
		{
			Name: "another project", Path: "/api/public/traces", Key: "neighbour", Given: someTraces(), Status: 200,
			Want: `{"data":[` + apitest.Meta(1, 50, 0, 0),
		},
		{Name: "nothing at all", Path: "/api/public/traces?userId=x", Key: "project", Status: 200, Want: `{"data":[` + apitest.Meta(1, 50, 0, 0)},
	})
}

func TestListTracesShapes(t *testing.T) {
	end := func(items, pages, limit int) string { return apitest.Meta(1, limit, items, pages) }
	list := func(query, body string) apitest.Scenario {
		return apitest.Scenario{
			Name: query, Path: "/api/public/traces" + query, Key: "limited", Given: checkout(), Scores: checkoutScores(), Status: 200,
			Want: body,
		}
	}
	const scores = `["sc-text","sc-cat","sc-bool","sc-num","sc-early"]`
	apitest.Run(t, []apitest.Scenario{
		list("?limit=1&orderBy=timestamp.asc", `{"data":[{`+t1Head+t1IO+t1Times+`,"observations":["o3","o2","o1"],"scores":`+scores+
			`,"totalCost":0.00045,"latency":2`+t1Path+end(2, 2, 1)),
		list("?limit=1&orderBy=timestamp.desc&fields=core",
			`{"data":[{`+t2Core+`,"observations":[],"scores":[],"totalCost":-1,"latency":-1,"htmlPath":"/project/project-a/traces/t2"}`+
				end(2, 2, 1)),
		list("?userId=u1&fields=scores,observations", `{"data":[{`+t1Head+noIO+t1Times+`,"observations":["o3","o2","o1"],"scores":`+scores+
			`,"totalCost":-1,"latency":-1`+t1Path+end(1, 1, 50)),
		list("?userId=u1&fields=io", `{"data":[{`+t1Head+t1IO+t1Times+`,"observations":[],"scores":[],"totalCost":-1,"latency":-1`+t1Path+
			end(1, 1, 50)),
		list("?name=checkout&fields=metrics", `{"data":[{`+t1Head+noIO+t1Times+
			`,"observations":[],"scores":[],"totalCost":0.00045,"latency":2`+t1Path+end(1, 1, 50)),
		list("?environment=production", `{"data":[{`+t1Head+t1IO+t1Times+
			`,"observations":["o3","o2","o1"],"scores":["sc-cat"],"totalCost":0.00045,"latency":2`+t1Path+end(1, 1, 50)),
	})
}

// TestTracesThatSpeakButHaveNoRoot shows the metadata of a trace whose root is missing.
func TestTracesThatSpeakButHaveNoRoot(t *testing.T) {
	rows := checkout()[3:]
	rows[0].UserID, rows[0].TraceOutput = "u", `{"said":"so"}`
	for _, path := range []string{"/api/public/traces?userId=u", "/api/public/traces/t2", "/api/public/traces/t2?fields=io"} {
		apitest.New(t, nil).Run(t, apitest.Scenario{Path: path, Key: "project", Given: rows, Status: 200, Contains: []string{
			`"input":null,"output":{"said":"so"},"metadata":{"resourceAttributes":{"service.name":"svc"},"scope":{"name":"langfuse-sdk","version":"4.0.0"}}`,
		}})
	}
}

// TestTooManyTraces reaches the limit on the number of traces examined. Most lists examine only those of their page.
func TestTooManyTraces(t *testing.T) {
	small := func(o *httpapi.Options) { o.Limits.Traces = 10 }
	rows := func(count int) []domain.Observation {
		list := make([]domain.Observation, count)
		for n := range list {
			list[n] = domain.Observation{
				TraceID: fmt.Sprintf("t%02d", n), ID: "o", SessionID: fmt.Sprintf("s%02d", n),
				StartTime: apitest.October + domain.Micros(n)*1_000_000, Environment: "e",
			}
		}
		list[0].UserID = "rare"
		return list
	}
	advice := []string{`"error":"Request timed out"`, "would have to be looked at"}
	for _, s := range []apitest.Scenario{
		{Path: "/api/public/traces?orderBy=name.asc", Status: 422, Contains: advice},
		{Path: "/api/public/traces?environment=e&orderBy=release.desc", Status: 422, Contains: advice},
		{Path: "/api/public/traces?environment=e&fields=core", Status: 200, Contains: []string{apitest.Meta(1, 50, 11, 1)}},
		{
			Path: "/api/public/traces?orderBy=timestamp.asc&limit=1&fields=core", Status: 200,
			Contains: []string{`"id":"t00"`, apitest.Meta(1, 1, 11, 11)},
		},
		{Path: "/api/public/traces?limit=11&fields=core", Status: 200, Contains: []string{apitest.Meta(1, 11, 11, 1)}},
		{Path: "/api/public/sessions", Status: 200, Contains: []string{apitest.Meta(1, 50, 11, 1)}},
		{Path: "/api/public/sessions?limit=1&page=2", Status: 200, Contains: []string{`"id":"s09"`, apitest.Meta(2, 1, 11, 11)}},
		{Path: "/api/public/traces?environment=e&userId=rare&fields=core", Status: 200, Contains: []string{apitest.Meta(1, 50, 1, 1)}},
		{Path: "/api/public/traces?limit=1&fields=core", Status: 200, Contains: []string{`"id":"t10"`, apitest.Meta(1, 1, 11, 11)}},
		{
			Path: "/api/public/traces?environment=e&fields=core&fromTimestamp=2026-10-06T10:00:08Z", Status: 200,
			Contains: []string{apitest.Meta(1, 50, 3, 1)},
		},
	} {
		s.Name, s.Key, s.Given = s.Path, "project", rows(11)
		t.Run(s.Name, func(t *testing.T) {
			f := apitest.New(t, small)
			f.Run(t, s)
			if held := f.Memory.Held(); held != 0 {
				t.Errorf("%d of %d bytes are still held", held, f.Memory.Size())
			}
		})
	}
}

// TestDeprecatedReadsFail checks the responses when the store fails, and when time runs out.
func TestDeprecatedReadsFail(t *testing.T) {
	filter := "filter=" +
		`%5B%7B%22type%22%3A%22numberObject%22%2C%22column%22%3A%22scores_avg%22%2C%22key%22%3A%22quality%22%2C%22operator%22%3A%22%3E%22%2C%22value%22%3A0%7D%5D`
	for _, path := range []string{
		"traces", "traces?fromTimestamp=2026-10-06T10:00:00Z", "traces?userId=u1", "traces?orderBy=id.asc", "traces?" + filter, "traces/a",
		"traces/a?fields=io",
		"traces/a?fields=scores", "observations", "observations?userId=u1", "observations?page=2&limit=1", "observations/a1", "sessions",
		"sessions/s1",
	} {
		t.Run(path, func(t *testing.T) {
			f := apitest.New(t, nil)
			f.Keep(t, "project-a", someTraces(), scoresOfTraces())
			if err := f.Store.Close(); err != nil {
				t.Fatal(err)
			}
			w := httptest.NewRecorder()
			f.ServeHTTP(w, apitest.Scenario{Path: "/api/public/" + path, Key: "project"}.Request())
			if want := `{"message":"Internal Server Error","error":"An unknown error occurred"}`; w.Code != 500 || w.Body.String() != want {
				t.Errorf("status %d, body %s", w.Code, w.Body)
			}
			slow := apitest.New(t, func(o *httpapi.Options) { o.Limits.Handling = time.Nanosecond })
			slow.Keep(t, "project-a", someTraces(), scoresOfTraces())
			slow.Run(t, apitest.Scenario{
				Path: "/api/public/" + path, Key: "project", Status: 422, Contains: []string{`"error":"Request timed out"`},
			})
		})
	}
}
