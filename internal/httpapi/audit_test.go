package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/internal/access/auth"
	"almanac/internal/access/clientaddr"
	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
)

const (
	auditPath      = "/api/public/organizations/audit-log"
	adminAuditPath = "/api/admin/audit-log"
)

// oldestFirst returns all audit entries of an organization, oldest first.
func oldestFirst(ctx context.Context, c *catalog.Catalog, scope domain.OrganizationScope) ([]domain.AuditEntry, error) {
	var log []domain.AuditEntry
	for e, err := range c.AuditLog(ctx, scope, catalog.AuditFilter{}) {
		if err != nil {
			return nil, err
		}
		log = append(log, *e)
	}
	slices.Reverse(log)
	return log, nil
}

// checkOrigins checks that every audit entry of a key or an administrator names its request. Tests that write to the
// catalog directly use another actor.
func checkOrigins(t testing.TB, c *catalog.Catalog) {
	t.Helper()
	for e, err := range c.AuditLogOfInstance(context.Background(), "", catalog.AuditFilter{}) {
		if err != nil {
			return // it is closed
		}
		if slices.Contains([]string{"api-key", "admin", "admin-key"}, e.Actor.Kind) && e.Origin.RequestID == "" {
			t.Errorf("%s of %s %s by %s is recorded without its request", e.Action, e.ResourceKind, e.ResourceID, e.Actor.Kind)
		}
	}
}

// auditPage is a page of the log as clients receive it.
type auditPage struct {
	Data []json.RawMessage
	Meta struct {
		Limit  int
		Cursor *string
	}
}

// entries requests a page.
func (f *fixture) entries(t *testing.T, s scenario) auditPage {
	t.Helper()
	w := f.send(s)
	if w.Code != 200 {
		t.Fatalf("%s: %d %s", s.path, w.Code, w.Body)
	}
	return decodeJSON[auditPage](t, w.Body.Bytes())
}

// TestAuditLog checks what an entry shows about a change: its author, its origin, and what it changed.
func TestAuditLog(t *testing.T) {
	f := newFixture(t, nil)
	f.run(t, scenario{
		method: "PUT", path: "/api/public/projects/project-a", key: "organization", body: `{"name":"Renamed & more","retention":7}`, status: 200,
		header: map[string]string{"User-Agent": "terraform/1.9 \x1b[31m\u202e" + strings.Repeat("ü", 300), "X-Request-Id": "change-1"},
	})
	f.run(t, asAdmin("", "PUT", adminOrganizations+"/org-a", `{"name":"Renamed, too"}`, 200, ""))
	f.run(t, scenario{method: "POST", path: "/api/public/v2/prompts", key: "project", body: `{"name":"p","prompt":"hello"}`, status: 201})
	key := func(public string) string {
		k, err := f.Catalog.KeyByPublic(t.Context(), public)
		if err != nil {
			t.Fatal(err)
		}
		return k.ID
	}
	own := regexp.MustCompile(`"([0-9a-f]{8}-[0-9a-f-]{27}|20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"`)
	random := regexp.MustCompile(`"requestId":"[a-z2-7]{26}"`)
	page := f.entries(t, scenario{path: auditPath + "?limit=3", key: "organization"})
	for n, want := range []string{
		`{"id":"","timestamp":"","organizationId":"org-a","projectId":"project-a","actor":{"type":"api-key","id":"` + key("pk-lf-a") + `","name":null},"action":"create",` +
			`"resourceType":"prompt","resourceId":"","address":"192.0.2.1","requestId":"","client":null,"before":null,` +
			`"after":{"commitMessage":null,"labels":["latest"],"name":"p","tags":null,"type":"text","version":1}}`,
		`{"id":"","timestamp":"","organizationId":"org-a","projectId":null,"actor":{"type":"admin","id":null,"name":null},"action":"update",` +
			`"resourceType":"organization","resourceId":"org-a","address":"192.0.2.1","requestId":"","client":null,` +
			`"before":{"metadata":{},"name":"Organization canary a"},"after":{"metadata":{},"name":"Renamed, too"}}`,
		`{"id":"","timestamp":"","organizationId":"org-a","projectId":"project-a","actor":{"type":"api-key","id":"` + key("pk-lf-org-a") + `","name":null},"action":"update",` +
			`"resourceType":"project","resourceId":"project-a","address":"192.0.2.1","requestId":"change-1",` +
			`"client":"terraform/1.9 [31m` + strings.Repeat("ü", 200-len("terraform/1.9 [31m")) + `",` +
			`"before":{"metadata":{},"name":"Project canary a","retentionDays":0},"after":{"metadata":{},"name":"Renamed \u0026 more","retentionDays":7}}`,
	} {
		got := random.ReplaceAllString(own.ReplaceAllString(string(page.Data[n]), `""`), `"requestId":""`)
		if got = strings.ReplaceAll(got, `"resourceId":"`+key("pk-lf-a")+`"`, `"resourceId":""`); got != want {
			t.Errorf("entry %d\n got %s\nwant %s", n, got, want)
		}
	}
}

