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
	"almanac/internal/memory"
)

const (
	// PieceBytes is how much of an answer is put together before it is sent.
	PieceBytes = 512 << 10
	// PieceMemory is what such a piece takes: it passes its length by a part of a text, and its memory grows in steps.
	PieceMemory = 2 * PieceBytes
	// firstMemory is what is taken for the beginning of an answer: many are no longer.
	firstMemory = 16 << 10
	// stallTimeout is how long a client may take to receive a piece. Whoever takes longer holds memory that others wait for.
	stallTimeout = 20 * time.Second
)

// Pieces is an answer that is sent while it is written: it takes no more memory than a piece, however long it is.
type Pieces struct {
	ctx         context.Context //nolint:containedctx // of the one request that they answer
	call        *Call
	contentType string // empty: JSON
	lease       *memory.Lease
	turn        *turn
	until       time.Time // when sending ends
	held        int64     // for the piece

	out    io.WriteCloser // set when the first piece is sent
	err    error          // of what is written
	unsent error          // of sending it
}

// InPieces is the answer that a function writes: it appends to dst, flushes now and then, and returns what is left. A small answer is
// sent in one piece, with an entity tag. A large one is sent by the time this returns. What is written takes turns; sending does not.
func (c *Call) InPieces(write func(p *Pieces, dst []byte) ([]byte, error)) (any, error) {
	return c.InPiecesOf("", write)
}

// InPiecesOf is inPieces with a content type, which is JSON's if it is empty.
func (c *Call) InPiecesOf(contentType string, write func(p *Pieces, dst []byte) ([]byte, error)) (any, error) {
	p := &Pieces{ctx: c.Context(), call: c, contentType: contentType, lease: memory.Of(c.Context()), turn: c.turn, until: c.exchange.SendUntil}
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
	if !p.Over() {
		p.turn.end()
		p.send(last)
	}
	_ = http.NewResponseController(c.writer).SetWriteDeadline(p.until) // for the end of the answer, and the next on this connection
	if closed := p.out.Close(); p.unsent == nil {
		p.unsent = closed
	}
	if p.Over() {
		// The status is sent: all that can be done is not to let it look complete.
		level := slog.LevelDebug // the client went away or was too slow
		if p.err != nil && p.ctx.Err() == nil {
			level = slog.LevelError
		}
		c.exchange.Log.Log(c.Context(), level, "response was cut off", "request", c.info.ID, "error", cmp.Or(p.err, p.unsent))
		panic(http.ErrAbortHandler)
	}
	return respond.Sent{}, nil
}

// Over reports whether it failed: nobody wants more of it.
func (p *Pieces) Over() bool { return p.err != nil || p.unsent != nil }

// Flush sends what was written if it is a piece, and makes sure that there is memory for more.
func (p *Pieces) Flush(dst []byte) []byte {
	for !p.Over() && 2*int64(len(dst)) > p.held && p.held < PieceMemory && p.grow(4*p.held) {
	}
	if !p.Over() && len(dst) >= PieceBytes {
		p.sendInTurn(dst)
		return dst[:0]
	}
	if p.Over() {
		return dst[:0] // what is left of the row goes nowhere
	}
	return dst
}

// sendInTurn sends a piece while others have their turn.
func (p *Pieces) sendInTurn(piece []byte) {
	if p.out == nil {
		if p.err = p.lease.Grow(p.ctx, respond.PackerBytes); p.err != nil {
			return
		}
		p.turn.end()
		p.turn.whole, p.turn.read = false, true // there may be more answers under way than turns
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

// send sends a piece, which a client must take in time.
func (p *Pieces) send(piece []byte) {
	deadline := earlier(p.until, time.Now().Add(stallTimeout))
	_ = http.NewResponseController(p.call.writer).SetWriteDeadline(deadline) // tools have no connection
	_, p.unsent = p.out.Write(piece)
}

// grow makes the memory for the piece larger.
func (p *Pieces) grow(to int64) bool {
	to = min(to, PieceMemory)
	if p.err = p.lease.Grow(p.ctx, to-p.held); p.err != nil {
		return false
	}
	p.held = to
	return true
}

// Hurry gives a client as long to receive an answer that is in memory as a whole as it would have for its pieces. What is returned ends
// that.
func Hurry(w http.ResponseWriter, until time.Time, bytes int) (end func()) {
	if bytes <= PieceBytes {
		return func() {}
	}
	connection := http.NewResponseController(w)
	_ = connection.SetWriteDeadline(earlier(until, time.Now().Add(time.Duration(1+bytes/PieceBytes)*stallTimeout))) // tools have no connection
	return func() { _ = connection.SetWriteDeadline(until) }
}

// earlier returns the earlier of a deadline, which may be zero for none, and a time.
func earlier(deadline, at time.Time) time.Time {
	if !deadline.IsZero() && deadline.Before(at) {
		return deadline
	}
	return at
}
