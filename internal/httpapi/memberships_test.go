package httpapi

import (
	"strings"
	"testing"

	"almanac/internal/domain"
)

const (
	memberships         = "/api/public/organizations/memberships"
	membershipsOfA      = "/api/public/projects/project-a/memberships"
	lastOwner           = "The user is the last owner of the organization. Make somebody else an owner first."
	wrongKey            = `{"error":"Invalid API key. Organization-scoped API key required for this operation."}`
	wrongRole           = `{"error":"Invalid request data","details":[{"code":"invalid_value","values":["OWNER","ADMIN","MEMBER","VIEWER","NONE"],"path":["role"],"message":"Invalid option: expected one of \"OWNER\"|\"ADMIN\"|\"MEMBER\"|\"VIEWER\"|\"NONE\""}]}`
	unknownProjectError = `{"error":"Project not found or you don't have access to it"}`
)

// withMembers returns a fixture with ada, the owner of organization a, bob, a member of it, and dan, who owns
// organization b. The replacer substitutes their ids for their names in capitals.
func withMembers(t *testing.T) (*fixture, *strings.Replacer) {
	t.Helper()
	f := newFixture(t, nil)
	ada := newUserOf(t, f, "org-a", "ada", domain.RoleOwner)
	bob := newUserOf(t, f, "org-a", "bob", domain.RoleMember)
	dan := newUserOf(t, f, "org-b", "dan", domain.RoleOwner)
	return f, strings.NewReplacer("ADA", ada.ID, "BOB", bob.ID, "DAN", dan.ID)
}

// step is a request with the number of entries that it adds to the audit logs.
type step struct {
	scenario
	changes int
}

// runSteps runs requests one after the other on the same fixture.
func runSteps(t *testing.T, f *fixture, names *strings.Replacer, steps []step) {
	t.Helper()
	for _, s := range steps {
		t.Run(s.name, func(t *testing.T) {
			before := changesIn(t, f.Catalog)
			s.path, s.body, s.want = names.Replace(s.path), names.Replace(s.body), names.Replace(s.want)
			for n := range s.contains {
				s.contains[n] = names.Replace(s.contains[n])
			}
			f.run(t, s.scenario)
			if got := changesIn(t, f.Catalog) - before; got != s.changes {
				t.Errorf("%d entries in the audit log, want %d", got, s.changes)
			}
		})
	}
}

func TestMemberships(t *testing.T) {
	f, names := withMembers(t)
	list := func(name, want string) step {
		return step{scenario: scenario{name: name, path: memberships, key: "organization", status: 200, want: want}}
	}
	put := func(name, body string, status int, want string, changes int) step {
		return step{scenario{name: name, method: "PUT", path: memberships, key: "organization", body: body, status: status, want: want}, changes}
	}
	remove := func(name, body string, status int, want string, changes int) step {
		return step{scenario{name: name, method: "DELETE", path: memberships, key: "organization", body: body, status: status, want: want}, changes}
	}
	runSteps(t, f, names, []step{
		{scenario: scenario{name: "list", path: memberships, key: "organization", status: 200, contains: []string{
			`{"userId":"ADA","role":"OWNER","email":"ada@example.org","name":"ada"}`, `{"userId":"BOB","role":"MEMBER","email":"bob@example.org","name":"bob"}`,
		}, missing: []string{"dan"}}},
		put("the last owner cannot become less", `{"userId":"ADA","role":"ADMIN"}`, 403, `{"error":"`+lastOwner+`"}`, 0),
		remove("nor be removed", `{"userId":"ADA"}`, 403, `{"error":"`+lastOwner+`"}`, 0),
		put("an unknown user", `{"userId":"nobody","role":"ADMIN"}`, 404, `{"error":"User not found"}`, 0),
		put("an unknown role", `{"userId":"BOB","role":"KING"}`, 400, wrongRole, 0),
		put("no role", `{"userId":"BOB"}`, 400, wrongRole, 0),
		put("no user", `{"role":"NONE"}`, 400, `{"error":"Invalid request data","details":[{"expected":"string","code":"invalid_type","path":["userId"],"message":"Invalid input: expected string, received undefined"}]}`, 0),
		put("a long id", `{"userId":"`+strings.Repeat("x", 1001)+`","role":"NONE"}`, 400, "", 0),
		put("a zero byte", `{"userId":"a\u0000b","role":"NONE"}`, 404, `{"error":"User not found"}`, 0),
		put("not JSON", `{`, 400, "Invalid JSON", 0),
		put("a second owner", `{"userId":"BOB","role":"OWNER"}`, 200, `{"userId":"BOB","role":"OWNER","email":"bob@example.org","name":"bob"}`, 1),
		put("the same again", `{"userId":"BOB","role":"OWNER"}`, 200, `{"userId":"BOB","role":"OWNER","email":"bob@example.org","name":"bob"}`, 0),
		put("now the first can become less", `{"userId":"ADA","role":"NONE"}`, 200, `{"userId":"ADA","role":"NONE","email":"ada@example.org","name":"ada"}`, 1),
		put("a user of the instance", `{"userId":"DAN","role":"VIEWER"}`, 200, `{"userId":"DAN","role":"VIEWER","email":"","name":""}`, 1), // who has not agreed yet
		remove("a member", `{"userId":"ADA"}`, 200, `{"message":"Membership deleted successfully","userId":"ADA"}`, 1),
		remove("nobody", `{"userId":"ADA"}`, 200, `{"message":"Membership deleted successfully","userId":"ADA"}`, 0),
		remove("another one", `{"userId":"DAN"}`, 200, "", 1),
		remove("no user", `{}`, 400, "", 0),
		list("what is left", `{"memberships":[{"userId":"BOB","role":"OWNER","email":"bob@example.org","name":"bob"}]}`),
		{scenario: scenario{name: "the other organization", path: memberships, key: "foreignOrg", status: 200, want: `{"memberships":[{"userId":"DAN","role":"OWNER","email":"dan@example.org","name":"dan"}]}`}},
		{scenario: scenario{name: "a project key", method: "PUT", path: memberships, key: "project", body: `{}`, status: 403, want: wrongKey}},
		{scenario: scenario{name: "a project key for the list", path: memberships, key: "project", status: 403, want: wrongKey}},
		{scenario: scenario{name: "no key", path: memberships, status: 401, want: `{"error":"No authorization header"}`}},
		{scenario: scenario{name: "another method", method: "POST", path: memberships, key: "organization", body: `{}`, status: 405, want: `{"error":"Method not allowed"}`}},
	})
}

