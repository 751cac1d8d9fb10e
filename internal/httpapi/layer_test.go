package httpapi_test

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
	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/admin"
	"almanac/internal/httpapi/apitest"
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
	with := func(name, path, authorization string, status int, message string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Path: path, Header: map[string]string{"Authorization": authorization}, Status: status,
			Want: `{"message":"` + message + `"}`, WantHeader: map[string]string{"WWW-Authenticate": ""},
		}
	}
	scores := apitest.Scenario{
		Name: "the public key alone writes scores", Method: "POST", Path: "/probe/scores",
		Header: map[string]string{"Authorization": "Bearer pk-lf-a"}, Status: 200, Want: `{"project":"project-a"}`,
	}
	runProbed(t, []apitest.Scenario{
		{Name: "header missing", Path: "/probe/project", Status: 401, Want: `{"message":"No authorization header"}`},
		with("unknown scheme", "/probe/project", "Digest x", 401, "Invalid authorization header"),
		with("Basic with nothing after it", "/probe/project", "Basic ", 401, "Invalid authorization header"),
		with("no pair", "/probe/project", pair("nonsense"), 401,
			"Invalid authorization header. Confirm that you've configured the correct host."),
		with("an empty secret", "/probe/project", pair("pk-lf-a:"), 401,
			"Invalid authorization header. Confirm that you've configured the correct host."),
		with("not base64", "/probe/project", "Basic ???", 401, "Invalid character. Confirm that you've configured the correct host."),
		with("unknown key", "/probe/project", pair("pk-lf-x:sk-lf-a-secret-0001"), 401,
			"Invalid credentials. Confirm that you've configured the correct host."),
		with("wrong secret", "/probe/project", pair("pk-lf-a:sk-lf-a-secret-0002"), 401,
			"Invalid credentials. Confirm that you've configured the correct host."),
		with("another key's public half", "/probe/project", pair("pk-lf-b:sk-lf-a-secret-0001"), 401,
			"Invalid credentials. Confirm that you've configured the correct host."),
		with("Bearer, unknown public key", "/probe/project", "Bearer sk-lf-a-secret-0001", 401,
			"Invalid public key. Confirm that you've configured the correct host."),
		with("Bearer with an organization key", "/probe/project", "Bearer pk-lf-org-a", 401,
			"Unauthorized: Cannot use organization key with bearer auth. Confirm that you've configured the correct host."),
		with("Bearer on a project read", "/probe/project", "Bearer pk-lf-a", 403,
			"Access denied - insufficient permissions for this endpoint"),
		{
			Name: "an organization key on a project read", Path: "/probe/project", Key: "organization", Status: 403,
			Want: `{"message":"Access denied - insufficient permissions for this endpoint"}`,
		},
		{
			Name: "a key without the permission", Method: "POST", Path: "/probe/traces", Key: "limited", Status: 403,
			Want: `{"message":"Access denied - insufficient permissions for this endpoint: the key lacks the permission traces:write"}`,
		},
		{Name: "a key with the permission", Path: "/probe/project", Key: "limited", Status: 200, Want: `{"project":"project-a"}`},
		{Name: "a whole key", Path: "/probe/project", Key: "project", Status: 200, Want: `{"project":"project-a"}`},
		scores,

		{Name: "admin: no token", Path: "/probe/admin", Status: 401, Contains: []string{`{"error":"`}},
		{
			Name: "admin: wrong token", Path: "/probe/admin", Header: map[string]string{"Authorization": "Bearer x"}, Status: 401,
			Contains: []string{`{"error":"`},
		},
		{Name: "admin: a project key", Path: "/probe/admin", Key: "project", Status: 401, Contains: []string{`{"error":"`}},
		{Name: "admin: right token", Path: "/probe/admin", Header: map[string]string{"Authorization": "Bearer admin-secret"}, Status: 200},
	})

	t.Run("key store unreachable", func(t *testing.T) {
		f := newProbed(t, nil)
		if err := f.Catalog.Close(); err != nil {
			t.Fatal(err)
		}
		f.Run(t, apitest.Scenario{Path: "/probe/project", Key: "project", Status: 503, Want: `{"message":"Service Unavailable"}`})
		if !strings.Contains(f.Logged.String(), "database is closed") {
			t.Errorf("the log does not tell why: %s", f.Logged)
		}
	})
}

