package netguard

import (
	"net/netip"
	"testing"
)

func TestIsPublicHost(t *testing.T) {
	for _, host := range []string{
		"api.openai.com", "API.OpenAI.com.", "8.8.8.8", "2606:4700::1111", "[2606:4700::1111]", "xn--bcher-kva.example.org", "a-1.b2",
		"172.32.0.1", "100.128.0.1", "internal.example.org", "localhost.example.org", "::ffff:8.8.8.8",
	} {
		if !IsPublicHost(host) {
			t.Errorf("%s is refused", host)
		}
	}
	for _, host := range []string{
		"", ".", "localhost", "LOCALHOST.", "app.localhost", "printer.local", "metadata.google.internal", "router", "nas.lan",
		"1.0.0.127.in-addr.arpa",
		"127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.1.", "0.0.0.0", "0", "10.1.2.3",
		"172.16.0.1", "172.31.255.255",
		"192.168.1.1", "169.254.169.254", "100.64.0.1", "100.100.100.200", "224.0.0.1", "255.255.255.255", "198.18.0.1",
		"::", "::1", "[::1]", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254",
		"ff02::1", "64:ff9b::a00:1",
		"2002:7f00:1::", "2001:db8::1",
	} {
		if IsPublicHost(host) {
			t.Errorf("%s is let through", host)
		}
	}
}

func FuzzIsPublicHost(f *testing.F) {
	f.Add("127.0.0.1")
	f.Add("api.openai.com")
	f.Add("[fe80::1%25eth0]")
	f.Fuzz(func(t *testing.T, host string) {
		public := IsPublicHost(host)
		if address, err := netip.ParseAddr(host); err == nil && public &&
			(address.IsLoopback() || address.IsPrivate() || address.IsLinkLocalUnicast() || address.IsUnspecified()) {
			t.Errorf("%s is let through", host)
		}
	})
}
