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
	// user is the id of a person who signed in; empty for keys.
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

// Consumer returns whom the request is made for.
func (p Principal) Consumer() domain.Consumer { return p.key.Consumer() }

// PublicOnly says that the secret was not presented.
func (p Principal) PublicOnly() bool { return p.publicOnly }

// PublicKey returns the public half of a key that was presented with its secret; empty for other credentials.
func (p Principal) PublicKey() string {
	if p.publicOnly {
		return ""
	}
	return p.key.PublicKey
}

// RequireProject returns the scope of a project key that holds the permission; 0 asks for none. A key without its secret is
// enough if publicToo is set and the permission is one that it may have. The error is a *Denied.
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

// Lacking refuses a key that holds no such permission.
func Lacking(permission domain.Permission) *Denied {
	return &Denied{Status: http.StatusForbidden, Message: insufficient + ": the key lacks the permission " + permission.String()}
}

// May reports whether the project key holds the permission, or one of them if it is several together. Without its secret a key may
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
	Status  int // 401; 400 or 404 for a project that an administrator does not name well; 403 when there is no admin key; 429 after too many wrong ones; 503 when keys cannot be looked up
	Message string
	// RetryAfter is in how many seconds it makes sense to try again; 0 for no hint.
	RetryAfter int
	// WrongKind says that the credential is valid, and of a kind that is not let in.
	WrongKind bool
	cause     error
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