// TestErrors checks the table of error envelopes.
func TestErrors(t *testing.T) {
	runProbed(t, []apitest.Scenario{
		{
			Name: "parameters do not fit", Path: "/probe/page?page=0&limit=x", Status: 400,
			Want: `{"message":"Invalid request data","error":[{"origin":"number","code":"too_small","minimum":0,"inclusive":false,"path":["page"],"message":"Too small: expected number to be >0"},{"expected":"number","code":"invalid_type","received":"NaN","path":["limit"],"message":"Invalid input: expected number, received NaN"}]}`,
		},
		{
			Name: "the body does not fit", Method: "POST", Path: "/probe/body", Key: "project", Body: `{"name":1,"x":2}`, Status: 400,
			Want: `{"message":"Invalid request data","error":[{"expected":"string","code":"invalid_type","path":["name"],"message":"Invalid input: expected string, received number"},{"code":"unrecognized_keys","keys":["x"],"path":[],"message":"Unrecognized key: \"x\""}]}`,
		},
		{
			Name: "semantic rejection", Path: "/probe/fail/invalid", Status: 400,
			Want: `{"message":"Column x is unknown","error":"InvalidRequestError"}`,
		},
		{
			Name: "not found", Path: "/probe/fail/missing", Status: 404,
			Want: `{"message":"Trace x not found within authorized project","error":"LangfuseNotFoundError"}`,
		},
		{Name: "conflict", Path: "/probe/fail/conflict", Status: 409, Want: `{"message":"taken","error":"LangfuseConflictError"}`},
		{Name: "too slow", Path: "/probe/fail/slow", Status: 422, Contains: []string{`"error":"Request timed out"`}},
		{Name: "the client is gone", Path: "/probe/fail/gone", Status: 499},
		{
			Name: "no space", Path: "/probe/fail/full", Status: 503, Contains: []string{"run out of disk space"},
			WantHeader: map[string]string{"Retry-After": "10"},
		},
		{
			Name: "no descriptors", Path: "/probe/fail/descriptors", Status: 503, Contains: []string{"file descriptors"},
			WantHeader: map[string]string{"Retry-After": "10"},
		},
		{
			Name: "method not allowed", Method: "DELETE", Path: "/probe/page", Status: 405,
			Want: `{"message":"Method not allowed","error":"MethodNotAllowedError"}`,
		},
		{Name: "HEAD is not offered", Method: "HEAD", Path: "/probe/page", Status: 405},
		{
			Name: "unknown path", Path: "/api/public/nope", Status: 404,
			Want:       `{"message":"No such route: GET /api/public/nope","error":"RouteNotFoundError"}`,
			WantHeader: map[string]string{"Content-Type": "application/json; charset=utf-8"},
		},
		{
			Name: "below a known path", Path: "/api/public/health/x", Status: 404,
			Want: `{"message":"No such route: GET /api/public/health/x","error":"RouteNotFoundError"}`,
		},
		{
			Name: "an answer that cannot be written", Path: "/probe/unmarshalable", Status: 500,
			Want: `{"message":"Internal Server Error","error":"An unknown error occurred"}`,
		},
		{
			Name: "an answer larger than the memory for answers", Path: "/probe/large", Status: 503,
			WantHeader: map[string]string{"Retry-After": "1"},
		},
		{Name: "nothing", Path: "/probe/nothing", Status: 200, Want: `{"message":"OK"}`},
		{
			Name: "internal", Path: "/probe/fail/internal", Status: 500,
			Want: `{"message":"Internal Server Error","error":"An unknown error occurred"}`,
			After: func(t *testing.T, f *apitest.Fixture) {
				if !strings.Contains(f.Logged.String(), "secret detail") {
					t.Errorf("the log lacks the cause: %s", f.Logged)
				}
			},
		},
		{
			Name: "a panic", Path: "/probe/fail/panic", Status: 500,
			Want:   `{"message":"Internal Server Error","error":"An unknown error occurred"}`,
			Header: map[string]string{"X-Request-Id": "req-1"}, WantHeader: map[string]string{"X-Request-Id": "req-1"},
			After: func(t *testing.T, f *apitest.Fixture) {
				if log := f.Logged.String(); !strings.Contains(log, "secret detail") || !strings.Contains(log, "request=req-1") ||
					!strings.Contains(log, "layer_test.go") {
					t.Errorf("the log lacks the panic, its request or its stack: %s", log)
				}
				f.Run(t, apitest.Scenario{Path: "/api/public/health", Status: 200}) // the server is still up
			},
		},
	})
}

