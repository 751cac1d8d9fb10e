package main

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// person is a person with an account. All have the same password.
type person struct {
	id, email, name string
	verified        bool
	groups          []string
}

const (
	clientID     = "almanac"
	clientSecret = "s3cret"
	password     = "correct horse"
)

var people = []person{
	{"1", "grace@example.org", "Grace Hopper", true, []string{"staff", "admins"}},
	{"2", "mallory@example.org", "Mallory", false, nil},
	{"3", "katherine@example.org", "Katherine Johnson", true, nil},
}

// life is how long sign-ins are valid.
const life = time.Hour

// memory is the storage of the provider. The library checks requests, codes, verifiers and tokens against it.
type memory struct {
	op.Storage // what no test uses is missing: refreshing, revoking, introspection

	key    signingKey
	client client

	mu       sync.Mutex
	requests map[string]*request // by id
	codes    map[string]string   // ids of requests
	tokens   map[string]*request // by access token
	sessions map[string]string   // ids of people, by session cookie
}

// signIn returns a new session, or an empty string if the password is wrong.
func (m *memory) signIn(email, with string) string {
	n := slices.IndexFunc(people, func(p person) bool { return p.email == email })
	if n < 0 || with != password {
		return ""
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	session := rand.Text()
	m.sessions[session] = people[n].id
	return session
}

// allow records that the person of a session has agreed to a request, and reports whether both exist.
func (m *memory) allow(id, session string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	who, known := m.sessions[session]
	r := m.requests[id]
	if !known || r == nil {
		return false
	}
	r.subject, r.at = who, time.Now()
	return true
}

// TerminateSession signs a person out in all browsers. The library has checked the ID token that names the person.
func (m *memory) TerminateSession(_ context.Context, who, _ string) error {
	if who == "" {
		return oidc.ErrInvalidRequest().WithDescription("there is no id_token_hint")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.sessions, func(_, id string) bool { return id == who })
	return nil
}

// CreateAuthRequest begins a sign-in. PKCE is required.
func (m *memory) CreateAuthRequest(_ context.Context, asked *oidc.AuthRequest, _ string) (op.AuthRequest, error) {
	if asked.CodeChallenge == "" || asked.CodeChallengeMethod != oidc.CodeChallengeMethodS256 {
		return nil, oidc.ErrInvalidRequest().WithDescription("there is no code_challenge with S256")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	r := &request{AuthRequest: asked, id: rand.Text()}
	m.requests[r.id] = r
	return r, nil
}

func (m *memory) AuthRequestByID(_ context.Context, id string) (op.AuthRequest, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r := m.requests[id]; r != nil {
		return r, nil
	}
	return nil, errors.New("there is no such request")
}

func (m *memory) SaveAuthCode(_ context.Context, id, code string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.codes[code] = id
	return nil
}

// AuthRequestByCode returns the request that a code was issued for, once.
func (m *memory) AuthRequestByCode(ctx context.Context, code string) (op.AuthRequest, error) {
	m.mu.Lock()
	id := m.codes[code]
	delete(m.codes, code)
	m.mu.Unlock()
	return m.AuthRequestByID(ctx, id)
}

func (m *memory) DeleteAuthRequest(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.requests, id)
	return nil
}

func (m *memory) CreateAccessToken(_ context.Context, asked op.TokenRequest) (id string, expires time.Time, err error) {
	r, ok := asked.(*request)
	if !ok {
		return "", time.Time{}, oidc.ErrUnsupportedGrantType()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	id = rand.Text()
	m.tokens[id] = r
	return id, time.Now().Add(life), nil
}

func (m *memory) GetClientByClientID(_ context.Context, id string) (op.Client, error) {
	if id != clientID {
		return nil, oidc.ErrInvalidClient()
	}
	return m.client, nil
}

func (m *memory) AuthorizeClientIDSecret(_ context.Context, id, secret string) error {
	if id != clientID || secret != clientSecret {
		return oidc.ErrInvalidClient()
	}
	return nil
}

// SetUserinfoFromScopes is replaced by SetUserinfoFromRequest.
func (m *memory) SetUserinfoFromScopes(context.Context, *oidc.UserInfo, string, string, []string) error {
	return nil
}

// SetUserinfoFromRequest adds claims to ID tokens.
func (m *memory) SetUserinfoFromRequest(_ context.Context, info *oidc.UserInfo, r op.IDTokenRequest, scopes []string) error {
	return describe(info, r.GetSubject(), scopes)
}

// SetUserinfoFromToken adds claims to the userinfo response.
func (m *memory) SetUserinfoFromToken(_ context.Context, info *oidc.UserInfo, token, _, _ string) error {
	m.mu.Lock()
	r := m.tokens[token]
	m.mu.Unlock()
	if r == nil {
		return errors.New("there is no such token")
	}
	return describe(info, r.subject, r.Scopes)
}

func describe(info *oidc.UserInfo, id string, scopes []string) error {
	n := slices.IndexFunc(people, func(p person) bool { return p.id == id })
	if n < 0 {
		return errors.New("there is no such person")
	}
	info.Subject = id
	if slices.Contains(scopes, "email") {
		info.Email = people[n].email
		info.AppendClaims("email_verified", people[n].verified) // its own field would omit false
	}
	if slices.Contains(scopes, "profile") {
		info.Name = people[n].name
	}
	if slices.Contains(scopes, "groups") && people[n].groups != nil {
		info.AppendClaims("groups", people[n].groups)
	}
	return nil
}

func (m *memory) SigningKey(context.Context) (op.SigningKey, error) { return m.key, nil }

func (m *memory) SignatureAlgorithms(context.Context) ([]jose.SignatureAlgorithm, error) {
	return []jose.SignatureAlgorithm{jose.RS256}, nil
}

func (m *memory) KeySet(context.Context) ([]op.Key, error) { return []op.Key{publicKey{m.key}}, nil }

func (m *memory) Health(context.Context) error { return nil }

// signingKey is the key that tokens are signed with.
type signingKey struct {
	id  string
	key *rsa.PrivateKey
}

func (k signingKey) ID() string                                  { return k.id }
func (k signingKey) SignatureAlgorithm() jose.SignatureAlgorithm { return jose.RS256 }
func (k signingKey) Key() any                                    { return k.key }

// publicKey is its public part.
type publicKey struct{ signingKey }

func (k publicKey) Algorithm() jose.SignatureAlgorithm { return jose.RS256 }
func (k publicKey) Use() string                        { return "sig" }
func (k publicKey) Key() any                           { return &k.key.PublicKey }
