package netguard

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// roundTrip is a transport in tests.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// slowly reads a body, some bytes at a time with pauses, until the request ends.
func slowly(r *http.Request, bytes int, pause time.Duration) error {
	for {
		_, err := io.ReadFull(r.Body, make([]byte, bytes))
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			return err
		}
		select {
		case <-r.Context().Done():
			return r.Context().Err()
		case <-time.After(pause):
		}
	}
}

// trickle is a response body of some bytes at a time with pauses.
type trickle struct {
	ctx   context.Context
	times int
	pause time.Duration
}

func (b *trickle) Read(into []byte) (int, error) {
	if b.times--; b.times < 0 {
		return 0, io.EOF
	}
	select {
	case <-b.ctx.Done():
		return 0, b.ctx.Err()
	case <-time.After(b.pause):
		return copy(into, "x"), nil
	}
}

func (b *trickle) Close() error { return nil }

// TestPace checks how slowly a storage may accept a request and send its answer.
func TestPace(t *testing.T) {
	const body = 1 << 20
	storage := Bucket.limits()
	for _, c := range []struct {
		name   string
		answer func(*http.Request) (*http.Response, error)
		slow   bool
		least  time.Duration // how long it takes at least
		most   time.Duration
	}{
		{"a byte every five seconds", func(r *http.Request) (*http.Response, error) {
			return nil, slowly(r, 1, 5*time.Second)
		}, true, time.Minute, 61 * time.Second},
		{"nothing", func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		}, true, time.Minute, time.Minute},
		{"a stall after much", func(r *http.Request) (*http.Response, error) {
			_, _ = io.CopyN(io.Discard, r.Body, body/2)
			<-r.Context().Done()
			return nil, r.Context().Err()
		}, true, time.Minute, time.Minute},
		{"slowly, but fast enough", func(r *http.Request) (*http.Response, error) {
			return &http.Response{Body: http.NoBody}, slowly(r, 32<<10, 2*time.Second)
		}, false, time.Minute, 2 * time.Minute},
		{"an answer a byte at a time", func(r *http.Request) (*http.Response, error) {
			return &http.Response{Body: &trickle{r.Context(), 1000, 5 * time.Second}}, slowly(r, 1<<20, 0)
		}, true, time.Minute, 61 * time.Second},
		{"a slow answer", func(r *http.Request) (*http.Response, error) {
			return &http.Response{Body: &trickle{r.Context(), 5, 10 * time.Second}}, slowly(r, 1<<20, 0)
		}, false, 50 * time.Second, 50 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, "http://example.org",
					strings.NewReader(strings.Repeat("x", body)))
				if err != nil {
					t.Fatal(err)
				}
				answer, err := paced{roundTrip(c.answer), storage.patience, storage.rate}.RoundTrip(r)
				if err == nil {
					_, err = io.Copy(io.Discard, answer.Body)
					_ = answer.Body.Close()
				}
				timeout, ok := errors.AsType[net.Error](err)
				if slow := ok && timeout.Timeout(); slow != c.slow || !c.slow && err != nil {
					t.Errorf("it ended with %v", err)
				}
				if took := time.Since(began); took < c.least || took > c.most {
					t.Errorf("it took %s", took)
				}
			})
		})
	}
}

// TestOurOwnTime checks that time spent producing the body does not count.
func TestOurOwnTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := &trickle{t.Context(), 10, time.Hour}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, "http://example.org", body)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := paced{roundTrip(func(r *http.Request) (*http.Response, error) {
			return &http.Response{Body: http.NoBody}, slowly(r, 1, time.Millisecond)
		}), time.Minute, 16 << 10}.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
	})
}

// TestSameHost checks which redirects are followed for destinations that the operator configured.
func TestSameHost(t *testing.T) {
	for _, c := range []struct {
		from, to string
		follow   bool
	}{
		{"http://a.example.org/x", "http://a.example.org/y", true},
		{"http://a.example.org/x", "https://a.example.org/x", true},
		{"https://a.example.org/x", "http://a.example.org/x", false},
		{"https://a.example.org/x", "https://b.example.org/x", false},
		{"http://127.0.0.1:1/x", "http://127.0.0.1:2/x", false},
	} {
		request := func(address string) *http.Request {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		if err := sameHost(request(c.to), []*http.Request{request(c.from)}); (err == nil) != c.follow {
			t.Errorf("from %s to %s: %v", c.from, c.to, err)
		}
	}
}
