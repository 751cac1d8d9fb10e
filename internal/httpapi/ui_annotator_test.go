package httpapi_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

// annotated is project a with a queue assigned to an annotator, one that is not, and the contents of each.
type annotated struct {
	config       string
	mine, theirs annotatedQueue
}

// oneReview is the beginning of the routes of somebody who reviews an item.
const oneReview = "POST annotation-queues/{queueId}/items/{itemId}/"

type annotatedQueue struct{ queue, item, comment, medium string }

// newAnnotated creates, for each of the two queues, a trace t-*, an observation o-* of the trace step-*, and a session
// s-* with the trace turn-*, all of them items of the queue, with scores, comments and a file.
func newAnnotated(t *testing.T, f *apitest.Fixture, annotator string) annotated {
	t.Helper()
	scope, by := domain.OfProject("project-a"), domain.Actor{Kind: "cli"}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	config, err := f.Catalog.ScoreConfigs.Create(t.Context(), scope, domain.ScoreConfig{Name: "tone", DataType: domain.ScoreText}, by)
	must(err)
	out := annotated{config: config.ID}
	for name, into := range map[string]*annotatedQueue{"mine": &out.mine, "theirs": &out.theirs} {
		queue, err := f.Catalog.AnnotationQueues.Create(t.Context(), scope, domain.AnnotationQueue{
			Name: name, ScoreConfigIDs: []string{config.ID},
		}, by)
		must(err)
		into.queue = queue.ID
		for object, objectType := range map[string]string{
			"t-": domain.ObjectTrace, "o-": domain.ObjectObservation, "s-": domain.ObjectSession,
		} {
			item, err := f.Catalog.CreateAnnotationItem(t.Context(), scope, domain.AnnotationItem{
				QueueID: queue.ID, ObjectType: objectType, ObjectID: object + name, Status: domain.AnnotationPending,
			}, by)
			must(err)
			into.item = item.ID
		}
		comment, err := f.Catalog.Comments.Create(t.Context(), scope, domain.Comment{
			ObjectType: domain.ObjectTrace, ObjectID: "t-" + name, Content: "seen " + name,
		}, by)
		must(err)
		into.comment = comment.ID
		rows := []domain.Observation{
			{TraceID: "t-" + name, ID: "root-" + name, StartTime: 1, Type: "SPAN", Name: "row of " + name},
			{TraceID: "step-" + name, ID: "o-" + name, Input: "text", StartTime: 2, Type: "SPAN", Name: "row of " + name},
			{TraceID: "turn-" + name, ID: "turn-root-" + name, SessionID: "s-" + name, StartTime: 4, Type: "SPAN", Name: "row of " + name},
		}
		for n := range 600 { // more than are looked up in one batch
			rows = append(rows, domain.Observation{
				TraceID: "step-" + name, ID: fmt.Sprintf("%s-%d", name, n), StartTime: 3, Type: "SPAN", Name: "row of " + name,
			})
		}
		f.Keep(t, "project-a", rows, []domain.Score{{
			ID: "score-" + name, TraceID: "t-" + name, Timestamp: 1, Source: "API", Name: "score of " + name, DataType: domain.ScoreNumeric,
			Value: domain.FloatOf(1),
		}})
		content := "file of " + name
		medium := f.Announce(t, strings.Replace(apitest.Announcement(content), `"t1"`, `"step-`+name+`"`, 1))
		f.Run(t, apitest.Uploading(*medium.UploadURL, content))
		into.medium = medium.MediaID
	}
	must(f.Catalog.AssignToQueue(t.Context(), scope, out.mine.queue, annotator, by))
	return out
}

