package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"

	"almanac/internal/auth"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
)

// greedy is a fixture whose project a keeps what it gets until released is closed.
type greedy struct {
	*fixture
	released chan struct{}
	requests sync.WaitGroup // of project a
	settled  sync.WaitGroup // those that neither hold what they can get nor were refused
}

type holdsKey struct{}

// start makes a request of project a. Its context and its body have the function to call once it holds what it can get.
func (g *greedy) start(method, path string, body func(holds func()) *stalling, length int64) {
	g.settled.Add(1)
	holds := sync.OnceFunc(g.settled.Done)
	r := scenario{method: method, path: path, key: "project"}.request()
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
	"memory of requests": {"Memory", func(_ *testing.T, g *greedy) { g.stall("/probe/body", defaultMaxBody) }},
	"memory of exports":  {"Ingest", func(_ *testing.T, g *greedy) { g.stall("/api/public/otel/v1/traces", 4<<20) }},
	"keys": {"Keys", func(t *testing.T, g *greedy) {
		t.Helper()
		for n := range 20 {
			public := fmt.Sprintf("pk-lf-greedy-%d", n)
			if _, err := g.Catalog.CreateKey(t.Context(), domain.OfOrganization("org-a"), tenants.NewKey{
				ProjectID: "project-a", PublicKey: public, SecretHash: auth.HashSecret("sk-lf-greedy-secret"), Permissions: domain.AllPermissions(),
			}, domain.Actor{}); err != nil {
				t.Fatal(err)
			}
			g.ask(t, scenario{path: "/api/public/projects", header: map[string]string{"Authorization": basicHeader(public, "sk-lf-greedy-secret")}, once: true})
		}
	}},
	"prompts": {"Prompts", func(t *testing.T, g *greedy) {
		t.Helper()
		for n := range 20 {
			name := fmt.Sprintf("greedy-%d", n)
			g.ask(t, scenario{method: "POST", path: "/api/public/v2/prompts", body: `{"name":"` + name + `","prompt":"` + strings.Repeat("x", 100_000) + `","labels":["production"]}`, status: 201, once: true})
			g.ask(t, scenario{path: "/api/public/v2/prompts/" + name, once: true})
		}
	}},
	"limits": {"Usage", func(t *testing.T, g *greedy) {
		t.Helper()
		g.run(t, scenario{method: "PUT", path: "/api/public/projects/project-a/limits", key: "organization", body: `{"requestsPerMinute":2}`, status: 200, once: true})
		for range 5 {
			g.ServeHTTP(httptest.NewRecorder(), scenario{path: "/api/public/v2/prompts", key: "project"}.request())
		}
		g.run(t, scenario{path: "/api/public/v2/prompts", key: "project", status: 429, once: true})
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
			f := newFixture(t, func(o *Options) { o.Limits.Concurrent, o.Limits.Reads = 8, 4 })
			g := &greedy{fixture: f, released: make(chan struct{})}
			hold := func(c *endpoint.Call, _ domain.ProjectScope) (any, error) {
				c.Context().Value(holdsKey{}).(func())()
				<-g.released
				return nil, nil
			}
			f.mux = f.newMux(append(append(f.allRoutes(), probes()...),
				route{"GET", "/probe/hold", projectKey(0, hold), rules{}}, route{"GET", "/probe/read", projectKey(0, hold), rules{}.reading()}))
			greed.act(t, g)
			g.settled.Wait()
			for _, s := range []scenario{
				{path: "/api/public/projects"},
				{path: "/api/public/v2/observations"},
				{path: "/api/public/v2/prompts"},
				{method: "POST", path: "/probe/body", body: sizedBody(500_000)},
				{method: "POST", path: "/api/public/otel/v1/traces", body: `{"resourceSpans":[]}`},
				{method: "POST", path: "/api/public/scores", body: `{"traceId":"t","name":"n","value":1}`},
			} {
				s.key, s.status, s.once = "neighbour", 200, true
				f.run(t, s)
			}
			close(g.released)
			g.requests.Wait()
		})
	}
}
