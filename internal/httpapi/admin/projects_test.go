package admin_test

import (
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

func TestGetProject(t *testing.T) {
	apitest.Run(t, []apitest.Scenario{
		{
			Name: "the key's project", Path: "/api/public/projects", Key: "project", Status: 200,
			Want: `{"data":[{"id":"project-a","name":"Project canary a","organization":{"id":"org-a","name":"Organization canary a"},"metadata":{}}]}`,
		},
		{Name: "any permission will do", Path: "/api/public/projects", Key: "limited", Status: 200, Contains: []string{`"project-a"`}},
		{Name: "parameters are ignored", Path: "/api/public/projects?limit=x", Key: "project", Status: 200},
		{
			Name: "an organization key", Path: "/api/public/projects", Key: "organization", Status: 403,
			Want: `{"message":"Invalid API key. Are you using an organization key?"}`,
		},
		{
			Name: "the public key alone", Path: "/api/public/projects", Header: map[string]string{"Authorization": "Bearer pk-lf-a"},
			Status: 403,
			Want:   `{"message":"Invalid API key. Are you using an organization key?"}`,
		},
		{Name: "no key", Path: "/api/public/projects", Status: 401, Want: `{"message":"No authorization header"}`},
		{
			Name: "another method", Method: "PATCH", Path: "/api/public/projects", Key: "project", Status: 405,
			Want: `{"message":"Method not allowed"}`,
		},
	})
}

func TestCreateProject(t *testing.T) {
	post := func(name, body string, status int, want string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Method: "POST", Path: "/api/public/projects", Key: "organization", Body: body, Status: status, Want: want,
		}
	}
	created := post("everything", `{"name":"New one","metadata":{"b":[1,"<x>"],"a":null},"retention":30}`, 201, "")
	created.Contains = []string{
		`"name":"New one","organization":{"id":"org-a","name":"Organization canary a"},"metadata":{"b":[1,"<x>"],"a":null},"retentionDays":30}`,
	}
	created.After = func(t *testing.T, f *apitest.Fixture) {
		projects, err := f.Catalog.Projects(t.Context(), domain.OfOrganization("org-a"))
		if err != nil || len(projects) != 3 {
			t.Errorf("projects = %v, %v", projects, err)
		}
		log, err := apitest.OldestFirst(t.Context(), f.Catalog, domain.OfOrganization("org-a"))
		if err != nil || len(log) == 0 || log[len(log)-1].Action != "create" || log[len(log)-1].Actor.Kind != "api-key" {
			t.Errorf("the creation is not in the audit log: %v, %v", log, err)
		}
	}
	least := post("a name alone", `{"name":"New one"}`, 201, "")
	least.Contains, least.Missing = []string{`"metadata":{}}`}, []string{"retentionDays"}
	forEver := post("kept for ever", `{"name":"New one","retention":0}`, 201, "")
	forEver.Missing = []string{"retentionDays"}
	text := post("metadata as text", `{"name":"New one","metadata":"{\"a\":1}"}`, 201, "")
	text.Contains = []string{`"metadata":{"a":1}`}
	notJSON := post("not JSON", `{nope`, 400, "Invalid JSON")
	notJSON.WantHeader = map[string]string{"Content-Type": "text/plain; charset=utf-8", "Access-Control-Allow-Origin": ""}
	plain := post("not sent as JSON", `{"name":"New one"}`, 400,
		`{"message":"Invalid request data","details":[{"expected":"object","code":"invalid_type","path":[],"message":"Invalid input: expected object, received string"}]}`)
	plain.Header = map[string]string{"Content-Type": "text/plain"}
	project := post("a project key", `{"name":"New one"}`, 403,
		`{"message":"Invalid API key. Organization-scoped API key required for this operation."}`)
	project.Key = "project"

	apitest.Run(t, []apitest.Scenario{
		created, least, forEver, text, notJSON, plain, project,
		post("no name", `{}`, 400,
			`{"message":"Invalid request data","details":[{"expected":"string","code":"invalid_type","path":["name"],"message":"Invalid input: expected string, received undefined"}]}`),
		post("an empty body", ` `, 400, "Invalid JSON"),
		post("a short name", `{"name":"ab"}`, 400,
			`{"message":"Invalid request data","details":[{"origin":"string","code":"too_small","minimum":3,"inclusive":true,"path":["name"],"message":"Too small: expected string to have >=3 characters"}]}`),
		post("a long name", `{"name":"1234567890123456789012345678901234567890123456789012345678901"}`, 400,
			`{"message":"Invalid request data","details":[{"origin":"string","code":"too_big","maximum":60,"inclusive":true,"path":["name"],"message":"Too big: expected string to have <=60 characters"}]}`),
		post("markup in the name", `{"name":"<b>x</b>"}`, 400,
			`{"message":"Invalid request data","details":[{"code":"custom","path":["name"],"message":"The name must not contain markup (< or >)"}]}`),
		post("metadata null", `{"name":"New one","metadata":null}`, 400,
			`{"message":"Invalid request data","details":[{"expected":"object","code":"invalid_type","path":["metadata"],"message":"Invalid input: expected object, received null"}]}`),
		post("metadata as an array", `{"name":"New one","metadata":[]}`, 400,
			`{"message":"Invalid request data","details":[{"expected":"object","code":"invalid_type","path":["metadata"],"message":"Invalid input: expected object, received array"}]}`),
		post("metadata as other text", `{"name":"New one","metadata":"[1]"}`, 400,
			`{"message":"Invalid request data","details":[{"code":"custom","path":["metadata"],"message":"The metadata is a text that does not hold a JSON object"}]}`),
		post("a short retention", `{"name":"New one","retention":2}`, 400,
			`{"message":"Invalid request data","details":[{"code":"custom","path":["retention"],"message":"The retention is a number of days, at least 3 and at most 36500, or 0 to keep data for ever"}]}`),
		post("a negative retention", `{"name":"New one","retention":-1}`, 400, ""),
		post("half a day", `{"name":"New one","retention":3.5}`, 400,
			`{"message":"Invalid request data","details":[{"expected":"int","format":"safeint","code":"invalid_type","path":["retention"],"message":"Invalid input: expected int, received number"}]}`),
		post("a name that is taken", `{"name":"Project canary a2"}`, 409,
			`{"message":"A project with this name exists in your organization already"}`),
		post("a name that another organization has", `{"name":"Project canary b"}`, 201, ""),
	})
}

