package oidc

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"almanac/internal/access/secretbox"
)

// fake is a provider under the control of a test.
type fake struct {
	t      *testing.T
	server *httptest.Server
	key    *ecdsa.PrivateKey
	keyID  int
	now    func() time.Time
	// Changed by tests.
	metadata map[string]any // overrides of the correct metadata
	claims   map[string]any // overrides of the ID token's claims; nil removes one
	info     map[string]any // claims of the userinfo endpoint
	down     atomic.Bool
	failing  int  // status of the token endpoint
	forge    bool // sign with a key that is not published
	// Codes that were issued.
	codes  map[string]url.Values
	posted url.Values // the last request to the token endpoint
	// Numbers of calls.
	discoveries, keyReads, infoReads int
}

func newFake(t *testing.T, now func() time.Time) *fake {
	f := &fake{t: t, now: now, codes: map[string]url.Values{}, metadata: map[string]any{}, claims: map[string]any{}}
	f.rotate()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", f.describe)
	mux.HandleFunc("GET /keys", f.keys)
	mux.HandleFunc("POST /token", f.token)
	mux.HandleFunc("GET /userinfo", f.userInfo)
	f.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f.down.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(f.server.Close)
	return f
}

// rotate replaces the signing key.
func (f *fake) rotate() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		f.t.Fatal(err)
	}
	f.key = key
	f.keyID++
}

func (f *fake) issuer() string { return f.server.URL }

func (f *fake) describe(w http.ResponseWriter, _ *http.Request) {
	f.discoveries++
	m := map[string]any{
		"issuer": f.issuer(), "authorization_endpoint": f.issuer() + "/authorize?tenant=1", "token_endpoint": f.issuer() + "/token",
		"jwks_uri": f.issuer() + "/keys", "userinfo_endpoint": f.issuer() + "/userinfo",
		"end_session_endpoint":                  f.issuer() + "/end?tenant=1",
		"id_token_signing_alg_values_supported": []string{"ES256"},
	}
	maps.Copy(m, f.metadata)
	f.answer(w, m)
}

func (f *fake) keys(w http.ResponseWriter, _ *http.Request) {
	f.keyReads++
	point, err := f.key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		f.t.Error(err)
	}
	f.answer(w, map[string]any{"keys": []any{map[string]any{
		"kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": strconv.Itoa(f.keyID), "x": encode(point[1:33]),
		"y": encode(point[33:]),
	}}})
}

// authorize acts as a person who consents, and returns the query with which the browser comes back.
func (f *fake) authorize(location string) url.Values {
	u, err := url.Parse(location)
	if err != nil || !strings.HasPrefix(location, f.issuer()+"/authorize") {
		f.t.Fatalf("the browser is sent to %s, %v", location, err)
	}
	asked := u.Query()
	for name, want := range map[string]string{
		"response_type": "code", "client_id": "almanac", "code_challenge_method": "S256", "tenant": "1", "redirect_uri": redirect,
	} {
		if asked.Get(name) != want {
			f.t.Errorf("%s = %q, want %q", name, asked.Get(name), want)
		}
	}
	code := rand.Text()
	f.codes[code] = asked
	return url.Values{"code": {code}, "state": {asked.Get("state")}}
}

func (f *fake) token(w http.ResponseWriter, r *http.Request) {
	if f.failing != 0 {
		w.Header().Set("Location", "/token2")
		w.WriteHeader(f.failing)
		return
	}
	id, secret, _ := r.BasicAuth()
	asked := f.codes[r.PostFormValue("code")]
	delete(f.codes, r.PostFormValue("code"))
	f.posted = r.PostForm
	challenge := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if asked == nil || id != "almanac" || secret != "s3cret" || asked.Get("code_challenge") != encode(challenge[:]) ||
		r.PostFormValue("redirect_uri") != asked.Get("redirect_uri") {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error":"invalid_grant"}`))
		return
	}
	claims := map[string]any{
		"iss": f.issuer(), "sub": "u-1", "aud": "almanac", "nonce": asked.Get("nonce"), "iat": f.now().Unix(),
		"exp":   f.now().Add(5 * time.Minute).Unix(),
		"email": "Ada@Example.org", "email_verified": true, "name": "Ada Lovelace",
	}
	for name, value := range f.claims {
		if claims[name] = value; value == nil {
			delete(claims, name)
		}
	}
	f.answer(w, map[string]any{"access_token": "at", "token_type": "Bearer", "id_token": f.sign(claims)})
}

func (f *fake) userInfo(w http.ResponseWriter, r *http.Request) {
	f.infoReads++
	if r.Header.Get("Authorization") != "Bearer at" || f.info == nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	f.answer(w, f.info)
}

func (f *fake) sign(claims map[string]any) string {
	part := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			f.t.Error(err)
		}
		return encode(b)
	}
	text := part(map[string]any{"alg": "ES256", "kid": strconv.Itoa(f.keyID)}) + "." + part(claims)
	sum := sha256.Sum256([]byte(text))
	key := f.key
	if f.forge {
		key, _ = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	}
	r, s, err := ecdsa.Sign(rand.Reader, key, sum[:])
	if err != nil {
		f.t.Error(err)
	}
	return text + "." + encode(append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...))
}

func (f *fake) answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		f.t.Error(err)
	}
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

const redirect = "https://almanac.example.org/api/ui/auth/oidc/one/callback"

// clock is a time set by a test.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func newClock() *clock { return &clock{time.Date(2030, 3, 4, 5, 6, 7, 0, time.UTC)} }

func newBox(t *testing.T) *secretbox.Box {
	key, err := secretbox.ParseKey(strings.Repeat("a1", 32))
	if err != nil {
		t.Fatal(err)
	}
	return secretbox.New(key)
}

// settings returns the settings of a client of the provider.
func (f *fake) settings(change ...func(*Settings)) Settings {
	s := Settings{ID: "one", Name: "One", Issuer: f.issuer(), ClientID: "almanac", ClientSecret: "s3cret"}
	for _, c := range change {
		c(&s)
	}
	return s
}

// one is a SignOn with a fake provider, and their clock.
type one struct {
	*fake
	*SignOn
	clock *clock
}

func newOne(t *testing.T, change ...func(*Settings)) one {
	c := newClock()
	f := newFake(t, c.now)
	s, err := New([]Settings{f.settings(change...)}, Options{Secrets: newBox(t), Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	return one{f, s, c}
}

// start redirects a browser to the provider and back.
func (o one) start(t *testing.T) (query url.Values, cookie string) {
	t.Helper()
	location, cookie, err := o.Start(t.Context(), "one", redirect, "/project/p#x")
	if err != nil {
		t.Fatal(err)
	}
	return o.authorize(location), cookie
}

// signIn does a complete sign-in.
func (o one) signIn(t *testing.T) (Finished, error) {
	t.Helper()
	query, cookie := o.start(t)
	return o.Finish(t.Context(), "one", query, cookie)
}
