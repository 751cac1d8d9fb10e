package scheduled

import (
	"context"
	"errors"
	"net"
	"os"
	"testing"
	"time"
)

// noted is a connection that records its deadlines.
type noted struct {
	net.Conn
	reads, writes []time.Time
}

func (c *noted) SetReadDeadline(at time.Time) error {
	c.reads = append(c.reads, at)
	return c.Conn.SetReadDeadline(at)
}

func (c *noted) SetWriteDeadline(at time.Time) error {
	c.writes = append(c.writes, at)
	return c.Conn.SetWriteDeadline(at)
}

func dialed(t *testing.T, patience time.Duration) (c net.Conn, deadlines *noted, peer net.Conn) {
	t.Helper()
	ours, peer := net.Pipe()
	t.Cleanup(func() { _, _ = ours.Close(), peer.Close() })
	deadlines = &noted{Conn: ours}
	c, err := unstalled{func(context.Context, string, string) (net.Conn, error) { return deadlines, nil }, patience}.dial(t.Context(), "tcp", "host")
	if err != nil {
		t.Fatal(err)
	}
	return c, deadlines, peer
}

// TestStalled checks that a peer that accepts no data, or pauses within a response, is given up.
func TestStalled(t *testing.T) {
	c, _, peer := dialed(t, time.Millisecond)
	if _, err := c.Write([]byte("request")); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("writing ends with %v", err)
	}
	go peer.Write([]byte("a"))
	into := make([]byte, 1)
	if _, err := c.Read(into); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Read(into); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("reading ends with %v", err)
	}
}

// TestSlow checks that the deadline is extended with each piece sent or received, and that a response may take any time
// to begin.
func TestSlow(t *testing.T) {
	c, deadlines, peer := dialed(t, time.Hour)
	into := make([]byte, 1)
	for range 3 {
		go peer.Read(make([]byte, 1))
		if _, err := c.Write(into); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(deadlines.writes); n != 3 || deadlines.writes[0].After(deadlines.writes[2]) || time.Until(deadlines.writes[0]) > time.Hour {
		t.Errorf("writes end at %v", deadlines.writes)
	}
	if n := len(deadlines.reads); n != 3 || !deadlines.reads[2].IsZero() {
		t.Errorf("before an answer, reads end at %v", deadlines.reads)
	}
	go peer.Write([]byte("a"))
	if _, err := c.Read(into); err != nil {
		t.Fatal(err)
	}
	if n := len(deadlines.reads); n != 4 || deadlines.reads[3].IsZero() {
		t.Errorf("within an answer, reads end at %v", deadlines.reads)
	}
}
