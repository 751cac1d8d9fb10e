package oidc

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// refused fails the test unless a sign-in is refused for this reason, and for a cause that mentions the text.
func refused(t *testing.T, err error, reason Reason, text string) {
	t.Helper()
	var r *Refusal
	if !errors.As(err, &r) || r.Reason != reason || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v, want %s that mentions %q", err, reason, text)
	}
}

func TestSignIn(t *testing.T) {
	o := newOne(t)
	done, err := o.signIn(t)
	if err != nil {
		t.Fatal(err)
	}
	want := Identity{ProviderID: "one", Issuer: o.issuer(), Subject: "u-1", Email: "ada@example.org", Name: "Ada Lovelace"}
	if diff := cmp.Diff(want, done.Identity); diff != "" || done.ReturnTo != "/project/p#x" || done.IDToken == "" {
		t.Errorf("return to %q, ID token %q, identity (-want +got):\n%s", done.ReturnTo, done.IDToken, diff)
	}
	if o.infoReads != 0 {
		t.Error("claims are asked for that the ID token has")
	}
	if got := o.Providers(); len(got) != 1 || got[0] != (Provider{"one", "One"}) {
		t.Errorf("providers %v", got)
	}
}

// TestHostileTokens covers everything that is required of an ID token.
func TestHostileTokens(t *testing.T) {
	start := newClock().at
	for _, c := range []struct {
		name   string
		claims map[string]any
		reason Reason // empty means accepted
		text   string
	}{
		{"of another issuer", map[string]any{"iss": "https://evil.example.org"}, Invalid, "different provider"},
		{"for another client", map[string]any{"aud": "other"}, Invalid, "audience"},
		{"for several clients", map[string]any{"aud": []string{"almanac", "other"}}, Invalid, "issued to"},
		{"for several clients, issued to us", map[string]any{"aud": []string{"almanac", "other"}, "azp": "almanac"}, "", ""},
		{"issued to another client", map[string]any{"azp": "other"}, Invalid, "issued to"},
		{"with a wrong nonce", map[string]any{"nonce": "n"}, Invalid, "nonce"},
		{"without a nonce", map[string]any{"nonce": nil}, Invalid, "nonce"},
		{"expired within the leeway", map[string]any{"exp": start.Add(-59 * time.Second).Unix()}, "", ""},
		{"expired beyond the leeway", map[string]any{"exp": start.Add(-61 * time.Second).Unix()}, Invalid, "expired"},
		{"without an expiry", map[string]any{"exp": nil}, Invalid, "expired"},
		{"not valid for an hour", map[string]any{"nbf": start.Add(time.Hour).Unix()}, Invalid, "nbf"},
		{"of a clock that is ahead", map[string]any{"nbf": start.Add(time.Minute).Unix()}, "", ""},
		{"without a subject", map[string]any{"sub": nil}, Invalid, "subject"},
		{"with a long subject", map[string]any{"sub": strings.Repeat("x", 256)}, Invalid, "subject"},
		{"with an unverified address", map[string]any{"email_verified": false}, Unverified, "email_verified is not true"},
		{"with a domain that looks like ours", map[string]any{"email": "ada@\u212aelvin.example.org"}, Unverified, "not in ASCII"},
		{"verified as a text", map[string]any{"email_verified": "true"}, "", ""},
		{"unverified as a text", map[string]any{"email_verified": "false"}, Unverified, "email_verified"},
		{"verified somehow", map[string]any{"email_verified": []any{true}}, Unverified, "email_verified"},
		{"with something else than an address", map[string]any{"email": "Ada <ada@example.org>"}, Unverified, "email"},
		{"with two addresses", map[string]any{"email": "a@example.org,b@example.org"}, Unverified, "email"},
		{"with an endless address", map[string]any{"email": strings.Repeat("a", 250) + "@example.org"}, Unverified, "email"},
		{"of a foreign domain", map[string]any{"email": "ada@example.com"}, Foreign, `"example.com" is not allowed`},
		{"of a domain below", map[string]any{"email": "ada@sub.example.org"}, Foreign, "not allowed"},
		{"of a domain that ends alike", map[string]any{"email": "ada@notexample.org"}, Foreign, "not allowed"},
		{"of a domain in a quoted name", map[string]any{"email": `"x@example.org"@evil.org`}, Unverified, "email"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := newOne(t, func(s *Settings) { s.EmailDomains = []string{"Example.ORG"} })
			o.claims = c.claims
			done, err := o.signIn(t)
			if c.reason != "" {
				refused(t, err, c.reason, c.text)
			} else if err != nil || done.Identity.Email != "ada@example.org" {
				t.Errorf("%+v, %v", done.Identity, err)
			}
		})
	}
}

