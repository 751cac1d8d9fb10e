package httpapi

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"almanac/internal/access/accounts"
	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/internal/httpapi/admin"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

func probeFailure(c *endpoint.Call) (any, error) {
	switch c.Path("how") {
	case "panic":
		panic("secret detail")
	case "internal":
		return nil, errors.New("secret detail")
	case "invalid":
		return nil, respond.InvalidRequest("Column x is unknown")
	case "missing":
		return nil, fmt.Errorf("reading: %w", respond.NotFound("Trace x not found within authorized project"))
	case "conflict":
		return nil, respond.Conflict("taken")
	case "slow":
		return nil, fmt.Errorf("scanning: %w", context.DeadlineExceeded)
	case "gone":
		return nil, context.Canceled
	case "full":
		return nil, fmt.Errorf("writing: %w", syscall.ENOSPC)
	case "descriptors":
		return nil, fmt.Errorf("opening: %w", syscall.EMFILE)
	}
	return nil, nil
}

// TestAuthentication checks the authentication table of the contract, over HTTP.
func TestAuthentication(t *testing.T) {
	pair := func(text string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(text)) }
	with := func(name, path, authorization string, status int, message string) scenario {
		return scenario{
			name: name, path: path, header: map[string]string{"Authorization": authorization}, status: status,
			want: `{"message":"` + message + `"}`, wantHeader: map[string]string{"WWW-Authenticate": ""},
		}
	}
	scores := scenario{name: "the public key alone writes scores", method: "POST", path: "/probe/scores", header: map[string]string{"Authorization": "Bearer pk-lf-a"}, status: 200, want: `{"project":"project-a"}`}
	runScenarios(t, []scenario{
		{name: "header missing", path: "/probe/project", status: 401, want: `{"message":"No authorization header"}`},
		with("unknown scheme", "/probe/project", "Digest x", 401, "Invalid authorization header"),
		with("Basic with nothing after it", "/probe/project", "Basic ", 401, "Invalid authorization header"),
		with("no pair", "/probe/project", pair("nonsense"), 401, "Invalid authorization header. Confirm that you've configured the correct host."),
		with("an empty secret", "/probe/project", pair("pk-lf-a:"), 401, "Invalid authorization header. Confirm that you've configured the correct host."),
		with("not base64", "/probe/project", "Basic ???", 401, "Invalid character. Confirm that you've configured the correct host."),
		with("unknown key", "/probe/project", pair("pk-lf-x:sk-lf-a-secret-0001"), 401, "Invalid credentials. Confirm that you've configured the correct host."),
		with("wrong secret", "/probe/project", pair("pk-lf-a:sk-lf-a-secret-0002"), 401, "Invalid credentials. Confirm that you've configured the correct host."),
		with("another key's public half", "/probe/project", pair("pk-lf-b:sk-lf-a-secret-0001"), 401, "Invalid credentials. Confirm that you've configured the correct host."),
		with("Bearer, unknown public key", "/probe/project", "Bearer sk-lf-a-secret-0001", 401, "Invalid public key. Confirm that you've configured the correct host."),
		with("Bearer with an organization key", "/probe/project", "Bearer pk-lf-org-a", 401, "Unauthorized: Cannot use organization key with bearer auth. Confirm that you've configured the correct host."),
		with("Bearer on a project read", "/probe/project", "Bearer pk-lf-a", 403, "Access denied - insufficient permissions for this endpoint"),
		{name: "an organization key on a project read", path: "/probe/project", key: "organization", status: 403, want: `{"message":"Access denied - insufficient permissions for this endpoint"}`},
		{name: "a key without the permission", method: "POST", path: "/probe/traces", key: "limited", status: 403, want: `{"message":"Access denied - insufficient permissions for this endpoint: the key lacks the permission traces:write"}`},
		{name: "a key with the permission", path: "/probe/project", key: "limited", status: 200, want: `{"project":"project-a"}`},
		{name: "a whole key", path: "/probe/project", key: "project", status: 200, want: `{"project":"project-a"}`},
		scores,

		{name: "admin: no token", path: "/probe/admin", status: 401, contains: []string{`{"error":"`}},
		{name: "admin: wrong token", path: "/probe/admin", header: map[string]string{"Authorization": "Bearer x"}, status: 401, contains: []string{`{"error":"`}},
		{name: "admin: a project key", path: "/probe/admin", key: "project", status: 401, contains: []string{`{"error":"`}},
		{name: "admin: right token", path: "/probe/admin", header: map[string]string{"Authorization": "Bearer admin-secret"}, status: 200},
	})

	t.Run("key store unreachable", func(t *testing.T) {
		f := newFixture(t, nil)
		if err := f.Catalog.Close(); err != nil {
			t.Fatal(err)
		}
		f.run(t, scenario{path: "/probe/project", key: "project", status: 503, want: `{"message":"Service Unavailable"}`})
		if !strings.Contains(f.log.String(), "database is closed") {
			t.Errorf("the log does not tell why: %s", f.log)
		}
	})
}