// TestOrderOfProcessing shows which of several errors wins.
func TestOrderOfProcessing(t *testing.T) {
	runProbed(t, []apitest.Scenario{
		{
			Name: "body before method and credentials", Method: "PATCH", Path: "/api/public/projects", Body: `{nope`, Status: 400,
			Want: "Invalid JSON",
		},
		{
			Name: "body before credentials", Method: "POST", Path: "/probe/traces", Body: `{nope`, Status: 400, Want: "Invalid JSON",
			Header: map[string]string{"Origin": "http://x.test"}, WantHeader: map[string]string{"Access-Control-Allow-Origin": ""},
		},
		{Name: "method before credentials", Method: "DELETE", Path: "/probe/project", Status: 405},
		{Name: "credentials before parameters", Path: "/api/public/projects/x/apiKeys?limit=x", Status: 401},
		{
			Name: "permission before the body's members", Method: "POST", Path: "/api/public/projects", Key: "project", Body: `{}`,
			Status: 403,
		},
		{Name: "preflight before method and credentials", Method: "OPTIONS", Path: "/probe/project", Status: 204},
	})
}

func TestBodies(t *testing.T) {
	nested := strings.Repeat("[", 500) + strings.Repeat("]", 500)
	runProbed(t, []apitest.Scenario{
		{
			Name: "JSON with parameters", Method: "POST", Path: "/probe/body", Key: "project", Body: `{"name":"x"}`,
			Header: map[string]string{"Content-Type": "application/json; charset=utf-8"}, Status: 200, Want: `{"name":"x"}`,
		},
		{
			Name: "a kind of JSON", Method: "POST", Path: "/probe/body", Key: "project", Body: `{"name":"x"}`,
			Header: map[string]string{"Content-Type": "application/scim+json"}, Status: 200,
		},
		{
			Name: "an empty body is an empty object", Method: "POST", Path: "/probe/body", Key: "project",
			Header: map[string]string{"Content-Type": "application/json"}, Status: 400,
			Contains: []string{`expected string, received undefined`},
		},
		{
			Name: "without a content type it is text", Method: "POST", Path: "/probe/body", Key: "project", Body: `{"name":"x"}`,
			Header: map[string]string{"Content-Type": ""}, Status: 400, Contains: []string{`expected object, received string`},
		},
		{Name: "too deeply nested", Method: "POST", Path: "/probe/body", Key: "project", Body: nested, Status: 400, Want: "Invalid JSON"},
		{Name: "at the limit", Method: "POST", Path: "/probe/body", Key: "project", Body: sizedBody(httpapi.DefaultMaxBody), Status: 200},
		{
			Name: "above the limit", Method: "POST", Path: "/probe/body", Key: "project", Body: sizedBody(httpapi.DefaultMaxBody + 1), Status: 413,
			Want: "The request body is larger than the limit of 1048576 bytes", WantHeader: map[string]string{
				"Connection": "close", "Content-Type": "text/plain; charset=utf-8",
			},
		},
	})
	t.Run("above the limit without saying so", func(t *testing.T) {
		f := newProbed(t, nil)
		r := apitest.Scenario{Method: "POST", Path: "/probe/body", Key: "project", Body: sizedBody(httpapi.DefaultMaxBody + 1)}.Request()
		r.ContentLength = -1
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		if w.Code != 413 {
			t.Errorf("status %d", w.Code)
		}
	})
	t.Run("memory comes back", func(t *testing.T) {
		f := newProbed(t, nil)
		before := f.Memory.Held()
		for _, size := range []int{1000, 100_000, httpapi.DefaultMaxBody, httpapi.DefaultMaxBody + 1} {
			for _, length := range []int64{int64(size), -1} {
				r := apitest.Scenario{Method: "POST", Path: "/probe/body", Key: "project", Body: sizedBody(size)}.Request()
				r.ContentLength = length
				f.ServeHTTP(httptest.NewRecorder(), r)
			}
		}
		if after := f.Memory.Held(); after != before {
			t.Errorf("%d bytes of %d are lost", before-after, before)
		}
	})
	t.Run("no memory left", func(t *testing.T) {
		f := newProbed(t, func(o *httpapi.Options) { o.Memory = apitest.NewMemory(100_000) })
		f.Run(t, apitest.Scenario{
			Method: "POST", Path: "/probe/body", Key: "project", Body: sizedBody(200_000), Status: 503,
			Contains: []string{"ServiceUnavailableError"}, WantHeader: map[string]string{"Retry-After": "1"},
		})
		f.Run(t, apitest.Scenario{Method: "POST", Path: "/probe/body", Key: "project", Body: sizedBody(10_000), Status: 200})
	})
}

