package httpapi_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/api"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/endpoint"
)

func open(f *apitest.Fixture, target string, header map[string]string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, target, http.NoBody)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	f.ServeHTTP(w, r)
	return w
}

// TestPages opens URLs of the web application: those that client libraries print, and hostile ones.
func TestPages(t *testing.T) {
	f := apitest.New(t, nil)
	for _, path := range []string{
		"/", "/setup?token=x", "/auth", "/auth/sign-in?returnTo=%2F%2Fevil.example", "/organization/o/settings/members",
		"/account/settings",
		"/project", "/project/p", "/project/p/traces/t?observation=o", "/project/p/experiments/results?baseline=9418f79cf4b07efb",
		"/project/p/datasets/d/runs/r", "/project/%2F%2Fexample.org/users/a%2Fb%23c%25%20%E5%BD%93",
		"/project/p/traces/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
		"/trace", "/trace/t", "/public/traces/t", "/invite/token", "/docs", "/docs/finding?q=x", "/docs/finding.md", "/dev/gallery",
	} {
		answer := open(f, path, nil)
		h := answer.Header()
		if answer.Code != http.StatusOK || h.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("GET %s: %d %v", path, answer.Code, h)
			continue
		}
		if csp := h.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'; script-src 'nonce-") ||
			!strings.Contains(csp, " example.com/assets/; style-src ") {
			t.Errorf("GET %s: the policy is %s", path, csp)
		}
		if h.Get("X-Frame-Options") != "DENY" || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cache-Control") != "no-cache" {
			t.Errorf("GET %s: %v", path, h)
		}
		if strings.Contains(answer.Body.String(), "alert(1)") || strings.Contains(answer.Body.String(), "example") {
			t.Errorf("GET %s repeats its address: %s", path, answer.Body)
		}
		if again := open(f, path, map[string]string{"If-None-Match": h.Get("ETag")}); again.Code != http.StatusNotModified {
			t.Errorf("GET %s again: %d", path, again.Code)
		}
	}
}

// TestNoPages requests paths that are not pages: they get the usual errors of the API.
func TestNoPages(t *testing.T) {
	f := apitest.New(t, nil)
	for _, path := range []string{
		"/api", "/api/nope", "/api/public/nope", "/api/ui/nope", "/nope", "/projects", "/assets", "/assets/nope.js",
		"/assets/..%2Findex.html",
	} {
		answer := open(f, path, nil)
		if answer.Code != http.StatusNotFound || !strings.Contains(answer.Body.String(), `"error":"RouteNotFoundError"`) {
			t.Errorf("GET %s: %d %s", path, answer.Code, answer.Body)
		}
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/project/p", http.NoBody))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST /project/p: %d", w.Code)
	}
}

// TestPagesBelowABasePath follows a page to the URLs of its files.
func TestPagesBelowABasePath(t *testing.T) {
	f := apitest.New(t, func(o *httpapi.Options) { o.Address = endpoint.Address{Base: "/almanac"} })
	if answer := open(f, "/almanac/project/p", nil); answer.Code != http.StatusOK || !strings.Contains(answer.Body.String(), `="/almanac/`) {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
	if answer := open(f, "/project/p", nil); answer.Code != http.StatusNotFound {
		t.Errorf("outside: %d", answer.Code)
	}
}

// TestHeadOfPages requests pages and files with HEAD, over a real connection, because the HTTP server omits the bodies.
func TestHeadOfPages(t *testing.T) {
	f := apitest.New(t, nil)
	server := httptest.NewServer(f)
	defer server.Close()
	ask := func(method, path string) (*http.Response, string) {
		r, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer, string(body)
	}
	paths := []string{"/assets/nope.js"}
	for _, rt := range f.PageRoutes() {
		paths = append(paths, strings.NewReplacer("{file}", "nope.js", "{rest...}", "a/b").Replace(rt.Path()))
	}
	for _, path := range paths {
		get, page := ask(http.MethodGet, path)
		head, body := ask(http.MethodHead, path)
		if head.StatusCode != get.StatusCode || head.ContentLength != get.ContentLength || page == "" || body != "" {
			t.Errorf("%s: HEAD answers %d with %d bytes of %d, GET %d with %d", path, head.StatusCode, len(body), head.ContentLength,
				get.StatusCode, get.ContentLength)
		}
		for _, name := range []string{"Content-Type", "ETag", "Cache-Control"} {
			if head.Header.Get(name) != get.Header.Get(name) {
				t.Errorf("%s: %s is %q for HEAD and %q for GET", path, name, head.Header.Get(name), get.Header.Get(name))
			}
		}
	}
	if answer, _ := ask(http.MethodHead, "/api/ui/auth/session"); answer.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("HEAD of the API: %d", answer.StatusCode)
	}
}

// sharing is a response that keeps what is written without copying it.
type sharing struct {
	header http.Header
	status int
	body   []byte
}

func (s *sharing) Header() http.Header { return s.header }

func (s *sharing) WriteHeader(status int) { s.status = status }

func (s *sharing) Write(b []byte) (int, error) {
	s.body = b
	return len(b), nil
}

// TestDocumentsAreShared: responses with the same document share its memory, or strangers who receive it slowly could
// fill it.
func TestDocumentsAreShared(t *testing.T) {
	f := apitest.New(t, nil)
	paths := []string{"/api/openapi.yaml", "/generated/api/openapi.yml", "/api/docs/start.js"}
	if api.HasReference() {
		paths = append(paths, "/api/docs/swagger-ui-bundle.js", "/api/docs/swagger-ui.css")
	}
	for _, path := range paths {
		for _, accepted := range []string{"gzip", "identity"} {
			var sent [2]sharing
			for n := range sent {
				sent[n].header = make(http.Header)
				r := httptest.NewRequest(http.MethodGet, "https://almanac.test"+path, http.NoBody)
				r.Header.Set("Accept-Encoding", accepted)
				if f.ServeHTTP(&sent[n], r); sent[n].status != http.StatusOK || len(sent[n].body) == 0 {
					t.Fatalf("%s: status %d with %d bytes", path, sent[n].status, len(sent[n].body))
				}
			}
			if &sent[0].body[0] != &sent[1].body[0] {
				t.Errorf("two responses with %s in the encoding %q have a copy each", path, accepted)
			}
		}
	}
}

// TestLongPaths: a path that does not exist is repeated in part only.
func TestLongPaths(t *testing.T) {
	f := apitest.New(t, nil)
	w := open(f, "https://almanac.test/nope/"+strings.Repeat("%01", 20_000), nil)
	if w.Code != http.StatusNotFound || w.Body.Len() > 5000 || !strings.Contains(w.Body.String(), "/nope/") {
		t.Errorf("status %d with %d bytes", w.Code, w.Body.Len())
	}
}
