package httpapi

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/domain"
)

const (
	queues       = "/api/public/annotation-queues"
	noQueue      = `{"message":"Annotation queue not found","error":"LangfuseNotFoundError"}`
	noItem       = `{"message":"Annotation queue item not found","error":"LangfuseNotFoundError"}`
	noPagesExtra = `{"code":"unrecognized_keys","keys":["x"],"path":[],"message":"Unrecognized key: \"x\""}`
)

// withQueue returns a fixture in which project a has a score config and a queue.
func withQueue(t *testing.T) (f *fixture, config, queue string) {
	t.Helper()
	f = newFixture(t, nil)
	config = send[struct{ ID string }](t, f, scenario{method: "POST", path: scoreConfigs, key: "project", body: `{"name":"n","dataType":"TEXT"}`}).ID
	queue = send[struct{ ID string }](t, f, scenario{
		method: "POST", path: queues, key: "project", body: fmt.Sprintf(`{"name":"queue","scoreConfigIds":[%q]}`, config),
	}).ID
	return f, config, queue
}

// newMember creates an owner of project a's organization and returns the user's id.
func newMember(t *testing.T, f *fixture, organization string) string {
	t.Helper()
	scope := domain.OfOrganization(organization)
	if _, err := f.Catalog.EnsureOwner(t.Context(), scope, "member@"+organization+".test", "Member", "", domain.Actor{}); err != nil {
		t.Fatal(err)
	}
	log, err := oldestFirst(t.Context(), f.Catalog, scope)
	if err != nil {
		t.Fatal(err)
	}
	return log[len(log)-1].ResourceID
}

func TestCreateAnnotationQueue(t *testing.T) {
	f, config, _ := withQueue(t)
	post := func(name, body string, status int, want string) scenario {
		return scenario{name: name, method: "POST", path: queues, key: "project", body: strings.ReplaceAll(body, "CONFIG", config), status: status, want: want}
	}
	created := post("created", `{"name":"<new>","description":"d","scoreConfigIds":["CONFIG","CONFIG"]}`, 200, "")
	created.contains = []string{fmt.Sprintf(`"name":"<new>","description":"d","scoreConfigIds":[%q,%q],"createdAt":"2`, config, config)}
	plain := post("without a description", `{"name":"plain","description":null,"scoreConfigIds":["CONFIG"]}`, 200, "")
	plain.contains = []string{`"description":null`}
	extra := post("a parameter", `{}`, 400, invalid(noPagesExtra))
	extra.path += "?x=1"
	unknownConfig := `{"message":"At least one of the score config IDs cannot be found for the given project.","error":"InvalidRequestError"}`
	theirs := post("a config of another project", `{"name":"theirs","scoreConfigIds":["CONFIG"]}`, 400, unknownConfig)
	theirs.key = "neighbour"
	for _, s := range []scenario{
		created, plain, extra, theirs,
		post("a name that is taken", `{"name":"queue","scoreConfigIds":["CONFIG"]}`, 400, `{"message":"A queue with this name already exists.","error":"InvalidRequestError"}`),
		post("the name is looked at first", `{"name":"queue","scoreConfigIds":["nope"]}`, 400, `{"message":"A queue with this name already exists.","error":"InvalidRequestError"}`),
		post("an unknown config", `{"name":"x","scoreConfigIds":["CONFIG","nope"]}`, 400, unknownConfig),
		post("an odd config", `{"name":"x","scoreConfigIds":["\u0000"]}`, 400, unknownConfig),
		post("no configs", `{"name":"x","scoreConfigIds":[]}`, 400, invalid(`{"origin":"array","code":"too_small","minimum":1,"inclusive":true,"path":["scoreConfigIds"],"message":"Too small: expected array to have >=1 items"}`)),
		post("too many configs", `{"name":"x","scoreConfigIds":[`+strings.Repeat(`"x",`, 500)+`"x"]}`, 400, invalid(`{"origin":"array","code":"too_big","maximum":500,"inclusive":true,"path":["scoreConfigIds"],"message":"Too big: expected array to have <=500 items"}`)),
		post("members that do not fit", `{"name":1,"description":2,"scoreConfigIds":3,"x":4}`, 400, invalid(
			wrongType("name", "string", "number"), wrongType("description", "string", "number"), wrongType("scoreConfigIds", "array", "number"), noPagesExtra)),
		post("nothing", `{}`, 400, invalid(wrongType("name", "string", "undefined"), wrongType("scoreConfigIds", "array", "undefined"))),
		post("a long name", `{"name":"`+strings.Repeat("x", 1001)+`","scoreConfigIds":["CONFIG"]}`, 400, ""),
		{name: "no permission", method: "POST", path: queues, key: "limited", body: `{}`, status: 403},
		{name: "no credentials", method: "POST", path: queues, status: 401},
	} {
		t.Run(s.name, func(t *testing.T) { f.run(t, s) })
	}
}

