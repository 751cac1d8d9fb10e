package httpapi_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/limits/usage"
)

// limitedFixture is an API with limits for everybody and a clock that stands still 20 seconds into a minute.
func limitedFixture(t *testing.T, level domain.LimitLevel, text string) *apitest.Fixture {
	t.Helper()
	var defaults domain.Limits
	if err := defaults.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	f := apitest.New(t, func(o *httpapi.Options) {
		o.Usage = usage.New(usage.Options{
			Store: o.Catalog, Metrics: prometheus.NewRegistry(), Log: o.Log, Defaults: map[domain.LimitLevel]domain.Limits{level: defaults},
			Clock: func() time.Time { return time.Date(2026, 5, 6, 7, 8, 20, 0, time.UTC) },
		})
	})
	return f
}

const projectLimits = "/api/public/projects/project-a/limits"

func keyLimits(t *testing.T, f *apitest.Fixture) string {
	t.Helper()
	key, err := f.Catalog.KeyByPublic(t.Context(), "pk-lf-a")
	if err != nil {
		t.Fatal(err)
	}
	return "/api/public/projects/project-a/apiKeys/" + key.ID + "/limits"
}

func TestLimitRoutes(t *testing.T) {
	f := limitedFixture(t, domain.LevelProject, "requests=100/m,spans=7/d")
	key := keyLimits(t, f)
	f.Send(apitest.Scenario{Path: "/api/public/v2/prompts", Key: "project"}) // run would repeat it in a failure walk
	const adminPath = "/api/admin/organizations/org-a/limits"
	for _, s := range []apitest.Scenario{
		{Name: "defaults", Path: projectLimits, Key: "organization", Status: 200, Want: `{"level":"project","id":"project-a","limits":[` +
			`{"name":"requestsPerMinute","limit":100,"isDefault":true,"used":1,"remaining":99,"resetsAt":"2026-05-06T07:09:00.000Z"},` +
			`{"name":"requestsPerDay","limit":null,"isDefault":true,"used":1,"remaining":null,"resetsAt":"2026-05-07T00:00:00.000Z"},` +
			`{"name":"spansPerMinute","limit":null,"isDefault":true,"used":0,"remaining":null,"resetsAt":"2026-05-06T07:09:00.000Z"},` +
			`{"name":"spansPerDay","limit":7,"isDefault":true,"used":0,"remaining":7,"resetsAt":"2026-05-07T00:00:00.000Z"},` +
			`{"name":"bytesPerMinute","limit":null,"isDefault":true,"used":0,"remaining":null,"resetsAt":"2026-05-06T07:09:00.000Z"},` +
			`{"name":"bytesPerDay","limit":null,"isDefault":true,"used":0,"remaining":null,"resetsAt":"2026-05-07T00:00:00.000Z"}]}`},
		{Name: "set", Method: "PUT", Path: projectLimits, Key: "organization", Body: `{"requestsPerMinute":5,"bytesPerDay":1000,"spansPerDay":null}`, Status: 200, Contains: []string{
			`{"name":"requestsPerMinute","limit":5,"isDefault":false,"used":1,"remaining":4,`,
			`{"name":"spansPerDay","limit":7,"isDefault":true,`,
			`{"name":"bytesPerDay","limit":1000,"isDefault":false,`,
		}},
		{Name: "not there", Method: "PUT", Path: "/api/public/projects/nowhere/limits", Key: "organization", Body: `{}`, Status: 404},
		{
			Name: "of another organization", Method: "PUT", Path: projectLimits, Key: "foreignOrg", Body: `{}`, Status: 404,
			Missing: []string{"project-a"},
		},
		{Name: "read of another organization", Path: projectLimits, Key: "foreignOrg", Status: 404, Missing: []string{"project-a"}},
		{Name: "with a project's key", Method: "PUT", Path: projectLimits, Key: "project", Body: `{}`, Status: 403},
		{
			Name: "zero", Method: "PUT", Path: projectLimits, Key: "organization", Body: `{"requestsPerMinute":0}`, Status: 400,
			Contains: []string{"requestsPerMinute"},
		},
		{
			Name: "too large", Method: "PUT", Path: projectLimits, Key: "organization", Body: `{"spansPerDay":1125899906842625}`,
			Status: 400, Contains: []string{"spansPerDay"},
		},
		{
			Name: "a text", Method: "PUT", Path: projectLimits, Key: "organization", Body: `{"bytesPerDay":"1"}`, Status: 400,
			Contains: []string{"expected number"},
		},
		{
			Name: "unknown", Method: "PUT", Path: projectLimits, Key: "organization", Body: `{"requests":1}`, Status: 400,
			Contains: []string{"requests"},
		},
		{
			Name: "of a key", Method: "PUT", Path: key, Key: "organization", Body: `{"requestsPerDay":9}`, Status: 200,
			Contains: []string{`"level":"key"`, `"limit":9`, `"used":1`},
		},
		{Name: "read of a key", Path: key, Key: "organization", Status: 200, Contains: []string{`"limit":9`}},
		{
			Name: "of a key that is not there", Path: "/api/public/projects/project-a/apiKeys/nothing/limits", Key: "organization",
			Status: 404,
		},
		{
			Name: "of a key in another project", Method: "PUT", Path: strings.Replace(key, "project-a", "project-a2", 1),
			Key: "organization", Body: `{}`, Status: 404,
		},
		{Name: "of a key with bad limits", Method: "PUT", Path: key, Key: "organization", Body: `{"requestsPerDay":-1}`, Status: 400},
		{
			Name: "of the organization", Path: "/api/public/organizations/limits", Key: "organization", Status: 200,
			Contains: []string{`"level":"organization","id":"org-a"`, `"used":1`},
		},
		{Name: "of the organization with a project's key", Path: "/api/public/organizations/limits", Key: "project", Status: 403},
		apitest.AsAdmin("by the administrator", "PUT", adminPath, `{"bytesPerMinute":77}`, 200, ""),
		apitest.AsAdmin("read by the administrator", "GET", adminPath, "", 200, ""),
		apitest.AsAdmin("of no organization", "GET", "/api/admin/organizations/nowhere/limits", "", 404, ""),
		apitest.AsAdmin("set of no organization", "PUT", "/api/admin/organizations/nowhere/limits", "{}", 404, ""),
		{
			Name: "of the organization after that", Path: "/api/public/organizations/limits", Key: "organization", Status: 200,
			Contains: []string{`"limit":77,"isDefault":false`},
		},
	} {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
	log, err := apitest.OldestFirst(t.Context(), f.Catalog, domain.OfOrganization("org-a"))
	if err != nil {
		t.Fatal(err)
	}
	changes := 0
	for _, e := range log {
		if e.ResourceKind == "limits" {
			changes++
		}
	}
	if changes != 3 {
		t.Errorf("%d changes are in the audit log, want 3", changes)
	}
}

// TestLimitForms reaches a limit on a route of each error format.
func TestLimitForms(t *testing.T) {
	const text = "Rate limit exceeded: the key's limit of 1 requests per minute is reached. Try again after 2026-05-06T07:09:00Z."
	const body = `{"message":"` + text +
		`","code":"rate_limited","details":{"retryAfterSeconds":40,"limit":1,"remaining":0,"resetAt":"2026-05-06T07:09:00.000Z"}}`
	for _, s := range []apitest.Scenario{
		{Name: "stable", Path: "/api/public/v2/observations", Key: "project"},
		{Name: "deprecated", Path: "/api/public/traces", Key: "project"},
		{Name: "batch", Method: "POST", Path: "/api/public/ingestion", Key: "project", Body: `{"batch":[]}`},
		{Name: "an export in JSON", Method: "POST", Path: "/v1/traces", Key: "project", Body: `{"resourceSpans":[]}`},
		{Name: "coded", Path: "/api/public/unstable/dashboards", Key: "project"},
		{Name: "organization", Path: "/api/public/organizations/projects", Key: "organization"},
		{Name: "projects", Path: "/api/public/projects/project-a/apiKeys", Key: "organization"},
		{Name: "scim", Path: "/api/public/scim/Users", Key: "organization"},
	} {
		t.Run(s.Name, func(t *testing.T) {
			f := limitedFixture(t, domain.LevelKey, "requests=1/m")
			f.Send(s)
			s.Status, s.Want = http.StatusTooManyRequests, body
			s.WantHeader = map[string]string{
				"Retry-After": "40", "X-RateLimit-Limit": "1", "X-RateLimit-Remaining": "0",
				"X-RateLimit-Reset": "2026-05-06T07:09:00.000Z",
			}
			f.Run(t, s)
		})
	}
	t.Run("the project of a key is always told", func(t *testing.T) {
		f := limitedFixture(t, domain.LevelKey, "requests=1/m")
		for range 3 {
			f.Run(t, apitest.Scenario{Path: "/api/public/projects", Key: "project", Status: 200})
		}
		if w := f.Send(apitest.Scenario{Path: "/api/public/v2/prompts", Key: "project"}); w.Code != http.StatusOK {
			t.Errorf("the first request: %d", w.Code)
		}
		f.Run(t, apitest.Scenario{Path: "/api/public/projects", Key: "project", Status: 200})
		f.Run(t, apitest.Scenario{Path: "/api/public/v2/prompts", Key: "project", Status: 429})
		if w := f.Send(apitest.Scenario{Path: "/api/public/v2/prompts", Key: "foreign"}); w.Code != http.StatusOK {
			t.Errorf("a request of another project: %d", w.Code)
		}
	})
}

func spansJSON(from, count int) string {
	var list []string
	for n := range count {
		list = append(list,
			fmt.Sprintf(`{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"%016x","name":"s","startTimeUnixNano":"1767225600123456789"}`, from+n))
	}
	return `{"resourceSpans":[{"scopeSpans":[{"spans":[` + strings.Join(list, ",") + `]}]}]}`
}

// TestSpanQuota: exports that exceed the quota are refused as a whole, and stored spans are counted once.
func TestSpanQuota(t *testing.T) {
	f := limitedFixture(t, domain.LevelProject, "spans=10/d")
	export := func(from, count, status int) {
		t.Helper()
		f.Run(t, apitest.Scenario{Method: "POST", Path: "/v1/traces", Key: "project", Body: spansJSON(from, count), Status: status})
	}
	used := func(want int) {
		t.Helper()
		f.Run(t, apitest.Scenario{Path: projectLimits, Key: "organization", Status: 200, Contains: []string{
			fmt.Sprintf(`{"name":"spansPerDay","limit":10,"isDefault":true,"used":%d,"remaining":%d,`, want, 10-want),
		}})
	}
	export(1, 8, 200)
	export(100, 3, 429)
	used(8)
	if len(f.Rows.Rows) != 8 {
		t.Errorf("%d rows are stored", len(f.Rows.Rows))
	}
	export(100, 11, 413) // can never succeed, however often it is retried
	f.Rows.Fail = errors.New("broken")
	export(100, 2, 503)
	f.Rows.Fail = nil
	used(8)
	export(100, 2, 200)
	used(10)
	if len(f.Rows.Rows) != 10 {
		t.Errorf("%d rows are stored", len(f.Rows.Rows))
	}
	f.Run(t, apitest.Scenario{Path: "/api/public/v2/observations", Key: "project", Status: 200}) // reading is not limited
}
