package main

import (
	"time"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// request is a sign-in requested by a client.
type request struct {
	*oidc.AuthRequest
	id      string
	subject string    // who has signed in; empty if nobody
	at      time.Time // when
}

func (r *request) GetID() string          { return r.id }
func (r *request) GetACR() string         { return "" }
func (r *request) GetAMR() []string       { return []string{"pwd"} }
func (r *request) GetAudience() []string  { return []string{r.ClientID} }
func (r *request) GetAuthTime() time.Time { return r.at }
func (r *request) GetClientID() string    { return r.ClientID }
func (r *request) GetNonce() string       { return r.Nonce }
func (r *request) GetScopes() []string    { return r.Scopes }
func (r *request) GetSubject() string     { return r.subject }
func (r *request) Done() bool             { return r.subject != "" }

func (r *request) GetCodeChallenge() *oidc.CodeChallenge {
	return &oidc.CodeChallenge{Challenge: r.CodeChallenge, Method: r.CodeChallengeMethod}
}

// client is the only client: a server with a secret.
type client struct{ login, redirectURI, afterSignOut string }

func (c client) GetID() string                       { return clientID }
func (c client) RedirectURIs() []string              { return []string{c.redirectURI} }
func (c client) PostLogoutRedirectURIs() []string    { return []string{c.afterSignOut} }
func (c client) ApplicationType() op.ApplicationType { return op.ApplicationTypeWeb }
func (c client) AuthMethod() oidc.AuthMethod         { return oidc.AuthMethodBasic }
func (c client) ResponseTypes() []oidc.ResponseType {
	return []oidc.ResponseType{oidc.ResponseTypeCode}
}

func (c client) GrantTypes() []oidc.GrantType         { return []oidc.GrantType{oidc.GrantTypeCode} }
func (c client) LoginURL(id string) string            { return c.login + id }
func (c client) AccessTokenType() op.AccessTokenType  { return op.AccessTokenTypeBearer }
func (c client) IDTokenLifetime() time.Duration       { return life }
func (c client) DevMode() bool                        { return false }
func (c client) IsScopeAllowed(scope string) bool     { return scope == "groups" }
func (c client) IDTokenUserinfoClaimsAssertion() bool { return true } // so that clients need not request them
func (c client) ClockSkew() time.Duration             { return 0 }

func (c client) RestrictAdditionalIdTokenScopes() func([]string) []string     { return all }
func (c client) RestrictAdditionalAccessTokenScopes() func([]string) []string { return all }

func all(scopes []string) []string { return scopes }
