package traces_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

// sessionRows returns three sessions: s1 with two traces, s2, which came first, and s3, which a trace has left.
func sessionRows() []domain.Observation {
	row := func(trace, id, session, environment string, start, created domain.Micros) domain.Observation {
		return domain.Observation{
			TraceID: trace, ID: id, SessionID: session, Environment: environment, Type: "SPAN", Level: "DEFAULT",
			StartTime: apitest.October + start*1_000_000,
			CreatedAt: apitest.October + created*1_000_000, UpdatedAt: apitest.October + created*1_000_000, Name: "n-" + id, Input: `{"q":1}`,
		}
	}
	return []domain.Observation{
		row("t1", "o1", "s1", "production", 5, 100), row("t1", "o2", "", "staging", 6, 99), row("t2", "o3", "s1", "staging", 1, 101),
		row("t3", "o4", "s2", "a,b", 50, 60), row("t4", "o5", "s3", "default", 7, 200), row("t4", "o6", "s2", "default", 8, 201),
		row("t5", "o7", "", "default", 9, 300),
	}
}

func TestListSessions(t *testing.T) {
	const (
		s1 = `{"id":"s1","createdAt":"2026-10-06T10:01:40.000Z","projectId":"project-a","environment":"production"}`
		s2 = `{"id":"s2","createdAt":"2026-10-06T10:01:00.000Z","projectId":"project-a","environment":"a,b"}`
		s3 = `{"id":"s3","createdAt":"2026-10-06T10:03:20.000Z","projectId":"project-a","environment":"default"}`
	)
	list := func(query, end string, items ...string) apitest.Scenario {
		return apitest.Scenario{
			Name: query, Path: "/api/public/sessions" + query, Key: "limited", Given: sessionRows(), Status: 200,
			Want:       `{"data":[` + strings.Join(items, ",") + end,
			WantHeader: deprecated,
		}
	}
	apitest.Run(t, []apitest.Scenario{
		list("", apitest.Meta(1, 50, 3, 1), s3, s1, s2),
		list("?limit=1&page=2", apitest.Meta(2, 1, 3, 3), s1),
		list("?limit=2&page=3", apitest.Meta(3, 2, 3, 2)),
		list("?fromTimestamp=2026-10-06T10:01:40.000Z", apitest.Meta(1, 50, 2, 1), s3, s1),
		list("?toTimestamp=2026-10-06T10:01:40.000Z", apitest.Meta(1, 50, 1, 1), s2),
		list("?environment=production&environment=default", apitest.Meta(1, 50, 2, 1), s3, s1),
		list("?environment=a,b", apitest.Meta(1, 50, 1, 1), s2),
		list("?environment=production,default", apitest.Meta(1, 50, 0, 0)),
		{
			Name: "invalid", Path: "/api/public/sessions?page=0&limit=x&toTimestamp=2026", Key: "project", Status: 400,
			Contains: []string{`"path":["page"]`, `"path":["limit"]`, `"path":["toTimestamp"]`},
		},
		{Name: "no credentials", Path: "/api/public/sessions", Status: 401},
		{
			Name: "another project", Path: "/api/public/sessions", Key: "neighbour", Given: sessionRows(), Status: 200,
			Want: `{"data":[` + apitest.Meta(1, 50, 0, 0),
		},
	})
}

func TestGetSession(t *testing.T) {
	trace := func(id, name, at, environment, created string) string {
		return fmt.Sprintf(`{"id":%q,"projectId":"project-a","name":%q,"timestamp":"2026-10-06T10:00:%s.000Z","environment":%q,"tags":[],"bookmarked":false,`+
			`"release":null,"version":null,"userId":null,"sessionId":"s1","public":false,"input":{"q":1},"output":null,"metadata":{},`+
			`"createdAt":"2026-10-06T10:01:%s.000Z","updatedAt":"2026-10-06T10:01:%s.000Z","externalId":null}`, id, name, at, environment,
			created, created)
	}
	first, second := trace("t2", "n-o3", "01", "staging", "41"), trace("t1", "n-o2", "05", "staging", "39")
	second = strings.Replace(second, `"updatedAt":"2026-10-06T10:01:39`, `"updatedAt":"2026-10-06T10:01:40`, 1)
	get := func(name, id string, status int, body string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Path: "/api/public/sessions/" + id, Key: "limited", Given: sessionRows(), Status: status, Want: body,
			WantHeader: deprecated,
		}
	}
	apitest.Run(t, []apitest.Scenario{
		get("two traces, oldest first", "s1", 200,
			`{"id":"s1","createdAt":"2026-10-06T10:01:40.000Z","projectId":"project-a","environment":"production","traces":[`+first+`,`+
				second+`]}`),
		get("a trace that went elsewhere", "s3", 200,
			`{"id":"s3","createdAt":"2026-10-06T10:03:20.000Z","projectId":"project-a","environment":"default","traces":[]}`),
		get("none", "nope", 404, `{"message":"Session not found within authorized project","error":"LangfuseNotFoundError"}`),
		{Name: "another project", Path: "/api/public/sessions/s1", Key: "neighbour", Given: sessionRows(), Status: 404},
		{Name: "no credentials", Path: "/api/public/sessions/s1", Status: 401},
	})
}

// TestGetLargeSession reads a session that is large enough to be streamed.
func TestGetLargeSession(t *testing.T) {
	f := apitest.New(t, nil)
	const count = 300
	var rows []domain.Observation
	for n := range count {
		rows = append(rows, domain.Observation{
			TraceID: fmt.Sprintf("t%03d", n), ID: "o", SessionID: "long", StartTime: apitest.October + domain.Micros(n)*1000,
			Input: strings.Repeat("x", 5000),
		})
	}
	f.Keep(t, "project-a", rows, nil)
	w := httptest.NewRecorder()
	f.ServeHTTP(w, apitest.Scenario{Path: "/api/public/sessions/long", Key: "project"}.Request())
	body := apitest.DecodeJSON[struct{ Traces []struct{ ID string } }](t, w.Body.Bytes())
	if w.Code != 200 || len(body.Traces) != count || body.Traces[0].ID != "t000" || body.Traces[count-1].ID != "t299" {
		t.Errorf("status %d, %d traces", w.Code, len(body.Traces))
	}
}
