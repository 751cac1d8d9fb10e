package admin_test

import (
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

// TestUsageOfProjects: people see the limits of what they can read, and what it stores. Who may change the organization sets
// the limits of its projects, as the organization's key does.
func TestUsageOfProjects(t *testing.T) {
	f := apitest.New(t, nil)
	day := domain.Micros(1_767_225_600_000_000) // 2026-01-01
	f.Keep(t, "project-a", []domain.Observation{
		{TraceID: "t1", ID: "o1", Type: "SPAN", StartTime: day + 1, CreatedAt: day}, {TraceID: "t2", ID: "o2", Type: "SPAN", StartTime: 2 * day, CreatedAt: day},
	}, []domain.Score{{ID: "s1", TraceID: "t1", Name: "quality", DataType: "NUMERIC", Value: domain.FloatOf(1), Timestamp: day}})
	in := func(email string, role domain.Role) *apitest.Browser { return f.As(t, f.NewMember(t, email, role).ID) }
	admin, viewer, annotator := in("admin@a.test", domain.RoleAdmin), in("viewer@a.test", domain.RoleViewer), in("annotator@a.test", domain.RoleAnnotator)
	ofProject := f.NewMember(t, "project@a.test", domain.RoleNone)
	if _, err := f.Catalog.SetProjectMember(t.Context(), domain.OfOrganization("org-a"), "project-a", ofProject.ID, domain.RoleOwner,
		domain.Actor{Kind: "cli"}); err != nil {
		t.Fatal(err)
	}
	const (
		project      = apitest.UIProject + "/usage"
		organization = "/api/ui/organizations/org-a/usage"
		limits       = "/api/ui/organizations/org-a/projects/project-a/limits"
	)
	seen := func(b *apitest.Browser, path string, want ...string) {
		t.Helper()
		got := b.Ask(t, "GET", path, "", 200)
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("%s does not have %s: %s", path, part, got)
			}
		}
	}
	const unlimited, stored = `{"name":"spansPerDay","limit":null,"isDefault":true,"used":0,`, `"oldestDay":"2026-01-01","mediaFiles":0,"mediaBytes":0}`
	for _, b := range []*apitest.Browser{admin, viewer, f.As(t, ofProject.ID)} {
		seen(b, project, `"storage":{"rows":3,"bytes":`, stored, unlimited, `"organizationLimits":{"level":"organization","id":"org-a"`)
		seen(b, organization, `"projects":[{"id":"project-a"`, `"rows":3,"bytes":`, stored, `"limits":{"level":"organization"`)
	}
	seen(viewer, organization, `{"id":"project-a2"`, `"rows":0,"bytes":0,"oldestDay":null`)
	if got := f.As(t, ofProject.ID).Ask(t, "GET", organization, "", 200); strings.Contains(got, "project-a2") {
		t.Errorf("projects that somebody cannot see: %s", got)
	}
	annotator.Ask(t, "GET", project, "", 403)
	if got := annotator.Ask(t, "GET", organization, "", 200); !strings.Contains(got, `"projects":[]`) {
		t.Errorf("an annotator sees %s", got)
	}
	f.Browser().Ask(t, "GET", project, "", 401)
	f.Browser().Ask(t, "GET", organization, "", 401)
	in("nobody@a.test", domain.RoleNone).Ask(t, "GET", organization, "", 404)

	viewer.Ask(t, "PUT", limits, `{"spansPerDay":7}`, 403)
	f.As(t, ofProject.ID).Ask(t, "PUT", limits, `{"spansPerDay":7}`, 403) // limits protect the organization from its projects
	admin.Ask(t, "PUT", limits, `{"spansPerDay":0}`, 400)
	admin.Ask(t, "PUT", limits, `{"spansPerYear":1}`, 400)
	admin.Ask(t, "PUT", "/api/ui/organizations/org-a/projects/project-b/limits", `{"spansPerDay":7}`, 404)
	if got := admin.Ask(t, "PUT", limits, `{"spansPerDay":7,"bytesPerDay":1000}`, 200); !strings.Contains(got,
		`{"name":"spansPerDay","limit":7,"isDefault":false,"used":0,"remaining":7,`) {
		t.Errorf("the limits are %s", got)
	}
	seen(viewer, project, `{"name":"spansPerDay","limit":7,`, `{"name":"bytesPerDay","limit":1000,`)
	admin.Ask(t, "PUT", limits, `{}`, 200)
	seen(viewer, project, unlimited)
}
