package server

import (
	"testing"

	"almanac/internal/config"
)

// TestGuardOptions checks which option allows what: nothing but the internet, and no proxy, without them.
func TestGuardOptions(t *testing.T) {
	for name, c := range map[string]struct {
		options        config.Serve
		private, proxy bool
	}{
		"none":                        {config.Serve{}, false, false},
		"--allow-private-connections": {config.Serve{AllowPrivateConnections: true}, true, false},
		"--proxy-from-environment":    {config.Serve{ProxyFromEnvironment: true}, false, true},
	} {
		if guard := newGuard(c.options); guard.Private != c.private || (guard.Proxy != nil) != c.proxy {
			t.Errorf("%s: private %t, proxy %t", name, guard.Private, guard.Proxy != nil)
		}
	}
}
