package netguard

import "testing"

// TestNoProxyByItself: without the option of the operator, the proxy of the environment is not used. A process reads that
// environment once, so the transports are looked at instead.
func TestNoProxyByItself(t *testing.T) {
	for _, kind := range Kinds() {
		if newTransport(kind.limits()).Proxy != nil {
			t.Errorf("requests of kind %d would use the proxy of the environment", kind)
		}
	}
}
