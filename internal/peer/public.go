package peer

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// IsPublicHost reports whether a host, a name or an address as in a URL, may be on the internet. It keeps clients from
// making the server connect to what only the server can reach. Names are not resolved: their addresses can change, so
// the caller must also check the address with IsPublicAddress when it connects.
func IsPublicHost(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if address, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return IsPublicAddress(address)
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
	for _, network := range notPublic() {
		if network.Contains(address) {
			return false
		}
	}
	return address.IsValid() && address.IsGlobalUnicast()
}

// notPublic returns the networks that are not part of the internet or translate to such networks.
func notPublic() []netip.Prefix {
	return []netip.Prefix{
		netip.MustParsePrefix("0.0.0.0/8"),
		netip.MustParsePrefix("10.0.0.0/8"),
		netip.MustParsePrefix("100.64.0.0/10"), // carrier-grade NAT, cloud services
		netip.MustParsePrefix("127.0.0.0/8"),
		netip.MustParsePrefix("169.254.0.0/16"), // link-local, cloud metadata services
		netip.MustParsePrefix("172.16.0.0/12"),
		netip.MustParsePrefix("192.0.0.0/24"),
		netip.MustParsePrefix("192.0.2.0/24"),
		netip.MustParsePrefix("192.88.99.0/24"),
		netip.MustParsePrefix("192.168.0.0/16"),
		netip.MustParsePrefix("198.18.0.0/15"),
		netip.MustParsePrefix("198.51.100.0/24"),
		netip.MustParsePrefix("203.0.113.0/24"),
		netip.MustParsePrefix("224.0.0.0/3"),
		netip.MustParsePrefix("::/96"),
		netip.MustParsePrefix("64:ff9b::/96"), // NAT64
		netip.MustParsePrefix("64:ff9b:1::/48"),
		netip.MustParsePrefix("100::/64"),
		netip.MustParsePrefix("2001::/23"),
		netip.MustParsePrefix("2001:db8::/32"),
		netip.MustParsePrefix("2002::/16"), // 6to4
		netip.MustParsePrefix("fc00::/7"),
		netip.MustParsePrefix("fe80::/10"),
		netip.MustParsePrefix("fec0::/10"),
		netip.MustParsePrefix("ff00::/8"),
	}
}

// PublicDialer returns a dialer that connects only to the internet. It checks the address after name resolution.
func PublicDialer(timeout time.Duration) *net.Dialer {
	return &net.Dialer{Timeout: timeout, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil || !IsPublicAddress(at.Addr()) {
			return ErrPrivate
		}
		return nil
	}}
}

// ErrPrivate means that an address is not on the internet.
var ErrPrivate = errors.New("the address leads to this machine or its private network, which the operator does not allow")

// WithoutAddress removes the URL from an error of the HTTP client, as it may contain a key.
func WithoutAddress(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}
