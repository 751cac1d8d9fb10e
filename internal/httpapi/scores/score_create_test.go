package scores_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/store"
)

func TestCreateScore(t *testing.T) {
	const path = "/api/public/scores"
	post := func(name, body string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Method: "POST", Path: path, Key: "project", Body: body, Status: status, Want: want}
	}
	stored := func(want domain.Score) func(*testing.T, *apitest.Fixture) {
		return func(t *testing.T, f *apitest.Fixture) {
			t.Helper()
			got, ok := f.StoredScores(t, "project-a", want.ID)[want.ID]
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
	kept := func(s apitest.Scenario, want domain.Score) apitest.Scenario { s.After = stored(want); return s }
	invalid := func(issues ...string) string {
		return `{"message":"Invalid request data","error":[` + strings.Join(issues, ",") + `]}`
	}
	const (
		noName  = `{"expected":"string","code":"invalid_type","path":["name"],"message":"Invalid input: expected string, received undefined"}`
		noValue = `{"code":"invalid_union","errors":[[{"expected":"string","code":"invalid_type","path":[],"message":"Invalid input: expected string, received undefined"}],[{"expected":"number","code":"invalid_type","path":[],"message":"Invalid input: expected number, received undefined"}]],"path":["value"],"message":"Invalid input"}`
		subject = `{"code":"custom","path":["traceId","sessionId","datasetRunId","observationId"],"message":"Provide exactly one of the following: traceId (with optional observationId), sessionId or datasetRunId. ObservationId requires traceId."}`
	)
	apitest.Run(t, []apitest.Scenario{
		kept(post("numeric",
			`{"id":"score-num","traceId":"t","observationId":"o","name":"quality","value":0.9,"comment":"good","metadata":{"k": "v"}}`, 200,
			`{"id":"score-num"}`),
			domain.Score{
				ID: "score-num", TraceID: "t", ObservationID: "o", Name: "quality", Source: "API", DataType: "NUMERIC",
				Value: domain.FloatOf(0.9), Environment: "default", Comment: "good", Metadata: `{"k":"v"}`,
			}),
		kept(post("boolean", `{"id":"score-bool","traceId":"t","name":"ok","value":1,"dataType":"BOOLEAN"}`, 200, `{"id":"score-bool"}`),
			domain.Score{
				ID: "score-bool", TraceID: "t", Name: "ok", Source: "API", DataType: "BOOLEAN", Value: domain.FloatOf(1),
				StringValue: "True", Environment: "default",
			}),
		kept(post("categorical", `{"id":"score-cat","traceId":"t","name":"cat","value":"red","environment":"production"}`, 200,
			`{"id":"score-cat"}`),
			domain.Score{
				ID: "score-cat", TraceID: "t", Name: "cat", Source: "API", DataType: "CATEGORICAL", StringValue: "red",
				Environment: "production",
			}),
		kept(post("text", `{"id":"score-text","traceId":"t","name":"txt","value":"long text here","dataType":"TEXT"}`, 200,
			`{"id":"score-text"}`),
			domain.Score{
				ID: "score-text", TraceID: "t", Name: "txt", Source: "API", DataType: "TEXT", StringValue: "long text here",
				Environment: "default",
			}),
		kept(post("session", `{"id":"score-sess","sessionId":"sess-1","name":"sess-q","value":3}`, 200, `{"id":"score-sess"}`),
			domain.Score{
				ID: "score-sess", SessionID: "sess-1", Name: "sess-q", Source: "API", DataType: "NUMERIC", Value: domain.FloatOf(3),
				Environment: "default",
			}),
		kept(post("experiment", `{"id":"score-run","datasetRunId":"exp-1","name":"run-q","value":0.5}`, 200, `{"id":"score-run"}`),
			domain.Score{
				ID: "score-run", ExperimentID: "exp-1", Name: "run-q", Source: "API", DataType: "NUMERIC", Value: domain.FloatOf(0.5),
				Environment: "default",
			}),
		kept(post("what cannot be set",
			`{"id":"s","traceId":"t","name":"n","value":1,"timestamp":"2020-01-01T00:00:00Z","authorUserId":"u","executionTraceId":"x","createdAt":"2020-01-01T00:00:00Z"}`, 200, `{"id":"s"}`),
			domain.Score{
				ID: "s", TraceID: "t", Name: "n", Source: "API", DataType: "NUMERIC", Value: domain.FloatOf(1), Environment: "default",
			}),

		post("without value", `{"traceId":"t","name":"x"}`, 400, invalid(noValue)),
		post("without name", `{"traceId":"t","value":1}`, 400, invalid(noName)),
		post("without any target", `{"name":"x","value":1}`, 400, invalid(subject)),
		post("boolean value 2", `{"traceId":"t","name":"x","value":2,"dataType":"BOOLEAN"}`, 400,
			invalid(`{"code":"custom","path":["value"],"message":"Value must be a number equal to either 0 or 1 for data type BOOLEAN"}`)),
		post("empty body", `{}`, 400, invalid(noName, noValue)),
		post("invalid JSON", `{nope`, 400, `Invalid JSON`),
		post("null", `null`, 400,
			invalid(`{"expected":"object","code":"invalid_type","path":[],"message":"Invalid input: expected object, received null"}`)),
		{
			Name: "no JSON content type", Method: "POST", Path: path, Key: "project", Body: `{}`,
			Header: map[string]string{"Content-Type": "text/plain"}, Status: 400,
			Want: invalid(`{"expected":"object","code":"invalid_type","path":[],"message":"Invalid input: expected object, received string"}`),
		},
		{Name: "too large", Method: "POST", Path: path, Key: "project", Body: `{"name":"` + strings.Repeat("x", 1<<20) + `"}`, Status: 413},
		post("unknown config", `{"traceId":"t","name":"x","value":2,"configId":"nope"}`, 400,
			invalid(`{"code":"custom","path":["configId"],"message":"Score config \"nope\" not found within authorized project"}`)),
		post("annotation without a config", `{"traceId":"t","name":"x","value":2,"source":"ANNOTATION"}`, 400,
			invalid(`{"code":"custom","path":["configId"],"message":"configId is required when source is ANNOTATION (except for CORRECTION scores)."}`)),
		post("correction of a session", `{"sessionId":"s","name":"x","value":"y","dataType":"CORRECTION"}`, 400,
			invalid(`{"code":"custom","path":["dataType"],"message":"A score of data type CORRECTION belongs to a trace or an observation, not to a session or a dataset run"}`)),

		{
			Name: "the public key alone", Method: "POST", Path: path, Header: apitest.Bearer, Body: `{"id":"s","traceId":"t","name":"n","value":1}`,
			Status: 200, Want: `{"id":"s"}`,
		},
		{Name: "no credentials", Method: "POST", Path: path, Body: `{}`, Status: 401, Want: `{"message":"No authorization header"}`},
		{
			Name: "a key without the permission", Method: "POST", Path: path, Key: "limited", Body: `{}`, Status: 403,
			Want: `{"message":"Access denied - insufficient permissions for this endpoint: the key lacks the permission scores:write"}`,
		},
		{
			Name: "an organization key", Method: "POST", Path: path, Key: "organization", Body: `{}`, Status: 403,
			Want: `{"message":"Access denied - insufficient permissions for this endpoint"}`,
		},
	})
}

func TestCreateScoreMakesIDs(t *testing.T) {
	f := apitest.New(t, nil)
	for _, id := range []string{"", `"id":null,`, `"id":"",`} {
		w := f.Send(apitest.Scenario{
			Method: "POST", Path: "/api/public/scores", Key: "project", Body: `{` + id + `"traceId":"t","name":"n","value":1}`,
		})
		made := apitest.DecodeJSON[struct{ ID string }](t, w.Body.Bytes()).ID
		if w.Code != 200 || len(made) != 36 || f.StoredScores(t, "project-a", made)[made].Name != "n" {
			t.Errorf("status %d, id %q", w.Code, made)
		}
	}
}

// TestScoresOfTwoProjects writes the same id in two projects.
func TestScoresOfTwoProjects(t *testing.T) {
	f := apitest.New(t, nil)
	for _, key := range []string{"project", "foreign"} {
		f.Run(t, apitest.Scenario{
			Method: "POST", Path: "/api/public/scores", Key: key, Body: `{"id":"s","traceId":"t","name":"` + key +
				`","value":1,"metadata":{"` + key + `":1}}`, Status: 200,
		})
	}
	a, b := f.StoredScores(t, "project-a", "s")["s"], f.StoredScores(t, "project-b", "s")["s"]
	if a.Metadata != `{"project":1}` || b.Metadata != `{"foreign":1}` {
		t.Errorf("metadata %s and %s", a.Metadata, b.Metadata)
	}
	f.Run(t, apitest.Scenario{Method: "DELETE", Path: "/api/public/scores/s", Key: "foreign", Status: 202})
	if got := f.StoredScores(t, "project-a", "s"); len(got) != 1 {
		t.Error("a key of another project deletes a score")
	}
}

func TestCreateScoreList(t *testing.T) {
	const path = "/api/public/scores"
	long := `[` + strings.Repeat(`{},`, endpoint.MaxBatchItems) + `{}]`
	apitest.Run(t, []apitest.Scenario{
		{Name: "empty", Method: "POST", Path: path, Key: "project", Body: `[]`, Status: 202, Want: `{"message":"Accepted"}`},
		{
			Name: "each for itself", Method: "POST", Path: path, Header: apitest.Bearer, Status: 207,
			Body: `[{"id":"a","traceId":"t","name":"n","value":1},{"id":"b","traceId":"t"},7,{"id":"c","traceId":"t","name":"n","value":2},{"id":"d","traceId":"t","name":"n","value":2,"configId":"nope"}]`,
			Want: `{"accepted":2,"rejected":3,"errors":[` +
				`{"id":"b","index":1,"message":"Score 1 (b): name: Invalid input: expected string, received undefined; value: Invalid input"},` +
				`{"id":"unknown","index":2,"message":"Score 2 (unknown): Invalid input: expected object, received number"},` +
				`{"id":"d","index":4,"message":"Score 4 (d): configId: Score config \"nope\" not found within authorized project"}]}`,
			After: func(t *testing.T, f *apitest.Fixture) {
				if got := f.StoredScores(t, "project-a", "a", "b", "c", "d"); len(got) != 2 || got["c"].Value.Value != 2 {
					t.Errorf("stored %v", got)
				}
			},
		},
		{
			Name: "the last of one id", Method: "POST", Path: path, Key: "project", Status: 202,
			Body: `[{"id":"a","traceId":"t","name":"n","value":1,"comment":"c"},{"id":"a","traceId":"t","name":"n","value":2}]`,
			Want: `{"message":"Accepted"}`,
			After: func(t *testing.T, f *apitest.Fixture) {
				if got := f.StoredScores(t, "project-a", "a")["a"]; got.Value.Value != 2 || got.Comment != "c" {
					t.Errorf("stored %+v", got)
				}
			},
		},
		{
			Name: "times of their own", Method: "POST", Path: path, Key: "project", Status: 202,
			Body: `[{"id":"a","traceId":"t","name":"n","value":1,"timestamp":"2026-03-01T11:00:00.123456+01:00"},` +
				`{"id":"a","traceId":"t","name":"n","value":2,"timestamp":"2026-03-01T10:00:00.123456Z"},` +
				`{"id":"a","traceId":"t","name":"older","value":3,"timestamp":"2026-03-01T09:00:00Z"},` +
				`{"id":"b","traceId":"t","name":"n","value":1,"timestamp":null}]`,
			After: func(t *testing.T, f *apitest.Fixture) {
				stored := f.StoredScores(t, "project-a", "a", "b")
				if got := stored["a"]; got.Value.Value != 2 || got.Name != "n" ||
					!got.Timestamp.Time().Equal(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)) {
					t.Errorf("stored %+v at %v", got, got.Timestamp.Time())
				}
				if got := stored["b"]; time.Since(got.Timestamp.Time()) > time.Hour {
					t.Errorf("the score without a time is of %v", got.Timestamp.Time())
				}
			},
		},
		{
			Name: "a time without a zone", Method: "POST", Path: path, Key: "project", Status: 207,
			Body: `[{"id":"a","traceId":"t","name":"n","value":1,"timestamp":"2026-03-01T10:00:00"}]`,
			Want: `{"accepted":0,"rejected":1,"errors":[{"id":"a","index":0,"message":"Score 0 (a): timestamp: Invalid ISO datetime"}]}`,
		},
		{
			Name: "too many", Method: "POST", Path: path, Key: "project", Body: long, Status: 400,
			Want: `{"message":"Invalid request data","error":[{"origin":"array","code":"too_big","maximum":10000,"inclusive":true,"path":[],"message":"Too big: expected array to have <=10000 items"}]}`,
		},
	})
}

