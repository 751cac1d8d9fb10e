package httpapi

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
)

// MCPHosts are the hosts, with or without a port, under which MCP clients may call the server in addition to that of
// its public URL. This defends against DNS rebinding, where a page calls the server under a name of its own. "*" allows
// every host.
type MCPHosts []string

// ReadMCPHosts parses a comma-separated list of hosts.
func ReadMCPHosts(list string) MCPHosts {
	var hosts MCPHosts
	for host := range strings.SplitSeq(list, ",") {
		if host = domain.LowerASCII(strings.TrimSpace(host)); host != "" {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// check returns an error if the Host or Origin header of a request is not allowed.
func (m MCPHosts) check(publicURL string, r *http.Request) error {
	if slices.Contains(m, "*") {
		return nil
	}
	const advice = " is not allowed: set --public-url or --mcp-allowed-hosts"
	if !m.allows(publicURL, r.Host) {
		return &respond.Error{Status: http.StatusForbidden, Message: "The header Host" + advice}
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return nil
	}
	if u, err := url.Parse(origin); err != nil || u.Host == "" || !domain.EqualFoldASCII(u.Host, r.Host) && !m.allows(publicURL, u.Host) {
		return &respond.Error{Status: http.StatusForbidden, Message: "The header Origin" + advice}
	}
	return nil
}

// allows reports whether a host is allowed. Without a public URL, localhost and all IP addresses are, since DNS
// rebinding cannot forge these.
func (m MCPHosts) allows(publicURL, host string) bool {
	host = domain.LowerASCII(host)
	name := (&url.URL{Host: host}).Hostname()
	if slices.Contains(m, host) || slices.Contains(m, name) {
		return true
	}
	if publicURL == "" {
		return name == "localhost" || net.ParseIP(name) != nil
	}
	public, err := url.Parse(publicURL)
	return err == nil && domain.EqualFoldASCII(withoutDefaultPort(public.Host, public.Scheme), withoutDefaultPort(host, public.Scheme))
}

// withoutDefaultPort removes the default port of the scheme, as browsers do.
func withoutDefaultPort(host, scheme string) string {
	return strings.TrimSuffix(host, map[string]string{"http": ":80", "https": ":443"}[scheme])
}