// TestErrors checks the table of error envelopes.
func TestErrors(t *testing.T) {
	runScenarios(t, []scenario{
		{name: "parameters do not fit", path: "/probe/page?page=0&limit=x", status: 400, want: `{"message":"Invalid request data","error":[{"origin":"number","code":"too_small","minimum":0,"inclusive":false,"path":["page"],"message":"Too small: expected number to be >0"},{"expected":"number","code":"invalid_type","received":"NaN","path":["limit"],"message":"Invalid input: expected number, received NaN"}]}`},
		{name: "the body does not fit", method: "POST", path: "/probe/body", key: "project", body: `{"name":1,"x":2}`, status: 400, want: `{"message":"Invalid request data","error":[{"expected":"string","code":"invalid_type","path":["name"],"message":"Invalid input: expected string, received number"},{"code":"unrecognized_keys","keys":["x"],"path":[],"message":"Unrecognized key: \"x\""}]}`},
		{name: "semantic rejection", path: "/probe/fail/invalid", status: 400, want: `{"message":"Column x is unknown","error":"InvalidRequestError"}`},
		{name: "not found", path: "/probe/fail/missing", status: 404, want: `{"message":"Trace x not found within authorized project","error":"LangfuseNotFoundError"}`},
		{name: "conflict", path: "/probe/fail/conflict", status: 409, want: `{"message":"taken","error":"LangfuseConflictError"}`},
		{name: "too slow", path: "/probe/fail/slow", status: 422, contains: []string{`"error":"Request timed out"`}},
		{name: "the client is gone", path: "/probe/fail/gone", status: 499},
		{name: "no space", path: "/probe/fail/full", status: 503, contains: []string{"run out of disk space"}, wantHeader: map[string]string{"Retry-After": "10"}},
		{name: "no descriptors", path: "/probe/fail/descriptors", status: 503, contains: []string{"file descriptors"}, wantHeader: map[string]string{"Retry-After": "10"}},
		{name: "method not allowed", method: "DELETE", path: "/probe/page", status: 405, want: `{"message":"Method not allowed","error":"MethodNotAllowedError"}`},
		{name: "HEAD is not offered", method: "HEAD", path: "/probe/page", status: 405},
		{name: "unknown path", path: "/api/public/nope", status: 404, want: `{"message":"No such route: GET /api/public/nope","error":"RouteNotFoundError"}`, wantHeader: map[string]string{"Content-Type": "application/json; charset=utf-8"}},
		{name: "below a known path", path: "/api/public/health/x", status: 404, want: `{"message":"No such route: GET /api/public/health/x","error":"RouteNotFoundError"}`},
		{name: "an answer that cannot be written", path: "/probe/unmarshalable", status: 500, want: `{"message":"Internal Server Error","error":"An unknown error occurred"}`},
		{name: "an answer larger than the memory for answers", path: "/probe/large", status: 503, wantHeader: map[string]string{"Retry-After": "1"}},
		{name: "nothing", path: "/probe/nothing", status: 200, want: `{"message":"OK"}`},
		{
			name: "internal", path: "/probe/fail/internal", status: 500, want: `{"message":"Internal Server Error","error":"An unknown error occurred"}`,
			after: func(t *testing.T, f *fixture) {
				if !strings.Contains(f.log.String(), "secret detail") {
					t.Errorf("the log lacks the cause: %s", f.log)
				}
			},
		},
		{
			name: "a panic", path: "/probe/fail/panic", status: 500, want: `{"message":"Internal Server Error","error":"An unknown error occurred"}`,
			header: map[string]string{"X-Request-Id": "req-1"}, wantHeader: map[string]string{"X-Request-Id": "req-1"},
			after: func(t *testing.T, f *fixture) {
				if log := f.log.String(); !strings.Contains(log, "secret detail") || !strings.Contains(log, "request=req-1") || !strings.Contains(log, "layer_test.go") {
					t.Errorf("the log lacks the panic, its request or its stack: %s", log)
				}
				f.run(t, scenario{path: "/api/public/health", status: 200}) // the server is still up
			},
		},
	})
}

