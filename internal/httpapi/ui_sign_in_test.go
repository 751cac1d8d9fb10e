package httpapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/domain"
)

type uiSession struct {
	User *struct {
		ID, Email, Name string
		HasPassword     bool
	}
	SetupNeeded, MayCreateOrganizations bool
	Organizations                       []struct {
		ID, Role    string
		Permissions []string
		Projects    []struct{ ID, Role string }
	}
}

func signInBody(email, password string) string {
	return fmt.Sprintf(`{"email":%q,"password":%q}`, email, password)
}

// setUp creates the first owner.
func (f *fixture) setUp(t *testing.T) *browser {
	t.Helper()
	token, err := f.Accounts.NewSetUpToken(t.Context())
	if err != nil || token == "" {
		t.Fatalf("the set-up token is %q, %v", token, err)
	}
	b := f.browser()
	body := `{"token":"` + token + `","name":"Ada","email":"Ada@Example.org ","password":"` + testPassword + `"}`
	answer := decodeJSON[struct {
		Session   uiSession
		ProjectID string
		Keys      struct{ PublicKey, SecretKey string }
	}](t, []byte(b.ask(t, "POST", "/api/ui/auth/setup", body, http.StatusCreated)))
	if answer.Session.User.Email != "ada@example.org" || len(answer.Session.Organizations) != 2 || answer.ProjectID == "" {
		t.Fatalf("after the set-up: %+v", answer)
	}
	// The keys work.
	w := httptest.NewRecorder()
	f.ServeHTTP(w, scenario{path: "/api/public/projects", header: map[string]string{"Authorization": basicHeader(answer.Keys.PublicKey, answer.Keys.SecretKey)}}.request())
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), answer.ProjectID) {
		t.Errorf("the keys of the set-up give %d %s", w.Code, w.Body)
	}
	return b
}