// TestHostileAnswers covers what browsers come back with.
func TestHostileAnswers(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(o one, query url.Values, cookie *string)
		reason Reason
		text   string
	}{
		{"without a cookie", func(_ one, _ url.Values, cookie *string) { *cookie = "" }, Stale, "no sign-in was started"},
		{"with the cookie of another browser", func(o one, _ url.Values, cookie *string) {
			_, *cookie, _ = o.Start(context.Background(), "one", redirect, "/")
		}, Stale, "state does not match"},
		{"with a cookie that was changed", func(_ one, _ url.Values, cookie *string) {
			*cookie = (*cookie)[:len(*cookie)-3] + "AAA"
		}, Stale, "decrypted"},
		{"with something else that we sealed", func(o one, _ url.Values, cookie *string) {
			*cookie = o.secrets.Seal(`{"p":"one"}`, "elsewhere")
		}, Stale, "decrypted"},
		{"without a state", func(_ one, q url.Values, _ *string) { q.Del("state") }, Stale, "state"},
		{"with a wrong state", func(_ one, q url.Values, _ *string) { q.Set("state", "x") }, Stale, "state"},
		{"with two states", func(_ one, q url.Values, _ *string) { q.Add("state", "x") }, Stale, "more than once"},
		{"with two codes", func(_ one, q url.Values, _ *string) { q.Add("code", "x") }, Stale, "more than once"},
		{"too late", func(o one, _ url.Values, _ *string) { o.clock.at = o.clock.at.Add(FlowLife) }, Stale, "too long"},
		{"without a code", func(_ one, q url.Values, _ *string) { q.Del("code") }, Invalid, "no code"},
		{"with a code that somebody made up", func(_ one, q url.Values, _ *string) { q.Set("code", "x") }, Invalid, "invalid_grant"},
		{"with the code of another flow", func(o one, q url.Values, _ *string) {
			other, _, _ := o.Start(context.Background(), "one", redirect, "/")
			q.Set("code", o.authorize(other).Get("code"))
		}, Invalid, "invalid_grant"},
		{
			"of another issuer", func(_ one, q url.Values, _ *string) { q.Set("iss", "https://evil.example.org") }, Invalid,
			"evil.example.org",
		},
		{"declined", func(_ one, q url.Values, _ *string) {
			q.Del("code")
			q.Set("error", "access_denied")
			q.Set("error_description", strings.Repeat("no ", 200))
		}, Declined, "access_denied no"},
		{"with a provider that is broken", func(o one, _ url.Values, _ *string) { o.failing = http.StatusBadGateway }, Unavailable, "502"},
		// The client secret must not follow the redirect.
		{
			"with a provider that sends us elsewhere", func(o one, _ url.Values, _ *string) { o.failing = http.StatusTemporaryRedirect },
			Invalid, "307",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := newOne(t)
			query, cookie := o.start(t)
			c.change(o, query, &cookie)
			done, err := o.Finish(t.Context(), "one", query, cookie)
			refused(t, err, c.reason, c.text)
			if done.Identity.Subject != "" || done.IDToken != "" {
				t.Errorf("refused, and yet %+v", done)
			}
			if len(err.Error()) > 500 {
				t.Errorf("the log gets %d characters of somebody else", len(err.Error()))
			}
		})
	}
}

func TestAnAnswerWorksOnce(t *testing.T) {
	o := newOne(t)
	query, cookie := o.start(t)
	if _, err := o.Finish(t.Context(), "one", query, cookie); err != nil {
		t.Fatal(err)
	}
	_, err := o.Finish(t.Context(), "one", query, cookie)
	refused(t, err, Stale, "used before")
	// Not even if the provider would accept the code, and across generations.
	o.clock.at = o.clock.at.Add(FlowLife - time.Second)
	fresh, freshCookie := o.start(t)
	if _, err := o.Finish(t.Context(), "one", fresh, freshCookie); err != nil {
		t.Fatal(err)
	}
	_, err = o.Finish(t.Context(), "one", query, cookie)
	refused(t, err, Stale, "used before")
}

func TestUsedStatesAreBounded(t *testing.T) {
	var u usedStates
	now := newClock().at
	for n := range 3 * maxUsedStates {
		if !u.first(strconv.Itoa(n), now) {
			t.Fatalf("state %d was there already", n)
		}
	}
	if got := len(u.newer) + len(u.older); got > 2*maxUsedStates {
		t.Errorf("%d states are kept", got)
	}
}

