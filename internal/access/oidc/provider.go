package oidc

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	gooidc "github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"almanac/internal/access/redact"
	"almanac/internal/netguard"
)

const (
	// leeway is the allowed difference between our clock and the provider's.
	leeway = time.Minute
	// discoveryLife is how long a provider's metadata is cached. Revoked keys are dropped with it; new keys are fetched
	// when a token needs them.
	discoveryLife = time.Hour
	// discoveryPause is the minimum time between failed discoveries.
	discoveryPause = 2 * time.Second
	// responseTimeout is the timeout for one response of a provider.
	responseTimeout = 10 * time.Second
	// maxAnswer is the maximum size of a response, in bytes.
	maxAnswer = 1 << 20
	// maxExchanges is the maximum number of concurrent code exchanges with one provider. Each of them waits for the
	// provider.
	maxExchanges = 16
)

// provider is an identity provider.
type provider struct {
	Settings
	client *netguard.Client
	now    func() time.Time
	// turn guards the fields below up to exchanges. It is a channel because it may be held for seconds, during
	// discovery.
	turn      chan struct{}
	known     *connection // nil until discovery succeeds
	failed    error       // of the last discovery
	failedAt  time.Time
	exchanges chan struct{}
}

// connection is the result of discovery.
type connection struct {
	*gooidc.Provider
	verifier *gooidc.IDTokenVerifier
	metadata metadata
	at       time.Time
}

// metadata has the fields of a provider's metadata that go-oidc does not expose.
type metadata struct {
	AuthorizationEndpoint string   `json:"authorization_endpoint"`
	TokenEndpoint         string   `json:"token_endpoint"`
	UserInfoEndpoint      string   `json:"userinfo_endpoint"`
	KeysEndpoint          string   `json:"jwks_uri"`
	EndSessionEndpoint    string   `json:"end_session_endpoint"`
	TokenAuthMethods      []string `json:"token_endpoint_auth_methods_supported"`
	// NamesIssuer means that every authorization response includes the issuer (RFC 9207).
	NamesIssuer bool `json:"authorization_response_iss_parameter_supported"`
}

func newProvider(s Settings, transport http.RoundTripper, now func() time.Time) *provider {
	return &provider{
		Settings: s, now: now, turn: make(chan struct{}, 1), exchanges: make(chan struct{}, maxExchanges),
		// Requests may contain the client secret, which is meant only for the URL in the metadata.
		client: netguard.ExactClient(bounded{transport}, responseTimeout),
	}
}

// bounded limits the size of responses.
type bounded struct{ http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		response.Body = http.MaxBytesReader(nil, response.Body, maxAnswer)
	}
	return response, err
}

// connect returns the provider's metadata, which is fetched when first needed, and refreshed after a while. If the
// refresh fails, the old metadata is used.
func (p *provider) connect(ctx context.Context) (*connection, error) {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	now := p.now()
	if p.known != nil && now.Sub(p.known.at) < discoveryLife {
		return p.known, nil
	}
	if p.failed == nil || now.Sub(p.failedAt) >= discoveryPause {
		// Others wait for the result as well, so it must not be canceled with the request that came first.
		found, err := p.discover(context.WithoutCancel(ctx))
		if err == nil {
			p.known = found
		}
		p.failed, p.failedAt = err, p.now()
	}
	if p.known != nil {
		return p.known, nil
	}
	return nil, p.failed
}

func (p *provider) discover(ctx context.Context) (*connection, error) {
	found, err := gooidc.NewProvider(gooidc.ClientContext(ctx, p.client.HTTP()), p.Issuer)
	if err != nil {
		return nil, fmt.Errorf("cannot read the discovery document of %s: %w", p.Issuer, err)
	}
	c := &connection{Provider: found, at: p.now()}
	if err := found.Claims(&c.metadata); err != nil {
		return nil, fmt.Errorf("cannot read the discovery document of %s: %w", p.Issuer, err)
	}
	if err := c.metadata.check(p.Issuer); err != nil {
		return nil, err
	}
	c.verifier = found.VerifierContext(gooidc.ClientContext(ctx, p.client.HTTP()), &gooidc.Config{
		ClientID: p.ClientID, Now: func() time.Time { return p.now().Add(-leeway) },
	})
	return c, nil
}