// TestOrderOfProcessing shows which of several errors wins.
func TestOrderOfProcessing(t *testing.T) {
	runScenarios(t, []scenario{
		{name: "body before method and credentials", method: "PATCH", path: "/api/public/projects", body: `{nope`, status: 400, want: "Invalid JSON"},
		{name: "body before credentials", method: "POST", path: "/probe/traces", body: `{nope`, status: 400, want: "Invalid JSON", header: map[string]string{"Origin": "http://x.test"}, wantHeader: map[string]string{"Access-Control-Allow-Origin": ""}},
		{name: "method before credentials", method: "DELETE", path: "/probe/project", status: 405},
		{name: "credentials before parameters", path: "/api/public/projects/x/apiKeys?limit=x", status: 401},
		{name: "permission before the body's members", method: "POST", path: "/api/public/projects", key: "project", body: `{}`, status: 403},
		{name: "preflight before method and credentials", method: "OPTIONS", path: "/probe/project", status: 204},
	})
}

func TestBodies(t *testing.T) {
	nested := strings.Repeat("[", 500) + strings.Repeat("]", 500)
	runScenarios(t, []scenario{
		{name: "JSON with parameters", method: "POST", path: "/probe/body", key: "project", body: `{"name":"x"}`, header: map[string]string{"Content-Type": "application/json; charset=utf-8"}, status: 200, want: `{"name":"x"}`},
		{name: "a kind of JSON", method: "POST", path: "/probe/body", key: "project", body: `{"name":"x"}`, header: map[string]string{"Content-Type": "application/scim+json"}, status: 200},
		{name: "an empty body is an empty object", method: "POST", path: "/probe/body", key: "project", header: map[string]string{"Content-Type": "application/json"}, status: 400, contains: []string{`expected string, received undefined`}},
		{name: "without a content type it is text", method: "POST", path: "/probe/body", key: "project", body: `{"name":"x"}`, header: map[string]string{"Content-Type": ""}, status: 400, contains: []string{`expected object, received string`}},
		{name: "too deeply nested", method: "POST", path: "/probe/body", key: "project", body: nested, status: 400, want: "Invalid JSON"},
		{name: "at the limit", method: "POST", path: "/probe/body", key: "project", body: sizedBody(defaultMaxBody), status: 200},
		{name: "above the limit", method: "POST", path: "/probe/body", key: "project", body: sizedBody(defaultMaxBody + 1), status: 413, want: "The request body is larger than the limit of 1048576 bytes", wantHeader: map[string]string{"Connection": "close", "Content-Type": "text/plain; charset=utf-8"}},
	})
	t.Run("above the limit without saying so", func(t *testing.T) {
		f := newFixture(t, nil)
		r := scenario{method: "POST", path: "/probe/body", key: "project", body: sizedBody(defaultMaxBody + 1)}.request()
		r.ContentLength = -1
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		if w.Code != 413 {
			t.Errorf("status %d", w.Code)
		}
	})
	t.Run("memory comes back", func(t *testing.T) {
		f := newFixture(t, nil)
		before := f.Memory.Held()
		for _, size := range []int{1000, 100_000, defaultMaxBody, defaultMaxBody + 1} {
			for _, length := range []int64{int64(size), -1} {
				r := scenario{method: "POST", path: "/probe/body", key: "project", body: sizedBody(size)}.request()
				r.ContentLength = length
				f.ServeHTTP(httptest.NewRecorder(), r)
			}
		}
		if after := f.Memory.Held(); after != before {
			t.Errorf("%d bytes of %d are lost", before-after, before)
		}
	})
	t.Run("no memory left", func(t *testing.T) {
		f := newFixture(t, func(o *Options) { o.Memory = newMemory(100_000) })
		f.run(t, scenario{method: "POST", path: "/probe/body", key: "project", body: sizedBody(200_000), status: 503, contains: []string{"ServiceUnavailableError"}, wantHeader: map[string]string{"Retry-After": "1"}})
		f.run(t, scenario{method: "POST", path: "/probe/body", key: "project", body: sizedBody(10_000), status: 200})
	})
}

