package httpapi

import (
	"encoding/json"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/store"
)

// storedScores returns the scores of a project by id.
func (f *fixture) storedScores(t *testing.T, project string, ids ...string) map[string]domain.Score {
	t.Helper()
	found := make(map[string]domain.Score)
	for s, err := range f.Store.Scores().Lookup(t.Context(), domain.OfProject(project), store.Lookup{IDs: ids, Want: store.WantAll}) {
		if err != nil {
			t.Fatal(err)
		}
		kept := s.Clone() // the row belongs to the store
		found[kept.ID] = kept
	}
	return found
}

// send sends a request and returns the response.
func (f *fixture) send(s scenario) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	f.ServeHTTP(w, s.request())
	return w
}

var bearer = map[string]string{"Authorization": "Bearer pk-lf-a"}

func TestCreateScore(t *testing.T) {
	const path = "/api/public/scores"
	post := func(name, body string, status int, want string) scenario {
		return scenario{name: name, method: "POST", path: path, key: "project", body: body, status: status, want: want}
	}
	stored := func(want domain.Score) func(*testing.T, *fixture) {
		return func(t *testing.T, f *fixture) {
			t.Helper()
			got, ok := f.storedScores(t, "project-a", want.ID)[want.ID]
			ignored := cmpopts.IgnoreFields(domain.Score{}, "Timestamp", "CreatedAt", "UpdatedAt", "EventAt")
			if diff := cmp.Diff(want, got, ignored); !ok || diff != "" {
				t.Errorf("stored (-want +got): %s", diff)
			}
			now := domain.MicrosOf(time.Now())
			for _, at := range []domain.Micros{got.Timestamp, got.CreatedAt, got.UpdatedAt, got.EventAt} {
				if at <= 0 || at > now || now-at > domain.Micros(time.Hour/time.Microsecond) {
					t.Errorf("dated %v", at.Time())
				}
			}
		}
	}
	kept := func(s scenario, want domain.Score) scenario { s.after = stored(want); return s }
	invalid := func(issues ...string) string {
		return `{"message":"Invalid request data","error":[` + strings.Join(issues, ",") + `]}`
	}
	const (
		noName  = `{"expected":"string","code":"invalid_type","path":["name"],"message":"Invalid input: expected string, received undefined"}`
		noValue = `{"code":"invalid_union","errors":[[{"expected":"string","code":"invalid_type","path":[],"message":"Invalid input: expected string, received undefined"}],[{"expected":"number","code":"invalid_type","path":[],"message":"Invalid input: expected number, received undefined"}]],"path":["value"],"message":"Invalid input"}`
		subject = `{"code":"custom","path":["traceId","sessionId","datasetRunId","observationId"],"message":"Provide exactly one of the following: traceId (with optional observationId), sessionId or datasetRunId. ObservationId requires traceId."}`
	)
	runScenarios(t, []scenario{
		kept(post("numeric", `{"id":"score-num","traceId":"t","observationId":"o","name":"quality","value":0.9,"comment":"good","metadata":{"k": "v"}}`, 200, `{"id":"score-num"}`),
			domain.Score{ID: "score-num", TraceID: "t", ObservationID: "o", Name: "quality", Source: "API", DataType: "NUMERIC", Value: domain.FloatOf(0.9), Environment: "default", Comment: "good", Metadata: `{"k":"v"}`}),
		kept(post("boolean", `{"id":"score-bool","traceId":"t","name":"ok","value":1,"dataType":"BOOLEAN"}`, 200, `{"id":"score-bool"}`),
			domain.Score{ID: "score-bool", TraceID: "t", Name: "ok", Source: "API", DataType: "BOOLEAN", Value: domain.FloatOf(1), StringValue: "True", Environment: "default"}),
		kept(post("categorical", `{"id":"score-cat","traceId":"t","name":"cat","value":"red","environment":"production"}`, 200, `{"id":"score-cat"}`),
			domain.Score{ID: "score-cat", TraceID: "t", Name: "cat", Source: "API", DataType: "CATEGORICAL", StringValue: "red", Environment: "production"}),
		kept(post("text", `{"id":"score-text","traceId":"t","name":"txt","value":"long text here","dataType":"TEXT"}`, 200, `{"id":"score-text"}`),
			domain.Score{ID: "score-text", TraceID: "t", Name: "txt", Source: "API", DataType: "TEXT", StringValue: "long text here", Environment: "default"}),
		kept(post("session", `{"id":"score-sess","sessionId":"sess-1","name":"sess-q","value":3}`, 200, `{"id":"score-sess"}`),
			domain.Score{ID: "score-sess", SessionID: "sess-1", Name: "sess-q", Source: "API", DataType: "NUMERIC", Value: domain.FloatOf(3), Environment: "default"}),
		kept(post("experiment", `{"id":"score-run","datasetRunId":"exp-1","name":"run-q","value":0.5}`, 200, `{"id":"score-run"}`),
			domain.Score{ID: "score-run", ExperimentID: "exp-1", Name: "run-q", Source: "API", DataType: "NUMERIC", Value: domain.FloatOf(0.5), Environment: "default"}),
		kept(post("what cannot be set", `{"id":"s","traceId":"t","name":"n","value":1,"timestamp":"2020-01-01T00:00:00Z","authorUserId":"u","executionTraceId":"x","createdAt":"2020-01-01T00:00:00Z"}`, 200, `{"id":"s"}`),
			domain.Score{ID: "s", TraceID: "t", Name: "n", Source: "API", DataType: "NUMERIC", Value: domain.FloatOf(1), Environment: "default"}),

		post("without value", `{"traceId":"t","name":"x"}`, 400, invalid(noValue)),
		post("without name", `{"traceId":"t","value":1}`, 400, invalid(noName)),
		post("without any target", `{"name":"x","value":1}`, 400, invalid(subject)),
		post("boolean value 2", `{"traceId":"t","name":"x","value":2,"dataType":"BOOLEAN"}`, 400,
			invalid(`{"code":"custom","path":["value"],"message":"Value must be a number equal to either 0 or 1 for data type BOOLEAN"}`)),
		post("empty body", `{}`, 400, invalid(noName, noValue)),
		post("invalid JSON", `{nope`, 400, `Invalid JSON`),
		post("null", `null`, 400, invalid(`{"expected":"object","code":"invalid_type","path":[],"message":"Invalid input: expected object, received null"}`)),
		{
			name: "no JSON content type", method: "POST", path: path, key: "project", body: `{}`, header: map[string]string{"Content-Type": "text/plain"}, status: 400,
			want: invalid(`{"expected":"object","code":"invalid_type","path":[],"message":"Invalid input: expected object, received string"}`),
		},
		{name: "too large", method: "POST", path: path, key: "project", body: `{"name":"` + strings.Repeat("x", 1<<20) + `"}`, status: 413},
		post("unknown config", `{"traceId":"t","name":"x","value":2,"configId":"nope"}`, 400,
			invalid(`{"code":"custom","path":["configId"],"message":"Score config \"nope\" not found within authorized project"}`)),
		post("annotation without a config", `{"traceId":"t","name":"x","value":2,"source":"ANNOTATION"}`, 400,
			invalid(`{"code":"custom","path":["configId"],"message":"configId is required when source is ANNOTATION (except for CORRECTION scores)."}`)),
		post("correction of a session", `{"sessionId":"s","name":"x","value":"y","dataType":"CORRECTION"}`, 400,
			invalid(`{"code":"custom","path":["dataType"],"message":"A score of data type CORRECTION belongs to a trace or an observation, not to a session or a dataset run"}`)),

		{name: "the public key alone", method: "POST", path: path, header: bearer, body: `{"id":"s","traceId":"t","name":"n","value":1}`, status: 200, want: `{"id":"s"}`},
		{name: "no credentials", method: "POST", path: path, body: `{}`, status: 401, want: `{"message":"No authorization header"}`},
		{
			name: "a key without the permission", method: "POST", path: path, key: "limited", body: `{}`, status: 403,
			want: `{"message":"Access denied - insufficient permissions for this endpoint: the key lacks the permission scores:write"}`,
		},
		{
			name: "an organization key", method: "POST", path: path, key: "organization", body: `{}`, status: 403,
			want: `{"message":"Access denied - insufficient permissions for this endpoint"}`,
		},
	})
}

