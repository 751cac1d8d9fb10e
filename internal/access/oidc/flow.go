package oidc

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	gooidc "github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"almanac/internal/access/secretbox"
	"almanac/internal/netguard"
)

// FlowLife is the time limit from our page to the provider and back, including second factors and forgotten passwords.
const FlowLife = 15 * time.Minute

// Options configures SignOn.
type Options struct {
	// Secrets encrypts the cookie of a flow.
	Secrets *secretbox.Box
	// Now defaults to time.Now.
	Now func() time.Time
	// Transport defaults to one for destinations that the operator configured.
	Transport http.RoundTripper
}

// SignOn signs people in with providers. It is safe for concurrent use. A nil *SignOn has no providers.
type SignOn struct {
	providers []*provider
	secrets   *secretbox.Box
	now       func() time.Time
	used      usedStates
}

// New checks the settings of providers. It does not contact them: a provider that is down must not keep the server from
// starting.
func New(settings []Settings, options Options) (*SignOn, error) {
	s := &SignOn{secrets: options.Secrets, now: options.Now}
	if s.now == nil {
		s.now = time.Now
	}
	transport := options.Transport
	if transport == nil {
		transport = netguard.TrustedTransport()
	}
	for _, one := range settings {
		one, err := one.complete()
		if err != nil {
			return nil, err
		}
		if s.provider(one.ID) != nil {
			return nil, fmt.Errorf("there are two identity providers with the id %q", one.ID)
		}
		s.providers = append(s.providers, newProvider(one, transport, s.now))
	}
	return s, nil
}

// Provider is the public description of a provider.
type Provider struct{ ID, Name string }

// Providers returns the providers in the order of the settings.
func (s *SignOn) Providers() []Provider {
	if s == nil {
		return nil
	}
	all := make([]Provider, 0, len(s.providers))
	for _, p := range s.providers {
		all = append(all, Provider{p.ID, p.Name})
	}
	return all
}

func (s *SignOn) provider(id string) *provider {
	if s == nil {
		return nil
	}
	n := slices.IndexFunc(s.providers, func(p *provider) bool { return p.ID == id })
	if n < 0 {
		return nil
	}
	return s.providers[n]
}

// flow is the contents of the encrypted cookie that the browser keeps between Start and Finish.
type flow struct {
	Provider    string `json:"p"`
	State       string `json:"s"`
	Nonce       string `json:"n"`
	Verifier    string `json:"v"`
	RedirectURL string `json:"u"`
	ReturnTo    string `json:"r"`
	Expires     int64  `json:"e"`
}

// flowPlace is the place that flows are sealed for.
const flowPlace = "single sign-on, version 1"

// Start returns the provider's URL to redirect the browser to, and the value of a cookie that must be presented to
// Finish within FlowLife. The provider redirects the browser to redirectURL.
func (s *SignOn) Start(ctx context.Context, providerID, redirectURL, returnTo string) (location, cookie string, err error) {
	p := s.provider(providerID)
	if p == nil {
		return "", "", ErrUnknownProvider
	}
	c, err := p.connect(ctx)
	if err != nil {
		return "", "", unavailable(err)
	}
	f := flow{
		Provider: p.ID, State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier(),
		RedirectURL: redirectURL, ReturnTo: ReturnPath(returnTo), Expires: s.now().Add(FlowLife).Unix(),
	}
	encoded, err := json.Marshal(f)
	if err != nil {
		return "", "", err
	}
	location = p.oauth(c, redirectURL).AuthCodeURL(f.State, gooidc.Nonce(f.Nonce), oauth2.S256ChallengeOption(f.Verifier))
	return location, s.secrets.Seal(string(encoded), flowPlace), nil
}

// Finished is the result of a sign-in.
type Finished struct {
	Identity Identity
	// ReturnTo is the path to go to. It is also set for failed sign-ins, if they were started in this browser.
	ReturnTo string
	// IDToken tells the provider at sign-out whom it signed in.
	IDToken string
}

