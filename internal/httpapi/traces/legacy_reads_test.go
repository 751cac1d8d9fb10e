package traces_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/ingest"
	"almanac/internal/ingest/legacy"
	"almanac/internal/store"
)

// newLegacyFixture returns an API that accepts the events of older clients.
func newLegacyFixture(t *testing.T) *apitest.Fixture {
	t.Helper()
	return apitest.New(t, func(o *httpapi.Options) {
		locked := store.NewLocked(o.Store, nil)
		o.Store = locked
		o.Legacy = legacy.New(legacy.Options{
			Table: locked.Observations(), Lock: locked.LockedObservations().Lock, Prices: o.Prices,
			Memory: ingest.NewBudget(16<<20, time.Second),
			Clock:  func() time.Time { return time.Date(2026, 3, 1, 11, 0, 0, 0, time.UTC) },
		}).Ingest
	})
}

// legacyTrace holds the two batches in which an older client sends a trace.
var legacyTrace = []string{
	apitest.BatchText(
		apitest.EventText("1", "trace-create", "2026-03-01T10:00:00.000Z",
			`{"id":"t1","timestamp":"2026-03-01T10:00:00Z","name":"chat","userId":"ada","sessionId":"s1","tags":["b","a"],"release":"r1","version":"v1","environment":"prod","metadata":{"tier":{"plan":"pro"}},"input":{"q":"hi"}}`),
		apitest.EventText("2", "span-create", "2026-03-01T10:00:01.000Z",
			`{"id":"root","traceId":"t1","name":"root span","startTime":"2026-03-01T10:00:01Z","environment":"prod","input":"root input","metadata":{"own":1}}`),
		apitest.EventText("3", "generation-create", "2026-03-01T10:00:02.000Z",
			`{"id":"gen","traceId":"t1","parentObservationId":"root","name":"llm","startTime":"2026-03-01T10:00:02Z","environment":"prod","model":"gpt-4o","modelParameters":{"temperature":0.5},"input":[{"role":"user","content":"hi"}]}`),
		apitest.EventText("4", "event-create", "2026-03-01T10:00:03.000Z",
			`{"id":"evt","traceId":"t1","name":"click","startTime":"2026-03-01T10:00:03Z","environment":"prod","version":"own version"}`),
		apitest.ScoreEventText("5", "score1"),
	),
	apitest.BatchText(
		apitest.EventText("6", "generation-update", "2026-03-01T10:00:04.000Z",
			`{"id":"gen","output":"hello","endTime":"2026-03-01T10:00:04Z","usage":{"promptTokens":1000,"completionTokens":100}}`),
		apitest.EventText("7", "span-update", "2026-03-01T10:00:05.000Z",
			`{"id":"root","traceId":"t1","endTime":"2026-03-01T10:00:05Z","level":"WARNING"}`),
		apitest.EventText("8", "trace-create", "2026-03-01T10:00:06.000Z", `{"id":"t1","output":"hello","userId":"grace"}`),
	),
}

func sendLegacyTrace(t *testing.T, f *apitest.Fixture) {
	t.Helper()
	for n, want := range []string{
		`{"successes":[{"id":"1","status":201},{"id":"5","status":201},{"id":"2","status":201},{"id":"3","status":201},{"id":"4","status":201}],"errors":[]}`,
		`{"successes":[{"id":"8","status":201},{"id":"6","status":201},{"id":"7","status":201}],"errors":[]}`,
	} {
		f.Run(t, apitest.Scenario{
			Method: "POST", Path: "/api/public/ingestion", Key: "project", Body: legacyTrace[n], Status: 207, Want: want,
			Once: true, // if events fail, scores of the same batch remain, until the batch is sent again
		})
	}
}