func TestUISetUp(t *testing.T) {
	f := newFixture(t, nil)
	visitor := f.browser()
	if s := decodeJSON[uiSession](t, []byte(visitor.ask(t, "GET", "/api/ui/auth/session", "", 200))); s.User != nil || !s.SetupNeeded {
		t.Errorf("before the set-up: %+v", s)
	}
	wrong := `{"token":"x","name":"Eve","email":"eve@example.org","password":"` + testPassword + `"}`
	visitor.ask(t, "POST", "/api/ui/auth/setup", wrong, 404)
	visitor.ask(t, "POST", "/api/ui/auth/setup", `{"token":"x","name":"","email":"eve","password":"short"}`, 400)
	old, err := f.Accounts.NewSetUpToken(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	owner := f.setUp(t)
	s := decodeJSON[uiSession](t, []byte(owner.ask(t, "GET", "/api/ui/auth/session", "", 200)))
	if s.SetupNeeded || s.User == nil || !s.User.HasPassword || s.Organizations[0].Role != "OWNER" || len(s.Organizations[0].Projects) == 0 || !s.MayCreateOrganizations {
		t.Errorf("after the set-up: %+v", s)
	}
	// Neither that token nor one of another server works any more, and no new one is created.
	visitor.ask(t, "POST", "/api/ui/auth/setup", strings.Replace(wrong, `"x"`, `"`+old+`"`, 1), 404)
	if token, err := f.Accounts.NewSetUpToken(t.Context()); err != nil || token != "" {
		t.Errorf("another token: %q, %v", token, err)
	}
}

func TestUISignInAndOut(t *testing.T) {
	f := newFixture(t, nil)
	user := f.newMember(t, "ada@example.org", domain.RoleMember)
	b := f.browser()
	b.ask(t, "GET", "/api/ui/auth/sessions", "", 401)
	b.ask(t, "POST", "/api/ui/auth/sign-in", signInBody("ada@example.org", "wrong"), 401)
	s := decodeJSON[uiSession](t, []byte(b.ask(t, "POST", "/api/ui/auth/sign-in", signInBody(" ADA@example.org", testPassword), 200)))
	if s.User.ID != user.ID || s.MayCreateOrganizations {
		t.Errorf("signed in as %+v", s)
	}
	first := b.cookies[sessionCookie]

	// Signing in again rotates the token and ends the browser's previous session, so planting or knowing its token is
	// useless.
	b.ask(t, "POST", "/api/ui/auth/sign-in", signInBody("ada@example.org", testPassword), 200)
	if b.cookies[sessionCookie] == first {
		t.Error("the token is the same after signing in again")
	}
	old := f.browser()
	old.cookies[sessionCookie] = first
	old.ask(t, "GET", "/api/ui/auth/sessions", "", 401)

	other := f.browser()
	other.ask(t, "POST", "/api/ui/auth/sign-in", signInBody("ada@example.org", testPassword), 200)
	list := b.ask(t, "GET", "/api/ui/auth/sessions", "", 200)
	if strings.Count(list, `"id"`) != 2 || strings.Count(list, `"current":true`) != 1 || strings.Contains(list, b.cookies[sessionCookie]) {
		t.Errorf("sessions: %s", list)
	}
	b.ask(t, "DELETE", "/api/ui/auth/sessions/nope", "", 404)
	b.ask(t, "DELETE", "/api/ui/auth/sessions", "", 204)
	other.ask(t, "GET", "/api/ui/auth/sessions", "", 401)

	token := b.cookies[sessionCookie]
	b.ask(t, "POST", "/api/ui/auth/sign-out", "", 204)
	if b.cookies[sessionCookie] != "" {
		t.Error("the cookie is still there")
	}
	b.cookies[sessionCookie] = token
	b.ask(t, "GET", "/api/ui/auth/sessions", "", 401)
	b.ask(t, "POST", "/api/ui/auth/sign-out", "", 204) // signing out twice is not an error
}

// TestUIRevokedAtOnce: an open session ends with the account's password and the account, and has no more than the present
// role immediately with a change.
func TestUIRevokedAtOnce(t *testing.T) {
	organization, cli := domain.OfOrganization("org-a"), domain.Actor{Kind: "cli"}
	for _, c := range []struct {
		name   string
		change func(t *testing.T, f *fixture, userID string) error
		path   string
		status int
	}{
		{"another password", func(t *testing.T, f *fixture, id string) error {
			return f.Catalog.SetPassword(t.Context(), id, "x", "", cli)
		}, "/api/ui/auth/sessions", 401},
		{"a weaker role", func(t *testing.T, f *fixture, id string) error {
			_, err := f.Catalog.SetMember(t.Context(), organization, id, domain.RoleViewer, cli)
			return err
		}, "/api/ui/organizations/org-a/members", 403},
		{"a weaker role in the project", func(t *testing.T, f *fixture, id string) error {
			_, err := f.Catalog.SetProjectMember(t.Context(), organization, "project-a", id, domain.RoleNone, cli)
			return err
		}, "/api/ui/projects/project-a", 404},
		{"the end of the membership", func(t *testing.T, f *fixture, id string) error {
			_, err := f.Catalog.RemoveMember(t.Context(), organization, id, cli)
			return err
		}, "/api/ui/projects/project-a", 404},
		{"deactivation", func(t *testing.T, f *fixture, id string) error {
			return f.Catalog.SetDisabled(t.Context(), id, true, cli)
		}, "/api/ui/auth/sessions", 401},
		{"deactivation through SCIM", func(t *testing.T, f *fixture, id string) error {
			f.run(t, scenario{
				method: "PATCH", path: "/api/public/scim/Users/" + id, key: "organization", status: 200, once: true,
				body: `{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[{"op":"replace","value":{"active":false}}]}`,
			})
			return nil
		}, "/api/ui/projects/project-a", 404},
		{"a stronger role", func(t *testing.T, f *fixture, id string) error {
			_, err := f.Catalog.SetMember(t.Context(), organization, id, domain.RoleOwner, cli)
			return err
		}, "/api/ui/organizations/org-a/apiKeys", 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, nil)
			user := f.newMember(t, "ada@example.org", domain.RoleAdmin)
			b := f.as(t, user.ID)
			b.ask(t, "GET", "/api/ui/projects/project-a", "", 200)
			b.ask(t, "GET", "/api/ui/organizations/org-a/apiKeys", "", 403)
			if err := c.change(t, f, user.ID); err != nil {
				t.Fatal(err)
			}
			b.ask(t, "GET", c.path, "", c.status)
			// What an organization does ends no sessions: people use them for other organizations as well.
			if c.status != 401 {
				b.ask(t, "GET", "/api/ui/auth/sessions", "", 200)
			}
		})
	}
}