func TestProjectMemberships(t *testing.T) {
	f, names := withMembers(t)
	request := func(name, method, body string, status int, want string, changes int) step {
		return step{scenario{name: name, method: method, path: membershipsOfA, key: "organization", body: body, status: status, want: want}, changes}
	}
	elsewhere := func(name, method, project, body string) step {
		s := request(name, method, body, 404, unknownProjectError, 0)
		s.path = "/api/public/projects/" + project + "/memberships"
		return s
	}
	runSteps(t, f, names, []step{
		request("nobody has a role of their own", "GET", "", 200, `{"memberships":[]}`, 0),
		request("a role", "PUT", `{"userId":"BOB","role":"VIEWER"}`, 200, `{"userId":"BOB","role":"VIEWER","email":"bob@example.org","name":"bob"}`, 1),
		request("the same again", "PUT", `{"userId":"BOB","role":"VIEWER"}`, 200, "", 0),
		request("another one", "PUT", `{"userId":"BOB","role":"NONE"}`, 200, `{"userId":"BOB","role":"NONE","email":"bob@example.org","name":"bob"}`, 1),
		request("an unknown role", "PUT", `{"userId":"BOB","role":"none"}`, 400, wrongRole, 0),
		request("not a member of the organization", "PUT", `{"userId":"DAN","role":"VIEWER"}`, 404, `{"error":"User is not a member of the organization"}`, 0),
		request("list", "GET", "", 200, `{"memberships":[{"userId":"BOB","role":"NONE","email":"bob@example.org","name":"bob"}]}`, 0),
		elsewhere("list of an unknown project", "GET", "nope", ""),
		elsewhere("list of a foreign project", "GET", "project-b", ""),
		elsewhere("role in a foreign project", "PUT", "project-b", `{"userId":"BOB","role":"OWNER"}`),
		elsewhere("removal from a foreign project", "DELETE", "project-b", `{"userId":"DAN"}`),
		request("removal of who has none", "DELETE", `{"userId":"ADA"}`, 404, `{"error":"Project membership not found for user"}`, 0),
		request("removal of nobody", "DELETE", `{}`, 400, "", 0),
		request("removal", "DELETE", `{"userId":"BOB"}`, 200, `{"message":"Project membership deleted successfully","userId":"BOB"}`, 1),
		request("it is gone", "GET", "", 200, `{"memberships":[]}`, 0),
		request("another method", "PATCH", "", 405, `{"error":"Method not allowed"}`, 0),
		{scenario: scenario{name: "a project key", path: membershipsOfA, key: "project", status: 403, want: wrongKey}},
	})
}
