package traces_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/store"
)

const origin = `"resourceAttributes.service.name":"svc","scope.name":"langfuse-sdk","scope.version":"4.0.0"`

// checkout returns a trace with a root, a generation and an event, and a trace whose only row names an unknown parent.
func checkout() []domain.Observation {
	row := func(id, parent, kind, name string, from, to domain.Micros) domain.Observation {
		return domain.Observation{
			TraceID: "t1", ID: id, ParentID: parent, Type: kind, Name: name, Level: "DEFAULT", StartTime: apitest.October + from,
			EndTime:   apitest.October + to,
			CreatedAt: apitest.October + from + 1000, UpdatedAt: apitest.October + to + 2000, TraceName: "checkout", UserID: "u1", SessionID: "s1",
			Tags: []string{"b", "a"}, Environment: "production", Release: "r1", Version: "1.2", TraceMetadata: `{"tenant":"acme"}`,
			Metadata: `{` + origin + `}`,
		}
	}
	root := row("o1", "", "SPAN", "handle request", 0, 2_000_000)
	root.Input, root.Output, root.Metadata = `{"q":1}`, "ok", `{`+origin+`,"k":"v","n":5}`
	generation := row("o2", "o1", "GENERATION", "answer", 100_000, 1_600_000)
	generation.Input, generation.Output, generation.Model = `[{"role":"user","content":"hi"}]`, "hello", "gpt-4o"
	generation.Usage, generation.Cost = `{"input":100,"output":20,"total":120}`, `{"input":0.00025,"output":0.0002,"total":0.00045}`
	generation.InputTokens, generation.OutputTokens, generation.TotalTokens = 100, 20, domain.IntOf(120)
	generation.InputCost, generation.OutputCost, generation.TotalCost = 0.00025, 0.0002, domain.FloatOf(0.00045)
	generation.CompletionStartTime = apitest.October + 400_000
	event := row("o3", "o1", "EVENT", "note", 1_700_000, 1_700_000)
	orphan := domain.Observation{
		TraceID: "t2", ID: "o4", ParentID: "elsewhere", Type: "SPAN", Name: "work", Level: "WARNING", Environment: "default", Input: "in",
		IsAppRoot: true,
		StartTime: apitest.October + 5_000_000, EndTime: apitest.October + 5_100_000, CreatedAt: apitest.October, UpdatedAt: apitest.October, Metadata: `{` + origin + `}`,
	}
	return []domain.Observation{root, generation, event, orphan}
}

// checkoutScores returns scores of all types, on the first trace and elsewhere.
func checkoutScores() []domain.Score {
	score := func(id, name, kind string, seconds domain.Micros) domain.Score {
		at := apitest.October + seconds*1_000_000
		return domain.Score{
			ID: id, TraceID: "t1", Name: name, DataType: kind, Source: "API", Environment: "default", Timestamp: at, CreatedAt: at,
			UpdatedAt: at,
		}
	}
	number := score("sc-num", "quality", "NUMERIC", 60)
	number.Value, number.Comment, number.Metadata = domain.FloatOf(0.5), "fine", `{"rater":"x","n":1}`
	boolean := score("sc-bool", "is-ok", "BOOLEAN", 61)
	boolean.Value, boolean.StringValue, boolean.ObservationID = domain.FloatOf(1), "True", "o2"
	category := score("sc-cat", "tone", "CATEGORICAL", 62)
	category.StringValue, category.Environment = "kind", "production"
	text := score("sc-text", "remark", "TEXT", 63)
	text.StringValue = "good work"
	early := score("sc-early", "quality", "NUMERIC", -3700)
	early.Value = domain.FloatOf(1)
	correction := score("sc-corr", "output", "CORRECTION", 64)
	session := score("sc-sess", "mood", "NUMERIC", 65)
	session.TraceID, session.SessionID = "", "s1"
	ghost := score("sc-ghost", "ghost", "NUMERIC", 66)
	ghost.TraceID = "no-such-trace"
	return []domain.Score{number, boolean, category, text, early, correction, session, ghost}
}

