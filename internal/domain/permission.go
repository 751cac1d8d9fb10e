package domain

import (
	"fmt"
	"math/bits"
	"strings"
)

// Permission is one action that a project key or a user may be allowed to perform.
type Permission uint64

// The permissions.
const (
	TracesRead Permission = 1 << iota
	TracesWrite
	TracesDelete
	ScoresRead
	ScoresWrite
	ScoresDelete
	PromptsRead
	PromptsWrite
	PromptsDelete
	DatasetsRead
	DatasetsWrite
	DatasetsDelete
	CommentsRead
	CommentsWrite
	FeedbackWrite
	ProjectAdmin
	TracesPublish

	// The rest are only for users, granted by their roles: see role.go.

	// QueuesAnnotate covers the queues that a user is assigned to, and nothing else in the project.
	QueuesAnnotate
	EvaluationWrite
	DashboardsWrite
	ViewsShare
	ConnectionsRead
	IntegrationsRead
	IntegrationsWrite
	KeysRead
	KeysWrite
	MembersRead
	MembersWrite
	AuditRead
	ProjectUpdate
	ProjectDelete
	ProjectsCreate
	OrganizationUpdate
	OrganizationDelete
	ExportsWrite
	PlaygroundRun

	permissionEnd
)

// keyPermissionEnd follows the last permission that a key can have.
const keyPermissionEnd = TracesPublish << 1

// keyPermissions is the number of permissions that a key can have.
const keyPermissions = 17

// permissions are the wire names and purposes of all permissions, in the order of the constants.
var permissions = [...]struct{ name, purpose string }{
	{"traces:read", "read traces, observations, sessions, metrics, experiments, models and dashboards, and files of traces"},
	{"traces:write", "send traces and their files"},
	{"traces:delete", "delete traces"},
	{"scores:read", "read scores, score configs, annotation queues, evaluators and evaluation rules"},
	{"scores:write", "send scores; create and change score configs, annotation queues, evaluators and evaluation rules"},
	{"scores:delete", "delete scores, items of annotation queues, evaluators and evaluation rules"},
	{"prompts:read", "read prompts"},
	{"prompts:write", "create prompts and move their labels"},
	{"prompts:delete", "delete prompts"},
	{"datasets:read", "read datasets, their items and runs, and files of items"},
	{"datasets:write", "create and change datasets, items and runs, and send files of items"},
	{"datasets:delete", "delete items and runs"},
	{"comments:read", "read comments"},
	{"comments:write", "write comments"},
	{"feedback:write", "tell the operator what one thinks of the API"},
	{"project:admin", "manage models, LLM connections and dashboards"},
	{"traces:publish", "publish traces, so that everybody who has the link can read them"},

	{"queues:annotate", "read what is in the annotation queues that one is assigned to, score it, comment on it and complete it"},
	{"evaluation:write", "create and change score configs, annotation queues, evaluators and evaluation rules"},
	{"dashboards:write", "create, change and delete dashboards and widgets"},
	{"views:share", "create, change and delete views of tables that everybody in the project sees, and say which one they begin with"},
	{"connections:read", "see which LLM connections there are"},
	{"integrations:read", "see where the project is exported to"},
	{"integrations:write", "change where the project is exported to"},
	{"keys:read", "see which API keys there are"},
	{"keys:write", "create and revoke API keys"},
	{"members:read", "see who is a member"},
	{"members:write", "invite and remove members, and change their roles"},
	{"audit:read", "read the audit log"},
	{"project:update", "rename the project, and change how long it keeps data"},
	{"project:delete", "delete the project with all its data"},
	{"projects:create", "create projects"},
	{"organization:update", "rename the organization"},
	{"organization:delete", "delete the organization"},
	{"exports:write", "export what the project has to files, and download them"},
	{"playground:run", "call models in the playground and in experiments, with the LLM connections of the project, and keep playgrounds, tools and schemas"},
}

// String returns the wire name of the permission, or all names if several are combined.
func (p Permission) String() string {
	var names []string
	for n, known := range permissions {
		if p&(1<<n) != 0 {
			names = append(names, known.name)
		}
	}
	if p >= permissionEnd || len(names) == 0 {
		return fmt.Sprintf("Permission(%d)", uint64(p))
	}
	return strings.Join(names, " or ")
}

// Purpose describes what the permission allows.
func (p Permission) Purpose() string { return permissions[bits.TrailingZeros64(uint64(p))].purpose }

// PermissionNames returns the wire names of the permissions that a key can have.
func PermissionNames() []string {
	names := make([]string, keyPermissions)
	for n := range names {
		names[n] = permissions[n].name
	}
	return names
}

// PermissionSet is a set of permissions.
type PermissionSet uint64

// allPermissions is a separate bit rather than the sum of today's permissions: a key that may do everything may also do
// what a later version adds.
const allPermissions PermissionSet = 1 << 63

// AllPermissions returns the set of all permissions, including future ones.
func AllPermissions() PermissionSet { return allPermissions }

// PermissionsOf returns the set of the given permissions.
func PermissionsOf(permissions ...Permission) PermissionSet {
	var s PermissionSet
	for _, p := range permissions {
		s |= PermissionSet(p)
	}
	return s
}

// Has reports whether the set contains the permission, or one of them if several are combined.
func (s PermissionSet) Has(p Permission) bool {
	return s&allPermissions != 0 || s&PermissionSet(p) != 0
}

// Names returns the wire names of the permissions in the set.
func (s PermissionSet) Names() []string {
	names := []string{}
	for p := TracesRead; p < permissionEnd; p <<= 1 {
		if s&PermissionSet(p) != 0 || s&allPermissions != 0 && p < keyPermissionEnd {
			names = append(names, p.String())
		}
	}
	return names
}

// String returns the stored form: a comma-separated list of names, or * for all.
func (s PermissionSet) String() string {
	if s&allPermissions != 0 {
		return "*"
	}
	return strings.Join(s.Names(), ",")
}

// ParsePermissions parses the form returned by String.
func ParsePermissions(text string) (PermissionSet, error) {
	if text == "*" {
		return allPermissions, nil
	}
	var s PermissionSet
	if text == "" {
		return s, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		p, err := ParsePermission(strings.TrimSpace(name))
		if err != nil {
			return 0, err
		}
		s |= PermissionSet(p)
	}
	return s, nil
}

// ParsePermission parses the wire name of a permission that a key can have.
func ParsePermission(name string) (Permission, error) {
	for n, known := range permissions[:keyPermissions] {
		if known.name == name {
			return 1 << n, nil
		}
	}
	return 0, fmt.Errorf("unknown permission %q; permissions are %s", name, strings.Join(PermissionNames(), ", "))
}
