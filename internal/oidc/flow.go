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

	"almanac/internal/secretbox"
)

// FlowLife is how long a person has from our page to the provider and back, second factors and forgotten passwords included.
const FlowLife = 15 * time.Minute

// Options are what signing in needs.
type Options struct {
	// Secrets encrypts what the browser keeps for us.
	Secrets *secretbox.Box
	// Now is time.Now if it is not set.
	Now func() time.Time
	// Transport is http.DefaultTransport if it is not set.
	Transport http.RoundTripper
}

// SignOn signs people in with providers. It is safe for concurrent use. Nil has no providers.
type SignOn struct {
	providers []*provider
	secrets   *secretbox.Box
	now       func() time.Time
	used      usedStates
}

// New checks the settings of providers. It does not call them: a provider that is down must not keep a server from starting.
func New(settings []Settings, options Options) (*SignOn, error) {
	s := &SignOn{secrets: options.Secrets, now: options.Now}
	if s.now == nil {
		s.now = time.Now
	}
	transport := options.Transport
	if transport == nil {
		transport = http.DefaultTransport
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

// Provider is what everybody may know of a provider.
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

// flow is what the browser keeps between start and finish, encrypted.
type flow struct {
	Provider    string `json:"p"`
	State       string `json:"s"`
	Nonce       string `json:"n"`
	Verifier    string `json:"v"`
	RedirectURL string `json:"u"`
	ReturnTo    string `json:"r"`
	Expires     int64  `json:"e"`
}

// flowPlace is what flows are sealed for.
const flowPlace = "single sign-on, version 1"

// Start returns the address of the provider to send the browser to, and the value of a cookie that the browser has to come back
// with within FlowLife. The provider sends it to redirectURL.
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

// Finished is a sign-in that came back.
type Finished struct {
	Identity Identity
	// ReturnTo is the path to go to. It is there for sign-ins that failed, too, if they are this browser's.
	ReturnTo string
	// IDToken reminds the provider at sign-out of whom it signed in.
	IDToken string
}

// Finish checks what a provider sent the browser back with, and returns who that is. The cookie is the one of Start; it must be
// deleted whatever comes of it. The error is ErrUnknownProvider or a *Refusal.
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
	// Another provider than the one that was asked may have answered (RFC 9207).
	if issuer := query.Get("iss"); issuer != p.Issuer && (issuer != "" || c.metadata.NamesIssuer) {
		return done, invalid(fmt.Errorf("the answer is of the issuer %q", clip(issuer)))
	}
	if problem := query.Get("error"); problem != "" {
		return done, &Refusal{Declined, fmt.Errorf("the provider says %q", clip(problem+" "+query.Get("error_description")))}
	}
	if query.Get("code") == "" {
		return done, invalid(errors.New("the answer has no code"))
	}
	idToken, claims, err := p.exchange(ctx, c, f, query.Get("code"))
	if err != nil {
		return done, err
	}
	done.IDToken = idToken
	done.Identity, err = p.identify(claims)
	return done, err
}

// open decrypts a flow.
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

// matches checks that an answer is the one to a flow, and the first.
func (s *SignOn) matches(f flow, p *provider, query url.Values) error {
	for name, values := range query {
		if len(values) != 1 {
			return fmt.Errorf("the answer has %q more than once", clip(name))
		}
	}
	switch {
	case f.Provider != p.ID:
		return fmt.Errorf("the sign-in was started with the provider %q", f.Provider)
	case subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(f.State)) != 1:
		return errors.New("the state is not the one of this browser")
	case !s.used.first(f.State, s.now()):
		return errors.New("the state was used before")
	}
	return nil
}

// SignOutURL returns where to send a browser to sign out at the provider, too; empty if it has no such page. The provider sends it
// to returnURL from there. The ID token may be empty: the provider then asks the person.
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

// usedStates remembers states until their flows expire, so that none is used twice. Servers that share a catalog do not tell each
// other: there it is the provider that takes each code only once.
type usedStates struct {
	mu              sync.Mutex
	newer, older    map[string]struct{}
	generationBegan time.Time
}

// maxUsedStates bounds a generation. Anybody can start sign-ins.
const maxUsedStates = 20_000

// first notes a state and reports whether it is new.
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
