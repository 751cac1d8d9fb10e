package httpapi_test

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/access/auth"
	"almanac/internal/catalog"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/query/traces"
)

// greedy is a fixture whose project a keeps what it gets until released is closed.
type greedy struct {
	*apitest.Fixture
	released chan struct{}
	requests sync.WaitGroup // of project a
	settled  sync.WaitGroup // those that neither hold what they can get nor were refused
}

type holdsKey struct{}

// start makes a request of project a. Its context and its body have the function to call once it holds what it can get.
func (g *greedy) start(method, path string, body func(holds func()) *stalling, length int64) {
	g.settled.Add(1)
	holds := sync.OnceFunc(g.settled.Done)
	r := apitest.Scenario{Method: method, Path: path, Key: "project"}.Request()
	r = r.WithContext(context.WithValue(r.Context(), holdsKey{}, holds))
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
		r.Body, r.ContentLength = body(holds), length
	}
	g.requests.Go(func() {
		defer holds() // it was refused
		g.ServeHTTP(httptest.NewRecorder(), r)
	})
}

// stall makes many requests of project a whose bodies stop arriving.
func (g *greedy) stall(path string, size int) {
	for range 40 {
		g.start(http.MethodPost, path, func(holds func()) *stalling {
			return &stalling{strings.NewReader(strings.Repeat(" ", size-1)), holds, g.released}
		}, int64(size))
	}
}

// occupy makes many requests of project a whose handlers do not return.
func (g *greedy) occupy(path string) {
	for range 40 {
		g.start(http.MethodGet, path, nil, 0)
	}
}

// greed is how a project uses all it can of something that projects share.
type greed struct {
	of  string // the member of endpoint.Limits or Options that bounds it
	act func(t *testing.T, g *greedy)
}

