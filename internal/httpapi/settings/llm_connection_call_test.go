package settings

import "testing"

// TestDialer: a name may resolve to any address when it is dialled, whatever it resolved to when it was stored.
func TestDialer(t *testing.T) {
	control := (&Handlers{}).dialer().Control
	for address, allowed := range map[string]bool{
		"93.184.215.14:443": true, "[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:443": true,
		"127.0.0.1:80": false, "[::1]:80": false, "10.0.0.1:80": false, "169.254.169.254:80": false, "[::ffff:127.0.0.1]:80": false, "nonsense": false,
	} {
		if err := control("tcp", address, nil); (err == nil) != allowed {
			t.Errorf("%s: %v", address, err)
		}
	}
	if (&Handlers{PrivateConnections: true}).dialer().Control != nil {
		t.Error("the operator allows private addresses, and they are refused")
	}
}
