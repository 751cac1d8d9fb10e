package httpapi

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"almanac/internal/httpapi/endpoint"
	"almanac/internal/ingest"
	"almanac/internal/ingest/legacy"
	"almanac/internal/store"
)

// newLegacyFixture returns an API that accepts the events of older clients.
func newLegacyFixture(t *testing.T) *fixture {
	t.Helper()
	return newFixture(t, func(o *Options) {
		locked := store.NewLocked(o.Store, nil)
		o.Store = locked
		o.Legacy = legacy.New(legacy.Options{
			Table: locked.Observations(), Lock: locked.LockedObservations().Lock, Prices: o.Prices, Memory: ingest.NewBudget(16<<20, time.Second),
			Clock: func() time.Time { return time.Date(2026, 3, 1, 11, 0, 0, 0, time.UTC) },
		}).Ingest
	})
}

// legacyTrace holds the two batches in which an older client sends a trace.
var legacyTrace = []string{
	batchText(
		eventText("1", "trace-create", "2026-03-01T10:00:00.000Z", `{"id":"t1","timestamp":"2026-03-01T10:00:00Z","name":"chat","userId":"ada","sessionId":"s1","tags":["b","a"],"release":"r1","version":"v1","environment":"prod","metadata":{"tier":{"plan":"pro"}},"input":{"q":"hi"}}`),
		eventText("2", "span-create", "2026-03-01T10:00:01.000Z", `{"id":"root","traceId":"t1","name":"root span","startTime":"2026-03-01T10:00:01Z","environment":"prod","input":"root input","metadata":{"own":1}}`),
		eventText("3", "generation-create", "2026-03-01T10:00:02.000Z", `{"id":"gen","traceId":"t1","parentObservationId":"root","name":"llm","startTime":"2026-03-01T10:00:02Z","environment":"prod","model":"gpt-4o","modelParameters":{"temperature":0.5},"input":[{"role":"user","content":"hi"}]}`),
		eventText("4", "event-create", "2026-03-01T10:00:03.000Z", `{"id":"evt","traceId":"t1","name":"click","startTime":"2026-03-01T10:00:03Z","environment":"prod","version":"own version"}`),
		scoreEventText("5", "score1"),
	),
	batchText(
		eventText("6", "generation-update", "2026-03-01T10:00:04.000Z", `{"id":"gen","output":"hello","endTime":"2026-03-01T10:00:04Z","usage":{"promptTokens":1000,"completionTokens":100}}`),
		eventText("7", "span-update", "2026-03-01T10:00:05.000Z", `{"id":"root","traceId":"t1","endTime":"2026-03-01T10:00:05Z","level":"WARNING"}`),
		eventText("8", "trace-create", "2026-03-01T10:00:06.000Z", `{"id":"t1","output":"hello","userId":"grace"}`),
	),
}

func (f *fixture) sendLegacyTrace(t *testing.T) {
	t.Helper()
	for n, want := range []string{
		`{"successes":[{"id":"1","status":201},{"id":"5","status":201},{"id":"2","status":201},{"id":"3","status":201},{"id":"4","status":201}],"errors":[]}`,
		`{"successes":[{"id":"8","status":201},{"id":"6","status":201},{"id":"7","status":201}],"errors":[]}`,
	} {
		f.run(t, scenario{method: "POST", path: "/api/public/ingestion", key: "project", body: legacyTrace[n], status: 207, want: want})
	}
}

