package httpapi_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
)

// shown returns the origin that a route allows to read its response, as seen by a page of the given origin.
func shown(f *apitest.Fixture, method, path, origin string, preflight bool) string {
	r := httptest.NewRequest(method, path, nil)
	if preflight {
		r = httptest.NewRequest("OPTIONS", path, nil)
		r.Header.Set("Access-Control-Request-Method", method)
		r.Header.Set("Access-Control-Request-Headers", "authorization")
	}
	r.Header.Set("Origin", origin)
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w.Header().Get("Access-Control-Allow-Origin")
}

// TestPagesOfOtherOrigins calls every route of the table as a page of another origin does, with and without a
// preflight.
func TestPagesOfOtherOrigins(t *testing.T) {
	const origin = "https://app.example.org"
	open, some, closed := apitest.New(t, nil),
		apitest.New(t, func(o *httpapi.Options) {
			o.Origins = httpapi.ReadOrigins("https://other.example.org, https://APP.example.org/")
		}),
		apitest.New(t, func(o *httpapi.Options) { o.Origins = httpapi.ReadOrigins("none") })
	never := 0
	for _, rt := range open.Routes() {
		method := rt.Method()
		if method == httpapi.AnyMethod {
			method = "GET"
		}
		path := strings.NewReplacer("{", "", "}", "").Replace(rt.Path())
		want := origin
		switch {
		case strings.HasPrefix(path, "/api/admin/"), strings.HasPrefix(path, "/api/public/scim/"),
			strings.HasPrefix(path, "/api/public/organizations/"),
			strings.HasPrefix(path, "/api/public/integrations/"), strings.HasPrefix(path, "/api/public/projects/"),
			method != "GET" && path == "/api/public/projects", path == "/metrics", path == "/",
			strings.HasPrefix(path, "/api/docs"), strings.HasPrefix(path, "/project/"):
			want = ""
			never++
		case strings.HasSuffix(path, "/openapi.yml"), path == "/api/openapi.yaml":
			want = "*"
		}
		for _, preflight := range []bool{false, true} {
			if got := shown(open, method, path, origin, preflight); got != want {
				t.Errorf("%s %s, preflight %v: a page is allowed %q, want %q", method, path, preflight, got, want)
			}
			if got := shown(closed, method, path, origin, preflight); got != "" {
				t.Errorf("%s %s, preflight %v: a page is allowed %q although none may be", method, path, preflight, got)
			}
			if got := shown(some, method, path, "https://evil.example.org", preflight); got != "" {
				t.Errorf("%s %s, preflight %v: a page that is not in the list is allowed %q", method, path, preflight, got)
			}
			if got := shown(some, method, path, origin, preflight); (got != "") != (want != "") || got != "" && got != origin {
				t.Errorf("%s %s, preflight %v: a page in the list is allowed %q", method, path, preflight, got)
			}
		}
	}
	if never < 30 {
		t.Errorf("only %d routes are never for pages", never)
	}
}

func TestPreflights(t *testing.T) {
	asks := func(method string) map[string]string {
		return map[string]string{
			"Origin": "https://app.example.org", "Access-Control-Request-Method": method, "Access-Control-Request-Headers": "authorization",
		}
	}
	none := map[string]string{"Access-Control-Allow-Origin": "", "Access-Control-Allow-Methods": "", "Access-Control-Allow-Headers": ""}
	const refused = `{"error":"Method not allowed"}`
	list := func(o *httpapi.Options) { o.Origins = httpapi.ReadOrigins("https://other.example.org") }
	for _, c := range []struct {
		change func(*httpapi.Options)
		apitest.Scenario
	}{
		{nil, apitest.Scenario{
			Name: "any page", Path: "/api/public/scores", Header: asks("POST"), Status: 204,
			WantHeader: map[string]string{
				"Access-Control-Allow-Origin": "https://app.example.org", "Access-Control-Allow-Methods": "GET,HEAD,PUT,PATCH,POST,DELETE",
				"Access-Control-Allow-Headers": "authorization", "Content-Length": "0", "Access-Control-Allow-Credentials": "",
			},
		}},
		{
			nil, apitest.Scenario{
				Name: "administrators", Path: "/api/admin/organizations", Header: asks("GET"), Status: 405, Want: refused, WantHeader: none,
			},
		},
		{nil, apitest.Scenario{Name: "metrics", Path: "/metrics", Header: asks("GET"), Status: 405, WantHeader: none}},
		{nil, apitest.Scenario{Name: "a project's own name", Path: "/api/public/projects", Header: asks("GET"), Status: 204}},
		{nil, apitest.Scenario{Name: "a new project", Path: "/api/public/projects", Header: asks("POST"), Status: 405, WantHeader: none}},
		{list, apitest.Scenario{Name: "another page", Path: "/api/public/scores", Header: asks("POST"), Status: 204, WantHeader: none}},
		{
			func(o *httpapi.Options) { o.Origins = nil }, apitest.Scenario{
				Name: "no page", Path: "/api/public/scores", Header: asks("POST"), Status: 405, WantHeader: none,
			},
		},
	} {
		c.Method = "OPTIONS"
		t.Run(c.Name, func(t *testing.T) { apitest.New(t, c.change).Run(t, c.Scenario) })
	}
}
