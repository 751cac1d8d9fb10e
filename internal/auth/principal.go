package auth

import (
	"net/http"

	"almanac/internal/domain"
)

// Principal is a checked credential.
type Principal struct {
	key domain.APIKey
	// publicOnly: presented without its secret, as browsers do.
	publicOnly bool
	// admin: the instance's administrator, who acts in a project.
	admin bool
}

// Actor returns the principal as the author of a change.
func (p Principal) Actor() domain.Actor {
	if p.admin {
		return domain.Actor{Kind: "admin-key"}
	}
	return domain.Actor{Kind: "api-key", ID: p.key.ID}
}

// Project returns the scope of a project key; ok is false for an organization key.
func (p Principal) Project() (scope domain.ProjectScope, ok bool) {
	if p.key.ProjectID == "" {
		return domain.ProjectScope{}, false
	}
	return domain.OfProject(p.key.ProjectID), true
}

// Organization returns the scope of an organization key; ok is false for a project key.
func (p Principal) Organization() (scope domain.OrganizationScope, ok bool) {
	if p.key.ProjectID != "" {
		return domain.OrganizationScope{}, false
	}
	return domain.OfOrganization(p.key.OrganizationID), true
}

// Consumer returns whom the request is made for.
func (p Principal) Consumer() domain.Consumer { return p.key.Consumer() }

// PublicOnly says that the secret was not presented.
func (p Principal) PublicOnly() bool { return p.publicOnly }

// May says whether the project key holds the permission, or one of them if it is several together. Without its secret a key may
// only write scores.
func (p Principal) May(permission domain.Permission) bool {
	if p.publicOnly {
		if permission &= domain.ScoresWrite; permission == 0 {
			return false
		}
	}
	return p.key.Permissions.Has(permission)
}

// Denied is the error of a credential that was not accepted. Its message is for the client.
type Denied struct {
	Status  int // 401; 400 or 404 for a project that an administrator does not name well; 403 when there is no admin key; 503 when keys cannot be looked up
	Message string
	// RetryAfter is in how many seconds it makes sense to try again; 0 for no hint.
	RetryAfter int
	cause      error
	// reason is why a credential that was presented is wrong, and shown what the log calls its key; empty if it is not wrong.
	reason, shown string
}

// wrong notes that the credential is a wrong one, not just one that is missing or not enough.
func (d *Denied) wrong(reason, shown string) *Denied {
	d.reason, d.shown = reason, shown
	return d
}

func (d *Denied) Error() string { return d.Message }

// Unwrap returns what went wrong inside, if anything did.
func (d *Denied) Unwrap() error { return d.cause }

func unauthorized(message string) *Denied {
	return &Denied{Status: http.StatusUnauthorized, Message: message}
}
