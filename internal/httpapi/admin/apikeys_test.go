package admin_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

const keysOfA = "/api/public/projects/project-a/apiKeys"

func TestListKeys(t *testing.T) {
	apitest.Run(t, []apitest.Scenario{
		{
			Name: "keys of one project", Path: keysOfA, Key: "organization", Status: 200,
			Contains: []string{
				`"expiresAt":null,"lastUsedAt":null,"note":"canary project","publicKey":"pk-lf-a","displaySecretKey":"sk-lf-...0001","permissions":["traces:read","traces:write","traces:delete","scores:read"`,
				`"note":"canary limited","publicKey":"pk-lf-limited","displaySecretKey":"sk-lf-...0002","permissions":["traces:read"]`,
			},
			Missing: []string{"pk-lf-a2", "pk-lf-org-a", "pk-lf-b", "-secret-", "hmac"},
		},
		{
			Name: "unknown project", Path: "/api/public/projects/nope/apiKeys", Key: "organization", Status: 404,
			Want: `{"message":"Project not found or you don't have access to it"}`,
		},
		{
			Name: "project of another organization", Path: keysOfA, Key: "foreignOrg", Status: 404,
			Want: `{"message":"Project not found or you don't have access to it"}`,
		},
		{
			Name: "a project key", Path: keysOfA, Key: "project", Status: 403,
			Want: `{"message":"Invalid API key. Organization-scoped API key required for this operation."}`,
		},
		{Name: "another method", Method: "PUT", Path: keysOfA, Key: "organization", Status: 405, Want: `{"message":"Method not allowed"}`},
	})
}

func TestCreateKey(t *testing.T) {
	post := func(name, body string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Method: "POST", Path: keysOfA, Key: "organization", Body: body, Status: status, Want: want}
	}
	chosen := post("of one's own choice", `{"note":"ci","publicKey":"pk-lf-own","secretKey":"sk-lf-own-secret-1"}`, 201, "")
	chosen.Contains = []string{`"note":"ci","publicKey":"pk-lf-own","secretKey":"sk-lf-own-secret-1","displaySecretKey":"sk-lf-...et-1"`}
	empty := post("generated", ``, 201, "")
	empty.Contains = []string{`"note":null,"publicKey":"pk-lf-`, `"secretKey":"sk-lf-`, `"permissions":["traces:read","traces:write","traces:delete","scores:read","scores:write","scores:delete",` +
		`"prompts:read","prompts:write","prompts:delete","datasets:read","datasets:write","datasets:delete","comments:read","comments:write","feedback:write","project:admin","traces:publish"]`}
	empty.Header = map[string]string{"Content-Type": "application/json"}
	foreign := post("for a project of another organization", `{}`, 404, `{"message":"Project not found or you don't have access to it"}`)
	foreign.Key = "foreignOrg"

	apitest.Run(t, []apitest.Scenario{
		chosen, empty, foreign,
		post("half a pair", `{"publicKey":"pk-lf-own"}`, 400,
			`{"message":"Invalid request data","details":[{"code":"custom","path":[],"message":"A predefined key needs both publicKey and secretKey"}]}`),
		post("wrong prefixes", `{"publicKey":"own-public","secretKey":"own-secret-1234567"}`, 400,
			`{"message":"Invalid request data","details":[{"code":"custom","path":["publicKey"],"message":"A predefined key starts with pk-lf-"},{"code":"custom","path":["secretKey"],"message":"A predefined key starts with sk-lf-"}]}`),
		post("a colon", `{"publicKey":"pk-lf-a:b","secretKey":"sk-lf-0123456789"}`, 400,
			`{"message":"Invalid request data","details":[{"code":"custom","path":["publicKey"],"message":"A predefined key holds no colons and no blanks"}]}`),
		post("a guessable secret", `{"publicKey":"pk-lf-own","secretKey":"sk-lf-1"}`, 400,
			`{"message":"Invalid request data","details":[{"origin":"string","code":"too_small","minimum":16,"inclusive":true,"path":["secretKey"],"message":"Too small: expected string to have >=16 characters"}]}`),
		post("in use", `{"publicKey":"pk-lf-b","secretKey":"sk-lf-own-secret-1"}`, 409, `{"message":"This public key is in use already"}`),
		post("unknown permission", `{"permissions":["traces:read","nope"]}`, 400, ""),
		post("no permission", `{"permissions":[]}`, 400,
			`{"message":"Invalid request data","details":[{"origin":"array","code":"too_small","minimum":1,"inclusive":true,"path":["permissions"],"message":"Too small: expected array to have >=1 items"}]}`),
		post("a long note", `{"note":"`+strings.Repeat("x", 1001)+`"}`, 400, ""),
		post("a bad expiry", `{"expiresAt":"tomorrow"}`, 400, ""),
		{Name: "unknown project", Method: "POST", Path: "/api/public/projects/nope/apiKeys", Key: "organization", Body: `{}`, Status: 404},
	})
}

