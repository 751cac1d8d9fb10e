package people_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
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
func setUp(t *testing.T, f *apitest.Fixture) *apitest.Browser {
	t.Helper()
	token, err := f.Accounts.NewSetUpToken(t.Context())
	if err != nil || token == "" {
		t.Fatalf("the set-up token is %q, %v", token, err)
	}
	b := f.Browser()
	body := `{"token":"` + token + `","name":"Ada","email":"Ada@Example.org ","password":"` + apitest.TestPassword + `"}`
	answer := apitest.DecodeJSON[struct {
		Session   uiSession
		ProjectID string
		Keys      struct{ PublicKey, SecretKey string }
	}](t, []byte(b.Ask(t, "POST", "/api/ui/auth/setup", body, http.StatusCreated)))
	if answer.Session.User.Email != "ada@example.org" || len(answer.Session.Organizations) != 2 || answer.ProjectID == "" {
		t.Fatalf("after the set-up: %+v", answer)
	}
	// The keys work.
	w := httptest.NewRecorder()
	f.ServeHTTP(w, apitest.Scenario{
		Path: "/api/public/projects", Header: map[string]string{"Authorization": apitest.BasicHeader(answer.Keys.PublicKey, answer.Keys.SecretKey)},
	}.Request())
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), answer.ProjectID) {
		t.Errorf("the keys of the set-up give %d %s", w.Code, w.Body)
	}
	return b
}