// sizedBody returns a body of exactly size bytes.
func sizedBody(size int) string {
	const frame = `{"name":""}`
	return `{"name":"` + strings.Repeat("x", size-len(frame)) + `"}`
}

func TestPaths(t *testing.T) {
	runProbed(t, []apitest.Scenario{
		{
			Name: "trailing slash", Path: "/api/public/projects/?limit=1&x=%2F", Status: 308,
			WantHeader: map[string]string{"Location": "/api/public/projects?limit=1&x=%2F"},
		},
		{Name: "trailing slash of an unknown path", Path: "/nope/", Status: 308, WantHeader: map[string]string{"Location": "/nope"}},
		{
			Name: "no redirect to another host", Path: "//example.org/", Status: 308,
			WantHeader: map[string]string{"Location": "/example.org"},
		},
		{Name: "nor with a backslash", Path: `/\example.org/`, Status: 308, WantHeader: map[string]string{"Location": `/%5Cexample.org`}},
		{Name: "an escaped slash is no separator", Path: "/probe/segment/a%2Fb", Status: 200, Want: `"a/b"`},
		{Name: "an escaped slash at the end stays", Path: "/probe/segment/a%2F", Status: 200, Want: `"a/"`},
		{Name: "escapes are decoded once", Path: "/probe/segment/a%2520b", Status: 200, Want: `"a%20b"`},
		{Name: "odd names", Path: "/probe/segment/%3F%23%25%5B%5D%7B%7D%22%5C%3B%3A+%20%C3%A9", Status: 200, Want: `"?#%[]{}\"\\;:+ é"`},
	})
}

