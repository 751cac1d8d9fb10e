package domain

import (
	"fmt"
	"strings"
)

// Permission is one thing that a project key may do.
type Permission uint16

// The permissions of a project key.
const (
	TracesRead Permission = 1 << iota
	TracesWrite
	ScoresRead
	ScoresWrite
	PromptsRead
	PromptsWrite
	DatasetsRead
	DatasetsWrite
	ProjectAdmin

	permissionEnd
)

// String returns the permission's wire name; of several together, all names.
func (p Permission) String() string {
	switch p {
	case TracesRead:
		return "traces:read"
	case TracesWrite:
		return "traces:write"
	case ScoresRead:
		return "scores:read"
	case ScoresWrite:
		return "scores:write"
	case PromptsRead:
		return "prompts:read"
	case PromptsWrite:
		return "prompts:write"
	case DatasetsRead:
		return "datasets:read"
	case DatasetsWrite:
		return "datasets:write"
	case ProjectAdmin:
		return "project:admin"
	}
	var names []string
	for single := TracesRead; single < permissionEnd; single <<= 1 {
		if p&single != 0 {
			names = append(names, single.String())
		}
	}
	if len(names) < 2 {
		return fmt.Sprintf("Permission(%d)", uint16(p))
	}
	return strings.Join(names, " or ")
}

// PermissionNames returns the wire names of all permissions.
func PermissionNames() []string {
	var names []string
	for p := TracesRead; p < permissionEnd; p <<= 1 {
		names = append(names, p.String())
	}
	return names
}

// PermissionSet is a set of permissions.
type PermissionSet uint16

// allPermissions is a set of its own rather than the sum of today's permissions: a key that may do everything
// may also do what a later version adds.
const allPermissions PermissionSet = 1 << 15

// AllPermissions returns the set that holds every permission, future ones included.
func AllPermissions() PermissionSet { return allPermissions }

// PermissionsOf returns the set of the given permissions.
func PermissionsOf(permissions ...Permission) PermissionSet {
	var s PermissionSet
	for _, p := range permissions {
		s |= PermissionSet(p)
	}
	return s
}

// Has says whether the set holds the permission, or one of them if it is several together.
func (s PermissionSet) Has(p Permission) bool {
	return s&allPermissions != 0 || s&PermissionSet(p) != 0
}

// Names returns the wire names of the permissions in the set.
func (s PermissionSet) Names() []string {
	names := []string{}
	for p := TracesRead; p < permissionEnd; p <<= 1 {
		if s.Has(p) {
			names = append(names, p.String())
		}
	}
	return names
}

// String returns the stored form: a comma list of names, or * for all.
func (s PermissionSet) String() string {
	if s&allPermissions != 0 {
		return "*"
	}
	return strings.Join(s.Names(), ",")
}

// ParsePermissions reads the form that String returns.
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

// ParsePermission reads one wire name.
func ParsePermission(name string) (Permission, error) {
	for p := TracesRead; p < permissionEnd; p <<= 1 {
		if p.String() == name {
			return p, nil
		}
	}
	return 0, fmt.Errorf("unknown permission %q; permissions are %s", name, strings.Join(PermissionNames(), ", "))
}