func TestDeleteScore(t *testing.T) {
	const path, done = "/api/public/scores/", `{"message":"Score deletion queued successfully"}`
	given := []domain.Score{{ID: "a b/c", Timestamp: 1}, {ID: "other", Timestamp: 1}}
	remove := func(name, id string, rows int64) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Method: "DELETE", Path: path + id, Key: "project", Scores: given, Status: 202, Want: done,
			After: func(t *testing.T, f *apitest.Fixture) {
				if got := f.Store.Stats().Scores.Rows; got != rows {
					t.Errorf("%d rows are left, want %d", got, rows)
				}
				log, err := apitest.OldestFirst(t.Context(), f.Catalog, domain.OfOrganization("org-a"))
				if err != nil {
					t.Fatal(err)
				}
				if last := log[len(log)-1]; last.Action != "delete" || last.ResourceKind != "score" || last.ProjectID != "project-a" ||
					last.Actor.Kind != "api-key" {
					t.Errorf("the last entry of the audit log is %+v", last)
				}
			},
		}
	}
	apitest.Run(t, []apitest.Scenario{
		remove("there", "a%20b%2Fc", 1),
		remove("not there", "nope", 2),
		{
			Name: "the public key alone", Method: "DELETE", Path: path + "other", Header: apitest.Bearer, Scores: given, Status: 403,
			Want: `{"message":"Access denied - insufficient permissions for this endpoint"}`,
		},
		{Name: "a key without the permission", Method: "DELETE", Path: path + "other", Key: "limited", Scores: given, Status: 403},
		{Name: "no credentials", Method: "DELETE", Path: path + "other", Status: 401},
		{Name: "written again", Method: "DELETE", Path: path +
			"other", Key: "project", Scores: given, Status: 202, After: func(t *testing.T, f *apitest.Fixture) {
			f.Run(t, apitest.Scenario{
				Method: "POST", Path: "/api/public/scores", Key: "project", Body: `{"id":"other","traceId":"t","name":"n","value":1}`,
				Status: 200,
			})
			if got := f.StoredScores(t, "project-a", "other"); len(got) != 1 {
				t.Error("a score that was deleted cannot be created again")
			}
		}},
	})
}

