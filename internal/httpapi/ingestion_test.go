package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/ingest"
	"almanac/internal/ingest/legacy"
	"almanac/internal/store"
)

// busyTable is a score table that accepts neither writes nor deletions.
type busyTable struct{ store.Table[domain.Score] }

func (busyTable) Append(context.Context, domain.ProjectScope, []domain.Score) error {
	return store.ErrBusy
}

func (busyTable) Delete(context.Context, domain.ProjectScope, store.Selection) (int, error) {
	return 0, store.ErrDiskFull
}

// scoreEventText returns an event that creates a score.
func scoreEventText(event, score string) string {
	return fmt.Sprintf(`{"id":%q,"type":"score-create","timestamp":"2026-03-01T10:00:00.123456Z","body":{"id":%q,"traceId":"t","name":"n","value":0.9}}`, event, score)
}

func eventText(id, kind, timestamp, body string) string {
	return fmt.Sprintf(`{"id":%q,"type":%q,"timestamp":%q,"body":%s}`, id, kind, timestamp, body)
}

func batchText(events ...string) string { return `{"batch":[` + strings.Join(events, ",") + `]}` }

func TestIngestion(t *testing.T) {
	const path = "/api/public/ingestion"
	post := func(name, body string, status int, want string) scenario {
		return scenario{name: name, method: "POST", path: path, key: "project", body: body, status: status, want: want}
	}
	notAccepted := func(id, kind string) string {
		return `{"id":"` + id + `","status":400,"message":"Event type not accepted","error":"Event type \"` + kind + `\" is not accepted by /api/public/ingestion when LANGFUSE_MIGRATION_V4_WRITE_MODE is events_only. ` +
			`This endpoint only accepts score and log events. Send traces with a current SDK or over OpenTelemetry (/api/public/otel/v1/traces), or start the server with --legacy-ingestion=accept."}`
	}
	invalid := func(id, issues string) string {
		var indented strings.Builder
		e := json.NewEncoder(&indented)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		if err := e.Encode(json.RawMessage(issues)); err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(strings.TrimSpace(indented.String()))
		return `{"id":"` + id + `","status":400,"message":"Invalid request data","error":` + string(text) + `}`
	}
	at := func(body string) string { return eventText("e", "score-create", "2026-03-01T10:00:00Z", body) }
	answer := func(successes, errors string) string {
		return `{"successes":[` + successes + `],"errors":[` + errors + `]}`
	}
	const ok = `{"id":"e","status":201}`
	runScenarios(t, []scenario{
		// The envelope.
		post("empty batch", `{"batch":[],"metadata":{"sdk_name":"python"}}`, 207, answer("", "")),
		post("no batch", `{}`, 400, `{"message":"Invalid request data","errors":["Invalid input: expected array, received undefined"]}`),
		post("batch no array", `{"batch":{}}`, 400, `{"message":"Invalid request data","errors":["Invalid input: expected array, received object"]}`),
		post("no object", `[]`, 400, `{"message":"Invalid request data","errors":["Invalid input: expected object, received array"]}`),
		post("not JSON", `{`, 400, `Invalid JSON`),
		post("too many", `{"batch":[`+strings.Repeat("1,", endpoint.MaxBatchItems)+`1]}`, 400, `{"message":"Invalid request data","errors":["Too big: expected array to have <=10000 items"]}`),
		{name: "as many as allowed", method: "POST", path: path, key: "project", body: `{"batch":[` + strings.Repeat("1,", endpoint.MaxBatchItems-1) + `1]}`, status: 207, contains: []string{`{"successes":[],"errors":[` + notAccepted("unknown", "unknown")}},
		{name: "larger than others may be", method: "POST", path: path, key: "project", body: batchText(at(`{"traceId":"t","name":"n","value":1,"comment":"` + strings.Repeat("x", 4<<20) + `"}`)), status: 207, want: answer(ok, "")},
		{name: "too large", method: "POST", path: path, key: "project", body: `{"batch":"` + strings.Repeat("x", 4.5*1024*1024) + `"}`, status: 413},

		// Credentials.
		{name: "no credentials", method: "POST", path: path, body: `{}`, status: 401, want: `{"error":"UnauthorizedError","message":"No authorization header"}`},
		{name: "a key without the permission", method: "POST", path: path, key: "limited", body: `{}`, status: 403, want: `{"error":"ForbiddenError","message":"Access denied - insufficient permissions for this endpoint: the key lacks the permission traces:write or scores:write"}`},
		{name: "an organization key", method: "POST", path: path, key: "organization", body: `{}`, status: 403, want: `{"error":"ForbiddenError","message":"Access denied - insufficient permissions for this endpoint"}`},
		{name: "method", path: path, key: "project", status: 405, want: `{"error":"MethodNotAllowedError","message":"Method not allowed"}`},
		{name: "the public key alone", method: "POST", path: path, header: bearer, body: batchText(scoreEventText("e", "s")), status: 207, want: answer(ok, "")},
		{name: "the public key alone and other events", method: "POST", path: path, header: bearer, body: batchText(eventText("x", "trace-create", "2026-03-01T10:00:00Z", "{}")), status: 207, want: answer("", notAccepted("x", "trace-create"))},

		// Events.
		post("a score", batchText(scoreEventText("e", "s")), 207, answer(ok, "")),
		post("a log", batchText(eventText("e", "sdk-log", "2026-03-01T10:00:00Z", `{"log":"text"}`)), 207, answer("", "")),
		post("what is no score", `{"batch":[`+eventText("ev-1", "trace-create", "2026-07-02T00:00:00Z", `{"id":"t"}`)+`,`+eventText("ev-2", "nope", "no time", `{}`)+`,7,{"id":5,"type":6}]}`, 207,
			answer("", notAccepted("ev-1", "trace-create")+`,`+notAccepted("ev-2", "nope")+`,`+notAccepted("unknown", "unknown")+`,`+notAccepted("unknown", "unknown"))),
		post("a mixed batch", batchText(eventText("x", "span-create", "2026-07-02T00:00:00Z", `{}`), scoreEventText("e", "s"), eventText("l", "sdk-log", "2026-07-02T00:00:00Z", `5`)), 207,
			answer(ok, invalid("l", `[{"expected":"object","code":"invalid_type","path":["body"],"message":"Invalid input: expected object, received number"}]`)+`,`+notAccepted("x", "span-create"))),
		post("an envelope that does not fit", `{"batch":[{"type":"score-create","timestamp":"2026-03-01","body":{"traceId":"t","name":"n","value":1}}]}`, 207, ""),
		post("no body", `{"batch":[{"id":"e","type":"score-create","timestamp":"2026-03-01T10:00:00Z"}]}`, 207,
			answer("", invalid("e", `[{"expected":"object","code":"invalid_type","path":["body"],"message":"Invalid input: expected object, received undefined"}]`))),
		post("carriage return", batchText(scoreEventText("a\rb", "s")), 207,
			answer("", strings.Replace(invalid("ID", `[{"code":"custom","path":["id"],"message":"ID must not contain carriage returns"}]`), "ID", `a\rb`, 1))),
		post("no id", batchText(strings.Replace(scoreEventText("", "s"), `"id":"",`, ``, 1)), 207,
			answer("", invalid("unknown", `[{"expected":"string","code":"invalid_type","path":["id"],"message":"Invalid input: expected string, received undefined"}]`))),
		post("no time", batchText(strings.Replace(scoreEventText("e", "s"), `"2026-03-01T10:00:00.123456Z"`, `5`, 1)), 207,
			answer("", invalid("e", `[{"expected":"string","code":"invalid_type","path":["timestamp"],"message":"Invalid input: expected string, received number"}]`))),
		post("boolean out of range", batchText(at(`{"id":"s","traceId":"t","name":"n","value":-1,"dataType":"BOOLEAN"}`)), 207,
			answer("", invalid("e", `[{"code":"custom","path":["body","value"],"message":"Value must be a number equal to either 0 or 1 for data type BOOLEAN"}]`))),
		post("data type null", batchText(at(`{"id":"s","traceId":"t","name":"n","value":1,"dataType":null}`)), 207,
			answer("", invalid("e", `[{"code":"invalid_union","errors":[],"note":"No matching discriminator","discriminator":"dataType","path":["body","dataType"],"message":"Invalid input"}]`))),
		post("no subject", batchText(at(`{"id":"s","name":"n","value":1}`)), 207,
			answer("", invalid("e", `[{"code":"custom","path":["body","traceId","sessionId","datasetRunId","observationId"],"message":"Provide exactly one of the following: traceId (with optional observationId), sessionId or datasetRunId. ObservationId requires traceId."}]`))),
		post("unknown config", batchText(at(`{"id":"s","traceId":"t","name":"n","value":1,"configId":"c"}`)), 207,
			answer("", invalid("e", `[{"code":"custom","path":["body","configId"],"message":"Score config \"c\" not found within authorized project"}]`))),
		post("annotation without a config", batchText(at(`{"id":"s","traceId":"t","name":"n","value":1,"source":"ANNOTATION"}`)), 207,
			answer("", invalid("e", `[{"code":"custom","path":["body","configId"],"message":"configId is required when source is ANNOTATION (except for CORRECTION scores)."}]`))),
		post("correction of a run", batchText(at(`{"id":"s","datasetRunId":"t","name":"n","value":"x","dataType":"CORRECTION"}`)), 207,
			answer("", invalid("e", `[{"code":"custom","path":["body","dataType"],"message":"A score of data type CORRECTION belongs to a trace or an observation, not to a session or a dataset run"}]`))),
		post("any environment", batchText(at(`{"id":"s","traceId":"t","name":"n","value":1,"environment":7,"source":"EVAL","executionTraceId":"x"}`)), 207, answer(ok, "")),
	})
}

