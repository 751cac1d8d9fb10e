package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/internal/domain"
	"almanac/internal/limits/usage"
)

// limitedFixture is an API with limits for everybody and a clock that stands still 20 seconds into a minute.
func limitedFixture(t *testing.T, level domain.LimitLevel, text string) *fixture {
	t.Helper()
	var defaults domain.Limits
	if err := defaults.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, func(o *Options) {
		o.Usage = usage.New(usage.Options{
			Store: o.Catalog, Metrics: prometheus.NewRegistry(), Log: o.Log, Defaults: map[domain.LimitLevel]domain.Limits{level: defaults},
			Clock: func() time.Time { return time.Date(2026, 5, 6, 7, 8, 20, 0, time.UTC) },
		})
	})
	return f
}

const projectLimits = "/api/public/projects/project-a/limits"

func keyLimits(t *testing.T, f *fixture) string {
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
	f.send(scenario{path: "/api/public/v2/prompts", key: "project"}) // run would repeat it in a failure walk
	const adminPath = "/api/admin/organizations/org-a/limits"
	for _, s := range []scenario{
		{name: "defaults", path: projectLimits, key: "organization", status: 200, want: `{"level":"project","id":"project-a","limits":[` +
			`{"name":"requestsPerMinute","limit":100,"isDefault":true,"used":1,"remaining":99,"resetsAt":"2026-05-06T07:09:00.000Z"},` +
			`{"name":"requestsPerDay","limit":null,"isDefault":true,"used":1,"remaining":null,"resetsAt":"2026-05-07T00:00:00.000Z"},` +
			`{"name":"spansPerMinute","limit":null,"isDefault":true,"used":0,"remaining":null,"resetsAt":"2026-05-06T07:09:00.000Z"},` +
			`{"name":"spansPerDay","limit":7,"isDefault":true,"used":0,"remaining":7,"resetsAt":"2026-05-07T00:00:00.000Z"},` +
			`{"name":"bytesPerMinute","limit":null,"isDefault":true,"used":0,"remaining":null,"resetsAt":"2026-05-06T07:09:00.000Z"},` +
			`{"name":"bytesPerDay","limit":null,"isDefault":true,"used":0,"remaining":null,"resetsAt":"2026-05-07T00:00:00.000Z"}]}`},
		{name: "set", method: "PUT", path: projectLimits, key: "organization", body: `{"requestsPerMinute":5,"bytesPerDay":1000,"spansPerDay":null}`, status: 200, contains: []string{
			`{"name":"requestsPerMinute","limit":5,"isDefault":false,"used":1,"remaining":4,`, `{"name":"spansPerDay","limit":7,"isDefault":true,`,
			`{"name":"bytesPerDay","limit":1000,"isDefault":false,`,
		}},
		{name: "not there", method: "PUT", path: "/api/public/projects/nowhere/limits", key: "organization", body: `{}`, status: 404},
		{name: "of another organization", method: "PUT", path: projectLimits, key: "foreignOrg", body: `{}`, status: 404, missing: []string{"project-a"}},
		{name: "read of another organization", path: projectLimits, key: "foreignOrg", status: 404, missing: []string{"project-a"}},
		{name: "with a project's key", method: "PUT", path: projectLimits, key: "project", body: `{}`, status: 403},
		{name: "zero", method: "PUT", path: projectLimits, key: "organization", body: `{"requestsPerMinute":0}`, status: 400, contains: []string{"requestsPerMinute"}},
		{name: "too large", method: "PUT", path: projectLimits, key: "organization", body: `{"spansPerDay":1125899906842625}`, status: 400, contains: []string{"spansPerDay"}},
		{name: "a text", method: "PUT", path: projectLimits, key: "organization", body: `{"bytesPerDay":"1"}`, status: 400, contains: []string{"expected number"}},
		{name: "unknown", method: "PUT", path: projectLimits, key: "organization", body: `{"requests":1}`, status: 400, contains: []string{"requests"}},
		{name: "of a key", method: "PUT", path: key, key: "organization", body: `{"requestsPerDay":9}`, status: 200, contains: []string{`"level":"key"`, `"limit":9`, `"used":1`}},
		{name: "read of a key", path: key, key: "organization", status: 200, contains: []string{`"limit":9`}},
		{name: "of a key that is not there", path: "/api/public/projects/project-a/apiKeys/nothing/limits", key: "organization", status: 404},
		{name: "of a key in another project", method: "PUT", path: strings.Replace(key, "project-a", "project-a2", 1), key: "organization", body: `{}`, status: 404},
		{name: "of a key with bad limits", method: "PUT", path: key, key: "organization", body: `{"requestsPerDay":-1}`, status: 400},
		{name: "of the organization", path: "/api/public/organizations/limits", key: "organization", status: 200, contains: []string{`"level":"organization","id":"org-a"`, `"used":1`}},
		{name: "of the organization with a project's key", path: "/api/public/organizations/limits", key: "project", status: 403},
		asAdmin("by the administrator", "PUT", adminPath, `{"bytesPerMinute":77}`, 200, ""),
		asAdmin("read by the administrator", "GET", adminPath, "", 200, ""),
		asAdmin("of no organization", "GET", "/api/admin/organizations/nowhere/limits", "", 404, ""),
		asAdmin("set of no organization", "PUT", "/api/admin/organizations/nowhere/limits", "{}", 404, ""),
		{name: "of the organization after that", path: "/api/public/organizations/limits", key: "organization", status: 200, contains: []string{`"limit":77,"isDefault":false`}},
	} {
		t.Run(s.name, func(t *testing.T) { f.run(t, s) })
	}
	log, err := oldestFirst(t.Context(), f.Catalog, domain.OfOrganization("org-a"))
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
	const body = `{"message":"` + text + `","code":"rate_limited","details":{"retryAfterSeconds":40,"limit":1,"remaining":0,"resetAt":"2026-05-06T07:09:00.000Z"}}`
	for _, s := range []scenario{
		{name: "stable", path: "/api/public/v2/observations", key: "project"},
		{name: "deprecated", path: "/api/public/traces", key: "project"},
		{name: "batch", method: "POST", path: "/api/public/ingestion", key: "project", body: `{"batch":[]}`},
		{name: "an export in JSON", method: "POST", path: "/v1/traces", key: "project", body: `{"resourceSpans":[]}`},
		{name: "coded", path: "/api/public/unstable/dashboards", key: "project"},
		{name: "organization", path: "/api/public/organizations/projects", key: "organization"},
		{name: "projects", path: "/api/public/projects/project-a/apiKeys", key: "organization"},
		{name: "scim", path: "/api/public/scim/Users", key: "organization"},
	} {
		t.Run(s.name, func(t *testing.T) {
			f := limitedFixture(t, domain.LevelKey, "requests=1/m")
			f.send(s)
			s.status, s.want = http.StatusTooManyRequests, body
			s.wantHeader = map[string]string{
				"Retry-After": "40", "X-RateLimit-Limit": "1", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2026-05-06T07:09:00.000Z",
			}
			f.run(t, s)
		})
	}
	t.Run("the project of a key is always told", func(t *testing.T) {
		f := limitedFixture(t, domain.LevelKey, "requests=1/m")
		for range 3 {
			f.run(t, scenario{path: "/api/public/projects", key: "project", status: 200})
		}
		if w := f.send(scenario{path: "/api/public/v2/prompts", key: "project"}); w.Code != http.StatusOK {
			t.Errorf("the first request: %d", w.Code)
		}
		f.run(t, scenario{path: "/api/public/projects", key: "project", status: 200})
		f.run(t, scenario{path: "/api/public/v2/prompts", key: "project", status: 429})
		if w := f.send(scenario{path: "/api/public/v2/prompts", key: "foreign"}); w.Code != http.StatusOK {
			t.Errorf("a request of another project: %d", w.Code)
		}
	})
}

