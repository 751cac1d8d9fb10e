package scores_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

// reviewing is project a with a queue of a trace, an observation and a session, in this order.
type reviewing struct {
	*testing.T
	f                 *apitest.Fixture
	good, mood, words string // score configs
	queue             string // its path
	annotator         string // a user
}

const uiQueues = apitest.UIProject + "/annotation-queues"

func newReviewing(t *testing.T) reviewing {
	t.Helper()
	r := reviewing{T: t, f: apitest.New(t, nil)}
	r.f.Keep(t, "project-a", []domain.Observation{
		{TraceID: "t1", ID: "root", StartTime: 2, Type: "SPAN", Environment: "staging"},
		{TraceID: "t1", ID: "step", ParentID: "root", StartTime: 3, Type: "SPAN", Environment: "staging"},
		{TraceID: "t3", ID: "late", SessionID: "s1", StartTime: 9, Type: "SPAN"},
		{TraceID: "t2", ID: "early", SessionID: "s1", StartTime: 5, Type: "SPAN"},
	}, nil)
	config := func(body string) string {
		return r.send(scoreConfigs, body)
	}
	r.good = config(`{"name":"good","dataType":"BOOLEAN"}`)
	r.mood = config(`{"name":"mood","dataType":"CATEGORICAL","categories":[{"label":"calm","value":0},{"label":"angry","value":1}]}`)
	r.words = config(`{"name":"words","dataType":"TEXT"}`)
	id := r.send(queues, fmt.Sprintf(`{"name":"tone","scoreConfigIds":[%q,%q,%q]}`, r.good, r.mood, r.words))
	r.queue = uiQueues + "/" + id
	for _, item := range []string{
		`{"objectType":"TRACE","objectId":"t1"}`, `{"objectType":"OBSERVATION","objectId":"step"}`,
		`{"objectType":"SESSION","objectId":"s1"}`,
	} {
		r.send(queues+"/"+id+"/items", item)
		apitest.WaitForNextMillisecond()
	}
	r.annotator = r.f.NewMember(t, "annotator@a.test", domain.RoleAnnotator).ID
	if err := r.f.Catalog.AssignToQueue(t.Context(), domain.OfProject("project-a"), id, r.annotator, domain.Actor{}); err != nil {
		t.Fatal(err)
	}
	return r
}

// send creates something with the project's key, and returns its id.
func (r *reviewing) send(path, body string) string {
	r.Helper()
	return apitest.Send[struct{ ID string }](r.T, r.f, apitest.Scenario{Method: "POST", Path: path, Key: "project", Body: body}).ID
}

// review is what the routes answer.
type review struct {
	Item *struct {
		ID, ObjectType, ObjectID, Status, Comment string
		CompletedBy                               *string
		TraceIDs                                  []string
		Scores                                    []struct {
			ConfigID string
			Value    any
			Comment  string
		}
		SkipReason *string
	}
	Progress struct{ Pending, Completed, Skipped, Taken int }
}

func answerOf[T any](t *testing.T, b *apitest.Browser, method, path, body string) (value T) {
	t.Helper()
	answer := b.Ask(t, method, path, body, 200)
	if err := json.Unmarshal([]byte(answer), &value); err != nil {
		t.Fatalf("%s %s: %v in %s", method, path, err, answer)
	}
	return value
}

func (r *reviewing) next(b *apitest.Browser) review {
	r.Helper()
	return answerOf[review](r.T, b, "POST", r.queue+"/next", `{}`)
}

func holds(t *testing.T, answer string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(answer, part) {
			t.Errorf("%q is missing in %s", part, answer)
		}
	}
}

