package auth

import (
	"net/http"

	"almanac/internal/domain"
)

// Principal is a checked credential.
type Principal struct {
	key domain.APIKey
	// publicOnly is set for a key presented without its secret, as browsers do.
	publicOnly bool
	// admin is set for the instance's administrator acting in a project.
	admin bool
	// user is the id of a signed-in user; empty for keys.
	user string
}

// Actor returns the principal as the author of a change.
func (p Principal) Actor() domain.Actor {
	if p.admin {
		return domain.Actor{Kind: "admin-key"}
	}
	if p.user != "" {
		return domain.Actor{Kind: "user", ID: p.user}
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

// Consumer returns the consumer to which the request is attributed.
func (p Principal) Consumer() domain.Consumer { return p.key.Consumer() }

// PublicOnly reports whether the key was presented without its secret.
func (p Principal) PublicOnly() bool { return p.publicOnly }

// PublicKey returns the public half of a key that was presented with its secret; empty for other credentials.
func (p Principal) PublicKey() string {
	if p.publicOnly {
		return ""
	}
	return p.key.PublicKey
}

// RequireProject returns the scope of a project key that has the permission; 0 requires none. A key without its secret
// is accepted only if publicToo is set and such a key may have the permission. The error is a *Denied.
func (p Principal) RequireProject(permission domain.Permission, publicToo bool) (domain.ProjectScope, error) {
	scope, ok := p.Project()
	may := permission == 0 || p.May(permission)
	switch {
	case !ok, p.publicOnly && (!publicToo || !may):
		return scope, wrongKind()
	case !may:
		return scope, Lacking(permission)
	}
	return scope, nil
}

// RequireOrganization returns the scope of an organization key. The error is a *Denied.
func (p Principal) RequireOrganization() (domain.OrganizationScope, error) {
	scope, ok := p.Organization()
	if !ok {
		return scope, wrongKind()
	}
	return scope, nil
}

// insufficient is the message for a credential that is valid but not enough.
const insufficient = "Access denied - insufficient permissions for this endpoint"

func wrongKind() *Denied {
	return &Denied{Status: http.StatusForbidden, Message: insufficient, WrongKind: true}
}

// Lacking returns the error for a key without the permission.
func Lacking(permission domain.Permission) *Denied {
	return &Denied{Status: http.StatusForbidden, Message: insufficient + ": the key lacks the permission " + permission.String()}
}

// May reports whether the project key has the permission, or any of several combined ones. Without its secret, a key
// may only write scores.
func (p Principal) May(permission domain.Permission) bool {
	if p.publicOnly {
		if permission &= domain.ScoresWrite; permission == 0 {
			return false
		}
	}
	return p.key.Permissions.Has(permission)
}

// Denied is returned for a credential that was not accepted. The message is shown to the client.
type Denied struct {
	// 401; 400 or 404 for a project that an administrator does not name well; 403 when there is no admin key;
	// 429 after too many wrong ones; 503 when keys cannot be looked up
	Status  int
	Message string
	// RetryAfter is the number of seconds after which to retry; 0 gives no hint.
	RetryAfter int
	// WrongKind is set if the credential is valid, but of a kind that is not accepted here.
	WrongKind bool
	cause     error
	// reason is why a presented credential is wrong, and shown the name of its key in the log; both are empty if it is
	// not wrong.
	reason, shown string
}

// wrong marks the credential as wrong, as opposed to missing or insufficient.
func (d *Denied) wrong(reason, shown string) *Denied {
	d.reason, d.shown = reason, shown
	return d
}

func (d *Denied) Error() string { return d.Message }

// Unwrap returns the internal error that caused the refusal, if any.
func (d *Denied) Unwrap() error { return d.cause }

func unauthorized(message string) *Denied {
	return &Denied{Status: http.StatusUnauthorized, Message: message}
}
