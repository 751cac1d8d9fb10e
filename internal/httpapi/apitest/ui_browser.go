package apitest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/access/auth"
	"almanac/internal/domain"
)

// Browser is a person using the web application, with their cookies.
type Browser struct {
	F       *Fixture
	Cookies map[string]string
	Address string            // from which requests come
	Header  map[string]string // overrides the headers that browsers send
}

// Browser returns a browser in which nobody is signed in.
func (f *Fixture) Browser() *Browser {
	return &Browser{F: f, Cookies: map[string]string{}, Address: "192.0.2.1:1234"}
}

// SessionCookie is the name of the cookie of a session.
const SessionCookie = "__Host-almanac-session"

// As returns a browser in which a user is signed in.
func (f *Fixture) As(t testing.TB, userID string) *Browser {
	t.Helper()
	started, err := f.Accounts.Start(domain.WithOrigin(t.Context(), domain.Origin{Address: "192.0.2.1", RequestID: "test", Client: "test"}),
		userID, "test", "")
	if err != nil {
		t.Fatal(err)
	}
	b := f.Browser()
	b.Cookies[SessionCookie] = started.Token
	return b
}

// Request returns a request with the cookies of the browser.
func (b *Browser) Request(method, path, body string) *http.Request {
	var sent io.Reader
	if body != "" {
		sent = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, "https://almanac.test"+path, sent)
	r.RemoteAddr = b.Address
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("X-Almanac-CSRF", "1")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, value := range b.Header {
		if value == "" {
			r.Header.Del(name)
			continue
		}
		r.Header.Set(name, value)
	}
	for name, value := range b.Cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	return r
}

// Try sends a request and returns the status and body of the response, which must match the description.
func (b *Browser) Try(t *testing.T, method, path, body string) (status int, answer string) {
	t.Helper()
	r := b.Request(method, path, body)
	w := httptest.NewRecorder()
	b.F.ServeHTTP(w, r)
	got := w.Result()
	for _, cookie := range got.Cookies() {
		if cookie.MaxAge < 0 {
			delete(b.Cookies, cookie.Name)
		} else {
			b.Cookies[cookie.Name] = cookie.Value
		}
	}
	raw := w.Body.Bytes()
	if got.StatusCode != http.StatusMethodNotAllowed {
		checkUIDescribed(t, b.Request(method, path, body), got, raw)
	}
	return got.StatusCode, string(raw)
}

// Ask sends a request that must return a status.
func (b *Browser) Ask(t *testing.T, method, path, body string, status int) string {
	t.Helper()
	got, answer := b.Try(t, method, path, body)
	if got != status {
		t.Fatalf("%s %s: status %d, want %d: %s", method, path, got, status, answer)
	}
	return answer
}

// TestPassword is the password of all users.
const TestPassword = "correct horse battery"

// TestPasswordHash is computed once, because hashing is slow on purpose.
var TestPasswordHash = auth.HashPassword(TestPassword)

// NewMember creates somebody with a password and a role in organization a.
func (f *Fixture) NewMember(t testing.TB, email string, role domain.Role) domain.User {
	t.Helper()
	user, err := f.Catalog.CreateAccount(t.Context(), email, "Name of "+email, TestPasswordHash, domain.Actor{Kind: "cli"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Catalog.AppointMember(t.Context(), domain.OfOrganization("org-a"), user.ID, role,
		domain.Actor{Kind: "cli"}); err != nil {
		t.Fatal(err)
	}
	return user
}