// sizedBody returns a body of exactly size bytes.
func sizedBody(size int) string {
	const frame = `{"name":""}`
	return `{"name":"` + strings.Repeat("x", size-len(frame)) + `"}`
}

func TestPaths(t *testing.T) {
	runScenarios(t, []scenario{
		{name: "trailing slash", path: "/api/public/projects/?limit=1&x=%2F", status: 308, wantHeader: map[string]string{"Location": "/api/public/projects?limit=1&x=%2F"}},
		{name: "trailing slash of an unknown path", path: "/nope/", status: 308, wantHeader: map[string]string{"Location": "/nope"}},
		{name: "no redirect to another host", path: "//example.org/", status: 308, wantHeader: map[string]string{"Location": "/example.org"}},
		{name: "nor with a backslash", path: `/\example.org/`, status: 308, wantHeader: map[string]string{"Location": `/%5Cexample.org`}},
		{name: "an escaped slash is no separator", path: "/probe/segment/a%2Fb", status: 200, want: `"a/b"`},
		{name: "an escaped slash at the end stays", path: "/probe/segment/a%2F", status: 200, want: `"a/"`},
		{name: "escapes are decoded once", path: "/probe/segment/a%2520b", status: 200, want: `"a%20b"`},
		{name: "odd names", path: "/probe/segment/%3F%23%25%5B%5D%7B%7D%22%5C%3B%3A+%20%C3%A9", status: 200, want: `"?#%[]{}\"\\;:+ é"`},
	})
}

func TestCORS(t *testing.T) {
	runScenarios(t, []scenario{
		{
			name: "the origin is echoed", path: "/api/public/projects", key: "project", header: map[string]string{"Origin": "http://x.test"}, status: 200,
			wantHeader: map[string]string{"Access-Control-Allow-Origin": "http://x.test", "Vary": "Origin, Accept-Encoding", "Access-Control-Allow-Credentials": ""},
		},
		{name: "also on errors", path: "/api/public/projects", header: map[string]string{"Origin": "http://x.test"}, status: 401, wantHeader: map[string]string{"Access-Control-Allow-Origin": "http://x.test"}},
		{name: "no origin", path: "/api/public/projects", key: "project", status: 200, wantHeader: map[string]string{"Access-Control-Allow-Origin": "", "Vary": "Origin, Accept-Encoding"}},
		{
			name: "preflight", method: "OPTIONS", path: "/api/public/projects", status: 204,
			header: map[string]string{"Origin": "http://x.test", "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization,x-langfuse-sdk-name"},
			wantHeader: map[string]string{
				"Access-Control-Allow-Origin": "http://x.test", "Access-Control-Allow-Methods": "GET,HEAD,PUT,PATCH,POST,DELETE",
				"Access-Control-Allow-Headers": "authorization,x-langfuse-sdk-name", "Content-Length": "0",
			},
		},
	})
}