// TestScoresAndBusyStore checks the responses when the store cannot accept writes.
func TestScoresAndBusyStore(t *testing.T) {
	busy := func(o *httpapi.Options) { o.Store = busyScores{o.Store} }
	for _, s := range []apitest.Scenario{
		{Method: "POST", Path: "/api/public/scores", Body: `{"traceId":"t","name":"n","value":1}`},
		{Method: "POST", Path: "/api/public/scores", Body: `[{"traceId":"t","name":"n","value":1}]`},
		{Method: "POST", Path: "/api/public/ingestion", Body: `{"batch":[` + apitest.ScoreEventText("e", "s") + `]}`},
		{Method: "DELETE", Path: "/api/public/scores/s"},
	} {
		s.Key = "project"
		w := apitest.New(t, busy).Send(s)
		if w.Code != 503 || w.Header().Get("Retry-After") != strconv.Itoa(endpoint.RetrySeconds) ||
			!strings.Contains(w.Body.String(), `"error":"ServiceUnavailableError"`) {
			t.Errorf("%s %s: status %d, %s", s.Method, s.Path, w.Code, w.Body)
		}
	}
}

// busyScores is a store that accepts no scores.
type busyScores struct{ store.Store }

func (b busyScores) Scores() store.Table[domain.Score] {
	return apitest.BusyTable{Table: b.Store.Scores()}
}