func TestUISetUp(t *testing.T) {
	f := apitest.New(t, nil)
	visitor := f.Browser()
	if s := apitest.DecodeJSON[uiSession](t, []byte(visitor.Ask(t, "GET", "/api/ui/auth/session", "", 200))); s.User != nil || !s.SetupNeeded {
		t.Errorf("before the set-up: %+v", s)
	}
	wrong := `{"token":"x","name":"Eve","email":"eve@example.org","password":"` + apitest.TestPassword + `"}`
	visitor.Ask(t, "POST", "/api/ui/auth/setup", wrong, 404)
	visitor.Ask(t, "POST", "/api/ui/auth/setup", `{"token":"x","name":"","email":"eve","password":"short"}`, 400)
	old, err := f.Accounts.NewSetUpToken(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	owner := setUp(t, f)
	s := apitest.DecodeJSON[uiSession](t, []byte(owner.Ask(t, "GET", "/api/ui/auth/session", "", 200)))
	if s.SetupNeeded || s.User == nil || !s.User.HasPassword || s.Organizations[0].Role != "OWNER" ||
		len(s.Organizations[0].Projects) == 0 || !s.MayCreateOrganizations {
		t.Errorf("after the set-up: %+v", s)
	}
	// Neither that token nor one of another server works any more, and no new one is created.
	visitor.Ask(t, "POST", "/api/ui/auth/setup", strings.Replace(wrong, `"x"`, `"`+old+`"`, 1), 404)
	if token, err := f.Accounts.NewSetUpToken(t.Context()); err != nil || token != "" {
		t.Errorf("another token: %q, %v", token, err)
	}
}

func TestUISignInAndOut(t *testing.T) {
	f := apitest.New(t, nil)
	user := f.NewMember(t, "ada@example.org", domain.RoleMember)
	b := f.Browser()
	b.Ask(t, "GET", "/api/ui/auth/sessions", "", 401)
	b.Ask(t, "POST", "/api/ui/auth/sign-in", signInBody("ada@example.org", "wrong"), 401)
	s := apitest.DecodeJSON[uiSession](t, []byte(b.Ask(t, "POST", "/api/ui/auth/sign-in", signInBody(" ADA@example.org", apitest.TestPassword), 200)))
	if s.User.ID != user.ID || s.MayCreateOrganizations {
		t.Errorf("signed in as %+v", s)
	}
	first := b.Cookies[apitest.SessionCookie]

	// Signing in again rotates the token and ends the browser's previous session, so planting or knowing its token is
	// useless.
	b.Ask(t, "POST", "/api/ui/auth/sign-in", signInBody("ada@example.org", apitest.TestPassword), 200)
	if b.Cookies[apitest.SessionCookie] == first {
		t.Error("the token is the same after signing in again")
	}
	old := f.Browser()
	old.Cookies[apitest.SessionCookie] = first
	old.Ask(t, "GET", "/api/ui/auth/sessions", "", 401)

	other := f.Browser()
	other.Ask(t, "POST", "/api/ui/auth/sign-in", signInBody("ada@example.org", apitest.TestPassword), 200)
	list := b.Ask(t, "GET", "/api/ui/auth/sessions", "", 200)
	if strings.Count(list, `"id"`) != 2 || strings.Count(list, `"current":true`) != 1 || strings.Contains(list, b.Cookies[apitest.SessionCookie]) {
		t.Errorf("sessions: %s", list)
	}
	b.Ask(t, "DELETE", "/api/ui/auth/sessions/nope", "", 404)
	b.Ask(t, "DELETE", "/api/ui/auth/sessions", "", 204)
	other.Ask(t, "GET", "/api/ui/auth/sessions", "", 401)

	token := b.Cookies[apitest.SessionCookie]
	b.Ask(t, "POST", "/api/ui/auth/sign-out", "", 204)
	if b.Cookies[apitest.SessionCookie] != "" {
		t.Error("the cookie is still there")
	}
	b.Cookies[apitest.SessionCookie] = token
	b.Ask(t, "GET", "/api/ui/auth/sessions", "", 401)
	b.Ask(t, "POST", "/api/ui/auth/sign-out", "", 204) // signing out twice is not an error
}

// TestUIRevokedAtOnce: an open session ends with the account's password and the account, and has no more than the present
// role immediately with a change.
func TestUIRevokedAtOnce(t *testing.T) {
	organization, cli := domain.OfOrganization("org-a"), domain.Actor{Kind: "cli"}
	for _, c := range []struct {
		name   string
		change func(t *testing.T, f *apitest.Fixture, userID string) error
		path   string
		status int
	}{
		{"another password", func(t *testing.T, f *apitest.Fixture, id string) error {
			return f.Catalog.SetPassword(t.Context(), id, "x", "", cli)
		}, "/api/ui/auth/sessions", 401},
		{"a weaker role", func(t *testing.T, f *apitest.Fixture, id string) error {
			_, err := f.Catalog.SetMember(t.Context(), organization, id, domain.RoleViewer, cli)
			return err
		}, "/api/ui/organizations/org-a/members", 403},
		{"a weaker role in the project", func(t *testing.T, f *apitest.Fixture, id string) error {
			_, err := f.Catalog.SetProjectMember(t.Context(), organization, "project-a", id, domain.RoleNone, cli)
			return err
		}, "/api/ui/projects/project-a", 404},
		{"the end of the membership", func(t *testing.T, f *apitest.Fixture, id string) error {
			_, err := f.Catalog.RemoveMember(t.Context(), organization, id, cli)
			return err
		}, "/api/ui/projects/project-a", 404},
		{"deactivation", func(t *testing.T, f *apitest.Fixture, id string) error {
			return f.Catalog.SetDisabled(t.Context(), id, true, cli)
		}, "/api/ui/auth/sessions", 401},
		{"deactivation through SCIM", func(t *testing.T, f *apitest.Fixture, id string) error {
			f.Run(t, apitest.Scenario{
				Method: "PATCH", Path: "/api/public/scim/Users/" + id, Key: "organization", Status: 200, Once: true,
				Body: `{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[{"op":"replace","value":{"active":false}}]}`,
			})
			return nil
		}, "/api/ui/projects/project-a", 404},
		{"a stronger role", func(t *testing.T, f *apitest.Fixture, id string) error {
			_, err := f.Catalog.SetMember(t.Context(), organization, id, domain.RoleOwner, cli)
			return err
		}, "/api/ui/organizations/org-a/apiKeys", 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := apitest.New(t, nil)
			user := f.NewMember(t, "ada@example.org", domain.RoleAdmin)
			b := f.As(t, user.ID)
			b.Ask(t, "GET", "/api/ui/projects/project-a", "", 200)
			b.Ask(t, "GET", "/api/ui/organizations/org-a/apiKeys", "", 403)
			if err := c.change(t, f, user.ID); err != nil {
				t.Fatal(err)
			}
			b.Ask(t, "GET", c.path, "", c.status)
			// What an organization does ends no sessions: people use them for other organizations as well.
			if c.status != 401 {
				b.Ask(t, "GET", "/api/ui/auth/sessions", "", 200)
			}
		})
	}
}