// TestMixUp has two providers, one of which must not be trusted with the other's responses.
func TestMixUp(t *testing.T) {
	c := newClock()
	a, b := newFake(t, c.now), newFake(t, c.now)
	two := func(s *Settings) { s.ID, s.Name = "two", "Two" }
	s, err := New([]Settings{a.settings(), b.settings(two)}, Options{Secrets: newBox(t), Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	location, cookie, err := s.Start(t.Context(), "two", redirect, "/")
	if err != nil {
		t.Fatal(err)
	}
	// The response of B at the URL of A.
	_, err = s.Finish(t.Context(), "one", b.authorize(location), cookie)
	refused(t, err, Stale, `started with the provider "two"`)

	// A browser that went to A is sent back by B, which names itself.
	location, cookie, err = s.Start(t.Context(), "one", redirect, "/")
	if err != nil {
		t.Fatal(err)
	}
	answer := a.authorize(location)
	answer.Set("iss", b.issuer())
	_, err = s.Finish(t.Context(), "one", answer, cookie)
	refused(t, err, Invalid, b.issuer())
	if len(a.codes) != 1 {
		t.Error("the code was sent on")
	}
}

func TestProvidersThatNameThemselves(t *testing.T) {
	o := newOne(t)
	o.metadata["authorization_response_iss_parameter_supported"] = true
	_, err := o.signIn(t)
	refused(t, err, Invalid, `issuer ""`)
	query, cookie := o.start(t)
	query.Set("iss", o.issuer())
	if _, err := o.Finish(t.Context(), "one", query, cookie); err != nil {
		t.Error(err)
	}
}

func TestKeysRotate(t *testing.T) {
	o := newOne(t)
	for range 3 {
		if _, err := o.signIn(t); err != nil {
			t.Fatal(err)
		}
	}
	if o.keyReads != 1 {
		t.Errorf("keys were read %d times", o.keyReads)
	}
	o.rotate()
	if _, err := o.signIn(t); err != nil || o.keyReads != 2 {
		t.Errorf("after a rotation: %v, keys read %d times", err, o.keyReads)
	}
	// A key that the provider does not publish, under the id of one that it does.
	o.forge = true
	_, err := o.signIn(t)
	refused(t, err, Invalid, "signature")
}

func TestProviderThatIsDown(t *testing.T) {
	o := newOne(t)
	o.down.Store(true)
	_, _, err := o.Start(t.Context(), "one", redirect, "/")
	refused(t, err, Unavailable, "503")
	// It is left alone for a moment, then contacted again.
	o.down.Store(false)
	if _, _, err = o.Start(t.Context(), "one", redirect, "/"); err == nil || o.discoveries != 0 {
		t.Errorf("asked again at once: %v", err)
	}
	o.clock.at = o.clock.at.Add(discoveryPause)
	if _, err := o.signIn(t); err != nil || o.discoveries != 1 {
		t.Errorf("%v, %d discoveries", err, o.discoveries)
	}
	// Its metadata is cached for a while, and longer if it is down at the end of that.
	o.clock.at = o.clock.at.Add(discoveryLife - time.Second)
	if _, err := o.signIn(t); err != nil || o.discoveries != 1 {
		t.Errorf("%v, %d discoveries", err, o.discoveries)
	}
	o.clock.at = o.clock.at.Add(time.Second)
	o.down.Store(true)
	if _, _, err = o.Start(t.Context(), "one", redirect, "/"); err != nil {
		t.Errorf("what is known does not count: %v", err)
	}
	o.down.Store(false)
	o.clock.at = o.clock.at.Add(discoveryPause)
	if _, err := o.signIn(t); err != nil || o.discoveries != 2 {
		t.Errorf("%v, %d discoveries", err, o.discoveries)
	}
}

func TestDescriptionsThatAreWrong(t *testing.T) {
	for name, c := range map[string]struct {
		metadata map[string]any
		text     string
	}{
		"of another issuer":       {map[string]any{"issuer": "https://evil.example.org"}, "evil.example.org"},
		"without a token address": {map[string]any{"token_endpoint": ""}, "no token_endpoint"},
		"with one without TLS":    {map[string]any{"token_endpoint": "http://example.org/token"}, "https://"},
		"with a script":           {map[string]any{"authorization_endpoint": "javascript:alert(1)"}, "https://"},
		"that is endless":         {map[string]any{"x": strings.Repeat("x", maxAnswer)}, "too large"},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOne(t)
			o.metadata = c.metadata
			_, _, err := o.Start(t.Context(), "one", redirect, "/")
			refused(t, err, Unavailable, c.text)
		})
	}
}

func TestUnknownProvider(t *testing.T) {
	o := newOne(t)
	_, _, start := o.Start(t.Context(), "two", redirect, "/")
	_, finish := o.Finish(t.Context(), "two", nil, "")
	_, out := o.SignOutURL(t.Context(), "two", "", "https://almanac.example.org/")
	for _, err := range []error{start, finish, out} {
		if !errors.Is(err, ErrUnknownProvider) {
			t.Error(err)
		}
	}
}