// check refuses missing URLs, and URLs without TLS unless the provider is on this machine.
func (m metadata) check(issuer string) error {
	for name, address := range map[string]string{
		"authorization_endpoint": m.AuthorizationEndpoint, "token_endpoint": m.TokenEndpoint, "jwks_uri": m.KeysEndpoint,
	} {
		if address == "" {
			return fmt.Errorf("the discovery document of %s has no %s", issuer, name)
		}
	}
	for _, address := range []string{m.AuthorizationEndpoint, m.TokenEndpoint, m.KeysEndpoint, m.UserInfoEndpoint, m.EndSessionEndpoint} {
		u, err := url.Parse(address)
		if address != "" && (err != nil || u.Scheme != "https" && (u.Scheme != "http" || !netguard.IsLoopback(u.Hostname()))) {
			return fmt.Errorf("the discovery document of %s has the URL %q, which does not start with https://", issuer, address)
		}
	}
	return nil
}

// oauth returns the OAuth configuration for requesting and exchanging codes.
func (p *provider) oauth(c *connection, redirectURL string) *oauth2.Config {
	endpoint := c.Endpoint()
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
	basic := len(c.metadata.TokenAuthMethods) == 0 || slices.Contains(c.metadata.TokenAuthMethods, "client_secret_basic")
	if p.ClientSecret == "" || !basic {
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	return &oauth2.Config{
		ClientID: p.ClientID, ClientSecret: p.ClientSecret, Endpoint: endpoint, RedirectURL: redirectURL, Scopes: p.Scopes,
	}
}

// exchange redeems the code at the provider and returns the verified claims about the person.
func (p *provider) exchange(ctx context.Context, c *connection, f flow, code string) (idToken string, claims claims, err error) {
	select {
	case p.exchanges <- struct{}{}:
		defer func() { <-p.exchanges }()
	case <-ctx.Done():
		return "", nil, unavailable(ctx.Err())
	}
	ctx = gooidc.ClientContext(ctx, p.client.HTTP())
	token, err := p.oauth(c, f.RedirectURL).Exchange(ctx, code, oauth2.VerifierOption(f.Verifier))
	if err != nil {
		return "", nil, p.exchangeFailed(err, code)
	}
	idToken, _ = token.Extra("id_token").(string)
	if idToken == "" {
		return "", nil, invalid(errors.New("the response has no ID token: is the scope openid allowed?"))
	}
	verified, err := c.verifier.Verify(ctx, idToken)
	if err != nil {
		return "", nil, invalid(err)
	}
	if claims, err = readClaims(verified); err != nil {
		return "", nil, invalid(err)
	}
	if err := claims.checkFor(p.ClientID, f.Nonce, verified); err != nil {
		return "", nil, invalid(err)
	}
	if !p.needsMore(claims) || c.UserInfoEndpoint() == "" {
		return idToken, claims, nil
	}
	more, err := p.userInfo(ctx, c, token, verified)
	if err != nil {
		return "", nil, err
	}
	return idToken, claims.with(more, p.EmailVerifiedClaim), nil
}

// userInfo fetches claims that are not in the ID token, which some providers keep short.
func (p *provider) userInfo(ctx context.Context, c *connection, token *oauth2.Token, verified *gooidc.IDToken) (claims, error) {
	if verified.AccessTokenHash != "" {
		if err := verified.VerifyAccessToken(token.AccessToken); err != nil {
			return nil, invalid(err)
		}
	}
	info, err := c.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return nil, unavailable(err)
	}
	if info.Subject != verified.Subject {
		return nil, invalid(errors.New("the subject of the user info is not that of the ID token"))
	}
	more, err := readClaims(info)
	if err != nil {
		return nil, invalid(err)
	}
	return more, nil
}

// exchangeFailed distinguishes a provider that refuses a code from one that is unavailable.
func (p *provider) exchangeFailed(err error, code string) error {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.Response != nil && refused.Response.StatusCode < http.StatusInternalServerError {
		// The text of this error contains the whole response body.
		return invalid(fmt.Errorf("the provider rejected the code with %s: %q", refused.Response.Status,
			clip(redact.New(p.ClientSecret, code).From(refused.ErrorCode+" "+refused.ErrorDescription))))
	}
	return unavailable(err)
}
