package domain

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestRoles repeats the permissions of each role according to the API contract.
func TestRoles(t *testing.T) {
	viewer := "traces:read scores:read prompts:read datasets:read comments:read connections:read"
	member := viewer +
		` traces:write traces:publish scores:write scores:delete prompts:write prompts:delete datasets:write datasets:delete comments:write
		queues:annotate evaluation:write dashboards:write views:share integrations:read keys:read members:read exports:write
		playground:run`
	admin := member + " traces:delete project:admin integrations:write keys:write members:write audit:read project:update"
	for role, want := range map[Role][2]string{
		RoleNone:      {"", ""},
		RoleAnnotator: {"queues:annotate", ""},
		RoleViewer:    {viewer, ""},
		RoleMember:    {member, "members:read"},
		RoleAdmin:     {admin, "members:read members:write audit:read projects:create organization:update"},
		RoleOwner: {
			admin + " project:delete",
			"members:read members:write audit:read projects:create organization:update keys:read keys:write organization:delete",
		},
		"KING": {"", ""},
	} {
		for n, set := range []PermissionSet{role.InProject(), role.InOrganization()} {
			got, wanted := set.Names(), strings.Fields(want[n])
			slices.Sort(got)
			slices.Sort(wanted)
			if !slices.Equal(got, wanted) {
				t.Errorf("%s may do %q, want %q", role, got, wanted)
			}
		}
	}
	order := []Role{"KING", RoleNone, RoleAnnotator, RoleViewer, RoleMember, RoleAdmin, RoleOwner}
	for n := range order {
		for m := range order {
			if order[n].Weaker(order[m]) != (n < m) {
				t.Errorf("%s is weaker than %s: %v", order[n], order[m], n >= m)
			}
		}
	}
	if LeastInProject(KeysWrite) != RoleAdmin || LeastInOrganization(KeysWrite) != RoleOwner || LeastInProject(TracesRead) != RoleViewer {
		t.Error("the weakest role with a permission is another one")
	}
	if names := strings.Join(RoleNames(), " "); names != "OWNER ADMIN MEMBER VIEWER NONE" {
		t.Errorf("the public API knows %s", names)
	}
	// A key that may do everything has the permissions of keys, and cannot be given any other.
	if all := AllPermissions().Names(); !slices.Equal(all, PermissionNames()) || slices.Contains(all, "members:write") {
		t.Errorf("all permissions of a key: %q", all)
	}
	if _, err := ParsePermission("members:write"); err == nil {
		t.Error("a key can have a permission of people")
	}
}

// TestRolesOfTheWebApplication compares the roles in the web application with the table. The web application shows
// which role is needed without asking the server.
func TestRolesOfTheWebApplication(t *testing.T) {
	const path = "../../web/src/shared/roles/model/roles.ts"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, found := range regexp.MustCompile(`\{ id: '([A-Z]+)',|\bid: '([A-Z]+)',\n`).FindAllStringSubmatch(string(text), -1) {
		order = append(order, found[1]+found[2])
	}
	if !slices.Equal(order, AllRoleNames()) {
		t.Errorf("%s has the roles %q, want %q", path, order, AllRoleNames())
	}
	_, needed, found := strings.Cut(string(text), "const needed:")
	inOrganization, inProject, both := strings.Cut(needed, "\n  project: {")
	if !found || !both {
		t.Fatalf("%s has no table of which role is needed", path)
	}
	for _, level := range []struct {
		name, text string
		grants     map[Role]PermissionSet
	}{{"organization", inOrganization, organizationGrants}, {"project", inProject, projectGrants}} {
		got := make(map[string]string)
		for _, found := range regexp.MustCompile(`'([a-z]+:[a-z]+)': '([A-Z]+)'`).FindAllStringSubmatch(level.text, -1) {
			got[found[1]] = found[2]
		}
		for _, p := range PeoplePermissions() {
			if !level.grants[RoleOwner].Has(p) {
				continue
			}
			if want := string(least(p, level.grants)); got[p.String()] != want {
				t.Errorf("%s: %s needs %q in a %s, and the table says %s", path, p, got[p.String()], level.name, want)
			}
			delete(got, p.String())
		}
		for name := range got {
			t.Errorf("%s: no role has %s in a %s", path, name, level.name)
		}
	}
}
