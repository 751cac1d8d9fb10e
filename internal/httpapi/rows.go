package httpapi

import (
	"encoding/json"
	"io"
	"iter"
	"log/slog"
	"net/http"

	"almanac/internal/httpapi/respond"
)

// rowList is an answer with rows, which is written while they are read: a small one in one piece, with an entity tag, a
// large one as it comes, so that it takes no more memory than a piece of it.
type rowList[R any] struct {
	rows   iter.Seq2[*R, error]
	limit  int                                // how many rows are written; one more is read to know whether there is one
	write  func(dst []byte, row *R) []byte    // appends a row
	finish func(dst []byte, more bool) []byte // appends what comes behind the last row
}

// pieceBytes is how much of an answer is put together before it is sent.
const pieceBytes = 512 << 10

// answer is the answer of a list.
func (l *rowList[R]) answer(a *API, c *Call) (any, error) {
	return l.answerWith(a, c, append(make([]byte, 0, 16<<10), `{"data":[`...))
}

// answerWith is the answer of an object that begins with head, up to where its rows are; it takes the head over. The first
// piece is read here. What is returned writes it and reads the rest.
func (l *rowList[R]) answerWith(a *API, c *Call, head []byte) (any, error) {
	next, stop := iter.Pull2(l.rows)
	p := &piecewise[R]{rowList: l, next: next}
	piece, err := p.fill(head)
	if err != nil || p.done {
		stop()
		return json.RawMessage(piece), err
	}
	if !a.admission.reserve(cap(piece)) {
		stop()
		return nil, errMemory
	}
	return respond.Stream(func(w http.ResponseWriter, r *http.Request) {
		defer a.admission.giveBack(cap(piece))
		defer stop()
		out := respond.StartJSON(w, r)
		err := p.copyTo(a, c, out, piece)
		if closed := out.Close(); err == nil {
			err = closed
		}
		if err != nil {
			// The status is sent: all that can be done is not to let it look complete.
			level := slog.LevelDebug // the client went away or was too slow
			if p.err != nil && c.Context().Err() == nil {
				level = slog.LevelError
			}
			a.Log.Log(r.Context(), level, "an answer was cut off", "request", infoOf(r).id, "error", err)
			panic(http.ErrAbortHandler)
		}
	}), nil
}

// piecewise writes rows piece by piece.
type piecewise[R any] struct {
	*rowList[R]
	next    func() (*R, error, bool)
	err     error // of the rows, as opposed to one of sending them
	written int
	done    bool
}

// fill appends rows until there is a piece, or the end.
func (p *piecewise[R]) fill(dst []byte) ([]byte, error) {
	for {
		row, err, ok := p.next()
		if err != nil {
			p.err = err
			return dst, err
		}
		if !ok || p.written == p.limit {
			p.done = true
			return append(p.finish(append(dst, ']'), ok), '}'), nil
		}
		if p.written > 0 {
			dst = append(dst, ',')
		}
		dst = p.write(dst, row)
		p.written++
		if len(dst) >= pieceBytes {
			return dst, nil
		}
	}
}

// copyTo writes pieces until the end. Each is read in a turn of its own, and sent without one.
func (p *piecewise[R]) copyTo(a *API, c *Call, out io.Writer, piece []byte) error {
	for {
		if _, err := out.Write(piece); err != nil {
			return err
		}
		if p.done {
			return nil
		}
		if err := c.Context().Err(); err != nil {
			return err
		}
		var err error
		if piece, err = p.nextPiece(a, c, piece[:0]); err != nil {
			return err
		}
	}
}

func (p *piecewise[R]) nextPiece(a *API, c *Call, dst []byte) ([]byte, error) {
	party := c.party()
	if err := a.admission.takeRead(c.Context(), party); err != nil {
		return dst, err
	}
	defer a.admission.endRead(party)
	return p.fill(dst)
}