// requests returns the requests of annotators by route, about their own queue or about that of others. Requests that
// name nothing in a queue belong to the latter.
func (a annotated) requests(q annotatedQueue, name, annotator string) map[string][]string {
	observations := func(filter string) string {
		return "v2/observations?fields=core,basic&filter=" + url.QueryEscape("["+filter+"]")
	}
	requests := map[string][]string{
		"GET v2/observations": {
			"v2/observations?traceId=t-" + name, "v2/observations?traceId=step-" + name, "v2/observations?traceId=turn-" + name,
			"v2/observations?sessionId=s-" + name,
			observations(`{"type":"string","column":"id","operator":"=","value":"o-` + name + `"}`),
			observations(`{"type":"string","column":"id","operator":"=","value":"` + name + `-599"}`),
			observations(`{"type":"string","column":"traceId","operator":"=","value":"t-` + name +
				`"},{"type":"string","column":"name","operator":"contains","value":"row"}`),
			observations(`{"type":"stringOptions","column":"traceId","operator":"any of","value":["t-` + name + `","step-` + name + `"]}`),
		},
		"GET v3/scores": {
			"v3/scores?traceId=t-" + name, "v3/scores?traceId=t-" + name + ",step-" + name, "v3/scores?sessionId=s-" + name,
			"v3/scores?traceId=step-" + name + "&observationId=o-" + name,
		},
		"GET annotation-queues/{queueId}":                {"annotation-queues/" + q.queue},
		"GET annotation-queues/{queueId}/items":          {"annotation-queues/" + q.queue + "/items"},
		"GET annotation-queues/{queueId}/items/{itemId}": {"annotation-queues/" + q.queue + "/items/" + q.item},
		"PATCH annotation-queues/{queueId}/items/{itemId}": {
			"annotation-queues/" + q.queue + "/items/" + q.item + ` {"status":"COMPLETED"}`,
		},
		"GET comments": {
			"comments?objectType=TRACE&objectId=t-" + name, "comments?objectType=OBSERVATION&objectId=" + name + "-1",
			"comments?objectType=SESSION&objectId=s-" + name,
		},
		"GET comments/{commentId}": {"comments/" + q.comment},
		"POST comments": {
			`comments {"projectId":"project-a","objectType":"TRACE","objectId":"step-` + name + `","content":"x"}`,
			`comments {"projectId":"project-a","objectType":"OBSERVATION","objectId":"o-` + name + `","content":"x","authorUserId":"` +
				annotator + `"}`,
		},
		"POST scores": {
			`scores {"traceId":"t-` + name + `","name":"n","value":1}`, `scores {"traceId":"step-` + name + `","observationId":"o-` + name +
				`","name":"n","value":1,"queueId":"` + q.queue + `"}`,
			`scores {"sessionId":"s-` + name + `","name":"n","value":1}`, `scores {"id":"score-` + name + `","traceId":"t-` + name +
				`","name":"n","value":2}`,
			`scores [{"traceId":"t-` + name + `","name":"n","value":1},{"sessionId":"s-` + name + `","name":"n","value":1}]`,
		},
		"GET media/{mediaId}": {"media/" + q.medium},
		"GET traces/{traceId}/tree": {
			"traces/t-" + name + "/tree", "traces/step-" + name + "/tree", "traces/turn-" + name + "/tree",
		},
		"GET traces/{traceId}/find": {"traces/t-" + name + "/find?q=row"},
		"GET observations/{observationId}/detail": {
			"observations/o-" + name + "/detail", "observations/" + name + "-1/detail?traceId=step-" + name,
		},
		"GET observations/{observationId}/io/{field}":  {"observations/o-" + name + "/io/input"},
		"POST annotation-queues/{queueId}/items/query": {"annotation-queues/" + q.queue + "/items/query {}"},
		"POST annotation-queues/{queueId}/next":        {"annotation-queues/" + q.queue + "/next {}"},
	}
	for _, action := range []string{"open", "renew", "release", "skip", "complete"} {
		requests[oneReview+action] = []string{
			"annotation-queues/" + q.queue + "/items/" + q.item + "/" + action + " {}",
		}
	}
	if name == "mine" {
		return requests
	}
	more := func(route string, some ...string) { requests[route] = append(requests[route], some...) }
	more("GET v2/observations", "v2/observations", "v2/observations?userId=u", "v2/observations?traceId=", "v2/observations?sessionId=",
		"v2/observations?traceId=nope",
		// The filter overrides the parameter, so the parameter must not grant access.
		observations(`{"type":"string","column":"traceId","operator":"=","value":"t-theirs"}`)+"&traceId=t-mine",
		observations(`{"type":"string","column":"traceId","operator":"does not contain","value":"nope"}`)+"&traceId=t-mine",
		observations(`{"type":"string","column":"traceId","operator":"contains","value":"t-mine"}`),
		observations(`{"type":"stringOptions","column":"traceId","operator":"any of","value":["t-mine","t-theirs"]}`),
		observations(`{"type":"stringOptions","column":"id","operator":"none of","value":["o-mine"]}`),
		observations(`{"type":"stringOptions","column":"id","operator":"any of","value":["o-mine","nope"]}`),
		observations(`{"type":"string","column":"name","operator":"=","value":"t-mine"}`))
	more("GET v3/scores", "v3/scores", "v3/scores?traceId=t-mine,t-theirs", "v3/scores?id=score-mine", "v3/scores?queueId="+a.mine.queue,
		"v3/scores?experimentId=e")
	more("GET comments", "comments", "comments?objectType=TRACE", "comments?objectType=PROMPT&objectId=t-mine",
		"comments?authorUserId="+annotator)
	more("POST comments",
		`comments {"projectId":"project-a","objectType":"TRACE","objectId":"t-mine","content":"x","authorUserId":"somebody-else"}`,
		`comments {"projectId":"project-a","objectType":"PROMPT","objectId":"t-mine","content":"x"}`)
	more("POST scores",
		`scores {"datasetRunId":"r","name":"n","value":1}`, `scores {"traceId":"t-mine","name":"n","value":1,"queueId":"`+
			a.theirs.queue+`"}`,
		`scores {"id":"score-theirs","traceId":"t-mine","name":"n","value":2}`,
		// The trace is in the queue, but the observation belongs to another one, or to none.
		`scores {"traceId":"t-mine","observationId":"o-theirs","name":"n","value":1}`,
		`scores {"traceId":"t-mine","observationId":"o-mine","name":"n","value":1}`,
		`scores {"traceId":"t-mine","observationId":"nope","name":"n","value":1}`,
		`scores [{"traceId":"step-mine","observationId":"o-mine","name":"n","value":1},{"traceId":"step-mine","observationId":"root-theirs","name":"n","value":1}]`,
		`scores [{"traceId":"t-mine","name":"n","value":1},{"traceId":"t-theirs","name":"n","value":1}]`)
	return requests
}

