package scheduled

import (
	"context"
	"net"
	"time"
)

type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// unstalled connects to storages that may stall. The time until an answer begins is limited elsewhere; without this a storage that takes
// nothing more of a request, or stops within an answer, would hold its run forever.
type unstalled struct {
	connect  dialFunc
	patience time.Duration
}

func (u unstalled) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := u.connect(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &unstalledConn{c, u.patience}, nil
}

type unstalledConn struct {
	net.Conn
	patience time.Duration
}

// Write fails if nothing is taken for too long. What is read next is the answer, and that may take its time.
func (c *unstalledConn) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.patience)); err != nil {
		return 0, err
	}
	if err := c.SetReadDeadline(time.Time{}); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

// Read fails if an answer has begun and nothing more comes of it for too long.
func (c *unstalledConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		_ = c.SetReadDeadline(time.Now().Add(c.patience)) // of a connection that is closed meanwhile the next read says so
	}
	return n, err
}