func TestCreateScoreMakesIDs(t *testing.T) {
	f := newFixture(t, nil)
	for _, id := range []string{"", `"id":null,`, `"id":"",`} {
		w := f.send(scenario{method: "POST", path: "/api/public/scores", key: "project", body: `{` + id + `"traceId":"t","name":"n","value":1}`})
		made := decodeJSON[struct{ ID string }](t, w.Body.Bytes()).ID
		if w.Code != 200 || len(made) != 36 || f.storedScores(t, "project-a", made)[made].Name != "n" {
			t.Errorf("status %d, id %q", w.Code, made)
		}
	}
}

// TestScoresOfTwoProjects writes the same id in two projects.
func TestScoresOfTwoProjects(t *testing.T) {
	f := newFixture(t, nil)
	for _, key := range []string{"project", "foreign"} {
		f.run(t, scenario{method: "POST", path: "/api/public/scores", key: key, body: `{"id":"s","traceId":"t","name":"` + key + `","value":1,"metadata":{"` + key + `":1}}`, status: 200})
	}
	a, b := f.storedScores(t, "project-a", "s")["s"], f.storedScores(t, "project-b", "s")["s"]
	if a.Metadata != `{"project":1}` || b.Metadata != `{"foreign":1}` {
		t.Errorf("metadata %s and %s", a.Metadata, b.Metadata)
	}
	f.run(t, scenario{method: "DELETE", path: "/api/public/scores/s", key: "foreign", status: 202})
	if got := f.storedScores(t, "project-a", "s"); len(got) != 1 {
		t.Error("a key of another project deletes a score")
	}
}

