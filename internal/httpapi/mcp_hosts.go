package httpapi

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/httpapi/respond"
)

// MCPHosts are hosts that MCP clients may call the server by, beside that of its public URL, with or without a port. A page
// whose name was made to point at this machine (DNS rebinding) calls it by another. "*" allows every host.
type MCPHosts []string

// ReadMCPHosts reads a list of hosts that is separated by commas.
func ReadMCPHosts(list string) MCPHosts {
	var hosts MCPHosts
	for host := range strings.SplitSeq(list, ",") {
		if host = strings.ToLower(strings.TrimSpace(host)); host != "" {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// check refuses a request by its headers Host and Origin.
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
	if u, err := url.Parse(origin); err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) && !m.allows(publicURL, u.Host) {
		return &respond.Error{Status: http.StatusForbidden, Message: "The header Origin" + advice}
	}
	return nil
}

// allows reports whether a host is one of ours. Without a public URL that are localhost and all addresses, which no name can
// be made to look like.
func (m MCPHosts) allows(publicURL, host string) bool {
	host = strings.ToLower(host)
	name := (&url.URL{Host: host}).Hostname()
	if slices.Contains(m, host) || slices.Contains(m, name) {
		return true
	}
	if publicURL == "" {
		return name == "localhost" || net.ParseIP(name) != nil
	}
	public, err := url.Parse(publicURL)
	return err == nil && strings.EqualFold(withoutDefaultPort(public.Host, public.Scheme), withoutDefaultPort(host, public.Scheme))
}

// withoutDefaultPort returns a host as browsers write it.
func withoutDefaultPort(host, scheme string) string {
	return strings.TrimSuffix(host, map[string]string{"http": ":80", "https": ":443"}[scheme])
}