// Parts of responses about checkout.
const (
	t1Head = `"id":"t1","projectId":"project-a","name":"checkout","timestamp":"2026-10-06T10:00:00.000Z","environment":"production",` +
		`"tags":["a","b"],"bookmarked":false,"release":"r1","version":"1.2","userId":"u1","sessionId":"s1","public":false,`
	t1IO = `"input":{"q":1},"output":"ok","metadata":{"k":"v","n":5,"resourceAttributes":{"service.name":"svc"},` +
		`"scope":{"name":"langfuse-sdk","version":"4.0.0"},"tenant":"acme"},`
	noIO    = `"input":null,"output":null,"metadata":{},`
	t1Times = `"createdAt":"2026-10-06T10:00:00.001Z","updatedAt":"2026-10-06T10:00:02.002Z","externalId":null`
	t1Path  = `,"htmlPath":"/project/project-a/traces/t1"}`
	t2Core  = `"id":"t2","projectId":"project-a","name":"","timestamp":"2026-10-06T10:00:05.000Z","environment":"default",` +
		`"tags":[],"bookmarked":false,"release":null,"version":null,"userId":null,"sessionId":null,"public":false,` + noIO +
		`"createdAt":"2026-10-06T10:00:00.000Z","updatedAt":"2026-10-06T10:00:00.000Z","externalId":null`
	o2Body = `{"id":"o2","traceId":"t1","startTime":"2026-10-06T10:00:00.100Z","endTime":"2026-10-06T10:00:01.600Z","projectId":"project-a",` +
		`"parentObservationId":"o1","type":"GENERATION","environment":"production","name":"answer","level":"DEFAULT","statusMessage":null,` +
		`"version":"1.2","createdAt":"2026-10-06T10:00:00.101Z","updatedAt":"2026-10-06T10:00:01.602Z",` +
		`"input":[{"role":"user","content":"hi"}],"output":"hello",` +
		`"metadata":{"resourceAttributes":{"service.name":"svc"},"scope":{"name":"langfuse-sdk","version":"4.0.0"}},` +
		`"model":"gpt-4o","modelParameters":{},"completionStartTime":"2026-10-06T10:00:00.400Z","promptId":null,"promptName":null,` +
		`"promptVersion":null,"latency":1.5,"timeToFirstToken":0.3,"usageDetails":{"input":100,"output":20,"total":120},` +
		`"costDetails":{"input":0.00025,"output":0.0002,"total":0.00045},"usagePricingTierId":null,"usagePricingTierName":null,` +
		`"modelId":null,"inputPrice":null,"outputPrice":null,"totalPrice":null,"calculatedInputCost":0.00025,"calculatedOutputCost":0.0002,` +
		`"calculatedTotalCost":0.00045,"unit":"TOKENS","promptTokens":100,"completionTokens":20,"totalTokens":120,` +
		`"usage":{"unit":"TOKENS","input":100,"output":20,"total":120}}`
	scoreBodies = `{"id":"sc-text","projectId":"project-a","environment":"default","name":"remark","source":"API","authorUserId":null,` +
		`"comment":null,"metadata":{},"configId":null,"queueId":null,"executionTraceId":null,"createdAt":"2026-10-06T10:01:03.000Z",` +
		`"updatedAt":"2026-10-06T10:01:03.000Z","timestamp":"2026-10-06T10:01:03.000Z","traceId":"t1","observationId":null,` +
		`"stringValue":"good work","dataType":"TEXT"},` +
		`{"id":"sc-cat","projectId":"project-a","environment":"production","name":"tone","value":0,"source":"API","authorUserId":null,` +
		`"comment":null,"metadata":{},"configId":null,"queueId":null,"executionTraceId":null,"createdAt":"2026-10-06T10:01:02.000Z",` +
		`"updatedAt":"2026-10-06T10:01:02.000Z","timestamp":"2026-10-06T10:01:02.000Z","traceId":"t1","observationId":null,` +
		`"stringValue":"kind","dataType":"CATEGORICAL"},` +
		`{"id":"sc-bool","projectId":"project-a","environment":"default","name":"is-ok","value":1,"source":"API","authorUserId":null,` +
		`"comment":null,"metadata":{},"configId":null,"queueId":null,"executionTraceId":null,"createdAt":"2026-10-06T10:01:01.000Z",` +
		`"updatedAt":"2026-10-06T10:01:01.000Z","timestamp":"2026-10-06T10:01:01.000Z","traceId":"t1","observationId":"o2",` +
		`"stringValue":"True","dataType":"BOOLEAN"},` +
		`{"id":"sc-num","projectId":"project-a","environment":"default","name":"quality","value":0.5,"source":"API","authorUserId":null,` +
		`"comment":"fine","metadata":{"rater":"x","n":1},"configId":null,"queueId":null,"executionTraceId":null,` +
		`"createdAt":"2026-10-06T10:01:00.000Z","updatedAt":"2026-10-06T10:01:00.000Z","timestamp":"2026-10-06T10:01:00.000Z",` +
		`"traceId":"t1","observationId":null,"stringValue":null,"dataType":"NUMERIC"},`
)

