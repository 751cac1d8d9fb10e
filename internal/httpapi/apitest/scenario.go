package apitest

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
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/ingest"
	"almanac/internal/ingest/pricing"
	"almanac/internal/limits/memory"
	"almanac/internal/limits/usage"
	"almanac/internal/llm"
	"almanac/internal/netguard"
	"almanac/internal/prom"
	"almanac/internal/query/prompts"
	"almanac/internal/query/traces"
	"almanac/internal/transfer/scheduled"
	"almanac/test/dnstest"
	"almanac/test/failing"
	"almanac/test/storechoice"
)

// Scenario is one HTTP test case: a request and the expected response. Unless its path is a probe route, the response
// must also match api/openapi.yaml.
type Scenario struct {
	Name   string
	Method string // GET if empty
	Path   string
	Key    string // a name of fixtureKeys; sent as Basic credentials
	Header map[string]string
	Body   string // sent as JSON unless the header says otherwise
	// Once disables the failure walk, for tests that count requests or make others concurrently.
	Once bool
	// Given is the content of the store for project a before the request.
	Given  []domain.Observation
	Scores []domain.Score

	Status     int
	Want       string            // the exact body, unless empty
	Contains   []string          // parts of the body
	Missing    []string          // must not be in the body
	WantHeader map[string]string // exact headers; "" means absent
	// After checks the effects of the request.
	After func(t *testing.T, f *Fixture)
}

// Run runs scenarios in parallel, each on its own fixture, since they wait for disks and some for another
// process. On ClickHouse only a few of them run; see clickhouseTests.
func Run(t *testing.T, scenarios []Scenario) {
	t.Helper()
	for _, s := range scenarios {
		if !chosen.take(s) {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			New(t, nil).Run(t, s)
		})
	}
}

// Fixture is an API on its own database with two organizations. Organization a has the projects a and a2, organization
// b has the project b; the names of everything that belongs to a contain "canary".
type Fixture struct {
	*httpapi.API
	Logged      *strings.Builder
	Rows        *MemoryTable
	CatalogFile string
	// MediaDirectory is the directory of the media files.
	MediaDirectory string
	// failures makes calls of the catalog, the stores and the media fail.
	failures *failing.Switch
}

// Keys are the key pairs of the fixture.
var Keys = map[string]domain.KeyPair{
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
		if _, err := c.CreateProject(ctx, domain.OfOrganization(organization), tenants.NewProject{
			ID: "project-" + project, Name: "Project canary " + project,
		}, by); err != nil {
			return "", err
		}
	}
	for name, where := range map[string][2]string{
		"project": {"org-a", "project-a"}, "limited": {"org-a", "project-a"}, "neighbour": {"org-a", "project-a2"},
		"organization": {"org-a", ""},
		"foreign":      {"org-b", "project-b"}, "foreignOrg": {"org-b", ""},
	} {
		pair := Keys[name]
		permissions := domain.AllPermissions()
		if name == "limited" {
			permissions = domain.PermissionsOf(domain.TracesRead)
		}
		if _, err := c.CreateKey(ctx, domain.OfOrganization(where[0]), tenants.NewKey{
			ProjectID: where[1], PublicKey: pair.PublicKey, SecretHash: auth.HashSecret(pair.SecretKey),
			DisplaySecret: pair.DisplaySecret(),
			Note:          new("canary " + name), Permissions: permissions,
		}, by); err != nil {
			return "", err
		}
	}
	return path, c.Close()
})