func TestQueuesAreReviewed(t *testing.T) {
	r := newReviewing(t)
	annotator := r.f.As(t, r.annotator)
	memberID := r.f.NewMember(t, "member@a.test", domain.RoleMember).ID
	member := r.f.As(t, memberID)

	first := r.next(annotator)
	if first.Item == nil || first.Item.ObjectID != "t1" || !slices.Equal(first.Item.TraceIDs, []string{"t1"}) ||
		first.Progress.Pending != 3 {
		t.Fatalf("the first item is %+v", first)
	}
	second := r.next(member)
	if second.Item == nil || second.Item.ObjectID != "step" || !slices.Equal(second.Item.TraceIDs, []string{"t1"}) ||
		second.Progress.Taken != 1 {
		t.Fatalf("the second item is %+v", second)
	}
	item := r.queue + "/items/" + first.Item.ID
	holds(t, member.Ask(t, "POST", item+"/open", "", 409), "Somebody else has this item open")
	holds(t, member.Ask(t, "POST", item+"/complete", `{}`, 409), "Somebody else has this item open")
	member.Ask(t, "POST", item+"/renew", "", 409)
	annotator.Ask(t, "POST", item+"/renew", "", 204)

	scores := func(good, mood string) string {
		return fmt.Sprintf(`{"comment":" Polite. ","scores":[{"configId":%q,"value":%s,"comment":"sure"},{"configId":%q,"value":%s}]}`,
			r.good, good, r.mood, mood)
	}
	holds(t, annotator.Ask(t, "POST", item+"/complete", scores("2", `"calm"`), 400), `"path":["scores",0,"value"]`)
	holds(t, annotator.Ask(t, "POST", item+"/complete", scores("1", `"bored"`), 400), `"path":["scores",1,"value"]`)
	holds(t, annotator.Ask(t, "POST", item+"/complete", `{"scores":[{"configId":"nope","value":1}]}`, 400), "The queue does not have")
	holds(t, annotator.Ask(t, "POST", item+"/complete", fmt.Sprintf(`{"scores":[{"configId":%q},{"configId":%[1]q}]}`, r.good), 400),
		`"path":["scores",1,"configId"]`)
	for range 2 { // the answer was lost
		annotator.Ask(t, "POST", item+"/complete", scores("1", `"calm"`), 204)
	}

	ids := func() (ids []string) {
		type page struct{ Data []struct{ ID string } }
		for _, s := range answerOf[page](t, member, "GET", apitest.UIProject+"/v3/scores?traceId=t1", "").Data {
			ids = append(ids, s.ID)
		}
		return ids
	}
	stored := r.f.StoredScores(t, "project-a", ids()...)
	if len(stored) != 2 {
		t.Fatalf("%d scores were stored", len(stored))
	}
	for _, s := range stored {
		if s.TraceID != "t1" || s.ObservationID != "" || s.Environment != "staging" || s.Source != "ANNOTATION" ||
			s.AuthorUserID != r.annotator || r.queue != uiQueues+"/"+s.QueueID ||
			(s.Name != "good" || s.Value.Value != 1 || s.Comment != "sure") && (s.Name != "mood" || s.StringValue != "calm") {
			t.Errorf("stored %+v", s)
		}
	}

	// Whoever reviews it again begins with nothing of what others said, and has scores of their own.
	again := answerOf[review](t, member, "POST", item+"/open", "")
	if len(again.Item.Scores) != 0 || again.Item.Comment != "" || again.Item.Status != "COMPLETED" ||
		*again.Item.CompletedBy != r.annotator || again.Progress.Completed != 1 {
		t.Errorf("a completed item for somebody else: %+v", again)
	}
	member.Ask(t, "POST", item+"/complete", scores("0", "null"), 204)
	if got := ids(); len(got) != 3 {
		t.Errorf("two people gave %d scores", len(got))
	}

	// The reviewer's own values come back, and can be changed and taken back.
	mine := answerOf[review](t, annotator, "POST", item+"/open", "")
	if len(mine.Item.Scores) != 2 || mine.Item.Scores[0].Value != 1.0 || mine.Item.Scores[0].Comment != "sure" ||
		mine.Item.Scores[1].Value != "calm" || mine.Item.Comment != "Polite." {
		t.Errorf("what was given is %+v", mine.Item)
	}
	annotator.Ask(t, "POST", item+"/complete", scores("null", `"angry"`), 204)
	mine = answerOf[review](t, annotator, "POST", item+"/open", "")
	if len(mine.Item.Scores) != 1 || mine.Item.Scores[0].Value != "angry" {
		t.Errorf("after a value was taken back: %+v", mine.Item)
	}
	annotator.Ask(t, "POST", item+"/complete", scores("1", `"angry"`), 204)
	if mine = answerOf[review](t, annotator, "POST", item+"/open", ""); len(mine.Item.Scores) != 2 {
		t.Errorf("after it was given again: %+v", mine.Item)
	}
	annotator.Ask(t, "POST", item+"/release", "", 204)

	// The observation and the session.
	said := func(words string) string {
		return fmt.Sprintf(`{"scores":[{"configId":%q,"value":%q}]}`, r.words, words)
	}
	member.Ask(t, "POST", r.queue+"/items/"+second.Item.ID+"/complete", said("fine"), 204)
	third := r.next(member)
	if third.Item == nil || third.Item.ObjectType != "SESSION" || !slices.Equal(third.Item.TraceIDs, []string{"t2", "t3"}) {
		t.Fatalf("the session is %+v", third)
	}
	member.Ask(t, "POST", r.queue+"/items/"+third.Item.ID+"/complete", said("long"), 204)
	for query, want := range map[string]string{
		"traceId=t1&observationId=step&fields=subject": `"subject":{"kind":"observation","id":"step","traceId":"t1"}`,
		"sessionId=s1": `"value":"long"`,
	} {
		holds(t, member.Ask(t, "GET", apitest.UIProject+"/v3/scores?"+query, "", 200), want)
	}
	if done := r.next(member); done.Item != nil || done.Progress.Completed != 3 || done.Progress.Pending != 0 {
		t.Errorf("at the end: %+v", done)
	}
}