func TestCORS(t *testing.T) {
	runProbed(t, []apitest.Scenario{
		{
			Name: "the origin is echoed", Path: "/api/public/projects", Key: "project",
			Header: map[string]string{"Origin": "http://x.test"}, Status: 200,
			WantHeader: map[string]string{
				"Access-Control-Allow-Origin": "http://x.test", "Vary": "Origin, Accept-Encoding", "Access-Control-Allow-Credentials": "",
			},
		},
		{
			Name: "also on errors", Path: "/api/public/projects", Header: map[string]string{"Origin": "http://x.test"}, Status: 401,
			WantHeader: map[string]string{"Access-Control-Allow-Origin": "http://x.test"},
		},
		{
			Name: "no origin", Path: "/api/public/projects", Key: "project", Status: 200,
			WantHeader: map[string]string{"Access-Control-Allow-Origin": "", "Vary": "Origin, Accept-Encoding"},
		},
		{
			Name: "preflight", Method: "OPTIONS", Path: "/api/public/projects", Status: 204,
			Header: map[string]string{
				"Origin": "http://x.test", "Access-Control-Request-Method": "GET",
				"Access-Control-Request-Headers": "authorization,x-langfuse-sdk-name",
			},
			WantHeader: map[string]string{
				"Access-Control-Allow-Origin": "http://x.test", "Access-Control-Allow-Methods": "GET,HEAD,PUT,PATCH,POST,DELETE",
				"Access-Control-Allow-Headers": "authorization,x-langfuse-sdk-name", "Content-Length": "0",
			},
		},
	})
}

func TestHeaders(t *testing.T) {
	runProbed(t, []apitest.Scenario{
		{
			Name: "of every answer", Path: "/api/public/projects", Key: "project", Status: 200,
			WantHeader: map[string]string{
				"Content-Type": "application/json; charset=utf-8", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "SAMEORIGIN",
				"Referrer-Policy": "strict-origin-when-cross-origin", "X-Robots-Tag": "noindex",
			},
		},
		{
			Name: "a plain request id is kept", Path: "/api/public/health", Header: map[string]string{"X-Request-Id": "my-id_1.2:3"},
			Status: 200, WantHeader: map[string]string{"X-Request-Id": "my-id_1.2:3"},
		},
	})
	for _, odd := range []string{"a b", "x\ny", strings.Repeat("a", 65), "<x>"} {
		if got := httpapi.RequestID(odd); got == odd || len(got) != 26 {
			t.Errorf("requestID(%q) = %q", odd, got)
		}
	}
	t.Run("not modified", func(t *testing.T) {
		f := newProbed(t, nil)
		w := httptest.NewRecorder()
		f.ServeHTTP(w, apitest.Scenario{Path: "/api/public/projects", Key: "project"}.Request())
		f.Run(t, apitest.Scenario{
			Path: "/api/public/projects", Key: "project", Header: map[string]string{"If-None-Match": w.Header().Get("ETag")}, Status: 304,
		})
		f.Run(t, apitest.Scenario{
			Path: "/api/public/projects", Key: "foreign", Header: map[string]string{"If-None-Match": w.Header().Get("ETag")}, Status: 200,
		})
	})
}

func TestConcurrencyLimit(t *testing.T) {
	f := newProbed(t, func(o *httpapi.Options) { o.Limits.Concurrent, o.Limits.Wait = 2, 10*time.Millisecond })
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			f.ServeHTTP(httptest.NewRecorder(), apitest.Scenario{Path: "/probe/wait"}.Request().WithContext(ctx))
		})
	}
	for turns, _ := f.Admission.Held(); turns < 2; turns, _ = f.Admission.Held() {
		time.Sleep(time.Millisecond)
	}
	busy := apitest.Scenario{
		Path: "/probe/nothing", Status: 503, Contains: []string{`"error":"ServiceUnavailableError"`},
		WantHeader: map[string]string{"Retry-After": "1"},
	}
	f.Run(t, busy)
	f.Run(t, apitest.Scenario{Path: "/api/public/health", Status: 200})
	f.Run(t, apitest.Scenario{Path: "/metrics", Status: 200})
	cancel()
	wg.Wait()
	f.Run(t, apitest.Scenario{Path: "/probe/nothing", Status: 200})
}