// TestClaimsOfUserInfo covers providers that keep ID tokens short.
func TestClaimsOfUserInfo(t *testing.T) {
	o := newOne(t)
	o.claims = map[string]any{"email": nil, "email_verified": nil, "name": nil}
	_, err := o.signIn(t)
	refused(t, err, Unavailable, "401")
	o.info = map[string]any{"sub": "u-2", "email": "eve@example.org", "email_verified": true}
	_, err = o.signIn(t)
	refused(t, err, Invalid, "subject of the user info")
	o.info = map[string]any{
		"sub": "u-1", "email": "eve@example.org", "email_verified": true, "given_name": "Eve", "family_name": "\x00Adams",
	}
	done, err := o.signIn(t)
	if err != nil || done.Identity.Email != "eve@example.org" || done.Identity.Name != "Eve Adams" {
		t.Errorf("%+v, %v", done.Identity, err)
	}
	// The user info does not vouch for the address of the ID token, but for its own.
	o.claims = map[string]any{"email_verified": nil}
	if done, err = o.signIn(t); err != nil || done.Identity.Email != "eve@example.org" {
		t.Errorf("%+v, %v", done.Identity, err)
	}
	o.info = map[string]any{"sub": "u-1", "email_verified": true}
	_, err = o.signIn(t)
	refused(t, err, Unverified, "no e-mail address")
	// Neither does the ID token for that of the user info.
	o.claims, o.info = map[string]any{"email": nil}, map[string]any{"sub": "u-1", "email": "eve@example.org"}
	_, err = o.signIn(t)
	refused(t, err, Unverified, "email_verified is not true")
	// Signed claims take precedence.
	o.claims, o.info = map[string]any{"name": nil}, map[string]any{
		"sub": "u-1", "email": "eve@example.org", "email_verified": true, "name": "Eve",
	}
	if done, err = o.signIn(t); err != nil || done.Identity.Email != "ada@example.org" {
		t.Errorf("%+v, %v", done.Identity, err)
	}
	o.info = map[string]any{"sub": "u-1", "email": "eve@example.org", "email_verified": true}
	o.claims = map[string]any{"email_verified": nil, "at_hash": "wrong"}
	_, err = o.signIn(t)
	refused(t, err, Invalid, "access token hash")
}

func TestSignOut(t *testing.T) {
	o := newOne(t)
	got, err := o.SignOutURL(t.Context(), "one", "h.i.nt", "https://almanac.example.org/auth/sign-in")
	want := o.issuer() +
		"/end?client_id=almanac&id_token_hint=h.i.nt&post_logout_redirect_uri=https%3A%2F%2Falmanac.example.org%2Fauth%2Fsign-in&tenant=1"
	if got != want || err != nil {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	without := newOne(t)
	without.metadata["end_session_endpoint"] = ""
	if got, err := without.SignOutURL(t.Context(), "one", "", "https://almanac.example.org/"); got != "" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestReturnPath(t *testing.T) {
	for _, path := range []string{
		"/", "/project/p/traces/t?observation=o#x", "/project/a%2Fb/é?x=//host", "/x#//host", "/" + strings.Repeat("x", maxReturnPath-1),
	} {
		if got := ReturnPath(path); got != path {
			t.Errorf("%q becomes %q", path, got)
		}
	}
	for _, path := range []string{
		"", "x", "//evil.example.org", "///evil.example.org", `/\evil.example.org`, `\\evil.example.org`, "https://evil.example.org",
		"javascript:alert(1)",
		"/\t/evil.example.org", "/\n/evil.example.org", "\t//evil.example.org", "/.//evil.example.org", "/x/..//evil.example.org", "/%zz",
		"/x\x00", " /x", "/x\x7f",
		"/" + strings.Repeat("x", maxReturnPath),
	} {
		if got := ReturnPath(path); got != "/" {
			t.Errorf("%q becomes %q", path, got)
		}
	}
}

// TestSlowProvider checks that few sign-ins wait for a provider, and that the others wait no longer than their
// requests.
func TestSlowProvider(t *testing.T) {
	o := newOne(t)
	query, cookie := o.start(t)
	for range maxExchanges {
		o.providers[0].exchanges <- struct{}{}
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err := o.Finish(gone, "one", query, cookie)
	refused(t, err, Unavailable, "canceled")
	if len(o.codes) != 1 {
		t.Error("the code was sent")
	}
	<-o.providers[0].exchanges
	if _, err := o.signIn(t); err != nil {
		t.Error(err)
	}
	if n := len(o.providers[0].exchanges); n != maxExchanges-1 {
		t.Errorf("%d sign-ins wait", n)
	}
}
