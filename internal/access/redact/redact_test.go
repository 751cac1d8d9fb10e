package redact

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
)

const secret = `sk-"top" secret/key+1234567890`

func TestFrom(t *testing.T) {
	s := New(secret, "", "abc")
	for _, text := range []string{
		secret, url.QueryEscape(secret), url.PathEscape(secret), `sk-\"top\" secret/key+1234567890`,
		base64.StdEncoding.EncodeToString([]byte(secret)), base64.URLEncoding.EncodeToString([]byte(secret)),
	} {
		if got := s.From("the key " + text + " abc"); !strings.HasPrefix(got, "the key •••") || !strings.HasSuffix(got, " abc") ||
			len(got) > len("the key ••• abc")+2 {
			t.Errorf("of %q is left %q", text, got)
		}
	}
}

// TestShort puts a secret at every place around the end of what is shown.
func TestShort(t *testing.T) {
	s := New(secret)
	for before := range 600 {
		got := s.Short(strings.Repeat("x", before)+secret+strings.Repeat("y", 100), 500)
		if strings.Contains(got, secret[:shortest]) || len(got) > 503 {
			t.Errorf("after %d bytes it is %q", before, got[max(0, len(got)-50):])
		}
	}
}

// TestFromStart cuts a text at every place within a secret.
func TestFromStart(t *testing.T) {
	for n := shortest; n < len(secret); n++ {
		if got := New(secret).FromStart("key " + secret[:n]); got != "key •••" {
			t.Errorf("of %d bytes is left %q", n, got)
		}
	}
}
