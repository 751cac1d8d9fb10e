package admin_test

import (
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
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
func withMembers(t *testing.T) (*apitest.Fixture, *strings.Replacer) {
	t.Helper()
	f := apitest.New(t, nil)
	ada := newUserOf(t, f, "org-a", "ada", domain.RoleOwner)
	bob := newUserOf(t, f, "org-a", "bob", domain.RoleMember)
	dan := newUserOf(t, f, "org-b", "dan", domain.RoleOwner)
	return f, strings.NewReplacer("ADA", ada.ID, "BOB", bob.ID, "DAN", dan.ID)
}

// step is a request with the number of entries that it adds to the audit logs.
type step struct {
	apitest.Scenario
	changes int
}

// runSteps runs requests one after the other on the same fixture.
func runSteps(t *testing.T, f *apitest.Fixture, names *strings.Replacer, steps []step) {
	t.Helper()
	for _, s := range steps {
		t.Run(s.Name, func(t *testing.T) {
			before := changesIn(t, f.Catalog)
			s.Path, s.Body, s.Want = names.Replace(s.Path), names.Replace(s.Body), names.Replace(s.Want)
			for n := range s.Contains {
				s.Contains[n] = names.Replace(s.Contains[n])
			}
			f.Run(t, s.Scenario)
			if got := changesIn(t, f.Catalog) - before; got != s.changes {
				t.Errorf("%d entries in the audit log, want %d", got, s.changes)
			}
		})
	}
}

func TestMemberships(t *testing.T) {
	f, names := withMembers(t)
	list := func(name, want string) step {
		return step{Scenario: apitest.Scenario{Name: name, Path: memberships, Key: "organization", Status: 200, Want: want}}
	}
	put := func(name, body string, status int, want string, changes int) step {
		return step{
			apitest.Scenario{Name: name, Method: "PUT", Path: memberships, Key: "organization", Body: body, Status: status, Want: want}, changes,
		}
	}
	remove := func(name, body string, status int, want string, changes int) step {
		return step{
			apitest.Scenario{Name: name, Method: "DELETE", Path: memberships, Key: "organization", Body: body, Status: status, Want: want}, changes,
		}
	}
	runSteps(t, f, names, []step{
		{Scenario: apitest.Scenario{Name: "list", Path: memberships, Key: "organization", Status: 200, Contains: []string{
			`{"userId":"ADA","role":"OWNER","email":"ada@example.org","name":"ada"}`,
			`{"userId":"BOB","role":"MEMBER","email":"bob@example.org","name":"bob"}`,
		}, Missing: []string{"dan"}}},
		put("the last owner cannot become less", `{"userId":"ADA","role":"ADMIN"}`, 403, `{"error":"`+lastOwner+`"}`, 0),
		remove("nor be removed", `{"userId":"ADA"}`, 403, `{"error":"`+lastOwner+`"}`, 0),
		put("an unknown user", `{"userId":"nobody","role":"ADMIN"}`, 404, `{"error":"User not found"}`, 0),
		put("an unknown role", `{"userId":"BOB","role":"KING"}`, 400, wrongRole, 0),
		put("no role", `{"userId":"BOB"}`, 400, wrongRole, 0),
		put("no user", `{"role":"NONE"}`, 400,
			`{"error":"Invalid request data","details":[{"expected":"string","code":"invalid_type","path":["userId"],"message":"Invalid input: expected string, received undefined"}]}`, 0),
		put("a long id", `{"userId":"`+strings.Repeat("x", 1001)+`","role":"NONE"}`, 400, "", 0),
		put("a zero byte", `{"userId":"a\u0000b","role":"NONE"}`, 404, `{"error":"User not found"}`, 0),
		put("not JSON", `{`, 400, "Invalid JSON", 0),
		put("a second owner", `{"userId":"BOB","role":"OWNER"}`, 200,
			`{"userId":"BOB","role":"OWNER","email":"bob@example.org","name":"bob"}`, 1),
		put("the same again", `{"userId":"BOB","role":"OWNER"}`, 200,
			`{"userId":"BOB","role":"OWNER","email":"bob@example.org","name":"bob"}`, 0),
		put("now the first can become less", `{"userId":"ADA","role":"NONE"}`, 200,
			`{"userId":"ADA","role":"NONE","email":"ada@example.org","name":"ada"}`, 1),
		// who has not agreed yet
		put("a user of the instance", `{"userId":"DAN","role":"VIEWER"}`, 200, `{"userId":"DAN","role":"VIEWER","email":"","name":""}`, 1),
		remove("a member", `{"userId":"ADA"}`, 200, `{"message":"Membership deleted successfully","userId":"ADA"}`, 1),
		remove("nobody", `{"userId":"ADA"}`, 200, `{"message":"Membership deleted successfully","userId":"ADA"}`, 0),
		remove("another one", `{"userId":"DAN"}`, 200, "", 1),
		remove("no user", `{}`, 400, "", 0),
		list("what is left", `{"memberships":[{"userId":"BOB","role":"OWNER","email":"bob@example.org","name":"bob"}]}`),
		{
			Scenario: apitest.Scenario{
				Name: "the other organization", Path: memberships, Key: "foreignOrg", Status: 200,
				Want: `{"memberships":[{"userId":"DAN","role":"OWNER","email":"dan@example.org","name":"dan"}]}`,
			},
		},
		{
			Scenario: apitest.Scenario{
				Name: "a project key", Method: "PUT", Path: memberships, Key: "project", Body: `{}`, Status: 403, Want: wrongKey,
			},
		},
		{Scenario: apitest.Scenario{Name: "a project key for the list", Path: memberships, Key: "project", Status: 403, Want: wrongKey}},
		{Scenario: apitest.Scenario{Name: "no key", Path: memberships, Status: 401, Want: `{"error":"No authorization header"}`}},
		{
			Scenario: apitest.Scenario{
				Name: "another method", Method: "POST", Path: memberships, Key: "organization", Body: `{}`, Status: 405,
				Want: `{"error":"Method not allowed"}`,
			},
		},
	})
}

func TestProjectMemberships(t *testing.T) {
	f, names := withMembers(t)
	request := func(name, method, body string, status int, want string, changes int) step {
		return step{
			apitest.Scenario{Name: name, Method: method, Path: membershipsOfA, Key: "organization", Body: body, Status: status, Want: want},
			changes,
		}
	}
	elsewhere := func(name, method, project, body string) step {
		s := request(name, method, body, 404, unknownProjectError, 0)
		s.Path = "/api/public/projects/" + project + "/memberships"
		return s
	}
	runSteps(t, f, names, []step{
		request("nobody has a role of their own", "GET", "", 200, `{"memberships":[]}`, 0),
		request("a role", "PUT", `{"userId":"BOB","role":"VIEWER"}`, 200,
			`{"userId":"BOB","role":"VIEWER","email":"bob@example.org","name":"bob"}`, 1),
		request("the same again", "PUT", `{"userId":"BOB","role":"VIEWER"}`, 200, "", 0),
		request("another one", "PUT", `{"userId":"BOB","role":"NONE"}`, 200,
			`{"userId":"BOB","role":"NONE","email":"bob@example.org","name":"bob"}`, 1),
		request("an unknown role", "PUT", `{"userId":"BOB","role":"none"}`, 400, wrongRole, 0),
		request("not a member of the organization", "PUT", `{"userId":"DAN","role":"VIEWER"}`, 404,
			`{"error":"User is not a member of the organization"}`, 0),
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
		{Scenario: apitest.Scenario{Name: "a project key", Path: membershipsOfA, Key: "project", Status: 403, Want: wrongKey}},
	})
}
