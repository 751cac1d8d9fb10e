package clientaddr

import "testing"

func TestAddress(t *testing.T) {
	trusted, err := ParseProxies("10.0.0.0/8, ::1,, 192.0.2.7")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, remote string
		forwarded    []string
		proxies      Proxies
		want         string
	}{
		{"no proxies are trusted", "10.0.0.1:5", []string{"1.2.3.4"}, nil, "10.0.0.1"},
		{"a stranger who names somebody", "203.0.113.9:5", []string{"1.2.3.4"}, trusted, "203.0.113.9"},
		{"a proxy", "10.0.0.1:5", []string{"1.2.3.4"}, trusted, "1.2.3.4"},
		{"what the client made up stands in front", "10.0.0.1:5", []string{"8.8.8.8, 1.2.3.4"}, trusted, "1.2.3.4"},
		{"two proxies, two headers", "10.0.0.1:5", []string{"8.8.8.8,1.2.3.4", "192.0.2.7"}, trusted, "1.2.3.4"},
		{"a proxy on this machine", "[::1]:5", []string{" 2001:db8::1 "}, trusted, "2001:db8::1"},
		{"a proxy that says nothing", "10.0.0.1:5", nil, trusted, "10.0.0.1"},
		{"a proxy that says nonsense", "10.0.0.1:5", []string{"x"}, trusted, "10.0.0.1"},
		{"IPv4 in IPv6", "[::ffff:10.0.0.1]:5", []string{"::ffff:1.2.3.4"}, trusted, "1.2.3.4"},
		{"nothing but proxies", "10.0.0.1:5", []string{"10.0.0.3, 10.0.0.2"}, trusted, "10.0.0.3"},
		{"no address", "@", []string{"1.2.3.4"}, trusted, "invalid IP"},
	} {
		if got := c.proxies.Address(c.remote, c.forwarded).String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	for _, list := range []string{"x", "10.0.0.0/33", "10.0.0.1;10.0.0.2"} {
		if _, err := ParseProxies(list); err == nil {
			t.Errorf("%q is accepted", list)
		}
	}
}

func TestNetwork(t *testing.T) {
	for remote, want := range map[string]string{
		"1.2.3.4:5": "1.2.3.4", "[2001:db8::1]:5": "2001:db8::/64", "[2001:db8::2:3]:5": "2001:db8::/64", "": "unknown",
	} {
		if got := Network(Proxies(nil).Address(remote, nil)); got != want {
			t.Errorf("%q is of %s, want %s", remote, got, want)
		}
	}
}
