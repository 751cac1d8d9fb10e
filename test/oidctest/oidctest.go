// Package oidctest starts an identity provider for tests, the program in test/oidc, and signs people in on its pages as
// a browser would.
package oidctest

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"almanac/test/clock"
	"almanac/test/programs"
)

// The client that the provider knows, and the password of all people.
const (
	ClientID     = "almanac"
	ClientSecret = "s3cret"
	Password     = "correct horse"
)

// Provider is a running provider.
type Provider struct {
	Issuer string
	in     io.Writer
	out    *bufio.Scanner
}

// Start starts a provider, which is stopped at the end of the test. It responds with 503 until Serve is called.
func Start(t testing.TB) *Provider {
	t.Helper()
	path, err := programs.Build(t.Context(), "oidc")
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(path) //nolint:gosec // our own program
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	command.Stderr = t.Output()
	if err := clock.Start(command); err != nil { // with the clock of the test
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close() // stops it
		_ = command.Wait()
	})
	p := &Provider{in: in, out: bufio.NewScanner(out)}
	p.Issuer = p.line(t)
	return p
}

func (p *Provider) line(t testing.TB) string {
	t.Helper()
	if !p.out.Scan() {
		t.Fatalf("the identity provider ended: %v", p.out.Err())
	}
	return p.out.Text()
}

// Serve makes the provider serve with new keys and send browsers back to the given URI.
func (p *Provider) Serve(t testing.TB, redirectURI string) {
	t.Helper()
	if _, err := fmt.Fprintln(p.in, redirectURI); err != nil {
		t.Fatal(err)
	}
	if got := p.line(t); got != "ready" {
		t.Fatalf("the identity provider says %q", got)
	}
}

// NewBrowser returns a client that keeps cookies and does not follow redirects by itself.
func NewBrowser(t testing.TB) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// SignIn plays a person who is sent to the provider: it fills in the form and returns where the provider redirects the
// browser to.
func (p *Provider) SignIn(t testing.TB, browser *http.Client, location, email string) *url.URL {
	t.Helper()
	back, page := p.follow(t, browser, location)
	if back != nil {
		return back // the provider has a session of the person
	}
	form := regexp.MustCompile(`<form method="post" action="([^"]+)"`).FindStringSubmatch(page)
	if form == nil {
		t.Fatalf("the page of the provider has no form:\n%s", page)
	}
	provider, err := url.Parse(p.Issuer)
	if err != nil {
		t.Fatal(err)
	}
	action, err := provider.Parse(html.UnescapeString(form[1]))
	if err != nil {
		t.Fatal(err)
	}
	response, err := browser.PostForm(action.String(), url.Values{"login": {email}, "password": {Password}})
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close() //nolint:errcheck // only read
	next, err := response.Location()
	if err != nil {
		content, _ := io.ReadAll(response.Body)
		t.Fatalf("signing in as %s is answered %s:\n%s", email, response.Status, content)
	}
	if back, page = p.follow(t, browser, next.String()); back == nil {
		t.Fatalf("the provider keeps the browser:\n%s", page)
	}
	return back
}

// follow follows redirects within the provider, until one leads elsewhere or to a page.
func (p *Provider) follow(t testing.TB, browser *http.Client, location string) (elsewhere *url.URL, page string) {
	t.Helper()
	for range 10 {
		if !strings.HasPrefix(location, p.Issuer+"/") {
			u, err := url.Parse(location)
			if err != nil {
				t.Fatal(err)
			}
			return u, ""
		}
		response, err := browser.Get(location)
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(response.Body)
		if err := response.Body.Close(); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		next, err := response.Location()
		if err != nil {
			if response.StatusCode != http.StatusOK {
				t.Fatalf("%s is answered %s:\n%s", location, response.Status, content)
			}
			return nil, string(content)
		}
		location = next.String()
	}
	t.Fatal("the provider sends the browser around in circles")
	return nil, ""
}
