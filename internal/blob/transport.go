package blob

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// newTransport returns a transport that waits a minute for an answer. If dial is nil, it connects as usual. It speaks HTTP/1: there is one
// request at a time on a connection, and one that stalls can be told from the connection.
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

// bodyGuard ends the reading of a request's body with the answer to it. Go's transport may go on reading for a while when a store
// answers early, with an error; the library starts again from the beginning of the same reader meanwhile, and each would
// take bytes away from the other.
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

// Read reads on, unless the answer is there.
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

// end waits for a read that is under way. There is none after it.
func (b *guardedBody) end() {
	b.mu.Lock()
	b.ended = true
	b.mu.Unlock()
}