func TestHandlingIsBoundedInTime(t *testing.T) {
	f := newProbed(t, func(o *httpapi.Options) { o.Limits.Handling = 10 * time.Millisecond })
	f.Run(t, apitest.Scenario{Path: "/probe/wait", Status: 422, Contains: []string{`"error":"Request timed out"`}})
}

// TestNoForeignAccess calls every route of the table that requires a key with the ids of organization a in its path and
// the keys of others, and checks that the response reveals nothing of a and that nothing of a has changed.
func TestNoForeignAccess(t *testing.T) {
	f := newProbed(t, nil)
	a := apitest.NewBelongingsOfA(t, f)
	scoring, settings := a.Scoring, a.Settings
	before := a.State(t, f)
	for _, rt := range f.Routes() {
		if rt.Access().Kind() == "anyone" {
			continue
		}
		path := a.IDs.Replace(rt.Path())
		if strings.Contains(path, "{") {
			t.Errorf("%s has a parameter that this test has no value of a for", rt.Path())
		}
		for _, key := range []string{"foreign", "foreignOrg", "neighbour"} {
			t.Run(rt.Method()+" "+rt.Path()+" with "+key, func(t *testing.T) {
				w := httptest.NewRecorder()
				body := `{"name":"Taken over"}`
				switch {
				case strings.HasSuffix(rt.Path(), "/limits"):
					body = `{"requestsPerDay":1}`
				case strings.HasSuffix(rt.Path(), "/memberships"):
					body = `{"userId":"` + scoring.User + `","role":"OWNER"}`
				case strings.Contains(rt.Path(), "/scim/") && rt.Method() == "PUT":
					body = `{"schemas":["` + admin.SCIMUserSchema + `"],"active":false}`
				case strings.Contains(rt.Path(), "/scim/") && rt.Method() == "PATCH":
					body = `{"schemas":["` + admin.SCIMPatchSchema + `"],"Operations":[{"op":"replace","value":{"active":false}}]}`
				case rt.Method() == "PUT" && strings.Contains(rt.Path(), "/models/"):
					body = apitest.Tiered(apitest.DefaultTierIn)
				case strings.HasSuffix(rt.Path(), "/blob-storage"):
					body = apitest.Integration(``)
				case strings.HasSuffix(rt.Path(), "/assignments"):
					body = `{"userId":"` + scoring.User + `"}`
				case strings.HasSuffix(rt.Path(), "/comments"):
					body = `{"projectId":"project-a","objectId":"canary-trace","objectType":"TRACE","content":"c"}`
				case strings.Contains(rt.Path(), "/unstable/"), strings.Contains(rt.Path(), "/v2/evalua"):
					body = bodyFor(settings, rt)
				case strings.HasSuffix(rt.Path(), "/items"):
					body = `{"objectId":"canary-trace","objectType":"TRACE"}`
				case rt.Method() == "DELETE":
					body = `{"traceIds":["canary-trace"]}`
				case rt.Method() == "PATCH":
					body = `{"status":"COMPLETED"}`
					if strings.Contains(rt.Path(), "score-configs") {
						body = `{"isArchived":true}`
					}
					if strings.Contains(rt.Path(), "prompts") {
						body = `{"newLabels":["taken-over"]}`
					}
				}
				path := path
				if strings.HasSuffix(rt.Path(), "/metrics") {
					path += apitest.MetricsOf(`{"view":"observations","fromTimestamp":"1969-01-01T00:00:00Z","toTimestamp":"2969-01-01T00:00:00Z",` +
						`"dimensions":[{"field":"name"}],"metrics":[]}`)
				}
				f.ServeHTTP(w, apitest.Scenario{Method: rt.Method(), Path: path, Key: key, Body: body}.Request())
				a.CheckHidden(t, w.Body.String())
				// A credential that is admitted must have been admitted to an object of its own.
				if strings.Contains(rt.Path(), "{projectId}") && w.Code != http.StatusNotFound && w.Code != http.StatusForbidden {
					t.Errorf("status %d", w.Code)
				}
				if after := a.State(t, f); after != before {
					t.Errorf("organization a changed\nfrom %s\n  to %s", before, after)
				}
			})
		}
		t.Run(rt.Method()+" "+rt.Path()+" without a key", func(t *testing.T) {
			f.Run(t, apitest.Scenario{Method: rt.Method(), Path: path, Status: 401})
		})
	}
}

