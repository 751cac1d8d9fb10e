package admin_test

import (
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
	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/endpoint"
)

const (
	auditPath      = "/api/public/organizations/audit-log"
	adminAuditPath = "/api/admin/audit-log"
)

// auditPage is a page of the log as clients receive it.
type auditPage struct {
	Data []json.RawMessage
	Meta struct {
		Limit  int
		Cursor *string
	}
}

// entries requests a page.
func entries(t *testing.T, f *apitest.Fixture, s apitest.Scenario) auditPage {
	t.Helper()
	w := f.Send(s)
	if w.Code != 200 {
		t.Fatalf("%s: %d %s", s.Path, w.Code, w.Body)
	}
	return apitest.DecodeJSON[auditPage](t, w.Body.Bytes())
}

// TestAuditLog checks what an entry shows about a change: its author, its origin, and what it changed.
func TestAuditLog(t *testing.T) {
	f := apitest.New(t, nil)
	f.Run(t, apitest.Scenario{
		Method: "PUT", Path: "/api/public/projects/project-a", Key: "organization", Body: `{"name":"Renamed & more","retention":7}`,
		Status: 200,
		Header: map[string]string{"User-Agent": "terraform/1.9 \x1b[31m\u202e" + strings.Repeat("ü", 300), "X-Request-Id": "change-1"},
	})
	f.Run(t, apitest.AsAdmin("", "PUT", adminOrganizations+"/org-a", `{"name":"Renamed, too"}`, 200, ""))
	f.Run(t, apitest.Scenario{Method: "POST", Path: "/api/public/v2/prompts", Key: "project", Body: `{"name":"p","prompt":"hello"}`, Status: 201})
	key := func(public string) string {
		k, err := f.Catalog.KeyByPublic(t.Context(), public)
		if err != nil {
			t.Fatal(err)
		}
		return k.ID
	}
	own := regexp.MustCompile(`"([0-9a-f]{8}-[0-9a-f-]{27}|20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"`)
	random := regexp.MustCompile(`"requestId":"[a-z2-7]{26}"`)
	page := entries(t, f, apitest.Scenario{Path: auditPath + "?limit=3", Key: "organization"})
	for n, want := range []string{
		`{"id":"","timestamp":"","organizationId":"org-a","projectId":"project-a","actor":{"type":"api-key","id":"` + key("pk-lf-a") +
			`","name":null},"action":"create",` +
			`"resourceType":"prompt","resourceId":"","address":"192.0.2.1","requestId":"","client":null,"before":null,` +
			`"after":{"commitMessage":null,"hash":"cb1cdb6f240748dab96138a7897584c9","labels":["latest"],"name":"p","tags":null,"type":"text","version":1}}`,
		`{"id":"","timestamp":"","organizationId":"org-a","projectId":null,"actor":{"type":"admin","id":null,"name":null},"action":"update",` +
			`"resourceType":"organization","resourceId":"org-a","address":"192.0.2.1","requestId":"","client":null,` +
			`"before":{"metadata":{},"name":"Organization canary a"},"after":{"metadata":{},"name":"Renamed, too"}}`,
		`{"id":"","timestamp":"","organizationId":"org-a","projectId":"project-a","actor":{"type":"api-key","id":"` + key("pk-lf-org-a") +
			`","name":null},"action":"update",` +
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
	apitest.Run(t, []apitest.Scenario{
		{
			Name: "an organization", Path: auditPath, Key: "organization", Status: 200,
			Contains: []string{`"resourceId":"project-a"`, `"meta":{"limit":50}}`},
			Missing:  []string{"org-b", "canary b", "canary foreign", "sk-lf-a-secret", "secretHash"},
		},
		{
			Name: "another organization", Path: auditPath, Key: "foreignOrg", Status: 200, Contains: []string{`"resourceId":"project-b"`},
			Missing: []string{"org-a", "project-a", "canary a"},
		},
		{
			Name: "an organization asks for another", Path: auditPath + "?organizationId=org-a", Key: "foreignOrg", Status: 400,
			Contains: []string{`"unrecognized_keys"`}, Missing: []string{"canary"},
		},
		{
			Name: "an organization asks for a project of another", Path: auditPath + "?projectId=project-a", Key: "foreignOrg", Status: 200,
			Want: `{"data":[],"meta":{"limit":50}}`,
		},
		{Name: "a project", Path: auditPath, Key: "project", Status: 403, Want: needsOrganization},
		{Name: "a key that may read little", Path: auditPath, Key: "limited", Status: 403, Want: needsOrganization},
		{Name: "nobody", Path: auditPath, Status: 401, Want: `{"error":"No authorization header"}`},
		{Name: "another method", Method: "POST", Path: auditPath, Key: "organization", Status: 405, Want: `{"error":"Method not allowed"}`},
		{
			Name: "the admin key where an organization's belongs", Path: auditPath,
			Header: map[string]string{"Authorization": "Bearer admin-secret"}, Status: 401,
		},
		{Name: "an organization at the administrator's", Path: adminAuditPath, Key: "organization", Status: 401, Want: needsAdmin},
		{Name: "a project at the administrator's", Path: adminAuditPath, Key: "project", Status: 401, Want: needsAdmin},
		{Name: "nobody at the administrator's", Path: adminAuditPath, Status: 401, Want: needsAdmin},
		{
			Name: "the administrator", Path: adminAuditPath, Header: adminHeader(), Status: 200,
			Contains: []string{`"resourceId":"project-a"`, `"resourceId":"project-b"`},
		},
		{
			Name: "the administrator of one organization", Path: adminAuditPath + "?organizationId=org-b", Header: adminHeader(),
			Status: 200, Contains: []string{`"resourceId":"project-b"`}, Missing: []string{"org-a"},
		},
		{
			Name: "the administrator of no organization", Path: adminAuditPath + "?organizationId=nope", Header: adminHeader(), Status: 200,
			Want: `{"data":[],"meta":{"limit":50}}`,
		},
	})
	t.Run("administration is switched off", func(t *testing.T) {
		f := apitest.New(t, func(o *httpapi.Options) { o.Admin = auth.NewAdmin("") })
		f.Run(t, apitest.Scenario{Path: adminAuditPath, Header: adminHeader(), Status: 403})
	})
	t.Run("an organization that is gone", func(t *testing.T) {
		f := apitest.New(t, nil)
		f.Run(t, apitest.Scenario{Method: "DELETE", Path: "/api/public/projects/project-b", Key: "foreignOrg", Status: 202})
		f.Run(t, apitest.Scenario{
			Path: auditPath + "?projectId=project-b&action=delete", Key: "foreignOrg", Status: 200,
			Contains: []string{`"before":{"metadata":{},"name":"Project canary b","retentionDays":0},"after":null}]`},
		})
		f.Run(t, apitest.AsAdmin("", "DELETE", adminOrganizations+"/org-b", "", 200, ""))
		f.Run(t, apitest.Scenario{
			Path: adminAuditPath + "?organizationId=org-b&resourceType=organization", Header: adminHeader(), Status: 200,
			Contains: []string{`"action":"delete"`, `"action":"create"`},
		})
	})
}

func adminHeader() map[string]string {
	return map[string]string{"Authorization": "Bearer admin-secret"}
}

// TestAuditFilters tries each parameter on a log of three entries that differ in everything, on both routes and in both
// formats.
func TestAuditFilters(t *testing.T) {
	f := apitest.New(t, nil)
	started := entries(t, f, apitest.Scenario{Path: auditPath + "?limit=1", Key: "organization"})
	newest := apitest.DecodeJSON[struct{ Timestamp string }](t, started.Data[0]).Timestamp
	f.Run(t, apitest.Scenario{Method: "POST", Path: "/api/public/projects", Key: "organization", Body: `{"name":"canary one"}`, Status: 201})
	f.Run(t, apitest.AsAdmin("", "PUT", adminOrganizations+"/org-a", `{"name":"canary two"}`, 200, ""))
	if w := f.Send(apitest.Scenario{Method: "DELETE", Path: "/api/public/traces/canary-three", Key: "project"}); w.Code != 200 {
		t.Fatal(w.Code, w.Body)
	}
	own, err := f.Catalog.KeyByPublic(t.Context(), "pk-lf-a")
	if err != nil {
		t.Fatal(err)
	}
	last := entries(t, f, apitest.Scenario{Path: auditPath + "?limit=3", Key: "organization"})
	at := apitest.DecodeJSON[struct{ Timestamp string }](t, last.Data[0]).Timestamp
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
		for _, route := range []apitest.Scenario{{Path: auditPath, Key: "organization"}, {Path: adminAuditPath, Header: adminHeader()}} {
			s := route
			s.Path += "?" + test.parameters
			var page, lines []string
			for _, entry := range entries(t, f, s).Data {
				page = append(page, string(entry))
			}
			names := make([]string, len(page))
			for n, entry := range page {
				names[n] = regexp.MustCompile(`canary[ -](one|two|three)`).FindStringSubmatch(entry)[1]
			}
			if got := strings.Join(names, " "); got != test.want {
				t.Errorf("%s: %s, want %s", s.Path, got, test.want)
			}
			s.Path += "&format=jsonl"
			w := f.Send(s)
			if w.Code != 200 || w.Header().Get("Content-Type") != "application/x-ndjson" {
				t.Errorf("%s: %d %s", s.Path, w.Code, w.Header())
			}
			for line := range strings.Lines(w.Body.String()) {
				lines = append(lines, strings.TrimSuffix(line, "\n"))
			}
			if !slices.Equal(lines, page) {
				t.Errorf("%s has the lines %q, want %q", s.Path, lines, page)
			}
		}
	}
}