func TestCreateScoreList(t *testing.T) {
	const path = "/api/public/scores"
	long := `[` + strings.Repeat(`{},`, endpoint.MaxBatchItems) + `{}]`
	runScenarios(t, []scenario{
		{name: "empty", method: "POST", path: path, key: "project", body: `[]`, status: 202, want: `{"message":"Accepted"}`},
		{
			name: "each for itself", method: "POST", path: path, header: bearer, status: 207,
			body: `[{"id":"a","traceId":"t","name":"n","value":1},{"id":"b","traceId":"t"},7,{"id":"c","traceId":"t","name":"n","value":2},{"id":"d","traceId":"t","name":"n","value":2,"configId":"nope"}]`,
			want: `{"accepted":2,"rejected":3,"errors":[` +
				`{"id":"b","index":1,"message":"Score 1 (b): name: Invalid input: expected string, received undefined; value: Invalid input"},` +
				`{"id":"unknown","index":2,"message":"Score 2 (unknown): Invalid input: expected object, received number"},` +
				`{"id":"d","index":4,"message":"Score 4 (d): configId: Score config \"nope\" not found within authorized project"}]}`,
			after: func(t *testing.T, f *fixture) {
				if got := f.storedScores(t, "project-a", "a", "b", "c", "d"); len(got) != 2 || got["c"].Value.Value != 2 {
					t.Errorf("stored %v", got)
				}
			},
		},
		{
			name: "the last of one id", method: "POST", path: path, key: "project", status: 202,
			body: `[{"id":"a","traceId":"t","name":"n","value":1,"comment":"c"},{"id":"a","traceId":"t","name":"n","value":2}]`, want: `{"message":"Accepted"}`,
			after: func(t *testing.T, f *fixture) {
				if got := f.storedScores(t, "project-a", "a")["a"]; got.Value.Value != 2 || got.Comment != "c" {
					t.Errorf("stored %+v", got)
				}
			},
		},
		{
			name: "times of their own", method: "POST", path: path, key: "project", status: 202,
			body: `[{"id":"a","traceId":"t","name":"n","value":1,"timestamp":"2026-03-01T11:00:00.123456+01:00"},` +
				`{"id":"a","traceId":"t","name":"n","value":2,"timestamp":"2026-03-01T10:00:00.123456Z"},` +
				`{"id":"a","traceId":"t","name":"older","value":3,"timestamp":"2026-03-01T09:00:00Z"},` +
				`{"id":"b","traceId":"t","name":"n","value":1,"timestamp":null}]`,
			after: func(t *testing.T, f *fixture) {
				stored := f.storedScores(t, "project-a", "a", "b")
				if got := stored["a"]; got.Value.Value != 2 || got.Name != "n" || !got.Timestamp.Time().Equal(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)) {
					t.Errorf("stored %+v at %v", got, got.Timestamp.Time())
				}
				if got := stored["b"]; time.Since(got.Timestamp.Time()) > time.Hour {
					t.Errorf("the score without a time is of %v", got.Timestamp.Time())
				}
			},
		},
		{
			name: "a time without a zone", method: "POST", path: path, key: "project", status: 207,
			body: `[{"id":"a","traceId":"t","name":"n","value":1,"timestamp":"2026-03-01T10:00:00"}]`,
			want: `{"accepted":0,"rejected":1,"errors":[{"id":"a","index":0,"message":"Score 0 (a): timestamp: Invalid ISO datetime"}]}`,
		},
		{
			name: "too many", method: "POST", path: path, key: "project", body: long, status: 400,
			want: `{"message":"Invalid request data","error":[{"origin":"array","code":"too_big","maximum":10000,"inclusive":true,"path":[],"message":"Too big: expected array to have <=10000 items"}]}`,
		},
	})
}

