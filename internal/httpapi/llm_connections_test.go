package httpapi

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/domain"
)

const connectionsPath = "/api/public/llm-connections"

// connection returns the body of a connection with additional members.
func connection(adapter, members string) string {
	return `{"provider":"p","adapter":"` + adapter + `","secretKey":"sk-0123456789abcd"` + members + `}`
}

func TestPutLLMConnection(t *testing.T) {
	put := func(name, body string, status int, want string, contains ...string) scenario {
		return scenario{name: name, method: "PUT", path: connectionsPath, key: "project", body: body, status: status, want: want, contains: contains, missing: []string{"0123456789"}}
	}
	created := func(name, body string, contains ...string) scenario { return put(name, body, 201, "", contains...) }
	refused := func(name, body string, issues ...string) scenario { return put(name, body, 400, invalid(issues...)) }
	says := func(name, body string, parts ...string) scenario { return put(name, body, 400, "", parts...) }
	const (
		private = "baseURL leads to this machine or its private network, which the operator does not allow"
		bedrock = "The secretKey of a bedrock connection is a JSON object with accessKeyId and secretAccessKey, or with apiKey, or __BEDROCK_DEFAULT_CREDENTIALS__"
	)
	region := `,"config":{"region":"eu-central-1"}`
	bedrockSecret := func(secret string) string {
		return strings.Replace(connection("bedrock", region), `"sk-0123456789abcd"`, fmt.Sprintf("%q", secret), 1)
	}
	scenarios := []scenario{
		created("the least", connection("openai", ``),
			`"provider":"p","adapter":"openai","displaySecretKey":"...abcd","baseURL":null,"customModels":[],"withDefaultModels":true,"extraHeaderKeys":[],"config":null,"createdAt":"`),
		created("everything", connection("openai", `,"baseURL":"https://api.example.org/v1","customModels":["a","b"],"withDefaultModels":false,"extraHeaders":{"X-B":"0123456789","X-A":""},"config":{"useResponsesApi":true},"unknown":1`),
			`"baseURL":"https://api.example.org/v1","customModels":["a","b"],"withDefaultModels":false,"extraHeaderKeys":["X-A","X-B"],"config":{"useResponsesApi":true}`),
		created("null for what may be left out", connection("azure", `,"baseURL":null,"customModels":null,"withDefaultModels":null,"extraHeaders":null,"config":null`),
			`"baseURL":null,"customModels":[],"withDefaultModels":true,"extraHeaderKeys":[],"config":null`),
		created("a short secret shows nothing", strings.Replace(connection("openai", ``), "sk-0123456789abcd", "short-12345", 1), `"displaySecretKey":"..."`),
		created("the end of a secret that is not ASCII", strings.Replace(connection("openai", ``), "sk-0123456789abcd", "geheimnis-äöüß", 1), `"displaySecretKey":"...äöüß"`),
		created("bedrock, a pair of keys", bedrockSecret(`{"accessKeyId":"0123456789","secretAccessKey":"0123456789"}`), `"config":{"region":"eu-central-1"}`),
		created("bedrock, one key", bedrockSecret(`{"apiKey":"0123456789"}`)),
		created("bedrock, the host's credentials", bedrockSecret("__BEDROCK_DEFAULT_CREDENTIALS__")),
		created("vertex with a location", connection("google-vertex-ai", `,"config":{"location":"europe-west1"}`), `"config":{"location":"europe-west1"}`),
		created("vertex without one", connection("google-vertex-ai", `,"config":{}`), `"config":{}`),
		created("ai studio", connection("google-ai-studio", ``)),
		created("anthropic", connection("anthropic", ``)),

		refused("nothing", `{}`, wrongType("provider", "string", "undefined"),
			`{"code":"invalid_value","values":["anthropic","openai","azure","bedrock","google-vertex-ai","google-ai-studio"],"path":["adapter"],"message":"Invalid option: expected one of \"anthropic\"|\"openai\"|\"azure\"|\"bedrock\"|\"google-vertex-ai\"|\"google-ai-studio\""}`,
			wrongType("secretKey", "string", "undefined")),
		says("an empty provider", strings.Replace(connection("openai", ``), `"p"`, `""`, 1), `"path":["provider"],"message":"Too small`),
		says("a long provider", strings.Replace(connection("openai", ``), `"p"`, `"`+strings.Repeat("p", 201)+`"`, 1), `"path":["provider"],"message":"Too big: expected string to have <=200 characters"`),
		says("an empty secret", strings.Replace(connection("openai", ``), "sk-0123456789abcd", "", 1), `"path":["secretKey"],"message":"Too small`),
		says("a long secret", strings.Replace(connection("openai", ``), "sk-0123456789abcd", strings.Repeat("0123456789", 2001), 1), `"path":["secretKey"],"message":"Too big: expected string to have <=20000 characters"`),
		says("no URL", connection("openai", `,"baseURL":"0123456789"`), `"path":["baseURL"],"message":"Invalid URL"`),
		says("a URL of another kind", connection("openai", `,"baseURL":"ftp://example.org"`), `"path":["baseURL"],"message":"Invalid URL"`),
		refused("credentials in the URL", connection("openai", `,"baseURL":"https://user:0123456789@example.org"`),
			custom(`["baseURL"]`, "The URL holds a user name or a password: anybody who can read it would see them")),
		says("too many models", connection("openai", `,"customModels":[`+strings.TrimSuffix(strings.Repeat(`"m",`, 501), ",")+`]`), `"path":["customModels"],"message":"Too big: expected array to have <=500 items"`),
		says("a model that is no text", connection("openai", `,"customModels":["a",1]`), `"path":["customModels",1]`),
		says("a header that is no text", connection("openai", `,"extraHeaders":{"X-A":1}`), `"path":["extraHeaders","X-A"],"message":"Invalid input: expected string, received number"`),
		refused("a header with a line break", connection("openai", `,"extraHeaders":{"X-A":"0123456789\r\nX-B: b"}`), custom(`["extraHeaders","X-A"]`, "This cannot be sent as an HTTP header")),
		refused("a header with a bad name", connection("openai", `,"extraHeaders":{"X A":"a"}`), custom(`["extraHeaders","X A"]`, "This cannot be sent as an HTTP header")),
		refused("too many headers", connection("openai", `,"extraHeaders":{`+manyMembers(51)+`}`), custom(`["extraHeaders"]`, "A connection has at most 50 extra headers")),
		says("headers that are no object", connection("openai", `,"extraHeaders":["X-A"]`), `"path":["extraHeaders"],"message":"Invalid input: expected object, received array"`),

		refused("bedrock without a config", strings.Replace(bedrockSecret(`{"apiKey":"k"}`), region, ``, 1), custom(`["config"]`, "A bedrock connection needs the config {region}")),
		says("bedrock without a region", strings.Replace(bedrockSecret(`{"apiKey":"k"}`), region, `,"config":{}`, 1), `"path":["config","region"]`),
		says("bedrock with more", strings.Replace(bedrockSecret(`{"apiKey":"k"}`), region, `,"config":{"region":"r","x":1}`, 1), `"code":"unrecognized_keys","keys":["x"],"path":["config"]`),
		refused("bedrock with a plain secret", connection("bedrock", region), custom(`["secretKey"]`, bedrock)),
		refused("bedrock with half a pair", bedrockSecret(`{"accessKeyId":"0123456789"}`), custom(`["secretKey"]`, bedrock)),
		refused("bedrock with keys of another type", bedrockSecret(`{"apiKey":1}`), custom(`["secretKey"]`, bedrock)),
		refused("bedrock with a list", bedrockSecret(`["0123456789"]`), custom(`["secretKey"]`, bedrock)),
		refused("bedrock, deeply nested", bedrockSecret(`{"apiKey":"k","x":`+strings.Repeat("[", 300)+strings.Repeat("]", 300)+`}`), custom(`["secretKey"]`, bedrock)),
		says("openai with another config", connection("openai", `,"config":{"region":"r"}`), `"code":"unrecognized_keys","keys":["region"],"path":["config"]`),
		says("openai with another type", connection("openai", `,"config":{"useResponsesApi":"yes"}`), `"path":["config","useResponsesApi"],"message":"Invalid input: expected boolean, received string"`),
		says("vertex with another config", connection("google-vertex-ai", `,"config":{"region":"r"}`), `"code":"unrecognized_keys"`),
		refused("anthropic with a config", connection("anthropic", `,"config":{}`), custom(`["config"]`, "A connection of the adapter anthropic has no config")),
		refused("azure with a config", connection("azure", `,"config":{"x":1}`), custom(`["config"]`, "A connection of the adapter azure has no config")),
		refused("ai studio with a config", connection("google-ai-studio", `,"config":{}`), custom(`["config"]`, "A connection of the adapter google-ai-studio has no config")),
		says("a config that is no object", connection("openai", `,"config":[]`), `"path":["config"],"message":"Invalid input: expected object, received array"`),

		{name: "no object", method: "PUT", path: connectionsPath, key: "project", body: `"x"`, status: 400},
		{name: "no permission", method: "PUT", path: connectionsPath, key: "limited", body: connection("openai", ``), status: 403},
		{name: "an organization key", method: "PUT", path: connectionsPath, key: "organization", body: connection("openai", ``), status: 403},
		{name: "no key", method: "PUT", path: connectionsPath, body: connection("openai", ``), status: 401},
	}
	for _, host := range []string{
		"localhost:8080", "127.0.0.1", "10.0.0.1", "169.254.169.254", "[::1]:1", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "metadata.google.internal", "ollama",
	} {
		scenarios = append(scenarios, refused("the private host "+host, connection("openai", `,"baseURL":"http://`+host+`/v1"`), custom(`["baseURL"]`, private)))
	}
	runScenarios(t, scenarios)
	t.Run("private hosts, if the operator allows them", func(t *testing.T) {
		f := newFixture(t, func(o *Options) { o.Guard.Private = true })
		f.run(t, created("", connection("openai", `,"baseURL":"http://127.0.0.1:11434/v1"`), `"baseURL":"http://127.0.0.1:11434/v1"`))
	})
}

