package httpapi

import (
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/domain"
)

const keysOfA = "/api/public/projects/project-a/apiKeys"

func TestListKeys(t *testing.T) {
	runScenarios(t, []scenario{
		{
			name: "keys of one project", path: keysOfA, key: "organization", status: 200,
			contains: []string{
				`"expiresAt":null,"lastUsedAt":null,"note":"canary project","publicKey":"pk-lf-a","displaySecretKey":"sk-lf-...0001","permissions":["traces:read","traces:write","traces:delete","scores:read"`,
				`"note":"canary limited","publicKey":"pk-lf-limited","displaySecretKey":"sk-lf-...0002","permissions":["traces:read"]`,
			},
			missing: []string{"pk-lf-a2", "pk-lf-org-a", "pk-lf-b", "-secret-", "hmac"},
		},
		{name: "unknown project", path: "/api/public/projects/nope/apiKeys", key: "organization", status: 404, want: `{"message":"Project not found or you don't have access to it"}`},
		{name: "project of another organization", path: keysOfA, key: "foreignOrg", status: 404, want: `{"message":"Project not found or you don't have access to it"}`},
		{name: "a project key", path: keysOfA, key: "project", status: 403, want: `{"message":"Invalid API key. Organization-scoped API key required for this operation."}`},
		{name: "another method", method: "PUT", path: keysOfA, key: "organization", status: 405, want: `{"message":"Method not allowed"}`},
	})
}

func TestCreateKey(t *testing.T) {
	post := func(name, body string, status int, want string) scenario {
		return scenario{name: name, method: "POST", path: keysOfA, key: "organization", body: body, status: status, want: want}
	}
	chosen := post("of one's own choice", `{"note":"ci","publicKey":"pk-lf-own","secretKey":"sk-lf-own-secret-1"}`, 201, "")
	chosen.contains = []string{`"note":"ci","publicKey":"pk-lf-own","secretKey":"sk-lf-own-secret-1","displaySecretKey":"sk-lf-...et-1"`}
	empty := post("generated", ``, 201, "")
	empty.contains = []string{`"note":null,"publicKey":"pk-lf-`, `"secretKey":"sk-lf-`, `"permissions":["traces:read","traces:write","traces:delete","scores:read","scores:write","scores:delete",` +
		`"prompts:read","prompts:write","prompts:delete","datasets:read","datasets:write","datasets:delete","comments:read","comments:write","feedback:write","project:admin","traces:publish"]`}
	empty.header = map[string]string{"Content-Type": "application/json"}
	foreign := post("for a project of another organization", `{}`, 404, `{"message":"Project not found or you don't have access to it"}`)
	foreign.key = "foreignOrg"

	runScenarios(t, []scenario{
		chosen, empty, foreign,
		post("half a pair", `{"publicKey":"pk-lf-own"}`, 400, `{"message":"Invalid request data","details":[{"code":"custom","path":[],"message":"A predefined key needs both publicKey and secretKey"}]}`),
		post("wrong prefixes", `{"publicKey":"own-public","secretKey":"own-secret-1234567"}`, 400, `{"message":"Invalid request data","details":[{"code":"custom","path":["publicKey"],"message":"A predefined key starts with pk-lf-"},{"code":"custom","path":["secretKey"],"message":"A predefined key starts with sk-lf-"}]}`),
		post("a colon", `{"publicKey":"pk-lf-a:b","secretKey":"sk-lf-0123456789"}`, 400, `{"message":"Invalid request data","details":[{"code":"custom","path":["publicKey"],"message":"A predefined key holds no colons and no blanks"}]}`),
		post("a guessable secret", `{"publicKey":"pk-lf-own","secretKey":"sk-lf-1"}`, 400, `{"message":"Invalid request data","details":[{"origin":"string","code":"too_small","minimum":16,"inclusive":true,"path":["secretKey"],"message":"Too small: expected string to have >=16 characters"}]}`),
		post("in use", `{"publicKey":"pk-lf-b","secretKey":"sk-lf-own-secret-1"}`, 409, `{"message":"This public key is in use already"}`),
		post("unknown permission", `{"permissions":["traces:read","nope"]}`, 400, ""),
		post("no permission", `{"permissions":[]}`, 400, `{"message":"Invalid request data","details":[{"origin":"array","code":"too_small","minimum":1,"inclusive":true,"path":["permissions"],"message":"Too small: expected array to have >=1 items"}]}`),
		post("a long note", `{"note":"`+strings.Repeat("x", 1001)+`"}`, 400, ""),
		post("a bad expiry", `{"expiresAt":"tomorrow"}`, 400, ""),
		{name: "unknown project", method: "POST", path: "/api/public/projects/nope/apiKeys", key: "organization", body: `{}`, status: 404},
	})
}

// TestKeyLife follows a key from creation to deletion.
func TestKeyLife(t *testing.T) {
	f := newFixture(t, nil)
	fixtureKeys["created"] = domain.KeyPair{PublicKey: "pk-lf-created", SecretKey: "sk-lf-created-0001"}
	defer delete(fixtureKeys, "created")
	use := func(status int) { f.run(t, scenario{path: "/probe/project", key: "created", status: status}) }

	use(401) // and cached as unknown
	f.run(t, scenario{
		method: "POST", path: keysOfA, key: "organization", status: 201,
		body: `{"publicKey":"pk-lf-created","secretKey":"sk-lf-created-0001","permissions":["traces:read"]}`,
	})
	use(200)
	f.run(t, scenario{method: "POST", path: "/probe/traces", key: "created", status: 403, want: `{"message":"Access denied - insufficient permissions for this endpoint: the key lacks the permission traces:write"}`})

	stored, err := f.Catalog.KeyByPublic(t.Context(), "pk-lf-created")
	if err != nil {
		t.Fatal(err)
	}
	remove := scenario{method: "DELETE", path: keysOfA + "/" + stored.ID, key: "organization", status: 200, want: `{"success":true}`}
	for name, s := range map[string]scenario{
		"of another organization": {method: "DELETE", path: remove.path, key: "foreignOrg", status: 404, want: `{"message":"API key not found"}`},
		"of another project":      {method: "DELETE", path: strings.Replace(remove.path, "project-a", "project-a2", 1), key: "organization", status: 404},
		"unknown":                 {method: "DELETE", path: keysOfA + "/nope", key: "organization", status: 404},
		"another method":          {method: "GET", path: remove.path, key: "organization", status: 405},
		"a project key":           {method: "DELETE", path: remove.path, key: "project", status: 403},
	} {
		t.Run(name, func(t *testing.T) { f.run(t, s) })
	}
	use(200)
	f.run(t, remove)
	use(401)
}

// TestGeneratedKeyWorks uses a generated pair as a client would.
func TestGeneratedKeyWorks(t *testing.T) {
	f := newFixture(t, nil)
	w := httptest.NewRecorder()
	f.ServeHTTP(w, scenario{method: "POST", path: keysOfA, key: "organization", body: `{}`}.request())
	created := decodeJSON[newKeyBodyRead](t, w.Body.Bytes())
	fixtureKeys["generated"] = domain.KeyPair{PublicKey: created.PublicKey, SecretKey: created.SecretKey}
	defer delete(fixtureKeys, "generated")
	f.run(t, scenario{path: "/api/public/projects", key: "generated", status: 200, contains: []string{`"project-a"`}})
	if strings.Contains(f.log.String(), created.SecretKey) {
		t.Error("the log holds the secret")
	}
}

type newKeyBodyRead struct{ PublicKey, SecretKey string }
