package admin_test

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"almanac/internal/access/auth"
	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
)

const adminOrganizations = "/api/admin/organizations"

func TestAdminAccess(t *testing.T) {
	bearer := func(token string) map[string]string { return map[string]string{"Authorization": "Bearer " + token} }
	const wrong = `{"error":"Unauthorized: the admin API key is missing or wrong"}`
	apitest.Run(t, []apitest.Scenario{
		{Name: "no key", Path: adminOrganizations, Status: 401, Want: wrong},
		{Name: "a wrong key", Path: adminOrganizations, Header: bearer("admin-secre"), Status: 401, Want: wrong},
		{Name: "an organization key", Path: adminOrganizations + "/org-a", Key: "organization", Status: 401, Want: wrong},
		{Name: "another method", Method: "PATCH", Path: adminOrganizations, Status: 405, Want: `{"error":"Method not allowed"}`},
		{Name: "another method of keys", Path: "/api/admin/api-keys", Status: 405, Want: `{"error":"Method not allowed"}`},
	})
	t.Run("switched off", func(t *testing.T) {
		f := apitest.New(t, func(o *httpapi.Options) { o.Admin = auth.NewAdmin("") })
		for _, path := range []string{adminOrganizations, adminOrganizations + "/org-a"} {
			f.Run(t, apitest.Scenario{
				Path: path, Header: bearer(""), Status: 403,
				Want: `{"error":"Instance administration is switched off: no admin API key is configured"}`,
			})
		}
	})
}

