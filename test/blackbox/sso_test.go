package blackbox

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/test/harness"
	"almanac/test/oidctest"
)

// TestSingleSignOn signs people in through a provider, as browsers do.
func TestSingleSignOn(t *testing.T) {
	provider := oidctest.Start(t)
	file := filepath.Join(t.TempDir(), "providers.json")
	settings, err := json.Marshal([]map[string]any{{
		"id": "example", "name": "Example", "issuer": provider.Issuer, "clientId": oidctest.ClientID, "clientSecret": oidctest.ClientSecret,
		"scopes": []string{"openid", "email", "profile", "groups"}, "createAccounts": true,
		"roles": []map[string]string{{"claim": "groups", "value": "admins", "organizationId": "acme", "role": "ADMIN"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, settings, 0o600); err != nil {
		t.Fatal(err)
	}
	// The provider is down while the server starts.
	s := harness.Start(t, "--sso-providers="+file, "--disable-password-sign-in", "--init-org-id=acme", "--init-project-id=p1")
	start := s.URL + "/api/ui/auth/oidc/example/start?returnTo=" + url.QueryEscape("/project/p1#x")
	away := func(browser *http.Client, address string) string {
		t.Helper()
		response, err := browser.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusFound {
			body, _ := io.ReadAll(response.Body)
			t.Fatalf("%s is answered %d: %s", address, response.StatusCode, body)
		}
		return response.Header.Get("Location")
	}
	grace := oidctest.NewBrowser(t)
	if got := away(grace, start); got != "/auth/sign-in?error=sso_unavailable&returnTo=%2Fproject%2Fp1%23x" {
		t.Errorf("without the provider the browser goes to %s", got)
	}
	provider.Serve(t, s.URL+"/api/ui/auth/oidc/example/callback")
	signIn := func(browser *http.Client, email string) (callback, location string) {
		t.Helper()
		var there string
		for range 100 { // the server does not retry a failed provider immediately
			if there = away(browser, start); !strings.HasPrefix(there, "/") {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		callback = provider.SignIn(t, browser, there, email).String()
		return callback, away(browser, callback)
	}
	session := func(browser *http.Client) (got struct {
		User           *struct{ Email, Name string }
		PasswordSignIn bool
		Providers      []struct{ ID, Name string }
		Organizations  []struct{ ID, Role string }
	},
	) {
		t.Helper()
		response, err := browser.Get(s.URL + "/api/ui/auth/session")
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if err := json.NewDecoder(response.Body).Decode(&got); err != nil {
			t.Fatal(err)
		}
		return got
	}
	post := func(browser *http.Client, path, body string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("X-Almanac-CSRF", "1")
		response, err := browser.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		answer, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(answer)
	}

	callback, location := signIn(grace, "grace@example.org")
	if location != "/project/p1#x" {
		t.Errorf("after signing in the browser goes to %s", location)
	}
	got := session(grace)
	if got.User == nil || got.User.Email != "grace@example.org" || got.User.Name != "Grace Hopper" || got.PasswordSignIn ||
		len(got.Providers) != 1 || got.Providers[0].Name != "Example" || len(got.Organizations) != 1 ||
		got.Organizations[0].Role != "ADMIN" {
		t.Errorf("the session is %+v", got)
	}
	// The callback works only once, and only in the same browser.
	for name, browser := range map[string]*http.Client{"again": grace, "elsewhere": oidctest.NewBrowser(t)} {
		if got := away(browser, callback); got != "/auth/sign-in?error=sso_stale" {
			t.Errorf("%s the browser goes to %s", name, got)
		}
	}
	if status, answer := post(oidctest.NewBrowser(t), "/api/ui/auth/sign-in",
		`{"email":"grace@example.org","password":"correct horse"}`); status != http.StatusForbidden {
		t.Errorf("a password is answered %d: %s", status, answer)
	}
	mallory := oidctest.NewBrowser(t)
	if _, location := signIn(mallory, "mallory@example.org"); !strings.HasPrefix(location, "/auth/sign-in?error=sso_email_unverified") ||
		session(mallory).User != nil {
		t.Errorf("mallory goes to %s", location)
	}

	status, answer := post(grace, "/api/ui/auth/sign-out", "")
	var out struct{ RedirectTo string }
	if err := json.Unmarshal([]byte(answer), &out); err != nil || status != http.StatusOK ||
		!strings.HasPrefix(out.RedirectTo, provider.Issuer+"/end_session?") {
		t.Errorf("signing out is answered %d %s, %v", status, answer, err)
	}
	if got := away(grace, out.RedirectTo); got != s.URL+"/auth/sign-in" {
		t.Errorf("signed out at the provider, too, the browser goes to %s", got)
	}
	if got := session(grace); got.User != nil {
		t.Errorf("after signing out there is %+v", got.User)
	}
	if status, _ := post(grace, "/api/ui/auth/sign-out", ""); status != http.StatusNoContent {
		t.Errorf("signing out twice is answered %d", status)
	}

	provider.Serve(t, s.URL+"/api/ui/auth/oidc/example/callback") // with other keys
	if _, location := signIn(oidctest.NewBrowser(t), "grace@example.org"); location != "/project/p1#x" {
		t.Errorf("after the keys were rotated the browser goes to %s", location)
	}
	if _, log := s.Printed(); strings.Contains(log, oidctest.ClientSecret) || strings.Contains(log, "code=") {
		t.Errorf("the log has secrets:\n%s", log)
	}
}
