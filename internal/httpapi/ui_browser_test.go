package httpapi

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/access/auth"
	"almanac/internal/domain"
)

// browser is a person using the web application, with their cookies.
type browser struct {
	f       *fixture
	cookies map[string]string
	address string            // from which requests come
	header  map[string]string // overrides the headers that browsers send
}

func (f *fixture) browser() *browser {
	return &browser{f: f, cookies: map[string]string{}, address: "192.0.2.1:1234"}
}

const sessionCookie = "__Host-almanac-session"

// as returns a browser in which a user is signed in.
func (f *fixture) as(t testing.TB, userID string) *browser {
	t.Helper()
	started, err := f.Accounts.Start(domain.WithOrigin(t.Context(), domain.Origin{Address: "192.0.2.1", RequestID: "test", Client: "test"}), userID, "test", "")
	if err != nil {
		t.Fatal(err)
	}
	b := f.browser()
	b.cookies[sessionCookie] = started.Token
	return b
}

func (b *browser) request(method, path, body string) *http.Request {
	var sent io.Reader
	if body != "" {
		sent = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, "https://almanac.test"+path, sent)
	r.RemoteAddr = b.address
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("X-Almanac-CSRF", "1")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, value := range b.header {
		if value == "" {
			r.Header.Del(name)
			continue
		}
		r.Header.Set(name, value)
	}
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	return r
}

// try sends a request and returns the status and body of the response, which must match the description.
func (b *browser) try(t *testing.T, method, path, body string) (status int, answer string) {
	t.Helper()
	r := b.request(method, path, body)
	w := httptest.NewRecorder()
	b.f.ServeHTTP(w, r)
	got := w.Result()
	for _, cookie := range got.Cookies() {
		if cookie.MaxAge < 0 {
			delete(b.cookies, cookie.Name)
		} else {
			b.cookies[cookie.Name] = cookie.Value
		}
	}
	raw := w.Body.Bytes()
	if got.StatusCode != http.StatusMethodNotAllowed {
		checkUIDescribed(t, b.request(method, path, body), got, raw)
	}
	return got.StatusCode, string(raw)
}

// ask sends a request that must return a status.
func (b *browser) ask(t *testing.T, method, path, body string, status int) string {
	t.Helper()
	got, answer := b.try(t, method, path, body)
	if got != status {
		t.Fatalf("%s %s: status %d, want %d: %s", method, path, got, status, answer)
	}
	return answer
}

const testPassword = "correct horse battery"

// testPasswordHash is computed once, because hashing is slow on purpose.
var testPasswordHash = auth.HashPassword(testPassword)

// newMember creates somebody with a password and a role in organization a.
func (f *fixture) newMember(t testing.TB, email string, role domain.Role) domain.User {
	t.Helper()
	user, err := f.Catalog.CreateAccount(t.Context(), email, "Name of "+email, testPasswordHash, domain.Actor{Kind: "cli"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Catalog.AppointMember(t.Context(), domain.OfOrganization("org-a"), user.ID, role, domain.Actor{Kind: "cli"}); err != nil {
		t.Fatal(err)
	}
	return user
}
