package cli

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestRefusalIsPrintable: what a server says reaches the terminal as text, whether it is JSON or not.
func TestRefusalIsPrintable(t *testing.T) {
	for _, body := range []string{`{"message":"no\u001b]0;title\u0007 \u202ekey"}`, "no\x1b]0;title\x07 \u202ekey"} {
		err := refusal(&http.Response{Status: "403 Forbidden", StatusCode: http.StatusForbidden, Body: io.NopCloser(strings.NewReader(body))})
		if got, want := err.Error(), "the server responded 403 Forbidden: no?]0;title? ?key"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
