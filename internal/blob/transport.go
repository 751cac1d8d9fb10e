package blob

import (
	"io"
	"net/http"
	"sync"
	"time"

	"almanac/internal/netguard"
)

// TrustedClient returns a client for a store that the operator configured. It waits up to a minute for a response.
func TrustedClient() *netguard.Client {
	t := netguard.TrustedTransport()
	t.ResponseHeaderTimeout = time.Minute
	t.Protocols = new(http.Protocols)
	t.Protocols.SetHTTP1(true) // so that a stalled request does not delay others
	return netguard.ExactClient(t, 0)
}

// bodyGuard stops the reading of a request body when the response arrives. Go's transport may continue to read for a
// while if a store responds early with an error; meanwhile the library starts over with the same reader, and each would
// take bytes from the other.
type bodyGuard struct{ http.RoundTripper }

// RoundTrip sends a request.
func (g bodyGuard) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return g.RoundTripper.RoundTrip(r)
	}
	body := &guardedBody{body: r.Body}
	defer body.end()
	guarded := r.Clone(r.Context())
	guarded.Body = body
	return g.RoundTripper.RoundTrip(guarded)
}

type guardedBody struct {
	mu    sync.Mutex
	body  io.ReadCloser
	ended bool
}

// Read reads from the body, unless the response has arrived.
func (b *guardedBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return 0, http.ErrBodyReadAfterClose
	}
	return b.body.Read(p)
}

// Close closes the body.
func (b *guardedBody) Close() error {
	b.end()
	return b.body.Close()
}

// end waits for a concurrent read and prevents further ones.
func (b *guardedBody) end() {
	b.mu.Lock()
	b.ended = true
	b.mu.Unlock()
}
