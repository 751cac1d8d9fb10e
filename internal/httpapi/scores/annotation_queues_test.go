package scores_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/httpapi/apitest"
)

const (
	queues       = "/api/public/annotation-queues"
	noQueue      = `{"message":"Annotation queue not found","error":"LangfuseNotFoundError"}`
	noItem       = `{"message":"Annotation queue item not found","error":"LangfuseNotFoundError"}`
	noPagesExtra = `{"code":"unrecognized_keys","keys":["x"],"path":[],"message":"Unrecognized key: \"x\""}`
)

// withQueue returns a fixture in which project a has a score config and a queue.
func withQueue(t *testing.T) (f *apitest.Fixture, config, queue string) {
	t.Helper()
	f = apitest.New(t, nil)
	config = apitest.Send[struct{ ID string }](t, f, apitest.Scenario{
		Method: "POST", Path: scoreConfigs, Key: "project", Body: `{"name":"n","dataType":"TEXT"}`,
	}).ID
	queue = apitest.Send[struct{ ID string }](t, f, apitest.Scenario{
		Method: "POST", Path: queues, Key: "project", Body: fmt.Sprintf(`{"name":"queue","scoreConfigIds":[%q]}`, config),
	}).ID
	return f, config, queue
}

func TestCreateAnnotationQueue(t *testing.T) {
	f, config, _ := withQueue(t)
	post := func(name, body string, status int, want string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Method: "POST", Path: queues, Key: "project", Body: strings.ReplaceAll(body, "CONFIG", config), Status: status,
			Want: want,
		}
	}
	created := post("created", `{"name":"<new>","description":"d","scoreConfigIds":["CONFIG","CONFIG"]}`, 200, "")
	created.Contains = []string{fmt.Sprintf(`"name":"<new>","description":"d","scoreConfigIds":[%q,%q],"createdAt":"2`, config, config)}
	plain := post("without a description", `{"name":"plain","description":null,"scoreConfigIds":["CONFIG"]}`, 200, "")
	plain.Contains = []string{`"description":null`}
	extra := post("a parameter", `{}`, 400, apitest.Invalid(noPagesExtra))
	extra.Path += "?x=1"
	unknownConfig := `{"message":"At least one of the score config IDs cannot be found for the given project.","error":"InvalidRequestError"}`
	theirs := post("a config of another project", `{"name":"theirs","scoreConfigIds":["CONFIG"]}`, 400, unknownConfig)
	theirs.Key = "neighbour"
	for _, s := range []apitest.Scenario{
		created, plain, extra, theirs,
		post("a name that is taken", `{"name":"queue","scoreConfigIds":["CONFIG"]}`, 400,
			`{"message":"A queue with this name already exists.","error":"InvalidRequestError"}`),
		post("the name is looked at first", `{"name":"queue","scoreConfigIds":["nope"]}`, 400,
			`{"message":"A queue with this name already exists.","error":"InvalidRequestError"}`),
		post("an unknown config", `{"name":"x","scoreConfigIds":["CONFIG","nope"]}`, 400, unknownConfig),
		post("an odd config", `{"name":"x","scoreConfigIds":["\u0000"]}`, 400, unknownConfig),
		post("no configs", `{"name":"x","scoreConfigIds":[]}`, 400,
			apitest.Invalid(`{"origin":"array","code":"too_small","minimum":1,"inclusive":true,"path":["scoreConfigIds"],"message":"Too small: expected array to have >=1 items"}`)),
		post("too many configs", `{"name":"x","scoreConfigIds":[`+strings.Repeat(`"x",`, 500)+`"x"]}`, 400,
			apitest.Invalid(`{"origin":"array","code":"too_big","maximum":500,"inclusive":true,"path":["scoreConfigIds"],"message":"Too big: expected array to have <=500 items"}`)),
		post("members that do not fit", `{"name":1,"description":2,"scoreConfigIds":3,"x":4}`, 400, apitest.Invalid(
			apitest.WrongType("name", "string", "number"), apitest.WrongType("description", "string", "number"),
			apitest.WrongType("scoreConfigIds", "array", "number"), noPagesExtra)),
		post("nothing", `{}`, 400, apitest.Invalid(apitest.WrongType("name", "string", "undefined"), apitest.WrongType("scoreConfigIds", "array", "undefined"))),
		post("a long name", `{"name":"`+strings.Repeat("x", 1001)+`","scoreConfigIds":["CONFIG"]}`, 400, ""),
		{Name: "no permission", Method: "POST", Path: queues, Key: "limited", Body: `{}`, Status: 403},
		{Name: "no credentials", Method: "POST", Path: queues, Status: 401},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}

