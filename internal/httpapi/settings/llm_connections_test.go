package settings_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
)

const connectionsPath = "/api/public/llm-connections"

func TestPutLLMConnection(t *testing.T) {
	put := func(name, body string, status int, want string, contains ...string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Method: "PUT", Path: connectionsPath, Key: "project", Body: body, Status: status, Want: want, Contains: contains,
			Missing: []string{"0123456789"},
		}
	}
	created := func(name, body string, contains ...string) apitest.Scenario {
		return put(name, body, 201, "", contains...)
	}
	refused := func(name, body string, issues ...string) apitest.Scenario {
		return put(name, body, 400, apitest.Invalid(issues...))
	}
	says := func(name, body string, parts ...string) apitest.Scenario { return put(name, body, 400, "", parts...) }
	const (
		private = "baseURL leads to this machine or its private network, which the operator does not allow"
		bedrock = "The secretKey of a bedrock connection is a JSON object with accessKeyId and secretAccessKey, or with apiKey, or __BEDROCK_DEFAULT_CREDENTIALS__"
	)
	region := `,"config":{"region":"eu-central-1"}`
	bedrockSecret := func(secret string) string {
		return strings.Replace(apitest.Connection("bedrock", region), `"sk-0123456789abcd"`, fmt.Sprintf("%q", secret), 1)
	}
	scenarios := []apitest.Scenario{
		created("the least", apitest.Connection("openai", ``),
			`"provider":"p","adapter":"openai","displaySecretKey":"...abcd","baseURL":null,"customModels":[],"withDefaultModels":true,"extraHeaderKeys":[],"config":null,"createdAt":"`),
		created("everything",
			apitest.Connection("openai",
				`,"baseURL":"https://api.example.org/v1","customModels":["a","b"],"withDefaultModels":false,"extraHeaders":{"X-B":"0123456789","X-A":""},"config":{"useResponsesApi":true},"unknown":1`),
			`"baseURL":"https://api.example.org/v1","customModels":["a","b"],"withDefaultModels":false,"extraHeaderKeys":["X-A","X-B"],"config":{"useResponsesApi":true}`),
		created("null for what may be left out",
			apitest.Connection("azure", `,"baseURL":null,"customModels":null,"withDefaultModels":null,"extraHeaders":null,"config":null`),
			`"baseURL":null,"customModels":[],"withDefaultModels":true,"extraHeaderKeys":[],"config":null`),
		created("a short secret shows nothing", strings.Replace(apitest.Connection("openai", ``), "sk-0123456789abcd", "short-12345", 1),
			`"displaySecretKey":"..."`),
		created("the end of a secret that is not ASCII", strings.Replace(apitest.Connection("openai", ``), "sk-0123456789abcd", "geheimnis-äöüß",
			1), `"displaySecretKey":"...äöüß"`),
		created("bedrock, a pair of keys", bedrockSecret(`{"accessKeyId":"0123456789","secretAccessKey":"0123456789"}`),
			`"config":{"region":"eu-central-1"}`),
		created("bedrock, one key", bedrockSecret(`{"apiKey":"0123456789"}`)),
		created("bedrock, the host's credentials", bedrockSecret("__BEDROCK_DEFAULT_CREDENTIALS__")),
		created("vertex with a location", apitest.Connection("google-vertex-ai", `,"config":{"location":"europe-west1"}`),
			`"config":{"location":"europe-west1"}`),
		created("vertex without one", apitest.Connection("google-vertex-ai", `,"config":{}`), `"config":{}`),
		created("ai studio", apitest.Connection("google-ai-studio", ``)),
		created("anthropic", apitest.Connection("anthropic", ``)),

		refused("nothing", `{}`, apitest.WrongType("provider", "string", "undefined"),
			`{"code":"invalid_value","values":["anthropic","openai","azure","bedrock","google-vertex-ai","google-ai-studio"],"path":["adapter"],"message":"Invalid option: expected one of \"anthropic\"|\"openai\"|\"azure\"|\"bedrock\"|\"google-vertex-ai\"|\"google-ai-studio\""}`,
			apitest.WrongType("secretKey", "string", "undefined")),
		says("an empty provider", strings.Replace(apitest.Connection("openai", ``), `"p"`, `""`, 1), `"path":["provider"],"message":"Too small`),
		says("a long provider", strings.Replace(apitest.Connection("openai", ``), `"p"`, `"`+strings.Repeat("p", 201)+`"`, 1),
			`"path":["provider"],"message":"Too big: expected string to have <=200 characters"`),
		says("an empty secret", strings.Replace(apitest.Connection("openai", ``), "sk-0123456789abcd", "", 1),
			`"path":["secretKey"],"message":"Too small`),
		says("a long secret", strings.Replace(apitest.Connection("openai", ``), "sk-0123456789abcd", strings.Repeat("0123456789", 2001), 1),
			`"path":["secretKey"],"message":"Too big: expected string to have <=20000 characters"`),
		says("no URL", apitest.Connection("openai", `,"baseURL":"0123456789"`), `"path":["baseURL"],"message":"Invalid URL"`),
		says("a URL of another kind", apitest.Connection("openai", `,"baseURL":"ftp://example.org"`), `"path":["baseURL"],"message":"Invalid URL"`),
		refused("credentials in the URL", apitest.Connection("openai", `,"baseURL":"https://user:0123456789@example.org"`),
			apitest.Custom(`["baseURL"]`, "The URL holds a user name or a password: anybody who can read it would see them")),
		says("too many models", apitest.Connection("openai", `,"customModels":[`+strings.TrimSuffix(strings.Repeat(`"m",`, 501), ",")+`]`),
			`"path":["customModels"],"message":"Too big: expected array to have <=500 items"`),
		says("a model that is no text", apitest.Connection("openai", `,"customModels":["a",1]`), `"path":["customModels",1]`),
		says("a header that is no text", apitest.Connection("openai", `,"extraHeaders":{"X-A":1}`),
			`"path":["extraHeaders","X-A"],"message":"Invalid input: expected string, received number"`),
		refused("a header with a line break", apitest.Connection("openai", `,"extraHeaders":{"X-A":"0123456789\r\nX-B: b"}`),
			apitest.Custom(`["extraHeaders","X-A"]`, "This cannot be sent as an HTTP header")),
		refused("a header with a bad name", apitest.Connection("openai", `,"extraHeaders":{"X A":"a"}`),
			apitest.Custom(`["extraHeaders","X A"]`, "This cannot be sent as an HTTP header")),
		refused("too many headers", apitest.Connection("openai", `,"extraHeaders":{`+manyMembers(51)+`}`),
			apitest.Custom(`["extraHeaders"]`, "A connection has at most 50 extra headers")),
		says("headers that are no object", apitest.Connection("openai", `,"extraHeaders":["X-A"]`),
			`"path":["extraHeaders"],"message":"Invalid input: expected object, received array"`),

		refused("bedrock without a config", strings.Replace(bedrockSecret(`{"apiKey":"k"}`), region, ``, 1),
			apitest.Custom(`["config"]`, "A bedrock connection needs the config {region}")),
		says("bedrock without a region", strings.Replace(bedrockSecret(`{"apiKey":"k"}`), region, `,"config":{}`, 1),
			`"path":["config","region"]`),
		says("bedrock with more", strings.Replace(bedrockSecret(`{"apiKey":"k"}`), region, `,"config":{"region":"r","x":1}`, 1),
			`"code":"unrecognized_keys","keys":["x"],"path":["config"]`),
		refused("bedrock with a plain secret", apitest.Connection("bedrock", region), apitest.Custom(`["secretKey"]`, bedrock)),
		refused("bedrock with half a pair", bedrockSecret(`{"accessKeyId":"0123456789"}`), apitest.Custom(`["secretKey"]`, bedrock)),
		refused("bedrock with keys of another type", bedrockSecret(`{"apiKey":1}`), apitest.Custom(`["secretKey"]`, bedrock)),
		refused("bedrock with a list", bedrockSecret(`["0123456789"]`), apitest.Custom(`["secretKey"]`, bedrock)),
		refused("bedrock, deeply nested", bedrockSecret(`{"apiKey":"k","x":`+strings.Repeat("[", 300)+strings.Repeat("]", 300)+`}`),
			apitest.Custom(`["secretKey"]`, bedrock)),
		says("openai with another config", apitest.Connection("openai", `,"config":{"region":"r"}`),
			`"code":"unrecognized_keys","keys":["region"],"path":["config"]`),
		says("openai with another type", apitest.Connection("openai", `,"config":{"useResponsesApi":"yes"}`),
			`"path":["config","useResponsesApi"],"message":"Invalid input: expected boolean, received string"`),
		says("vertex with another config", apitest.Connection("google-vertex-ai", `,"config":{"region":"r"}`), `"code":"unrecognized_keys"`),
		refused("anthropic with a config", apitest.Connection("anthropic", `,"config":{}`),
			apitest.Custom(`["config"]`, "A connection of the adapter anthropic has no config")),
		refused("azure with a config", apitest.Connection("azure", `,"config":{"x":1}`),
			apitest.Custom(`["config"]`, "A connection of the adapter azure has no config")),
		refused("ai studio with a config", apitest.Connection("google-ai-studio", `,"config":{}`),
			apitest.Custom(`["config"]`, "A connection of the adapter google-ai-studio has no config")),
		says("a config that is no object", apitest.Connection("openai", `,"config":[]`),
			`"path":["config"],"message":"Invalid input: expected object, received array"`),

		{Name: "no object", Method: "PUT", Path: connectionsPath, Key: "project", Body: `"x"`, Status: 400},
		{Name: "no permission", Method: "PUT", Path: connectionsPath, Key: "limited", Body: apitest.Connection("openai", ``), Status: 403},
		{
			Name: "an organization key", Method: "PUT", Path: connectionsPath, Key: "organization", Body: apitest.Connection("openai", ``),
			Status: 403,
		},
		{Name: "no key", Method: "PUT", Path: connectionsPath, Body: apitest.Connection("openai", ``), Status: 401},
	}
	for _, host := range []string{
		"localhost:8080", "127.0.0.1", "10.0.0.1", "169.254.169.254", "[::1]:1", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1",
		"metadata.google.internal", "ollama",
	} {
		scenarios = append(scenarios, refused("the private host "+host, apitest.Connection("openai", `,"baseURL":"http://`+host+`/v1"`),
			apitest.Custom(`["baseURL"]`, private)))
	}
	apitest.Run(t, scenarios)
	t.Run("private hosts, if the operator allows them", func(t *testing.T) {
		f := apitest.New(t, func(o *httpapi.Options) { o.Guard.Private = true })
		f.Run(t, created("", apitest.Connection("openai", `,"baseURL":"http://127.0.0.1:11434/v1"`), `"baseURL":"http://127.0.0.1:11434/v1"`))
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
	f := apitest.New(t, nil)
	type sent struct{ ID, CreatedAt, UpdatedAt string }
	put := func(provider, members string) sent {
		t.Helper()
		apitest.WaitForNextMillisecond()
		return apitest.Send[sent](t, f, apitest.Scenario{
			Method: "PUT", Path: connectionsPath, Key: "project",
			Body: strings.Replace(apitest.Connection("openai", members), `"p"`, `"`+provider+`"`, 1),
		})
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
	for _, s := range []apitest.Scenario{
		{Name: "replacing is 200", Method: "PUT", Path: connectionsPath, Key: "neighbour", Body: apitest.Connection("openai", ``), Status: 201},
		{Name: "and creating 201", Method: "PUT", Path: connectionsPath, Key: "neighbour", Body: apitest.Connection("azure", ``), Status: 200},
		{
			Name: "list", Path: connectionsPath, Key: "project", Status: 200, Want: `{"data":[` + item("second", second) + `,` +
				item("first", replaced) + apitest.Meta(1, 50, 2, 1),
		},
		{
			Name: "a page", Path: connectionsPath + "?limit=1&page=2", Key: "project", Status: 200,
			Want: `{"data":[` + item("first", replaced) + apitest.Meta(2, 1, 2, 2),
		},
		{
			Name: "an unknown parameter", Path: connectionsPath + "?provider=first", Key: "project", Status: 400,
			Want: apitest.Invalid(`{"code":"unrecognized_keys","keys":["provider"],"path":[],"message":"Unrecognized key: \"provider\""}`),
		},
		{Name: "list without permission", Path: connectionsPath, Key: "limited", Status: 403},
		{
			Name: "delete one of another project", Method: "DELETE", Path: connectionsPath + "/" + first.ID, Key: "neighbour", Status: 404,
			Want: notFound,
		},
		{Name: "delete an unknown one", Method: "DELETE", Path: connectionsPath + "/nope", Key: "project", Status: 404, Want: notFound},
		{Name: "delete without permission", Method: "DELETE", Path: connectionsPath + "/" + first.ID, Key: "limited", Status: 403},
		{
			Name: "delete", Method: "DELETE", Path: connectionsPath + "/" + first.ID, Key: "project", Status: 200,
			Want: `{"message":"LLM connection successfully deleted"}`,
		},
		{Name: "delete it again", Method: "DELETE", Path: connectionsPath + "/" + first.ID, Key: "project", Status: 404, Want: notFound},
		{Name: "get one", Path: connectionsPath + "/" + second.ID, Key: "project", Status: 405},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}

// TestStoredSecretsCanBeOpened checks that stored secrets, opened with the key, are those that were sent.
func TestStoredSecretsCanBeOpened(t *testing.T) {
	f := apitest.New(t, nil)
	apitest.Send[any](t, f, apitest.Scenario{
		Method: "PUT", Path: connectionsPath, Key: "project", Body: apitest.Connection("openai", `,"extraHeaders":{"X-A":"a"}`),
	})
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
	if _, err := f.Secrets.Open(stored.SealedSecret,
		domain.ConnectionSecretPlace(domain.OfProject("project-b"), "p", "secret")); err == nil {
		t.Error("another project can open the secret")
	}
}

func TestTooManyLLMConnections(t *testing.T) {
	f := apitest.New(t, nil)
	for n := range catalog.MaxLLMConnections {
		if _, _, err := f.Catalog.PutLLMConnection(t.Context(), domain.OfProject("project-a"),
			domain.LLMConnection{Provider: strconv.Itoa(n)}, domain.Actor{}); err != nil {
			t.Fatal(err)
		}
	}
	f.Run(t, apitest.Scenario{
		Method: "PUT", Path: connectionsPath, Key: "project", Body: apitest.Connection("openai", ``), Status: 400,
		Want: `{"message":"A project has at most 200 LLM connections","error":"InvalidRequestError"}`,
	})
}

// TestAdminInProject checks the table of administrators acting in a project.
func TestAdminInProject(t *testing.T) {
	header := func(authorization, key, project string) map[string]string {
		return map[string]string{"Authorization": authorization, "x-langfuse-admin-api-key": key, "x-langfuse-project-id": project}
	}
	const wrong = `{"message":"Unauthorized: the admin API key is missing or wrong"}`
	scenarios := []apitest.Scenario{
		{Name: "right", Header: header("Bearer admin-secret", "admin-secret", "project-a"), Status: 200},
		{Name: "the other name of the headers", Header: map[string]string{
			"Authorization": "Bearer admin-secret", "x-almanac-admin-api-key": "admin-secret", "x-almanac-project-id": "project-a",
		}, Status: 200},
		{Name: "a wrong token", Header: header("Bearer x", "admin-secret", "project-a"), Status: 401, Want: wrong},
		{Name: "a wrong key", Header: header("Bearer admin-secret", "x", "project-a"), Status: 401, Want: wrong},
		{Name: "both wrong", Header: header("Bearer x", "x", "project-a"), Status: 401, Want: wrong},
		{Name: "no token", Header: header("", "admin-secret", "project-a"), Status: 401, Want: wrong},
		{
			Name: "a project key beside the header",
			Header: apitest.WithHeader(header("", "admin-secret", "project-a"), "Authorization",
				apitest.Scenario{Key: "project", Path: "/"}.Request().Header.Get("Authorization")), Status: 401, Want: wrong,
		},
		{
			Name: "no key", Header: header("Bearer admin-secret", "", "project-a"), Status: 401,
			Want: `{"message":"Invalid public key. Confirm that you've configured the correct host."}`,
		},
		{
			Name: "no project", Header: header("Bearer admin-secret", "admin-secret", ""), Status: 400,
			Want: `{"message":"An administrator names the project in the header x-langfuse-project-id"}`,
		},
		{
			Name: "an unknown project", Header: header("Bearer admin-secret", "admin-secret", "nope"), Status: 404,
			Contains: []string{`"message":"Project not found`},
		},
		{Name: "an unknown project is not told without the key", Header: header("Bearer x", "x", "nope"), Status: 401, Want: wrong},
	}
	for _, path := range []string{modelsPath, connectionsPath} {
		for _, s := range scenarios {
			s.Path = path
			t.Run(path+" "+s.Name, func(t *testing.T) { apitest.New(t, nil).Run(t, s) })
		}
	}
	right := header("Bearer admin-secret", "admin-secret", "project-a")
	apitest.Run(t, []apitest.Scenario{
		{Name: "not on other routes", Path: "/api/public/score-configs", Header: right, Status: 401},
		{Name: "changes are in the audit log", Method: "POST", Path: modelsPath, Header: right, Body: apitest.Tiered(apitest.DefaultTierIn), Status: 200, After: func(t *testing.T, f *apitest.Fixture) {
			log, err := apitest.OldestFirst(t.Context(), f.Catalog, domain.OfOrganization("org-a"))
			if err != nil || log[len(log)-1].Actor != (domain.Actor{Kind: "admin-key"}) || log[len(log)-1].ProjectID != "project-a" {
				t.Errorf("the last entry is %+v, %v", log[len(log)-1], err)
			}
		}},
	})
	t.Run("switched off", func(t *testing.T) {
		f := apitest.New(t, func(o *httpapi.Options) { o.Admin = authOff() })
		f.Run(t, apitest.Scenario{Path: modelsPath, Header: header("Bearer ", "x", "project-a"), Status: 403})
	})
}