// manyMembers returns count members of an object.
func manyMembers(count int) string {
	members := make([]string, count)
	for n := range members {
		members[n] = fmt.Sprintf(`"X-%d":""`, n)
	}
	return strings.Join(members, ",")
}

func TestLLMConnections(t *testing.T) {
	f := newFixture(t, nil)
	type sent struct{ ID, CreatedAt, UpdatedAt string }
	put := func(provider, members string) sent {
		t.Helper()
		waitForNextMillisecond()
		return send[sent](t, f, scenario{method: "PUT", path: connectionsPath, key: "project", body: strings.Replace(connection("openai", members), `"p"`, `"`+provider+`"`, 1)})
	}
	first, second := put("first", `,"customModels":["m"],"extraHeaders":{"X-A":"a"},"withDefaultModels":false`), put("second", ``)
	replaced := put("first", ``)
	if replaced.ID != first.ID || replaced.CreatedAt != first.CreatedAt || replaced.UpdatedAt == first.UpdatedAt {
		t.Errorf("%+v was replaced by %+v", first, replaced)
	}
	item := func(provider string, s sent) string {
		return fmt.Sprintf(`{"id":%q,"provider":%q,"adapter":"openai","displaySecretKey":"...abcd","baseURL":null,"customModels":[],"withDefaultModels":true,"extraHeaderKeys":[],"config":null,"createdAt":%q,"updatedAt":%q}`,
			s.ID, provider, s.CreatedAt, s.UpdatedAt)
	}
	const notFound = `{"message":"LLM connection not found within authorized project","error":"LangfuseNotFoundError"}`
	for _, s := range []scenario{
		{name: "replacing is 200", method: "PUT", path: connectionsPath, key: "neighbour", body: connection("openai", ``), status: 201},
		{name: "and creating 201", method: "PUT", path: connectionsPath, key: "neighbour", body: connection("azure", ``), status: 200},
		{name: "list", path: connectionsPath, key: "project", status: 200, want: `{"data":[` + item("second", second) + `,` + item("first", replaced) + meta(1, 50, 2, 1)},
		{name: "a page", path: connectionsPath + "?limit=1&page=2", key: "project", status: 200, want: `{"data":[` + item("first", replaced) + meta(2, 1, 2, 2)},
		{name: "an unknown parameter", path: connectionsPath + "?provider=first", key: "project", status: 400, want: invalid(`{"code":"unrecognized_keys","keys":["provider"],"path":[],"message":"Unrecognized key: \"provider\""}`)},
		{name: "list without permission", path: connectionsPath, key: "limited", status: 403},
		{name: "delete one of another project", method: "DELETE", path: connectionsPath + "/" + first.ID, key: "neighbour", status: 404, want: notFound},
		{name: "delete an unknown one", method: "DELETE", path: connectionsPath + "/nope", key: "project", status: 404, want: notFound},
		{name: "delete without permission", method: "DELETE", path: connectionsPath + "/" + first.ID, key: "limited", status: 403},
		{name: "delete", method: "DELETE", path: connectionsPath + "/" + first.ID, key: "project", status: 200, want: `{"message":"LLM connection successfully deleted"}`},
		{name: "delete it again", method: "DELETE", path: connectionsPath + "/" + first.ID, key: "project", status: 404, want: notFound},
		{name: "get one", path: connectionsPath + "/" + second.ID, key: "project", status: 405},
	} {
		t.Run(s.name, func(t *testing.T) { f.run(t, s) })
	}
}

