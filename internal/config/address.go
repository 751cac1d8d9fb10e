package config

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"
)

// Address is where clients reach the server.
type Address struct {
	// URL is the public URL without a trailing slash. It is empty if clients use the listen address.
	URL string
	// Path is the prefix of the path of every request, such as /almanac. It may be empty.
	Path string
}

// Address returns the address at which clients reach the server.
func (s *Serve) Address() Address { return AddressOf(s.PublicURL, s.BasePath) }

// AddressOf returns the address given by a public URL and a base path.
func AddressOf(publicURL, basePath string) Address {
	// Langfuse's variable for the URL may include the path of its sign-in.
	a := Address{URL: strings.TrimSuffix(strings.TrimRight(publicURL, "/"), "/api/auth"), Path: strings.TrimRight(basePath, "/")}
	if basePath == "" {
		a.Path = pathOf(a.URL)
	}
	return a
}

func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimRight(u.Path, "/")
}

func (s *Serve) validateAddresses() error {
	u, err := url.Parse(s.PublicURL)
	if err != nil || (s.PublicURL != "" && (u.Scheme == "" || u.Host == "")) {
		return fmt.Errorf("--public-url %q is not a URL such as https://almanac.example.org", s.PublicURL)
	}
	if s.PublicURL != "" && (u.RawQuery != "" || u.Fragment != "" || u.User != nil) {
		return fmt.Errorf("--public-url %q must have only a scheme, a host and a path", u.Redacted())
	}
	if err := s.validateOrigins(); err != nil {
		return err
	}
	a := s.Address()
	if !plainPath(a.Path) || !plainPath(pathOf(a.URL)) || s.BasePath != "" && !strings.HasPrefix(s.BasePath, "/") {
		return errors.New("--base-path, or the path of --public-url, is not a valid base path such as /almanac: " +
			"it must start with a slash and have only letters, digits and -._~ between slashes")
	}
	if public := pathOf(a.URL); a.Path != "" && s.PublicURL != "" && a.Path != public {
		return fmt.Errorf("--base-path %s and --public-url %s have different paths: "+
			"omit --base-path, or set it to / if a proxy strips the path", s.BasePath, s.PublicURL)
	}
	return nil
}

func (s *Serve) validateOrigins() error {
	if s.CORSOrigins == "*" || s.CORSOrigins == "none" {
		return nil
	}
	for origin := range strings.SplitSeq(s.CORSOrigins, ",") {
		origin = strings.TrimSpace(origin)
		u, err := url.Parse(origin)
		if err != nil || u.Scheme == "" || u.Host == "" || strings.Contains(origin, "*") || u.Scheme+"://"+
			u.Host != strings.TrimSuffix(origin, "/") {
			return fmt.Errorf("--cors-origins: %q is not an origin such as https://app.example.org; * allows all, none allows none", origin)
		}
	}
	return nil
}

// plainPath reports whether a path needs no escaping in a URL, in HTML or in YAML.
func plainPath(p string) bool {
	if p == "" {
		return true
	}
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/-._~", r)
	}
	return strings.TrimFunc(p, plain) == "" && path.Clean(p) == p
}
