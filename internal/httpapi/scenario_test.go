package httpapi

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/access/accounts"
	"almanac/internal/access/auth"
	"almanac/internal/access/secretbox"
	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/ingest"
	"almanac/internal/ingest/pricing"
	"almanac/internal/limits/memory"
	"almanac/internal/limits/usage"
	"almanac/internal/netguard"
	"almanac/internal/prom"
	"almanac/internal/query/prompts"
	"almanac/internal/query/traces"
	"almanac/internal/transfer/scheduled"
	"almanac/test/dnstest"
	"almanac/test/failing"
	"almanac/test/storechoice"
)

// scenario is one HTTP test case: a request and the expected response. Unless its path is a probe route, the response
// must also match api/openapi.yaml.
type scenario struct {
	name   string
	method string // GET if empty
	path   string
	key    string // a name of fixtureKeys; sent as Basic credentials
	header map[string]string
	body   string // sent as JSON unless the header says otherwise
	// once disables the failure walk, for tests that count requests or make others concurrently.
	once bool
	// given is the content of the store for project a before the request.
	given  []domain.Observation
	scores []domain.Score

	status     int
	want       string            // the exact body, unless empty
	contains   []string          // parts of the body
	missing    []string          // must not be in the body
	wantHeader map[string]string // exact headers; "" means absent
	// after checks the effects of the request.
	after func(t *testing.T, f *fixture)
}

// runScenarios runs scenarios in parallel, each on its own fixture, since they wait for disks and some for another
// process. On ClickHouse only a few of them run; see clickhouseTests.
func runScenarios(t *testing.T, scenarios []scenario) {
	t.Helper()
	for _, s := range scenarios {
		if !chosen.take(s) {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			newFixture(t, nil).run(t, s)
		})
	}
}

// fixture is an API on its own database with two organizations. Organization a has the projects a and a2, organization
// b has the project b; the names of everything that belongs to a contain "canary".
type fixture struct {
	*API
	log         *strings.Builder
	rows        *memoryTable
	catalogFile string
	// mediaDirectory is the directory of the media files.
	mediaDirectory string
	// failures makes calls of the catalog, the stores and the media fail.
	failures *failing.Switch
}

// fixtureKeys are the key pairs of the fixture.
var fixtureKeys = map[string]domain.KeyPair{
	"project":      {PublicKey: "pk-lf-a", SecretKey: "sk-lf-a-secret-0001"},
	"limited":      {PublicKey: "pk-lf-limited", SecretKey: "sk-lf-a-secret-0002"}, // of project a: traces:read
	"neighbour":    {PublicKey: "pk-lf-a2", SecretKey: "sk-lf-a-secret-0003"},
	"organization": {PublicKey: "pk-lf-org-a", SecretKey: "sk-lf-a-secret-0004"},
	"foreign":      {PublicKey: "pk-lf-b", SecretKey: "sk-lf-b-secret-0001"},
	"foreignOrg":   {PublicKey: "pk-lf-org-b", SecretKey: "sk-lf-b-secret-0002"},
}