// TestUIForeignRequests: requests that change something must come from one of this server's pages.
func TestUIForeignRequests(t *testing.T) {
	f := apitest.New(t, nil)
	b := f.As(t, f.NewMember(t, "ada@example.org", domain.RoleOwner).ID)
	const body = `{"name":"Eve"}`
	for _, c := range []struct {
		name   string
		header map[string]string
		status int
	}{
		{"another site", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"another host of the site", map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		{
			"another site, though it says our origin",
			map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://almanac.test"},
			403,
		},
		{"no word of where it comes from", map[string]string{"Sec-Fetch-Site": ""}, 403},
		{"another origin", map[string]string{"Sec-Fetch-Site": "", "Origin": "https://evil.test"}, 403},
		{"no origin", map[string]string{"Sec-Fetch-Site": "", "Origin": "null"}, 403},
		{"without the header", map[string]string{"X-Almanac-CSRF": ""}, 403},
		{"a form", map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, 400},
		{"a form that looks like JSON", map[string]string{"Content-Type": "text/plain"}, 400},
		{"our origin, from an older browser", map[string]string{"Sec-Fetch-Site": "", "Origin": "https://almanac.test"}, 200},
		{"our page", nil, 200},
	} {
		b.Header = c.header
		b.Ask(t, "PATCH", "/api/ui/account", body, c.status)
	}
	b.Header = map[string]string{"Sec-Fetch-Site": "cross-site"}
	b.Ask(t, "POST", "/api/ui/auth/sign-out", "", 403)
	b.Ask(t, "POST", "/api/ui/projects/project-a/v2/prompts", `{"name":"x","prompt":"y"}`, 403)
	b.Ask(t, "GET", "/api/ui/auth/sessions", "", 200) // a GET can be sent from anywhere, but other origins cannot read the response

	w := httptest.NewRecorder()
	preflight := b.Request("OPTIONS", "/api/ui/account", "")
	preflight.Header.Set("Origin", "https://evil.test")
	preflight.Header.Set("Access-Control-Request-Method", "PATCH")
	f.ServeHTTP(w, preflight)
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("a preflight is answered %d, %v", w.Code, w.Header())
	}
}