// TestLegacyTraceReads checks what every read returns about a trace that an older client sent.
func TestLegacyTraceReads(t *testing.T) {
	const fields = "&fields=core,basic,io,metadata,model,usage,trace_context,metrics"
	for _, s := range []apitest.Scenario{
		{
			Name: "the trace", Path: "/api/public/traces/t1", Status: 200,
			Contains: []string{
				`"id":"t1"`, `"timestamp":"2026-03-01T10:00:00.000Z"`, `"name":"chat"`, `"userId":"grace"`, `"sessionId":"s1"`,
				`"tags":["a","b"]`,
				`"release":"r1"`, `"version":"v1"`, `"environment":"prod"`, `"metadata":{"tier":{"plan":"pro"}}`, `"input":{"q":"hi"}`,
				`"output":"hello"`,
				`"latency":4,`, `"totalCost":0.0035`, `"id":"gen"`, `"parentObservationId":"root"`, `"id":"root","traceId":"t1"`,
			},
			Missing: []string{`"t-t1"`},
		},
		{
			Name: "the trace without its observations", Path: "/api/public/traces/t1?fields=core,io", Status: 200,
			Contains: []string{`"name":"chat"`, `"input":{"q":"hi"}`, `"observations":[]`}, Missing: []string{`"t-t1"`, "root input"},
		},
		{
			Name: "traces", Path: "/api/public/traces?userId=grace&tags=a,b&version=v1", Status: 200,
			Contains: []string{
				`"observations":["evt","gen","root"]`, `"totalItems":1`, `"latency":4,`, `"metadata":{"tier":{"plan":"pro"}}`,
			},
			Missing: []string{`"t-t1"`},
		},
		{Name: "traces of the user before", Path: "/api/public/traces?userId=ada", Status: 200, Contains: []string{`"totalItems":0`}},
		{
			Name: "all traces", Path: "/api/public/traces", Status: 200, Contains: []string{
				`"observations":["evt","gen","root"]`, `"totalItems":1`,
			},
		},
		{
			Name: "the version of an observation is not the trace's", Path: "/api/public/traces?version=own%20version", Status: 200,
			Contains: []string{`"totalItems":0`},
		},
		{
			Name: "observations", Path: "/api/public/observations?traceId=t1", Status: 200,
			Contains: []string{`"totalItems":3`, `"id":"evt"`, `"id":"gen"`, `"id":"root"`}, Missing: []string{`"t-t1"`},
		},
		{
			Name: "observations of a user", Path: "/api/public/observations?userId=grace&type=GENERATION", Status: 200,
			Contains: []string{`"totalItems":1`, `"id":"gen"`},
		},
		{
			Name: "an observation", Path: "/api/public/observations/root", Status: 200,
			Contains: []string{
				`"parentObservationId":null`, `"level":"WARNING"`, `"endTime":"2026-03-01T10:00:05.000Z"`, `"metadata":{"own":1}`,
				`"input":"root input"`,
			},
		},
		{
			Name: "a generation", Path: "/api/public/observations/gen", Status: 200,
			Contains: []string{
				`"parentObservationId":"root"`, `"promptTokens":1000,"completionTokens":100,"totalTokens":1100`,
				`"calculatedTotalCost":0.0035`, `"modelParameters":{"temperature":0.5}`, `"output":"hello"`,
			},
		},
		{Name: "the row of the trace is no observation", Path: "/api/public/observations/t-t1", Status: 404},
		{
			Name: "sessions", Path: "/api/public/sessions", Status: 200, Contains: []string{
				`"id":"s1"`, `"totalItems":1`, `"environment":"prod"`,
			},
		},
		{
			Name: "a session", Path: "/api/public/sessions/s1", Status: 200, Contains: []string{`"id":"t1"`, `"name":"chat"`},
			Missing: []string{`"t-t1"`},
		},
		{
			Name: "rows of the trace", Path: "/api/public/v2/observations?traceId=t1&userId=grace&sessionId=s1" + fields, Status: 200,
			Contains: []string{
				`"id":"t-t1"`, `"id":"evt"`, `"id":"gen"`, `"id":"root"`, `"parentObservationId":"t-t1"`,
				`"tags":["a","b"],"release":"r1","traceName":"chat"`,
			},
		},
		{
			Name: "the root of the trace", Path: "/api/public/v2/observations?traceId=t1&isRootObservation=true" + fields, Status: 200,
			Contains: []string{
				`"data":[{"id":"t-t1"`, `"input":"{\"q\":\"hi\"}"`, `"output":"hello"`, `"metadata":{"tier.plan":"pro"}`, `"meta":{}`,
			},
			Missing: []string{`"id":"root"`},
		},
	} {
		t.Run(s.Name, func(t *testing.T) {
			f := newLegacyFixture(t)
			sendLegacyTrace(t, f)
			s.Key = "project"
			f.Run(t, s)
		})
	}
}

