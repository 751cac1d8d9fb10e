package httpapi

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"time"

	"almanac/internal/httpapi/respond"
	"almanac/internal/memory"
)

const (
	// pieceBytes is how much of an answer is put together before it is sent.
	pieceBytes = 512 << 10
	// pieceMemory is what such a piece takes: it passes its length by a part of a text, and its memory grows in steps.
	pieceMemory = 2 * pieceBytes
	// firstMemory is what is taken for the beginning of an answer: many are no longer.
	firstMemory = 16 << 10
	// stallTimeout is how long a client may take to receive a piece. Whoever takes longer holds memory that others wait for.
	stallTimeout = 20 * time.Second
)

// pieces is an answer in JSON that is sent while it is written: it takes no more memory than a piece, however long it is.
type pieces struct {
	ctx   context.Context //nolint:containedctx // of the one request that they answer
	lease *memory.Lease
	yield func([]byte, error) bool
	held  int64 // for the piece
	err   error // of what is written, as opposed to one of sending it
	over  bool  // it failed, or nobody wants more of it
	done  bool  // this is the last piece
}

// inPieces is the answer that a function writes: it appends to dst, flushes now and then, and returns what is left. A small answer is
// sent in one piece, with an entity tag. Of a large one the first piece is written here; what is returned sends it and writes the rest.
func (a *API) inPieces(c *Call, write func(p *pieces, dst []byte) ([]byte, error)) (any, error) {
	p := &pieces{ctx: c.Context(), lease: memory.Of(c.Context())}
	next, stop := iter.Pull2(p.all(write))
	piece, err, _ := next()
	if err == nil && p.done {
		stop()
		return json.RawMessage(piece), nil
	}
	if err == nil {
		err = p.lease.Grow(p.ctx, respond.PackerBytes)
	}
	if err != nil {
		stop()
		return nil, err
	}
	return respond.Stream(func(w http.ResponseWriter, r *http.Request) {
		defer stop()
		p.lease.Begin()
		out := respond.StartJSON(w, r)
		t := &turn{admission: a.admission, ctx: p.ctx, party: c.party(), read: true}
		defer p.lease.WhileWaiting(t.pause)()
		err := p.send(http.NewResponseController(w), a.sendUntil(r), out, piece, func() ([]byte, error, bool) {
			if err := t.take(); err != nil {
				return nil, err, false
			}
			defer t.end()
			return next()
		})
		if closed := out.Close(); err == nil {
			err = closed
		}
		if err != nil {
			// The status is sent: all that can be done is not to let it look complete.
			level := slog.LevelDebug // the client went away or was too slow
			if p.err != nil && p.ctx.Err() == nil {
				level = slog.LevelError
			}
			a.Log.Log(r.Context(), level, "an answer was cut off", "request", infoOf(r).id, "error", err)
			panic(http.ErrAbortHandler)
		}
	}), nil
}

// all returns the pieces, each of which is valid until the next.
func (p *pieces) all(write func(p *pieces, dst []byte) ([]byte, error)) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		p.yield = yield
		var last []byte
		if p.grow(firstMemory) {
			var err error
			if last, err = write(p, make([]byte, 0, firstMemory)); p.err == nil {
				p.err = err
			}
		}
		switch {
		case p.err != nil:
			yield(nil, p.err)
		case !p.over:
			p.done = true
			yield(last, nil)
		}
	}
}

// flush sends what was written if it is a piece, and makes sure that there is memory for more.
func (p *pieces) flush(dst []byte) []byte {
	for !p.over && 2*int64(len(dst)) > p.held && p.held < pieceMemory && p.grow(4*p.held) {
	}
	if !p.over && len(dst) >= pieceBytes {
		p.over = !p.yield(dst, nil)
		return dst[:0]
	}
	if p.over {
		return dst[:0] // what is left of the row goes nowhere
	}
	return dst
}

// grow makes the memory for the piece larger.
func (p *pieces) grow(to int64) bool {
	to = min(to, pieceMemory)
	if p.err = p.lease.Grow(p.ctx, to-p.held); p.err != nil {
		p.over = true
		return false
	}
	p.held = to
	return true
}

// send sends a piece and those that follow. Each is written in a turn of its own, and sent without one.
func (p *pieces) send(
	connection *http.ResponseController, until time.Time, out io.Writer, piece []byte, next func() ([]byte, error, bool),
) error {
	defer func() { _ = connection.SetWriteDeadline(until) }() // for the end of the answer, and the next on this connection
	for more := true; more; {
		deadline := time.Now().Add(stallTimeout)
		if !until.IsZero() && until.Before(deadline) {
			deadline = until
		}
		_ = connection.SetWriteDeadline(deadline) // tools have no connection
		if _, err := out.Write(piece); err != nil {
			return err
		}
		if err := p.ctx.Err(); err != nil && !p.done {
			return err
		}
		var err error
		if piece, err, more = next(); err != nil {
			return err
		}
	}
	return nil
}
