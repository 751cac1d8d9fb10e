// Package people has the handlers of the web application: signing in, one's account, and organizations and projects with their
// members.
package people

import (
	"errors"
	"log/slog"
	"math"
	"net/http"

	"almanac/internal/accounts"
	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/oidc"
	"almanac/internal/secretbox"
)

// Handlers are those of this package.
type Handlers struct {
	Catalog  *catalog.Catalog
	Accounts *accounts.Accounts
	Cookies  Cookies
	// Network returns where a request comes from, as tries of passwords are counted.
	Network func(*http.Request) string
	// SignOn has the identity providers that people can sign in through, and Secrets encrypts what browsers keep of that.
	SignOn  *oidc.SignOn
	Secrets *secretbox.Box
	Links   endpoint.Links
	Log     *slog.Logger
	// EveryoneCreates says that everybody who is signed in may create organizations, and not only owners of one.
	EveryoneCreates bool
	// Build is the version of this program.
	Build string
}

// Provider is an identity provider as pages show it.
type Provider struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// problem tells people what became of signing in and the like.
func problem(err error) error {
	var often *accounts.TooOften
	switch {
	case errors.As(err, &often):
		return &respond.Error{
			Status: http.StatusTooManyRequests, Message: "Too many tries. Wait a moment and try again.",
			RetryAfter: int(math.Ceil(often.RetryAfter.Seconds())),
		}
	case errors.Is(err, accounts.ErrWrong):
		return &respond.Error{Status: http.StatusUnauthorized, Code: "wrong_credentials", Message: "The email address or the password is wrong."}
	case errors.Is(err, accounts.ErrPasswordOff):
		return &respond.Error{Status: http.StatusForbidden, Message: "Signing in with a password is switched off. Use single sign-on."}
	case errors.Is(err, accounts.ErrBusy):
		return respond.Busy("Too many people are signing in. Try again shortly.", endpoint.RetrySeconds)
	}
	return err
}

// memberProblem tells about a member who is not there, or who has to stay what they are.
func memberProblem(err error) error {
	if errors.Is(err, domain.ErrLastOwner) {
		return respond.Conflict("This is the only owner of the organization. Make somebody else an owner first.")
	}
	return endpoint.NotFoundAs(err, "There is no such member.")
}