// TestIngestedScores checks what is stored.
func TestIngestedScores(t *testing.T) {
	f := newFixture(t, nil)
	f.run(t, scenario{method: "POST", path: "/api/public/ingestion", key: "project", status: 207, body: batchText(
		// By timestamp, the second comes first.
		eventText("e2", "score-create", "2026-03-01T10:00:02Z", `{"id":"s","traceId":"t2","name":"b","value":2,"metadata":{"b":"2"},"source":"EVAL","executionTraceId":"x"}`),
		eventText("e1", "score-create", "2026-03-01T11:00:01.5+01:00", `{"id":"s","traceId":"t1","name":"a","value":1,"metadata":{"a":1},"comment":"c","environment":"langfuse-Prod"}`),
	), want: `{"successes":[{"id":"e1","status":201},{"id":"e2","status":201}],"errors":[]}`})
	got := f.storedScores(t, "project-a", "s")["s"]
	if got.Timestamp.Time().Format("15:04:05.000") != "10:00:01.500" || got.EventAt.Time().Second() != 2 || got.TraceID != "t1" || got.Name != "b" || got.Value.Value != 2 ||
		got.Metadata != `{"a":1,"b":"2"}` || got.Comment != "c" || got.Environment != "prod" || got.Source != "EVAL" || got.ExecutionTraceID != "x" {
		t.Errorf("stored %+v", got)
	}
}

