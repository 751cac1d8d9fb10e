package people_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"almanac/internal/access/accounts"
	"almanac/internal/access/oidc"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/endpoint"
)

// describedProvider returns a provider with a discovery document but without any pages.
func describedProvider(t *testing.T) *httptest.Server {
	t.Helper()
	var provider *httptest.Server
	provider = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(map[string]string{
			"issuer": provider.URL, "authorization_endpoint": provider.URL + "/authorize", "token_endpoint": provider.URL + "/token",
			"jwks_uri":             provider.URL + "/keys",
			"end_session_endpoint": provider.URL + "/end",
		}); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(provider.Close)
	return provider
}

// withSignOn configures two providers: one that responds, and one that does not.
func withSignOn(t *testing.T) (up *httptest.Server, change func(*httpapi.Options)) {
	t.Helper()
	up = describedProvider(t)
	return up, func(o *httpapi.Options) {
		var err error
		if o.People.SignOn, err = oidc.New([]oidc.Settings{
			{ID: "up", Name: "Up", Issuer: up.URL, ClientID: "almanac"},
			{ID: "down", Name: "Down", Issuer: "http://127.0.0.1:1", ClientID: "almanac"},
		}, oidc.Options{Secrets: o.Secrets}); err != nil {
			t.Fatal(err)
		}
		o.Address = endpoint.Address{URL: "https://almanac.test/base"} // a proxy strips the path
	}
}

// follow sends a browser to a path and returns where it is redirected.
func follow(t *testing.T, b *apitest.Browser, path string) (location string, cookies []*http.Cookie) {
	t.Helper()
	r := b.Request("GET", path, "")
	w := httptest.NewRecorder()
	b.F.ServeHTTP(w, r)
	got := w.Result()
	if got.StatusCode != http.StatusFound || got.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%s: status %d, %v: %s", path, got.StatusCode, got.Header, w.Body)
	}
	for _, cookie := range got.Cookies() {
		if cookie.MaxAge < 0 {
			delete(b.Cookies, cookie.Name)
		} else {
			b.Cookies[cookie.Name] = cookie.Value
		}
	}
	return got.Header.Get("Location"), got.Cookies()
}

func TestUISingleSignOn(t *testing.T) {
	up, change := withSignOn(t)
	f := apitest.New(t, change)
	b := f.Browser()
	const flow = "__Host-almanac-sso"

	if answer := b.Ask(t, "GET", "/api/ui/auth/session", "", 200); !strings.Contains(answer,
		`"providers":[{"id":"up","name":"Up"},{"id":"down","name":"Down"}]`) {
		t.Error(answer)
	}
	for _, route := range []string{"start", "callback"} {
		b.Ask(t, "GET", "/api/ui/auth/oidc/other/"+route, "", 404)
	}
	location, _ := follow(t, b, "/api/ui/auth/oidc/down/start?returnTo=%2Fproject%2Fp%23x")
	if location != "/base/auth/sign-in?error=sso_unavailable&returnTo=%2Fproject%2Fp%23x" {
		t.Errorf("without the provider the browser goes to %s", location)
	}

	// start redirects to the provider and returns the state.
	start := func(returnTo string) string {
		t.Helper()
		location, cookies := follow(t, b, "/api/ui/auth/oidc/up/start?returnTo="+url.QueryEscape(returnTo))
		there, err := url.Parse(location)
		if err != nil || !strings.HasPrefix(location, up.URL+"/authorize?") ||
			there.Query().Get("redirect_uri") != "https://almanac.test/base/api/ui/auth/oidc/up/callback" {
			t.Fatalf("the browser goes to %s, %v", location, err)
		}
		if len(cookies) != 1 || cookies[0].Name != flow || cookies[0].Path != "/" || !cookies[0].Secure || !cookies[0].HttpOnly ||
			cookies[0].SameSite != http.SameSiteLaxMode || cookies[0].MaxAge != int(oidc.FlowLife/time.Second) || cookies[0].Domain != "" {
			t.Errorf("cookies %v", cookies)
		}
		return there.Query().Get("state")
	}
	declined := func(returnTo string) string {
		t.Helper()
		location, _ := follow(t, b, "/api/ui/auth/oidc/up/callback?error=access_denied&error_description=%3Cb%3E&state="+start(returnTo))
		if b.Cookies[flow] != "" {
			t.Error("the cookie is still there")
		}
		return location
	}
	if got := declined("/project/p?a=b"); got != "/base/auth/sign-in?error=sso_declined&returnTo=%2Fproject%2Fp%3Fa%3Db" {
		t.Errorf("after a refusal the browser goes to %s", got)
	}
	for _, hostile := range []string{
		"https://evil.example.org", "//evil.example.org", `/\evil.example.org`, "javascript:alert(1)", "/" + strings.Repeat("x", 3000),
	} {
		if got := declined(hostile); got != "/base/auth/sign-in?error=sso_declined" {
			t.Errorf("with %.30s the browser goes to %s", hostile, got)
		}
	}
	// The longest allowed path fits into a cookie.
	start("/" + strings.Repeat("x", 1999))
	if n := len(flow) + len(b.Cookies[flow]); n > 4000 {
		t.Errorf("the cookie has %d bytes", n)
	}
	for name, query := range map[string]string{
		"of another browser": "code=c&state=other", "without anything": "", "of another provider": "code=c&state=" + start("/"),
	} {
		provider := "up"
		if name == "of another provider" {
			provider = "down"
		}
		if got, _ := follow(t, b, "/api/ui/auth/oidc/"+provider+"/callback?"+query); got != "/base/auth/sign-in?error=sso_stale" {
			t.Errorf("an answer %s leads to %s", name, got)
		}
	}
	if b.Cookies[apitest.SessionCookie] != "" {
		t.Error("somebody is signed in")
	}
}

