package admin_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/admin"
	"almanac/internal/httpapi/apitest"
)

const scimUsers = "/api/public/scim/Users"

// scimFailure returns an error body.
func scimFailure(status int, detail string) string {
	text, _ := json.Marshal(detail) //nolint:errchkjson // a string always marshals
	return `{"schemas":["urn:ietf:params:scim:api:messages:2.0:Error"],"detail":` + string(text) + `,"status":` + strconv.Itoa(status) + `}`
}

func TestSCIMDiscovery(t *testing.T) {
	const base = "/api/public/scim/"
	scim := map[string]string{"Content-Type": "application/scim+json; charset=utf-8"}
	refused := scimFailure(403, "Invalid API key. Organization-scoped API key required for this operation.")
	apitest.Run(t, []apitest.Scenario{
		{
			Name: "configuration", Path: base + "ServiceProviderConfig", Key: "organization", Status: 200, WantHeader: scim,
			Contains: []string{
				`"patch":{"supported":false}`, `"bulk":{"maxOperations":0,"maxPayloadSize":0,"supported":false}`,
				`"filter":{"maxResults":100,"supported":true}`,
				`"changePassword":{"supported":false}`, `"sort":{"supported":false}`, `"etag":{"supported":false}`, `"type":"httpbasic"`,
				`"schemas":["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"]`,
			},
		},
		{
			Name: "kinds", Path: base + "ResourceTypes", Key: "organization", Status: 200, WantHeader: scim,
			Contains: []string{`"totalResults":1`, `"endpoint":"/Users"`, `"id":"User"`, `ListResponse`},
		},
		{
			Name: "schemas", Path: base + "Schemas", Key: "organization", Status: 200, WantHeader: scim,
			Contains: []string{`"totalResults":1`, `"id":"urn:ietf:params:scim:schemas:core:2.0:User"`, `"name":"userName"`},
		},
		{
			Name: "a project key for the configuration", Path: base + "ServiceProviderConfig", Key: "project", Status: 403,
			WantHeader: scim, Want: refused,
		},
		{Name: "a project key for the types", Path: base + "ResourceTypes", Key: "project", Status: 403, WantHeader: scim, Want: refused},
		{Name: "a project key", Path: base + "Schemas", Key: "project", Status: 403, WantHeader: scim, Want: refused},
		{
			Name: "no key", Path: base + "ServiceProviderConfig", Status: 401, WantHeader: scim,
			Want: scimFailure(401, "No authorization header"),
		},
		{
			Name: "another method", Method: "POST", Path: base + "ResourceTypes", Key: "organization", Status: 405, WantHeader: scim,
			Want: scimFailure(405, "Method not allowed"),
		},
	})
}

func TestListSCIMUsers(t *testing.T) {
	f, names := withMembers(t)
	list := func(name, query string, status int, contains ...string) step {
		return step{Scenario: apitest.Scenario{Name: name, Path: scimUsers + query, Key: "organization", Status: status, Contains: contains}}
	}
	const head = `{"schemas":["urn:ietf:params:scim:api:messages:2.0:ListResponse"],"totalResults":`
	none := list("nobody", `?filter=userName+eq+%22nobody@example.org%22`, 200)
	none.Want = head + `0,"startIndex":1,"itemsPerPage":0,"Resources":[]}`
	foreign := list("somebody of another organization", `?filter=userName+eq+%22dan@example.org%22`, 200)
	foreign.Want = none.Want
	unsupported := list("another filter", `?filter=userName+co+%22ada%22`, 400)
	unsupported.Want = scimFailure(400, `The filter is not supported. Supported is: userName eq "somebody@example.org"`)
	runSteps(t, f, names, []step{
		list("all", "", 200, head+`2,"startIndex":1,"itemsPerPage":2,"Resources":[{`,
			`{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"id":"ADA","userName":"ada@example.org","name":{"formatted":"ada"},"emails":[{"primary":true,"value":"ada@example.org","type":"work"}],"active":true,"meta":{"resourceType":"User","created":"2`),
		list("one by name", `?filter=userName+eq+%22bob@example.org%22`, 200, head+`1,"startIndex":1,"itemsPerPage":1,"Resources":[{`,
			`"id":"BOB"`),
		list("whatever the case", `?filter=USERNAME+Eq+%22Bob@Example.ORG%22`, 200, `"id":"BOB"`),
		list("an empty filter", `?filter=`, 200, head+`2,`),
		none, foreign, unsupported,
		list("a page", "?startIndex=2&count=1", 200, head+`2,"startIndex":2,"itemsPerPage":1,"Resources":[{`),
		list("behind the end", "?startIndex=3&count=1", 200, head+`2,"startIndex":3,"itemsPerPage":0,"Resources":[]`),
		list("no users, only how many", "?count=0", 200, head+`2,"startIndex":1,"itemsPerPage":0,"Resources":[]`),
		list("numbers below the smallest", "?startIndex=-5&count=-1", 200, head+`2,"startIndex":1,"itemsPerPage":0,"Resources":[]`),
		list("more than there can be", "?count=100000", 200, `"itemsPerPage":2`),
		list("no number", "?count=x", 400, "Invalid request data: count: Invalid input: expected number, received NaN"),
		list("a huge number", "?startIndex=99999999999", 400, "startIndex: Too big"),
	})
	t.Run("more than a page", func(t *testing.T) {
		f := apitest.New(t, nil)
		for n := range admin.MaxSCIMResults + 1 {
			newUserOf(t, f, "org-a", "user"+strconv.Itoa(n), domain.RoleNone)
		}
		f.Run(t, apitest.Scenario{
			Path: scimUsers + "?count=1000", Key: "organization", Status: 200, Contains: []string{
				`"totalResults":101,"startIndex":1,"itemsPerPage":100`,
			},
		})
	})
}