// TestAnnotators tries an annotator on every route of a project, with objects inside and outside of their queues.
func TestAnnotators(t *testing.T) {
	f := apitest.New(t, nil)
	annotator := f.NewMember(t, "annotator@a.test", domain.RoleAnnotator)
	a := newAnnotated(t, f, annotator.ID)
	b := f.As(t, annotator.ID)
	const below = "/api/ui/projects/project-a/"
	ask := func(route, request string) (int, string) {
		method, _, _ := strings.Cut(route, " ")
		path, body, _ := strings.Cut(request, " ")
		return b.Try(t, method, below+path, body)
	}
	kept := func() string {
		stats := f.Store.Stats()
		comments, _, err := f.Catalog.Comments.Page(t.Context(), domain.OfProject("project-a"), tables.Page{Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(stats.Scores.Rows, len(comments), f.StoredScores(t, "project-a", "score-theirs"))
	}

	theirs, mine := a.requests(a.theirs, "theirs", annotator.ID), a.requests(a.mine, "mine", annotator.ID)
	before := kept()
	for route, requests := range theirs {
		for _, request := range requests {
			status, answer := ask(route, request)
			if status != http.StatusForbidden || !strings.Contains(answer, "Your role in this project is ANNOTATOR. This needs the role ") {
				t.Errorf("%s: %s: %d %s", route, request, status, answer)
			}
			if strings.Contains(answer, "theirs") {
				t.Errorf("%s: %s tells of what is in other queues: %s", route, request, answer)
			}
		}
	}
	if after := kept(); after != before {
		t.Errorf("the annotator changed what is not theirs from %s to %s", before, after)
	}
	for route, requests := range mine {
		for _, request := range requests {
			if strings.HasPrefix(route, oneReview) {
				continue // only possible in an order
			}
			if status, answer := ask(route, request); status >= 300 || strings.Contains(answer, "theirs") ||
				strings.HasPrefix(answer, `{"data":[]`) && strings.Contains(request, "v2/") {
				t.Errorf("%s: %s: %d %s", route, request, status, answer)
			}
		}
	}

	for _, action := range []string{"open", "renew", "complete", "open", "skip", "release"} {
		route := oneReview + action
		if status, answer := ask(route, mine[route][0]); status >= 300 || strings.Contains(answer, "theirs") {
			t.Errorf("%s: %d %s", route, status, answer)
		}
	}

	comments := b.Ask(t, "GET", below+"comments?objectType=TRACE&objectId=step-mine", "", http.StatusOK)
	if !strings.Contains(comments, `"authorUserId":"`+annotator.ID+`"`) {
		t.Errorf("the comment does not name its author: %s", comments)
	}
	own := below + "comments/" +
		strings.TrimSuffix(strings.TrimPrefix(b.Ask(t, "POST", below+"comments",
			`{"projectId":"project-a","objectType":"TRACE","objectId":"t-mine","content":"x"}`, http.StatusOK), `{"id":"`), `"}`)
	b.Ask(t, "PATCH", own, `{"content":"changed"}`, http.StatusOK)
	b.Ask(t, "DELETE", own, "", http.StatusNoContent)
	for _, comment := range []string{a.mine.comment, a.theirs.comment} { // by somebody else, on objects inside and outside of the queue
		b.Ask(t, "PATCH", below+"comments/"+comment, `{"content":"changed"}`, http.StatusForbidden)
		b.Ask(t, "DELETE", below+"comments/"+comment, "", http.StatusForbidden)
	}
	member := f.As(t, f.NewMember(t, "member@a.test", domain.RoleMember).ID)
	member.Ask(t, "POST", below+"comments",
		`{"projectId":"project-a","objectType":"TRACE","objectId":"t-mine","content":"x","authorUserId":"`+annotator.ID+`"}`,
		http.StatusBadRequest)

	// Nothing else of the project is accessible except what the work requires and is not secret.
	open := map[string]bool{
		"GET annotation-queues": true, "GET score-configs": true, "GET score-configs/{configId}": true, "GET projects": true,
		"POST query/annotation-queues": true,
	}
	refused := 0
	for _, rt := range slices.Concat(f.MirroredRoutes(), f.ExploreRoutes(), f.AnnotationRoutes()) {
		path := strings.TrimPrefix(rt.Path(), "/api/ui/projects/{projectId}/")
		route := rt.Method() + " " + path
		if rt.Access().Queued() != (mine[route] != nil && theirs[route] != nil) {
			t.Errorf("%s is open to annotators: %v, and has requests: %v", route, rt.Access().Queued(), mine[route] != nil)
		}
		if rt.Access().Queued() {
			continue
		}
		named := strings.NewReplacer("{configId}", a.config, "{queueId}", a.mine.queue, "{itemId}", a.mine.item, "{mediaId}", a.mine.medium,
			"{traceId}", "t-mine", "{scoreId}", "score-mine").Replace(path)
		body := ""
		if rt.Method() != http.MethodGet {
			body = " {}"
		}
		status, answer := ask(route, named+body)
		if open[route] != (status == http.StatusOK) || !open[route] && status != http.StatusForbidden {
			t.Errorf("%s: %d %s", route, status, answer)
		}
		if status == http.StatusForbidden {
			refused++
		}
	}
	if refused < 50 {
		t.Errorf("only %d routes were refused", refused)
	}

	list := b.Ask(t, "GET", below+"annotation-queues", "", http.StatusOK)
	if !strings.Contains(list, a.mine.queue) || strings.Contains(list, a.theirs.queue) || !strings.Contains(list, `"totalItems":1`) {
		t.Errorf("the annotator's queues: %s", list)
	}
	// An annotator who is removed from a queue loses access to its contents.
	if err := f.Catalog.UnassignFromQueue(t.Context(), domain.OfProject("project-a"), a.mine.queue, annotator.ID,
		domain.Actor{Kind: "cli"}); err != nil {
		t.Fatal(err)
	}
	b.Ask(t, "GET", below+"v2/observations?traceId=t-mine", "", http.StatusForbidden)
	if list := b.Ask(t, "GET", below+"annotation-queues", "", http.StatusOK); !strings.Contains(list, `"data":[]`) {
		t.Errorf("queues without an assignment: %s", list)
	}
}