var greeds = map[string]greed{
	"turns":              {"Concurrent", func(_ *testing.T, g *greedy) { g.occupy("/probe/hold") }},
	"turns of reads":     {"Reads", func(_ *testing.T, g *greedy) { g.occupy("/probe/read") }},
	"memory of requests": {"Memory", func(_ *testing.T, g *greedy) { g.stall("/probe/body", httpapi.DefaultMaxBody) }},
	"memory of exports":  {"Ingest", func(_ *testing.T, g *greedy) { g.stall("/api/public/otel/v1/traces", 4<<20) }},
	"keys": {"Keys", func(t *testing.T, g *greedy) {
		t.Helper()
		for n := range 20 {
			public := fmt.Sprintf("pk-lf-greedy-%d", n)
			if _, err := g.Catalog.CreateKey(t.Context(), domain.OfOrganization("org-a"), tenants.NewKey{
				ProjectID: "project-a", PublicKey: public, SecretHash: auth.HashSecret("sk-lf-greedy-secret"),
				Permissions: domain.AllPermissions(),
			}, domain.Actor{}); err != nil {
				t.Fatal(err)
			}
			g.Ask(t, apitest.Scenario{
				Path: "/api/public/projects", Header: map[string]string{"Authorization": apitest.BasicHeader(public, "sk-lf-greedy-secret")},
				Once: true,
			})
		}
	}},
	"prompts": {"Prompts", func(t *testing.T, g *greedy) {
		t.Helper()
		for n := range 20 {
			name := fmt.Sprintf("greedy-%d", n)
			g.Ask(t, apitest.Scenario{
				Method: "POST", Path: "/api/public/v2/prompts", Body: `{"name":"` + name + `","prompt":"` + strings.Repeat("x", 100_000) +
					`","labels":["production"]}`, Status: 201, Once: true,
			})
			g.Ask(t, apitest.Scenario{Path: "/api/public/v2/prompts/" + name, Once: true})
		}
	}},
	"prices": {"Prices", func(t *testing.T, g *greedy) {
		t.Helper()
		for n := range catalog.MaxModels {
			if _, err := g.Catalog.ModelDefinitions.Create(t.Context(), domain.OfProject("project-a"), domain.Model{
				Name: fmt.Sprintf("greedy-%d", n), MatchPattern: fmt.Sprintf("greedy-%d", n), Unit: "TOKENS",
			}, domain.Actor{}); err != nil {
				t.Fatal(err)
			}
		}
		g.Run(t, apitest.Scenario{
			Method: "POST", Path: "/api/public/models", Key: "project",
			Body: `{"modelName":"one more","matchPattern":"one more","unit":"TOKENS","inputPrice":1}`, Status: 400, Once: true,
		})
		g.Ask(t, apitest.Scenario{Path: "/api/public/v2/observations", Once: true})
	}},
	"marks": {"Marks", func(t *testing.T, g *greedy) {
		t.Helper()
		tags := make([]string, 100)
		for n := range tags {
			tags[n] = fmt.Sprintf("%0200d", n)
		}
		for n := range traces.MarkBytes/4/(len(tags)*len(tags[0])) + 1 { // more than the cache keeps of one project
			if _, err := g.Catalog.MarkTrace(t.Context(), domain.OfProject("project-a"), fmt.Sprintf("%032x", n),
				func(m domain.TraceMark) domain.TraceMark {
					m.Tags = tags
					return m
				}, domain.Actor{}); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 {
			g.Ask(t, apitest.Scenario{Path: "/api/public/v2/observations", Once: true})
		}
	}},
	"limits": {"Usage", func(t *testing.T, g *greedy) {
		t.Helper()
		g.Run(t, apitest.Scenario{
			Method: "PUT", Path: "/api/public/projects/project-a/limits", Key: "organization", Body: `{"requestsPerMinute":2}`, Status: 200,
			Once: true,
		})
		for range 5 {
			g.ServeHTTP(httptest.NewRecorder(), apitest.Scenario{Path: "/api/public/v2/prompts", Key: "project"}.Request())
		}
		g.Run(t, apitest.Scenario{Path: "/api/public/v2/prompts", Key: "project", Status: 429, Once: true})
	}},
}

// TestGreedyNeighbours lets one project use all it can of everything that projects share. Another one is still
// answered. A new limit must be listed here, with how a project would exhaust it or why it cannot.
func TestGreedyNeighbours(t *testing.T) {
	bounded := map[string]bool{}
	for _, g := range greeds {
		bounded[g.of] = true
	}
	notShared := map[string]string{
		"Wait": "a time", "Receiving": "a time", "Handling": "a time", "Sending": "a time", "Traces": "of each request",
		"Tails": "each project has its own number: see TestTailLimits",
	}
	for field := range reflect.TypeFor[endpoint.Limits]().Fields() {
		if name := field.Name; !bounded[name] && notShared[name] == "" {
			t.Errorf("no project is greedy about %s", name)
		}
	}
	for name, greed := range greeds {
		t.Run(name, func(t *testing.T) {
			// Requests that wait for their turn to read are refused when the time for handling them is over.
			f := newProbed(t, func(o *httpapi.Options) { o.Limits.Concurrent, o.Limits.Reads, o.Limits.Handling = 8, 4, 5*time.Second })
			g := &greedy{Fixture: f, released: make(chan struct{})}
			hold := func(c *endpoint.Call, _ domain.ProjectScope) (any, error) {
				c.Context().Value(holdsKey{}).(func())()
				<-g.released
				return nil, nil
			}
			f.Serve(append(append(f.AllRoutes(), probes()...),
				httpapi.NewRoute("GET", "/probe/hold", httpapi.ProjectKey(0, hold), httpapi.Rules{}),
				httpapi.NewRoute("GET", "/probe/read", httpapi.ProjectKey(0, hold), httpapi.Rules{}.Reading())))
			greed.act(t, g)
			g.settled.Wait()
			for _, s := range []apitest.Scenario{
				{Path: "/api/public/projects"},
				{Path: "/api/public/v2/observations"},
				{Path: "/api/public/v2/prompts"},
				{Method: "POST", Path: "/probe/body", Body: sizedBody(500_000)},
				{Method: "POST", Path: "/api/public/otel/v1/traces", Body: `{"resourceSpans":[]}`},
				{Method: "POST", Path: "/api/public/scores", Body: `{"traceId":"t","name":"n","value":1}`},
			} {
				s.Key, s.Status, s.Once = "neighbour", 200, true
				f.Run(t, s)
			}
			close(g.released)
			g.requests.Wait()
		})
	}
}

// sharedBounds has everything else that projects share and that is bounded, by its file, with the test that shows what
// one project can do to the others. The tests of "TestGreedyNeighbours" are in greeds.
var sharedBounds = map[string]string{
	"access/auth/keys.go":           "TestGreedyNeighbours", // cached keys
	"catalog/exports/blobruns.go":   "TestBlobRunsAreShared",
	"catalog/exports/exports.go":    "TestExportsTakeTurns",
	"jobs/runner.go":                "TestGreedyNeighbour",
	"httpapi/endpoint/admission.go": "TestGreedyNeighbours",
	"httpapi/ui/tails.go":           "TestTailLimits",
	"ingest/budget.go":              "TestBudgetIsShared",
	"ingest/pipeline.go":            "TestPartiesAreServedByTurns",
	"ingest/pricing/lists.go":       "TestGreedyNeighbours",
	"query/prompts/cache.go":        "TestGreedyNeighbours",
	"llm/client.go":                 "TestGreedyProjects",
	"llm/google.go":                 "TestForgottenTokens",
	"llm/memory.go":                 "TestForgottenModels",
	"retention/retention.go":        "TestOneProjectFails",
	"server/server.go":              "TestGreedyNeighbours", // memory of requests
	"store/clickhouse/writer.go":    "TestBudgetIsShared",   // it queues what has a share of the memory of exports
	"store/idlocks.go":              "TestOnlyTheSameIDsWait",
	"store/segment/cache.go":        "TestSumsThatAreTooMany",
	"store/segment/days.go":         "TestManyDays",
	"store/segment/deferred.go":     "TestTooManyDeferredRemovals",
	"store/segment/merge.go":        "TestOneDamagedSegmentDoesNotStopMerging",
	"store/segment/table_open.go":   "TestCommitGroupIsBounded",
	"query/traces/mark_cache.go":    "TestGreedyNeighbours",
}

// TestSharedBoundsAreListed fails if a cache, a pool or a budget is added without a test of what it means for other
// projects.
func TestSharedBoundsAreListed(t *testing.T) {
	bound := regexp.MustCompile(`\b(lru\.New|fair\.New|semaphore\.NewWeighted|memory\.NewBudget)\b`)
	internal, tests := os.DirFS(".."), make(map[string]bool)
	if err := fs.WalkDir(internal, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		content, err := fs.ReadFile(internal, path)
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, "_test.go") {
			for _, found := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(content, -1) {
				tests[string(found[1])] = true
			}
		} else if made := bound.Find(content); made != nil && sharedBounds[path] == "" && !strings.HasPrefix(path, "httpapi/apitest/") {
			t.Errorf("%s calls %s, and no test lets one project exhaust it", path, made)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for path, test := range sharedBounds {
		if _, err := fs.Stat(internal, path); err != nil {
			t.Error(err)
		}
		if !tests[test] {
			t.Errorf("there is no %s for %s", test, path)
		}
	}
}
