package scores_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

const comments = "/api/public/comments"

func TestCreateComment(t *testing.T) {
	f := apitest.New(t, nil)
	f.Keep(t, "project-a", apitest.Commented(), nil)
	f.Keep(t, "project-a2", []domain.Observation{{TraceID: "t9", ID: "o9", SessionID: "s9", StartTime: apitest.October}}, nil)
	member, stranger := apitest.NewAppointed(t, f, "org-a"), apitest.NewAppointed(t, f, "org-b")
	post := func(name, body string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Method: "POST", Path: comments, Key: "project", Body: body, Status: status, Want: want}
	}
	on := func(kind, id string) string {
		return fmt.Sprintf(`{"projectId":"p","objectType":%q,"objectId":%q,"content":"c"}`, kind, id)
	}
	created := func(name, body string) apitest.Scenario {
		s := post(name, body, 200, "")
		s.Contains = []string{`{"id":"`}
		return s
	}
	missing := func(kind, id string) apitest.Scenario {
		return post("no such "+kind+" "+id, on(kind, id), 404,
			fmt.Sprintf(`{"message":"Reference object, %s: %s not found. Skipping comment creation.","error":"LangfuseNotFoundError"}`,
				kind, id))
	}
	badType := `{"code":"invalid_value","values":["TRACE","OBSERVATION","SESSION","PROMPT"],"path":["objectType"],"message":"Invalid option: expected one of \"TRACE\"|\"OBSERVATION\"|\"SESSION\"|\"PROMPT\""}`
	noMember := `{"message":"authorUserId must belong to a member of the organization that owns the authenticated project.","error":"InvalidRequestError"}`
	tooShort := `{"origin":"string","code":"too_small","minimum":1,"inclusive":true,"path":["content"],"message":"Too small: expected string to have >=1 characters"}`
	tooLong := `{"origin":"string","code":"too_big","maximum":5000,"inclusive":true,"path":["content"],"message":"Too big: expected string to have <=5000 characters"}`
	by := func(user, object string) string {
		return fmt.Sprintf(`{"projectId":"","objectType":"TRACE","objectId":%q,"content":"c","authorUserId":%q}`, object, user)
	}
	sized := func(size int) string {
		return `{"projectId":"p","objectType":"TRACE","objectId":"t1","content":"` + strings.Repeat("x", size) + `  "}`
	}
	for _, s := range []apitest.Scenario{
		created("on a trace", on("TRACE", "t1")), created("on an observation", on("OBSERVATION", "o2")),
		created("on a session", on("SESSION", "s1")),
		created("by a member", by(member, "t1")),
		created("by nobody", `{"projectId":"p","objectType":"TRACE","objectId":"t1","content":"c","authorUserId":null}`),
		created("as long as can be", sized(5000)),
		post("longer", sized(5001), 400, apitest.Invalid(tooLong)),
		post("blanks", `{"projectId":"p","objectType":"TRACE","objectId":"t1","content":" \n "}`, 400, apitest.Invalid(tooShort)),
		missing("TRACE", "o1"), missing("OBSERVATION", "t1"), missing("SESSION", "t1"), missing("PROMPT", "p1"), missing("SESSION", ""),
		missing("TRACE", "t9"), missing("SESSION", "s9"),
		post("by somebody of another organization", by(stranger, "t1"), 400, noMember),
		post("by somebody unknown, before the target", by("nope", "nope"), 400, noMember),
		post("members that do not fit", `{"projectId":1,"objectType":"trace","objectId":2,"content":3,"authorUserId":4,"x":5}`,
			400, apitest.Invalid(
				apitest.WrongType("projectId", "string", "number"), badType, apitest.WrongType("objectId", "string", "number"),
				apitest.WrongType("content", "string", "number"),
				apitest.WrongType("authorUserId", "string", "number"), noPagesExtra)),
		post("nothing", `{}`, 400,
			apitest.Invalid(apitest.WrongType("projectId", "string", "undefined"), badType, apitest.WrongType("objectId", "string", "undefined"),
				apitest.WrongType("content", "string", "undefined"))),
		{Name: "no permission", Method: "POST", Path: comments, Key: "limited", Body: `{}`, Status: 403},
		{Name: "no credentials", Method: "POST", Path: comments, Status: 401},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}