// TestLegacyTraceReads checks what every read returns about a trace that an older client sent.
func TestLegacyTraceReads(t *testing.T) {
	const fields = "&fields=core,basic,io,metadata,model,usage,trace_context,metrics"
	for _, s := range []scenario{
		{
			name: "the trace", path: "/api/public/traces/t1", status: 200,
			contains: []string{
				`"id":"t1"`, `"timestamp":"2026-03-01T10:00:00.000Z"`, `"name":"chat"`, `"userId":"grace"`, `"sessionId":"s1"`, `"tags":["a","b"]`,
				`"release":"r1"`, `"version":"v1"`, `"environment":"prod"`, `"metadata":{"tier":{"plan":"pro"}}`, `"input":{"q":"hi"}`, `"output":"hello"`,
				`"latency":4,`, `"totalCost":0.0035`, `"id":"gen"`, `"parentObservationId":"root"`, `"id":"root","traceId":"t1"`,
			},
			missing: []string{`"t-t1"`},
		},
		{
			name: "the trace without its observations", path: "/api/public/traces/t1?fields=core,io", status: 200,
			contains: []string{`"name":"chat"`, `"input":{"q":"hi"}`, `"observations":[]`}, missing: []string{`"t-t1"`, "root input"},
		},
		{
			name: "traces", path: "/api/public/traces?userId=grace&tags=a,b&version=v1", status: 200,
			contains: []string{`"observations":["evt","gen","root"]`, `"totalItems":1`, `"latency":4,`, `"metadata":{"tier":{"plan":"pro"}}`},
			missing:  []string{`"t-t1"`},
		},
		{name: "traces of the user before", path: "/api/public/traces?userId=ada", status: 200, contains: []string{`"totalItems":0`}},
		{name: "all traces", path: "/api/public/traces", status: 200, contains: []string{`"observations":["evt","gen","root"]`, `"totalItems":1`}},
		{name: "the version of an observation is not the trace's", path: "/api/public/traces?version=own%20version", status: 200, contains: []string{`"totalItems":0`}},
		{
			name: "observations", path: "/api/public/observations?traceId=t1", status: 200,
			contains: []string{`"totalItems":3`, `"id":"evt"`, `"id":"gen"`, `"id":"root"`}, missing: []string{`"t-t1"`},
		},
		{name: "observations of a user", path: "/api/public/observations?userId=grace&type=GENERATION", status: 200, contains: []string{`"totalItems":1`, `"id":"gen"`}},
		{
			name: "an observation", path: "/api/public/observations/root", status: 200,
			contains: []string{`"parentObservationId":null`, `"level":"WARNING"`, `"endTime":"2026-03-01T10:00:05.000Z"`, `"metadata":{"own":1}`, `"input":"root input"`},
		},
		{
			name: "a generation", path: "/api/public/observations/gen", status: 200,
			contains: []string{`"parentObservationId":"root"`, `"promptTokens":1000,"completionTokens":100,"totalTokens":1100`, `"calculatedTotalCost":0.0035`, `"modelParameters":{"temperature":0.5}`, `"output":"hello"`},
		},
		{name: "the row of the trace is no observation", path: "/api/public/observations/t-t1", status: 404},
		{name: "sessions", path: "/api/public/sessions", status: 200, contains: []string{`"id":"s1"`, `"totalItems":1`, `"environment":"prod"`}},
		{name: "a session", path: "/api/public/sessions/s1", status: 200, contains: []string{`"id":"t1"`, `"name":"chat"`}, missing: []string{`"t-t1"`}},
		{
			name: "rows of the trace", path: "/api/public/v2/observations?traceId=t1&userId=grace&sessionId=s1" + fields, status: 200,
			contains: []string{`"id":"t-t1"`, `"id":"evt"`, `"id":"gen"`, `"id":"root"`, `"parentObservationId":"t-t1"`, `"tags":["a","b"],"release":"r1","traceName":"chat"`},
		},
		{
			name: "the root of the trace", path: "/api/public/v2/observations?traceId=t1&isRootObservation=true" + fields, status: 200,
			contains: []string{`"data":[{"id":"t-t1"`, `"input":"{\"q\":\"hi\"}"`, `"output":"hello"`, `"metadata":{"tier.plan":"pro"}`, `"meta":{}`},
			missing:  []string{`"id":"root"`},
		},
	} {
		t.Run(s.name, func(t *testing.T) {
			f := newLegacyFixture(t)
			f.sendLegacyTrace(t)
			s.key = "project"
			f.run(t, s)
		})
	}
}