func TestAdminOrganizations(t *testing.T) {
	list := apitest.AsAdmin("list", "GET", adminOrganizations, "", 200, "")
	list.Contains = []string{
		`{"organizations":[{"id":"org-a","name":"Organization canary a","createdAt":"2`, `Z","metadata":{},"projects":[{"id":"project-a`,
		`{"id":"project-b","name":"Project canary b","metadata":{},"createdAt":"2`,
	}
	created := apitest.AsAdmin("create", "POST", adminOrganizations, `{"name":"New <one>","metadata":{"b":[1],"a":null}}`, 201, "")
	created.Contains = []string{`"name":"New <one>","createdAt":"2`, `"metadata":{"b":[1],"a":null},"projects":[]}`}
	plain := apitest.AsAdmin("create with a name alone", "POST", adminOrganizations, `{"name":"New","metadata":null}`, 201, "")
	plain.Contains = []string{`"metadata":{},"projects":[]}`}
	get := apitest.AsAdmin("get", "GET", adminOrganizations+"/org-b", "", 200, "")
	get.Contains = []string{`{"id":"org-b","name":"Organization canary b"`, `"projects":[{"id":"project-b"`}
	get.Missing = []string{"project-a"}
	put := apitest.AsAdmin("change", "PUT", adminOrganizations+"/org-a", `{"name":"Renamed","metadata":"{\"k\":1}"}`, 200, "")
	put.Contains = []string{`{"id":"org-a","name":"Renamed"`, `"metadata":{"k":1},"projects":[{"id":"project-a`}
	put.After = func(t *testing.T, f *apitest.Fixture) {
		kept := apitest.AsAdmin("", "PUT", adminOrganizations+"/org-a", `{"name":"Again"}`, 200, "")
		kept.Contains = []string{`"name":"Again"`, `"metadata":{"k":1}`}
		f.Run(t, kept)
		log, err := apitest.OldestFirst(t.Context(), f.Catalog, domain.OfOrganization("org-a"))
		if err != nil {
			t.Fatal(err)
		}
		if last := log[len(log)-1]; last.Action != "update" || last.ResourceKind != "organization" ||
			last.Actor != (domain.Actor{Kind: "admin"}) {
			t.Errorf("the change is recorded as %+v", last)
		}
	}
	const notFound = `{"error":"Organization not found"}`
	apitest.Run(t, []apitest.Scenario{
		list, created, plain, get, put,
		apitest.AsAdmin("no name", "POST", adminOrganizations, `{}`, 400,
			`{"error":"Invalid request data","details":[{"expected":"string","code":"invalid_type","path":["name"],"message":"Invalid input: expected string, received undefined"}]}`),
		apitest.AsAdmin("a short name", "POST", adminOrganizations, `{"name":"ab"}`, 400,
			`{"error":"Invalid request data","details":[{"origin":"string","code":"too_small","minimum":3,"inclusive":true,"path":["name"],"message":"Too small: expected string to have >=3 characters"}]}`),
		apitest.AsAdmin("a long name", "PUT", adminOrganizations+"/org-a", `{"name":"`+strings.Repeat("x", 61)+`"}`, 400,
			`{"error":"Invalid request data","details":[{"origin":"string","code":"too_big","maximum":60,"inclusive":true,"path":["name"],"message":"Too big: expected string to have <=60 characters"}]}`),
		apitest.AsAdmin("metadata as a list", "POST", adminOrganizations, `{"name":"New","metadata":[]}`, 400, ""),
		apitest.AsAdmin("not JSON", "POST", adminOrganizations, `{`, 400, "Invalid JSON"),
		apitest.AsAdmin("get an unknown one", "GET", adminOrganizations+"/nope", "", 404, notFound),
		apitest.AsAdmin("change an unknown one", "PUT", adminOrganizations+"/nope", `{"name":"New"}`, 404, notFound),
		apitest.AsAdmin("delete an unknown one", "DELETE", adminOrganizations+"/nope", "", 404, notFound),
		apitest.AsAdmin("delete one with projects", "DELETE", adminOrganizations+"/org-b", "", 400,
			`{"error":"Cannot delete an organization that has projects. Delete its projects first."}`),
	})
	t.Run("delete", func(t *testing.T) {
		f := apitest.New(t, nil)
		f.Run(t, apitest.Scenario{Path: "/api/public/organizations/projects", Key: "foreignOrg", Status: 200}) // its key is cached
		f.Run(t, apitest.Scenario{Method: "DELETE", Path: "/api/public/projects/project-b", Key: "foreignOrg", Status: 202})
		f.Run(t, apitest.AsAdmin("", "DELETE", adminOrganizations+"/org-b", "", 200, `{"success":true}`))
		f.Run(t, apitest.Scenario{Path: "/api/public/organizations/projects", Key: "foreignOrg", Status: 401})
		f.Run(t, apitest.AsAdmin("", "GET", adminOrganizations+"/org-b", "", 404, notFound))
		log, err := apitest.OldestFirst(t.Context(), f.Catalog, domain.OfOrganization("org-b"))
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
	f := apitest.New(t, nil)
	send := func(s apitest.Scenario) []byte {
		t.Helper()
		w := httptest.NewRecorder()
		f.ServeHTTP(w, s.Request())
		return w.Body.Bytes()
	}
	organization := apitest.DecodeJSON[struct{ ID string }](t, send(apitest.AsAdmin("", "POST", adminOrganizations, `{"name":"New one"}`, 0, "")))
	keys := adminOrganizations + "/" + organization.ID + "/apiKeys"
	key := apitest.DecodeJSON[struct{ ID, PublicKey, SecretKey string }](t, send(apitest.AsAdmin("", "POST", keys, `{"note":"first"}`, 0, "")))
	apitest.Keys["made"] = domain.KeyPair{PublicKey: key.PublicKey, SecretKey: key.SecretKey}
	defer delete(apitest.Keys, "made")
	f.Run(t, apitest.Scenario{
		Method: "POST", Path: "/api/public/projects", Key: "made", Body: `{"name":"First"}`, Status: 201,
		Contains: []string{`"organization":{"id":"` + organization.ID},
	})
	f.Run(t, apitest.AsAdmin("", "DELETE", keys+"/"+key.ID, "", 200, `{"success":true}`))
	f.Run(t, apitest.Scenario{Path: "/api/public/organizations/projects", Key: "made", Status: 401})
	if strings.Contains(f.Logged.String(), key.SecretKey) || strings.Contains(f.Logged.String(), "admin-secret") {
		t.Error("the log holds a secret")
	}
	log, err := apitest.OldestFirst(t.Context(), f.Catalog, domain.OfOrganization(organization.ID))
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
	list := apitest.AsAdmin("list", "GET", keys, "", 200, "")
	list.Contains = []string{
		`"expiresAt":null,"lastUsedAt":null,"note":"canary organization","publicKey":"pk-lf-org-a","displaySecretKey":"sk-lf-...0004"}]}`,
	}
	list.Missing = []string{`"pk-lf-a"`, "pk-lf-org-b", "permissions"}
	created := apitest.AsAdmin("create", "POST", keys,
		`{"note":"n","publicKey":"pk-lf-own","secretKey":"sk-lf-own-secret-1","expiresAt":"2090-01-01T00:00:00Z"}`, 201, "")
	created.Contains = []string{
		`"expiresAt":"2090-01-01T00:00:00.000Z","note":"n","publicKey":"pk-lf-own","secretKey":"sk-lf-own-secret-1","displaySecretKey":"sk-lf-...et-1"}`,
	}
	generated := apitest.AsAdmin("create without a word", "POST", keys, "", 201, "")
	generated.Header["Content-Type"] = "application/json"
	generated.Contains = []string{`"note":null,"publicKey":"pk-lf-`, `"secretKey":"sk-lf-`}
	const notFound = `{"error":"Organization not found"}`
	apitest.Run(t, []apitest.Scenario{
		list, created, generated,
		apitest.AsAdmin("list of an unknown organization", "GET", adminOrganizations+"/nope/apiKeys", "", 404, notFound),
		apitest.AsAdmin("create for an unknown organization", "POST", adminOrganizations+"/nope/apiKeys", `{}`, 404, notFound),
		apitest.AsAdmin("a key that is taken", "POST", keys, `{"publicKey":"pk-lf-b","secretKey":"sk-lf-own-secret-1"}`, 409,
			`{"error":"This public key is in use already"}`),
		apitest.AsAdmin("half a pair", "POST", keys, `{"publicKey":"pk-lf-own"}`, 400,
			`{"error":"Invalid request data","details":[{"code":"custom","path":[],"message":"A predefined key needs both publicKey and secretKey"}]}`),
		apitest.AsAdmin("a long note", "POST", keys, `{"note":"`+strings.Repeat("x", 1001)+`"}`, 400, ""),
		apitest.AsAdmin("delete an unknown key", "DELETE", keys+"/nope", "", 404, `{"error":"API key not found"}`),
	})
	f := apitest.New(t, nil)
	for _, public := range []string{"pk-lf-a", "pk-lf-org-b"} { // of a project, of another organization
		key, err := f.Catalog.KeyByPublic(t.Context(), public)
		if err != nil {
			t.Fatal(err)
		}
		f.Run(t, apitest.AsAdmin("", "DELETE", keys+"/"+key.ID, "", 404, `{"error":"API key not found"}`))
	}
}

func TestManageKeys(t *testing.T) {
	const path = "/api/admin/api-keys"
	use := func(t *testing.T, f *apitest.Fixture, key string, status int) {
		t.Helper()
		f.Run(t, apitest.Scenario{Path: "/api/public/projects", Key: key, Status: status})
	}
	t.Run("delete", func(t *testing.T) {
		f := apitest.New(t, nil)
		use(t, f, "project", 200)
		use(t, f, "limited", 200)
		before := changesIn(t, f.Catalog)
		f.Run(t, apitest.AsAdmin("", "POST", path, `{"action":"delete","projectIds":["project-a","nope","project-b"]}`, 200,
			`{"message":"API keys deleted","deleted":3,"unknownProjectIds":["nope"]}`))
		if got := changesIn(t, f.Catalog) - before; got != 3 {
			t.Errorf("%d entries in the audit log", got)
		}
		for key, status := range map[string]int{"project": 401, "limited": 401, "foreign": 401, "neighbour": 200} {
			use(t, f, key, status)
		}
		f.Run(t, apitest.Scenario{Path: "/api/public/organizations/apiKeys", Key: "organization", Status: 200})
		f.Run(t,
			apitest.AsAdmin("", "POST", path, `{"action":"delete","projectIds":[]}`, 200,
				`{"message":"API keys deleted","deleted":0,"unknownProjectIds":[]}`))
	})
	for action, body := range map[string]string{
		"invalidate": `{"action":"invalidate","projectIds":["project-a"]}`, "invalidate-all": `{"action":"invalidate-all"}`,
	} {
		t.Run(action, func(t *testing.T) {
			f := apitest.New(t, nil)
			use(t, f, "project", 200)
			// A key deleted by another process is still cached.
			other, err := catalog.OpenCurrent(t.Context(), f.CatalogFile)
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			if _, err := other.RevokeKey(t.Context(), "pk-lf-a", domain.Actor{}); err != nil {
				t.Fatal(err)
			}
			use(t, f, "project", 200)
			f.Run(t, apitest.AsAdmin("", "POST", path, body, 200, `{"message":"API keys invalidated"}`))
			use(t, f, "project", 401)
			use(t, f, "limited", 200)
		})
	}
	const noAction = `{"error":"Invalid request data","details":[{"code":"invalid_union","errors":[],"note":"No matching discriminator","discriminator":"action","path":["action"],"message":"Invalid input"}]}`
	apitest.Run(t, []apitest.Scenario{
		apitest.AsAdmin("no action", "POST", path, `{}`, 400, noAction),
		apitest.AsAdmin("another action", "POST", path, `{"action":"rotate","projectIds":[]}`, 400, noAction),
		apitest.AsAdmin("an action of another type", "POST", path, `{"action":1}`, 400, noAction),
		apitest.AsAdmin("a list", "POST", path, `[]`, 400,
			`{"error":"Invalid request data","details":[{"expected":"object","code":"invalid_type","path":[],"message":"Invalid input: expected object, received array"}]}`),
		apitest.AsAdmin("no projects", "POST", path, `{"action":"delete"}`, 400,
			`{"error":"Invalid request data","details":[{"expected":"array","code":"invalid_type","path":["projectIds"],"message":"Invalid input: expected array, received undefined"}]}`),
		apitest.AsAdmin("projects of another type", "POST", path, `{"action":"invalidate","projectIds":[1]}`, 400,
			`{"error":"Invalid request data","details":[{"expected":"string","code":"invalid_type","path":["projectIds",0],"message":"Invalid input: expected string, received number"}]}`),
		apitest.AsAdmin("too many projects", "POST", path, `{"action":"delete","projectIds":["x"`+strings.Repeat(`,"x"`, 1000)+`]}`, 400,
			`{"error":"Invalid request data","details":[{"origin":"array","code":"too_big","maximum":1000,"inclusive":true,"path":["projectIds"],"message":"Too big: expected array to have <=1000 items"}]}`),
		{Name: "a project key", Method: "POST", Path: path, Key: "project", Body: `{"action":"invalidate-all"}`, Status: 401},
	})
}
