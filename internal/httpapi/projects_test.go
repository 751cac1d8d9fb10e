package httpapi

import (
	"testing"

	"almanac/internal/domain"
)

func TestGetProject(t *testing.T) {
	runScenarios(t, []scenario{
		{
			name: "the key's project", path: "/api/public/projects", key: "project", status: 200,
			want: `{"data":[{"id":"project-a","name":"Project canary a","organization":{"id":"org-a","name":"Organization canary a"},"metadata":{}}]}`,
		},
		{name: "any permission will do", path: "/api/public/projects", key: "limited", status: 200, contains: []string{`"project-a"`}},
		{name: "parameters are ignored", path: "/api/public/projects?limit=x", key: "project", status: 200},
		{
			name: "an organization key", path: "/api/public/projects", key: "organization", status: 403,
			want: `{"message":"Invalid API key. Are you using an organization key?"}`,
		},
		{
			name: "the public key alone", path: "/api/public/projects", header: map[string]string{"Authorization": "Bearer pk-lf-a"}, status: 403,
			want: `{"message":"Invalid API key. Are you using an organization key?"}`,
		},
		{name: "no key", path: "/api/public/projects", status: 401, want: `{"message":"No authorization header"}`},
		{name: "another method", method: "PATCH", path: "/api/public/projects", key: "project", status: 405, want: `{"message":"Method not allowed"}`},
	})
}

func TestCreateProject(t *testing.T) {
	post := func(name, body string, status int, want string) scenario {
		return scenario{name: name, method: "POST", path: "/api/public/projects", key: "organization", body: body, status: status, want: want}
	}
	created := post("everything", `{"name":"New one","metadata":{"b":[1,"<x>"],"a":null},"retention":30}`, 201, "")
	created.contains = []string{`"name":"New one","organization":{"id":"org-a","name":"Organization canary a"},"metadata":{"b":[1,"<x>"],"a":null},"retentionDays":30}`}
	created.after = func(t *testing.T, f *fixture) {
		projects, err := f.Catalog.Projects(t.Context(), domain.OfOrganization("org-a"))
		if err != nil || len(projects) != 3 {
			t.Errorf("projects = %v, %v", projects, err)
		}
		log, err := oldestFirst(t.Context(), f.Catalog, domain.OfOrganization("org-a"))
		if err != nil || len(log) == 0 || log[len(log)-1].Action != "create" || log[len(log)-1].Actor.Kind != "api-key" {
			t.Errorf("the creation is not in the audit log: %v, %v", log, err)
		}
	}
	least := post("a name alone", `{"name":"New one"}`, 201, "")
	least.contains, least.missing = []string{`"metadata":{}}`}, []string{"retentionDays"}
	forEver := post("kept for ever", `{"name":"New one","retention":0}`, 201, "")
	forEver.missing = []string{"retentionDays"}
	text := post("metadata as text", `{"name":"New one","metadata":"{\"a\":1}"}`, 201, "")
	text.contains = []string{`"metadata":{"a":1}`}
	notJSON := post("not JSON", `{nope`, 400, "Invalid JSON")
	notJSON.wantHeader = map[string]string{"Content-Type": "text/plain; charset=utf-8", "Access-Control-Allow-Origin": ""}
	plain := post("not sent as JSON", `{"name":"New one"}`, 400, `{"message":"Invalid request data","details":[{"expected":"object","code":"invalid_type","path":[],"message":"Invalid input: expected object, received string"}]}`)
	plain.header = map[string]string{"Content-Type": "text/plain"}
	project := post("a project key", `{"name":"New one"}`, 403, `{"message":"Invalid API key. Organization-scoped API key required for this operation."}`)
	project.key = "project"

	runScenarios(t, []scenario{
		created, least, forEver, text, notJSON, plain, project,
		post("no name", `{}`, 400, `{"message":"Invalid request data","details":[{"expected":"string","code":"invalid_type","path":["name"],"message":"Invalid input: expected string, received undefined"}]}`),
		post("an empty body", ` `, 400, "Invalid JSON"),
		post("a short name", `{"name":"ab"}`, 400, `{"message":"Invalid request data","details":[{"origin":"string","code":"too_small","minimum":3,"inclusive":true,"path":["name"],"message":"Too small: expected string to have >=3 characters"}]}`),
		post("a long name", `{"name":"1234567890123456789012345678901234567890123456789012345678901"}`, 400, `{"message":"Invalid request data","details":[{"origin":"string","code":"too_big","maximum":60,"inclusive":true,"path":["name"],"message":"Too big: expected string to have <=60 characters"}]}`),
		post("markup in the name", `{"name":"<b>x</b>"}`, 400, `{"message":"Invalid request data","details":[{"code":"custom","path":["name"],"message":"The name must not contain markup (< or >)"}]}`),
		post("metadata null", `{"name":"New one","metadata":null}`, 400, `{"message":"Invalid request data","details":[{"expected":"object","code":"invalid_type","path":["metadata"],"message":"Invalid input: expected object, received null"}]}`),
		post("metadata as an array", `{"name":"New one","metadata":[]}`, 400, `{"message":"Invalid request data","details":[{"expected":"object","code":"invalid_type","path":["metadata"],"message":"Invalid input: expected object, received array"}]}`),
		post("metadata as other text", `{"name":"New one","metadata":"[1]"}`, 400, `{"message":"Invalid request data","details":[{"code":"custom","path":["metadata"],"message":"The metadata is a text that does not hold a JSON object"}]}`),
		post("a short retention", `{"name":"New one","retention":2}`, 400, `{"message":"Invalid request data","details":[{"code":"custom","path":["retention"],"message":"The retention is a number of days, at least 3 and at most 36500, or 0 to keep data for ever"}]}`),
		post("a negative retention", `{"name":"New one","retention":-1}`, 400, ""),
		post("half a day", `{"name":"New one","retention":3.5}`, 400, `{"message":"Invalid request data","details":[{"expected":"int","format":"safeint","code":"invalid_type","path":["retention"],"message":"Invalid input: expected int, received number"}]}`),
		post("a name that is taken", `{"name":"Project canary a2"}`, 409, `{"message":"A project with this name exists in your organization already"}`),
		post("a name that another organization has", `{"name":"Project canary b"}`, 201, ""),
	})
}

