package traces_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/domain"
	"almanac/internal/filter/filtertest"
	"almanac/internal/httpapi/apitest"
)

const march = domain.Micros(1_772_600_767_123_000) // 2026-03-04T05:06:07.123Z

// someObservations returns rows of one trace and one row of another.
func someObservations() []domain.Observation {
	return []domain.Observation{
		{
			TraceID: "t1", ID: "root", Type: "SPAN", Name: "plan", Level: "DEFAULT", Environment: "default", StartTime: march,
			EndTime:   march + 2_864_000,
			CreatedAt: march, UpdatedAt: march, UserID: "u1", SessionID: "s1", Tags: []string{"a", "b"}, IsAppRoot: true,
			Input: `{"q": "hi"}`, Output: "done", Metadata: `{"k":"v","n":42,"long":"` + strings.Repeat("x", 250) + `","deep.er":true}`,
		},
		{
			TraceID: "t1", ID: "call", ParentID: "root", Type: "GENERATION", Name: "answer", Level: "ERROR", StatusMessage: "it broke",
			Environment: "production",
			StartTime:   march + 1000, EndTime: march + 1000, CreatedAt: march, UpdatedAt: march, Version: "v2", Release: "r7",
			Model: "gpt-4o",
			Usage: `{"input":10,"output":5,"total":15}`, Cost: `{"input":0.000025,"output":0.00005,"total":0.000075}`, InputTokens: 10,
			OutputTokens: 5,
			TotalTokens:  domain.IntOf(15), TotalCost: domain.FloatOf(0.000075), Input: "the quick fox", Output: "jumps",
		},
		{
			TraceID: "t2", ID: "other", Type: "EVENT", Name: "plan", Level: "DEFAULT", Environment: "default", StartTime: march - 1000,
			CreatedAt: march, UpdatedAt: march,
		},
	}
}

const observationsPath = "/api/public/v2/observations"

func withQuery(pairs ...string) string {
	values := make(url.Values)
	for n := 0; n < len(pairs); n += 2 {
		values.Add(pairs[n], pairs[n+1])
	}
	return observationsPath + "?" + values.Encode()
}

