package server

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
)

// streams bounds the requests that are served concurrently. Over HTTP/2 a connection has many of them, each of which
// takes memory for as long as its client does not receive the response, so a limit of connections alone says little.
// Beyond as many requests as there may be connections, each connection has only a few.
type streams struct {
	most int64
	now  atomic.Int64
}

// streamsAlways is the number of concurrent requests that every connection may have.
const streamsAlways = 4

type streamsKey struct{}

// context gives a connection its count. It is the ConnContext function of the server.
func (*streams) context(ctx context.Context, _ net.Conn) context.Context {
	return context.WithValue(ctx, streamsKey{}, new(atomic.Int64))
}

// bound returns the handler for as many requests as are allowed. The response to others has no body: its client need
// not receive anything for it to end.
func (s *streams) bound(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		own, known := r.Context().Value(streamsKey{}).(*atomic.Int64)
		if !known {
			own = new(atomic.Int64)
		}
		all, mine := s.now.Add(1), own.Add(1)
		defer func() {
			s.now.Add(-1)
			own.Add(-1)
		}()
		if mine > streamsAlways && all > s.most {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		h.ServeHTTP(w, r)
		if r.ProtoMajor > 1 {
			// A short response is sent only after the handler, and the request would not be counted until then.
			_ = http.NewResponseController(w).Flush() // if this fails, the client is gone
		}
	})
}
