package httpapi

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
	"almanac/internal/store"
)

func TestHealth(t *testing.T) {
	const ok = `{"status":"OK","version":"4.55.0","build":"1.2.3-test"}`
	runScenarios(t, []scenario{
		{name: "health", path: "/api/public/health", status: 200, want: ok},
		{name: "any method", method: "POST", path: "/api/public/health", status: 200, want: ok},
		{name: "database there", path: "/api/public/health?failIfDatabaseUnavailable=true", status: 200, want: ok},
		{name: "not asked to fail", path: "/api/public/health?failIfNoRecentEvents=false", status: 200, want: ok},
		{name: "no recent events", path: "/api/public/health?failIfNoRecentEvents=true", status: 503, want: `{"status":"No events within the last 3 minutes","version":"4.55.0","build":"1.2.3-test"}`},
		{name: "neither true nor false", path: "/api/public/health?failIfNoRecentEvents=1", status: 400, contains: []string{`"path":["failIfNoRecentEvents"]`}},
		{name: "ready", path: "/api/public/ready", status: 200, want: ok},
	})
	t.Run("recent events", func(t *testing.T) {
		f := newFixture(t, func(o *Options) { o.LastEvent = func() time.Time { return time.Now().Add(-time.Minute) } })
		f.run(t, scenario{path: "/api/public/health?failIfNoRecentEvents=true", status: 200, want: ok})
	})
	t.Run("database gone", func(t *testing.T) {
		f := newFixture(t, nil)
		if err := f.Catalog.Close(); err != nil {
			t.Fatal(err)
		}
		f.run(t, scenario{path: "/api/public/health", status: 200})
		f.run(t, scenario{path: "/api/public/health?failIfDatabaseUnavailable=true", status: 503, contains: []string{`"status":"Database not available"`}})
		f.run(t, scenario{path: "/api/public/ready", status: 503, contains: []string{`"status":"Readiness check failed"`}})
	})
	t.Run("events gone", func(t *testing.T) {
		f := newFixture(t, func(o *Options) { o.Store = unreachableStore{o.Store} })
		f.run(t, scenario{path: "/api/public/health", status: 200})
		f.run(t, scenario{path: "/api/public/health?failIfDatabaseUnavailable=true", status: 503, contains: []string{`"status":"Database not available"`}})
		f.run(t, scenario{path: "/api/public/ready", status: 503, contains: []string{`"status":"Readiness check failed"`}})
	})
	t.Run("draining", func(t *testing.T) {
		f := newFixture(t, nil)
		f.Drain()
		f.run(t, scenario{path: "/api/public/ready", status: 500, contains: []string{`"status":"SIGTERM / SIGINT received, shutting down"`}})
		f.run(t, scenario{path: "/api/public/health", status: 200})
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
	runScenarios(t, []scenario{
		{name: "description", path: "/api/openapi.yaml", status: 200, want: string(api.Description()), wantHeader: map[string]string{"Content-Type": "application/yaml; charset=utf-8", "Access-Control-Allow-Origin": "*"}},
		{name: "description at its older address", path: "/generated/api/openapi.yml", status: 200, want: string(api.Description()), wantHeader: map[string]string{"Access-Control-Allow-Origin": "*"}},
		{name: "description at the older address of that for organizations", path: "/generated/organizations-api/openapi.yml", status: 200, want: string(api.Description()), wantHeader: map[string]string{"Access-Control-Allow-Origin": "*"}},
		{name: "description at the older address of that for clients", path: "/generated/api-client/openapi.yml", status: 200, want: string(api.Description()), wantHeader: map[string]string{"Access-Control-Allow-Origin": "*"}},
		{name: "reference", path: "/api/docs", status: 200, contains: page, missing: []string{"https://", "http://"}},
		{name: "its script", path: "/api/docs/start.js", status: 200, contains: []string{`"openapi.yaml"`}},
		{name: "no such file", path: "/api/docs/nope.js", status: 404},
		{name: "nothing above", path: "/api/docs/..%2Fembed.go", status: 404},
		{name: "nothing hidden", path: "/api/docs/.gitkeep", status: 404},
	})
	if plain := new(API).plainReference(); !strings.Contains(plain, "<td>POST</td><td>/api/public/projects/{projectId}/apiKeys</td>") {
		t.Errorf("the plain page lacks a route: %s", plain)
	}
}

func TestMetrics(t *testing.T) {
	f := newFixture(t, nil)
	f.run(t, scenario{path: "/api/public/projects", key: "project", once: true, status: 200})
	f.run(t, scenario{path: "/probe/segment/a", status: 200})
	f.run(t, scenario{path: "/probe/segment/b", status: 200})
	f.run(t, scenario{path: "/probe/fail/internal", status: 500})
	f.run(t, scenario{path: "/made/up", status: 404})
	f.run(t, scenario{method: "BREW", path: "/made/up", status: 404})
	f.run(t, scenario{path: "/metrics", status: 200, contains: []string{
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
	}, missing: []string{"/made/up", "BREW"}})

	t.Run("protected", func(t *testing.T) {
		f := newFixture(t, func(o *Options) { o.MetricsToken = auth.NewToken("scrape-me") })
		f.run(t, scenario{path: "/metrics", status: 401, missing: []string{"scrape-me"}})
		f.run(t, scenario{path: "/metrics", header: map[string]string{"Authorization": "Bearer wrong"}, status: 401})
		f.run(t, scenario{path: "/metrics", header: map[string]string{"Authorization": "Bearer scrape-me"}, status: 200})
	})
	t.Run("on a listener of their own", func(t *testing.T) {
		f := newFixture(t, func(o *Options) { o.Metrics, o.MetricsToken = false, auth.NewToken("scrape-me") })
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
		f := newFixture(t, func(o *Options) { o.Metrics = false })
		f.run(t, scenario{path: "/metrics", status: 404})
	})
}