// template is the database that is copied for every fixture.
var template = sync.OnceValues(func() (string, error) {
	directory, err := os.MkdirTemp("", "almanac-fixture-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(directory, "catalog.db")
	ctx := context.Background()
	c, err := catalog.Open(ctx, path)
	if err != nil {
		return "", err
	}
	by := domain.Actor{Kind: "cli"}
	for _, o := range []string{"a", "b"} {
		if _, err := c.CreateOrganization(ctx, "org-"+o, "Organization canary "+o, by); err != nil {
			return "", err
		}
	}
	for project, organization := range map[string]string{"a": "org-a", "a2": "org-a", "b": "org-b"} {
		if _, err := c.CreateProject(ctx, domain.OfOrganization(organization), tenants.NewProject{ID: "project-" + project, Name: "Project canary " + project}, by); err != nil {
			return "", err
		}
	}
	for name, where := range map[string][2]string{
		"project": {"org-a", "project-a"}, "limited": {"org-a", "project-a"}, "neighbour": {"org-a", "project-a2"}, "organization": {"org-a", ""},
		"foreign": {"org-b", "project-b"}, "foreignOrg": {"org-b", ""},
	} {
		pair := fixtureKeys[name]
		permissions := domain.AllPermissions()
		if name == "limited" {
			permissions = domain.PermissionsOf(domain.TracesRead)
		}
		if _, err := c.CreateKey(ctx, domain.OfOrganization(where[0]), tenants.NewKey{
			ProjectID: where[1], PublicKey: pair.PublicKey, SecretHash: auth.HashSecret(pair.SecretKey), DisplaySecret: pair.DisplaySecret(),
			Note: new("canary " + name), Permissions: permissions,
		}, by); err != nil {
			return "", err
		}
	}
	return path, c.Close()
})

// newFixture returns a fresh API, with probe routes in addition to the real ones.
func newFixture(t testing.TB, change func(*Options)) *fixture {
	t.Helper()
	source, err := template()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "catalog.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	failures := new(failing.Switch)
	c, err := catalog.OpenSQLite(t.Context(), path, failures.Driver)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		checkOrigins(t, c)
		_ = c.Close() // some tests close it earlier
	})
	lines := new(strings.Builder)
	log := slog.New(slog.NewTextHandler(lines, &slog.HandlerOptions{Level: slog.LevelDebug}))
	table := &memoryTable{failures: failures}
	options := Options{
		QueryTime: time.Hour, // results must not depend on the load of the machine
		Catalog:   c, Store: failures.Store(storechoice.Open(t)), Registry: prom.NewRegistry(), Keys: auth.NewKeys(c, 5*time.Second, log), Admin: auth.NewAdmin("admin-secret"), Log: log, Build: "1.2.3-test",
		LastEvent: func() time.Time { return time.Time{} },
		Limits:    endpoint.Limits{Concurrent: 4, Wait: time.Second, Handling: 30 * time.Second, Tails: shortTails},
		Memory:    newMemory(16 << 20),
		Metrics:   true,
		Origins:   ReadOrigins("*"),
	}
	prices, err := defaultPrices()
	if err != nil {
		t.Fatal(err)
	}
	options.Prices, options.Secrets = pricing.NewLists(prices, c), secretbox.New(secretbox.Key{})
	options.Prompts = prompts.New(c, prompts.CacheBytes, log)
	options.Marks = traces.NewMarkCache(c.AllTraceMarks, traces.MarkBytes)
	options.Accounts = accounts.New(accounts.Options{Catalog: c, Log: log, CacheLife: 5 * time.Second})
	options.Usage = usage.New(usage.Options{Store: c, Metrics: options.Registry, Log: log})
	options.Exports = scheduled.New(c, options.Store, options.Secrets, options.Prices, scheduled.Allowed{
		Guard: netguard.Guard{Resolver: dnstest.Resolver(func(string) []netip.Addr { return nil })},
	}, log)
	mediaDirectory := filepath.Join(t.TempDir(), "media")
	options.Media = newTestMedia(t, c, mediaDirectory)
	options.Media.Library.Blobs = failures.Blobs(options.Media.Library.Blobs)
	if change != nil {
		change(&options)
	}
	if options.Ingest == nil {
		options.Ingest = newPipeline(t, table, options.Registry, log, func(o *ingest.Options) { o.Prices, o.Usage = options.Prices, options.Usage })
	}
	c.Subscribe(func(tables.Change) { // the real server invalidates selectively; here everything is invalidated
		options.Keys.Invalidate()
		options.Accounts.Invalidate()
		options.Prompts.InvalidateAll()
		options.Prices.InvalidateAll()
		options.Marks.InvalidateAll()
		options.Usage.Changed()
	})
	return &fixture{newWithRoutes(options, func(a *API) []route { return append(a.allRoutes(), probes()...) }), lines, table, path, mediaDirectory, failures}
}

