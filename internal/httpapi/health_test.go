package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"almanac/api"
	"almanac/internal/access/auth"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/store"
)

func TestHealth(t *testing.T) {
	const ok = `{"status":"OK","version":"4.55.0","build":"1.2.3-test"}`
	apitest.Run(t, []apitest.Scenario{
		{Name: "health", Path: "/api/public/health", Status: 200, Want: ok},
		{Name: "any method", Method: "POST", Path: "/api/public/health", Status: 200, Want: ok},
		{Name: "database there", Path: "/api/public/health?failIfDatabaseUnavailable=true", Status: 200, Want: ok},
		{Name: "not asked to fail", Path: "/api/public/health?failIfNoRecentEvents=false", Status: 200, Want: ok},
		{
			Name: "no recent events", Path: "/api/public/health?failIfNoRecentEvents=true", Status: 503,
			Want: `{"status":"No events within the last 3 minutes","version":"4.55.0","build":"1.2.3-test"}`,
		},
		{
			Name: "neither true nor false", Path: "/api/public/health?failIfNoRecentEvents=1", Status: 400,
			Contains: []string{`"path":["failIfNoRecentEvents"]`},
		},
		{Name: "ready", Path: "/api/public/ready", Status: 200, Want: ok},
	})
	t.Run("recent events", func(t *testing.T) {
		f := apitest.New(t, func(o *httpapi.Options) { o.LastEvent = func() time.Time { return time.Now().Add(-time.Minute) } })
		f.Run(t, apitest.Scenario{Path: "/api/public/health?failIfNoRecentEvents=true", Status: 200, Want: ok})
	})
	t.Run("database gone", func(t *testing.T) {
		f := apitest.New(t, nil)
		if err := f.Catalog.Close(); err != nil {
			t.Fatal(err)
		}
		f.Run(t, apitest.Scenario{Path: "/api/public/health", Status: 200})
		f.Run(t, apitest.Scenario{
			Path: "/api/public/health?failIfDatabaseUnavailable=true", Status: 503, Contains: []string{`"status":"Database not available"`},
		})
		f.Run(t, apitest.Scenario{Path: "/api/public/ready", Status: 503, Contains: []string{`"status":"Readiness check failed"`}})
	})
	t.Run("events gone", func(t *testing.T) {
		f := apitest.New(t, func(o *httpapi.Options) { o.Store = unreachableStore{o.Store} })
		f.Run(t, apitest.Scenario{Path: "/api/public/health", Status: 200})
		f.Run(t, apitest.Scenario{
			Path: "/api/public/health?failIfDatabaseUnavailable=true", Status: 503, Contains: []string{`"status":"Database not available"`},
		})
		f.Run(t, apitest.Scenario{Path: "/api/public/ready", Status: 503, Contains: []string{`"status":"Readiness check failed"`}})
	})
	t.Run("draining", func(t *testing.T) {
		f := apitest.New(t, nil)
		f.Drain()
		f.Run(t, apitest.Scenario{
			Path: "/api/public/ready", Status: 500, Contains: []string{`"status":"SIGTERM / SIGINT received, shutting down"`},
		})
		f.Run(t, apitest.Scenario{Path: "/api/public/health", Status: 200})
	})
}

// unreachableStore is a store that does not respond.
type unreachableStore struct{ store.Store }

func (unreachableStore) Ping(context.Context) error { return errors.New("no answer") }

func TestDescriptionAndReference(t *testing.T) {
	page := []string{`"docs/swagger-ui-bundle.js"`, `"docs/start.js"`}
	if !api.HasReference() {
		page = []string{"built without the interactive reference", "/api/public/projects/{projectId}"}
	}
	apitest.Run(t, []apitest.Scenario{
		{
			Name: "description", Path: "/api/openapi.yaml", Status: 200, Want: string(api.Description()),
			WantHeader: map[string]string{"Content-Type": "application/yaml; charset=utf-8", "Access-Control-Allow-Origin": "*"},
		},
		{
			Name: "description at its older address", Path: "/generated/api/openapi.yml", Status: 200, Want: string(api.Description()),
			WantHeader: map[string]string{"Access-Control-Allow-Origin": "*"},
		},
		{
			Name: "description at the older address of that for organizations", Path: "/generated/organizations-api/openapi.yml",
			Status: 200, Want: string(api.Description()), WantHeader: map[string]string{"Access-Control-Allow-Origin": "*"},
		},
		{
			Name: "description at the older address of that for clients", Path: "/generated/api-client/openapi.yml", Status: 200,
			Want: string(api.Description()), WantHeader: map[string]string{"Access-Control-Allow-Origin": "*"},
		},
		{Name: "reference", Path: "/api/docs", Status: 200, Contains: page, Missing: []string{"https://", "http://"}},
		{Name: "its script", Path: "/api/docs/start.js", Status: 200, Contains: []string{`"openapi.yaml"`}},
		{Name: "no such file", Path: "/api/docs/nope.js", Status: 404},
		{Name: "nothing above", Path: "/api/docs/..%2Fembed.go", Status: 404},
		{Name: "nothing hidden", Path: "/api/docs/.gitkeep", Status: 404},
	})
	if plain := new(httpapi.API).PlainReference(); !strings.Contains(plain, "<td>POST</td><td>/api/public/projects/{projectId}/apiKeys</td>") {
		t.Errorf("the plain page lacks a route: %s", plain)
	}
}