func TestDeleteScore(t *testing.T) {
	const path, done = "/api/public/scores/", `{"message":"Score deletion queued successfully"}`
	given := []domain.Score{{ID: "a b/c", Timestamp: 1}, {ID: "other", Timestamp: 1}}
	remove := func(name, id string, rows int64) scenario {
		return scenario{
			name: name, method: "DELETE", path: path + id, key: "project", scores: given, status: 202, want: done,
			after: func(t *testing.T, f *fixture) {
				if got := f.Store.Stats().Scores.Rows; got != rows {
					t.Errorf("%d rows are left, want %d", got, rows)
				}
				log, err := oldestFirst(t.Context(), f.Catalog, domain.OfOrganization("org-a"))
				if err != nil {
					t.Fatal(err)
				}
				if last := log[len(log)-1]; last.Action != "delete" || last.ResourceKind != "score" || last.ProjectID != "project-a" || last.Actor.Kind != "api-key" {
					t.Errorf("the last entry of the audit log is %+v", last)
				}
			},
		}
	}
	runScenarios(t, []scenario{
		remove("there", "a%20b%2Fc", 1),
		remove("not there", "nope", 2),
		{name: "the public key alone", method: "DELETE", path: path + "other", header: bearer, scores: given, status: 403, want: `{"message":"Access denied - insufficient permissions for this endpoint"}`},
		{name: "a key without the permission", method: "DELETE", path: path + "other", key: "limited", scores: given, status: 403},
		{name: "no credentials", method: "DELETE", path: path + "other", status: 401},
		{name: "written again", method: "DELETE", path: path + "other", key: "project", scores: given, status: 202, after: func(t *testing.T, f *fixture) {
			f.run(t, scenario{method: "POST", path: "/api/public/scores", key: "project", body: `{"id":"other","traceId":"t","name":"n","value":1}`, status: 200})
			if got := f.storedScores(t, "project-a", "other"); len(got) != 1 {
				t.Error("a score that was deleted cannot be created again")
			}
		}},
	})
}

// TestScoresAndBusyStore checks the responses when the store cannot accept writes.
func TestScoresAndBusyStore(t *testing.T) {
	busy := func(o *Options) { o.Store = busyScores{o.Store} }
	for _, s := range []scenario{
		{method: "POST", path: "/api/public/scores", body: `{"traceId":"t","name":"n","value":1}`},
		{method: "POST", path: "/api/public/scores", body: `[{"traceId":"t","name":"n","value":1}]`},
		{method: "POST", path: "/api/public/ingestion", body: `{"batch":[` + scoreEventText("e", "s") + `]}`},
		{method: "DELETE", path: "/api/public/scores/s"},
	} {
		s.key = "project"
		w := newFixture(t, busy).send(s)
		if w.Code != 503 || w.Header().Get("Retry-After") != strconv.Itoa(endpoint.RetrySeconds) || !strings.Contains(w.Body.String(), `"error":"ServiceUnavailableError"`) {
			t.Errorf("%s %s: status %d, %s", s.method, s.path, w.Code, w.Body)
		}
	}
}

// busyScores is a store that accepts no scores.
type busyScores struct{ store.Store }

func (b busyScores) Scores() store.Table[domain.Score] { return busyTable{b.Store.Scores()} }

// TestCreateScoreWithConfig uses configs from the catalog.
func TestCreateScoreWithConfig(t *testing.T) {
	f := newFixture(t, nil)
	config, err := f.Catalog.CreateScoreConfig(t.Context(), domain.OfProject("project-a"), domain.ScoreConfig{
		Name: "Quality", DataType: domain.ScoreCategorical, Categories: []domain.ScoreCategory{{Label: "good", Value: 3}},
	}, domain.Actor{Kind: "cli"})
	if err != nil {
		t.Fatal(err)
	}
	body := func(value string) string {
		text, _ := json.Marshal(map[string]any{"id": "s", "traceId": "t", "name": "n", "value": value, "configId": config.ID, "source": "ANNOTATION", "queueId": "q"})
		return string(text)
	}
	f.run(t, scenario{method: "POST", path: "/api/public/scores", key: "project", body: body("good"), status: 200})
	if got := f.storedScores(t, "project-a", "s")["s"]; got.Name != "Quality" || got.DataType != "CATEGORICAL" || got.Value != domain.FloatOf(3) || got.Source != "ANNOTATION" || got.QueueID != "q" || got.ConfigID != config.ID {
		t.Errorf("stored %+v", got)
	}
	f.run(t, scenario{
		method: "POST", path: "/api/public/scores", key: "project", body: body("bad"), status: 400,
		want: `{"message":"Invalid request data","error":[{"code":"custom","path":["value"],"message":"Value \"bad\" is no category of score config \"Quality\""}]}`,
	})
	f.run(t, scenario{method: "POST", path: "/api/public/scores", key: "neighbour", body: body("good"), status: 400, contains: []string{"not found within authorized project"}, missing: []string{"Quality"}})
}