// TestStoredSecretsCanBeOpened checks that stored secrets, opened with the key, are those that were sent.
func TestStoredSecretsCanBeOpened(t *testing.T) {
	f := newFixture(t, nil)
	send[any](t, f, scenario{method: "PUT", path: connectionsPath, key: "project", body: connection("openai", `,"extraHeaders":{"X-A":"a"}`)})
	scope := domain.OfProject("project-a")
	stored, err := f.Catalog.LLMConnection(t.Context(), scope, "p")
	if err != nil {
		t.Fatal(err)
	}
	secret, secretErr := f.Secrets.Open(stored.SealedSecret, domain.ConnectionSecretPlace(scope, "p", "secret"))
	headers, headersErr := f.Secrets.Open(*stored.SealedHeaders, domain.ConnectionSecretPlace(scope, "p", "headers"))
	if secret != "sk-0123456789abcd" || headers != `{"X-A":"a"}` || secretErr != nil || headersErr != nil {
		t.Errorf("opened %q, %v and %q, %v", secret, secretErr, headers, headersErr)
	}
	if _, err := f.Secrets.Open(stored.SealedSecret, domain.ConnectionSecretPlace(domain.OfProject("project-b"), "p", "secret")); err == nil {
		t.Error("another project can open the secret")
	}
}

