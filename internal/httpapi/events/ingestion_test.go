package events_test

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
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/ingest"
	"almanac/internal/ingest/legacy"
	"almanac/internal/store"
)

func TestIngestion(t *testing.T) {
	const path = "/api/public/ingestion"
	post := func(name, body string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Method: "POST", Path: path, Key: "project", Body: body, Status: status, Want: want}
	}
	notAccepted := func(id, kind string) string {
		return `{"id":"` + id + `","status":400,"message":"Event type not accepted","error":"Event type \"` + kind +
			`\" is not accepted by /api/public/ingestion when LANGFUSE_MIGRATION_V4_WRITE_MODE is events_only. ` +
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
	at := func(body string) string { return apitest.EventText("e", "score-create", "2026-03-01T10:00:00Z", body) }
	answer := func(successes, errors string) string {
		return `{"successes":[` + successes + `],"errors":[` + errors + `]}`
	}
	const ok = `{"id":"e","status":201}`
	apitest.Run(t, []apitest.Scenario{
		// The envelope.
		post("empty batch", `{"batch":[],"metadata":{"sdk_name":"python"}}`, 207, answer("", "")),
		post("no batch", `{}`, 400, `{"message":"Invalid request data","errors":["Invalid input: expected array, received undefined"]}`),
		post("batch no array", `{"batch":{}}`, 400,
			`{"message":"Invalid request data","errors":["Invalid input: expected array, received object"]}`),
		post("no object", `[]`, 400, `{"message":"Invalid request data","errors":["Invalid input: expected object, received array"]}`),
		post("not JSON", `{`, 400, `Invalid JSON`),
		post("too many", `{"batch":[`+strings.Repeat("1,", endpoint.MaxBatchItems)+`1]}`, 400,
			`{"message":"Invalid request data","errors":["Too big: expected array to have <=10000 items"]}`),
		{
			Name: "as many as allowed", Method: "POST", Path: path, Key: "project",
			Body: `{"batch":[` + strings.Repeat("1,", endpoint.MaxBatchItems-1) + `1]}`, Status: 207,
			Contains: []string{`{"successes":[],"errors":[` + notAccepted("unknown", "unknown")},
		},
		{
			Name: "larger than others may be", Method: "POST", Path: path, Key: "project",
			Body: apitest.BatchText(at(`{"traceId":"t","name":"n","value":1,"comment":"` + strings.Repeat("x", 4<<20) + `"}`)), Status: 207,
			Want: answer(ok, ""),
		},
		{
			Name: "too large", Method: "POST", Path: path, Key: "project", Body: `{"batch":"` + strings.Repeat("x", 4.5*1024*1024) + `"}`,
			Status: 413,
		},

		// Credentials.
		{
			Name: "no credentials", Method: "POST", Path: path, Body: `{}`, Status: 401,
			Want: `{"error":"UnauthorizedError","message":"No authorization header"}`,
		},
		{
			Name: "a key without the permission", Method: "POST", Path: path, Key: "limited", Body: `{}`, Status: 403,
			Want: `{"error":"ForbiddenError","message":"Access denied - insufficient permissions for this endpoint: the key lacks the permission traces:write or scores:write"}`,
		},
		{
			Name: "an organization key", Method: "POST", Path: path, Key: "organization", Body: `{}`, Status: 403,
			Want: `{"error":"ForbiddenError","message":"Access denied - insufficient permissions for this endpoint"}`,
		},
		{Name: "method", Path: path, Key: "project", Status: 405, Want: `{"error":"MethodNotAllowedError","message":"Method not allowed"}`},
		{
			Name: "the public key alone", Method: "POST", Path: path, Header: apitest.Bearer, Body: apitest.BatchText(apitest.ScoreEventText("e", "s")),
			Status: 207, Want: answer(ok, ""),
		},
		{
			Name: "the public key alone and other events", Method: "POST", Path: path, Header: apitest.Bearer,
			Body: apitest.BatchText(apitest.EventText("x", "trace-create", "2026-03-01T10:00:00Z", "{}")), Status: 207,
			Want: answer("", notAccepted("x", "trace-create")),
		},

		// Events.
		post("a score", apitest.BatchText(apitest.ScoreEventText("e", "s")), 207, answer(ok, "")),
		post("a log", apitest.BatchText(apitest.EventText("e", "sdk-log", "2026-03-01T10:00:00Z", `{"log":"text"}`)), 207, answer("", "")),
		post("what is no score", `{"batch":[`+apitest.EventText("ev-1", "trace-create", "2026-07-02T00:00:00Z", `{"id":"t"}`)+`,`+
			apitest.EventText("ev-2", "nope", "no time", `{}`)+`,7,{"id":5,"type":6}]}`, 207,
			answer("", notAccepted("ev-1", "trace-create")+`,`+notAccepted("ev-2", "nope")+`,`+notAccepted("unknown", "unknown")+`,`+
				notAccepted("unknown", "unknown"))),
		post("a mixed batch", apitest.BatchText(apitest.EventText("x", "span-create", "2026-07-02T00:00:00Z", `{}`), apitest.ScoreEventText("e", "s"),
			apitest.EventText("l", "sdk-log", "2026-07-02T00:00:00Z", `5`)), 207,
			answer(ok,
				invalid("l",
					`[{"expected":"object","code":"invalid_type","path":["body"],"message":"Invalid input: expected object, received number"}]`)+`,`+notAccepted("x", "span-create"))),
		post("an envelope that does not fit",
			`{"batch":[{"type":"score-create","timestamp":"2026-03-01","body":{"traceId":"t","name":"n","value":1}}]}`, 207, ""),
		post("no body", `{"batch":[{"id":"e","type":"score-create","timestamp":"2026-03-01T10:00:00Z"}]}`, 207,
			answer("",
				invalid("e",
					`[{"expected":"object","code":"invalid_type","path":["body"],"message":"Invalid input: expected object, received undefined"}]`))),
		post("carriage return", apitest.BatchText(apitest.ScoreEventText("a\rb", "s")), 207,
			answer("", strings.Replace(invalid("ID", `[{"code":"custom","path":["id"],"message":"ID must not contain carriage returns"}]`),
				"ID", `a\rb`, 1))),
		post("no id", apitest.BatchText(strings.Replace(apitest.ScoreEventText("", "s"), `"id":"",`, ``, 1)), 207,
			answer("",
				invalid("unknown",
					`[{"expected":"string","code":"invalid_type","path":["id"],"message":"Invalid input: expected string, received undefined"}]`))),
		post("no time", apitest.BatchText(strings.Replace(apitest.ScoreEventText("e", "s"), `"2026-03-01T10:00:00.123456Z"`, `5`, 1)), 207,
			answer("",
				invalid("e",
					`[{"expected":"string","code":"invalid_type","path":["timestamp"],"message":"Invalid input: expected string, received number"}]`))),
		post("boolean out of range", apitest.BatchText(at(`{"id":"s","traceId":"t","name":"n","value":-1,"dataType":"BOOLEAN"}`)), 207,
			answer("",
				invalid("e",
					`[{"code":"custom","path":["body","value"],"message":"Value must be a number equal to either 0 or 1 for data type BOOLEAN"}]`))),
		post("data type null", apitest.BatchText(at(`{"id":"s","traceId":"t","name":"n","value":1,"dataType":null}`)), 207,
			answer("",
				invalid("e",
					`[{"code":"invalid_union","errors":[],"note":"No matching discriminator","discriminator":"dataType","path":["body","dataType"],"message":"Invalid input"}]`))),
		post("no subject", apitest.BatchText(at(`{"id":"s","name":"n","value":1}`)), 207,
			answer("",
				invalid("e",
					`[{"code":"custom","path":["body","traceId","sessionId","datasetRunId","observationId"],"message":"Provide exactly one of the following: traceId (with optional observationId), sessionId or datasetRunId. ObservationId requires traceId."}]`))),
		post("unknown config", apitest.BatchText(at(`{"id":"s","traceId":"t","name":"n","value":1,"configId":"c"}`)), 207,
			answer("",
				invalid("e",
					`[{"code":"custom","path":["body","configId"],"message":"Score config \"c\" not found within authorized project"}]`))),
		post("annotation without a config", apitest.BatchText(at(`{"id":"s","traceId":"t","name":"n","value":1,"source":"ANNOTATION"}`)), 207,
			answer("",
				invalid("e",
					`[{"code":"custom","path":["body","configId"],"message":"configId is required when source is ANNOTATION (except for CORRECTION scores)."}]`))),
		post("correction of a run", apitest.BatchText(at(`{"id":"s","datasetRunId":"t","name":"n","value":"x","dataType":"CORRECTION"}`)), 207,
			answer("",
				invalid("e",
					`[{"code":"custom","path":["body","dataType"],"message":"A score of data type CORRECTION belongs to a trace or an observation, not to a session or a dataset run"}]`))),
		post("any environment",
			apitest.BatchText(at(`{"id":"s","traceId":"t","name":"n","value":1,"environment":7,"source":"EVAL","executionTraceId":"x"}`)), 207,
			answer(ok, "")),
	})
}

