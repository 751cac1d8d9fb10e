package netguard

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

// slowError means that the other side accepts or sends too little. It is a timeout to those who ask.
type slowError struct{}

func (slowError) Error() string   { return "it accepts or sends data too slowly" }
func (slowError) Timeout() bool   { return true }
func (slowError) Temporary() bool { return true }

// paced ends requests whose other side is too slow. Each byte that is accepted or arrives earns time, up to patience;
// only the time that the other side takes is spent.
type paced struct {
	next     http.RoundTripper
	patience time.Duration
	rate     int64 // bytes a second; 0 for any
}

// RoundTrip sends a request.
func (p paced) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	pace := &pace{most: p.patience, left: p.patience, rate: p.rate, slow: func() { cancel(slowError{}) }}
	pace.run()
	request := r.Clone(ctx)
	if r.Body != nil && r.Body != http.NoBody {
		request.Body = &sentBody{r.Body, pace}
		if r.GetBody != nil {
			request.GetBody = func() (io.ReadCloser, error) {
				body, err := r.GetBody()
				return &sentBody{body, pace}, err
			}
		}
	}
	response, err := p.next.RoundTrip(request)
	pace.stop(0)
	if err != nil {
		err = ended(ctx, err)
		cancel(nil)
		return nil, err
	}
	response.Body = &receivedBody{ReadCloser: response.Body, pace: pace, ctx: ctx, cancel: cancel}
	return response, nil
}

// CloseIdleConnections closes connections that are not in use.
func (p paced) CloseIdleConnections() {
	if closer, ok := p.next.(interface{ CloseIdleConnections() }); ok {
		closer.CloseIdleConnections()
	}
}

// ended returns why a request failed.
func ended(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, slowError{}) {
		return cause
	}
	return err
}

// pace is the time that the other side of a request has left.
type pace struct {
	most time.Duration
	rate int64
	slow func()

	mu    sync.Mutex
	left  time.Duration
	since time.Time
	timer *time.Timer // nil while our side works
}

// run begins to spend time.
func (p *pace) run() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer == nil {
		p.since, p.timer = time.Now(), time.AfterFunc(p.left, p.slow)
	}
}

// stop ends spending time, and adds what a number of bytes earned.
func (p *pace) stop(bytes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
		p.left -= time.Since(p.since)
	}
	switch {
	case bytes > 0 && p.rate > 0:
		p.left = min(p.most, p.left+time.Duration(bytes)*time.Second/time.Duration(p.rate))
	case bytes > 0:
		p.left = p.most
	}
}

// renew gives the other side all its time again.
func (p *pace) renew() {
	p.stop(0)
	p.mu.Lock()
	p.left = p.most
	p.mu.Unlock()
}

// sentBody is a request body. The time until it is read again is what the other side took to accept it.
type sentBody struct {
	body io.ReadCloser
	pace *pace
}

// Read returns what is sent next.
func (b *sentBody) Read(into []byte) (int, error) {
	b.pace.stop(0)
	n, err := b.body.Read(into)
	b.pace.stop(n)
	if err != nil { // an answer may take its time
		b.pace.renew()
	}
	b.pace.run()
	return n, err
}

// Close closes the body.
func (b *sentBody) Close() error { return b.body.Close() }

// receivedBody is a response body.
type receivedBody struct {
	io.ReadCloser
	pace   *pace
	ctx    context.Context
	cancel context.CancelCauseFunc
}

// Read returns what arrives next.
func (b *receivedBody) Read(into []byte) (int, error) {
	b.pace.run()
	n, err := b.ReadCloser.Read(into)
	b.pace.stop(n)
	if err != nil && !errors.Is(err, io.EOF) {
		err = ended(b.ctx, err)
	}
	return n, err
}

// Close ends the request.
func (b *receivedBody) Close() error {
	err := b.ReadCloser.Close()
	b.pace.stop(0)
	b.cancel(nil)
	return err
}
