package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestImportOTLPIntoAServer sends files to a server that is away, asks to wait, and refuses messages and spans. Every
// message must arrive once it is accepted, and what was refused is reported.
func TestImportOTLPIntoAServer(t *testing.T) {
	file := filepath.Join(t.TempDir(), "traces.json")
	if err := os.WriteFile(file, []byte(`{"n":1}`+"\n\n"+`{"n":2}`+"\n"+`{"n":3}`+"\n"+`{"n":4}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var accepted []string
	requests, last := 0, http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		name, secret, _ := r.BasicAuth()
		requests++
		switch {
		case r.URL.Path != "/api/public/otel/v1/traces" || r.Header.Get("Content-Type") != "application/json" || name != "pk" ||
			secret != "sk":
			w.WriteHeader(http.StatusNotFound)
		case requests == 1:
			w.WriteHeader(http.StatusServiceUnavailable)
		case requests == 2:
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		case string(body) == `{"n":2}`:
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"message":"no spans at all"}`))
		case string(body) == `{"n":4}` && last != http.StatusOK:
			w.Header().Set("Retry-After", "100000")
			w.WriteHeader(last)
		default:
			accepted = append(accepted, string(body))
			if string(body) == `{"n":3}` {
				_, _ = w.Write([]byte(`{"partialSuccess":{"rejectedSpans":"2","errorMessage":"without ids"}}`))
			}
		}
	}))
	defer server.Close()
	run := func(more ...string) (stdout, stderr string, code int) {
		return runHere(append([]string{"import", "otlp", file, "--url", server.URL, "--public-key", "pk", "--secret-key", "sk"},
			more...)...)
	}
	stdout, stderr, code := run()
	if want := []string{`{"n":1}`, `{"n":3}`, `{"n":4}`}; code != 0 || !slices.Equal(accepted, want) {
		t.Errorf("%d, accepted %v, want %v: %s", code, accepted, want, stderr)
	}
	for _, part := range []string{
		"Sent 4 messages of 1 files. Refused: 1 messages, and 2 spans of others.",
		"message 3: the server responded 400 Bad Request: no spans at all", "message 4: 2 spans cannot be used: without ids",
	} {
		if !strings.Contains(stdout, part) {
			t.Errorf("%q is not in %s", part, stdout)
		}
	}
	// A refused key, a message that is too long for the server, and a limit that ends much later end the import.
	for _, last = range []int{http.StatusForbidden, http.StatusRequestEntityTooLarge, http.StatusTooManyRequests} {
		if _, stderr, code := run(); code == 0 || !strings.Contains(stderr, "message 5: the server responded") ||
			!strings.Contains(stderr, "Run the same command again") {
			t.Errorf("%d: %d %s", last, code, stderr)
		}
	}
	if _, stderr, code := run("--restart"); code == 0 || !strings.Contains(stderr, "omit") {
		t.Errorf("%d %s", code, stderr)
	}
	if _, stderr, code := run("--max-message", "3B"); code == 0 || !strings.Contains(stderr, "longer than the limit") {
		t.Errorf("%d %s", code, stderr)
	}
}