// TestIngestedScores checks what is stored.
func TestIngestedScores(t *testing.T) {
	f := apitest.New(t, nil)
	f.Run(t, apitest.Scenario{Method: "POST", Path: "/api/public/ingestion", Key: "project", Status: 207, Body: apitest.BatchText(
		// By timestamp, the second comes first.
		apitest.EventText("e2", "score-create", "2026-03-01T10:00:02Z",
			`{"id":"s","traceId":"t2","name":"b","value":2,"metadata":{"b":"2"},"source":"EVAL","executionTraceId":"x"}`),
		apitest.EventText("e1", "score-create", "2026-03-01T11:00:01.5+01:00",
			`{"id":"s","traceId":"t1","name":"a","value":1,"metadata":{"a":1},"comment":"c","environment":"langfuse-Prod"}`),
	), Want: `{"successes":[{"id":"e1","status":201},{"id":"e2","status":201}],"errors":[]}`})
	got := f.StoredScores(t, "project-a", "s")["s"]
	if got.Timestamp.Time().Format("15:04:05.000") != "10:00:01.500" || got.EventAt.Time().Second() != 2 || got.TraceID != "t1" ||
		got.Name != "b" || got.Value.Value != 2 ||
		got.Metadata != `{"a":1,"b":"2"}` || got.Comment != "c" || got.Environment != "prod" || got.Source != "EVAL" ||
		got.ExecutionTraceID != "x" {
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
	f := apitest.New(t, func(o *httpapi.Options) { o.Masks = masks })
	score := func(id string) string {
		return `{"id":"` + id + `","traceId":"t","name":"n","value":1,"comment":"hush"}`
	}
	for path, body := range map[string]string{
		"/api/public/scores":   score("a"),
		"/api/public/scores?x": `{}`,
		"/api/public/scores?y": `{"traceId":"t","name":"n","value":1,"configId":"nope"}`,
		"/api/public/scores?z": `[` + score("b") + `,{}]`,
		"/api/public/ingestion": apitest.BatchText(apitest.EventText("e", "score-create", "2026-03-01T10:00:02Z", score("c")),
			apitest.EventText("e", "score-create", "", score("d")), `{}`),
	} {
		f.Send(apitest.Scenario{Method: "POST", Path: path, Key: "project", Body: body})
	}
	got := f.StoredScores(t, "project-a", "a", "b", "c", "d")
	if len(got) != 3 || got["a"].Comment != "***" || got["b"].Comment != "***" || got["c"].Comment != "***" {
		t.Errorf("stored %+v", got)
	}
	metrics := f.Send(apitest.Scenario{Path: "/metrics"}).Body.String()
	for _, line := range []string{`almanac_scores_total{result="stored"} 3`, `almanac_scores_total{result="refused"} 4`} {
		if !strings.Contains(metrics, line+"\n") {
			t.Errorf("the metrics lack %s", line)
		}
	}
}

// TestScoreEventWithoutID sends such an event twice, like a client that received no response.
func TestScoreEventWithoutID(t *testing.T) {
	f := apitest.New(t, nil)
	send := func(value int) {
		f.Run(t, apitest.Scenario{
			Method: "POST", Path: "/api/public/ingestion", Key: "project", Status: 207,
			Want: `{"successes":[{"id":"e","status":201}],"errors":[]}`,
			Body: apitest.BatchText(apitest.EventText("e", "score-create", "2026-03-01T10:00:02Z",
				fmt.Sprintf(`{"traceId":"t","name":"b","value":%d}`, value))),
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
	accept := func(o *httpapi.Options) {
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
	f := apitest.New(t, accept)
	body := apitest.BatchText(
		apitest.EventText("u", "span-update", "2026-03-01T10:00:00Z", `{"id":"o"}`),
		apitest.EventText("bad", "nope", "2026-03-01T10:00:00Z", `{}`),
		apitest.EventText("t", "trace-create", "2026-03-01T10:00:02Z", `{"id":"t"}`),
		apitest.EventText("l", "sdk-log", "2026-03-01T10:00:02Z", `{"log":1}`),
		apitest.ScoreEventText("s", "s"),
		`{"id":"x"}`, `[]`,
	)
	w := f.Send(apitest.Scenario{Method: "POST", Path: "/api/public/ingestion", Key: "project", Body: body})
	answer := apitest.DecodeJSON[endpoint.BatchResponse](t, w.Body.Bytes())
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
	if len(received) != 3 || received[2].ID != "t" || string(received[2].Body) != `{"id":"t"}` ||
		received[2].Timestamp.Time().Second() != 2 || sender != "project-a pk-lf-a" {
		t.Errorf("handed on %+v of %s", received, sender)
	}

	received = nil
	f.Run(t, apitest.Scenario{
		Method: "POST", Path: "/api/public/ingestion", Header: apitest.Bearer,
		Body: apitest.BatchText(apitest.EventText("t", "trace-create", "2026-03-01T10:00:02Z", `{}`), apitest.ScoreEventText("s", "of a browser")), Status: 207,
		Want: `{"successes":[{"id":"s","status":201}],"errors":[{"id":"t","status":401,"message":"Authentication error","error":"Access Scope Denied"}]}`,
	})
	if received != nil {
		t.Error("events of a public key alone are handed on")
	}

	failure = fmt.Errorf("appending: %w", store.ErrBusy)
	f.Run(t, apitest.Scenario{Method: "POST", Path: "/api/public/ingestion", Key: "project", Body: body, Status: 503})
	failure = errors.New("broken")
	if w := f.Send(apitest.Scenario{Method: "POST", Path: "/api/public/ingestion", Key: "project", Body: body}); w.Code != 500 ||
		strings.Contains(w.Body.String(), "broken") {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

// FuzzIngestion checks that no batch makes the server panic or lose count: every event except a log is a success or an
// error.
func FuzzIngestion(f *testing.F) {
	f.Add(apitest.BatchText(apitest.ScoreEventText("e", "s"), apitest.EventText("l", "sdk-log", "2026-03-01T10:00:00Z", `{"log":1}`)), false)
	f.Add(`{"batch":[{"id":"e","type":"score-create","timestamp":"0000-01-01T00:00Z","body":{"value":1e400}},null,[[]]]}`, true)
	f.Add(apitest.BatchText(apitest.EventText("u", "span-update", "2026-03-01T10:00:00Z", `{"id":"o"}`)), true)
	quietly := func(o *httpapi.Options) { o.Log = slog.New(slog.DiscardHandler) }
	refusing := apitest.New(f, quietly)
	accepting := apitest.New(f, func(o *httpapi.Options) {
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
		fx.ServeHTTP(w, apitest.Scenario{Method: "POST", Path: "/api/public/ingestion", Key: "project", Body: body}.Request())
		if w.Code != 207 {
			if w.Code != 400 && w.Code != 401 {
				t.Errorf("status %d: %s", w.Code, w.Body)
			}
			return
		}
		sent := apitest.DecodeJSON[map[string]json.RawMessage](t, []byte(body))
		events := apitest.DecodeJSON[[]json.RawMessage](t, sent["batch"])
		answer := apitest.DecodeJSON[endpoint.BatchResponse](t, w.Body.Bytes())
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
	f := apitest.New(t, nil)
	body := `{"batch":[{"id":"e","type":"trace-create","timestamp":"2026-03-01T10:00:00Z","body":{}},{"id":"f","type":"` +
		strings.Repeat("x", 500) + `"}]}`
	for range 3 {
		f.Run(t, apitest.Scenario{
			Method: "POST", Path: "/api/public/ingestion", Key: "project", Body: body, Status: 207,
			Header: map[string]string{"X-Langfuse-Sdk-Name": "python", "X-Langfuse-Sdk-Version": "2.60.10"},
		})
	}
	if got := strings.Count(f.Logged.String(), "--legacy-ingestion=accept"); got != 1 ||
		!strings.Contains(f.Logged.String(), "sdk_version=2.60.10") {
		t.Errorf("%d lines: %s", got, f.Logged)
	}
}