// TestScoresAreCountedAndMasked checks what all ways to write scores have in common.
func TestScoresAreCountedAndMasked(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rules.json")
	if err := os.WriteFile(file, []byte(`[{"projectId":"project-a","pattern":"hush","replacement":"***"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	masks, err := ingest.LoadMasks(file)
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, func(o *Options) { o.Masks = masks })
	score := func(id string) string {
		return `{"id":"` + id + `","traceId":"t","name":"n","value":1,"comment":"hush"}`
	}
	for path, body := range map[string]string{
		"/api/public/scores":    score("a"),
		"/api/public/scores?x":  `{}`,
		"/api/public/scores?y":  `{"traceId":"t","name":"n","value":1,"configId":"nope"}`,
		"/api/public/scores?z":  `[` + score("b") + `,{}]`,
		"/api/public/ingestion": batchText(eventText("e", "score-create", "2026-03-01T10:00:02Z", score("c")), eventText("e", "score-create", "", score("d")), `{}`),
	} {
		f.send(scenario{method: "POST", path: path, key: "project", body: body})
	}
	got := f.storedScores(t, "project-a", "a", "b", "c", "d")
	if len(got) != 3 || got["a"].Comment != "***" || got["b"].Comment != "***" || got["c"].Comment != "***" {
		t.Errorf("stored %+v", got)
	}
	metrics := f.send(scenario{path: "/metrics"}).Body.String()
	for _, line := range []string{`almanac_scores_total{result="stored"} 3`, `almanac_scores_total{result="refused"} 4`} {
		if !strings.Contains(metrics, line+"\n") {
			t.Errorf("the metrics lack %s", line)
		}
	}
}

// TestScoreEventWithoutID sends such an event twice, like a client that received no response.
func TestScoreEventWithoutID(t *testing.T) {
	f := newFixture(t, nil)
	send := func(value int) {
		f.run(t, scenario{
			method: "POST", path: "/api/public/ingestion", key: "project", status: 207, want: `{"successes":[{"id":"e","status":201}],"errors":[]}`,
			body: batchText(eventText("e", "score-create", "2026-03-01T10:00:02Z", fmt.Sprintf(`{"traceId":"t","name":"b","value":%d}`, value))),
		})
	}
	send(1)
	send(1)
	if got := f.Store.Stats().Scores.Rows; got != 1 {
		t.Errorf("one event gave %d scores", got)
	}
	send(2)
	if got := f.Store.Stats().Scores.Rows; got != 2 {
		t.Errorf("two events gave %d scores", got)
	}
}

// TestLegacyEvents checks how events about traces are passed on, and how the response is composed.
func TestLegacyEvents(t *testing.T) {
	var (
		received []legacy.Event
		sender   string
		failure  error
	)
	accept := func(o *Options) {
		o.Legacy = func(_ context.Context, scope domain.ProjectScope, key string, events []legacy.Event) []error {
			received, sender = events, scope.ProjectID()+" "+key
			errs := make([]error, len(events))
			for n, e := range events {
				if e.Type == "nope" {
					errs[n] = &decode.Invalid{Issues: []decode.Issue{decode.NoDiscriminator([]any{"type"}, "type")}}
				}
			}
			if failure != nil {
				errs[0] = failure
			}
			return errs
		}
	}
	f := newFixture(t, accept)
	body := batchText(
		eventText("u", "span-update", "2026-03-01T10:00:00Z", `{"id":"o"}`),
		eventText("bad", "nope", "2026-03-01T10:00:00Z", `{}`),
		eventText("t", "trace-create", "2026-03-01T10:00:02Z", `{"id":"t"}`),
		eventText("l", "sdk-log", "2026-03-01T10:00:02Z", `{"log":1}`),
		scoreEventText("s", "s"),
		`{"id":"x"}`, `[]`,
	)
	w := f.send(scenario{method: "POST", path: "/api/public/ingestion", key: "project", body: body})
	answer := decodeJSON[endpoint.BatchResponse](t, w.Body.Bytes())
	want := []endpoint.BatchSuccess{endpoint.Created("s"), endpoint.Created("t"), endpoint.Created("u")}
	if w.Code != 207 || !slices.Equal(answer.Successes, want) {
		t.Errorf("status %d, successes %v", w.Code, answer.Successes)
	}
	var errs []string
	for _, e := range answer.Errors {
		errs = append(errs, fmt.Sprint(e.ID, e.Status))
	}
	if !slices.Equal(errs, []string{"bad400", "x400", "unknown400"}) {
		t.Errorf("errors %v", answer.Errors)
	}
	if len(received) != 3 || received[2].ID != "t" || string(received[2].Body) != `{"id":"t"}` || received[2].Timestamp.Time().Second() != 2 || sender != "project-a pk-lf-a" {
		t.Errorf("handed on %+v of %s", received, sender)
	}

	received = nil
	f.run(t, scenario{
		method: "POST", path: "/api/public/ingestion", header: bearer, body: batchText(eventText("t", "trace-create", "2026-03-01T10:00:02Z", `{}`), scoreEventText("s", "of a browser")), status: 207,
		want: `{"successes":[{"id":"s","status":201}],"errors":[{"id":"t","status":401,"message":"Authentication error","error":"Access Scope Denied"}]}`,
	})
	if received != nil {
		t.Error("events of a public key alone are handed on")
	}

	failure = fmt.Errorf("appending: %w", store.ErrBusy)
	f.run(t, scenario{method: "POST", path: "/api/public/ingestion", key: "project", body: body, status: 503})
	failure = errors.New("broken")
	if w := f.send(scenario{method: "POST", path: "/api/public/ingestion", key: "project", body: body}); w.Code != 500 || strings.Contains(w.Body.String(), "broken") {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

// FuzzIngestion checks that no batch makes the server panic or lose count: every event except a log is a success or an
// error.
func FuzzIngestion(f *testing.F) {
	f.Add(batchText(scoreEventText("e", "s"), eventText("l", "sdk-log", "2026-03-01T10:00:00Z", `{"log":1}`)), false)
	f.Add(`{"batch":[{"id":"e","type":"score-create","timestamp":"0000-01-01T00:00Z","body":{"value":1e400}},null,[[]]]}`, true)
	f.Add(batchText(eventText("u", "span-update", "2026-03-01T10:00:00Z", `{"id":"o"}`)), true)
	quietly := func(o *Options) { o.Log = slog.New(slog.DiscardHandler) }
	refusing := newFixture(f, quietly)
	accepting := newFixture(f, func(o *Options) {
		quietly(o)
		o.Legacy = func(_ context.Context, _ domain.ProjectScope, _ string, events []legacy.Event) []error {
			return make([]error, len(events))
		}
	})
	f.Fuzz(func(t *testing.T, body string, accept bool) {
		if len(body) > 1<<16 {
			return
		}
		fx := refusing
		if accept {
			fx = accepting
		}
		w := httptest.NewRecorder()
		fx.ServeHTTP(w, scenario{method: "POST", path: "/api/public/ingestion", key: "project", body: body}.request())
		if w.Code != 207 {
			if w.Code != 400 && w.Code != 401 {
				t.Errorf("status %d: %s", w.Code, w.Body)
			}
			return
		}
		sent := decodeJSON[map[string]json.RawMessage](t, []byte(body))
		events := decodeJSON[[]json.RawMessage](t, sent["batch"])
		answer := decodeJSON[endpoint.BatchResponse](t, w.Body.Bytes())
		logs := slices.ContainsFunc(events, func(e json.RawMessage) bool {
			return strings.Contains(string(e), `log`) || strings.Contains(string(e), `\u`)
		})
		if got := len(answer.Successes) + len(answer.Errors); got > len(events) || got < len(events) && !logs {
			t.Errorf("%d of %d events are answered", got, len(events))
		}
	})
}

// TestOlderClientsAreLogged checks that refused traces are logged, but not for every batch.
func TestOlderClientsAreLogged(t *testing.T) {
	f := newFixture(t, nil)
	body := `{"batch":[{"id":"e","type":"trace-create","timestamp":"2026-03-01T10:00:00Z","body":{}},{"id":"f","type":"` + strings.Repeat("x", 500) + `"}]}`
	for range 3 {
		f.run(t, scenario{
			method: "POST", path: "/api/public/ingestion", key: "project", body: body, status: 207,
			header: map[string]string{"X-Langfuse-Sdk-Name": "python", "X-Langfuse-Sdk-Version": "2.60.10"},
		})
	}
	if got := strings.Count(f.log.String(), "--legacy-ingestion=accept"); got != 1 || !strings.Contains(f.log.String(), "sdk_version=2.60.10") {
		t.Errorf("%d lines: %s", got, f.log)
	}
}