// TestLegacyTraceAlone reads and deletes a trace without observations.
func TestLegacyTraceAlone(t *testing.T) {
	f := newLegacyFixture(t)
	f.Run(t, apitest.Scenario{
		Method: "POST", Path: "/api/public/ingestion", Key: "project", Status: 207,
		Body: apitest.BatchText(apitest.EventText("1", "trace-create", "2026-03-01T10:00:00Z", `{"id":"alone","name":"n","input":"i"}`)),
	})
	f.Run(t, apitest.Scenario{
		Path: "/api/public/traces/alone", Key: "project", Status: 200, Contains: []string{
			`"name":"n"`, `"input":"i"`, `"observations":[]`, `"latency":0`,
		},
	})
	f.Run(t, apitest.Scenario{Path: "/api/public/traces", Key: "project", Status: 200, Contains: []string{`"totalItems":1`, `"observations":[]`}})
	f.Run(t, apitest.Scenario{Method: "DELETE", Path: "/api/public/traces/alone", Key: "project", Status: 200})
	f.Run(t, apitest.Scenario{Path: "/api/public/traces/alone", Key: "project", Status: 404})
}

// TestLargeLegacyTrace reads a trace that is large enough to be streamed.
func TestLargeLegacyTrace(t *testing.T) {
	f := newLegacyFixture(t)
	long := strings.Repeat("x", endpoint.PieceBytes)
	f.Run(t, apitest.Scenario{Method: "POST", Path: "/api/public/ingestion", Key: "project", Status: 207, Body: apitest.BatchText(
		apitest.EventText("1", "trace-create", "2026-03-01T10:00:00Z", `{"id":"large","name":"n"}`),
		apitest.EventText("2", "span-create", "2026-03-01T10:00:00Z", `{"id":"a","traceId":"large","input":"`+long+`"}`),
		apitest.EventText("3", "span-create", "2026-03-01T10:00:00Z", `{"id":"b","traceId":"large","input":"`+long+`"}`))})
	f.Run(t, apitest.Scenario{
		Path: "/api/public/traces/large", Key: "project", Status: 200, Contains: []string{
			`"id":"a"`, `"id":"b"`, long, `"parentObservationId":null`,
		}, Missing: []string{"t-large"},
	})
}

// TestLegacyIsOfOneProject sends a trace to one project and an event about it to another.
func TestLegacyIsOfOneProject(t *testing.T) {
	f := newLegacyFixture(t)
	sendLegacyTrace(t, f)
	f.Run(t, apitest.Scenario{Method: "POST", Path: "/api/public/ingestion", Key: "foreign", Status: 207, Body: apitest.BatchText(
		apitest.EventText("1", "generation-update", "2026-03-01T10:00:09Z", `{"id":"gen","output":"changed"}`),
		apitest.EventText("2", "trace-create", "2026-03-01T10:00:09Z", `{"id":"t1","userId":"changed"}`))})
	f.Run(t, apitest.Scenario{Path: "/api/public/traces/t1", Key: "project", Status: 200, Missing: []string{"changed"}})
	f.Run(t, apitest.Scenario{
		Path: "/api/public/traces/t1", Key: "foreign", Status: 200, Contains: []string{`"userId":"changed"`, `"observations":[]`},
		Missing: []string{"chat"},
	})
	f.Run(t, apitest.Scenario{
		Path: "/api/public/observations/gen", Key: "foreign", Status: 200, Contains: []string{`"output":"changed"`, `"traceId":"gen"`},
		Missing: []string{"llm"},
	})
}

// TestLegacyIssues checks the error of a single event in a batch.
func TestLegacyIssues(t *testing.T) {
	f := newLegacyFixture(t)
	w := f.Send(apitest.Scenario{Method: "POST", Path: "/api/public/ingestion", Key: "project", Body: apitest.BatchText(
		apitest.EventText("good", "span-create", "2026-03-01T10:00:09Z", `{"id":"a"}`),
		apitest.EventText("bad", "span-create", "2026-03-01T10:00:09Z", `{"level":"x"}`))})
	answer := apitest.DecodeJSON[endpoint.BatchResponse](t, w.Body.Bytes())
	if w.Code != 207 || len(answer.Successes) != 1 || len(answer.Errors) != 1 || answer.Errors[0].ID != "bad" {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	var issues []struct{ Path []string }
	if err := json.Unmarshal([]byte(answer.Errors[0].Error), &issues); err != nil || len(issues) != 2 ||
		strings.Join(issues[0].Path, ".") != "body.level" {
		t.Errorf("%v: %s", err, answer.Errors[0].Error)
	}
}
