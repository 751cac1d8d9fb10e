package blob

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// newTransport returns a transport that waits up to a minute for a response. If dial is nil, it uses the default
// dialer. It uses HTTP/1, so that there is one request at a time per connection and a stalled request can be detected
// from its connection.
func newTransport(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // documented to be one
	t.ResponseHeaderTimeout = time.Minute
	t.Protocols = new(http.Protocols)
	t.Protocols.SetHTTP1(true)
	if dial != nil {
		t.DialContext = dial
	}
	return t
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
