package domain

import "slices"

// Role determines what a member may do in an organization or a project.
type Role string

// The roles, strongest first.
const (
	RoleOwner     Role = "OWNER"
	RoleAdmin     Role = "ADMIN"
	RoleMember    Role = "MEMBER"
	RoleViewer    Role = "VIEWER"
	RoleAnnotator Role = "ANNOTATOR"
	RoleNone      Role = "NONE"
)

// roleRow is a row of the table of roles: what a role adds to the one below it, or, if alone is set, all it may do.
type roleRow struct {
	role                  Role
	alone                 bool
	project, organization []Permission
}

// roles is the permission table, weakest role first. docs/administration.md shows it.
var roles = []roleRow{
	{role: RoleNone},
	{role: RoleAnnotator, alone: true, project: []Permission{QueuesAnnotate}},
	{role: RoleViewer, alone: true, project: []Permission{
		TracesRead, ScoresRead, PromptsRead, DatasetsRead, CommentsRead, ConnectionsRead,
	}},
	{role: RoleMember, project: []Permission{
		TracesWrite, TracesPublish, ScoresWrite, ScoresDelete, PromptsWrite, PromptsDelete, DatasetsWrite, DatasetsDelete, CommentsWrite,
		QueuesAnnotate, EvaluationWrite, DashboardsWrite, ViewsShare, IntegrationsRead, KeysRead, MembersRead, ExportsWrite,
		PlaygroundRun,
	}, organization: []Permission{MembersRead}},
	{role: RoleAdmin, project: []Permission{
		TracesDelete, ProjectAdmin, IntegrationsWrite, KeysWrite, MembersWrite, AuditRead, ProjectUpdate,
	}, organization: []Permission{MembersWrite, AuditRead, ProjectsCreate, OrganizationUpdate}},
	{role: RoleOwner, project: []Permission{ProjectDelete}, organization: []Permission{KeysRead, KeysWrite, OrganizationDelete}},
}

// projectGrants and organizationGrants are the permissions by role.
var projectGrants, organizationGrants = func() (map[Role]PermissionSet, map[Role]PermissionSet) {
	project, organization := make(map[Role]PermissionSet), make(map[Role]PermissionSet)
	var inProject, inOrganization PermissionSet
	for _, row := range roles {
		if row.alone {
			inProject, inOrganization = 0, 0
		}
		inProject |= PermissionsOf(row.project...)
		inOrganization |= PermissionsOf(row.organization...)
		project[row.role], organization[row.role] = inProject, inOrganization
	}
	return project, organization
}()

// InProject returns the permissions of the role in a project.
func (r Role) InProject() PermissionSet { return projectGrants[r] }

// InOrganization returns the permissions of the role in an organization.
func (r Role) InOrganization() PermissionSet { return organizationGrants[r] }

// Weaker reports whether the role is weaker than the other one.
func (r Role) Weaker(than Role) bool { return r.rank() < than.rank() }

// rank returns the position of the role in the table; an unknown role ranks below all others.
func (r Role) rank() int {
	return slices.IndexFunc(roles, func(row roleRow) bool { return row.role == r })
}

// LeastInProject returns the weakest role that has one of the permissions in a project.
func LeastInProject(p Permission) Role { return least(p, projectGrants) }

// LeastInOrganization returns the weakest role that has one of the permissions in an organization.
func LeastInOrganization(p Permission) Role { return least(p, organizationGrants) }

func least(p Permission, grants map[Role]PermissionSet) Role {
	for _, row := range roles {
		if grants[row.role].Has(p) {
			return row.role
		}
	}
	return RoleOwner
}

// RoleNames returns the roles of the public API, strongest first. Annotators exist only in the web application.
func RoleNames() []string {
	return slices.DeleteFunc(AllRoleNames(), func(name string) bool { return Role(name) == RoleAnnotator })
}

// AllRoleNames returns all roles, strongest first.
func AllRoleNames() []string {
	names := make([]string, 0, len(roles))
	for _, row := range slices.Backward(roles) {
		names = append(names, string(row.role))
	}
	return names
}

// Public returns the role as shown in the public API, where annotators do not exist: they are shown as viewers.
func (r Role) Public() Role {
	if r == RoleAnnotator {
		return RoleViewer
	}
	return r
}

// PeoplePermissions returns the permissions that a role can have, in the order of the constants.
func PeoplePermissions() []Permission {
	all := RoleOwner.InProject() | RoleOwner.InOrganization()
	var list []Permission
	for p := TracesRead; p < permissionEnd; p <<= 1 {
		if all.Has(p) {
			list = append(list, p)
		}
	}
	return list
}
