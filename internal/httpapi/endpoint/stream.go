package endpoint

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"time"

	"almanac/internal/httpapi/respond"
	"almanac/internal/limits/memory"
)

const (
	// PieceBytes is how much of a response is buffered before it is sent.
	PieceBytes = 512 << 10
	// PieceMemory is the memory reserved for a piece: it may exceed PieceBytes by part of a string, and its buffer grows
	// in steps.
	PieceMemory = 2 * PieceBytes
	// firstMemory is the memory reserved initially, which is enough for many responses.
	firstMemory = 16 << 10
	// stallTimeout is how long a client may take to receive a piece. Slower clients would hold memory that others wait
	// for.
	stallTimeout = 20 * time.Second
)

// StreamWriter is a response that is sent while it is written. It takes the memory of one piece, however long it is.
type StreamWriter struct {
	ctx         context.Context //nolint:containedctx // of the one request that they answer
	call        *Call
	contentType string // empty for JSON
	lease       *memory.Lease
	turn        *turn
	until       time.Time // deadline for sending
	held        int64     // memory reserved for the piece

	out    io.WriteCloser // set when the first piece is sent
	err    error          // from writing the content
	unsent error          // from sending it
}

// Stream returns a JSON response that write produces: it appends to dst, calls Flush regularly and returns the rest.
// A small response is sent in one piece, with an entity tag; a large one has been sent by the time Stream returns.
// Writing takes a turn; sending does not.
func (c *Call) Stream(write func(p *StreamWriter, dst []byte) ([]byte, error)) (any, error) {
	return c.StreamAs("", write)
}

// StreamAs is Stream with a content type, which defaults to JSON.
func (c *Call) StreamAs(contentType string, write func(p *StreamWriter, dst []byte) ([]byte, error)) (any, error) {
	p := &StreamWriter{
		ctx: c.Context(), call: c, contentType: contentType, lease: memory.Of(c.Context()), turn: c.turn, until: c.exchange.SendUntil,
	}
	if !p.grow(firstMemory) {
		return nil, p.err
	}
	last, err := write(p, make([]byte, 0, firstMemory))
	if p.err == nil {
		p.err = err
	}
	if p.out == nil {
		if contentType != "" && p.err == nil {
			return respond.Content{Type: contentType, Body: last}, nil
		}
		return json.RawMessage(last), p.err
	}
	if !p.Failed() {
		p.turn.end()
		p.send(last)
	}
	_ = http.NewResponseController(c.writer).SetWriteDeadline(p.until) // for the rest of this response and the next on this connection
	if closed := p.out.Close(); p.unsent == nil {
		p.unsent = closed
	}
	if p.Failed() {
		// The status has been sent: abort, so that the response does not look complete.
		level := slog.LevelDebug // the client went away or was too slow
		if p.err != nil && p.ctx.Err() == nil {
			level = slog.LevelError
		}
		c.exchange.Log.Log(c.Context(), level, "response was cut off", "request", c.info.ID, "error", cmp.Or(p.err, p.unsent))
		panic(http.ErrAbortHandler)
	}
	return respond.Sent{}, nil
}

// Failed reports whether writing or sending has failed, so that nothing more need be written.
func (p *StreamWriter) Failed() bool { return p.err != nil || p.unsent != nil }

// Flush sends dst if it is as long as a piece, reserves memory for more, and returns the buffer to append to.
func (p *StreamWriter) Flush(dst []byte) []byte {
	for !p.Failed() && 2*int64(len(dst)) > p.held && p.held < PieceMemory && p.grow(4*p.held) {
	}
	if !p.Failed() && len(dst) >= PieceBytes {
		p.sendInTurn(dst)
		return dst[:0]
	}
	if p.Failed() {
		return dst[:0] // the rest of the row is discarded
	}
	return dst
}

// sendInTurn gives up the turn, sends a piece and takes a turn again.
func (p *StreamWriter) sendInTurn(piece []byte) {
	if p.out == nil {
		if p.err = p.lease.Grow(p.ctx, respond.PackerBytes); p.err != nil {
			return
		}
		p.turn.end()
		p.turn.slot, p.turn.readSlot = false, true // more responses may be in progress than there are turns
		p.lease.Begin()
		p.out = respond.Start(p.call.writer, p.call.request, p.contentType)
	}
	p.turn.end()
	p.send(piece)
	if p.unsent == nil {
		p.unsent = p.ctx.Err()
	}
	if p.unsent == nil {
		p.unsent = p.turn.take()
	}
}

// send sends a piece, which the client must receive within stallTimeout.
func (p *StreamWriter) send(piece []byte) {
	deadline := earlier(p.until, time.Now().Add(stallTimeout))
	_ = http.NewResponseController(p.call.writer).SetWriteDeadline(deadline) // MCP tools have no connection
	_, p.unsent = p.out.Write(piece)
}

// grow increases the memory reserved for the piece, up to PieceMemory.
func (p *StreamWriter) grow(to int64) bool {
	to = min(to, PieceMemory)
	if p.err = p.lease.Grow(p.ctx, to-p.held); p.err != nil {
		return false
	}
	p.held = to
	return true
}

// SetSendDeadline sets a write deadline for a response that is held in memory as a whole: as long as a client would
// have for the same response in pieces. The caller must call end once it is sent.
func SetSendDeadline(w http.ResponseWriter, until time.Time, bytes int) (end func()) {
	if bytes <= PieceBytes {
		return func() {}
	}
	connection := http.NewResponseController(w)
	// MCP tools have no connection
	_ = connection.SetWriteDeadline(earlier(until, time.Now().Add(time.Duration(1+bytes/PieceBytes)*stallTimeout)))
	return func() { _ = connection.SetWriteDeadline(until) }
}

// earlier returns the earlier of deadline, which is zero for none, and at.
func earlier(deadline, at time.Time) time.Time {
	if !deadline.IsZero() && deadline.Before(at) {
		return deadline
	}
	return at
}