// TestUICookieForm: the attributes of the cookie, and the connections over which people may sign in.
func TestUICookieForm(t *testing.T) {
	for _, c := range []struct {
		name, url, remote string
		header            map[string]string
		insecure          bool
		status            int
		cookie            string
	}{
		{
			name: "TLS", url: "https://almanac.test", remote: "192.0.2.1:1", status: 200,
			cookie: "__Host-almanac-session=…; Path=/; HttpOnly; Secure; SameSite=Lax",
		},
		{
			name: "behind a proxy with TLS", url: "http://almanac.test", remote: "192.0.2.1:1",
			header: map[string]string{"X-Forwarded-Proto": "https"}, status: 200,
			cookie: "__Host-almanac-session=…; Path=/; HttpOnly; Secure; SameSite=Lax",
		},
		{
			name: "this machine", url: "http://127.0.0.1:3000", remote: "127.0.0.1:1", status: 200,
			cookie: "almanac-session=…; Path=/; HttpOnly; SameSite=Lax",
		},
		{
			name: "this machine by name", url: "http://localhost:3000", remote: "[::1]:1", status: 200,
			cookie: "almanac-session=…; Path=/; HttpOnly; SameSite=Lax",
		},
		{name: "plain HTTP", url: "http://almanac.test", remote: "192.0.2.1:1", status: 403},
		{
			name: "plain HTTP through a proxy on this machine", url: "http://127.0.0.1:3000", remote: "127.0.0.1:1",
			header: map[string]string{"X-Forwarded-For": "192.0.2.1"}, status: 403,
		},
		{name: "another machine that says it is this one", url: "http://localhost:3000", remote: "192.0.2.1:1", status: 403},
		{
			name: "plain HTTP, allowed", url: "http://almanac.test", remote: "192.0.2.1:1", insecure: true, status: 200,
			cookie: "almanac-session=…; Path=/; HttpOnly; SameSite=Lax",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := apitest.New(t, func(o *httpapi.Options) { o.People.InsecureHTTP = c.insecure })
			f.NewMember(t, "ada@example.org", domain.RoleOwner)
			r := httptest.NewRequest("POST", c.url+"/api/ui/auth/sign-in", strings.NewReader(signInBody("ada@example.org", apitest.TestPassword)))
			r.RemoteAddr = c.remote
			for name, value := range map[string]string{
				"Content-Type": "application/json", "X-Almanac-CSRF": "1", "Sec-Fetch-Site": "same-origin",
			} {
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
	f := apitest.New(t, nil)
	f.NewMember(t, "ada@example.org", domain.RoleOwner)
	f.NewMember(t, "gone@example.org", domain.RoleOwner)
	gone, err := f.Catalog.Account(t.Context(), "gone@example.org")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Catalog.SetDisabled(t.Context(), gone.ID, true, domain.Actor{Kind: "cli"}); err != nil {
		t.Fatal(err)
	}
	eve := f.Browser()
	answers := map[string]bool{}
	for _, email := range []string{"ada@example.org", "nobody@example.org", "gone@example.org"} {
		_, answer := eve.Try(t, "POST", "/api/ui/auth/sign-in", signInBody(email, "wrong password"))
		answers[answer] = true
	}
	if len(answers) != 1 {
		t.Errorf("the answers differ: %v", answers)
	}
	statuses := map[int]int{}
	for range 10 {
		status, _ := eve.Try(t, "POST", "/api/ui/auth/sign-in", signInBody("Ada@example.org", "wrong password"))
		statuses[status]++
	}
	if statuses[401] != 4 || statuses[429] != 6 {
		t.Errorf("ten guesses more are answered %v", statuses)
	}
	// From there not even the right password works until some time has passed.
	if status, _ := eve.Try(t, "POST", "/api/ui/auth/sign-in", signInBody("ada@example.org", apitest.TestPassword)); status != 429 {
		t.Errorf("the right password from where somebody guesses: %d", status)
	}
	ada := f.Browser()
	ada.Address = "198.51.100.7:99"
	ada.Ask(t, "POST", "/api/ui/auth/sign-in", signInBody("ada@example.org", apitest.TestPassword), 200)
}

// TestUINamesAreJSON: a name with markup is only ever part of JSON.
func TestUINamesAreJSON(t *testing.T) {
	f := apitest.New(t, nil)
	b := f.As(t, f.NewMember(t, "ada@example.org", domain.RoleOwner).ID)
	const name = `<img src=x onerror=alert(1)>`
	b.Ask(t, "PATCH", "/api/ui/account", `{"name":"`+name+`"}`, 200)
	b.Ask(t, "PATCH", "/api/ui/organizations/org-a", `{"name":"`+name+`"}`, 200)
	b.Ask(t, "POST", "/api/ui/organizations/org-a/projects", `{"name":"`+name+`"}`, 400)
	for _, path := range []string{"/api/ui/auth/session", "/api/ui/organizations/org-a/members", "/api/ui/projects/project-a/members"} {
		w := httptest.NewRecorder()
		f.ServeHTTP(w, b.Request("GET", path, ""))
		if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") ||
			w.Header().Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(w.Body.String(), "onerror") {
			t.Errorf("%s: %d %v %s", path, w.Code, w.Header(), w.Body)
		}
	}
}