func TestMetrics(t *testing.T) {
	f := newProbed(t, nil)
	f.Run(t, apitest.Scenario{Path: "/api/public/projects", Key: "project", Once: true, Status: 200})
	f.Run(t, apitest.Scenario{Path: "/probe/segment/a", Status: 200})
	f.Run(t, apitest.Scenario{Path: "/probe/segment/b", Status: 200})
	f.Run(t, apitest.Scenario{Path: "/probe/fail/internal", Status: 500})
	f.Run(t, apitest.Scenario{Path: "/made/up", Status: 404})
	f.Run(t, apitest.Scenario{Method: "BREW", Path: "/made/up", Status: 404})
	f.Run(t, apitest.Scenario{Path: "/metrics", Status: 200, Contains: []string{
		`almanac_http_requests_total{method="GET",route="/api/public/projects",status="200"} 1`,
		`almanac_http_requests_total{method="GET",route="/probe/segment/{name}",status="200"} 2`,
		`almanac_http_requests_total{method="GET",route="unmatched",status="404"} 1`,
		`almanac_http_requests_total{method="other",route="unmatched",status="404"} 1`,
		`almanac_http_errors_total{method="GET",route="/probe/fail/{how}"} 1`,
		`almanac_http_request_duration_seconds_count{method="GET",route="/api/public/projects"} 1`,
		`almanac_http_response_size_bytes_count{method="GET",route="/api/public/projects"} 1`,
		`almanac_http_request_size_bytes_count{method="GET",route="/api/public/projects"} 1`,
		`almanac_http_requests_in_flight 1`,
		`almanac_build_info{api="4.55.0",version="1.2.3-test"} 1`,
		`go_goroutines`, `process_resident_memory_bytes`,
	}, Missing: []string{"/made/up", "BREW"}})

	t.Run("protected", func(t *testing.T) {
		f := apitest.New(t, func(o *httpapi.Options) { o.MetricsToken = auth.NewToken("scrape-me") })
		f.Run(t, apitest.Scenario{Path: "/metrics", Status: 401, Missing: []string{"scrape-me"}})
		f.Run(t, apitest.Scenario{Path: "/metrics", Header: map[string]string{"Authorization": "Bearer wrong"}, Status: 401})
		f.Run(t, apitest.Scenario{Path: "/metrics", Header: map[string]string{"Authorization": "Bearer scrape-me"}, Status: 200})
	})
	t.Run("on a listener of their own", func(t *testing.T) {
		f := apitest.New(t, func(o *httpapi.Options) { o.Metrics, o.MetricsToken = false, auth.NewToken("scrape-me") })
		for credential, status := range map[string]int{"": 401, "Bearer wrong": 401, "Bearer scrape-me": 200} {
			r, w := httptest.NewRequest(http.MethodGet, "/metrics", http.NoBody), httptest.NewRecorder()
			r.Header.Set("Authorization", credential)
			f.MetricsHandler().ServeHTTP(w, r)
			if told := strings.Contains(w.Body.String(), "almanac_build_info"); w.Code != status || told != (status == 200) {
				t.Errorf("%q is answered %d; the metrics are told: %v", credential, w.Code, told)
			}
		}
	})
	t.Run("not here", func(t *testing.T) {
		f := apitest.New(t, func(o *httpapi.Options) { o.Metrics = false })
		f.Run(t, apitest.Scenario{Path: "/metrics", Status: 404})
	})
}