// deprecated are the headers of the reads that /api/public/v2/observations replaces.
var deprecated = map[string]string{
	"Deprecation": "@1767225600", "Link": `</api/public/v2/observations>; rel="successor-version"`,
}

func TestGetTrace(t *testing.T) {
	inTrace := strings.NewReplacer(`Price":null`, `Price":0`).Replace(o2Body)
	get := func(name, path string, status int, parts ...string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Path: "/api/public/traces/" + path, Key: "limited", Given: checkout(), Scores: checkoutScores(), Status: status,
			Contains: parts, WantHeader: deprecated,
		}
	}
	exact := func(s apitest.Scenario, body string) apitest.Scenario { s.Want = body; return s }
	apitest.Run(t, []apitest.Scenario{
		get("everything", "t1", 200, "{"+t1Head+t1IO+t1Times+`,"observations":[{"id":"o3",`, `,`+inTrace+`,{"id":"o1",`,
			`],"scores":[`+scoreBodies+`{"id":"sc-early"`,
			`}],"totalCost":0.00045,"latency":2`+t1Path),
		exact(get("core", "t1?fields=core", 200), "{"+t1Head+noIO+t1Times+`,"observations":[],"scores":[],"totalCost":-1,"latency":-1`+
			t1Path),
		exact(get("io", "t1?fields=io", 200), "{"+t1Head+t1IO+t1Times+`,"observations":[],"scores":[],"totalCost":-1,"latency":-1`+t1Path),
		exact(get("metrics", "t1?fields=metrics", 200), "{"+t1Head+noIO+t1Times+
			`,"observations":[],"scores":[],"totalCost":0.00045,"latency":2`+t1Path),
		get("observations without io", "t1?fields=observations", 200, t1Head+noIO+t1Times+`,"observations":[{"id":"o3"`,
			`],"scores":[],"totalCost":-1`),
		get("scores alone", "t1?fields=scores", 200, `"observations":[],"scores":[`+scoreBodies),
		get("unknown fields mean all", "t1?fields=x,y", 200, `"scores":[{"id":"sc-text"`, `"observations":[{"id":"o3"`),
		exact(get("a parent that is not there", "t2?fields=core,io,metrics", 200),
			"{"+t2Core+`,"observations":[],"scores":[],"totalCost":0,"latency":0.1,"htmlPath":"/project/project-a/traces/t2"}`),
		exact(get("no such trace", "nope", 404),
			`{"message":"Trace nope not found within authorized project","error":"LangfuseNotFoundError"}`),
		exact(get("no such trace, no observations", "nope?fields=core", 404),
			`{"message":"Trace nope not found within authorized project","error":"LangfuseNotFoundError"}`),
		get("scores alone make no trace", "no-such-trace", 404),
		get("fields twice", "t1?fields=io&fields=core", 400, `"path":["fields"]`, `expected string, received array`),
		{Name: "no credentials", Path: "/api/public/traces/t1", Status: 401},
		{Name: "another project", Path: "/api/public/traces/t1", Key: "neighbour", Given: checkout(), Status: 404},
		{Name: "not offered", Method: "PUT", Path: "/api/public/traces/t1", Key: "project", Status: 405},
	})
}

// TestGetLargeTrace reads a trace that is large enough to be streamed, and one that is too large to be sent.
func TestGetLargeTrace(t *testing.T) {
	rows := func(count, bytes int) []domain.Observation {
		list := make([]domain.Observation, count)
		text := strings.Repeat("x", bytes)
		for n := range list {
			list[n] = domain.Observation{
				TraceID: "big", ID: fmt.Sprintf("o%05d", n), Type: "SPAN", StartTime: apitest.October + domain.Micros(n), Input: text,
				ParentID: "o00000",
			}
		}
		list[0].ParentID, list[0].Name = "", "large"
		return list
	}
	t.Run("streamed", func(t *testing.T) {
		f := apitest.New(t, nil)
		const count = 3000
		f.Keep(t, "project-a", rows(count, 1000), []domain.Score{{ID: "s", TraceID: "big", DataType: "NUMERIC", Timestamp: apitest.October}})
		free := f.Memory.Held()
		w := httptest.NewRecorder()
		f.ServeHTTP(w, apitest.Scenario{Path: "/api/public/traces/big", Key: "project"}.Request())
		body := apitest.DecodeJSON[struct {
			Name         string
			Observations []struct{ ID string }
			Scores       []struct{ ID string }
			TotalCost    *float64
		}](t, w.Body.Bytes())
		if w.Code != 200 || w.Header().Get("ETag") != "" || body.Name != "large" || len(body.Observations) != count ||
			len(body.Scores) != 1 || body.TotalCost == nil {
			t.Errorf("status %d, tag %q, name %q, %d observations, %d scores", w.Code, w.Header().Get("ETag"), body.Name,
				len(body.Observations), len(body.Scores))
		}
		if after := f.Memory.Held(); after != free {
			t.Errorf("%d bytes of memory are lost", free-after)
		}
	})
	t.Run("too large", func(t *testing.T) {
		f := apitest.New(t, func(o *httpapi.Options) { o.Memory = apitest.NewMemory(64 << 20) }) // one of the rows fits
		f.Keep(t, "project-a", rows(9, 9_000_000), nil)
		f.Run(t, apitest.Scenario{
			Path: "/api/public/traces/big", Key: "project", Status: 422,
			Want: `{"message":"Observations in trace are too large: 81.00MB exceeds limit of 80.00MB","error":"PayloadTooLargeError"}`,
		})
		f.Run(t, apitest.Scenario{
			Path: "/api/public/traces/big?fields=core,metrics", Key: "project", Status: 200, Contains: []string{`"name":"large"`},
		})
	})
	t.Run("no memory left", func(t *testing.T) {
		f := apitest.New(t, func(o *httpapi.Options) { o.Memory = apitest.NewMemory(100_000) })
		f.Keep(t, "project-a", rows(1000, 1000), nil)
		f.Run(t, apitest.Scenario{Path: "/api/public/traces/big", Key: "project", Status: 503, WantHeader: map[string]string{"Retry-After": "1"}})
	})
}

