package secretbox

import "testing"

func TestDerive(t *testing.T) {
	one, other := New(testKey(t, "a")), New(testKey(t, "b"))
	first := one.Derive("signed URLs")
	if len(first) != keySize || first != New(testKey(t, "a")).Derive("signed URLs") {
		t.Error("a restart derives another secret")
	}
	if first == other.Derive("signed URLs") || first == one.Derive("something else") || first == string(one.key.bytes[:]) {
		t.Error("secrets are not apart")
	}
}
