package auth

import (
	"net/http"

	"almanac/internal/domain"
)

// Admin checks the instance's admin key. The zero value has no key and refuses everybody.
type Admin struct{ key Token }

// NewAdmin returns a checker of this key; an empty key switches instance administration off.
func NewAdmin(key string) Admin {
	return Admin{NewToken(key)}
}

// Check checks an Authorization header. The error, if any, is a *Denied.
func (a Admin) Check(authorization string) error {
	if !a.key.Set() {
		return &Denied{Status: http.StatusForbidden, Message: "Instance administration is switched off: no admin API key is configured"}
	}
	if !a.key.Matches(authorization) {
		denied := unauthorized("Unauthorized: the admin API key is missing or wrong")
		if authorization != "" {
			denied = denied.wrong("wrong admin key", "(admin key)")
		}
		return denied
	}
	return nil
}

// Organization checks an Authorization header and returns the scope of the given organization, which need not exist.
// The error, if any, is a *Denied.
func (a Admin) Organization(authorization, id string) (domain.OrganizationScope, error) {
	if err := a.Check(authorization); err != nil {
		return domain.OrganizationScope{}, err
	}
	return domain.OfOrganization(id), nil
}

// Actor returns the administrator as the author of a change.
func (a Admin) Actor() domain.Actor { return domain.Actor{Kind: "admin"} }

// InProject checks the credential of an administrator who acts in a project. The key must be in both the Authorization
// header and a header of its own, so that nobody acts as an administrator by accident. The caller must check that the
// project exists. The error, if any, is a *Denied.
func (a Admin) InProject(authorization, key, projectID string) (Principal, error) {
	if err := a.Check(authorization); err != nil {
		return Principal{}, err
	}
	if err := a.Check("Bearer " + key); err != nil {
		return Principal{}, err
	}
	if projectID == "" {
		return Principal{}, &Denied{
			Status: http.StatusBadRequest, Message: "An administrator names the project in the header x-langfuse-project-id",
		}
	}
	return Principal{key: domain.APIKey{ProjectID: projectID, Permissions: domain.AllPermissions()}, admin: true}, nil
}