// TestKeyLife follows a key from creation to deletion.
func TestKeyLife(t *testing.T) {
	f := apitest.New(t, nil)
	apitest.Keys["created"] = domain.KeyPair{PublicKey: "pk-lf-created", SecretKey: "sk-lf-created-0001"}
	defer delete(apitest.Keys, "created")
	use := func(status int) {
		f.Run(t, apitest.Scenario{Path: "/api/public/projects", Key: "created", Status: status})
	}

	use(401) // and cached as unknown
	f.Run(t, apitest.Scenario{
		Method: "POST", Path: keysOfA, Key: "organization", Status: 201,
		Body: `{"publicKey":"pk-lf-created","secretKey":"sk-lf-created-0001","permissions":["traces:read"]}`,
	})
	use(200)
	f.Run(t, apitest.Scenario{
		Method: "POST", Path: "/api/public/otel/v1/traces", Key: "created", Body: `{"resourceSpans":[]}`, Status: 403,
		Want: `{"message":"Access denied - insufficient permissions for this endpoint: the key lacks the permission traces:write"}`,
	})

	stored, err := f.Catalog.KeyByPublic(t.Context(), "pk-lf-created")
	if err != nil {
		t.Fatal(err)
	}
	remove := apitest.Scenario{Method: "DELETE", Path: keysOfA + "/" + stored.ID, Key: "organization", Status: 200, Want: `{"success":true}`}
	for name, s := range map[string]apitest.Scenario{
		"of another organization": {
			Method: "DELETE", Path: remove.Path, Key: "foreignOrg", Status: 404, Want: `{"message":"API key not found"}`,
		},
		"of another project": {
			Method: "DELETE", Path: strings.Replace(remove.Path, "project-a", "project-a2", 1), Key: "organization", Status: 404,
		},
		"unknown":        {Method: "DELETE", Path: keysOfA + "/nope", Key: "organization", Status: 404},
		"another method": {Method: "GET", Path: remove.Path, Key: "organization", Status: 405},
		"a project key":  {Method: "DELETE", Path: remove.Path, Key: "project", Status: 403},
	} {
		t.Run(name, func(t *testing.T) { f.Run(t, s) })
	}
	use(200)
	f.Run(t, remove)
	use(401)
}

// TestGeneratedKeyWorks uses a generated pair as a client would.
func TestGeneratedKeyWorks(t *testing.T) {
	f := apitest.New(t, nil)
	w := httptest.NewRecorder()
	f.ServeHTTP(w, apitest.Scenario{Method: "POST", Path: keysOfA, Key: "organization", Body: `{}`}.Request())
	created := apitest.DecodeJSON[newKeyBodyRead](t, w.Body.Bytes())
	apitest.Keys["generated"] = domain.KeyPair{PublicKey: created.PublicKey, SecretKey: created.SecretKey}
	defer delete(apitest.Keys, "generated")
	f.Run(t, apitest.Scenario{Path: "/api/public/projects", Key: "generated", Status: 200, Contains: []string{`"project-a"`}})
	if strings.Contains(f.Logged.String(), created.SecretKey) {
		t.Error("the log holds the secret")
	}
}

type newKeyBodyRead struct{ PublicKey, SecretKey string }