func TestCreateSCIMUser(t *testing.T) {
	f, names := withMembers(t)
	post := func(name, body string, status int, want string, changes int, contains ...string) step {
		return step{
			apitest.Scenario{
				Name: name, Method: "POST", Path: scimUsers, Key: "organization", Body: body, Status: status, Want: want,
				Contains: contains,
			}, changes,
		}
	}
	role := func(name, email, role string) step {
		return step{
			Scenario: apitest.Scenario{
				Name: name, Path: memberships, Key: "organization", Status: 200,
				Contains: []string{`"role":"` + role + `","email":"` + email + `"`},
			},
		}
	}
	text := post("JSON in a text", `"{\"userName\":\"eve@example.org\",\"roles\":[{\"value\":\"ADMIN\",\"primary\":true}]}"`, 201, "", 1,
		`"userName":"eve@example.org","name":{"formatted":""}`)
	plain := post("without a content type", `{"userName":"fay@example.org"}`, 201, "", 1)
	plain.Header = map[string]string{"Content-Type": ""}
	special := post("as SCIM has it",
		`{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"gus@example.org","name":{"givenName":"Gus","familyName":"Grissom"},"displayName":null,"emails":[{"primary":true,"value":"other@example.org","type":"work"}],"password":"never-kept","active":true,"externalId":"x"}`, 201, "", 1, `"userName":"gus@example.org","name":{"formatted":"Gus Grissom"}`)
	special.Header = map[string]string{"Content-Type": "application/scim+json"}
	special.WantHeader = map[string]string{"Content-Type": "application/scim+json; charset=utf-8"}
	const notEmail = "Invalid request data: userName: The user name must be an email address"
	runSteps(t, f, names, []step{
		post("a new user",
			`{"userName":" Cyd@Example.org","name":{"formatted":"Cyd <C>"},"displayName":"ignored","roles":["MEMBER","KING"]}`, 201, "", 1,
			`"userName":"cyd@example.org","name":{"formatted":"Cyd <C>"},"emails":[{"primary":true,"value":"cyd@example.org","type":"work"}],"active":true`),
		role("in the first role", "cyd@example.org", "MEMBER"),
		post("again", `{"userName":"CYD@example.org"}`, 409, scimFailure(409, "The user is a member of the organization already"), 0),
		post("an account of another organization", `{"userName":"dan@example.org","displayName":"Not Dan"}`, 201, "", 1,
			`"id":"DAN","userName":"dan@example.org","name":{"formatted":"Not Dan"}`),
		role("without a role", "dan@example.org", "NONE"),
		post("not active", `{"userName":"ina@example.org","active":false}`, 201, "", 0, `"active":false`),
		post("active later on", `{"userName":"ina@example.org","displayName":"Ina","active":"True"}`, 201, "", 1, `"active":true`),
		text, role("roles as objects", "eve@example.org", "ADMIN"), plain, special,
		post("no name", `{}`, 400, scimFailure(400, "Invalid request data: userName: Invalid input: expected string, received undefined"),
			0),
		post("not an address", `{"userName":"cyd"}`, 400, scimFailure(400, notEmail), 0),
		post("two addresses", `{"userName":"a@b@c"}`, 400, scimFailure(400, notEmail), 0),
		post("a blank in it", `{"userName":"a b@c"}`, 400, scimFailure(400, notEmail), 0),
		post("a zero byte in it", `{"userName":"a\u0000b@c"}`, 400, scimFailure(400, notEmail), 0),
		post("half an address", `{"userName":"@c"}`, 400, scimFailure(400, notEmail), 0),
		post("a long address", `{"userName":"`+strings.Repeat("x", 320)+`@c"}`, 400, "", 0),
		post("a long name", `{"userName":"x@y.z","displayName":"`+strings.Repeat("x", 1001)+`"}`, 400, "", 0),
		post("an unknown role", `{"userName":"x@y.z","roles":["KING"]}`, 400, "", 0,
			`roles.0: Invalid option: expected one of \"OWNER\"|\"ADMIN\"`),
		post("an unknown role as an object", `{"userName":"x@y.z","roles":[{"value":"KING"}]}`, 400, "", 0,
			`roles.0.value: Invalid option`),
		post("roles that are no list", `{"userName":"x@y.z","roles":"OWNER"}`, 400, "", 0,
			`roles: Invalid input: expected array, received string`),
		post("too many roles", `{"userName":"x@y.z","roles":["NONE"`+strings.Repeat(`,"NONE"`, 50)+`]}`, 400, "", 0, `roles: Too big`),
		post("two mistakes", `{"userName":1,"active":1}`, 400,
			scimFailure(400,
				"Invalid request data: userName: Invalid input: expected string, received number; active: Invalid input: expected boolean, received number"), 0),
		post("a list", `[]`, 400, scimFailure(400, "Invalid request data: Invalid input: expected object, received array"), 0),
		post("not JSON", `{`, 400, "Invalid JSON", 0),
	})
	for _, line := range []string{"never-kept", "fay@example.org"} {
		if strings.Contains(f.Logged.String(), line) {
			t.Errorf("the log holds %s", line)
		}
	}
}

