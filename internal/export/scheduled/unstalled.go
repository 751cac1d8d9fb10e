package scheduled

import (
	"context"
	"net"
	"time"
)

type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// unstalled dials connections that time out when a storage stalls. The time until a response begins is limited
// elsewhere; without this, a storage that stops accepting a request, or pauses within a response, would block its run
// forever.
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

// Write fails if no data is accepted for too long. It clears the read deadline, since the response to come may take its
// time.
func (c *unstalledConn) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.patience)); err != nil {
		return 0, err
	}
	if err := c.SetReadDeadline(time.Time{}); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

// Read fails if a response has begun and no more of it arrives for too long.
func (c *unstalledConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		_ = c.SetReadDeadline(time.Now().Add(c.patience)) // if the connection was closed meanwhile, the next read reports it
	}
	return n, err
}
