package endpoint

import (
	"io"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// deadlined is a connection that remembers its read deadline.
type deadlined struct {
	*httptest.ResponseRecorder
	deadline time.Time
}

func (d *deadlined) SetReadDeadline(t time.Time) error {
	d.deadline = t
	return nil
}

// dripping sends a few bytes at a time, each after a pause, until the deadline of its connection.
type dripping struct {
	to     *deadlined
	pause  time.Duration
	atOnce int
	left   int
}

func (d *dripping) Read(into []byte) (int, error) {
	if d.left == 0 {
		return 0, io.EOF
	}
	time.Sleep(d.pause)
	if !d.to.deadline.IsZero() && time.Now().After(d.to.deadline) {
		return 0, io.ErrUnexpectedEOF
	}
	n := min(len(into), d.atOnce, d.left)
	d.left -= n
	return n, nil
}

func (d *dripping) Close() error { return nil }

func TestPaced(t *testing.T) {
	for name, c := range map[string]struct {
		pause  time.Duration
		atOnce int
		size   int
		end    time.Duration
		whole  bool
		within time.Duration // of failures
	}{
		"at once":                        {time.Millisecond, 1 << 20, 8 << 20, time.Minute, true, 0},
		"slow and small":                 {time.Second, 1000, 9000, time.Minute, true, 0},
		"slow and steady":                {time.Second, 1000, 50_000, time.Minute, true, 0},
		"a byte now and then":            {2 * time.Second, 1, 1 << 20, time.Minute, false, 12 * time.Second},
		"fast enough, and too long":      {time.Second, 1000, 1 << 20, time.Minute, false, 61 * time.Second},
		"too slow, and nothing sent yet": {20 * time.Second, 1000, 1000, time.Minute, false, 20 * time.Second},
		"no end":                         {time.Second, 1000, 1 << 20, 0, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &deadlined{ResponseRecorder: httptest.NewRecorder()}
				var end time.Time
				if c.end > 0 {
					end = time.Now().Add(c.end)
				}
				began := time.Now()
				buffer := make([]byte, 32<<10)
				size, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, Paced(w, &dripping{w, c.pause, c.atOnce, c.size}, end), buffer)
				switch took := time.Since(began); {
				case c.whole && (err != nil || int(size) != c.size || !w.deadline.IsZero()):
					t.Errorf("%d bytes, %v, deadline %v", size, err, w.deadline)
				case !c.whole && (err == nil || took > c.within):
					t.Errorf("%v after %v", err, took)
				}
			})
		})
	}
}