func TestAuditLogRefuses(t *testing.T) {
	const lines = `{"error":"Invalid request data","details":[{"code":"custom","path":["%s"],"message":"format=jsonl has all entries that match: it has no pages"}]}`
	invalid := func(parameters string, parts ...string) apitest.Scenario {
		return apitest.Scenario{Name: parameters, Path: auditPath + "?" + parameters, Key: "organization", Status: 400, Contains: parts}
	}
	scenarios := []apitest.Scenario{
		invalid("limit=0", `"too_small","minimum":1`), invalid("limit=101", `"too_big","maximum":100`),
		invalid("limit=x", `"path":["limit"]`),
		invalid("cursor=x", `Invalid cursor format`), invalid("cursor=e30", `"path":["cursor","v"]`),
		invalid("cursor=a&cursor=b", `"path":["cursor"]`),
		invalid("format=csv", `"path":["format"]`, `json`), invalid("action=changed", `"path":["action"]`, "create"),
		invalid("fromTimestamp=yesterday", `"path":["fromTimestamp"]`), invalid("toTimestamp=soon", `"path":["toTimestamp"]`),
		invalid("actor=k", `Unrecognized key: \"actor\"`), invalid("resourceId=a&resourceId=b", `"path":["resourceId"]`),
		{
			Name: "a limit of lines", Path: auditPath + "?format=jsonl&limit=5", Key: "organization", Status: 400,
			Want: fmt.Sprintf(lines, "limit"),
		},
		{
			Name: "a cursor of lines", Path: auditPath + "?format=jsonl&cursor=x", Key: "organization", Status: 400,
			Want: fmt.Sprintf(lines, "cursor"),
		},
		{
			Name: "the administrator's", Path: adminAuditPath + "?limit=0", Header: adminHeader(), Status: 400,
			Contains: []string{`"path":["limit"]`},
		},
		{
			Name: "the administrator's, misspelled", Path: adminAuditPath + "?organisationId=x", Header: adminHeader(), Status: 400,
			Contains: []string{`organisationId`},
		},
	}
	f := apitest.New(t, nil)
	for _, s := range scenarios {
		t.Run(s.Name, func(t *testing.T) { f.Run(t, s) })
	}
}

