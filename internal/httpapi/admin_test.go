package httpapi

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"almanac/internal/access/auth"
	"almanac/internal/catalog"
	"almanac/internal/domain"
)

const adminOrganizations = "/api/admin/organizations"

// asAdmin returns a request with the admin key.
func asAdmin(name, method, path, body string, status int, want string) scenario {
	return scenario{
		name: name, method: method, path: path, body: body, status: status, want: want,
		header: map[string]string{"Authorization": "Bearer admin-secret"},
	}
}

func TestAdminAccess(t *testing.T) {
	bearer := func(token string) map[string]string { return map[string]string{"Authorization": "Bearer " + token} }
	const wrong = `{"error":"Unauthorized: the admin API key is missing or wrong"}`
	runScenarios(t, []scenario{
		{name: "no key", path: adminOrganizations, status: 401, want: wrong},
		{name: "a wrong key", path: adminOrganizations, header: bearer("admin-secre"), status: 401, want: wrong},
		{name: "an organization key", path: adminOrganizations + "/org-a", key: "organization", status: 401, want: wrong},
		{name: "another method", method: "PATCH", path: adminOrganizations, status: 405, want: `{"error":"Method not allowed"}`},
		{name: "another method of keys", path: "/api/admin/api-keys", status: 405, want: `{"error":"Method not allowed"}`},
	})
	t.Run("switched off", func(t *testing.T) {
		f := newFixture(t, func(o *Options) { o.Admin = auth.NewAdmin("") })
		for _, path := range []string{adminOrganizations, adminOrganizations + "/org-a"} {
			f.run(t, scenario{path: path, header: bearer(""), status: 403, want: `{"error":"Instance administration is switched off: no admin API key is configured"}`})
		}
	})
}

func TestAdminOrganizations(t *testing.T) {
	list := asAdmin("list", "GET", adminOrganizations, "", 200, "")
	list.contains = []string{
		`{"organizations":[{"id":"org-a","name":"Organization canary a","createdAt":"2`, `Z","metadata":{},"projects":[{"id":"project-a`,
		`{"id":"project-b","name":"Project canary b","metadata":{},"createdAt":"2`,
	}
	created := asAdmin("create", "POST", adminOrganizations, `{"name":"New <one>","metadata":{"b":[1],"a":null}}`, 201, "")
	created.contains = []string{`"name":"New <one>","createdAt":"2`, `"metadata":{"b":[1],"a":null},"projects":[]}`}
	plain := asAdmin("create with a name alone", "POST", adminOrganizations, `{"name":"New","metadata":null}`, 201, "")
	plain.contains = []string{`"metadata":{},"projects":[]}`}
	get := asAdmin("get", "GET", adminOrganizations+"/org-b", "", 200, "")
	get.contains = []string{`{"id":"org-b","name":"Organization canary b"`, `"projects":[{"id":"project-b"`}
	get.missing = []string{"project-a"}
	put := asAdmin("change", "PUT", adminOrganizations+"/org-a", `{"name":"Renamed","metadata":"{\"k\":1}"}`, 200, "")
	put.contains = []string{`{"id":"org-a","name":"Renamed"`, `"metadata":{"k":1},"projects":[{"id":"project-a`}
	put.after = func(t *testing.T, f *fixture) {
		kept := asAdmin("", "PUT", adminOrganizations+"/org-a", `{"name":"Again"}`, 200, "")
		kept.contains = []string{`"name":"Again"`, `"metadata":{"k":1}`}
		f.run(t, kept)
		log, err := oldestFirst(t.Context(), f.Catalog, domain.OfOrganization("org-a"))
		if err != nil {
			t.Fatal(err)
		}
		if last := log[len(log)-1]; last.Action != "update" || last.ResourceKind != "organization" || last.Actor != (domain.Actor{Kind: "admin"}) {
			t.Errorf("the change is recorded as %+v", last)
		}
	}
	const notFound = `{"error":"Organization not found"}`
	runScenarios(t, []scenario{
		list, created, plain, get, put,
		asAdmin("no name", "POST", adminOrganizations, `{}`, 400, `{"error":"Invalid request data","details":[{"expected":"string","code":"invalid_type","path":["name"],"message":"Invalid input: expected string, received undefined"}]}`),
		asAdmin("a short name", "POST", adminOrganizations, `{"name":"ab"}`, 400, `{"error":"Invalid request data","details":[{"origin":"string","code":"too_small","minimum":3,"inclusive":true,"path":["name"],"message":"Too small: expected string to have >=3 characters"}]}`),
		asAdmin("a long name", "PUT", adminOrganizations+"/org-a", `{"name":"`+strings.Repeat("x", 61)+`"}`, 400, `{"error":"Invalid request data","details":[{"origin":"string","code":"too_big","maximum":60,"inclusive":true,"path":["name"],"message":"Too big: expected string to have <=60 characters"}]}`),
		asAdmin("metadata as a list", "POST", adminOrganizations, `{"name":"New","metadata":[]}`, 400, ""),
		asAdmin("not JSON", "POST", adminOrganizations, `{`, 400, "Invalid JSON"),
		asAdmin("get an unknown one", "GET", adminOrganizations+"/nope", "", 404, notFound),
		asAdmin("change an unknown one", "PUT", adminOrganizations+"/nope", `{"name":"New"}`, 404, notFound),
		asAdmin("delete an unknown one", "DELETE", adminOrganizations+"/nope", "", 404, notFound),
		asAdmin("delete one with projects", "DELETE", adminOrganizations+"/org-b", "", 400, `{"error":"Cannot delete an organization that has projects. Delete its projects first."}`),
	})
	t.Run("delete", func(t *testing.T) {
		f := newFixture(t, nil)
		f.run(t, scenario{path: "/api/public/organizations/projects", key: "foreignOrg", status: 200}) // its key is cached
		f.run(t, scenario{method: "DELETE", path: "/api/public/projects/project-b", key: "foreignOrg", status: 202})
		f.run(t, asAdmin("", "DELETE", adminOrganizations+"/org-b", "", 200, `{"success":true}`))
		f.run(t, scenario{path: "/api/public/organizations/projects", key: "foreignOrg", status: 401})
		f.run(t, asAdmin("", "GET", adminOrganizations+"/org-b", "", 404, notFound))
		log, err := oldestFirst(t.Context(), f.Catalog, domain.OfOrganization("org-b"))
		if err != nil {
			t.Fatal(err)
		}
		if last := log[len(log)-1]; last.Action != "delete" || last.ResourceKind != "organization" || last.Actor.Kind != "admin" {
			t.Errorf("the deletion is recorded as %+v", last)
		}
	})
}

