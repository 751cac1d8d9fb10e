package server

import (
	"container/list"
	"crypto/tls"
	"net"
	"net/http"
	"sync"

	"almanac/internal/config"
	"almanac/internal/platform"
)

// connectionLimits returns the maximum numbers of connections to the API and to gRPC. Each takes a file descriptor: half
// of those that the process may have are left to the stores and to calls of other servers.
func connectionLimits(options config.Serve, l *listeners, maxFiles uint64) (api, grpc int) {
	api, grpc = options.MaxConnections, options.MaxConnections
	available := int(min(maxFiles/2, 1<<30))
	if l.grpc != nil {
		grpc = max(1, min(grpc, available/4))
		available -= available / 4
	}
	return max(1, min(api, available)), grpc
}

// connections is a listener with a maximum number of open connections. When a new one arrives and there are too many,
// the one that has been idle longest is closed; if none is idle, the new one waits. So clients that only keep
// connections open do not keep others out.
type connections struct {
	net.Listener
	most int

	mu     sync.Mutex
	freed  *sync.Cond
	open   int
	idle   *list.List // of *connection, longest idle first
	closed bool
}

// connection is an open connection.
type connection struct {
	net.Conn
	owner *connections
	// Protected by the owner's lock.
	place *list.Element // in the list of idle ones; nil if it is not idle
	gone  bool
}

func limitConnections(l net.Listener, most int) *connections {
	c := &connections{Listener: l, most: most, idle: list.New()}
	c.freed = sync.NewCond(&c.mu)
	return c
}

// Accept returns the next connection.
func (c *connections) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	for c.open >= c.most && !c.closed {
		oldest := c.idle.Front()
		if oldest == nil {
			c.freed.Wait()
			continue
		}
		unused := oldest.Value.(*connection) //nolint:forcetypeassert // the list holds nothing else
		c.forget(unused)
		c.mu.Unlock()
		_ = unused.Conn.Close()
		c.mu.Lock()
	}
	defer c.mu.Unlock()
	c.open++
	fresh := &connection{Conn: conn, owner: c}
	fresh.place = c.idle.PushBack(fresh) // until its first request
	return fresh, nil
}

// Close closes the listener.
func (c *connections) Close() error {
	c.mu.Lock()
	c.closed = true
	c.freed.Broadcast()
	c.mu.Unlock()
	return c.Listener.Close()
}

// forget stops counting a connection.
func (c *connections) forget(conn *connection) {
	if conn.gone {
		return
	}
	conn.gone = true
	if conn.place != nil {
		c.idle.Remove(conn.place)
		conn.place = nil
	}
	c.open--
	c.freed.Signal()
}

// Close closes the connection.
func (conn *connection) Close() error {
	conn.owner.mu.Lock()
	conn.owner.forget(conn)
	conn.owner.mu.Unlock()
	return conn.Conn.Close()
}

// note records whether a connection is idle. It is the ConnState function of the server.
func (c *connections) note(conn net.Conn, state http.ConnState) {
	if encrypted, ok := conn.(*tls.Conn); ok {
		conn = encrypted.NetConn()
	}
	ours, ok := conn.(*connection)
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if ours.gone {
		return
	}
	if ours.place != nil {
		c.idle.Remove(ours.place)
		ours.place = nil
	}
	if state == http.StateIdle || state == http.StateNew {
		ours.place = c.idle.PushBack(ours)
		c.freed.Signal() // whoever waits can have its place
	}
}

// maxFiles returns the number of file descriptors that the process may have.
func maxFiles() uint64 {
	if most, ok := platform.MaxFiles(); ok {
		return most
	}
	return 1 << 30
}
