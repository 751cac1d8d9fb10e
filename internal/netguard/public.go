package netguard

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
)

// ErrPrivate means that an address is not on the internet.
var ErrPrivate error = &privateError{}

type privateError struct{}

func (*privateError) Error() string {
	return "the address leads to this machine or its private network, which the operator does not allow"
}

// NonRetriable tells Azure's client not to try again.
func (*privateError) NonRetriable() {}

// IsPublicHost reports whether a host, a name or an address as in a URL, may be on the internet. Names are not resolved:
// their addresses can change, so connections are checked again when they are made.
func IsPublicHost(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if address, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return IsPublicAddress(address)
	}
	// The HTTP client maps names as browsers do: full-width digits become digits.
	host, err := idna.Lookup.ToASCII(host)
	if err != nil {
		return false
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	switch last {
	case "localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "private", "arpa":
		return false
	}
	// A name without a dot is local, and one whose last part is a number is an address in a form that some resolvers
	// accept, such as 127.1 and 0x7f.0.0.1.
	return strings.Contains(host, ".") && last != "" && !isHostNumber(last)
}

func isHostNumber(text string) bool {
	digits := "0123456789"
	if rest, ok := strings.CutPrefix(text, "0x"); ok {
		text, digits = rest, "0123456789abcdef"
	}
	return strings.Trim(text, digits) == ""
}

// IsPublicAddress reports whether an address is on the internet.
func IsPublicAddress(address netip.Addr) bool {
	address = address.Unmap().WithZone("")
	if !address.IsGlobalUnicast() || address.Is6() && !allocated().Contains(address) {
		return false
	}
	for _, network := range notPublic() {
		if network.Contains(address) {
			return false
		}
	}
	return true
}

// allocated returns the part of IPv6 from which addresses of the internet are allocated. Outside of it are, among
// others, loopback, link-local, unique local, site-local and multicast addresses, IPv4-compatible and IPv4-translated
// ones, and those of NAT64, which lead to IPv4 addresses.
func allocated() netip.Prefix { return netip.MustParsePrefix("2000::/3") }

// notPublic returns the networks that are not part of the internet or translate to such networks.
func notPublic() []netip.Prefix {
	return []netip.Prefix{
		netip.MustParsePrefix("0.0.0.0/8"),
		netip.MustParsePrefix("10.0.0.0/8"),
		netip.MustParsePrefix("100.64.0.0/10"), // carrier-grade NAT, cloud services
		netip.MustParsePrefix("127.0.0.0/8"),
		netip.MustParsePrefix("168.63.129.16/32"), // services of Azure for its virtual machines
		netip.MustParsePrefix("169.254.0.0/16"),   // link-local, cloud metadata services
		netip.MustParsePrefix("172.16.0.0/12"),
		netip.MustParsePrefix("192.0.0.0/24"),
		netip.MustParsePrefix("192.0.2.0/24"),
		netip.MustParsePrefix("192.31.196.0/24"),
		netip.MustParsePrefix("192.52.193.0/24"),
		netip.MustParsePrefix("192.88.99.0/24"), // 6to4 relays
		netip.MustParsePrefix("192.168.0.0/16"),
		netip.MustParsePrefix("192.175.48.0/24"),
		netip.MustParsePrefix("198.18.0.0/15"),
		netip.MustParsePrefix("198.51.100.0/24"),
		netip.MustParsePrefix("203.0.113.0/24"),
		netip.MustParsePrefix("224.0.0.0/3"),
		netip.MustParsePrefix("2001::/23"), // Teredo, benchmarks, overlays
		netip.MustParsePrefix("2001:db8::/32"),
		netip.MustParsePrefix("2002::/16"), // 6to4
		netip.MustParsePrefix("2620:4f:8000::/48"),
		netip.MustParsePrefix("3fff::/20"),
	}
}

// isOwn reports whether an address is one of this machine's: the machine would then use it to reach itself. Connecting a
// UDP socket sends nothing.
func isOwn(address netip.Addr) bool {
	c, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(netip.AddrPortFrom(address, 9)))
	if err != nil {
		return false
	}
	defer c.Close()                                                   //nolint:errcheck // nothing was sent
	local, ok := netip.AddrFromSlice(c.LocalAddr().(*net.UDPAddr).IP) //nolint:forcetypeassert // documented to be one
	return ok && local.Unmap() == address.Unmap()
}

// WithoutAddress removes the URL from an error of the HTTP client, as it may contain a key.
func WithoutAddress(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}
