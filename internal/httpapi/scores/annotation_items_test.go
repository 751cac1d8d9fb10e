package scores_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/httpapi/apitest"
)

func TestAnnotationItems(t *testing.T) {
	f, _, queue := withQueue(t)
	items := queues + "/" + queue + "/items"
	post := func(name, body string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Method: "POST", Path: items, Key: "project", Body: body, Status: status, Want: want}
	}
	created := func(name, body string, part string) apitest.Scenario {
		s := post(name, body, 200, "")
		s.Contains = []string{fmt.Sprintf(`"queueId":%q,`, queue) + part}
		return s
	}
	badType := `{"code":"invalid_value","values":["TRACE","OBSERVATION","SESSION"],"path":["objectType"],"message":"Invalid option: expected one of \"TRACE\"|\"OBSERVATION\"|\"SESSION\""}`
	badStatus := `{"code":"invalid_value","values":["PENDING","COMPLETED"],"path":["status"],"message":"Invalid option: expected one of \"PENDING\"|\"COMPLETED\""}`
	unknownQueue := post("an unknown queue", `{"objectId":"t1","objectType":"TRACE"}`, 404, noQueue)
	unknownQueue.Path = queues + "/nope/items"
	foreign := post("a queue of another project", `{"objectId":"t1","objectType":"TRACE"}`, 404, noQueue)
	foreign.Key = "neighbour"
	denied := post("no permission", `{}`, 403, "")
	denied.Key = "limited"
	extra := post("a parameter", `{}`, 400, apitest.Invalid(noPagesExtra))
	extra.Path += "?x=1"
	for _, s := range []apitest.Scenario{
		created("a trace", `{"objectId":"t1","objectType":"TRACE"}`,
			`"objectId":"t1","objectType":"TRACE","status":"PENDING","completedAt":null,"createdAt":"2`),
		created("the same again", `{"objectId":"t1","objectType":"TRACE","status":"PENDING"}`,
			`"objectId":"t1","objectType":"TRACE","status":"PENDING"`),
		created("an observation that is completed", `{"objectId":"o1","objectType":"OBSERVATION","status":"COMPLETED"}`,
			`"objectId":"o1","objectType":"OBSERVATION","status":"COMPLETED","completedAt":"2`),
		created("a session", `{"objectId":"s1","objectType":"SESSION","status":null}`,
			`"objectId":"s1","objectType":"SESSION","status":"PENDING"`),
		post("a prompt", `{"objectId":"p1","objectType":"PROMPT"}`, 400, apitest.Invalid(badType)),
		post("another status", `{"objectId":"p1","objectType":"TRACE","status":"DONE"}`, 400, apitest.Invalid(badStatus)),
		post("members that do not fit", `{"objectId":1,"status":2,"x":1}`, 400,
			apitest.Invalid(apitest.WrongType("objectId", "string", "number"), badType, badStatus, noPagesExtra)),
		post("a long id", `{"objectId":"`+strings.Repeat("x", 1001)+`","objectType":"TRACE"}`, 400, ""),
		unknownQueue, foreign, denied, extra,
	} {
		t.Run("create: "+s.Name, func(t *testing.T) { f.Run(t, s) })
	}

	type item struct{ ID, ObjectID, CompletedAt string }
	all := apitest.Send[struct{ Data []item }](t, f, apitest.Scenario{Path: items, Key: "project"}).Data
	if len(all) != 4 || all[0].ObjectID != "s1" || all[3].ObjectID != "t1" {
		t.Fatalf("items %v", all)
	}
	session, observation, trace := items+"/"+all[0].ID, items+"/"+all[1].ID, items+"/"+all[3].ID
	for _, s := range []apitest.Scenario{
		{
			Name: "list pending ones", Path: items + "?status=PENDING", Key: "project", Status: 200,
			Contains: []string{apitest.Meta(1, 50, 3, 1), all[0].ID, all[2].ID, all[3].ID}, Missing: []string{"COMPLETED"},
		},
		{
			Name: "list completed ones", Path: items + "?status=COMPLETED&limit=10&page=1", Key: "project", Status: 200,
			Contains: []string{apitest.Meta(1, 10, 1, 1), all[1].ID}, Missing: []string{"PENDING"},
		},
		{
			Name: "list a page", Path: items + "?limit=1&page=2", Key: "project", Status: 200,
			Contains: []string{`{"data":[{"id":"` + all[1].ID, apitest.Meta(2, 1, 4, 4)}, Missing: []string{all[2].ID},
		},
		{
			Name: "list with another status", Path: items + "?status=DONE&x=1", Key: "project", Status: 400,
			Want: apitest.Invalid(badStatus, noPagesExtra),
		},
		{Name: "list an unknown queue", Path: queues + "/nope/items", Key: "project", Status: 404, Want: noQueue},
		{Name: "list a queue of another project", Path: items, Key: "neighbour", Status: 404, Want: noQueue},
		{Name: "list without permission", Path: items, Key: "limited", Status: 403},

		{
			Name: "get", Path: session, Key: "project", Status: 200, Contains: []string{
				`{"id":"` + all[0].ID + `","queueId":"` + queue + `","objectId":"s1"`,
			},
		},
		{Name: "get is strict", Path: session + "?x=1", Key: "project", Status: 400, Want: apitest.Invalid(noPagesExtra)},
		{Name: "get an unknown one", Path: items + "/nope", Key: "project", Status: 404, Want: noItem},
		{Name: "get one of an unknown queue", Path: queues + "/nope/items/" + all[0].ID, Key: "project", Status: 404, Want: noQueue},
		{Name: "get one of another project", Path: session, Key: "neighbour", Status: 404, Want: noQueue},

		{
			Name: "complete", Method: "PATCH", Path: trace, Key: "project", Body: `{"status":"COMPLETED"}`, Status: 200,
			Contains: []string{`"status":"COMPLETED","completedAt":"2`},
		},
		{
			Name: "take it back", Method: "PATCH", Path: trace, Key: "project", Body: `{"status":"PENDING"}`, Status: 200,
			Contains: []string{`"status":"PENDING","completedAt":"2`},
		},
		{
			Name: "change nothing", Method: "PATCH", Path: observation, Key: "project", Body: `{}`, Status: 200,
			Contains: []string{`"status":"COMPLETED","completedAt":"` + all[1].CompletedAt},
		},
		{
			Name: "change to nothing", Method: "PATCH", Path: observation, Key: "project", Body: `{"status":null}`, Status: 200,
			Contains: []string{`"status":"COMPLETED","completedAt":"` + all[1].CompletedAt},
		},
		{
			Name: "change something else", Method: "PATCH", Path: trace, Key: "project", Body: `{"status":1,"x":"t2"}`, Status: 400,
			Want: apitest.Invalid(badStatus, noPagesExtra),
		},
		{
			Name: "change with a parameter", Method: "PATCH", Path: trace + "?x=1", Key: "project", Body: `{}`, Status: 400,
			Want: apitest.Invalid(noPagesExtra),
		},
		{
			Name: "change an unknown one", Method: "PATCH", Path: items + "/nope", Key: "project", Body: `{"status":"PENDING"}`,
			Status: 404, Want: noItem,
		},
		{
			Name: "change nothing of an unknown one", Method: "PATCH", Path: items + "/nope", Key: "project", Body: `{}`, Status: 404,
			Want: noItem,
		},
		{
			Name: "change one of an unknown queue", Method: "PATCH", Path: queues + "/nope/items/" + all[0].ID, Key: "project",
			Body: `{"status":"PENDING"}`, Status: 404, Want: noQueue,
		},
		{
			Name: "change one of another project", Method: "PATCH", Path: trace, Key: "neighbour", Body: `{"status":"PENDING"}`,
			Status: 404, Want: noQueue,
		},
		{Name: "change without permission", Method: "PATCH", Path: trace, Key: "limited", Body: `{"status":"PENDING"}`, Status: 403},

		{Name: "delete one of another project", Method: "DELETE", Path: trace, Key: "neighbour", Status: 404, Want: noQueue},
		{Name: "delete with a parameter", Method: "DELETE", Path: trace + "?x=1", Key: "project", Status: 400, Want: apitest.Invalid(noPagesExtra)},
		{Name: "delete without permission", Method: "DELETE", Path: trace, Key: "limited", Status: 403},
		{
			Name: "delete", Method: "DELETE", Path: trace, Key: "project", Status: 200,
			Want: `{"success":true,"message":"Annotation queue item deleted successfully"}`,
		},
		{Name: "delete again", Method: "DELETE", Path: trace, Key: "project", Status: 404, Want: noItem},
		{
			Name: "delete one of an unknown queue", Method: "DELETE", Path: queues + "/nope/items/" + all[0].ID, Key: "project",
			Status: 404, Want: noQueue,
		},
		{Name: "get a deleted one", Path: trace, Key: "project", Status: 404, Want: noItem},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}
