package scores_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/scores"
)

const (
	feedbackPath = "/api/public/feedback"
	someFeedback = `{"targetType":"public-api","target":" GET /x ","feedback":" too slow ","goal":" speed ","referenceUrl":"https://x.test/a?b=c"}`
)

func TestFeedback(t *testing.T) {
	post := func(name, body string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Method: "POST", Path: feedbackPath, Key: "project", Body: body, Status: status, Want: want}
	}
	tooShort := func(member string) string {
		return `{"origin":"string","code":"too_small","minimum":1,"inclusive":true,"path":["` + member +
			`"],"message":"Too small: expected string to have >=1 characters"}`
	}
	tooLong := func(member, maximum string) string {
		return `{"origin":"string","code":"too_big","maximum":` + maximum + `,"inclusive":true,"path":["` + member +
			`"],"message":"Too big: expected string to have <=` + maximum + ` characters"}`
	}
	badType := `{"code":"invalid_value","values":["skill","mcp-tool","cli","docs","public-api","other"],"path":["targetType"],"message":"Invalid option: expected one of \"skill\"|\"mcp-tool\"|\"cli\"|\"docs\"|\"public-api\"|\"other\""}`
	badURL := `{"code":"invalid_format","format":"url","path":["referenceUrl"],"message":"Invalid URL"}`
	x := func(count int) string { return strings.Repeat("x", count) }
	notConfigured := `{"message":"Feedback submission is not configured for this deployment","error":"LangfuseConflictError"}`
	apitest.Run(t, []apitest.Scenario{
		post("not configured", someFeedback, 409, notConfigured),
		post("the longest", `{"targetType":"other","target":"`+x(200)+`","feedback":"`+x(3000)+`","goal":"`+x(1500)+
			`","referenceUrl":"http://`+x(2041)+`"}`, 409, notConfigured),
		post("too long", `{"targetType":"other","target":"`+x(201)+`","feedback":"`+x(3001)+`","goal":"`+x(1501)+
			`","referenceUrl":"http://`+x(2042)+`"}`, 400, apitest.Invalid(
			tooLong("target", "200"), tooLong("feedback", "3000"), tooLong("goal", "1500"), tooLong("referenceUrl", "2048"))),
		post("blanks", `{"targetType":"cli","target":" ","feedback":"\n","goal":"","referenceUrl":""}`, 400,
			apitest.Invalid(tooShort("target"), tooShort("feedback"), tooShort("goal"), badURL)),
		post("nothing", `{}`, 400,
			apitest.Invalid(badType, apitest.WrongType("target", "string", "undefined"), apitest.WrongType("feedback", "string", "undefined"))),
		post("null", `{"targetType":"cli","target":"t","feedback":"f","goal":null,"referenceUrl":null}`, 400,
			apitest.Invalid(apitest.WrongType("goal", "string", "null"), apitest.WrongType("referenceUrl", "string", "null"))),
		post("another scheme", `{"targetType":"cli","target":"t","feedback":"f","referenceUrl":"javascript:alert(1)"}`, 400,
			apitest.Invalid(badURL)),
		post("an unknown member", `{"targetType":"cli","target":"t","feedback":"f","x":1}`, 400, apitest.Invalid(noPagesExtra)),
		post("above the limit", `{"x":"`+x(16<<10)+`"}`, 413, "The request body is larger than the limit of 16384 bytes"),
		{Name: "no credentials", Method: "POST", Path: feedbackPath, Body: someFeedback, Status: 401},
		{
			Name: "no permission", Method: "POST", Path: feedbackPath, Key: "limited", Body: someFeedback, Status: 403,
			Want: `{"message":"Access denied - insufficient permissions for this endpoint: the key lacks the permission feedback:write"}`,
		},
		{Name: "an organization key", Method: "POST", Path: feedbackPath, Key: "organization", Body: someFeedback, Status: 403},
	})
}

func TestFeedbackSink(t *testing.T) {
	var (
		status int
		got    scores.FeedbackMessage
	)
	sink := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		w.WriteHeader(status)
	}))
	defer sink.Close()
	f := apitest.New(t, func(o *httpapi.Options) { o.Feedback = scores.NewFeedbackSink(sink.URL + "/secret-token") })

	status = http.StatusAccepted
	f.Run(t, apitest.Scenario{Method: "POST", Path: feedbackPath, Key: "project", Body: someFeedback, Status: 201, Contains: []string{`{"id":"`}})
	want := scores.FeedbackMessage{
		ID: got.ID, ProjectID: "project-a", SubmittedAt: got.SubmittedAt, TargetType: "public-api", Target: "GET /x", Feedback: "too slow",
		Goal: new("speed"), ReferenceURL: new("https://x.test/a?b=c"),
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got.ID) != 36 || got.SubmittedAt.IsZero() {
		t.Errorf("the sink got (-want +got):\n%s", diff)
	}

	failed := apitest.Scenario{
		Method: "POST", Path: feedbackPath, Key: "project", Body: someFeedback, Status: 503,
		Want: `{"message":"The feedback could not be passed on. Try again later.","error":"ServiceUnavailableError"}`,
	}
	status = http.StatusInternalServerError
	f.Run(t, failed)
	sink.Close()
	f.Run(t, failed)
	if log := f.Logged.String(); !strings.Contains(log, "the sink answered 500") || strings.Contains(log, "secret-token") ||
		strings.Contains(log, "too slow") {
		t.Errorf("the log lacks the cause, or holds the address or the feedback: %s", log)
	}
}