// Finish checks the provider's response and returns the identity. The cookie is the one from Start, and must be deleted
// whatever the outcome. The error is ErrUnknownProvider or a *Refusal.
func (s *SignOn) Finish(ctx context.Context, providerID string, query url.Values, cookie string) (done Finished, err error) {
	done.ReturnTo = "/"
	p := s.provider(providerID)
	if p == nil {
		return done, ErrUnknownProvider
	}
	f, err := s.open(cookie)
	if err != nil {
		return done, &Refusal{Stale, err}
	}
	done.ReturnTo = f.ReturnTo
	if err := s.matches(f, p, query); err != nil {
		return done, &Refusal{Stale, err}
	}
	c, err := p.connect(ctx)
	if err != nil {
		return done, unavailable(err)
	}
	// The response may come from another provider than the one that was asked (RFC 9207).
	if issuer := query.Get("iss"); issuer != p.Issuer && (issuer != "" || c.metadata.NamesIssuer) {
		return done, invalid(fmt.Errorf("the response is from the issuer %q", clip(issuer)))
	}
	if problem := query.Get("error"); problem != "" {
		return done, &Refusal{
			Declined, fmt.Errorf("the provider responded with the error %q", clip(problem+" "+query.Get("error_description"))),
		}
	}
	if query.Get("code") == "" {
		return done, invalid(errors.New("the response has no code"))
	}
	idToken, claims, err := p.exchange(ctx, c, f, query.Get("code"))
	if err != nil {
		return done, err
	}
	done.IDToken = idToken
	done.Identity, err = p.identify(claims)
	return done, err
}

// open decrypts and checks a flow.
func (s *SignOn) open(cookie string) (f flow, err error) {
	if cookie == "" {
		return f, errors.New("no sign-in was started in this browser")
	}
	encoded, err := s.secrets.Open(cookie, flowPlace)
	if err != nil {
		return f, err
	}
	if err := json.Unmarshal([]byte(encoded), &f); err != nil {
		return f, err
	}
	if s.now().Unix() >= f.Expires {
		return f, errors.New("the sign-in took too long")
	}
	return f, nil
}

// matches checks that a response belongs to the flow, and is the first one.
func (s *SignOn) matches(f flow, p *provider, query url.Values) error {
	for name, values := range query {
		if len(values) != 1 {
			return fmt.Errorf("the response has %q more than once", clip(name))
		}
	}
	switch {
	case f.Provider != p.ID:
		return fmt.Errorf("the sign-in was started with the provider %q", f.Provider)
	case subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(f.State)) != 1:
		return errors.New("the state does not match this browser")
	case !s.used.first(f.State, s.now()):
		return errors.New("the state was used before")
	}
	return nil
}

// SignOutURL returns the URL for signing out at the provider as well; empty if the provider has none. The provider
// redirects the browser to returnURL from there. If the ID token is empty, the provider asks the user.
func (s *SignOn) SignOutURL(ctx context.Context, providerID, idToken, returnURL string) (string, error) {
	p := s.provider(providerID)
	if p == nil {
		return "", ErrUnknownProvider
	}
	c, err := p.connect(ctx)
	if err != nil {
		return "", unavailable(err)
	}
	if c.metadata.EndSessionEndpoint == "" {
		return "", nil
	}
	u, err := url.Parse(c.metadata.EndSessionEndpoint)
	if err != nil {
		return "", unavailable(err)
	}
	query := u.Query()
	query.Set("client_id", p.ClientID)
	query.Set("post_logout_redirect_uri", returnURL)
	if idToken != "" {
		query.Set("id_token_hint", idToken)
	}
	u.RawQuery = query.Encode()
	return u.String(), nil
}

// usedStates remembers states until their flows expire, so that none is used twice. Servers that share a catalog do not
// share this memory: in that case the provider ensures that each code is used only once.
type usedStates struct {
	mu              sync.Mutex
	newer, older    map[string]struct{}
	generationBegan time.Time
}

// maxUsedStates limits the size of a generation, since anybody can start sign-ins.
const maxUsedStates = 20_000

// first records a state and reports whether it is new.
func (u *usedStates) first(state string, now time.Time) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.newer == nil || now.Sub(u.generationBegan) >= FlowLife || len(u.newer) >= maxUsedStates {
		u.older, u.newer, u.generationBegan = u.newer, map[string]struct{}{}, now
	}
	_, inNewer := u.newer[state]
	_, inOlder := u.older[state]
	u.newer[state] = struct{}{}
	return !inNewer && !inOlder
}
