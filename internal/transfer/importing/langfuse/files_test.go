package langfuse

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"almanac/internal/netguard"
)

// TestOpenFile downloads a file from an unreliable bucket. Errors must never contain its URL, which would let anyone
// read the file.
func TestOpenFile(t *testing.T) {
	const signature, content = "X-Amz-Signature=5ecret", "all of it"
	ended := make(chan struct{})
	defer close(ended)
	whole := func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(content)) }
	silent := func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-ended:
		case <-r.Context().Done():
		}
	}
	stops := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "9")
		_, _ = w.Write([]byte(content[:3]))
		_ = http.NewResponseController(w).Flush()
		silent(w, r)
	}
	for _, c := range []struct {
		name     string
		answers  []http.HandlerFunc // the last one is repeated
		tries    int
		failure  string // part of the error message; empty for none
		isReason error
		patience time.Duration // short only where no data follows: a busy machine takes a second to respond
	}{
		{"at once", []http.HandlerFunc{whole}, 1, "", nil, time.Minute},
		{"after troubles", []http.HandlerFunc{status(503), status(429), gone, silent, whole}, 5, "", nil, 2 * time.Second},
		{
			"for ever 503",
			[]http.HandlerFunc{status(503)},
			attempts,
			"gave up after 8 attempts: the source responded to the request for a file with status 503", nil, time.Minute,
		},
		{"for ever cut", []http.HandlerFunc{gone}, attempts, "gave up after 8 attempts: its URL cannot be reached: ", io.EOF, time.Minute},
		{
			"for ever silent",
			[]http.HandlerFunc{silent},
			attempts, "gave up after 8 attempts: its URL cannot be reached: ", errStalled,
			50 * time.Millisecond,
		},
		{"refused", []http.HandlerFunc{status(400)}, 1, "the source responded to the request for a file with status 400", nil, time.Minute},
		{"not there", []http.HandlerFunc{status(404)}, 1, "", fs.ErrNotExist, time.Minute},
		{"not allowed", []http.HandlerFunc{status(403)}, 1, "", fs.ErrNotExist, time.Minute},
		{"stops", []http.HandlerFunc{stops}, 1, "", errStalled, 2 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			var asked atomic.Int32
			bucket := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if _, _, has := r.BasicAuth(); has || r.URL.RawQuery != signature {
					t.Errorf("asked for %s, with keys: %t", r.URL, has)
				}
				c.answers[min(int(asked.Add(1)), len(c.answers))-1](w, r)
			}))
			defer bucket.Close()
			s := newSource(t, func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write([]byte(`{"contentType":"text/plain","contentLength":9,"url":"` + bucket.URL + `/file?` + signature + `"}`))
			})
			s.patience = c.patience
			opened, err := (&API{client: s.client}).openFile(t.Context(), "m")
			var got []byte
			if err == nil {
				got, err = io.ReadAll(opened)
				_ = opened.Close()
			}
			switch {
			case c.failure == "" && c.isReason == nil:
				if err != nil || string(got) != content || opened.Length != 9 {
					t.Errorf("%q, %v", got, err)
				}
			case err == nil || !strings.HasPrefix(err.Error(), c.failure) || c.isReason != nil && !errors.Is(err, c.isReason):
				t.Errorf("the error is %v", err)
			case strings.Contains(err.Error(), "5ecret"):
				t.Errorf("the error has the address: %v", err)
			}
			if tries := int(asked.Load()); tries != c.tries || s.asked != c.tries || len(s.waits) != c.tries-1 ||
				slices.Max(append(s.waits, 0)) > longestWait {
				t.Errorf("tried %d times with %d addresses, after %v", tries, s.asked, s.waits)
			}
		})
	}
}

// TestSlowFile reads a file that takes longer than the stall timeout in total.
func TestSlowFile(t *testing.T) {
	bucket := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for range 10 {
			_, _ = w.Write([]byte("x"))
			_ = http.NewResponseController(w).Flush()
			time.Sleep(50 * time.Millisecond)
		}
	}))
	defer bucket.Close()
	body, err := (&client{
		http: netguard.TrustedClient(bucket.Client().Transport, 0), patience: 300 * time.Millisecond,
	}).download(t.Context(), bucket.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	first := make([]byte, 1)
	if _, err := io.ReadFull(body, first); err != nil {
		t.Fatal(err)
	}
	time.Sleep(400 * time.Millisecond) // the consumer may also be slow
	if rest, err := io.ReadAll(body); err != nil || len(rest) != 9 {
		t.Errorf("%q, %v", rest, err)
	}
}