// TestLegacyTraceAlone reads and deletes a trace without observations.
func TestLegacyTraceAlone(t *testing.T) {
	f := newLegacyFixture(t)
	f.run(t, scenario{method: "POST", path: "/api/public/ingestion", key: "project", status: 207, body: batchText(eventText("1", "trace-create", "2026-03-01T10:00:00Z", `{"id":"alone","name":"n","input":"i"}`))})
	f.run(t, scenario{path: "/api/public/traces/alone", key: "project", status: 200, contains: []string{`"name":"n"`, `"input":"i"`, `"observations":[]`, `"latency":0`}})
	f.run(t, scenario{path: "/api/public/traces", key: "project", status: 200, contains: []string{`"totalItems":1`, `"observations":[]`}})
	f.run(t, scenario{method: "DELETE", path: "/api/public/traces/alone", key: "project", status: 200})
	f.run(t, scenario{path: "/api/public/traces/alone", key: "project", status: 404})
}

// TestLargeLegacyTrace reads a trace that is large enough to be streamed.
func TestLargeLegacyTrace(t *testing.T) {
	f := newLegacyFixture(t)
	long := strings.Repeat("x", endpoint.PieceBytes)
	f.run(t, scenario{method: "POST", path: "/api/public/ingestion", key: "project", status: 207, body: batchText(
		eventText("1", "trace-create", "2026-03-01T10:00:00Z", `{"id":"large","name":"n"}`),
		eventText("2", "span-create", "2026-03-01T10:00:00Z", `{"id":"a","traceId":"large","input":"`+long+`"}`),
		eventText("3", "span-create", "2026-03-01T10:00:00Z", `{"id":"b","traceId":"large","input":"`+long+`"}`))})
	f.run(t, scenario{path: "/api/public/traces/large", key: "project", status: 200, contains: []string{`"id":"a"`, `"id":"b"`, long, `"parentObservationId":null`}, missing: []string{"t-large"}})
}

// TestLegacyIsOfOneProject sends a trace to one project and an event about it to another.
func TestLegacyIsOfOneProject(t *testing.T) {
	f := newLegacyFixture(t)
	f.sendLegacyTrace(t)
	f.run(t, scenario{method: "POST", path: "/api/public/ingestion", key: "foreign", status: 207, body: batchText(
		eventText("1", "generation-update", "2026-03-01T10:00:09Z", `{"id":"gen","output":"changed"}`),
		eventText("2", "trace-create", "2026-03-01T10:00:09Z", `{"id":"t1","userId":"changed"}`))})
	f.run(t, scenario{path: "/api/public/traces/t1", key: "project", status: 200, missing: []string{"changed"}})
	f.run(t, scenario{path: "/api/public/traces/t1", key: "foreign", status: 200, contains: []string{`"userId":"changed"`, `"observations":[]`}, missing: []string{"chat"}})
	f.run(t, scenario{path: "/api/public/observations/gen", key: "foreign", status: 200, contains: []string{`"output":"changed"`, `"traceId":"gen"`}, missing: []string{"llm"}})
}

// TestLegacyIssues checks the error of a single event in a batch.
func TestLegacyIssues(t *testing.T) {
	f := newLegacyFixture(t)
	w := f.send(scenario{method: "POST", path: "/api/public/ingestion", key: "project", body: batchText(
		eventText("good", "span-create", "2026-03-01T10:00:09Z", `{"id":"a"}`), eventText("bad", "span-create", "2026-03-01T10:00:09Z", `{"level":"x"}`))})
	answer := decodeJSON[endpoint.BatchResponse](t, w.Body.Bytes())
	if w.Code != 207 || len(answer.Successes) != 1 || len(answer.Errors) != 1 || answer.Errors[0].ID != "bad" {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	var issues []struct{ Path []string }
	if err := json.Unmarshal([]byte(answer.Errors[0].Error), &issues); err != nil || len(issues) != 2 || strings.Join(issues[0].Path, ".") != "body.level" {
		t.Errorf("%v: %s", err, answer.Errors[0].Error)
	}
}
