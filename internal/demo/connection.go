package demo

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// connection sends one request after the other to one server, over HTTP/1.1. The client of net/http can do more, which
// nothing else in the program needs: it would make the program half a megabyte larger.
type connection struct {
	server *url.URL
	dial   func(ctx context.Context, network, address string) (net.Conn, error)
	secure *tls.Config
	open   net.Conn // nil for none
	reader *bufio.Reader
}

const (
	// longestAnswer is how much of an answer is read; more than that is nothing that we asked for.
	longestAnswer = 1 << 20
	// longestExchange is how long a request and its answer may take.
	longestExchange = time.Minute
)

func newConnection(server *url.URL) *connection {
	return &connection{
		server: server, dial: new(net.Dialer).DialContext,
		secure: &tls.Config{ServerName: server.Hostname(), MinVersion: tls.VersionTLS12},
	}
}

// exchange sends a request and returns its answer.
func (c *connection) exchange(ctx context.Context, newRequest func() (*http.Request, error)) (*answer, error) {
	ctx, cancel := context.WithTimeout(ctx, longestExchange)
	defer cancel()
	reused := c.open != nil
	a, err := c.try(ctx, newRequest)
	if err != nil && reused && ctx.Err() == nil { // the server may have closed it meanwhile
		a, err = c.try(ctx, newRequest)
	}
	return a, err
}

func (c *connection) try(ctx context.Context, newRequest func() (*http.Request, error)) (*answer, error) {
	request, err := newRequest()
	if err != nil {
		return nil, err
	}
	if c.open == nil {
		if err := c.connect(ctx); err != nil {
			return nil, err
		}
	}
	conn := c.open
	// Whoever waits for the connection is woken when the context is done.
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	a, last, err := c.sendAndRead(request)
	if !stop() && err != nil {
		err = ctx.Err()
	}
	if err != nil || last {
		c.close()
	}
	return a, err
}

func (c *connection) connect(ctx context.Context) error {
	port := c.server.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[c.server.Scheme]
	}
	conn, err := c.dial(ctx, "tcp", net.JoinHostPort(c.server.Hostname(), port))
	if err != nil {
		return err
	}
	if c.server.Scheme == "https" {
		secure := tls.Client(conn, c.secure)
		if err := secure.HandshakeContext(ctx); err != nil {
			_ = conn.Close()
			return err
		}
		conn = secure
	}
	c.open, c.reader = conn, bufio.NewReader(conn)
	return nil
}

// sendAndRead sends a request and reads its answer. It says whether it is the last on this connection.
func (c *connection) sendAndRead(r *http.Request) (a *answer, last bool, err error) {
	if err := r.Write(c.open); err != nil {
		return nil, true, err
	}
	response, err := http.ReadResponse(c.reader, r)
	if err != nil {
		return nil, true, err
	}
	defer response.Body.Close() //nolint:errcheck // only read
	body, err := io.ReadAll(io.LimitReader(response.Body, longestAnswer+1))
	if err == nil && len(body) > longestAnswer {
		err = fmt.Errorf("the answer is longer than %d bytes", longestAnswer)
	}
	return &answer{status: response.StatusCode, header: response.Header, body: body}, response.Close, err
}

func (c *connection) close() {
	if c.open != nil {
		_ = c.open.Close()
		c.open = nil
	}
}
