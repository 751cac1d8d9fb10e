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
)

const (
	// leeway is how far our clock and a provider's may be apart.
	leeway = time.Minute
	// discoveryLife is how long we believe what a provider says about itself. Keys that it revoked are forgotten with it; new ones
	// are fetched when a token needs them.
	discoveryLife = time.Hour
	// discoveryPause is how long a provider that failed is left alone.
	discoveryPause = 2 * time.Second
	// answerTimeout is how long one answer of a provider may take.
	answerTimeout = 10 * time.Second
	// maxAnswer is how long one may be, in bytes.
	maxAnswer = 1 << 20
	// maxExchanges is how many sign-ins of one provider are finished at once. Each of them waits for the provider.
	maxExchanges = 16
)

// provider is a provider that people sign in with.
type provider struct {
	Settings
	client *http.Client
	now    func() time.Time
	// turn is held by whoever discovers or looks at what was discovered. A channel, since its holder may take seconds.
	turn      chan struct{}
	known     *connection // nil until discovery succeeds
	failed    error       // of the last discovery
	failedAt  time.Time
	exchanges chan struct{}
}

// connection is what discovery found.
type connection struct {
	*gooidc.Provider
	verifier *gooidc.IDTokenVerifier
	metadata metadata
	at       time.Time
}

// metadata is what go-oidc does not read of a provider's description of itself.
type metadata struct {
	AuthorizationEndpoint string   `json:"authorization_endpoint"`
	TokenEndpoint         string   `json:"token_endpoint"`
	UserInfoEndpoint      string   `json:"userinfo_endpoint"`
	KeysEndpoint          string   `json:"jwks_uri"`
	EndSessionEndpoint    string   `json:"end_session_endpoint"`
	TokenAuthMethods      []string `json:"token_endpoint_auth_methods_supported"`
	// NamesIssuer says that every answer to a browser has the issuer with it (RFC 9207).
	NamesIssuer bool `json:"authorization_response_iss_parameter_supported"`
}

func newProvider(s Settings, transport http.RoundTripper, now func() time.Time) *provider {
	return &provider{
		Settings: s, now: now, turn: make(chan struct{}, 1), exchanges: make(chan struct{}, maxExchanges),
		client: &http.Client{
			Transport: bounded{transport},
			Timeout:   answerTimeout,
			// What is sent may hold the client's secret, which is for the address in the description alone.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// bounded cuts answers off that are too long.
type bounded struct{ http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		response.Body = http.MaxBytesReader(nil, response.Body, maxAnswer)
	}
	return response, err
}

// connect returns what the provider says about itself, which is asked for when it is first needed, and again after a while. If it
// does not answer then, what it said before counts.
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
		// Others wait for the answer, too: it does not end with the request that asked first.
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
	found, err := gooidc.NewProvider(gooidc.ClientContext(ctx, p.client), p.Issuer)
	if err != nil {
		return nil, fmt.Errorf("cannot read the description of %s: %w", p.Issuer, err)
	}
	c := &connection{Provider: found, at: p.now()}
	if err := found.Claims(&c.metadata); err != nil {
		return nil, fmt.Errorf("cannot read the description of %s: %w", p.Issuer, err)
	}
	if err := c.metadata.check(p.Issuer); err != nil {
		return nil, err
	}
	c.verifier = found.VerifierContext(gooidc.ClientContext(ctx, p.client), &gooidc.Config{
		ClientID: p.ClientID, Now: func() time.Time { return p.now().Add(-leeway) },
	})
	return c, nil
}

// check refuses addresses that are missing, and those without TLS unless the provider is on this machine.
func (m metadata) check(issuer string) error {
	for name, address := range map[string]string{
		"authorization_endpoint": m.AuthorizationEndpoint, "token_endpoint": m.TokenEndpoint, "jwks_uri": m.KeysEndpoint,
	} {
		if address == "" {
			return fmt.Errorf("the description of %s has no %s", issuer, name)
		}
	}
	for _, address := range []string{m.AuthorizationEndpoint, m.TokenEndpoint, m.KeysEndpoint, m.UserInfoEndpoint, m.EndSessionEndpoint} {
		u, err := url.Parse(address)
		if address != "" && (err != nil || u.Scheme != "https" && (u.Scheme != "http" || !IsLoopback(u.Hostname()))) {
			return fmt.Errorf("the description of %s has the address %q, which does not begin with https://", issuer, address)
		}
	}
	return nil
}

// oauth returns how codes are asked for and exchanged.
func (p *provider) oauth(c *connection, redirectURL string) *oauth2.Config {
	endpoint := c.Endpoint()
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
	basic := len(c.metadata.TokenAuthMethods) == 0 || slices.Contains(c.metadata.TokenAuthMethods, "client_secret_basic")
	if p.ClientSecret == "" || !basic {
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	return &oauth2.Config{ClientID: p.ClientID, ClientSecret: p.ClientSecret, Endpoint: endpoint, RedirectURL: redirectURL, Scopes: p.Scopes}
}

// exchange gives the code back to the provider and returns the checked claims of the person that it was made for.
func (p *provider) exchange(ctx context.Context, c *connection, f flow, code string) (idToken string, claims claims, err error) {
	select {
	case p.exchanges <- struct{}{}:
		defer func() { <-p.exchanges }()
	case <-ctx.Done():
		return "", nil, unavailable(ctx.Err())
	}
	ctx = gooidc.ClientContext(ctx, p.client)
	token, err := p.oauth(c, f.RedirectURL).Exchange(ctx, code, oauth2.VerifierOption(f.Verifier))
	if err != nil {
		return "", nil, exchangeFailed(err)
	}
	idToken, _ = token.Extra("id_token").(string)
	if idToken == "" {
		return "", nil, invalid(errors.New("the answer has no ID token: is the scope openid allowed?"))
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
	return idToken, claims.with(more), nil
}

// userInfo asks for claims that are not in the ID token: some providers keep it short.
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
		return nil, invalid(errors.New("the claims are about somebody else than the ID token"))
	}
	more, err := readClaims(info)
	if err != nil {
		return nil, invalid(err)
	}
	return more, nil
}

// exchangeFailed tells a provider that refuses a code from one that does not answer.
func exchangeFailed(err error) error {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.Response != nil && refused.Response.StatusCode < http.StatusInternalServerError {
		// Its text has the whole body of the answer.
		return invalid(fmt.Errorf("the provider refuses the code with %s: %q", refused.Response.Status, clip(refused.ErrorCode+" "+refused.ErrorDescription)))
	}
	return unavailable(err)
}
