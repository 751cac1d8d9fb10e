// Package clientaddr determines the address that a request comes from.
package clientaddr

import (
	"fmt"
	"net/netip"
	"strings"
)

// Proxies are the networks of trusted proxies. If there are none, a request comes from the other end of its connection,
// whatever its headers say.
type Proxies []netip.Prefix

// ParseProxies parses a comma-separated list of addresses and networks, such as "10.0.0.0/8, ::1".
func ParseProxies(list string) (Proxies, error) {
	var proxies Proxies
	for text := range strings.SplitSeq(list, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		network, err := netip.ParsePrefix(text)
		if err != nil {
			address, addressErr := netip.ParseAddr(text)
			if addressErr != nil {
				return nil, fmt.Errorf("%q is neither an address nor a network such as 10.0.0.0/8", text)
			}
			network = netip.PrefixFrom(address, address.BitLen())
		}
		proxies = append(proxies, network.Masked())
	}
	return proxies, nil
}

// maxHops is the maximum number of entries of X-Forwarded-For that are examined.
const maxHops = 32

// Address returns the address that a request comes from: the other end of its connection or, if that is a trusted
// proxy, the last address in X-Forwarded-For that is not one. Anything before that can be forged. The result is not
// valid if remote cannot be parsed.
func (p Proxies) Address(remote string, forwardedFor []string) netip.Addr {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	address := at.Addr().Unmap().WithZone("")
	rest := strings.Join(forwardedFor, ",")
	for hop := 0; hop < maxHops && p.trusts(address) && rest != ""; hop++ {
		comma := strings.LastIndexByte(rest, ',')
		next, err := netip.ParseAddr(strings.TrimSpace(rest[comma+1:]))
		if err != nil {
			break
		}
		address, rest = next.Unmap().WithZone(""), rest[:max(0, comma)]
	}
	return address
}

func (p Proxies) trusts(address netip.Addr) bool {
	for _, network := range p {
		if network.Contains(address) {
			return true
		}
	}
	return false
}

// Network returns the key by which clients are told apart: an IPv4 address itself, or the /64 network of an IPv6
// address, since one client has many of those.
func Network(address netip.Addr) string {
	if address.Is6() {
		if network, err := address.Prefix(64); err == nil {
			return network.String()
		}
	}
	if !address.IsValid() {
		return "unknown"
	}
	return address.String()
}