func TestHeaders(t *testing.T) {
	runScenarios(t, []scenario{
		{
			name: "of every answer", path: "/api/public/projects", key: "project", status: 200,
			wantHeader: map[string]string{
				"Content-Type": "application/json; charset=utf-8", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "SAMEORIGIN",
				"Referrer-Policy": "strict-origin-when-cross-origin", "X-Robots-Tag": "noindex",
			},
		},
		{name: "a plain request id is kept", path: "/api/public/health", header: map[string]string{"X-Request-Id": "my-id_1.2:3"}, status: 200, wantHeader: map[string]string{"X-Request-Id": "my-id_1.2:3"}},
	})
	for _, odd := range []string{"a b", "x\ny", strings.Repeat("a", 65), "<x>"} {
		if got := requestID(odd); got == odd || len(got) != 26 {
			t.Errorf("requestID(%q) = %q", odd, got)
		}
	}
	t.Run("not modified", func(t *testing.T) {
		f := newFixture(t, nil)
		w := httptest.NewRecorder()
		f.ServeHTTP(w, scenario{path: "/api/public/projects", key: "project"}.request())
		f.run(t, scenario{path: "/api/public/projects", key: "project", header: map[string]string{"If-None-Match": w.Header().Get("ETag")}, status: 304})
		f.run(t, scenario{path: "/api/public/projects", key: "foreign", header: map[string]string{"If-None-Match": w.Header().Get("ETag")}, status: 200})
	})
}

func TestConcurrencyLimit(t *testing.T) {
	f := newFixture(t, func(o *Options) { o.Limits.Concurrent, o.Limits.Wait = 2, 10*time.Millisecond })
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			f.ServeHTTP(httptest.NewRecorder(), scenario{path: "/probe/wait"}.request().WithContext(ctx))
		})
	}
	for turns, _ := f.admission.Held(); turns < 2; turns, _ = f.admission.Held() {
		time.Sleep(time.Millisecond)
	}
	busy := scenario{path: "/probe/nothing", status: 503, contains: []string{`"error":"ServiceUnavailableError"`}, wantHeader: map[string]string{"Retry-After": "1"}}
	f.run(t, busy)
	f.run(t, scenario{path: "/api/public/health", status: 200})
	f.run(t, scenario{path: "/metrics", status: 200})
	cancel()
	wg.Wait()
	f.run(t, scenario{path: "/probe/nothing", status: 200})
}

func TestHandlingIsBoundedInTime(t *testing.T) {
	f := newFixture(t, func(o *Options) { o.Limits.Handling = 10 * time.Millisecond })
	f.run(t, scenario{path: "/probe/wait", status: 422, contains: []string{`"error":"Request timed out"`}})
}

