package endpoint

import (
	"net/http"
	"net/url"
	"path"
	"strings"
)

// Address says where clients reach this server. All URLs that point back to it are built here.
type Address struct {
	// URL is the public URL without a trailing slash. If it is empty, the URL is derived from each request.
	URL string
	// Base is the prefix of all request paths, such as /almanac; empty for none.
	Base string
}

// prefix returns the path prefix that clients see. A proxy may strip it before a request arrives.
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

// Links turns server paths into paths as clients see them.
type Links struct {
	Address
	Prefix string
}

// Links returns the Links of this address.
func (d Address) Links() Links { return Links{Address: d, Prefix: d.prefix()} }

// To returns a server path as clients must request it.
func (l Links) To(path string) string { return l.Prefix + path }

// BaseURL returns the URL under which a client reaches this server.
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

// Below returns a URL with the base path removed, or false if it is not below the base path.
func Below(u *url.URL, base string) (*url.URL, bool) {
	if base == "" {
		return u, true
	}
	inside, ok := strings.CutPrefix(u.Path, base)
	insideRaw, okRaw := strings.CutPrefix(u.EscapedPath(), base) // the base path needs no escaping
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

// Cleaned returns the redirect target for a path with empty, "." or ".." segments.
func Cleaned(u *url.URL) (target string, ok bool) {
	escaped := u.EscapedPath()
	if !strings.Contains(escaped, "//") && !strings.Contains(escaped, "/.") {
		return "", false // nothing to clean: the usual case
	}
	if target = path.Clean("/" + escaped); target == escaped {
		return "", false
	}
	if u.RawQuery != "" {
		target += "?" + u.RawQuery
	}
	return target, true
}
