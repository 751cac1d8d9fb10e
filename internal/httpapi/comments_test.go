package httpapi

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/domain"
)

const comments = "/api/public/comments"

// commented returns rows to comment on: a trace with a session, and one without.
func commented() []domain.Observation {
	return []domain.Observation{
		{TraceID: "t1", ID: "o1", SessionID: "s1", StartTime: october}, {TraceID: "t2", ID: "o2", StartTime: october},
	}
}

func TestCreateComment(t *testing.T) {
	f := newFixture(t, nil)
	f.keep(t, "project-a", commented(), nil)
	f.keep(t, "project-a2", []domain.Observation{{TraceID: "t9", ID: "o9", SessionID: "s9", StartTime: october}}, nil)
	member, stranger := newMember(t, f, "org-a"), newMember(t, f, "org-b")
	post := func(name, body string, status int, want string) scenario {
		return scenario{name: name, method: "POST", path: comments, key: "project", body: body, status: status, want: want}
	}
	on := func(kind, id string) string {
		return fmt.Sprintf(`{"projectId":"p","objectType":%q,"objectId":%q,"content":"c"}`, kind, id)
	}
	created := func(name, body string) scenario {
		s := post(name, body, 200, "")
		s.contains = []string{`{"id":"`}
		return s
	}
	missing := func(kind, id string) scenario {
		return post("no such "+kind+" "+id, on(kind, id), 404,
			fmt.Sprintf(`{"message":"Reference object, %s: %s not found. Skipping comment creation.","error":"LangfuseNotFoundError"}`, kind, id))
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
	for _, s := range []scenario{
		created("on a trace", on("TRACE", "t1")), created("on an observation", on("OBSERVATION", "o2")), created("on a session", on("SESSION", "s1")),
		created("by a member", by(member, "t1")), created("by nobody", `{"projectId":"p","objectType":"TRACE","objectId":"t1","content":"c","authorUserId":null}`),
		created("as long as can be", sized(5000)),
		post("longer", sized(5001), 400, invalid(tooLong)),
		post("blanks", `{"projectId":"p","objectType":"TRACE","objectId":"t1","content":" \n "}`, 400, invalid(tooShort)),
		missing("TRACE", "o1"), missing("OBSERVATION", "t1"), missing("SESSION", "t1"), missing("PROMPT", "p1"), missing("SESSION", ""), missing("TRACE", "t9"), missing("SESSION", "s9"),
		post("by somebody of another organization", by(stranger, "t1"), 400, noMember),
		post("by somebody unknown, before the target", by("nope", "nope"), 400, noMember),
		post("members that do not fit", `{"projectId":1,"objectType":"trace","objectId":2,"content":3,"authorUserId":4,"x":5}`, 400, invalid(
			wrongType("projectId", "string", "number"), badType, wrongType("objectId", "string", "number"), wrongType("content", "string", "number"),
			wrongType("authorUserId", "string", "number"), noPagesExtra)),
		post("nothing", `{}`, 400, invalid(wrongType("projectId", "string", "undefined"), badType, wrongType("objectId", "string", "undefined"), wrongType("content", "string", "undefined"))),
		{name: "no permission", method: "POST", path: comments, key: "limited", body: `{}`, status: 403},
		{name: "no credentials", method: "POST", path: comments, status: 401},
	} {
		t.Run(s.name, func(t *testing.T) { f.run(t, s) })
	}
}

func TestReadComments(t *testing.T) {
	f := newFixture(t, nil)
	f.keep(t, "project-a", commented(), nil)
	member := newMember(t, f, "org-a")
	var ids []string
	for _, body := range []string{
		`{"projectId":"p","objectType":"TRACE","objectId":"t1","content":" first "}`,
		`{"projectId":"p","objectType":"SESSION","objectId":"s1","content":"second","authorUserId":"` + member + `"}`,
		`{"projectId":"p","objectType":"TRACE","objectId":"t2","content":"third","authorUserId":"` + member + `"}`,
	} {
		ids = append(ids, send[struct{ ID string }](t, f, scenario{method: "POST", path: comments, key: "project", body: body}).ID)
	}
	list := func(query, end string, want ...string) scenario {
		s := scenario{name: "list" + query, path: comments + query, key: "project", status: 200, contains: append([]string{end}, want...)}
		for _, id := range ids {
			if !strings.Contains(strings.Join(want, " "), id) {
				s.missing = append(s.missing, id)
			}
		}
		return s
	}
	badType := `{"code":"invalid_value","values":["TRACE","OBSERVATION","SESSION","PROMPT"],"path":["objectType"],"message":"Invalid option: expected one of \"TRACE\"|\"OBSERVATION\"|\"SESSION\"|\"PROMPT\""}`
	for _, s := range []scenario{
		list("", meta(1, 50, 3, 1), ids...),
		list("?page=2&limit=1", meta(2, 1, 3, 3), ids[1]),
		list("?objectType=TRACE", meta(1, 50, 2, 1), ids[0], ids[2]),
		list("?objectType=TRACE&objectId=t1", meta(1, 50, 1, 1), ids[0]),
		list("?authorUserId="+member, meta(1, 50, 2, 1), ids[1], ids[2]),
		list("?objectType=TRACE&objectId=t2&authorUserId="+member, meta(1, 50, 1, 1), ids[2]),
		list("?objectType=OBSERVATION", meta(1, 50, 0, 0)),
		{name: "an object without its type", path: comments + "?objectId=t1", key: "project", status: 400, want: invalid(custom(`["objectType"]`, "objectType is required when objectId is provided"))},
		{name: "parameters that do not fit", path: comments + "?objectType=x&x=1&objectId=t1", key: "project", status: 400, want: invalid(badType, noPagesExtra)},
		{name: "another project", path: comments, key: "neighbour", status: 200, want: `{"data":[` + meta(1, 50, 0, 0)},
		{name: "no credentials", path: comments, status: 401},

		{name: "get", path: comments + "/" + ids[0], key: "project", status: 200, contains: []string{
			fmt.Sprintf(`{"id":%q,"projectId":"project-a","createdAt":"2`, ids[0]), `"objectType":"TRACE","objectId":"t1","content":"first","authorUserId":null}`,
		}},
		{name: "get is strict", path: comments + "/" + ids[0] + "?x=1", key: "project", status: 400, want: invalid(noPagesExtra)},
		{name: "get one of a member", path: comments + "/" + ids[1], key: "project", status: 200, contains: []string{fmt.Sprintf(`"authorUserId":%q}`, member)}},
		{name: "get an unknown one", path: comments + "/nope", key: "project", status: 404, want: `{"message":"Comment not found within authorized project","error":"LangfuseNotFoundError"}`},
		{name: "get one of another project", path: comments + "/" + ids[0], key: "neighbour", status: 404},
		{name: "change", method: "PATCH", path: comments + "/" + ids[0], key: "project", status: 405},
	} {
		t.Run(s.name, func(t *testing.T) { f.run(t, s) })
	}
	// Comments of the same millisecond keep the order in which they were created.
	type page struct{ Data []struct{ ID string } }
	for n, c := range send[page](t, f, scenario{path: comments, key: "project"}).Data {
		if c.ID != ids[n] {
			t.Errorf("comment %d is %s, want %s", n, c.ID, ids[n])
		}
	}
}