// TestNoForeignAccess calls every route of the table that requires a key with the ids of organization a in its path and
// the keys of others, and checks that the response reveals nothing of a and that nothing of a has changed.
func TestNoForeignAccess(t *testing.T) {
	f := newFixture(t, nil)
	a := newBelongingsOfA(t, f)
	scoring, settings := a.scoring, a.settings
	before := a.state(t, f)
	for _, rt := range f.routes() {
		if rt.access.kind == "anyone" {
			continue
		}
		path := a.ids.Replace(rt.path)
		if strings.Contains(path, "{") {
			t.Errorf("%s has a parameter that this test has no value of a for", rt.path)
		}
		for _, key := range []string{"foreign", "foreignOrg", "neighbour"} {
			t.Run(rt.method+" "+rt.path+" with "+key, func(t *testing.T) {
				w := httptest.NewRecorder()
				body := `{"name":"Taken over"}`
				switch {
				case strings.HasSuffix(rt.path, "/limits"):
					body = `{"requestsPerDay":1}`
				case strings.HasSuffix(rt.path, "/memberships"):
					body = `{"userId":"` + scoring.user + `","role":"OWNER"}`
				case strings.Contains(rt.path, "/scim/") && rt.method == "PUT":
					body = `{"schemas":["` + admin.SCIMUserSchema + `"],"active":false}`
				case strings.Contains(rt.path, "/scim/") && rt.method == "PATCH":
					body = `{"schemas":["` + admin.SCIMPatchSchema + `"],"Operations":[{"op":"replace","value":{"active":false}}]}`
				case rt.method == "PUT" && strings.Contains(rt.path, "/models/"):
					body = tiered(defaultTierIn)
				case strings.HasSuffix(rt.path, "/blob-storage"):
					body = integration(``)
				case strings.HasSuffix(rt.path, "/assignments"):
					body = `{"userId":"` + scoring.user + `"}`
				case strings.HasSuffix(rt.path, "/comments"):
					body = `{"projectId":"project-a","objectId":"canary-trace","objectType":"TRACE","content":"c"}`
				case strings.Contains(rt.path, "/unstable/"), strings.Contains(rt.path, "/v2/evalua"):
					body = settings.bodyFor(rt)
				case strings.HasSuffix(rt.path, "/items"):
					body = `{"objectId":"canary-trace","objectType":"TRACE"}`
				case rt.method == "DELETE":
					body = `{"traceIds":["canary-trace"]}`
				case rt.method == "PATCH":
					body = `{"status":"COMPLETED"}`
					if strings.Contains(rt.path, "score-configs") {
						body = `{"isArchived":true}`
					}
					if strings.Contains(rt.path, "prompts") {
						body = `{"newLabels":["taken-over"]}`
					}
				}
				path := path
				if strings.HasSuffix(rt.path, "/metrics") {
					path += metricsOf(`{"view":"observations","fromTimestamp":"1969-01-01T00:00:00Z","toTimestamp":"2969-01-01T00:00:00Z",` +
						`"dimensions":[{"field":"name"}],"metrics":[]}`)
				}
				f.ServeHTTP(w, scenario{method: rt.method, path: path, key: key, body: body}.request())
				a.checkHidden(t, w.Body.String())
				// A credential that is admitted must have been admitted to an object of its own.
				if strings.Contains(rt.path, "{projectId}") && w.Code != http.StatusNotFound && w.Code != http.StatusForbidden {
					t.Errorf("status %d", w.Code)
				}
				if after := a.state(t, f); after != before {
					t.Errorf("organization a changed\nfrom %s\n  to %s", before, after)
				}
			})
		}
		t.Run(rt.method+" "+rt.path+" without a key", func(t *testing.T) {
			f.run(t, scenario{method: rt.method, path: path, status: 401})
		})
	}
}

// pricingOfA holds the ids of the model and the connection of project a, which also has a blob storage integration.
type pricingOfA struct{ model, connection string }

func newPricingOfA(t *testing.T, f *fixture) pricingOfA {
	t.Helper()
	const canary = "canary of the catalog"
	scope, by := domain.OfProject("project-a"), domain.Actor{}
	model, modelErr := f.Catalog.CreateModel(t.Context(), scope, domain.Model{Name: canary, MatchPattern: "x"}, by)
	connection, _, connectionErr := f.Catalog.PutLLMConnection(t.Context(), scope, domain.LLMConnection{Provider: canary}, by)
	_, blobErr := f.Catalog.PutBlobStorageIntegration(t.Context(), domain.OfOrganization("org-a"),
		domain.BlobStorageIntegration{ProjectID: "project-a", BucketName: canary}, func(domain.BlobStorageIntegration) error { return nil }, by)
	if err := errors.Join(modelErr, connectionErr, blobErr); err != nil {
		t.Fatal(err)
	}
	return pricingOfA{model.ID, connection.ID}
}

func (pricingOfA) state(t *testing.T, f *fixture) string {
	t.Helper()
	scope := domain.OfProject("project-a")
	models, modelsErr := f.Catalog.Models(t.Context(), scope)
	connections, _, connectionsErr := f.Catalog.LLMConnections(t.Context(), scope, tables.Page{Limit: 100})
	blobs, blobsErr := f.Catalog.BlobStorageIntegrations(t.Context(), domain.OfOrganization("org-a"))
	if err := errors.Join(modelsErr, connectionsErr, blobsErr); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(models, connections, blobs)
}

