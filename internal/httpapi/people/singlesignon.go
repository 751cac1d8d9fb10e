package people

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"almanac/internal/access/accounts"
	"almanac/internal/access/oidc"
	"almanac/internal/catalog/people"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/netguard"
)

const (
	// flowCookie holds the state that a provider's callback must match. As with sessions, only HTTPS uses the prefix.
	flowCookie      = "__Host-almanac-sso"
	plainFlowCookie = "almanac-sso"
	// signOutCookie holds the provider of the session, for signing out there. Browsers send it only to the sign-out route.
	signOutCookie      = "__Secure-almanac-sso-session"
	plainSignOutCookie = "almanac-sso-session"
	signOutPath        = "/api/ui/auth/sign-out"
	// signInPage is the page that shows why a sign-in failed.
	signInPage = "/auth/sign-in"
	// maxCookie is the maximum length of a cookie's value. Browsers limit it together with its name and attributes.
	maxCookie = 3800
)

// The reasons for a failed sign-in that do not come from package oidc.
const (
	noAccount     oidc.Reason = "sso_no_account"
	disabled      oidc.Reason = "sso_account_disabled"
	otherIdentity oidc.Reason = "sso_other_identity"
	noPublicURL   oidc.Reason = "sso_no_public_url"
	insecure      oidc.Reason = "insecure_connection"
	tooOften      oidc.Reason = "sso_too_often"
	failed        oidc.Reason = "sso_failed"
)

// StartSingleSignOn serves GET /api/ui/auth/oidc/{providerId}/start.
func (h *Handlers) StartSingleSignOn(c *endpoint.Call) (any, error) {
	r := c.Request()
	returnTo := oidc.ReturnPath(c.Parameters().Get("returnTo"))
	// Before anything is logged with the name: anybody can make one up.
	if !slices.ContainsFunc(h.SignOn.Providers(), func(p oidc.Provider) bool { return p.ID == c.Path("providerId") }) {
		return h.notSignedIn(c, returnTo, oidc.ErrUnknownProvider)
	}
	if err := h.Accounts.SignOn(h.Network(r)); err != nil {
		return h.backToSignIn(c, tooOften, returnTo, err)
	}
	if err := h.Cookies.Allowed(r); err != nil {
		return h.backToSignIn(c, insecure, returnTo, err)
	}
	callback := c.BaseURL() + "/api/ui/auth/oidc/" + c.Path("providerId") + "/callback"
	// Without a public URL, the Host header of the request would decide where the provider sends the browser.
	if u, err := url.Parse(callback); err != nil || h.Cookies.Address.URL == "" && !netguard.IsLoopback(u.Hostname()) {
		return h.backToSignIn(c, noPublicURL, returnTo, errors.New("single sign-on needs --public-url"))
	}
	location, flow, err := h.SignOn.Start(c.Context(), c.Path("providerId"), callback, returnTo)
	if err != nil {
		return h.notSignedIn(c, returnTo, err)
	}
	h.Cookies.setOther(c, flowCookie, plainFlowCookie, "/", flow, oidc.FlowLife)
	return respond.ExternalRedirect{URL: location}, nil
}

// FinishSingleSignOn serves GET /api/ui/auth/oidc/{providerId}/callback.
func (h *Handlers) FinishSingleSignOn(c *endpoint.Call) (any, error) {
	r := c.Request()
	if err := h.Accounts.SignOn(h.Network(r)); err != nil {
		return h.backToSignIn(c, tooOften, "/", err)
	}
	flow := h.Cookies.other(r, flowCookie, plainFlowCookie)
	h.Cookies.setOther(c, flowCookie, plainFlowCookie, "/", "", -1)
	done, err := h.SignOn.Finish(c.Context(), c.Path("providerId"), c.Parameters(), flow)
	if err != nil {
		return h.notSignedIn(c, done.ReturnTo, err)
	}
	if err := h.Cookies.Allowed(r); err != nil {
		return h.backToSignIn(c, insecure, done.ReturnTo, err)
	}
	started, err := h.Accounts.SignInAs(c.Context(), identityOf(done.Identity), h.Cookies.Token(r))
	if err != nil {
		return h.notSignedIn(c, done.ReturnTo, err)
	}
	h.Cookies.Set(c, started)
	h.keepProvider(c, done)
	return respond.Redirect{Location: done.ReturnTo}, nil
}