func TestReadComments(t *testing.T) {
	f := apitest.New(t, nil)
	f.Keep(t, "project-a", apitest.Commented(), nil)
	member := apitest.NewAppointed(t, f, "org-a")
	var ids []string
	for _, body := range []string{
		`{"projectId":"p","objectType":"TRACE","objectId":"t1","content":" first "}`,
		`{"projectId":"p","objectType":"SESSION","objectId":"s1","content":"second","authorUserId":"` + member + `"}`,
		`{"projectId":"p","objectType":"TRACE","objectId":"t2","content":"third","authorUserId":"` + member + `"}`,
	} {
		ids = append(ids, apitest.Send[struct{ ID string }](t, f, apitest.Scenario{Method: "POST", Path: comments, Key: "project", Body: body}).ID)
	}
	list := func(query, end string, want ...string) apitest.Scenario {
		s := apitest.Scenario{Name: "list" + query, Path: comments + query, Key: "project", Status: 200, Contains: append([]string{end}, want...)}
		for _, id := range ids {
			if !strings.Contains(strings.Join(want, " "), id) {
				s.Missing = append(s.Missing, id)
			}
		}
		return s
	}
	badType := `{"code":"invalid_value","values":["TRACE","OBSERVATION","SESSION","PROMPT"],"path":["objectType"],"message":"Invalid option: expected one of \"TRACE\"|\"OBSERVATION\"|\"SESSION\"|\"PROMPT\""}`
	for _, s := range []apitest.Scenario{
		list("", apitest.Meta(1, 50, 3, 1), ids...),
		list("?page=2&limit=1", apitest.Meta(2, 1, 3, 3), ids[1]),
		list("?objectType=TRACE", apitest.Meta(1, 50, 2, 1), ids[0], ids[2]),
		list("?objectType=TRACE&objectId=t1", apitest.Meta(1, 50, 1, 1), ids[0]),
		list("?authorUserId="+member, apitest.Meta(1, 50, 2, 1), ids[1], ids[2]),
		list("?objectType=TRACE&objectId=t2&authorUserId="+member, apitest.Meta(1, 50, 1, 1), ids[2]),
		list("?objectType=OBSERVATION", apitest.Meta(1, 50, 0, 0)),
		{
			Name: "an object without its type", Path: comments + "?objectId=t1", Key: "project", Status: 400,
			Want: apitest.Invalid(apitest.Custom(`["objectType"]`, "objectType is required when objectId is provided")),
		},
		{
			Name: "parameters that do not fit", Path: comments + "?objectType=x&x=1&objectId=t1", Key: "project", Status: 400,
			Want: apitest.Invalid(badType, noPagesExtra),
		},
		{Name: "another project", Path: comments, Key: "neighbour", Status: 200, Want: `{"data":[` + apitest.Meta(1, 50, 0, 0)},
		{Name: "no credentials", Path: comments, Status: 401},

		{Name: "get", Path: comments + "/" + ids[0], Key: "project", Status: 200, Contains: []string{
			fmt.Sprintf(`{"id":%q,"projectId":"project-a","createdAt":"2`, ids[0]),
			`"objectType":"TRACE","objectId":"t1","content":"first","authorUserId":null}`,
		}},
		{Name: "get is strict", Path: comments + "/" + ids[0] + "?x=1", Key: "project", Status: 400, Want: apitest.Invalid(noPagesExtra)},
		{
			Name: "get one of a member", Path: comments + "/" + ids[1], Key: "project", Status: 200,
			Contains: []string{fmt.Sprintf(`"authorUserId":%q}`, member)},
		},
		{
			Name: "get an unknown one", Path: comments + "/nope", Key: "project", Status: 404,
			Want: `{"message":"Comment not found within authorized project","error":"LangfuseNotFoundError"}`,
		},
		{Name: "get one of another project", Path: comments + "/" + ids[0], Key: "neighbour", Status: 404},
		{Name: "change", Method: "PATCH", Path: comments + "/" + ids[0], Key: "project", Status: 405},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
	// Comments of the same millisecond keep the order in which they were created.
	type page struct{ Data []struct{ ID string } }
	for n, c := range apitest.Send[page](t, f, apitest.Scenario{Path: comments, Key: "project"}).Data {
		if c.ID != ids[n] {
			t.Errorf("comment %d is %s, want %s", n, c.ID, ids[n])
		}
	}
}