// settingsOfA holds the ids of the dashboards and evaluations of project a.
type settingsOfA struct{ widget, dashboard, evaluator, rule string }

func newSettingsOfA(t *testing.T, f *fixture) settingsOfA {
	t.Helper()
	const canary = `"name":"canary of the catalog"`
	var s settingsOfA
	s.widget = made(t, f, widgets, strings.Replace(plainWidget, `"name":"w"`, canary, 1))
	s.dashboard = made(t, f, dashboardsPath, `{`+canary+`,"definition":{"widgets":[{"type":"widget","id":"canary-placement","widgetId":"`+s.widget+`","x":0,"y":0,"width":1,"height":1}]}}`)
	s.evaluator = made(t, f, evaluatorsPath, strings.Replace(newCode, `"name":"code"`, `"name":"evaluator-of-a","description":"canary of the catalog"`, 1))
	s.rule = made(t, f, rulesPath, `{`+canary+`,"enabled":true,"evaluatorAssignments":[{"evaluatorId":"`+s.evaluator+`"}]}`)
	return s
}

// bodyFor returns a body with which a route would change the settings of project a if the request were admitted.
func (s settingsOfA) bodyFor(rt route) string {
	switch {
	case strings.HasSuffix(rt.path, "/placements"):
		return `{"type":"widget","widgetId":"` + s.widget + `"}`
	case strings.Contains(rt.path, "/placements/"):
		return `{"x":5}`
	case strings.HasSuffix(rt.path, "/dashboards") && rt.method == "POST":
		return `{"name":"n","definition":{"widgets":[{"type":"widget","id":"p","widgetId":"` + s.widget + `","x":0,"y":0,"width":1,"height":1}]}}`
	case strings.HasSuffix(rt.path, "/unstable/evaluation-rules"):
		return `{"name":"n","target":"observation","enabled":true,"evaluators":[{"evaluator":{"name":"evaluator-of-a","type":"code"}}]}`
	case strings.HasSuffix(rt.path, "/v2/evaluation-rules"):
		return `{"name":"n","enabled":true,"evaluatorAssignments":[{"evaluatorId":"` + s.evaluator + `"}]}`
	}
	return `{"name":"Taken over"}`
}

func (s settingsOfA) state(t *testing.T, f *fixture) string {
	t.Helper()
	scope := domain.OfProject("project-a")
	widget, widgetErr := f.Catalog.Widget(t.Context(), scope, s.widget)
	dashboard, dashboardErr := f.Catalog.Dashboard(t.Context(), scope, s.dashboard)
	evaluator, evaluatorErr := f.Catalog.Evaluator(t.Context(), scope, s.evaluator)
	rule, ruleErr := f.Catalog.EvaluationRule(t.Context(), scope, s.rule)
	if err := errors.Join(widgetErr, dashboardErr, evaluatorErr, ruleErr); err != nil {
		t.Error(err)
	}
	state, err := respond.Marshal([]any{widget, dashboard, evaluator, rule})
	if err != nil {
		t.Error(err)
	}
	return string(state)
}

// scoringOfA holds the ids of the scoring objects of project a.
type scoringOfA struct{ config, queue, item, comment, user string }

func newScoringOfA(t *testing.T, f *fixture) scoringOfA {
	t.Helper()
	const canary = "canary of the store"
	scope, by := domain.OfProject("project-a"), domain.Actor{}
	config, configErr := f.Catalog.CreateScoreConfig(t.Context(), scope, domain.ScoreConfig{Name: canary, DataType: domain.ScoreText}, by)
	queue, queueErr := f.Catalog.CreateAnnotationQueue(t.Context(), scope, domain.AnnotationQueue{Name: canary, ScoreConfigIDs: []string{config.ID}}, by)
	item, itemErr := f.Catalog.CreateAnnotationItem(t.Context(), scope, domain.AnnotationItem{
		QueueID: queue.ID, ObjectType: domain.ObjectTrace, ObjectID: canary, Status: domain.AnnotationPending,
	}, by)
	comment, commentErr := f.Catalog.CreateComment(t.Context(), scope, domain.Comment{ObjectType: domain.ObjectTrace, ObjectID: "canary-trace", Content: canary}, by)
	user := newMember(t, f, "org-a")
	assignErr := f.Catalog.AssignToQueue(t.Context(), scope, queue.ID, user, by)
	if err := errors.Join(configErr, queueErr, itemErr, commentErr, assignErr); err != nil {
		t.Fatal(err)
	}
	return scoringOfA{config.ID, queue.ID, item.ID, comment.ID, user}
}