func TestItemsOfReviewersAreSkippedAndListed(t *testing.T) {
	r := newReviewing(t)
	annotator, viewer := r.f.As(t, r.annotator), r.f.As(t, r.f.NewMember(t, "viewer@a.test", domain.RoleViewer).ID)
	first := r.next(annotator)
	item := r.queue + "/items/" + first.Item.ID
	annotator.Ask(t, "POST", item+"/skip", `{"reason":"`+strings.Repeat("x", 1001)+`"}`, 400)
	annotator.Ask(t, "POST", item+"/skip", `{"reason":" not my language "}`, 204)
	if next := r.next(annotator); next.Item.ObjectID != "step" || next.Progress.Skipped != 1 {
		t.Errorf("after the skip: %+v", next)
	}
	opened := answerOf[review](t, annotator, "POST", item+"/open", "")
	if opened.Item.SkipReason == nil || *opened.Item.SkipReason != "not my language" {
		t.Errorf("the skipped item: %+v", opened.Item)
	}
	annotator.Ask(t, "POST", item+"/release", "", 204)

	list := r.queue + "/items/query"
	all := viewer.Ask(t, "POST", list, `{}`, 200)
	holds(t, all, `"skips":[{"userId":"`+r.annotator+`","reason":"not my language"}]`, `"openedBy":"`+r.annotator+`"`, `"objectId":"s1"`)
	type page struct {
		Items  []struct{ ObjectID string }
		Cursor *string
	}
	one := answerOf[page](t, viewer, "POST", list, `{"limit":1}`)
	two := answerOf[page](t, viewer, "POST", list, fmt.Sprintf(`{"limit":2,"cursor":%q}`, *one.Cursor))
	if len(one.Items) != 1 || one.Items[0].ObjectID != "s1" || len(two.Items) != 2 || two.Items[1].ObjectID != "t1" || two.Cursor != nil {
		t.Errorf("pages %+v and %+v", one, two)
	}
	for body, want := range map[string]int{`{"status":"COMPLETED"}`: 0, `{"status":"PENDING","search":"st"}`: 1, `{"search":"t1"}`: 1} {
		if got := answerOf[page](t, annotator, "POST", list, body); len(got.Items) != want {
			t.Errorf("%s gives %+v", body, got)
		}
	}
	viewer.Ask(t, "POST", list, `{"cursor":"?"}`, 400)
	viewer.Ask(t, "POST", list, `{"more":1}`, 400)

	// What is gone can be completed and skipped, and nothing can be said about it.
	id := strings.TrimPrefix(r.queue, uiQueues+"/")
	gone := r.send(queues+"/"+id+"/items", `{"objectType":"TRACE","objectId":"gone"}`)
	item = r.queue + "/items/" + gone
	if found := answerOf[review](t, annotator, "POST", item+"/open", ""); len(found.Item.TraceIDs) != 0 {
		t.Errorf("what is gone has traces: %+v", found.Item)
	}
	holds(t, annotator.Ask(t, "POST", item+"/complete", `{"comment":"x"}`, 404), "no longer stored")
	annotator.Ask(t, "POST", item+"/complete", `{}`, 204)
}

