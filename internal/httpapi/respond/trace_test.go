package respond

import (
	"testing"

	"almanac/internal/domain"
)

func testTrace() *domain.TraceSummary {
	const start = domain.Micros(1791280800_000_000) // 2026-10-06T10:00:00.000Z
	return &domain.TraceSummary{
		ID: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1", Name: "checkout", Environment: "production", Version: "1.2", Release: "r1",
		UserID: "u1", SessionID: "s1", Tags: []string{"a", "b"}, Public: true,
		Timestamp: start, CreatedAt: start + 1_000, UpdatedAt: start + 2_000,
		Input: `{"q":1}`, Output: "ok", Metadata: `{"k":"v","n":5,"resourceAttributes.service.name":"svc","tenant":"acme"}`,
		ObservationIDs: []string{"o1", "o2"}, ScoreIDs: []string{"sc1"}, LatencyMillis: 2_000, TotalCost: 0.00045,
	}
}

const (
	traceHead = `{"id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1","projectId":"p1","name":"checkout","timestamp":"2026-10-06T10:00:00.000Z",` +
		`"environment":"production","tags":["a","b"],"bookmarked":false,"release":"r1","version":"1.2","userId":"u1","sessionId":"s1","public":true,`
	traceIO = `"input":{"q":1},"output":"ok","metadata":{"k":"v","n":5,"resourceAttributes":{"service.name":"svc"},"tenant":"acme"},`
	traceNo = `"input":null,"output":null,"metadata":{},`
	traceAt = `"createdAt":"2026-10-06T10:00:00.001Z","updatedAt":"2026-10-06T10:00:00.002Z","externalId":null`
	traceAd = `,"htmlPath":"/project/p1/traces/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1"}`
)

func TestAppendTrace(t *testing.T) {
	for _, c := range []struct {
		name   string
		fields TraceFields
		want   string
	}{
		{
			"all", AllTraceFields,
			traceHead + traceIO + traceAt + `,"observations":["o1","o2"],"scores":["sc1"],"totalCost":0.00045,"latency":2` + traceAd,
		},
		{"core", 0, traceHead + traceNo + traceAt + `,"observations":[],"scores":[],"totalCost":-1,"latency":-1` + traceAd},
		{"io", TraceIO, traceHead + traceIO + traceAt + `,"observations":[],"scores":[],"totalCost":-1,"latency":-1` + traceAd},
		{
			"scores", TraceScores, traceHead + traceNo + traceAt + `,"observations":[],"scores":["sc1"],"totalCost":-1,"latency":-1` +
				traceAd,
		},
		{
			"observations and metrics", TraceObservations | TraceMetrics,
			traceHead + traceNo + traceAt + `,"observations":["o1","o2"],"scores":[],"totalCost":0.00045,"latency":2` + traceAd,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(AppendTrace(nil, testTrace(), "p1", c.fields, nil)); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
	want := `{"id":"t","projectId":"p\"1","name":"","timestamp":"1970-01-01T00:00:00.000Z","environment":"default","tags":[],` +
		`"bookmarked":true,"release":null,"version":null,"userId":null,"sessionId":null,"public":false,"input":null,"output":null,` +
		`"metadata":{},"createdAt":"1970-01-01T00:00:00.000Z","updatedAt":"1970-01-01T00:00:00.000Z","externalId":null,` +
		`"observations":[],"scores":[],"totalCost":0,"latency":0,"htmlPath":"/project/p\"1/traces/t"}`
	if got := string(AppendTrace(nil, &domain.TraceSummary{ID: "t", Bookmarked: true}, `p"1`, AllTraceFields, nil)); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestAppendTraceDetail(t *testing.T) {
	list := func(text string) func([]byte) []byte {
		return func(dst []byte) []byte { return append(dst, text...) }
	}
	for _, c := range []struct {
		fields TraceFields
		want   string
	}{
		{
			AllTraceFields,
			traceHead + traceIO + traceAt + `,"observations":[{"id":1},{"id":2}],"scores":[{"id":3}],"totalCost":0.00045,"latency":2` +
				traceAd,
		},
		{
			TraceIO | TraceMetrics, traceHead + traceIO + traceAt + `,"observations":[],"scores":[],"totalCost":0.00045,"latency":2` +
				traceAd,
		},
	} {
		got := string(AppendTraceDetail(nil, testTrace(), "p1", c.fields, list(`{"id":1},{"id":2}`), list(`{"id":3}`), nil))
		if got != c.want {
			t.Errorf("\n got %s\nwant %s", got, c.want)
		}
	}
}

func TestAppendTraceOfSession(t *testing.T) {
	want := traceHead + traceIO + traceAt + `}`
	if got := string(AppendTraceOfSession(nil, testTrace(), "p1", nil)); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}
