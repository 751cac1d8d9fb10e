package httpapi

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// shown returns the origin that a route allows to read its response, as seen by a page of the given origin.
func (f *fixture) shown(method, path, origin string, preflight bool) string {
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
	open, some, closed := newFixture(t, nil),
		newFixture(t, func(o *Options) { o.Origins = ReadOrigins("https://other.example.org, https://APP.example.org/") }),
		newFixture(t, func(o *Options) { o.Origins = ReadOrigins("none") })
	never := 0
	for _, rt := range open.routes() {
		method := rt.method
		if method == anyMethod {
			method = "GET"
		}
		path := strings.NewReplacer("{", "", "}", "").Replace(rt.path)
		want := origin
		switch {
		case strings.HasPrefix(path, "/api/admin/"), strings.HasPrefix(path, "/api/public/scim/"), strings.HasPrefix(path, "/api/public/organizations/"),
			strings.HasPrefix(path, "/api/public/integrations/"), strings.HasPrefix(path, "/api/public/projects/"),
			method != "GET" && path == "/api/public/projects", path == "/metrics", path == "/",
			strings.HasPrefix(path, "/api/docs"), strings.HasPrefix(path, "/project/"):
			want = ""
			never++
		case strings.HasSuffix(path, "/openapi.yml"), path == "/api/openapi.yaml":
			want = "*"
		}
		for _, preflight := range []bool{false, true} {
			if got := open.shown(method, path, origin, preflight); got != want {
				t.Errorf("%s %s, preflight %v: a page is allowed %q, want %q", method, path, preflight, got, want)
			}
			if got := closed.shown(method, path, origin, preflight); got != "" {
				t.Errorf("%s %s, preflight %v: a page is allowed %q although none may be", method, path, preflight, got)
			}
			if got := some.shown(method, path, "https://evil.example.org", preflight); got != "" {
				t.Errorf("%s %s, preflight %v: a page that is not in the list is allowed %q", method, path, preflight, got)
			}
			if got := some.shown(method, path, origin, preflight); (got != "") != (want != "") || got != "" && got != origin {
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
		return map[string]string{"Origin": "https://app.example.org", "Access-Control-Request-Method": method, "Access-Control-Request-Headers": "authorization"}
	}
	none := map[string]string{"Access-Control-Allow-Origin": "", "Access-Control-Allow-Methods": "", "Access-Control-Allow-Headers": ""}
	const refused = `{"error":"Method not allowed"}`
	list := func(o *Options) { o.Origins = ReadOrigins("https://other.example.org") }
	for _, c := range []struct {
		change func(*Options)
		scenario
	}{
		{nil, scenario{
			name: "any page", path: "/api/public/scores", header: asks("POST"), status: 204,
			wantHeader: map[string]string{
				"Access-Control-Allow-Origin": "https://app.example.org", "Access-Control-Allow-Methods": "GET,HEAD,PUT,PATCH,POST,DELETE",
				"Access-Control-Allow-Headers": "authorization", "Content-Length": "0", "Access-Control-Allow-Credentials": "",
			},
		}},
		{nil, scenario{name: "administrators", path: "/api/admin/organizations", header: asks("GET"), status: 405, want: refused, wantHeader: none}},
		{nil, scenario{name: "metrics", path: "/metrics", header: asks("GET"), status: 405, wantHeader: none}},
		{nil, scenario{name: "a project's own name", path: "/api/public/projects", header: asks("GET"), status: 204}},
		{nil, scenario{name: "a new project", path: "/api/public/projects", header: asks("POST"), status: 405, wantHeader: none}},
		{list, scenario{name: "another page", path: "/api/public/scores", header: asks("POST"), status: 204, wantHeader: none}},
		{func(o *Options) { o.Origins = nil }, scenario{name: "no page", path: "/api/public/scores", header: asks("POST"), status: 405, wantHeader: none}},
	} {
		c.method = "OPTIONS"
		t.Run(c.name, func(t *testing.T) { newFixture(t, c.change).run(t, c.scenario) })
	}
}