func TestQueuesAreListedChangedAndDeleted(t *testing.T) {
	r := newReviewing(t)
	member := r.f.As(t, r.f.NewMember(t, "member@a.test", domain.RoleMember).ID)
	viewer := r.f.As(t, r.f.NewMember(t, "viewer@a.test", domain.RoleViewer).ID)
	annotator := r.f.As(t, r.annotator)
	other := r.send(queues, fmt.Sprintf(`{"name":"other","description":"About facts","scoreConfigIds":[%q]}`, r.good))
	browse := apitest.UIProject + "/query/annotation-queues"
	holds(t, viewer.Ask(t, "POST", browse, `{}`, 200), `"name":"other"`, `"name":"tone"`,
		`"pending":3,"completed":0,"people":1,"isMine":false`)
	if mine := annotator.Ask(t, "POST", browse, `{}`, 200); strings.Contains(mine, "other") || !strings.Contains(mine, `"isMine":true`) {
		t.Errorf("the annotator sees %s", mine)
	}
	found := viewer.Ask(t, "POST", browse, `{"search":"FACTS"}`, 200)
	if !strings.Contains(found, "other") || strings.Contains(found, "tone") {
		t.Errorf("found %s", found)
	}
	type page struct {
		Queues []struct{ Name string }
		Cursor *string
	}
	one := answerOf[page](t, viewer, "POST", browse, `{"limit":1}`)
	two := answerOf[page](t, viewer, "POST", browse, fmt.Sprintf(`{"limit":1,"cursor":%q}`, *one.Cursor))
	if one.Queues[0].Name != "other" || two.Queues[0].Name != "tone" || two.Cursor != nil {
		t.Errorf("pages %+v and %+v", one, two)
	}
	viewer.Ask(t, "POST", browse, `{"more":1}`, 400)

	holds(t, member.Ask(t, "PATCH", r.queue, `{"name":"other"}`, 400), `"path":["name"]`, "Another queue has this name")
	holds(t, member.Ask(t, "PATCH", r.queue, `{"name":" "}`, 400), `"path":["name"]`)
	holds(t, member.Ask(t, "PATCH", r.queue, `{"scoreConfigIds":["nope"]}`, 400), `"path":["scoreConfigIds"]`)
	holds(t, member.Ask(t, "PATCH", r.queue, `{"scoreConfigIds":[]}`, 400), `"path":["scoreConfigIds"]`)
	member.Ask(t, "PATCH", uiQueues+"/nope", `{"scoreConfigIds":["nope"]}`, 404)
	change := fmt.Sprintf(`{"name":"Tone","description":"Be fair.","scoreConfigIds":[%q,%q,%[2]q]}`, r.words, r.good)
	holds(t, member.Ask(t, "PATCH", r.queue, change, 200), fmt.Sprintf(`"name":"Tone","description":"Be fair.","scoreConfigIds":[%q,%q]`, r.words, r.good))
	holds(t, member.Ask(t, "PATCH", r.queue, `{"description":" "}`, 200), `"name":"Tone","description":null`)

	holds(t, member.Ask(t, "GET", r.queue+"/assignments", "", 200), r.annotator, "annotator@a.test")
	member.Ask(t, "GET", uiQueues+"/nope/assignments", "", 404)
	for _, b := range []*apitest.Browser{viewer, annotator} {
		b.Ask(t, "PATCH", r.queue, `{"name":"x"}`, 403)
		b.Ask(t, "DELETE", r.queue, "", 403)
		b.Ask(t, "GET", r.queue+"/assignments", "", 403)
	}
	viewer.Ask(t, "POST", r.queue+"/next", `{}`, 403)
	annotator.Ask(t, "POST", uiQueues+"/"+other+"/next", `{}`, 403)
	annotator.Ask(t, "POST", uiQueues+"/"+other+"/items/query", `{}`, 403)
	member.Ask(t, "POST", uiQueues+"/nope/next", `{}`, 404)
	for _, action := range []string{"open", "renew", "skip", "complete"} {
		member.Ask(t, "POST", r.queue+"/items/nope/"+action, `{}`, 404)
	}
	member.Ask(t, "DELETE", r.queue, "", 204)
	member.Ask(t, "DELETE", r.queue, "", 404)
	annotator.Ask(t, "POST", r.queue+"/next", `{}`, 403)
}