func TestUpdateProject(t *testing.T) {
	put := func(name, project, body string, status int, want string) scenario {
		return scenario{name: name, method: "PUT", path: "/api/public/projects/" + project, key: "organization", body: body, status: status, want: want}
	}
	runScenarios(t, []scenario{
		put("everything", "project-a", `{"name":"Renamed","metadata":{"k":"v"},"retention":7}`, 200, `{"id":"project-a","name":"Renamed","organization":{"id":"org-a","name":"Organization canary a"},"metadata":{"k":"v"},"retentionDays":7}`),
		put("the name alone", "project-a", `{"name":"Renamed"}`, 200, `{"id":"project-a","name":"Renamed","organization":{"id":"org-a","name":"Organization canary a"},"metadata":{}}`),
		put("no name", "project-a", `{"retention":7}`, 400, ""),
		put("a name that is taken", "project-a", `{"name":"Project canary a2"}`, 409, `{"message":"A project with this name exists in your organization already"}`),
		put("unknown", "nope", `{"name":"Renamed"}`, 404, `{"message":"Project not found or you don't have access to it"}`),
		put("of another organization", "project-b", `{"name":"Renamed"}`, 404, `{"message":"Project not found or you don't have access to it"}`),
		{name: "another method", path: "/api/public/projects/project-a", key: "organization", status: 405, want: `{"message":"Method not allowed"}`, wantHeader: map[string]string{"Allow": "DELETE, PUT"}},
	})
}

func TestDeleteProject(t *testing.T) {
	runScenarios(t, []scenario{
		{
			name: "its keys stop working", method: "DELETE", path: "/api/public/projects/project-a", key: "organization", status: 202,
			want: `{"success":true,"message":"The project and its keys are deleted"}`,
			after: func(t *testing.T, f *fixture) {
				f.run(t, scenario{path: "/api/public/projects", key: "project", status: 401})
				f.run(t, scenario{path: "/api/public/projects", key: "neighbour", status: 200})
			},
		},
		{name: "unknown", method: "DELETE", path: "/api/public/projects/nope", key: "organization", status: 404},
		{name: "a project key", method: "DELETE", path: "/api/public/projects/project-a", key: "project", status: 403},
	})
	// Even for a key that was used a moment ago and is therefore cached.
	f := newFixture(t, nil)
	f.run(t, scenario{path: "/api/public/projects", key: "project", status: 200})
	f.run(t, scenario{method: "DELETE", path: "/api/public/projects/project-a", key: "organization", status: 202})
	f.run(t, scenario{path: "/api/public/projects", key: "project", status: 401})
}