func TestUpdateProject(t *testing.T) {
	put := func(name, project, body string, status int, want string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Method: "PUT", Path: "/api/public/projects/" + project, Key: "organization", Body: body, Status: status, Want: want,
		}
	}
	apitest.Run(t, []apitest.Scenario{
		put("everything", "project-a", `{"name":"Renamed","metadata":{"k":"v"},"retention":7}`, 200,
			`{"id":"project-a","name":"Renamed","organization":{"id":"org-a","name":"Organization canary a"},"metadata":{"k":"v"},"retentionDays":7}`),
		put("the name alone", "project-a", `{"name":"Renamed"}`, 200,
			`{"id":"project-a","name":"Renamed","organization":{"id":"org-a","name":"Organization canary a"},"metadata":{}}`),
		put("no name", "project-a", `{"retention":7}`, 400, ""),
		put("a name that is taken", "project-a", `{"name":"Project canary a2"}`, 409,
			`{"message":"A project with this name exists in your organization already"}`),
		put("unknown", "nope", `{"name":"Renamed"}`, 404, `{"message":"Project not found or you don't have access to it"}`),
		put("of another organization", "project-b", `{"name":"Renamed"}`, 404,
			`{"message":"Project not found or you don't have access to it"}`),
		{
			Name: "another method", Path: "/api/public/projects/project-a", Key: "organization", Status: 405,
			Want: `{"message":"Method not allowed"}`, WantHeader: map[string]string{"Allow": "DELETE, PUT"},
		},
	})
}

func TestDeleteProject(t *testing.T) {
	apitest.Run(t, []apitest.Scenario{
		{
			Name: "its keys stop working", Method: "DELETE", Path: "/api/public/projects/project-a", Key: "organization", Status: 202,
			Want: `{"success":true,"message":"The project and its keys are deleted"}`,
			After: func(t *testing.T, f *apitest.Fixture) {
				f.Run(t, apitest.Scenario{Path: "/api/public/projects", Key: "project", Status: 401})
				f.Run(t, apitest.Scenario{Path: "/api/public/projects", Key: "neighbour", Status: 200})
			},
		},
		{Name: "unknown", Method: "DELETE", Path: "/api/public/projects/nope", Key: "organization", Status: 404},
		{Name: "a project key", Method: "DELETE", Path: "/api/public/projects/project-a", Key: "project", Status: 403},
	})
	// Even for a key that was used a moment ago and is therefore cached.
	f := apitest.New(t, nil)
	f.Run(t, apitest.Scenario{Path: "/api/public/projects", Key: "project", Status: 200})
	f.Run(t, apitest.Scenario{Method: "DELETE", Path: "/api/public/projects/project-a", Key: "organization", Status: 202})
	f.Run(t, apitest.Scenario{Path: "/api/public/projects", Key: "project", Status: 401})
}