func TestAuditLogAccess(t *testing.T) {
	const needsOrganization = `{"error":"Invalid API key. Organization-scoped API key required for this operation."}`
	const needsAdmin = `{"error":"Unauthorized: the admin API key is missing or wrong"}`
	runScenarios(t, []scenario{
		{
			name: "an organization", path: auditPath, key: "organization", status: 200,
			contains: []string{`"resourceId":"project-a"`, `"meta":{"limit":50}}`}, missing: []string{"org-b", "canary b", "canary foreign", "sk-lf-a-secret", "secretHash"},
		},
		{name: "another organization", path: auditPath, key: "foreignOrg", status: 200, contains: []string{`"resourceId":"project-b"`}, missing: []string{"org-a", "project-a", "canary a"}},
		{name: "an organization asks for another", path: auditPath + "?organizationId=org-a", key: "foreignOrg", status: 400, contains: []string{`"unrecognized_keys"`}, missing: []string{"canary"}},
		{name: "an organization asks for a project of another", path: auditPath + "?projectId=project-a", key: "foreignOrg", status: 200, want: `{"data":[],"meta":{"limit":50}}`},
		{name: "a project", path: auditPath, key: "project", status: 403, want: needsOrganization},
		{name: "a key that may read little", path: auditPath, key: "limited", status: 403, want: needsOrganization},
		{name: "nobody", path: auditPath, status: 401, want: `{"error":"No authorization header"}`},
		{name: "another method", method: "POST", path: auditPath, key: "organization", status: 405, want: `{"error":"Method not allowed"}`},
		{name: "the admin key where an organization's belongs", path: auditPath, header: map[string]string{"Authorization": "Bearer admin-secret"}, status: 401},
		{name: "an organization at the administrator's", path: adminAuditPath, key: "organization", status: 401, want: needsAdmin},
		{name: "a project at the administrator's", path: adminAuditPath, key: "project", status: 401, want: needsAdmin},
		{name: "nobody at the administrator's", path: adminAuditPath, status: 401, want: needsAdmin},
		{name: "the administrator", path: adminAuditPath, header: adminHeader(), status: 200, contains: []string{`"resourceId":"project-a"`, `"resourceId":"project-b"`}},
		{name: "the administrator of one organization", path: adminAuditPath + "?organizationId=org-b", header: adminHeader(), status: 200, contains: []string{`"resourceId":"project-b"`}, missing: []string{"org-a"}},
		{name: "the administrator of no organization", path: adminAuditPath + "?organizationId=nope", header: adminHeader(), status: 200, want: `{"data":[],"meta":{"limit":50}}`},
	})
	t.Run("administration is switched off", func(t *testing.T) {
		f := newFixture(t, func(o *Options) { o.Admin = auth.NewAdmin("") })
		f.run(t, scenario{path: adminAuditPath, header: adminHeader(), status: 403})
	})
	t.Run("an organization that is gone", func(t *testing.T) {
		f := newFixture(t, nil)
		f.run(t, scenario{method: "DELETE", path: "/api/public/projects/project-b", key: "foreignOrg", status: 202})
		f.run(t, scenario{path: auditPath + "?projectId=project-b&action=delete", key: "foreignOrg", status: 200, contains: []string{`"before":{"metadata":{},"name":"Project canary b","retentionDays":0},"after":null}]`}})
		f.run(t, asAdmin("", "DELETE", adminOrganizations+"/org-b", "", 200, ""))
		f.run(t, scenario{path: adminAuditPath + "?organizationId=org-b&resourceType=organization", header: adminHeader(), status: 200, contains: []string{`"action":"delete"`, `"action":"create"`}})
	})
}

func adminHeader() map[string]string {
	return map[string]string{"Authorization": "Bearer admin-secret"}
}