// bodyFor returns a body with which a route would change the settings of project a if the request were admitted.
func bodyFor(s apitest.SettingsOfA, rt httpapi.Route) string {
	switch {
	case strings.HasSuffix(rt.Path(), "/placements"):
		return `{"type":"widget","widgetId":"` + s.Widget + `"}`
	case strings.Contains(rt.Path(), "/placements/"):
		return `{"x":5}`
	case strings.HasSuffix(rt.Path(), "/dashboards") && rt.Method() == "POST":
		return `{"name":"n","definition":{"widgets":[{"type":"widget","id":"p","widgetId":"` + s.Widget +
			`","x":0,"y":0,"width":1,"height":1}]}}`
	case strings.HasSuffix(rt.Path(), "/unstable/evaluation-rules"):
		return `{"name":"n","target":"observation","enabled":true,"evaluators":[{"evaluator":{"name":"evaluator-of-a","type":"code"}}]}`
	case strings.HasSuffix(rt.Path(), "/v2/evaluation-rules"):
		return `{"name":"n","enabled":true,"evaluatorAssignments":[{"evaluatorId":"` + s.Evaluator + `"}]}`
	}
	return `{"name":"Taken over"}`
}

// TestSecretsInPathsAreNotLogged requests every route and page whose path holds a secret, as it is logged at debug, with
// an internal error, and with a panic.
func TestSecretsInPathsAreNotLogged(t *testing.T) {
	const secret = "SECRET0123456789"
	var paths []string
	f := newProbed(t, nil)
	for _, rt := range append(f.AllRoutes(), f.PageRoutes()...) {
		if strings.Contains(rt.Path(), "{token}") {
			paths = append(paths, strings.ReplaceAll(rt.Path(), "{token}", secret))
		}
	}
	for _, link := range []string{accounts.InvitationPath(secret), accounts.ResetPath(secret), "/setup?token=" + secret} {
		paths = append(paths, link, "/base"+link)
	}
	paths = append(paths, "/api/public/traces/"+domain.SecretKeyPrefix+secret)
	if len(paths) < 9 {
		t.Errorf("only %d paths hold a secret: %v", len(paths), paths)
	}
	broken := append(f.AllRoutes(), f.PageRoutes()...)
	for n := range broken {
		broken[n] = broken[n].Admitting(httpapi.Anyone(func(c *endpoint.Call) (any, error) {
			if c.Request().Header.Get("X-Panic") != "" {
				panic("a bug")
			}
			return nil, errors.New("broken")
		}).Admit())
	}
	for _, table := range [][]httpapi.Route{append(f.AllRoutes(), f.PageRoutes()...), broken} {
		f.Serve(table)
		for _, path := range paths {
			for _, how := range []string{"", "yes"} {
				for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodHead} {
					r := httptest.NewRequest(method, "https://almanac.test"+path, http.NoBody)
					r.Header.Set("X-Panic", how)
					f.Logged.Reset()
					f.ServeHTTP(httptest.NewRecorder(), r)
					if logged := f.Logged.String(); strings.Contains(logged, secret) || !strings.Contains(logged, "method="+method) {
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
		if got := httpapi.LoggedPath(httptest.NewRequest(http.MethodGet, path, http.NoBody)); got != want {
			t.Errorf("%s is logged as %s, want %s", path, got, want)
		}
	}
}