func (f *fixture) run(t *testing.T, s scenario) {
	t.Helper()
	f.keep(t, "project-a", s.given, s.scores)
	r, answer := f.serveAfterFailures(t, s)
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	body := string(raw)
	if answer.StatusCode != s.status {
		t.Errorf("status %d, want %d; body %.300s", answer.StatusCode, s.status, body)
	}
	if s.want != "" && body != s.want {
		t.Errorf("body\n got %s\nwant %s", body, s.want)
	}
	for _, part := range s.contains {
		if !strings.Contains(body, part) {
			t.Errorf("the body lacks %s: %.1000s", part, body)
		}
	}
	for _, part := range s.missing {
		if strings.Contains(body, part) {
			t.Errorf("the body holds %s: %.1000s", part, body)
		}
	}
	for name, want := range s.wantHeader {
		if got := strings.Join(answer.Header.Values(name), ", "); got != want {
			t.Errorf("header %s = %q, want %q", name, got, want)
		}
	}
	if answer.Header.Get("X-Request-Id") == "" {
		t.Error("the answer has no request id")
	}
	checkDescribed(t, r, answer, raw)
	if s.after != nil {
		s.after(t, f)
	}
}

// keep stores rows.
func (f *fixture) keep(t testing.TB, project string, rows []domain.Observation, scores []domain.Score) {
	t.Helper()
	if err := f.Store.Observations().Append(t.Context(), domain.OfProject(project), rows); err != nil {
		t.Fatal(err)
	}
	if err := f.Store.Scores().Append(t.Context(), domain.OfProject(project), scores); err != nil {
		t.Fatal(err)
	}
}

func (s scenario) request() *http.Request {
	method := s.method
	if method == "" {
		method = http.MethodGet
	}
	var body io.Reader
	if s.body != "" {
		body = strings.NewReader(s.body)
	}
	r := httptest.NewRequest(method, s.path, body)
	if s.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if s.key != "" {
		pair, ok := fixtureKeys[s.key]
		if !ok {
			panic("no key " + s.key)
		}
		r.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(pair.PublicKey+":"+pair.SecretKey)))
	}
	for name, value := range s.header {
		r.Header.Set(name, value)
	}
	return r
}

// probes returns routes that exist only in tests. They show what the HTTP layer does with a handler's result.
func probes() []route {
	stable := rules{}
	return []route{
		{"GET", "/probe/project", projectKey(domain.TracesRead, func(_ *endpoint.Call, scope domain.ProjectScope) (any, error) {
			return map[string]string{"project": scope.ProjectID()}, nil
		}), stable},
		{"POST", "/probe/traces", projectKey(domain.TracesWrite, func(*endpoint.Call, domain.ProjectScope) (any, error) { return nil, nil }), stable},
		{"POST", "/probe/scores", projectKeyOrPublic(domain.ScoresWrite, func(_ *endpoint.Call, scope domain.ProjectScope) (any, error) {
			return map[string]string{"project": scope.ProjectID()}, nil
		}), stable},
		{"GET", "/probe/admin", adminKey(func(*endpoint.Call) (any, error) { return nil, nil }), rules{errors: respond.ErrorOnly}},
		{"GET", "/probe/segment/{name}", anyone(func(c *endpoint.Call) (any, error) { return c.Path("name"), nil }), stable},
		{"POST", "/probe/body", projectKey(0, func(c *endpoint.Call, _ domain.ProjectScope) (any, error) {
			b := c.Body().Object()
			name := b.Field("name").Text()
			b.Strict()
			return map[string]string{"name": name}, b.Err()
		}), stable},
		{"GET", "/probe/page", anyone(func(c *endpoint.Call) (any, error) {
			q := c.Query()
			page := q.Page(50)
			return page, q.Err()
		}), stable},
		{"GET", "/probe/fail/{how}", anyone(probeFailure), stable},
		{"GET", "/probe/nothing", anyone(func(*endpoint.Call) (any, error) { return nil, nil }), stable},
		{"GET", "/probe/unmarshalable", anyone(func(*endpoint.Call) (any, error) { return func() {}, nil }), stable},
		{"GET", "/probe/large", anyone(func(*endpoint.Call) (any, error) { return strings.Repeat("x", 32<<20), nil }), stable},
		{"GET", "/probe/wait", anyone(func(c *endpoint.Call) (any, error) {
			<-c.Context().Done()
			return nil, c.Context().Err()
		}), stable},
	}
}

func decodeJSON[T any](t *testing.T, raw []byte) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return v
}

// newMemory returns a memory budget of that many bytes.
func newMemory(bytes int64) *memory.Budget {
	return memory.NewBudget(memory.SizesOf(bytes), time.Second)
}
