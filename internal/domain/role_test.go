package domain

import (
	"slices"
	"strings"
	"testing"
)

// TestRoles writes down once more, role by role, what the contract says they can do.
func TestRoles(t *testing.T) {
	viewer := "traces:read scores:read prompts:read datasets:read comments:read connections:read"
	member := viewer + ` traces:write scores:write scores:delete prompts:write prompts:delete datasets:write datasets:delete comments:write
		evaluation:write dashboards:write integrations:read keys:read members:read`
	admin := member + " traces:delete project:admin integrations:write keys:write members:write audit:read project:update"
	for role, want := range map[Role][2]string{
		RoleNone:      {"", ""},
		RoleAnnotator: {"traces:read scores:read scores:write comments:read comments:write", ""},
		RoleViewer:    {viewer, ""},
		RoleMember:    {member, "members:read"},
		RoleAdmin:     {admin, "members:read members:write audit:read projects:create organization:update"},
		RoleOwner:     {admin + " project:delete", "members:read members:write audit:read projects:create organization:update keys:read keys:write organization:delete"},
		"KING":        {"", ""},
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
	if LeastInProject(KeysWrite) != RoleAdmin || LeastInOrganization(KeysWrite) != RoleOwner || LeastInProject(TracesRead) != RoleAnnotator {
		t.Error("the weakest role with a permission is another one")
	}
	if names := strings.Join(RoleNames(), " "); names != "OWNER ADMIN MEMBER VIEWER NONE" {
		t.Errorf("the public API knows %s", names)
	}
	// A key that may do everything has the permissions of keys, and can be given no other.
	if all := AllPermissions().Names(); !slices.Equal(all, PermissionNames()) || slices.Contains(all, "members:write") {
		t.Errorf("all permissions of a key: %q", all)
	}
	if _, err := ParsePermission("members:write"); err == nil {
		t.Error("a key can have a permission of people")
	}
}