func TestListObservations(t *testing.T) {
	const (
		t1root = `{"id":"root","traceId":"t1","startTime":"2026-03-04T05:06:07.123Z","endTime":"2026-03-04T05:06:09.987Z","projectId":"project-a",` +
			`"parentObservationId":null,"type":"SPAN","name":"plan","level":"DEFAULT","statusMessage":"","version":"","environment":"default",` +
			`"bookmarked":false,"public":false,"userId":"u1","sessionId":"s1","isRootObservation":true,"modelId":null,"inputPrice":null,"outputPrice":null,"totalPrice":null}`
		nothing = `{"data":[],"meta":{}}`
	)
	issue := func(parts ...string) []string { return append([]string{`"message":"Invalid request data"`}, parts...) }
	condition := func(text string) string { return withQuery("filter", "["+text+"]") }
	var scenarios []apitest.Scenario
	add := func(name, path string, ids string, parts ...string) {
		scenarios = append(scenarios, apitest.Scenario{
			Name: name, Path: path, Key: "project", Given: someObservations(), Status: http.StatusOK, Contains: parts,
			After: nil, Want: "",
		})
		if ids != "" {
			for id := range strings.SplitSeq(ids, " ") {
				scenarios[len(scenarios)-1].Contains = append(scenarios[len(scenarios)-1].Contains, `"id":"`+id+`"`)
			}
		}
		for _, id := range []string{"root", "call", "other"} {
			if !slices.Contains(strings.Fields(ids), id) {
				scenarios[len(scenarios)-1].Missing = append(scenarios[len(scenarios)-1].Missing, `{"id":"`+id+`"`)
			}
		}
	}
	refuse := func(name, path string, parts ...string) {
		scenarios = append(scenarios, apitest.Scenario{
			Name: name, Path: path, Key: "project", Given: someObservations(), Status: http.StatusBadRequest, Contains: parts,
		})
	}

	add("everything", observationsPath, "root call other")
	add("one row in full", withQuery("traceId", "t1", "name", "plan"), "root", `{"data":[`+t1root+`],"meta":{}}`)
	add("of a name", withQuery("name", "plan"), "root other")
	add("of a user", withQuery("userId", "u1"), "root")
	add("of no user", withQuery("userId", ""), "call other")
	add("of a session", withQuery("sessionId", "s1"), "root")
	add("of a type", withQuery("type", "EVENT"), "other")
	add("of a level", withQuery("level", "ERROR"), "call")
	add("of a version", withQuery("version", "v2"), "call")
	add("of a parent", withQuery("parentObservationId", "root"), "call")
	add("of no parent", withQuery("parentObservationId", ""), "root other")
	add("roots", withQuery("isRootObservation", "true"), "root other")
	add("not roots", withQuery("isRootObservation", "false"), "call")
	add("of an environment", withQuery("environment", "production"), "call")
	add("of environments, with commas", withQuery("environment", "production,default"), "root call other")
	add("of environments, repeated", withQuery("environment", "production", "environment", "x"), "call")
	add("from a time", withQuery("fromStartTime", "2026-03-04T05:06:07.123Z"), "root call")
	add("to a time", withQuery("toStartTime", "2026-03-04T05:06:07.123Z"), "other")
	add("none", withQuery("limit", "0"), "", nothing)
	add("none, empty limit", withQuery("limit", ""), "", nothing)
	add("unknown parameters", withQuery("wishes", "none"), "root call other")
	add("parseIoAsJson false", withQuery("parseIoAsJson", "false"), "root call other")
	add("an empty filter", withQuery("filter", ""), "root call other")
	add("a filter of nothing", withQuery("filter", "[]", "name", "plan"), "root other")

	add("a filter", condition(`{"type":"string","column":"name","operator":"starts with","value":"an"}`), "call")
	add("a filter beside a parameter",
		withQuery("userId", "u1", "filter", `[{"type":"string","column":"name","operator":"=","value":"plan"}]`), "root")
	add("a parameter gives way",
		withQuery("name", "nothing has it", "filter", `[{"type":"string","column":"name","operator":"=","value":"plan"}]`), "root other")
	add("both times give way", withQuery("fromStartTime", "2027-01-01T00:00:00Z", "toStartTime", "2020-01-01T00:00:00Z",
		"filter", `[{"type":"datetime","column":"startTime","operator":">=","value":"2026-03-04T05:06:07.123Z"}]`), "root call")
	add("an alias gives way too",
		withQuery("environment", "x", "filter",
			`[{"type":"stringOptions","column":"traceEnvironment","operator":"any of","value":["production"]}]`), "call")
	add("words", condition(`{"type":"string","column":"input","operator":"matches","value":"Quick"}`), "call")
	add("metadata", condition(`{"type":"stringObject","column":"metadata","key":"k","operator":"=","value":"v"}`), "root")
	add("metadata numbers", condition(`{"type":"numberObject","column":"metadata","key":"n","operator":">","value":41}`), "root")

	add("core alone", withQuery("fields", "core", "name", "answer"), "call", `"type":"GENERATION","modelId":null`)
	add("unknown groups", withQuery("fields", "nope", "name", "answer"), "call", `"type":"GENERATION","modelId":null`)
	add("input and output", withQuery("fields", "io", "traceId", "t2"), "other", `"input":null,"output":null`)
	add("text as it was stored", withQuery("fields", "io", "name", "plan", "traceId", "t1"), "root",
		`"input":"{\"q\": \"hi\"}","output":"done"`)
	add("metadata is cut", withQuery("fields", "metadata", "userId", "u1"), "root",
		`"metadata":{"k":"v","n":42,"long":"`+strings.Repeat("x", 200)+`","deep.er":true}`)
	add("metadata in full", withQuery("fields", "metadata", "expandMetadata", "k,long", "userId", "u1"), "root",
		`"long":"`+strings.Repeat("x", 250)+`"`)
	add("usage", withQuery("fields", "usage", "level", "ERROR"), "call",
		`"usageDetails":{"input":10,"output":5,"total":15},"inputUsage":10,"outputUsage":5,"totalUsage":15`, `"totalCost":0.000075`)
	add("metrics", withQuery("fields", "metrics", "userId", "u1"), "root", `"latency":2.864,"timeToFirstToken":null`)
	add("no latency without metrics", withQuery("userId", "u1"), "root")
	scenarios[len(scenarios)-1].Missing = append(scenarios[len(scenarios)-1].Missing, "latency")
	add("trace context", withQuery("fields", "trace_context", "userId", "u1"), "root", `"tags":["a","b"],"release":"","traceName":"plan"`)
	add("every group", withQuery("fields", "core,basic,time,io,metadata,model,usage,prompt,metrics,trace_context"), "root call other")

	refuse("limit above", withQuery("limit", "1001"), issue(`"maximum":1000`, `"path":["limit"]`)...)
	refuse("limit below", withQuery("limit", "-1"), issue(`"minimum":0`)...)
	refuse("limit with a fraction", withQuery("limit", "1.5"), issue(`"expected":"int"`)...)
	refuse("limit that is none", withQuery("limit", "many"), issue(`"received":"NaN"`)...)
	refuse("type", withQuery("type", "span"), issue(`"path":["type"]`, `"code":"invalid_value"`)...)
	refuse("empty type", withQuery("type", ""), issue(`"path":["type"]`)...)
	refuse("level", withQuery("level", "INFO"), issue(`"values":["DEBUG","DEFAULT","WARNING","ERROR"]`)...)
	refuse("root", withQuery("isRootObservation", "yes"), issue(`"path":["isRootObservation"]`)...)
	refuse("time", withQuery("fromStartTime", "2026-03-04"), issue(`"Invalid ISO datetime"`)...)
	refuse("repeated name", withQuery("name", "a", "name", "b"), issue(`expected string, received array`)...)
	refuse("parseIoAsJson true", withQuery("parseIoAsJson", "true"), issue(`"code":"custom","path":["parseIoAsJson"]`)...)
	refuse("parseIoAsJson other", withQuery("parseIoAsJson", "1"), issue(`"code":"invalid_union"`)...)
	refuse("repeated fields", withQuery("fields", "core", "fields", "nope"), issue(`"path":["fields",1]`)...)
	refuse("two issues in order", withQuery("level", "x", "limit", "x"), `"path":["limit"]`, `"path":["level"]`)
	refuse("cursor", withQuery("cursor", "nonsense!"), `{"message":"Invalid cursor format","error":"InvalidRequestError"}`)
	refuse("empty cursor", withQuery("cursor", ""), `{"message":"Invalid cursor format","error":"InvalidRequestError"}`)
	refuse("cursor without members", withQuery("cursor", "e30="), issue(`"path":["cursor","lastStartTimeTo"]`)...)
	refuse("filter that is no JSON", withQuery("filter", "[{"),
		`{"message":"Invalid JSON in filter parameter","error":"InvalidRequestError"}`)
	refuse("filter that is no array", withQuery("filter", "{}"), issue(`"path":["filter"]`)...)
	refuse("unknown type", condition(`{"type":"x","column":"name","operator":"=","value":""}`),
		issue(`"note":"No matching discriminator"`)...)
	refuse("unknown column", condition(`{"type":"string","column":"scores_avg","operator":"=","value":""}`),
		`{"message":"Column scores_avg is not one that can be filtered by.","error":"InvalidRequestError"}`)
	refuse("wrong type", condition(`{"type":"number","column":"name","operator":"=","value":1}`),
		`Invalid filter type 'number' for column 'name'.`)
	refuse("matches elsewhere", condition(`{"type":"string","column":"name","operator":"matches","value":"a"}`),
		"`matches` is only supported for input, output, and metadata filters.")
	refuse("contains on input", condition(`{"type":"string","column":"input","operator":"contains","value":"a"}`),
		"Input/output filters require at least one `matches` or `=` operator.")
	apitest.Run(t, scenarios)

	apitest.Run(t, []apitest.Scenario{
		{Name: "no key", Path: observationsPath, Status: http.StatusUnauthorized, Want: `{"message":"No authorization header"}`},
		{
			Name: "another project's key", Path: observationsPath, Key: "neighbour", Given: someObservations(), Status: http.StatusOK,
			Want: nothing,
		},
		{
			Name: "a foreign key that names the trace", Path: withQuery("traceId", "t1"), Key: "foreign", Given: someObservations(),
			Status: http.StatusOK, Want: nothing,
		},
		{
			Name: "an organization's key", Path: observationsPath, Key: "organization", Status: http.StatusForbidden,
			Contains: []string{"insufficient permissions"},
		},
		{
			Name: "a key that may only read", Path: observationsPath, Key: "limited", Given: someObservations()[2:], Status: http.StatusOK,
			Contains: []string{`"id":"other"`},
		},
		{Name: "the wrong method", Method: "PUT", Path: observationsPath, Key: "project", Status: http.StatusMethodNotAllowed},
	})
}