// TestAuditFilters tries each parameter on a log of three entries that differ in everything, on both routes and in both
// formats.
func TestAuditFilters(t *testing.T) {
	f := newFixture(t, nil)
	started := f.entries(t, scenario{path: auditPath + "?limit=1", key: "organization"})
	newest := decodeJSON[struct{ Timestamp string }](t, started.Data[0]).Timestamp
	f.run(t, scenario{method: "POST", path: "/api/public/projects", key: "organization", body: `{"name":"canary one"}`, status: 201})
	f.run(t, asAdmin("", "PUT", adminOrganizations+"/org-a", `{"name":"canary two"}`, 200, ""))
	if w := f.send(scenario{method: "DELETE", path: "/api/public/traces/canary-three", key: "project"}); w.Code != 200 {
		t.Fatal(w.Code, w.Body)
	}
	own, err := f.Catalog.KeyByPublic(t.Context(), "pk-lf-a")
	if err != nil {
		t.Fatal(err)
	}
	last := f.entries(t, scenario{path: auditPath + "?limit=3", key: "organization"})
	at := decodeJSON[struct{ Timestamp string }](t, last.Data[0]).Timestamp
	for _, test := range []struct{ parameters, want string }{
		{"actorType=admin", "two"},
		{"actorId=" + own.ID, "three"},
		{"action=delete", "three"},
		{"resourceType=trace", "three"},
		{"resourceId=org-a&action=update", "two"},
		{"projectId=project-a&action=delete", "three"},
		{"actorType=api-key", "three one"},
		{"actorType=api-key&action=create", "one"},
		{"fromTimestamp=2090-01-01", ""},
		{"toTimestamp=1990-01-01T00:00:00Z", ""},
		{"fromTimestamp=" + url.QueryEscape(at) + "&action=delete", "three"},
		{"toTimestamp=" + url.QueryEscape(at) + "&action=delete", ""},
		{"fromTimestamp=" + url.QueryEscape(newest) + "&actorType=admin", "two"},
		{"resourceId=nothing%00", ""},
		{"resourceId=&action=delete", "three"},
	} {
		for _, route := range []scenario{{path: auditPath, key: "organization"}, {path: adminAuditPath, header: adminHeader()}} {
			s := route
			s.path += "?" + test.parameters
			var page, lines []string
			for _, entry := range f.entries(t, s).Data {
				page = append(page, string(entry))
			}
			names := make([]string, len(page))
			for n, entry := range page {
				names[n] = regexp.MustCompile(`canary[ -](one|two|three)`).FindStringSubmatch(entry)[1]
			}
			if got := strings.Join(names, " "); got != test.want {
				t.Errorf("%s: %s, want %s", s.path, got, test.want)
			}
			s.path += "&format=jsonl"
			w := f.send(s)
			if w.Code != 200 || w.Header().Get("Content-Type") != "application/x-ndjson" {
				t.Errorf("%s: %d %s", s.path, w.Code, w.Header())
			}
			for line := range strings.Lines(w.Body.String()) {
				lines = append(lines, strings.TrimSuffix(line, "\n"))
			}
			if !slices.Equal(lines, page) {
				t.Errorf("%s has the lines %q, want %q", s.path, lines, page)
			}
		}
	}
}

func TestAuditLogRefuses(t *testing.T) {
	const lines = `{"error":"Invalid request data","details":[{"code":"custom","path":["%s"],"message":"format=jsonl has all entries that match: it has no pages"}]}`
	invalid := func(parameters string, parts ...string) scenario {
		return scenario{name: parameters, path: auditPath + "?" + parameters, key: "organization", status: 400, contains: parts}
	}
	scenarios := []scenario{
		invalid("limit=0", `"too_small","minimum":1`), invalid("limit=101", `"too_big","maximum":100`), invalid("limit=x", `"path":["limit"]`),
		invalid("cursor=x", `Invalid cursor format`), invalid("cursor=e30", `"path":["cursor","v"]`), invalid("cursor=a&cursor=b", `"path":["cursor"]`),
		invalid("format=csv", `"path":["format"]`, `json`), invalid("action=changed", `"path":["action"]`, "create"),
		invalid("fromTimestamp=yesterday", `"path":["fromTimestamp"]`), invalid("toTimestamp=soon", `"path":["toTimestamp"]`),
		invalid("actor=k", `Unrecognized key: \"actor\"`), invalid("resourceId=a&resourceId=b", `"path":["resourceId"]`),
		{name: "a limit of lines", path: auditPath + "?format=jsonl&limit=5", key: "organization", status: 400, want: fmt.Sprintf(lines, "limit")},
		{name: "a cursor of lines", path: auditPath + "?format=jsonl&cursor=x", key: "organization", status: 400, want: fmt.Sprintf(lines, "cursor")},
		{name: "the administrator's", path: adminAuditPath + "?limit=0", header: adminHeader(), status: 400, contains: []string{`"path":["limit"]`}},
		{name: "the administrator's, misspelled", path: adminAuditPath + "?organisationId=x", header: adminHeader(), status: 400, contains: []string{`organisationId`}},
	}
	f := newFixture(t, nil)
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) { f.run(t, s) })
	}
}

