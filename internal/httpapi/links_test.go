package httpapi_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/api"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/endpoint"
)

// TestBasePath checks every link back to the server: below a base path, at a public URL with a path, and behind a proxy
// that strips the path.
func TestBasePath(t *testing.T) {
	for name, c := range map[string]struct {
		address endpoint.Address
		prefix  string // of requests
		links   string // of paths in responses
		whole   string // of URLs in responses
	}{
		"at the root":         {endpoint.Address{}, "", "", "http://example.com"},
		"below a path":        {endpoint.Address{Base: "/almanac"}, "/almanac", "/almanac", "http://example.com/almanac"},
		"below a longer path": {endpoint.Address{Base: "/a/b-c"}, "/a/b-c", "/a/b-c", "http://example.com/a/b-c"},
		"at a public URL": {
			endpoint.Address{URL: "https://example.org/almanac", Base: "/almanac"}, "/almanac", "/almanac", "https://example.org/almanac",
		},
		"the proxy takes it away": {endpoint.Address{URL: "https://example.org/almanac"}, "", "/almanac", "https://example.org/almanac"},
	} {
		t.Run(name, func(t *testing.T) {
			f := apitest.New(t, func(o *httpapi.Options) { o.Address, o.MCPHosts = c.address, httpapi.ReadMCPHosts("*") })
			for path, want := range map[string]string{
				"/api/public/projects/":       "Location: " + c.links + "/api/public/projects",
				"//api/public/projects?a=b":   "Location: " + c.links + "/api/public/projects?a=b",
				"/api/../api/public/projects": "Location: " + c.links + "/api/public/projects",
				"/project/p/traces/t":         `="` + c.links + `/`,
				"/api/public/traces":          "Link: <" + c.links + "/api/public/v2/observations>",
				"/api/openapi.yaml":           "\nservers:\n  - url: " + c.links + "\n",
				"/api/public/projects":        `"data":[{"id":"project-a"`,
				"/api/docs":                   `"docs/start.js"`,
				"/.well-known/mcp.json":       `"url":"` + c.whole + `/api/public/mcp"`,
				"/api/public/health":          `"status":"OK"`,
			} {
				if c.links == "" && path == "/api/openapi.yaml" {
					want = string(api.Description())
				}
				if _, got := answerText(t, f, c.prefix+path); !strings.Contains(got, want) {
					t.Errorf("GET %s: %.600s\nwant %s", c.prefix+path, got, want)
				}
			}
			// A tool requests a server path, whatever prefix clients must use.
			tool := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"listDatasets","arguments":{}}}`
			f.Run(t, apitest.Scenario{
				Name: "tool", Method: "POST", Path: c.prefix + "/api/public/mcp", Key: "project", Body: tool, Status: 200,
				Header: map[string]string{"Accept": "application/json"}, Contains: []string{`"totalItems`}, Missing: []string{"isError"},
			})
		})
	}
}

func answerText(t *testing.T, f *apitest.Fixture, target string) (status int, text string) {
	t.Helper()
	r := apitest.Scenario{Path: target, Key: "project"}.Request()
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	var b strings.Builder
	for name, values := range w.Header() {
		b.WriteString(name + ": " + strings.Join(values, ", ") + "\n")
	}
	return w.Code, b.String() + "\n" + w.Body.String()
}

// TestOutsideTheBasePath requests paths that are not below the base path.
func TestOutsideTheBasePath(t *testing.T) {
	f := apitest.New(t, func(o *httpapi.Options) { o.Address.Base = "/almanac" })
	outside := func(path string) string {
		return `{"message":"No such route: GET ` + path +
			`. Everything is served below /almanac, the base path of this server.","error":"RouteNotFoundError"}`
	}
	for path, want := range map[string]struct {
		status int
		text   string // part of the header or the body
	}{
		"/api/public/projects":           {404, outside("/api/public/projects")},
		"/almanacs/api/public/projects":  {404, outside("/almanacs/api/public/projects")},
		"/%61lmanac/api/public/projects": {404, outside("/almanac/api/public/projects")},
		"/metrics":                       {404, outside("/metrics")},
		"/":                              {404, outside("/")},
		"/api/public/health":             {200, `"status":"OK"`},
		"/api/public/ready":              {200, `"status":"OK"`},
		"/.well-known/mcp.json":          {200, "/almanac/api/public/mcp"},
		"/almanac":                       {200, `="/almanac/`},
		"/almanac/metrics":               {200, "almanac_build_info"},
		"/almanac/almanac/api/public/projects": {
			404, `{"message":"No such route: GET /almanac/api/public/projects","error":"RouteNotFoundError"}`,
		},
	} {
		if status, got := answerText(t, f, path); status != want.status || !strings.Contains(got, want.text) {
			t.Errorf("GET %s: %d %s\nwant %d %s", path, status, got, want.status, want.text)
		}
	}
}