// TestAdminOrganizationFromNothing creates an organization, a key for it and, with that key, a project, as an operator
// would.
func TestAdminOrganizationFromNothing(t *testing.T) {
	f := newFixture(t, nil)
	send := func(s scenario) []byte {
		t.Helper()
		w := httptest.NewRecorder()
		f.ServeHTTP(w, s.request())
		return w.Body.Bytes()
	}
	organization := decodeJSON[struct{ ID string }](t, send(asAdmin("", "POST", adminOrganizations, `{"name":"New one"}`, 0, "")))
	keys := adminOrganizations + "/" + organization.ID + "/apiKeys"
	key := decodeJSON[struct{ ID, PublicKey, SecretKey string }](t, send(asAdmin("", "POST", keys, `{"note":"first"}`, 0, "")))
	fixtureKeys["made"] = domain.KeyPair{PublicKey: key.PublicKey, SecretKey: key.SecretKey}
	defer delete(fixtureKeys, "made")
	f.run(t, scenario{method: "POST", path: "/api/public/projects", key: "made", body: `{"name":"First"}`, status: 201, contains: []string{`"organization":{"id":"` + organization.ID}})
	f.run(t, asAdmin("", "DELETE", keys+"/"+key.ID, "", 200, `{"success":true}`))
	f.run(t, scenario{path: "/api/public/organizations/projects", key: "made", status: 401})
	if strings.Contains(f.log.String(), key.SecretKey) || strings.Contains(f.log.String(), "admin-secret") {
		t.Error("the log holds a secret")
	}
	log, err := oldestFirst(t.Context(), f.Catalog, domain.OfOrganization(organization.ID))
	if err != nil {
		t.Fatal(err)
	}
	var actions []string
	for _, e := range log {
		actions = append(actions, e.Actor.Kind+": "+e.Action+" "+e.ResourceKind)
	}
	want := []string{"admin: create organization", "admin: create apiKey", "api-key: create project", "admin: delete apiKey"}
	if !slices.Equal(actions, want) {
		t.Errorf("audit log: %q\nwant %q", actions, want)
	}
}

func TestAdminKeys(t *testing.T) {
	const keys = adminOrganizations + "/org-a/apiKeys"
	list := asAdmin("list", "GET", keys, "", 200, "")
	list.contains = []string{`"expiresAt":null,"lastUsedAt":null,"note":"canary organization","publicKey":"pk-lf-org-a","displaySecretKey":"sk-lf-...0004"}]}`}
	list.missing = []string{`"pk-lf-a"`, "pk-lf-org-b", "permissions"}
	created := asAdmin("create", "POST", keys, `{"note":"n","publicKey":"pk-lf-own","secretKey":"sk-lf-own-secret-1","expiresAt":"2090-01-01T00:00:00Z"}`, 201, "")
	created.contains = []string{`"expiresAt":"2090-01-01T00:00:00.000Z","note":"n","publicKey":"pk-lf-own","secretKey":"sk-lf-own-secret-1","displaySecretKey":"sk-lf-...et-1"}`}
	generated := asAdmin("create without a word", "POST", keys, "", 201, "")
	generated.header["Content-Type"] = "application/json"
	generated.contains = []string{`"note":null,"publicKey":"pk-lf-`, `"secretKey":"sk-lf-`}
	const notFound = `{"error":"Organization not found"}`
	runScenarios(t, []scenario{
		list, created, generated,
		asAdmin("list of an unknown organization", "GET", adminOrganizations+"/nope/apiKeys", "", 404, notFound),
		asAdmin("create for an unknown organization", "POST", adminOrganizations+"/nope/apiKeys", `{}`, 404, notFound),
		asAdmin("a key that is taken", "POST", keys, `{"publicKey":"pk-lf-b","secretKey":"sk-lf-own-secret-1"}`, 409, `{"error":"This public key is in use already"}`),
		asAdmin("half a pair", "POST", keys, `{"publicKey":"pk-lf-own"}`, 400, `{"error":"Invalid request data","details":[{"code":"custom","path":[],"message":"A predefined key needs both publicKey and secretKey"}]}`),
		asAdmin("a long note", "POST", keys, `{"note":"`+strings.Repeat("x", 1001)+`"}`, 400, ""),
		asAdmin("delete an unknown key", "DELETE", keys+"/nope", "", 404, `{"error":"API key not found"}`),
	})
	f := newFixture(t, nil)
	for _, public := range []string{"pk-lf-a", "pk-lf-org-b"} { // of a project, of another organization
		key, err := f.Catalog.KeyByPublic(t.Context(), public)
		if err != nil {
			t.Fatal(err)
		}
		f.run(t, asAdmin("", "DELETE", keys+"/"+key.ID, "", 404, `{"error":"API key not found"}`))
	}
}

