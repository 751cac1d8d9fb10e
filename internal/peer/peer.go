// Package peer tells from which address a request comes, and which addresses the server itself may connect to.
package peer

import (
	"fmt"
	"net/netip"
	"strings"
)

// Proxies are the networks of the proxies that the operator trusts to say whom a request is from. Without any, a request is from
// whoever is at the other end of its connection, whatever its headers say.
type Proxies []netip.Prefix

// ParseProxies reads a list of addresses and networks, such as "10.0.0.0/8, ::1", separated by commas.
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

// maxHops is how many entries of X-Forwarded-For are looked at.
const maxHops = 32

// Address returns whom a request is from: the other end of its connection or, if that is a trusted proxy, the last address in
// X-Forwarded-For that is not one. What stands before that anybody can make up. It is not valid if nothing of it can be read.
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

// Network returns what stands for an address where clients are told apart: an IPv4 address is itself, of an IPv6 address the
// network counts, since one client has many of those.
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