func TestTooManyLLMConnections(t *testing.T) {
	f := newFixture(t, nil)
	for n := range catalog.MaxLLMConnections {
		if _, _, err := f.Catalog.PutLLMConnection(t.Context(), domain.OfProject("project-a"), domain.LLMConnection{Provider: strconv.Itoa(n)}, domain.Actor{}); err != nil {
			t.Fatal(err)
		}
	}
	f.run(t, scenario{
		method: "PUT", path: connectionsPath, key: "project", body: connection("openai", ``), status: 400,
		want: `{"message":"A project has at most 200 LLM connections","error":"InvalidRequestError"}`,
	})
}

// TestAdminInProject checks the table of administrators acting in a project.
func TestAdminInProject(t *testing.T) {
	header := func(authorization, key, project string) map[string]string {
		return map[string]string{"Authorization": authorization, "x-langfuse-admin-api-key": key, "x-langfuse-project-id": project}
	}
	const wrong = `{"message":"Unauthorized: the admin API key is missing or wrong"}`
	scenarios := []scenario{
		{name: "right", header: header("Bearer admin-secret", "admin-secret", "project-a"), status: 200},
		{name: "the other name of the headers", header: map[string]string{
			"Authorization": "Bearer admin-secret", "x-almanac-admin-api-key": "admin-secret", "x-almanac-project-id": "project-a",
		}, status: 200},
		{name: "a wrong token", header: header("Bearer x", "admin-secret", "project-a"), status: 401, want: wrong},
		{name: "a wrong key", header: header("Bearer admin-secret", "x", "project-a"), status: 401, want: wrong},
		{name: "both wrong", header: header("Bearer x", "x", "project-a"), status: 401, want: wrong},
		{name: "no token", header: header("", "admin-secret", "project-a"), status: 401, want: wrong},
		{name: "a project key beside the header", header: with(header("", "admin-secret", "project-a"), "Authorization", scenario{key: "project", path: "/"}.request().Header.Get("Authorization")), status: 401, want: wrong},
		{name: "no key", header: header("Bearer admin-secret", "", "project-a"), status: 401, want: `{"message":"Invalid public key. Confirm that you've configured the correct host."}`},
		{name: "no project", header: header("Bearer admin-secret", "admin-secret", ""), status: 400, want: `{"message":"An administrator names the project in the header x-langfuse-project-id"}`},
		{name: "an unknown project", header: header("Bearer admin-secret", "admin-secret", "nope"), status: 404, contains: []string{`"message":"Project not found`}},
		{name: "an unknown project is not told without the key", header: header("Bearer x", "x", "nope"), status: 401, want: wrong},
	}
	for _, path := range []string{modelsPath, connectionsPath} {
		for _, s := range scenarios {
			s.path = path
			t.Run(path+" "+s.name, func(t *testing.T) { newFixture(t, nil).run(t, s) })
		}
	}
	right := header("Bearer admin-secret", "admin-secret", "project-a")
	runScenarios(t, []scenario{
		{name: "not on other routes", path: "/api/public/score-configs", header: right, status: 401},
		{name: "changes are in the audit log", method: "POST", path: modelsPath, header: right, body: tiered(defaultTierIn), status: 200, after: func(t *testing.T, f *fixture) {
			log, err := oldestFirst(t.Context(), f.Catalog, domain.OfOrganization("org-a"))
			if err != nil || log[len(log)-1].Actor != (domain.Actor{Kind: "admin-key"}) || log[len(log)-1].ProjectID != "project-a" {
				t.Errorf("the last entry is %+v, %v", log[len(log)-1], err)
			}
		}},
	})
	t.Run("switched off", func(t *testing.T) {
		f := newFixture(t, func(o *Options) { o.Admin = authOff() })
		f.run(t, scenario{path: modelsPath, header: header("Bearer ", "x", "project-a"), status: 403})
	})
}