// New returns a fresh API, with probe routes in addition to the real ones.
func New(t testing.TB, change func(*httpapi.Options)) *Fixture {
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
	table := &MemoryTable{failures: failures}
	options := httpapi.Options{
		QueryTime: time.Hour, // results must not depend on the load of the machine
		Catalog:   c, Store: failures.Store(storechoice.Open(t)), Registry: prom.NewRegistry(), Keys: auth.NewKeys(c, 5*time.Second, log),
		Admin: auth.NewAdmin("admin-secret"), Log: log, Build: "1.2.3-test",
		LastEvent: func() time.Time { return time.Time{} },
		Limits:    endpoint.Limits{Concurrent: 4, Wait: time.Second, Handling: 30 * time.Second, Tails: shortTails},
		Memory:    NewMemory(16 << 20),
		Metrics:   true,
		Origins:   httpapi.ReadOrigins("*"),
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
	if options.LLM == nil {
		options.LLM = llm.New(llm.Options{Guard: options.Guard})
	}
	options.Admission = endpoint.NewAdmission(options.Limits)
	if options.Ingest == nil {
		options.Ingest = NewPipeline(t, table, options.Registry, log, func(o *ingest.Options) {
			o.Prices, o.Usage = options.Prices, options.Usage
		})
	}
	c.Subscribe(func(tables.Change) { // the real server invalidates selectively; here everything is invalidated
		options.Keys.Invalidate()
		options.Accounts.Invalidate()
		options.Prompts.InvalidateAll()
		options.Prices.InvalidateAll()
		options.Marks.InvalidateAll()
		options.Usage.Changed()
	})
	return &Fixture{
		httpapi.New(options), lines, table, path,
		mediaDirectory, failures,
	}
}

// Run makes the request of a scenario and checks the response.
func (f *Fixture) Run(t *testing.T, s Scenario) {
	t.Helper()
	f.Keep(t, "project-a", s.Given, s.Scores)
	r, answer := f.serveAfterFailures(t, s)
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	body := string(raw)
	if answer.StatusCode != s.Status {
		t.Errorf("status %d, want %d; body %.300s", answer.StatusCode, s.Status, body)
	}
	if s.Want != "" && body != s.Want {
		t.Errorf("body\n got %s\nwant %s", body, s.Want)
	}
	for _, part := range s.Contains {
		if !strings.Contains(body, part) {
			t.Errorf("the body lacks %s: %.1000s", part, body)
		}
	}
	for _, part := range s.Missing {
		if strings.Contains(body, part) {
			t.Errorf("the body holds %s: %.1000s", part, body)
		}
	}
	for name, want := range s.WantHeader {
		if got := strings.Join(answer.Header.Values(name), ", "); got != want {
			t.Errorf("header %s = %q, want %q", name, got, want)
		}
	}
	if answer.Header.Get("X-Request-Id") == "" {
		t.Error("the answer has no request id")
	}
	CheckDescribed(t, r, answer, raw)
	if s.After != nil {
		s.After(t, f)
	}
}

// Keep stores rows.
func (f *Fixture) Keep(t testing.TB, project string, rows []domain.Observation, scores []domain.Score) {
	t.Helper()
	if err := f.Store.Observations().Append(t.Context(), domain.OfProject(project), rows); err != nil {
		t.Fatal(err)
	}
	if err := f.Store.Scores().Append(t.Context(), domain.OfProject(project), scores); err != nil {
		t.Fatal(err)
	}
}

// Request returns the request of the scenario.
func (s Scenario) Request() *http.Request {
	method := s.Method
	if method == "" {
		method = http.MethodGet
	}
	var body io.Reader
	if s.Body != "" {
		body = strings.NewReader(s.Body)
	}
	r := httptest.NewRequest(method, s.Path, body)
	if s.Body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if s.Key != "" {
		pair, ok := Keys[s.Key]
		if !ok {
			panic("no key " + s.Key)
		}
		r.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(pair.PublicKey+":"+pair.SecretKey)))
	}
	for name, value := range s.Header {
		r.Header.Set(name, value)
	}
	return r
}

// DecodeJSON decodes a response.
func DecodeJSON[T any](t *testing.T, raw []byte) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return v
}

// NewMemory returns a memory budget of that many bytes.
func NewMemory(bytes int64) *memory.Budget {
	return memory.NewBudget(memory.SizesOf(bytes), time.Second)
}

// shortTails makes tails end soon, since tests that call every route cannot wait for long ones.
var shortTails = endpoint.TailLimits{Longest: 30 * time.Millisecond, Every: 5 * time.Millisecond}