// TestAuditWalk reads a log whose entries share a few timestamps, page by page and then as lines, which take more than
// one piece. A catalog failure in the middle cuts the response off.
func TestAuditWalk(t *testing.T) {
	const deletions = 2345
	f := apitest.New(t, nil)
	ids := make([]string, deletions)
	for n := range ids {
		ids[n] = fmt.Sprintf("trace-%04d", n)
	}
	if err := f.Catalog.RecordDeletion(t.Context(), domain.OfProject("project-a"), "trace", ids, domain.Actor{Kind: "cli"}); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(ids)
	seen := func(entry []byte) string { return apitest.DecodeJSON[struct{ ResourceID string }](t, entry).ResourceID }
	for _, route := range []apitest.Scenario{{Path: auditPath, Key: "organization"}, {Path: adminAuditPath, Header: adminHeader()}} {
		var got []string
		for s := route; ; {
			s.Path = route.Path + "?resourceType=trace&limit=100" + strings.TrimPrefix(s.Path, route.Path)
			page := entries(t, f, s)
			for _, entry := range page.Data {
				got = append(got, seen(entry))
			}
			if page.Meta.Cursor == nil {
				break
			}
			if len(page.Data) != 100 || page.Meta.Limit != 100 {
				t.Fatalf("a page of %d entries with the limit %d", len(page.Data), page.Meta.Limit)
			}
			s.Path = route.Path + "&cursor=" + url.QueryEscape(*page.Meta.Cursor)
		}
		if !slices.Equal(got, ids) {
			t.Errorf("%s: the walk saw %d entries, want %d, each once", route.Path, len(got), deletions)
		}
		got = nil
		s := route
		s.Path, s.Status = route.Path+"?resourceType=trace&format=jsonl", 200
		s.WantHeader = map[string]string{"Content-Type": "application/x-ndjson", "ETag": ""}
		f.Run(t, s)
		w := f.Send(s)
		if w.Body.Len() <= endpoint.PieceBytes {
			t.Fatalf("%d bytes are no answer in pieces", w.Body.Len())
		}
		for line := range strings.Lines(w.Body.String()) {
			got = append(got, seen([]byte(line)))
		}
		if !slices.Equal(got, ids) {
			t.Errorf("%s: %d lines, want %d", s.Path, len(got), deletions)
		}
	}
	f.Run(t, apitest.Scenario{
		Path: auditPath + "?format=jsonl&resourceType=nothing", Key: "organization", Status: 200,
		WantHeader: map[string]string{"Content-Length": "0"},
	})
}