// TestLatencyOfATrace: the latency of a trace does not depend on the requested fields; in a list it differs.
func TestLatencyOfATrace(t *testing.T) {
	rows := checkout()[:3]
	rows[2].StartTime, rows[2].EndTime = apitest.October+5_000_000, apitest.October+5_000_000
	for path, latency := range map[string]string{
		"/api/public/traces/t1": "2", "/api/public/traces/t1?fields=metrics": "2", "/api/public/traces?fields=metrics": "5",
	} {
		apitest.New(t, nil).Run(t, apitest.Scenario{
			Path: path, Key: "project", Given: rows, Status: 200, Contains: []string{`"latency":` + latency + `,"htmlPath"`},
		})
	}
}

func TestDeleteTraces(t *testing.T) {
	// left checks which rows and scores are left, and the entries in the audit log.
	left := func(observations, scores int, deleted ...string) func(*testing.T, *apitest.Fixture) {
		return func(t *testing.T, f *apitest.Fixture) {
			t.Helper()
			if s := f.Store.Stats(); s.Observations.Rows != int64(observations) || s.Scores.Rows != int64(scores) {
				t.Errorf("%d observations and %d scores are left, want %d and %d", s.Observations.Rows, s.Scores.Rows, observations, scores)
			}
			log, err := apitest.OldestFirst(t.Context(), f.Catalog, domain.OfOrganization("org-a"))
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, e := range log {
				if e.ResourceKind == "trace" && e.Action == "delete" && e.ProjectID == "project-a" && e.Actor.Kind == "api-key" &&
					!slices.Contains(ids, e.ResourceID) {
					ids = append(ids, e.ResourceID) // each attempt has an entry
				}
			}
			if fmt.Sprint(ids) != fmt.Sprint(deleted) {
				t.Errorf("the audit log has deletions of %v, want %v", ids, deleted)
			}
		}
	}
	one := func(id string, after func(*testing.T, *apitest.Fixture)) apitest.Scenario {
		return apitest.Scenario{
			Name: "one: " + id, Method: "DELETE", Path: "/api/public/traces/" + id, Key: "project", Given: checkout(),
			Scores: checkoutScores(), Status: 200,
			Want: `{"message":"Trace deleted successfully"}`, WantHeader: map[string]string{"Deprecation": "", "Link": ""}, After: after,
		}
	}
	several := func(name, body string, after func(*testing.T, *apitest.Fixture)) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Method: "DELETE", Path: "/api/public/traces", Key: "project", Body: body, Given: checkout(),
			Scores: checkoutScores(),
			Status: 200, Want: `{"message":"Traces deleted successfully"}`, After: after,
		}
	}
	refused := func(name, body, issues string) apitest.Scenario {
		s := several(name, body, left(4, 8))
		s.Status, s.Want = 400, `{"message":"Invalid request data","error":[`+issues+`]}`
		return s
	}
	ids := func(count int) string {
		list := make([]string, count)
		for n := range list {
			list[n] = fmt.Sprintf("id%d", n)
		}
		raw, err := json.Marshal(map[string]any{"traceIds": list})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	text := refused("no content type", `{"traceIds":["t1"]}`,
		`{"expected":"object","code":"invalid_type","path":[],"message":"Invalid input: expected object, received string"}`)
	text.Header = map[string]string{"Content-Type": ""}
	most := several("as many as allowed", ids(1000), nil)
	apitest.Run(t, []apitest.Scenario{
		one("t1", left(1, 2, "t1")),
		one("t2", left(3, 8, "t2")),
		one("nope", left(4, 8, "nope")),
		one("no-such-trace", left(4, 7, "no-such-trace")),
		several("several", `{"traceIds":["t2","t1","t1","nope"]}`, left(0, 2, "nope", "t1", "t2")),
		several("empty ids", `{"traceIds":[""]}`, left(4, 8)),
		most,
		refused("no ids", `{"traceIds":[]}`,
			`{"origin":"array","code":"too_small","minimum":1,"inclusive":true,"path":["traceIds"],"message":"At least 1 traceId is required."}`),
		refused("too many", ids(1001),
			`{"origin":"array","code":"too_big","maximum":1000,"inclusive":true,"path":["traceIds"],"message":"Cannot specify more than 1000 traces in a single request."}`),
		refused("another member", `{"traceIds":["t1"],"x":1}`,
			`{"code":"unrecognized_keys","keys":["x"],"path":[],"message":"Unrecognized key: \"x\""}`),
		refused("nothing", `{}`,
			`{"expected":"array","code":"invalid_type","path":["traceIds"],"message":"Invalid input: expected array, received undefined"}`),
		refused("numbers", `{"traceIds":["t1",1]}`,
			`{"expected":"string","code":"invalid_type","path":["traceIds",1],"message":"Invalid input: expected string, received number"}`),
		text,
		{
			Name: "no permission: one", Method: "DELETE", Path: "/api/public/traces/t1", Key: "limited", Given: checkout(), Status: 403,
			After: left(4, 0),
		},
		{
			Name: "no permission: several", Method: "DELETE", Path: "/api/public/traces", Key: "limited", Body: `{"traceIds":["t1"]}`,
			Given: checkout(), Status: 403, After: left(4, 0),
		},
		{
			Name: "another project", Method: "DELETE", Path: "/api/public/traces/t1", Key: "foreign", Given: checkout(), Status: 200,
			After: left(4, 0),
		},
	})
	t.Run("gone at once", func(t *testing.T) {
		f := apitest.New(t, nil)
		s := one("t1", nil)
		f.Run(t, s)
		f.Run(t, apitest.Scenario{Path: "/api/public/traces/t1", Key: "project", Status: 404})
		f.Run(t, apitest.Scenario{Path: "/api/public/observations/o2", Key: "project", Status: 404})
		f.Run(t, apitest.Scenario{
			Path: "/api/public/v2/observations", Key: "project", Status: 200, Contains: []string{`"id":"o4"`},
			Missing: []string{`"id":"o2"`},
		})
	})
	t.Run("nothing is deleted without an entry", func(t *testing.T) {
		f := apitest.New(t, nil)
		f.Keep(t, "project-a", checkout(), nil)
		f.Run(t, apitest.Scenario{Path: "/api/public/traces/t1", Key: "project", Status: 200}) // the key is cached from now on
		if err := f.Catalog.Close(); err != nil {
			t.Fatal(err)
		}
		r := apitest.Scenario{Method: "DELETE", Path: "/api/public/traces/t1", Key: "project"}.Request()
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		if w.Code != 500 || f.Store.Stats().Observations.Rows != 4 {
			t.Errorf("status %d, %d rows", w.Code, f.Store.Stats().Observations.Rows)
		}
	})
}

// refusingStore is a store that accepts no writes.
type refusingStore struct {
	store.Store
	err error
}

type refusingTable[R any] struct {
	store.Table[R]
	err error
}

func (s refusingStore) Observations() store.Table[domain.Observation] {
	return refusingTable[domain.Observation]{s.Store.Observations(), s.err}
}

func (t refusingTable[R]) Delete(context.Context, domain.ProjectScope, store.Selection) (int, error) {
	return 0, t.err
}

func TestDeleteWhileTheStoreIsBusy(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
	}{{store.ErrBusy, 503}, {store.ErrDiskFull, 503}, {errors.New("it broke"), 500}} {
		f := apitest.New(t, func(o *httpapi.Options) { o.Store = refusingStore{o.Store, c.err} })
		r := apitest.Scenario{Method: "DELETE", Path: "/api/public/traces/t1", Key: "project"}.Request()
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		if w.Code != c.status || (w.Header().Get("Retry-After") != "") != (c.status == 503) {
			t.Errorf("%v: status %d, headers %v", c.err, w.Code, w.Header())
		}
	}
}
