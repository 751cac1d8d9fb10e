package domain

// ProjectScope binds a call to one project. Stores take it instead of a project id, so that a query without a project
// does not compile. Every store refuses its zero value.
//
// Scopes are created where a credential has been checked (package auth) or where the operator or the server acts on the
// data directly (packages cli, provision and retention, and the export runners); the linter forbids OfProject and
// OfOrganization elsewhere.
type ProjectScope struct{ id string }

// OfProject returns the scope of the project with this id.
func OfProject(id string) ProjectScope { return ProjectScope{id} }

// ProjectID returns the id of the project. It panics for the zero value.
func (s ProjectScope) ProjectID() string {
	if s.id == "" {
		panic("BUG: a project scope without a project")
	}
	return s.id
}

// OrganizationScope binds a call to one organization and the projects in it, as ProjectScope does to one project.
type OrganizationScope struct{ id string }

// OfOrganization returns the scope of the organization with this id.
func OfOrganization(id string) OrganizationScope { return OrganizationScope{id} }

// OrganizationID returns the id of the organization. It panics for the zero value.
func (s OrganizationScope) OrganizationID() string {
	if s.id == "" {
		panic("BUG: an organization scope without an organization")
	}
	return s.id
}