func identityOf(who oidc.Identity) people.Identity {
	id := people.Identity{
		ProviderID: who.ProviderID, Issuer: who.Issuer, Subject: who.Subject, Email: who.Email, Name: who.Name, Create: who.CreateAccount,
		Roles: endpoint.Map(who.Roles, func(g oidc.Grant) people.GrantedRole { return people.GrantedRole(g) }),
	}
	if who.First != nil {
		id.First = new(people.GrantedRole(*who.First))
	}
	return id
}

// notSignedIn redirects the browser to the sign-in page with the reason for an error.
func (h *Handlers) notSignedIn(c *endpoint.Call, returnTo string, err error) (any, error) {
	var refusal *oidc.Refusal
	switch {
	case errors.Is(err, oidc.ErrUnknownProvider):
		return nil, respond.NotFound("There is no such identity provider.")
	case errors.As(err, &refusal):
		return h.backToSignIn(c, refusal.Reason, returnTo, err)
	case errors.Is(err, people.ErrDisabled):
		return h.backToSignIn(c, disabled, returnTo, err)
	case errors.Is(err, people.ErrOtherSubject):
		return h.backToSignIn(c, otherIdentity, returnTo, err)
	case errors.Is(err, domain.ErrNotFound):
		return h.backToSignIn(c, noAccount, returnTo, err)
	}
	return h.backToSignIn(c, failed, returnTo, err)
}

// backToSignIn redirects to the sign-in page with a short reason, and logs the error.
func (h *Handlers) backToSignIn(c *endpoint.Call, reason oidc.Reason, returnTo string, err error) (any, error) {
	level := slog.LevelWarn
	if reason == oidc.Stale || reason == tooOften {
		level = slog.LevelDebug // anybody can cause it at will
	}
	h.Log.Log(c.Context(), level, "single sign-on failed", "provider", c.Path("providerId"), "reason", string(reason), "error", err)
	query := url.Values{"error": {string(reason)}}
	if returnTo != "/" {
		query.Set("returnTo", returnTo)
	}
	return respond.Redirect{Location: signInPage + "?" + query.Encode()}, nil
}

// keepProvider stores the provider and its ID token in signOutCookie. A token that is too long is omitted; the provider
// then asks for confirmation at sign-out.
func (h *Handlers) keepProvider(c *endpoint.Call, done oidc.Finished) {
	sealed := h.Secrets.Seal(done.Identity.ProviderID+"\n"+done.IDToken, signOutPath)
	if len(sealed) > maxCookie {
		sealed = h.Secrets.Seal(done.Identity.ProviderID+"\n", signOutPath)
	}
	h.Cookies.setOther(c, signOutCookie, plainSignOutCookie, h.Links.To(signOutPath), sealed, accounts.Life)
}

// signOutElsewhere returns the sign-out URL of the session's provider, if it has one.
func (h *Handlers) signOutElsewhere(c *endpoint.Call) string {
	sealed := h.Cookies.other(c.Request(), signOutCookie, plainSignOutCookie)
	if sealed == "" {
		return ""
	}
	h.Cookies.setOther(c, signOutCookie, plainSignOutCookie, h.Links.To(signOutPath), "", -1)
	kept, err := h.Secrets.Open(sealed, signOutPath)
	if err != nil {
		return ""
	}
	provider, idToken, _ := strings.Cut(kept, "\n")
	ctx, cancel := context.WithTimeout(c.Context(), 5*time.Second)
	defer cancel()
	location, err := h.SignOn.SignOutURL(ctx, provider, idToken, c.BaseURL()+signInPage)
	if err != nil && !errors.Is(err, oidc.ErrUnknownProvider) {
		h.Log.Warn("cannot sign out at the identity provider", "provider", provider, "error", err)
	}
	return location
}

// other returns the value of a cookie other than the session cookie.
func (k Cookies) other(r *http.Request, secure, plain string) string {
	name := plain
	if k.isSecure(r) {
		name = secure
	}
	cookie, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// setOther sets such a cookie with a lifetime, or removes it if that is negative.
func (k Cookies) setOther(c *endpoint.Call, secure, plain, path, value string, life time.Duration) {
	cookie := &http.Cookie{
		Name: plain, Value: value, Path: path, MaxAge: int(life / time.Second), HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
	if k.isSecure(c.Request()) {
		cookie.Name, cookie.Secure = secure, true
	}
	if life < 0 {
		cookie.MaxAge = -1
	}
	c.SetCookie(cookie)
}