// TestAuditOrigins: the address is the one reported by a trusted proxy, and tools pass on that of their caller.
func TestAuditOrigins(t *testing.T) {
	proxies, err := clientaddr.ParseProxies("192.0.2.0/24")
	if err != nil {
		t.Fatal(err)
	}
	f := apitest.New(t, func(o *httpapi.Options) { o.Proxies = proxies })
	header := map[string]string{"X-Forwarded-For": "203.0.113.7", "User-Agent": "assistant/2", "X-Request-Id": "r-7"}
	s := apitest.Message("createTextPrompt",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"createTextPrompt","arguments":{"name":"p","prompt":"x"}}}`, 200,
		"")
	s.Key = "project"
	direct := apitest.Scenario{Method: "POST", Path: "/api/public/v2/prompts", Key: "project", Body: `{"name":"q","prompt":"x"}`}
	for _, sent := range []apitest.Scenario{s, direct} {
		r := sent.Request()
		for name, value := range header {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		page := entries(t, f, apitest.Scenario{Path: auditPath + "?limit=1", Key: "organization"})
		if want := `"address":"203.0.113.7","requestId":"r-7","client":"assistant/2",`; !strings.Contains(string(page.Data[0]), want) ||
			!strings.Contains(string(page.Data[0]), `"resourceType":"prompt"`) {
			t.Errorf("%s is recorded as %s", sent.Path, page.Data[0])
		}
	}
}
