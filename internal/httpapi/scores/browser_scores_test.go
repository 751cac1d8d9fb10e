package scores_test

import (
	"strings"
	"testing"

	"almanac/internal/httpapi/apitest"
)

// TestBrowserScores: the public key alone can add scores and send them again, but not change the scores of others.
func TestBrowserScores(t *testing.T) {
	f := apitest.New(t, nil)
	const path, ingestion = "/api/public/scores", "/api/public/ingestion"
	const refusal = "Access denied: a score with this id was written by somebody else: without its secret, a key can only change scores that it wrote without it"
	score := func(id, value string) string {
		return `{"id":"` + id + `","traceId":"t","name":"n","value":` + value + `}`
	}
	event := func(id, value string) string {
		return apitest.EventText("event-"+id, "score-create", "2026-03-01T10:00:00Z", score(id, value))
	}
	post := func(name, to, body string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Method: "POST", Path: to, Header: apitest.Bearer, Body: body, Status: status, Want: want}
	}
	server := post("a server's", path, score("server", "1"), 200, `{"id":"server"}`)
	server.Header, server.Key = nil, "project"
	batch := `{"successes":[{"id":"event-fed","status":201}],"errors":[{"id":"event-server","status":403,"message":"Access denied","error":"` + refusal + `"}]}`
	for _, s := range []apitest.Scenario{
		server,
		post("a server's score", path, score("server", "0"), 403, `{"message":"`+refusal+`","error":"ForbiddenError"}`),
		post("in a list", path, `[`+score("server", "0")+`,`+score("listed", "5")+`]`, 207,
			`{"accepted":1,"rejected":1,"errors":[{"id":"server","index":0,"message":"Score 0 (server): `+refusal+`"}]}`),
		post("in a batch", ingestion, apitest.BatchText(event("server", "0"), event("fed", "4")), 207, batch),
		post("the same batch again", ingestion, apitest.BatchText(event("server", "0"), event("fed", "4")), 207, batch),
		post("one of its own", path, score("mine", "1"), 200, `{"id":"mine"}`),
		post("again", path, score("mine", "1"), 200, `{"id":"mine"}`),
		post("changed", path, score("mine", "2"), 200, `{"id":"mine"}`),
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
	stored := f.StoredScores(t, "project-a", "server", "listed", "fed", "mine")
	for id, want := range map[string]float64{"server": 1, "listed": 5, "fed": 4, "mine": 2} {
		if got := stored[id].Value.Value; got != want {
			t.Errorf("%s is %v, want %v", id, got, want)
		}
	}
	// A browser's scores are returned like any others, without revealing how they were written.
	shown := f.Send(apitest.Scenario{Path: "/api/public/v3/scores", Key: "project"})
	if body := shown.Body.String(); shown.Code != 200 || strings.Contains(strings.ToLower(body), "browser") {
		t.Errorf("shown are %s", body)
	}
}