// TestAuditWalk reads a log whose entries share a few timestamps, page by page and then as lines, which take more than
// one piece. A catalog failure in the middle cuts the response off.
func TestAuditWalk(t *testing.T) {
	const deletions = 2345
	f := newFixture(t, nil)
	ids := make([]string, deletions)
	for n := range ids {
		ids[n] = fmt.Sprintf("trace-%04d", n)
	}
	if err := f.Catalog.RecordDeletion(t.Context(), domain.OfProject("project-a"), "trace", ids, domain.Actor{Kind: "cli"}); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(ids)
	seen := func(entry []byte) string { return decodeJSON[struct{ ResourceID string }](t, entry).ResourceID }
	for _, route := range []scenario{{path: auditPath, key: "organization"}, {path: adminAuditPath, header: adminHeader()}} {
		var got []string
		for s := route; ; {
			s.path = route.path + "?resourceType=trace&limit=100" + strings.TrimPrefix(s.path, route.path)
			page := f.entries(t, s)
			for _, entry := range page.Data {
				got = append(got, seen(entry))
			}
			if page.Meta.Cursor == nil {
				break
			}
			if len(page.Data) != 100 || page.Meta.Limit != 100 {
				t.Fatalf("a page of %d entries with the limit %d", len(page.Data), page.Meta.Limit)
			}
			s.path = route.path + "&cursor=" + url.QueryEscape(*page.Meta.Cursor)
		}
		if !slices.Equal(got, ids) {
			t.Errorf("%s: the walk saw %d entries, want %d, each once", route.path, len(got), deletions)
		}
		got = nil
		s := route
		s.path, s.status = route.path+"?resourceType=trace&format=jsonl", 200
		s.wantHeader = map[string]string{"Content-Type": "application/x-ndjson", "ETag": ""}
		f.run(t, s)
		w := f.send(s)
		if w.Body.Len() <= endpoint.PieceBytes {
			t.Fatalf("%d bytes are no answer in pieces", w.Body.Len())
		}
		for line := range strings.Lines(w.Body.String()) {
			got = append(got, seen([]byte(line)))
		}
		if !slices.Equal(got, ids) {
			t.Errorf("%s: %d lines, want %d", s.path, len(got), deletions)
		}
	}
	f.run(t, scenario{path: auditPath + "?format=jsonl&resourceType=nothing", key: "organization", status: 200, wantHeader: map[string]string{"Content-Length": "0"}})
}

// TestAuditOrigins: the address is the one reported by a trusted proxy, and tools pass on that of their caller.
func TestAuditOrigins(t *testing.T) {
	proxies, err := clientaddr.ParseProxies("192.0.2.0/24")
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, func(o *Options) { o.Proxies = proxies })
	header := map[string]string{"X-Forwarded-For": "203.0.113.7", "User-Agent": "assistant/2", "X-Request-Id": "r-7"}
	s := message("createTextPrompt", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"createTextPrompt","arguments":{"name":"p","prompt":"x"}}}`, 200, "")
	s.key = "project"
	direct := scenario{method: "POST", path: "/api/public/v2/prompts", key: "project", body: `{"name":"q","prompt":"x"}`}
	for _, sent := range []scenario{s, direct} {
		r := sent.request()
		for name, value := range header {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		page := f.entries(t, scenario{path: auditPath + "?limit=1", key: "organization"})
		if want := `"address":"203.0.113.7","requestId":"r-7","client":"assistant/2",`; !strings.Contains(string(page.Data[0]), want) ||
			!strings.Contains(string(page.Data[0]), `"resourceType":"prompt"`) {
			t.Errorf("%s is recorded as %s", sent.path, page.Data[0])
		}
	}
}
