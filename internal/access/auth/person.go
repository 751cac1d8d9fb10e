package auth

import (
	"net/http"

	"almanac/internal/domain"
)

// Person is a signed-in user, with the organizations and projects that they can see.
type Person struct {
	User          domain.User
	HasPassword   bool
	EmailVerified bool
	Session       domain.Session
	Organizations []domain.OrganizationAccess
	// Offered are the memberships that the person has not accepted. They give no access.
	Offered []domain.OfferedMembership
}

// Principal returns the person as a principal outside of any organization or project.
func (p *Person) Principal() Principal { return Principal{user: p.User.ID} }

// Project returns the person as a principal in the given project, with the scopes of the project and its organization.
// The error is a *Denied: not found if the person cannot see the project, and forbidden if their role lacks the
// permission.
func (p *Person) Project(id string, permission domain.Permission) (Principal, domain.ProjectScope, domain.OrganizationScope, error) {
	for _, o := range p.Organizations {
		for _, project := range o.Projects {
			if project.ID != id {
				continue
			}
			may := project.Role.InProject()
			if permission != 0 && !may.Has(permission) {
				return Principal{}, domain.ProjectScope{}, domain.OrganizationScope{},
					tooWeak("this project", project.Role, domain.LeastInProject(permission))
			}
			// The id of the request is part of its URL, and would keep all of that in memory.
			return Principal{key: domain.APIKey{OrganizationID: o.ID, ProjectID: project.ID, Permissions: may}, user: p.User.ID},
				domain.OfProject(project.ID), domain.OfOrganization(o.ID), nil
		}
	}
	return Principal{}, domain.ProjectScope{}, domain.OrganizationScope{},
		&Denied{Status: http.StatusNotFound, Message: "There is no such project, or you may not see it."}
}

// OfPublished returns the scope of a project for requests for a published object, signed in or not. The caller must
// make sure that the object is published, and read nothing else.
func OfPublished(projectID string) domain.ProjectScope { return domain.OfProject(projectID) }

// Organization returns the person as a principal in the given organization. The error is a *Denied: not found if the
// person cannot see the organization, and forbidden if their role lacks the permission.
func (p *Person) Organization(id string, permission domain.Permission) (Principal, domain.OrganizationScope, error) {
	for _, o := range p.Organizations {
		if o.ID != id {
			continue
		}
		may := o.Role.InOrganization()
		if permission != 0 && !may.Has(permission) {
			return Principal{}, domain.OrganizationScope{}, tooWeak("this organization", o.Role, domain.LeastInOrganization(permission))
		}
		return Principal{key: domain.APIKey{OrganizationID: o.ID, Permissions: may}, user: p.User.ID}, domain.OfOrganization(o.ID), nil
	}
	return Principal{}, domain.OrganizationScope{}, &Denied{
		Status: http.StatusNotFound, Message: "There is no such organization, or you may not see it.",
	}
}

// OwnMembership returns the scope of any organization, for accepting or ending the person's own membership and nothing
// else.
func (*Person) OwnMembership(organizationID string) domain.OrganizationScope {
	return domain.OfOrganization(organizationID)
}

// RoleIn returns the person's role in an organization.
func (p *Person) RoleIn(organizationID string) domain.Role {
	for _, o := range p.Organizations {
		if o.ID == organizationID {
			return o.Role
		}
	}
	return domain.RoleNone
}

// Owns reports whether the person owns any organization.
func (p *Person) Owns() bool {
	for _, o := range p.Organizations {
		if o.Role == domain.RoleOwner {
			return true
		}
	}
	return false
}

func tooWeak(where string, role, least domain.Role) *Denied {
	return &Denied{
		Status: http.StatusForbidden, Message: "Your role in " + where + " is " + string(role) + ". This needs the role " +
			string(least) + ".",
	}
}

// SignedOut returns the error for requests without a valid session.
func SignedOut() *Denied { return unauthorized("Sign in first.") }

// Unavailable returns the error for requests whose credentials cannot be looked up.
func Unavailable(cause error) *Denied {
	return &Denied{Status: http.StatusServiceUnavailable, Message: "Service Unavailable", cause: cause}
}
