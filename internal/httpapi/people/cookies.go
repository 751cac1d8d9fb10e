package people

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"almanac/internal/access/accounts"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

const (
	// secureCookie holds the session token. Its prefix makes browsers reject it from other hosts and over plain HTTP.
	secureCookie = "__Host-almanac-session"
	// plainCookie is used over plain HTTP, where browsers would reject secureCookie.
	plainCookie = "almanac-session"
)

// Cookies reads and sets the session cookie, and checks which requests may use it.
type Cookies struct {
	Address endpoint.Address
	// InsecureHTTP allows people to sign in over plain HTTP from other machines.
	InsecureHTTP bool
}

func (k Cookies) isSecure(r *http.Request) bool {
	return strings.HasPrefix(k.Address.BaseURL(r), "https://")
}

func (k Cookies) name(r *http.Request) string {
	if k.isSecure(r) {
		return secureCookie
	}
	return plainCookie
}

// Token returns the session token of a request, or "" if it has none.
func (k Cookies) Token(r *http.Request) string {
	cookie, err := r.Cookie(k.name(r))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// Allowed returns an error if others on the network could read a password or cookie sent with the request.
func (k Cookies) Allowed(r *http.Request) error {
	if k.isSecure(r) || k.InsecureHTTP || isLocal(r) {
		return nil
	}
	return &respond.Error{
		Status: http.StatusForbidden, Code: "insecure_connection",
		Message: "Sign-in requires HTTPS, but this connection is not encrypted. The operator can set up TLS, or allow it with " +
			"--insecure-http.",
	}
}

// isLocal reports whether a request was made on this machine and not forwarded by a proxy.
func isLocal(r *http.Request) bool {
	if r.Header.Get("X-Forwarded-For") != "" || r.Header.Get("Forwarded") != "" {
		return false
	}
	remote, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !remote.Addr().Unmap().IsLoopback() {
		return false
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && address.IsLoopback() || host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// Set sets the session cookie.
func (k Cookies) Set(c *endpoint.Call, started accounts.Started) {
	c.SetCookie(&http.Cookie{ //nolint:gosec // Secure wherever browsers keep such a cookie
		Name: k.name(c.Request()), Value: started.Token, Path: "/", Expires: started.ExpiresAt,
		HttpOnly: true, Secure: k.isSecure(c.Request()), SameSite: http.SameSiteLaxMode,
	})
}

// Clear removes the session cookie.
func (k Cookies) Clear(c *endpoint.Call) {
	c.SetCookie(&http.Cookie{ //nolint:gosec // as it was set
		Name: k.name(c.Request()), Path: "/", MaxAge: -1, HttpOnly: true, Secure: k.isSecure(c.Request()), SameSite: http.SameSiteLaxMode,
	})
}

// CheckOrigin rejects a request that may change something unless it comes from one of this server's pages. Forms cannot
// send the header, and scripts of other origins only after a CORS preflight, which is always refused.
func (k Cookies) CheckOrigin(r *http.Request) error {
	if r.Method == http.MethodGet {
		return nil
	}
	if !k.isOurs(r) || r.Header.Get("X-Almanac-Csrf") != "1" {
		return &respond.Error{
			Status: http.StatusForbidden, Code: "foreign_request",
			Message: "The request does not come from a page of this server. Reload the page and try again.",
		}
	}
	if r.ContentLength != 0 && !endpoint.IsJSON(r.Header.Get("Content-Type")) {
		return respond.InvalidRequest("The body must be JSON.")
	}
	return nil
}

func (k Cookies) isOurs(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	origin, err := url.Parse(r.Header.Get("Origin"))
	if err != nil || origin.Host == "" {
		return false
	}
	if domain.EqualFoldASCII(origin.Host, r.Host) {
		return true
	}
	public, err := url.Parse(k.Address.URL)
	return err == nil && public.Host != "" && domain.EqualFoldASCII(origin.Host, public.Host) && origin.Scheme == public.Scheme
}