// TestUISingleSignOnNeedsAnAddress: without a public URL, sending a browser here under another host name would decide
// where the provider sends the code.
func TestUISingleSignOnNeedsAnAddress(t *testing.T) {
	up, change := withSignOn(t)
	f := apitest.New(t, func(o *httpapi.Options) {
		change(o)
		o.Address = endpoint.Address{}
	})
	start := func(address string) string {
		r := httptest.NewRequest("GET", address+"/api/ui/auth/oidc/up/start", nil)
		r.RemoteAddr = "127.0.0.1:1234"
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		return w.Header().Get("Location")
	}
	if got := start("https://evil.example.org"); got != "/auth/sign-in?error=sso_no_public_url" {
		t.Errorf("the browser goes to %s", got)
	}
	if got := start("http://evil.example.org"); got != "/auth/sign-in?error=insecure_connection" {
		t.Errorf("the browser goes to %s", got)
	}
	if got := start("http://localhost:3000"); !strings.HasPrefix(got, up.URL+"/authorize?") ||
		!strings.Contains(got, "redirect_uri=http%3A%2F%2Flocalhost%3A3000%2F") {
		t.Errorf("the browser goes to %s", got)
	}
}

// TestUISingleSignOnUnknownProvider: nobody fills the log with names of providers that do not exist.
func TestUISingleSignOnUnknownProvider(t *testing.T) {
	_, change := withSignOn(t)
	f := apitest.New(t, func(o *httpapi.Options) {
		change(o)
		o.Address = endpoint.Address{}
	})
	for _, address := range []string{"https://evil.example.org", "http://evil.example.org", "http://localhost:3000"} {
		r := httptest.NewRequest("GET", address+"/api/ui/auth/oidc/made-up/start", nil)
		r.RemoteAddr = "127.0.0.1:1234"
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		if w.Code != http.StatusNotFound {
			t.Errorf("%s: status %d", address, w.Code)
		}
	}
	if strings.Contains(f.Logged.String(), "level=WARN") {
		t.Errorf("it logged %s", f.Logged)
	}
}

// TestUISignOutElsewhere: people who signed in through a provider also sign out there; others do not.
func TestUISignOutElsewhere(t *testing.T) {
	up, change := withSignOn(t)
	f := apitest.New(t, change)
	b := f.Browser()
	const kept = "__Secure-almanac-sso-session"
	b.Cookies[kept] = f.Secrets.Seal("up\nh.i.nt", "/api/ui/auth/sign-out")
	answer := b.Ask(t, "POST", "/api/ui/auth/sign-out", "", 200)
	if want := `{"redirectTo":"` + up.URL +
		`/end?client_id=almanac&id_token_hint=h.i.nt&post_logout_redirect_uri=https%3A%2F%2Falmanac.test%2Fbase%2Fauth%2Fsign-in"}`; answer != want {
		t.Errorf("%s, want %s", answer, want)
	}
	if b.Cookies[kept] != "" {
		t.Error("the cookie is still there")
	}
	for name, cookie := range map[string]string{
		"none": "", "made up": "v1.xxxx", "for another place": f.Secrets.Seal("up\n", "elsewhere"),
		"of a provider that is gone": f.Secrets.Seal("gone\n", "/api/ui/auth/sign-out"),
		"of a provider that is down": f.Secrets.Seal("down\n", "/api/ui/auth/sign-out"),
	} {
		if b.Cookies[kept] = cookie; cookie == "" {
			delete(b.Cookies, kept)
		}
		if status, answer := b.Try(t, "POST", "/api/ui/auth/sign-out", ""); status != 204 {
			t.Errorf("%s: %d %s", name, status, answer)
		}
	}
}

// TestUIPasswordsOff: providers are the only way to sign in.
func TestUIPasswordsOff(t *testing.T) {
	_, change := withSignOn(t)
	f := apitest.New(t, func(o *httpapi.Options) {
		change(o)
		o.Address = endpoint.Address{}
		o.Accounts = accounts.New(accounts.Options{Catalog: o.Catalog, Log: o.Log, SingleSignOn: true, PasswordOff: true})
	})
	f.NewMember(t, "ada@a.test", "MEMBER")
	b := f.Browser()
	if answer := b.Ask(t, "GET", "/api/ui/auth/session", "", 200); !strings.Contains(answer, `"passwordSignIn":false`) ||
		!strings.Contains(answer, `"setupNeeded":false`) {
		t.Error(answer)
	}
	b.Ask(t, "POST", "/api/ui/auth/sign-in", `{"email":"ada@a.test","password":"`+apitest.TestPassword+`"}`, 403)
	// Not even an invited person can set a password.
	if _, err := f.Accounts.AcceptAsNew(context.Background(), "token", "Eve", apitest.TestPassword, "network", ""); err == nil ||
		!strings.Contains(err.Error(), "switched off") {
		t.Error(err)
	}
}