func spansJSON(from, count int) string {
	var list []string
	for n := range count {
		list = append(list, fmt.Sprintf(`{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"%016x","name":"s","startTimeUnixNano":"1767225600123456789"}`, from+n))
	}
	return `{"resourceSpans":[{"scopeSpans":[{"spans":[` + strings.Join(list, ",") + `]}]}]}`
}

// TestSpanQuota: exports that exceed the quota are refused as a whole, and stored spans are counted once.
func TestSpanQuota(t *testing.T) {
	f := limitedFixture(t, domain.LevelProject, "spans=10/d")
	export := func(from, count, status int) {
		t.Helper()
		f.run(t, scenario{method: "POST", path: "/v1/traces", key: "project", body: spansJSON(from, count), status: status})
	}
	used := func(want int) {
		t.Helper()
		f.run(t, scenario{path: projectLimits, key: "organization", status: 200, contains: []string{
			fmt.Sprintf(`{"name":"spansPerDay","limit":10,"isDefault":true,"used":%d,"remaining":%d,`, want, 10-want),
		}})
	}
	export(1, 8, 200)
	export(100, 3, 429)
	used(8)
	if len(f.rows.rows) != 8 {
		t.Errorf("%d rows are stored", len(f.rows.rows))
	}
	export(100, 11, 413) // can never succeed, however often it is retried
	f.rows.fail = errors.New("broken")
	export(100, 2, 503)
	f.rows.fail = nil
	used(8)
	export(100, 2, 200)
	used(10)
	if len(f.rows.rows) != 10 {
		t.Errorf("%d rows are stored", len(f.rows.rows))
	}
	f.run(t, scenario{path: "/api/public/v2/observations", key: "project", status: 200}) // reading is not limited
}
