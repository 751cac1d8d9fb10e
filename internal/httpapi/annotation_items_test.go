package httpapi

import (
	"fmt"
	"strings"
	"testing"
)

func TestAnnotationItems(t *testing.T) {
	f, _, queue := withQueue(t)
	items := queues + "/" + queue + "/items"
	post := func(name, body string, status int, want string) scenario {
		return scenario{name: name, method: "POST", path: items, key: "project", body: body, status: status, want: want}
	}
	created := func(name, body string, part string) scenario {
		s := post(name, body, 200, "")
		s.contains = []string{fmt.Sprintf(`"queueId":%q,`, queue) + part}
		return s
	}
	badType := `{"code":"invalid_value","values":["TRACE","OBSERVATION","SESSION"],"path":["objectType"],"message":"Invalid option: expected one of \"TRACE\"|\"OBSERVATION\"|\"SESSION\""}`
	badStatus := `{"code":"invalid_value","values":["PENDING","COMPLETED"],"path":["status"],"message":"Invalid option: expected one of \"PENDING\"|\"COMPLETED\""}`
	unknownQueue := post("an unknown queue", `{"objectId":"t1","objectType":"TRACE"}`, 404, noQueue)
	unknownQueue.path = queues + "/nope/items"
	foreign := post("a queue of another project", `{"objectId":"t1","objectType":"TRACE"}`, 404, noQueue)
	foreign.key = "neighbour"
	denied := post("no permission", `{}`, 403, "")
	denied.key = "limited"
	extra := post("a parameter", `{}`, 400, invalid(noPagesExtra))
	extra.path += "?x=1"
	for _, s := range []scenario{
		created("a trace", `{"objectId":"t1","objectType":"TRACE"}`, `"objectId":"t1","objectType":"TRACE","status":"PENDING","completedAt":null,"createdAt":"2`),
		created("the same again", `{"objectId":"t1","objectType":"TRACE","status":"PENDING"}`, `"objectId":"t1","objectType":"TRACE","status":"PENDING"`),
		created("an observation that is completed", `{"objectId":"o1","objectType":"OBSERVATION","status":"COMPLETED"}`, `"objectId":"o1","objectType":"OBSERVATION","status":"COMPLETED","completedAt":"2`),
		created("a session", `{"objectId":"s1","objectType":"SESSION","status":null}`, `"objectId":"s1","objectType":"SESSION","status":"PENDING"`),
		post("a prompt", `{"objectId":"p1","objectType":"PROMPT"}`, 400, invalid(badType)),
		post("another status", `{"objectId":"p1","objectType":"TRACE","status":"DONE"}`, 400, invalid(badStatus)),
		post("members that do not fit", `{"objectId":1,"status":2,"x":1}`, 400, invalid(wrongType("objectId", "string", "number"), badType, badStatus, noPagesExtra)),
		post("a long id", `{"objectId":"`+strings.Repeat("x", 1001)+`","objectType":"TRACE"}`, 400, ""),
		unknownQueue, foreign, denied, extra,
	} {
		t.Run("create: "+s.name, func(t *testing.T) { f.run(t, s) })
	}

	type item struct{ ID, ObjectID, CompletedAt string }
	all := send[struct{ Data []item }](t, f, scenario{path: items, key: "project"}).Data
	if len(all) != 4 || all[0].ObjectID != "s1" || all[3].ObjectID != "t1" {
		t.Fatalf("items %v", all)
	}
	session, observation, trace := items+"/"+all[0].ID, items+"/"+all[1].ID, items+"/"+all[3].ID
	for _, s := range []scenario{
		{name: "list pending ones", path: items + "?status=PENDING", key: "project", status: 200, contains: []string{meta(1, 50, 3, 1), all[0].ID, all[2].ID, all[3].ID}, missing: []string{"COMPLETED"}},
		{name: "list completed ones", path: items + "?status=COMPLETED&limit=10&page=1", key: "project", status: 200, contains: []string{meta(1, 10, 1, 1), all[1].ID}, missing: []string{"PENDING"}},
		{name: "list a page", path: items + "?limit=1&page=2", key: "project", status: 200, contains: []string{`{"data":[{"id":"` + all[1].ID, meta(2, 1, 4, 4)}, missing: []string{all[2].ID}},
		{name: "list with another status", path: items + "?status=DONE&x=1", key: "project", status: 400, want: invalid(badStatus, noPagesExtra)},
		{name: "list an unknown queue", path: queues + "/nope/items", key: "project", status: 404, want: noQueue},
		{name: "list a queue of another project", path: items, key: "neighbour", status: 404, want: noQueue},
		{name: "list without permission", path: items, key: "limited", status: 403},

		{name: "get", path: session, key: "project", status: 200, contains: []string{`{"id":"` + all[0].ID + `","queueId":"` + queue + `","objectId":"s1"`}},
		{name: "get is strict", path: session + "?x=1", key: "project", status: 400, want: invalid(noPagesExtra)},
		{name: "get an unknown one", path: items + "/nope", key: "project", status: 404, want: noItem},
		{name: "get one of an unknown queue", path: queues + "/nope/items/" + all[0].ID, key: "project", status: 404, want: noQueue},
		{name: "get one of another project", path: session, key: "neighbour", status: 404, want: noQueue},

		{name: "complete", method: "PATCH", path: trace, key: "project", body: `{"status":"COMPLETED"}`, status: 200, contains: []string{`"status":"COMPLETED","completedAt":"2`}},
		{name: "take it back", method: "PATCH", path: trace, key: "project", body: `{"status":"PENDING"}`, status: 200, contains: []string{`"status":"PENDING","completedAt":"2`}},
		{name: "change nothing", method: "PATCH", path: observation, key: "project", body: `{}`, status: 200, contains: []string{`"status":"COMPLETED","completedAt":"` + all[1].CompletedAt}},
		{name: "change to nothing", method: "PATCH", path: observation, key: "project", body: `{"status":null}`, status: 200, contains: []string{`"status":"COMPLETED","completedAt":"` + all[1].CompletedAt}},
		{name: "change something else", method: "PATCH", path: trace, key: "project", body: `{"status":1,"x":"t2"}`, status: 400, want: invalid(badStatus, noPagesExtra)},
		{name: "change with a parameter", method: "PATCH", path: trace + "?x=1", key: "project", body: `{}`, status: 400, want: invalid(noPagesExtra)},
		{name: "change an unknown one", method: "PATCH", path: items + "/nope", key: "project", body: `{"status":"PENDING"}`, status: 404, want: noItem},
		{name: "change nothing of an unknown one", method: "PATCH", path: items + "/nope", key: "project", body: `{}`, status: 404, want: noItem},
		{name: "change one of an unknown queue", method: "PATCH", path: queues + "/nope/items/" + all[0].ID, key: "project", body: `{"status":"PENDING"}`, status: 404, want: noQueue},
		{name: "change one of another project", method: "PATCH", path: trace, key: "neighbour", body: `{"status":"PENDING"}`, status: 404, want: noQueue},
		{name: "change without permission", method: "PATCH", path: trace, key: "limited", body: `{"status":"PENDING"}`, status: 403},

		{name: "delete one of another project", method: "DELETE", path: trace, key: "neighbour", status: 404, want: noQueue},
		{name: "delete with a parameter", method: "DELETE", path: trace + "?x=1", key: "project", status: 400, want: invalid(noPagesExtra)},
		{name: "delete without permission", method: "DELETE", path: trace, key: "limited", status: 403},
		{name: "delete", method: "DELETE", path: trace, key: "project", status: 200, want: `{"success":true,"message":"Annotation queue item deleted successfully"}`},
		{name: "delete again", method: "DELETE", path: trace, key: "project", status: 404, want: noItem},
		{name: "delete one of an unknown queue", method: "DELETE", path: queues + "/nope/items/" + all[0].ID, key: "project", status: 404, want: noQueue},
		{name: "get a deleted one", path: trace, key: "project", status: 404, want: noItem},
	} {
		t.Run(s.name, func(t *testing.T) { f.run(t, s) })
	}
}