func TestManageKeys(t *testing.T) {
	const path = "/api/admin/api-keys"
	use := func(t *testing.T, f *fixture, key string, status int) {
		t.Helper()
		f.run(t, scenario{path: "/api/public/projects", key: key, status: status})
	}
	t.Run("delete", func(t *testing.T) {
		f := newFixture(t, nil)
		use(t, f, "project", 200)
		use(t, f, "limited", 200)
		before := changesIn(t, f.Catalog)
		f.run(t, asAdmin("", "POST", path, `{"action":"delete","projectIds":["project-a","nope","project-b"]}`, 200, `{"message":"API keys deleted","deleted":3,"unknownProjectIds":["nope"]}`))
		if got := changesIn(t, f.Catalog) - before; got != 3 {
			t.Errorf("%d entries in the audit log", got)
		}
		for key, status := range map[string]int{"project": 401, "limited": 401, "foreign": 401, "neighbour": 200} {
			use(t, f, key, status)
		}
		f.run(t, scenario{path: "/api/public/organizations/apiKeys", key: "organization", status: 200})
		f.run(t, asAdmin("", "POST", path, `{"action":"delete","projectIds":[]}`, 200, `{"message":"API keys deleted","deleted":0,"unknownProjectIds":[]}`))
	})
	for action, body := range map[string]string{"invalidate": `{"action":"invalidate","projectIds":["project-a"]}`, "invalidate-all": `{"action":"invalidate-all"}`} {
		t.Run(action, func(t *testing.T) {
			f := newFixture(t, nil)
			use(t, f, "project", 200)
			// A key deleted by another process is still cached.
			other, err := catalog.OpenCurrent(t.Context(), f.catalogFile)
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			if _, err := other.RevokeKey(t.Context(), "pk-lf-a", domain.Actor{}); err != nil {
				t.Fatal(err)
			}
			use(t, f, "project", 200)
			f.run(t, asAdmin("", "POST", path, body, 200, `{"message":"API keys invalidated"}`))
			use(t, f, "project", 401)
			use(t, f, "limited", 200)
		})
	}
	const noAction = `{"error":"Invalid request data","details":[{"code":"invalid_union","errors":[],"note":"No matching discriminator","discriminator":"action","path":["action"],"message":"Invalid input"}]}`
	runScenarios(t, []scenario{
		asAdmin("no action", "POST", path, `{}`, 400, noAction),
		asAdmin("another action", "POST", path, `{"action":"rotate","projectIds":[]}`, 400, noAction),
		asAdmin("an action of another type", "POST", path, `{"action":1}`, 400, noAction),
		asAdmin("a list", "POST", path, `[]`, 400, `{"error":"Invalid request data","details":[{"expected":"object","code":"invalid_type","path":[],"message":"Invalid input: expected object, received array"}]}`),
		asAdmin("no projects", "POST", path, `{"action":"delete"}`, 400, `{"error":"Invalid request data","details":[{"expected":"array","code":"invalid_type","path":["projectIds"],"message":"Invalid input: expected array, received undefined"}]}`),
		asAdmin("projects of another type", "POST", path, `{"action":"invalidate","projectIds":[1]}`, 400, `{"error":"Invalid request data","details":[{"expected":"string","code":"invalid_type","path":["projectIds",0],"message":"Invalid input: expected string, received number"}]}`),
		asAdmin("too many projects", "POST", path, `{"action":"delete","projectIds":["x"`+strings.Repeat(`,"x"`, 1000)+`]}`, 400, `{"error":"Invalid request data","details":[{"origin":"array","code":"too_big","maximum":1000,"inclusive":true,"path":["projectIds"],"message":"Too big: expected array to have <=1000 items"}]}`),
		{name: "a project key", method: "POST", path: path, key: "project", body: `{"action":"invalidate-all"}`, status: 401},
	})
}
