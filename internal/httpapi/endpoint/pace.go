package endpoint

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// A body must arrive at a minimum rate, so that clients that stall do not hold what they sent: paceBytes, or the end,
// within every paceTime.
const (
	paceBytes = 8 << 10
	paceTime  = 10 * time.Second
)

// Paced returns a body whose reads fail if it arrives too slowly, or not by the end.
func Paced(w http.ResponseWriter, body io.ReadCloser, end time.Time) io.ReadCloser {
	if body == nil || body == http.NoBody {
		return body
	}
	return &pacedBody{ReadCloser: body, control: http.NewResponseController(w), end: end}
}

type pacedBody struct {
	io.ReadCloser
	control *http.ResponseController
	end     time.Time
	// The current period: when it ends, and how much has arrived in it.
	until    time.Time
	received int
}

func (p *pacedBody) Read(into []byte) (int, error) {
	if p.until.IsZero() || p.received >= paceBytes {
		p.until, p.received = time.Now().Add(paceTime), 0
		if !p.end.IsZero() && p.end.Before(p.until) {
			p.until = p.end
		}
		p.set(p.until)
	}
	n, err := p.ReadCloser.Read(into)
	p.received += n
	if errors.Is(err, io.EOF) {
		p.set(time.Time{}) // nothing more is expected; the server sets the deadline of the next request
	}
	return n, err
}

// set sets the deadline for reading. Requests without a connection, as in tests, have none.
func (p *pacedBody) set(deadline time.Time) { _ = p.control.SetReadDeadline(deadline) }