// TestCreateScoreWithConfig uses configs from the catalog.
func TestCreateScoreWithConfig(t *testing.T) {
	f := apitest.New(t, nil)
	config, err := f.Catalog.ScoreConfigs.Create(t.Context(), domain.OfProject("project-a"), domain.ScoreConfig{
		Name: "Quality", DataType: domain.ScoreCategorical, Categories: []domain.ScoreCategory{{Label: "good", Value: 3}},
	}, domain.Actor{Kind: "cli"})
	if err != nil {
		t.Fatal(err)
	}
	body := func(value string) string {
		text, _ := json.Marshal(map[string]any{
			"id": "s", "traceId": "t", "name": "n", "value": value, "configId": config.ID, "source": "ANNOTATION", "queueId": "q",
		})
		return string(text)
	}
	f.Run(t, apitest.Scenario{Method: "POST", Path: "/api/public/scores", Key: "project", Body: body("good"), Status: 200})
	if got := f.StoredScores(t, "project-a", "s")["s"]; got.Name != "Quality" || got.DataType != "CATEGORICAL" ||
		got.Value != domain.FloatOf(3) || got.Source != "ANNOTATION" || got.QueueID != "q" || got.ConfigID != config.ID {
		t.Errorf("stored %+v", got)
	}
	f.Run(t, apitest.Scenario{
		Method: "POST", Path: "/api/public/scores", Key: "project", Body: body("bad"), Status: 400,
		Want: `{"message":"Invalid request data","error":[{"code":"custom","path":["value"],"message":"Value \"bad\" is no category of score config \"Quality\""}]}`,
	})
	f.Run(t, apitest.Scenario{
		Method: "POST", Path: "/api/public/scores", Key: "neighbour", Body: body("good"), Status: 400,
		Contains: []string{"not found within authorized project"}, Missing: []string{"Quality"},
	})
}
