package domain

import "testing"

// TestEmails: the Kelvin sign and its like are not the letters that they resemble.
func TestEmails(t *testing.T) {
	for _, c := range [][2]string{
		{" Ada@Example.ORG ", "ada@example.org"}, {"\u212aate@example.org", "\u212aate@example.org"}, {"Ö@example.org", "Ö@example.org"},
	} {
		if got := NormalEmail(c[0]); got != c[1] || !IsEmail(got) {
			t.Errorf("%q becomes %q, want %q", c[0], got, c[1])
		}
	}
	for _, email := range []string{
		"", "@", "ada", "@example.org", "ada@", "a@b@c", "a b@example.org", "a@exam ple.org", "a\x00@example.org", "a@\u212aelvin.org",
		"a@exämple.org", "a@example.org\n",
	} {
		if IsEmail(email) {
			t.Errorf("%q passes for an address", email)
		}
	}
	if !EqualFoldASCII("Example.org", "EXAMPLE.ORG") || EqualFoldASCII("kelvin.org", "\u212aelvin.org") {
		t.Error("hosts are compared with letters that are not in ASCII")
	}
}
