package endpoint

import (
	"net/http"
	"net/url"
	"path"
	"strings"
)

// Address says where clients reach this server. Whatever leads back to it is made here.
type Address struct {
	// URL is the public URL, without a slash at its end; empty: where a client reached the server with its request.
	URL string
	// Base is what the paths of all requests begin with, such as /almanac; empty for nothing.
	Base string
}

// prefix is what a path of ours begins with where clients see it. A proxy may take it away before it reaches us.
func (d Address) prefix() string {
	if d.URL == "" {
		return d.Base
	}
	u, err := url.Parse(d.URL)
	if err != nil {
		return d.Base
	}
	return strings.TrimRight(u.EscapedPath(), "/")
}

// Links knows how paths of ours begin where clients see them.
type Links struct {
	Address
	Prefix string
}

// Links returns what makes links to this address.
func (d Address) Links() Links { return Links{Address: d, Prefix: d.prefix()} }

// To returns a path of ours as clients have to ask for it.
func (l Links) To(path string) string { return l.Prefix + path }

// BaseURL returns the address under which a client reaches this server.
func (d Address) BaseURL(r *http.Request) string {
	if d.URL != "" {
		return d.URL
	}
	scheme := "http"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return (&url.URL{Scheme: scheme, Host: r.Host}).String() + d.Base
}

// Below returns an address as it is below a base path, or false if it is elsewhere.
func Below(u *url.URL, base string) (*url.URL, bool) {
	if base == "" {
		return u, true
	}
	inside, ok := strings.CutPrefix(u.Path, base)
	insideRaw, okRaw := strings.CutPrefix(u.EscapedPath(), base) // the base has nothing that would be escaped
	if !ok || !okRaw || inside != "" && inside[0] != '/' {
		return nil, false
	}
	if inside == "" {
		inside, insideRaw = "/", "/"
	}
	stripped := *u
	stripped.Path, stripped.RawPath = inside, insideRaw
	return &stripped, true
}

// Cleaned returns where a path with empty parts, or with parts that lead up, is redirected to.
func Cleaned(u *url.URL) (target string, ok bool) {
	escaped := u.EscapedPath()
	if !strings.Contains(escaped, "//") && !strings.Contains(escaped, "/.") {
		return "", false // nothing to clean, as nearly always
	}
	if target = path.Clean("/" + escaped); target == escaped {
		return "", false
	}
	if u.RawQuery != "" {
		target += "?" + u.RawQuery
	}
	return target, true
}