func TestOneSCIMUser(t *testing.T) {
	f, names := withMembers(t)
	request := func(name, method, user, body string, status int, want string, changes int, contains ...string) step {
		return step{
			apitest.Scenario{
				Name: name, Method: method, Path: scimUsers + "/" + user, Key: "organization", Body: body, Status: status, Want: want,
				Contains: contains,
			}, changes,
		}
	}
	const (
		user  = `{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],`
		patch = `{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":`
	)
	gone := scimFailure(404, "User not found")
	member := func(name, role string) step {
		return step{
			Scenario: apitest.Scenario{
				Name: name, Path: memberships, Key: "organization", Status: 200,
				Contains: []string{`{"userId":"BOB","role":"` + role + `"`},
			},
		}
	}
	deleted := request("delete", "DELETE", "BOB", "", 204, "", 1)
	deleted.WantHeader = map[string]string{"Content-Type": "", "Content-Length": ""}
	runSteps(t, f, names, []step{
		request("get", "GET", "BOB", "", 200, "", 0, user+`"id":"BOB","userName":"bob@example.org"`, `"active":true`),
		request("get one of another organization", "GET", "DAN", "", 404, gone, 0),
		request("get nobody", "GET", "nobody", "", 404, gone, 0),

		request("PUT keeps the role", "PUT", "BOB", user+`"userName":"other@example.org","active":true}`, 200, "", 0,
			`"userName":"bob@example.org"`, `"active":true`),
		member("so it is", "MEMBER"),
		request("PUT changes the role", "PUT", "BOB", user+`"roles":["VIEWER"]}`, 200, "", 1),
		member("so it is", "VIEWER"),
		request("PUT ends the membership", "PUT", "BOB", user+`"active":false,"roles":["OWNER"]}`, 200, "", 1, `"id":"BOB"`,
			`"active":false`),
		request("then they are not there", "GET", "BOB", "", 404, gone, 0),
		request("PUT ends nothing", "PUT", "BOB", user+`"active":false}`, 200, "", 0, `"active":false`),
		request("PUT brings them back", "PUT", "BOB", user+`"active":true}`, 200, "", 1, `"active":true`),
		member("with no role", "NONE"),
		request("PUT without its schema", "PUT", "BOB", `{"active":false}`, 400,
			scimFailure(400, "Invalid request data: schemas: Invalid input: expected array, received undefined"), 0),
		request("PUT with another schema", "PUT", "BOB", `{"schemas":["x"],"active":false}`, 400,
			scimFailure(400, "Invalid request data: schemas: The schema urn:ietf:params:scim:schemas:core:2.0:User is missing"), 0),
		request("PUT with many schemas", "PUT", "BOB", `{"schemas":["x"`+strings.Repeat(`,"x"`, 50)+`]}`, 400, "", 0, "schemas: Too big"),
		request("PUT with an unknown role", "PUT", "BOB", user+`"roles":["KING"]}`, 400, "", 0),
		request("PUT of nobody", "PUT", "nobody", user+`"active":true}`, 404, gone, 0),
		request("PUT with a role of nobody", "PUT", "nobody", user+`"roles":["NONE"]}`, 404, gone, 0),
		request("PUT of a stranger", "PUT", "DAN", user+`"active":true,"roles":["ADMIN"]}`, 404, gone, 0),
		request("PUT that ends a stranger", "PUT", "DAN", user+`"active":false}`, 404, gone, 0),
		request("PATCH that ends a stranger", "PATCH", "DAN", patch+`[{"op":"replace","value":{"active":false}}]}`, 404, gone, 0),
		request("PUT that ends nobody", "PUT", "nobody", user+`"active":false}`, 404, gone, 0),
		request("PUT of the last owner", "PUT", "ADA", user+`"active":false}`, 403, scimFailure(403, lastOwner), 0),
		request("PUT of less for the last owner", "PUT", "ADA", user+`"roles":["ADMIN"]}`, 403, scimFailure(403, lastOwner), 0),

		request("PATCH ends the membership", "PATCH", "BOB", patch+`[{"op":"replace","value":{"active":false}}]}`, 200, "", 1, `"id":"BOB"`,
			`"active":false`),
		request("then they are not there either", "GET", "BOB", "", 404, gone, 0),
		request("PATCH brings them back", "PATCH", "BOB", patch+`[{"op":"Replace","path":"active","value":"True"}]}`, 200, "", 1,
			`"active":true`),
		request("PATCH of what is so already", "PATCH", "BOB", patch+`[{"op":"replace","value":{"active":true}}]}`, 200, "", 0),
		request("the last operation counts", "PATCH", "BOB",
			patch+`[{"op":"replace","value":{"active":false}},{"op":"replace","path":"","value":{"active":true}}]}`, 200, "", 0,
			`"active":true`),
		request("PATCH of the last owner", "PATCH", "ADA", patch+`[{"op":"replace","value":{"active":false}}]}`, 403,
			scimFailure(403, lastOwner), 0),
		request("PATCH of nobody", "PATCH", "nobody", patch+`[{"op":"replace","value":{"active":true}}]}`, 404, gone, 0),
		request("PATCH without its schema", "PATCH", "BOB",
			`{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"Operations":[{"op":"replace","value":{"active":false}}]}`, 400,
			scimFailure(400, "Invalid request data: schemas: The schema urn:ietf:params:scim:api:messages:2.0:PatchOp is missing"), 0),
		request("another operation", "PATCH", "BOB", patch+`[{"op":"remove","path":"active","value":true}]}`, 400,
			scimFailure(400, "Invalid request data: Operations.0.op: Only the operation replace is supported"), 0),
		request("another attribute", "PATCH", "BOB", patch+`[{"op":"replace","path":"displayName","value":"x"}]}`, 400,
			scimFailure(400, "Invalid request data: Operations.0.path: Only the attribute active can be changed"), 0),
		request("more attributes", "PATCH", "BOB", patch+`[{"op":"replace","value":{"active":false,"userName":"x"}}]}`, 400,
			scimFailure(400, `Invalid request data: Operations.0.value: Unrecognized key: "userName"`), 0),
		request("no value", "PATCH", "BOB", patch+`[{"op":"replace"}]}`, 400, "", 0),
		request("a word", "PATCH", "BOB", patch+`[{"op":"replace","path":"active","value":"maybe"}]}`, 400, "", 0,
			"expected boolean, received string"),
		request("no operation", "PATCH", "BOB", patch+`[]}`, 400, "", 0, "Operations: Too small"),
		request("too many operations", "PATCH", "BOB", patch+`[1`+strings.Repeat(",1", 100)+`]}`, 400, "", 0, "Operations: Too big"),
		member("all that changed nothing", "NONE"),

		request("delete one of another organization", "DELETE", "DAN", "", 404, gone, 0),
		request("delete the last owner", "DELETE", "ADA", "", 403, scimFailure(403, lastOwner), 0),
		deleted,
		request("delete again", "DELETE", "BOB", "", 404, gone, 0),
		request("another method", "POST", "ADA", "", 405, scimFailure(405, "Method not allowed"), 0),
		{Scenario: apitest.Scenario{Name: "a project key", Method: "DELETE", Path: scimUsers + "/ADA", Key: "project", Status: 403}},
		{
			Scenario: apitest.Scenario{
				Name: "the other organization is as it was", Path: memberships, Key: "foreignOrg", Status: 200,
				Want: `{"memberships":[{"userId":"DAN","role":"OWNER","email":"dan@example.org","name":"dan"}]}`,
			},
		},
	})
}
