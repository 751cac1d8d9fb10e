package auth

import (
	"net/http"

	"almanac/internal/domain"
)

// Person is somebody who signed in, with what they can see.
type Person struct {
	User          domain.User
	HasPassword   bool
	Session       domain.Session
	Organizations []domain.OrganizationAccess
}

// Principal returns the person as a caller who is bound to nothing.
func (p *Person) Principal() Principal { return Principal{user: p.User.ID} }

// Project returns the person as a caller in a project that they name, with its scope and that of its organization. A project that
// they cannot see is not found. The error is a *Denied.
func (p *Person) Project(id string, permission domain.Permission) (Principal, domain.ProjectScope, domain.OrganizationScope, error) {
	for _, o := range p.Organizations {
		for _, project := range o.Projects {
			if project.ID != id {
				continue
			}
			may := project.Role.InProject()
			if permission != 0 && !may.Has(permission) {
				return Principal{}, domain.ProjectScope{}, domain.OrganizationScope{}, tooWeak("this project", project.Role, domain.LeastInProject(permission))
			}
			return Principal{key: domain.APIKey{OrganizationID: o.ID, ProjectID: id, Permissions: may}, user: p.User.ID},
				domain.OfProject(id), domain.OfOrganization(o.ID), nil
		}
	}
	return Principal{}, domain.ProjectScope{}, domain.OrganizationScope{},
		&Denied{Status: http.StatusNotFound, Message: "There is no such project, or you may not see it."}
}

// OfPublished returns the scope of a project for whoever asks for something that it has published, signed in or not. The caller
// makes sure that it has, and reads nothing else.
func OfPublished(projectID string) domain.ProjectScope { return domain.OfProject(projectID) }

// Organization returns the person as a caller in an organization that they name. One that they cannot see is not found. The error
// is a *Denied.
func (p *Person) Organization(id string, permission domain.Permission) (Principal, domain.OrganizationScope, error) {
	for _, o := range p.Organizations {
		if o.ID != id {
			continue
		}
		may := o.Role.InOrganization()
		if permission != 0 && !may.Has(permission) {
			return Principal{}, domain.OrganizationScope{}, tooWeak("this organization", o.Role, domain.LeastInOrganization(permission))
		}
		return Principal{key: domain.APIKey{OrganizationID: id, Permissions: may}, user: p.User.ID}, domain.OfOrganization(id), nil
	}
	return Principal{}, domain.OrganizationScope{}, &Denied{Status: http.StatusNotFound, Message: "There is no such organization, or you may not see it."}
}

// RoleIn returns the role that the person has in an organization.
func (p *Person) RoleIn(organizationID string) domain.Role {
	for _, o := range p.Organizations {
		if o.ID == organizationID {
			return o.Role
		}
	}
	return domain.RoleNone
}

// Owns reports whether the person owns an organization.
func (p *Person) Owns() bool {
	for _, o := range p.Organizations {
		if o.Role == domain.RoleOwner {
			return true
		}
	}
	return false
}

func tooWeak(where string, role, least domain.Role) *Denied {
	return &Denied{Status: http.StatusForbidden, Message: "Your role in " + where + " is " + string(role) + ". This needs the role " + string(least) + "."}
}

// SignedOut refuses whoever is not signed in.
func SignedOut() *Denied { return unauthorized("Sign in first.") }

// Unavailable is the refusal while credentials cannot be looked up.
func Unavailable(cause error) *Denied {
	return &Denied{Status: http.StatusServiceUnavailable, Message: "Service Unavailable", cause: cause}
}
