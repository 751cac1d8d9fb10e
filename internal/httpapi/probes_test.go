package httpapi_test

import (
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/endpoint"
)

// newProbed returns a fresh API, with probe routes in addition to the real ones.
func newProbed(t testing.TB, change func(*httpapi.Options)) *apitest.Fixture {
	t.Helper()
	f := apitest.New(t, change)
	f.Serve(append(append(f.AllRoutes(), probes()...), f.PageRoutes()...))
	return f
}

// runProbed runs scenarios like runScenarios, with probe routes.
func runProbed(t *testing.T, scenarios []apitest.Scenario) {
	t.Helper()
	for _, s := range scenarios {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			newProbed(t, nil).Run(t, s)
		})
	}
}

// probes returns routes that exist only in tests. They show what the HTTP layer does with a handler's result.
func probes() []httpapi.Route {
	stable := httpapi.Rules{}
	probe := httpapi.NewRoute
	return []httpapi.Route{
		probe("GET", "/probe/project", httpapi.ProjectKey(domain.TracesRead, func(_ *endpoint.Call, scope domain.ProjectScope) (any, error) {
			return map[string]string{"project": scope.ProjectID()}, nil
		}), stable),
		probe(
			"POST", "/probe/traces",
			httpapi.ProjectKey(domain.TracesWrite, func(*endpoint.Call, domain.ProjectScope) (any, error) { return nil, nil }), stable,
		),
		probe("POST", "/probe/scores", httpapi.ProjectKeyOrPublic(domain.ScoresWrite, func(_ *endpoint.Call, scope domain.ProjectScope) (any, error) {
			return map[string]string{"project": scope.ProjectID()}, nil
		}), stable),
		probe("GET", "/probe/admin", httpapi.AdminKey(func(*endpoint.Call) (any, error) { return nil, nil }), httpapi.Rules{}.ErrorOnly()),
		probe("GET", "/probe/segment/{name}", httpapi.Anyone(func(c *endpoint.Call) (any, error) { return c.Path("name"), nil }), stable),
		probe("POST", "/probe/body", httpapi.ProjectKey(0, func(c *endpoint.Call, _ domain.ProjectScope) (any, error) {
			b := c.Body().Object()
			name := b.Field("name").Text()
			b.Strict()
			return map[string]string{"name": name}, b.Err()
		}), stable),
		probe("GET", "/probe/page", httpapi.Anyone(func(c *endpoint.Call) (any, error) {
			q := c.Query()
			page := q.Page(50)
			return page, q.Err()
		}), stable),
		probe("GET", "/probe/fail/{how}", httpapi.Anyone(probeFailure), stable),
		probe("GET", "/probe/nothing", httpapi.Anyone(func(*endpoint.Call) (any, error) { return nil, nil }), stable),
		probe("GET", "/probe/unmarshalable", httpapi.Anyone(func(*endpoint.Call) (any, error) { return func() {}, nil }), stable),
		probe("GET", "/probe/large", httpapi.Anyone(func(*endpoint.Call) (any, error) { return strings.Repeat("x", 32<<20), nil }), stable),
		probe("GET", "/probe/wait", httpapi.Anyone(func(c *endpoint.Call) (any, error) {
			<-c.Context().Done()
			return nil, c.Context().Err()
		}), stable),
	}
}