func TestReadAnnotationQueues(t *testing.T) {
	f, config, first := withQueue(t)
	ids := []string{first}
	for n := range 2 {
		ids = append([]string{apitest.Send[struct{ ID string }](t, f, apitest.Scenario{
			Method: "POST", Path: queues, Key: "project", Body: fmt.Sprintf(`{"name":"queue %d","scoreConfigIds":[%q]}`, n, config),
		}).ID}, ids...)
	}
	list := func(query, end string, want ...string) apitest.Scenario {
		s := apitest.Scenario{Name: "list" + query, Path: queues + query, Key: "project", Status: 200, Contains: []string{end}}
		for _, id := range want {
			s.Contains = append(s.Contains, fmt.Sprintf(`{"id":%q,"name":"queue`, id))
		}
		return s
	}
	for _, s := range []apitest.Scenario{
		list("", apitest.Meta(1, 50, 3, 1), ids...),
		list("?limit=1&page=1", apitest.Meta(1, 1, 3, 3), ids[0]),
		list("?limit=1&page=2", apitest.Meta(2, 1, 3, 3), ids[1]),
		list("?limit=1&page=3", apitest.Meta(3, 1, 3, 3), ids[2]),
		{Name: "strict", Path: queues + "?limit=0&x=1", Key: "project", Status: 400, Contains: []string{`"path":["limit"]`, noPagesExtra}},
		{Name: "another project", Path: queues, Key: "neighbour", Status: 200, Want: `{"data":[` + apitest.Meta(1, 50, 0, 0)},
		{Name: "no permission", Path: queues, Key: "limited", Status: 403},

		{
			Name: "get", Path: queues + "/" + first, Key: "project", Status: 200, Contains: []string{
				fmt.Sprintf(`{"id":%q,"name":"queue","description":null,"scoreConfigIds":[%q],"createdAt":"`, first, config),
			},
		},
		{Name: "get is strict", Path: queues + "/" + first + "?x=1", Key: "project", Status: 400, Want: apitest.Invalid(noPagesExtra)},
		{Name: "get an unknown one", Path: queues + "/nope", Key: "project", Status: 404, Want: noQueue},
		{Name: "get one of another project", Path: queues + "/" + first, Key: "neighbour", Status: 404, Want: noQueue},
		{Name: "change", Method: "PATCH", Path: queues + "/" + first, Key: "project", Status: 405},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}

func TestAnnotationAssignments(t *testing.T) {
	f, _, queue := withQueue(t)
	member, stranger := apitest.NewAppointed(t, f, "org-a"), apitest.NewAppointed(t, f, "org-b")
	path := queues + "/" + queue + "/assignments"
	body := func(user string) string { return fmt.Sprintf(`{"userId":%q}`, user) }
	assigned := fmt.Sprintf(`{"userId":%q,"projectId":"project-a","queueId":%q}`, member, queue)
	noUser := `{"message":"User not found or not authorized for this project","error":"LangfuseNotFoundError"}`
	for _, s := range []apitest.Scenario{
		{Name: "assign", Method: "POST", Path: path, Key: "project", Body: body(member), Status: 200, Want: assigned},
		{Name: "assign again", Method: "POST", Path: path, Key: "project", Body: body(member), Status: 200, Want: assigned},
		{Name: "assign somebody unknown", Method: "POST", Path: path, Key: "project", Body: body("nope"), Status: 404, Want: noUser},
		{
			Name: "assign somebody of another organization", Method: "POST", Path: path, Key: "project", Body: body(stranger), Status: 404,
			Want: noUser,
		},
		{
			Name: "assign to an unknown queue", Method: "POST", Path: queues + "/nope/assignments", Key: "project", Body: body(member),
			Status: 404, Want: noQueue,
		},
		{
			Name: "assign to a queue of another project", Method: "POST", Path: path, Key: "neighbour", Body: body(member), Status: 404,
			Want: noQueue,
		},
		{
			Name: "assign nobody", Method: "POST", Path: path, Key: "project", Body: `{"x":1}`, Status: 400,
			Want: apitest.Invalid(apitest.WrongType("userId", "string", "undefined"), noPagesExtra),
		},
		{
			Name: "assign with a parameter", Method: "POST", Path: path + "?x=1", Key: "project", Body: `{}`, Status: 400,
			Want: apitest.Invalid(noPagesExtra),
		},
		{Name: "assign without permission", Method: "POST", Path: path, Key: "limited", Body: body(member), Status: 403},
		{Name: "unassign", Method: "DELETE", Path: path, Key: "project", Body: body(member), Status: 200, Want: `{"success":true}`},
		{Name: "unassign again", Method: "DELETE", Path: path, Key: "project", Body: body(member), Status: 200, Want: `{"success":true}`},
		{
			Name: "unassign somebody unknown", Method: "DELETE", Path: path, Key: "project", Body: body("nope"), Status: 200,
			Want: `{"success":true}`,
		},
		{
			Name: "unassign from an unknown queue", Method: "DELETE", Path: queues + "/nope/assignments", Key: "project",
			Body: body(member), Status: 404, Want: noQueue,
		},
		{
			Name: "unassign without a body", Method: "DELETE", Path: path, Key: "project", Status: 400,
			Contains: []string{"expected object, received string"},
		},
		{Name: "unassign without permission", Method: "DELETE", Path: path, Key: "limited", Body: body(member), Status: 403},
		{Name: "list", Path: path, Key: "project", Status: 405},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}