func (s scoringOfA) state(t *testing.T, f *fixture) string {
	t.Helper()
	scope, all := domain.OfProject("project-a"), tables.Page{Limit: 100}
	configs, _, configsErr := f.Catalog.ScoreConfigs(t.Context(), scope, all)
	queues, _, queuesErr := f.Catalog.AnnotationQueues(t.Context(), scope, all)
	items, _, itemsErr := f.Catalog.AnnotationItems(t.Context(), scope, s.queue, "", all)
	comments, _, commentsErr := f.Catalog.Comments(t.Context(), scope, catalog.CommentFilter{}, all)
	if err := errors.Join(configsErr, queuesErr, itemsErr, commentsErr); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(configs, queues, items, comments)
}

// TestSecretsInPathsAreNotLogged requests every route and page whose path holds a secret, as it is logged at debug, with
// an internal error, and with a panic.
func TestSecretsInPathsAreNotLogged(t *testing.T) {
	const secret = "SECRET0123456789"
	var paths []string
	f := newFixture(t, nil)
	for _, rt := range append(f.allRoutes(), f.pageRoutes()...) {
		if strings.Contains(rt.path, "{token}") {
			paths = append(paths, strings.ReplaceAll(rt.path, "{token}", secret))
		}
	}
	for _, link := range []string{accounts.InvitationPath(secret), accounts.ResetPath(secret), "/setup?token=" + secret} {
		paths = append(paths, link, "/base"+link)
	}
	paths = append(paths, "/api/public/traces/"+domain.SecretKeyPrefix+secret)
	if len(paths) < 9 {
		t.Errorf("only %d paths hold a secret: %v", len(paths), paths)
	}
	broken := append(f.allRoutes(), f.pageRoutes()...)
	for n := range broken {
		broken[n].access = anyone(func(c *endpoint.Call) (any, error) {
			if c.Request().Header.Get("X-Panic") != "" {
				panic("a bug")
			}
			return nil, errors.New("broken")
		})
	}
	for _, mux := range []*http.ServeMux{f.mux, f.newMux(broken)} {
		f.mux = mux
		for _, path := range paths {
			for _, how := range []string{"", "yes"} {
				for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodHead} {
					r := httptest.NewRequest(method, "https://almanac.test"+path, http.NoBody)
					r.Header.Set("X-Panic", how)
					f.log.Reset()
					f.ServeHTTP(httptest.NewRecorder(), r)
					if logged := f.log.String(); strings.Contains(logged, secret) || !strings.Contains(logged, "method="+method) {
						t.Errorf("%s %s is logged as %s", method, path, logged)
					}
				}
			}
		}
	}
}

// TestLoggedPath: a secret key sent in place of an id is not logged.
func TestLoggedPath(t *testing.T) {
	for path, want := range map[string]string{
		"/api/public/traces/t":                         "/api/public/traces/t",
		"/api/public/traces/sk-lf-123/more":            "/api/public/traces/sk-lf-…",
		"/api/public/projects/sk-lf-1/apiKeys/sk-lf-2": "/api/public/projects/sk-lf-…",
		"/api/public/traces/pk-lf-123":                 "/api/public/traces/pk-lf-123",
	} {
		if got := loggedPath(httptest.NewRequest(http.MethodGet, path, http.NoBody)); got != want {
			t.Errorf("%s is logged as %s, want %s", path, got, want)
		}
	}
}
