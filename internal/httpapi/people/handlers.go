// Package people serves the web application's account routes: sign-in, accounts, and organizations and projects with
// their members.
package people

import (
	"errors"
	"log/slog"
	"math"
	"net/http"

	"almanac/internal/access/accounts"
	"almanac/internal/access/oidc"
	"almanac/internal/access/secretbox"
	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// Handlers serves the routes of this package.
type Handlers struct {
	Catalog  *catalog.Catalog
	Accounts *accounts.Accounts
	Cookies  Cookies
	// Network returns the client network of a request, by which password attempts are counted.
	Network func(*http.Request) string
	// SignOn holds the identity providers. Secrets encrypts the provider and ID token that browsers keep for signing out.
	SignOn  *oidc.SignOn
	Secrets *secretbox.Box
	Links   endpoint.Links
	Log     *slog.Logger
	// EveryoneCreates allows everybody who is signed in, not only owners of an organization, to create organizations.
	EveryoneCreates bool
	// Build is the version of this program.
	Build string
}

// Provider is an identity provider as the web application shows it.
type Provider struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// problem maps the errors of package accounts to messages for people.
func problem(err error) error {
	var often *accounts.RateLimitedError
	switch {
	case errors.As(err, &often):
		return &respond.Error{
			Status: http.StatusTooManyRequests, Message: "Too many tries. Wait a moment and try again.",
			RetryAfter: int(math.Ceil(often.RetryAfter.Seconds())),
		}
	case errors.Is(err, accounts.ErrWrong):
		return &respond.Error{
			Status: http.StatusUnauthorized, Code: "wrong_credentials", Message: "The email address or the password is wrong.",
		}
	case errors.Is(err, accounts.ErrPasswordOff):
		return &respond.Error{Status: http.StatusForbidden, Message: "Signing in with a password is switched off. Use single sign-on."}
	case errors.Is(err, accounts.ErrBusy):
		return respond.Busy("Too many people are signing in. Try again shortly.", endpoint.RetrySeconds)
	}
	return err
}

// memberProblem maps the errors of a member who does not exist or who must remain the owner.
func memberProblem(err error) error {
	if errors.Is(err, domain.ErrLastOwner) {
		return respond.Conflict("This is the only owner of the organization. Make somebody else an owner first.")
	}
	return endpoint.NotFoundAs(err, "There is no such member.")
}