func TestReadAnnotationQueues(t *testing.T) {
	f, config, first := withQueue(t)
	ids := []string{first}
	for n := range 2 {
		ids = append([]string{send[struct{ ID string }](t, f, scenario{
			method: "POST", path: queues, key: "project", body: fmt.Sprintf(`{"name":"queue %d","scoreConfigIds":[%q]}`, n, config),
		}).ID}, ids...)
	}
	list := func(query, end string, want ...string) scenario {
		s := scenario{name: "list" + query, path: queues + query, key: "project", status: 200, contains: []string{end}}
		for _, id := range want {
			s.contains = append(s.contains, fmt.Sprintf(`{"id":%q,"name":"queue`, id))
		}
		return s
	}
	for _, s := range []scenario{
		list("", meta(1, 50, 3, 1), ids...),
		list("?limit=1&page=1", meta(1, 1, 3, 3), ids[0]),
		list("?limit=1&page=2", meta(2, 1, 3, 3), ids[1]),
		list("?limit=1&page=3", meta(3, 1, 3, 3), ids[2]),
		{name: "strict", path: queues + "?limit=0&x=1", key: "project", status: 400, contains: []string{`"path":["limit"]`, noPagesExtra}},
		{name: "another project", path: queues, key: "neighbour", status: 200, want: `{"data":[` + meta(1, 50, 0, 0)},
		{name: "no permission", path: queues, key: "limited", status: 403},

		{name: "get", path: queues + "/" + first, key: "project", status: 200, contains: []string{fmt.Sprintf(`{"id":%q,"name":"queue","description":null,"scoreConfigIds":[%q],"createdAt":"`, first, config)}},
		{name: "get is strict", path: queues + "/" + first + "?x=1", key: "project", status: 400, want: invalid(noPagesExtra)},
		{name: "get an unknown one", path: queues + "/nope", key: "project", status: 404, want: noQueue},
		{name: "get one of another project", path: queues + "/" + first, key: "neighbour", status: 404, want: noQueue},
		{name: "change", method: "PATCH", path: queues + "/" + first, key: "project", status: 405},
	} {
		t.Run(s.name, func(t *testing.T) { f.run(t, s) })
	}
}

func TestAnnotationAssignments(t *testing.T) {
	f, _, queue := withQueue(t)
	member, stranger := newMember(t, f, "org-a"), newMember(t, f, "org-b")
	path := queues + "/" + queue + "/assignments"
	body := func(user string) string { return fmt.Sprintf(`{"userId":%q}`, user) }
	assigned := fmt.Sprintf(`{"userId":%q,"projectId":"project-a","queueId":%q}`, member, queue)
	noUser := `{"message":"User not found or not authorized for this project","error":"LangfuseNotFoundError"}`
	for _, s := range []scenario{
		{name: "assign", method: "POST", path: path, key: "project", body: body(member), status: 200, want: assigned},
		{name: "assign again", method: "POST", path: path, key: "project", body: body(member), status: 200, want: assigned},
		{name: "assign somebody unknown", method: "POST", path: path, key: "project", body: body("nope"), status: 404, want: noUser},
		{name: "assign somebody of another organization", method: "POST", path: path, key: "project", body: body(stranger), status: 404, want: noUser},
		{name: "assign to an unknown queue", method: "POST", path: queues + "/nope/assignments", key: "project", body: body(member), status: 404, want: noQueue},
		{name: "assign to a queue of another project", method: "POST", path: path, key: "neighbour", body: body(member), status: 404, want: noQueue},
		{name: "assign nobody", method: "POST", path: path, key: "project", body: `{"x":1}`, status: 400, want: invalid(wrongType("userId", "string", "undefined"), noPagesExtra)},
		{name: "assign with a parameter", method: "POST", path: path + "?x=1", key: "project", body: `{}`, status: 400, want: invalid(noPagesExtra)},
		{name: "assign without permission", method: "POST", path: path, key: "limited", body: body(member), status: 403},
		{name: "unassign", method: "DELETE", path: path, key: "project", body: body(member), status: 200, want: `{"success":true}`},
		{name: "unassign again", method: "DELETE", path: path, key: "project", body: body(member), status: 200, want: `{"success":true}`},
		{name: "unassign somebody unknown", method: "DELETE", path: path, key: "project", body: body("nope"), status: 200, want: `{"success":true}`},
		{name: "unassign from an unknown queue", method: "DELETE", path: queues + "/nope/assignments", key: "project", body: body(member), status: 404, want: noQueue},
		{name: "unassign without a body", method: "DELETE", path: path, key: "project", status: 400, contains: []string{"expected object, received string"}},
		{name: "unassign without permission", method: "DELETE", path: path, key: "limited", body: body(member), status: 403},
		{name: "list", path: path, key: "project", status: 405},
	} {
		t.Run(s.name, func(t *testing.T) { f.run(t, s) })
	}
}