// TestUIForeignRequests: requests that change something must come from one of this server's pages.
func TestUIForeignRequests(t *testing.T) {
	f := newFixture(t, nil)
	b := f.as(t, f.newMember(t, "ada@example.org", domain.RoleOwner).ID)
	const body = `{"name":"Eve"}`
	for _, c := range []struct {
		name   string
		header map[string]string
		status int
	}{
		{"another site", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"another host of the site", map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		{"another site, though it says our origin", map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://almanac.test"}, 403},
		{"no word of where it comes from", map[string]string{"Sec-Fetch-Site": ""}, 403},
		{"another origin", map[string]string{"Sec-Fetch-Site": "", "Origin": "https://evil.test"}, 403},
		{"no origin", map[string]string{"Sec-Fetch-Site": "", "Origin": "null"}, 403},
		{"without the header", map[string]string{"X-Almanac-CSRF": ""}, 403},
		{"a form", map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, 400},
		{"a form that looks like JSON", map[string]string{"Content-Type": "text/plain"}, 400},
		{"our origin, from an older browser", map[string]string{"Sec-Fetch-Site": "", "Origin": "https://almanac.test"}, 200},
		{"our page", nil, 200},
	} {
		b.header = c.header
		b.ask(t, "PATCH", "/api/ui/account", body, c.status)
	}
	b.header = map[string]string{"Sec-Fetch-Site": "cross-site"}
	b.ask(t, "POST", "/api/ui/auth/sign-out", "", 403)
	b.ask(t, "POST", "/api/ui/projects/project-a/v2/prompts", `{"name":"x","prompt":"y"}`, 403)
	b.ask(t, "GET", "/api/ui/auth/sessions", "", 200) // a GET can be sent from anywhere, but other origins cannot read the response

	w := httptest.NewRecorder()
	preflight := b.request("OPTIONS", "/api/ui/account", "")
	preflight.Header.Set("Origin", "https://evil.test")
	preflight.Header.Set("Access-Control-Request-Method", "PATCH")
	f.ServeHTTP(w, preflight)
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("a preflight is answered %d, %v", w.Code, w.Header())
	}
}

// TestUICookies: the cookie gives no access to the public API, and keys give no access to the routes for people.
func TestUICookies(t *testing.T) {
	f := newFixture(t, nil)
	b := f.as(t, f.newMember(t, "ada@example.org", domain.RoleOwner).ID)
	for _, rt := range f.routes() {
		if rt.access.kind == "anyone" {
			continue
		}
		w := httptest.NewRecorder()
		f.ServeHTTP(w, b.request(strings.Replace(rt.method, anyMethod, "GET", 1), strings.ReplaceAll(rt.path, "{projectId}", "project-a"), ""))
		if w.Code != http.StatusUnauthorized {
			t.Errorf("%s %s with a cookie: %d %s", rt.method, rt.path, w.Code, w.Body)
		}
	}
	stranger := f.browser()
	stranger.header = map[string]string{"Authorization": basicHeader(fixtureKeys["project"].PublicKey, fixtureKeys["project"].SecretKey)}
	stranger.ask(t, "GET", "/api/ui/projects/project-a/v2/observations", "", 401)
	b.ask(t, "GET", "/api/ui/projects/project-a/v2/observations", "", 200)
}

// TestUICookieForm: the attributes of the cookie, and the connections over which people may sign in.
func TestUICookieForm(t *testing.T) {
	f := newFixture(t, nil)
	f.newMember(t, "ada@example.org", domain.RoleOwner)
	for _, c := range []struct {
		name, url, remote string
		header            map[string]string
		insecure          bool
		status            int
		cookie            string
	}{
		{name: "TLS", url: "https://almanac.test", remote: "192.0.2.1:1", status: 200, cookie: "__Host-almanac-session=…; Path=/; HttpOnly; Secure; SameSite=Lax"},
		{name: "behind a proxy with TLS", url: "http://almanac.test", remote: "192.0.2.1:1", header: map[string]string{"X-Forwarded-Proto": "https"}, status: 200, cookie: "__Host-almanac-session=…; Path=/; HttpOnly; Secure; SameSite=Lax"},
		{name: "this machine", url: "http://127.0.0.1:3000", remote: "127.0.0.1:1", status: 200, cookie: "almanac-session=…; Path=/; HttpOnly; SameSite=Lax"},
		{name: "this machine by name", url: "http://localhost:3000", remote: "[::1]:1", status: 200, cookie: "almanac-session=…; Path=/; HttpOnly; SameSite=Lax"},
		{name: "plain HTTP", url: "http://almanac.test", remote: "192.0.2.1:1", status: 403},
		{name: "plain HTTP through a proxy on this machine", url: "http://127.0.0.1:3000", remote: "127.0.0.1:1", header: map[string]string{"X-Forwarded-For": "192.0.2.1"}, status: 403},
		{name: "another machine that says it is this one", url: "http://localhost:3000", remote: "192.0.2.1:1", status: 403},
		{name: "plain HTTP, allowed", url: "http://almanac.test", remote: "192.0.2.1:1", insecure: true, status: 200, cookie: "almanac-session=…; Path=/; HttpOnly; SameSite=Lax"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f.people.Cookies.InsecureHTTP = c.insecure
			r := httptest.NewRequest("POST", c.url+"/api/ui/auth/sign-in", strings.NewReader(signInBody("ada@example.org", testPassword)))
			r.RemoteAddr = c.remote
			for name, value := range map[string]string{"Content-Type": "application/json", "X-Almanac-CSRF": "1", "Sec-Fetch-Site": "same-origin"} {
				r.Header.Set(name, value)
			}
			for name, value := range c.header {
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			f.ServeHTTP(w, r)
			form := ""
			if cookies := w.Result().Cookies(); len(cookies) == 1 {
				cookies[0].Value, cookies[0].RawExpires = "…", ""
				form = w.Header().Get("Set-Cookie")
				before, _, _ := strings.Cut(form, "=")
				_, rest, _ := strings.Cut(form, "; Path")
				path, after, _ := strings.Cut("; Path"+rest, "; Expires=")
				_, after, _ = strings.Cut(after, "GMT")
				form = before + "=…" + path + after
			}
			if w.Code != c.status || form != c.cookie {
				t.Errorf("%d with the cookie %q, want %d with %q: %s", w.Code, form, c.status, c.cookie, w.Body)
			}
		})
	}
}

// TestUIGuessing: guessing passwords is throttled by network; the owner can still sign in from another network, and the
// responses do not reveal which accounts exist.
func TestUIGuessing(t *testing.T) {
	f := newFixture(t, nil)
	f.newMember(t, "ada@example.org", domain.RoleOwner)
	f.newMember(t, "gone@example.org", domain.RoleOwner)
	gone, err := f.Catalog.Account(t.Context(), "gone@example.org")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Catalog.SetDisabled(t.Context(), gone.ID, true, domain.Actor{Kind: "cli"}); err != nil {
		t.Fatal(err)
	}
	eve := f.browser()
	answers := map[string]bool{}
	for _, email := range []string{"ada@example.org", "nobody@example.org", "gone@example.org"} {
		_, answer := eve.try(t, "POST", "/api/ui/auth/sign-in", signInBody(email, "wrong password"))
		answers[answer] = true
	}
	if len(answers) != 1 {
		t.Errorf("the answers differ: %v", answers)
	}
	statuses := map[int]int{}
	for range 10 {
		status, _ := eve.try(t, "POST", "/api/ui/auth/sign-in", signInBody("Ada@example.org", "wrong password"))
		statuses[status]++
	}
	if statuses[401] != 4 || statuses[429] != 6 {
		t.Errorf("ten guesses more are answered %v", statuses)
	}
	// From there not even the right password works until some time has passed.
	if status, _ := eve.try(t, "POST", "/api/ui/auth/sign-in", signInBody("ada@example.org", testPassword)); status != 429 {
		t.Errorf("the right password from where somebody guesses: %d", status)
	}
	ada := f.browser()
	ada.address = "198.51.100.7:99"
	ada.ask(t, "POST", "/api/ui/auth/sign-in", signInBody("ada@example.org", testPassword), 200)
}

// TestUINamesAreJSON: a name with markup is only ever part of JSON.
func TestUINamesAreJSON(t *testing.T) {
	f := newFixture(t, nil)
	b := f.as(t, f.newMember(t, "ada@example.org", domain.RoleOwner).ID)
	const name = `<img src=x onerror=alert(1)>`
	b.ask(t, "PATCH", "/api/ui/account", `{"name":"`+name+`"}`, 200)
	b.ask(t, "PATCH", "/api/ui/organizations/org-a", `{"name":"`+name+`"}`, 200)
	b.ask(t, "POST", "/api/ui/organizations/org-a/projects", `{"name":"`+name+`"}`, 400)
	for _, path := range []string{"/api/ui/auth/session", "/api/ui/organizations/org-a/members", "/api/ui/projects/project-a/members"} {
		w := httptest.NewRecorder()
		f.ServeHTTP(w, b.request("GET", path, ""))
		if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") || w.Header().Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(w.Body.String(), "onerror") {
			t.Errorf("%s: %d %v %s", path, w.Code, w.Header(), w.Body)
		}
	}
}
