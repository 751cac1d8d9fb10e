package netguard

import (
	"io"
	"net/http"
)

// ErrTooMuch means that an answer is longer than any that is expected.
var ErrTooMuch error = &tooMuchError{}

type tooMuchError struct{}

func (*tooMuchError) Error() string { return "it sends a longer answer than any that is expected" }

// NonRetriable tells Azure's client not to try again.
func (*tooMuchError) NonRetriable() {}

// ending ends answers that are too long.
type ending struct {
	next  http.RoundTripper
	bytes int64
}

// RoundTrip sends a request.
func (e ending) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := e.next.RoundTrip(r)
	if err == nil {
		response.Body = &endingBody{response.Body, e.bytes}
	}
	return response, err
}

// CloseIdleConnections closes connections that are not in use.
func (e ending) CloseIdleConnections() {
	if closer, ok := e.next.(interface{ CloseIdleConnections() }); ok {
		closer.CloseIdleConnections()
	}
}

// endingBody is a response body that fails if it is too long.
type endingBody struct {
	io.ReadCloser
	left int64
}

// Read returns what arrives next.
func (b *endingBody) Read(into []byte) (int, error) {
	if b.left < 0 {
		return 0, ErrTooMuch
	}
	if int64(len(into)) > b.left+1 {
		into = into[:b.left+1] // one byte more tells that it is too long
	}
	n, err := b.ReadCloser.Read(into)
	if b.left -= int64(n); b.left < 0 {
		return n - 1, ErrTooMuch
	}
	return n, err
}