// walk reads all pages and returns the names of the rows. Between pages it calls between.
func walk(t testing.TB, f *apitest.Fixture, limit int, between func(page int)) []string {
	t.Helper()
	var names []string
	query := []string{"limit", strconv.Itoa(limit)}
	for page := 0; ; page++ {
		var body apitest.ObservationsBody
		if err := json.Unmarshal(f.Get(t, withQuery(query...)), &body); err != nil {
			t.Fatal(err)
		}
		for _, row := range body.Data {
			names = append(names, row.TraceID+"/"+row.ID)
		}
		if body.Meta.Cursor == "" {
			return names
		}
		if len(body.Data) != limit {
			t.Fatalf("a page of %d rows is not the last, but the limit is %d", len(body.Data), limit)
		}
		query = []string{"limit", strconv.Itoa(limit), "cursor", body.Meta.Cursor}
		between(page)
	}
}

// TestWalk: paging returns every row that existed at its start exactly once and in order, although rows have equal
// times and new rows arrive in between.
func TestWalk(t *testing.T) {
	f := apitest.New(t, nil)
	count := 1000
	if testing.Short() {
		count = 260
	}
	var rows []domain.Observation
	for n := range count {
		rows = append(rows, domain.Observation{
			TraceID: fmt.Sprint("t", n%13), ID: fmt.Sprintf("%04d", n), Type: "SPAN", StartTime: march + domain.Micros(n/50)*1000,
			CreatedAt: march, UpdatedAt: march,
		})
	}
	f.Keep(t, "project-a", rows[:count/2], nil)
	if err := f.Store.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.Keep(t, "project-a", rows[count/2:], nil)
	want := walk(t, f, 1000, func(int) {})
	if len(want) != count {
		t.Fatalf("%d rows in one page", len(want))
	}
	if got := walk(t, f, 1, func(int) {}); !slices.Equal(got, want) {
		t.Error("a walk of single rows differs from one page")
	}
	added := 0
	got := walk(t, f, 37, func(page int) {
		// Newer rows come before every cursor.
		f.Keep(t, "project-a", []domain.Observation{
			{TraceID: "new", ID: strconv.Itoa(page), Type: "SPAN", StartTime: march + 1e9, CreatedAt: march, UpdatedAt: march},
		}, nil)
		added++
		if page == 3 {
			if err := f.Store.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	})
	if !slices.Equal(got, want) || added == 0 {
		t.Errorf("a walk with writes in between has %d rows, want the %d that were there", len(got), len(want))
	}
}

// TestObservationsFilters checks the API against the reference semantics of filters.
func TestObservationsFilters(t *testing.T) {
	f := apitest.New(t, nil)
	rows := filtertest.Rows()
	f.Keep(t, "project-a", rows[:len(rows)/2], nil)
	if err := f.Store.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.Keep(t, "project-a", rows[len(rows)/2:], nil)
	f.Keep(t, "project-a2", rows, nil)
	check := func(t rapid.TB, text string) {
		w := httptest.NewRecorder()
		f.ServeHTTP(w, apitest.Scenario{Path: withQuery("limit", "1000", "fields", "core", "filter", text), Key: "project"}.Request())
		var body apitest.ObservationsBody
		if err := json.Unmarshal(w.Body.Bytes(), &body); w.Code != http.StatusOK || err != nil {
			t.Fatalf("%s: %d %.300s %v", text, w.Code, w.Body, err)
		}
		var got []string
		for _, row := range body.Data {
			got = append(got, row.TraceID+"/"+row.ID)
		}
		if want := filtertest.Found(text, rows); !slices.Equal(got, want) {
			t.Errorf("%s finds %d rows, want %d", text, len(got), len(want))
		}
	}
	step := 5
	if testing.Short() {
		step = 25
	}
	for n, cell := range filtertest.Cells() {
		if n%step == 0 || cell.Column == "startTime" { // the store is tested with all of them
			check(t, cell.Filter)
		}
	}
	rapid.Check(t, func(rt *rapid.T) { check(rt, filtertest.Filters().Draw(rt, "filter")) })
}

// TestEveryGroupIsDescribed validates responses for every combination of groups; in a short run, for some of each size.
func TestEveryGroupIsDescribed(t *testing.T) {
	f := apitest.New(t, nil)
	f.Keep(t, "project-a", someObservations(), nil)
	groups := []string{"basic", "time", "io", "metadata", "model", "usage", "prompt", "metrics", "trace_context"}
	step := 1
	if testing.Short() {
		step = 7
	}
	for set := 0; set < 1<<len(groups); set += step {
		fields := []string{"core"}
		for n, group := range groups {
			if set&(1<<n) != 0 {
				fields = append(fields, group)
			}
		}
		f.Run(t, apitest.Scenario{
			Path: withQuery("fields", strings.Join(fields, ",")), Key: "project", Status: http.StatusOK, Contains: []string{`"id":"call"`},
		})
	}
}

// TestLargeAnswersAreStreamed: a response of many megabytes is complete, compressed on request, and a client that
// disconnects ends the scan.
func TestLargeAnswersAreStreamed(t *testing.T) {
	f := apitest.New(t, nil)
	var rows []domain.Observation
	for n := range 400 {
		rows = append(rows, domain.Observation{
			TraceID: "t", ID: fmt.Sprintf("%04d", n), Type: "SPAN", StartTime: march + domain.Micros(n)*1000, CreatedAt: march,
			UpdatedAt: march,
			Input:     strings.Repeat(fmt.Sprintf("text %d ", n), 5000),
		})
	}
	f.Keep(t, "project-a", rows, nil)
	path := withQuery("limit", "400", "fields", "io")
	plain := f.Get(t, path)
	if !json.Valid(plain) || len(plain) < 8<<20 {
		t.Fatalf("%d bytes, valid %v", len(plain), json.Valid(plain))
	}
	var body apitest.ObservationsBody
	if err := json.Unmarshal(plain, &body); err != nil || len(body.Data) != 400 {
		t.Errorf("%d rows, %v", len(body.Data), err)
	}
	server := httptest.NewServer(f)
	defer server.Close()
	r := apitest.Scenario{Path: path, Key: "project"}.Request()
	sent, err := http.NewRequest(http.MethodGet, server.URL+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	sent.Header = r.Header
	answer, err := http.DefaultClient.Do(sent) // requests gzip and decompresses it
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var packed apitest.ObservationsBody
	if err := json.NewDecoder(answer.Body).Decode(&packed); err != nil || len(packed.Data) != 400 || !answer.Uncompressed {
		t.Errorf("%d rows, %v, compressed %v", len(packed.Data), err, answer.Uncompressed)
	}
}
