package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/minio/minio-go/v7"

	"almanac/internal/limits/memory"
	"almanac/internal/netguard"
)

func TestMain(m *testing.M) {
	minio.DefaultRetryUnit, minio.DefaultRetryCap = time.Millisecond, time.Millisecond
	os.Exit(m.Run())
}

// startS3 starts a third-party implementation of S3 behind a check of signatures, which it lacks. The functions in
// before are called first for each request; they report whether they responded.
func startS3(t *testing.T, before ...func(http.ResponseWriter, *http.Request) bool) (backend gofakes3.Backend, endpoint string) {
	t.Helper()
	backend = s3mem.New()
	if err := backend.CreateBucket("bucket"); err != nil {
		t.Fatal(err)
	}
	s3 := gofakes3.New(backend).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if problem := checkSignature(r); problem != "" {
			refuse(w, http.StatusForbidden, "SignatureDoesNotMatch", "")
			return
		}
		for _, first := range before {
			if first(w, r) {
				return
			}
		}
		s3.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return backend, server.URL
}

// refuse responds with an error like S3.
func refuse(w http.ResponseWriter, status int, code, more string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `<?xml version="1.0"?><Error><Code>%s</Code><Message>no</Message>%s</Error>`, code, more)
}

func openTestBucket(t *testing.T, address, secret string) *Bucket {
	t.Helper()
	b, err := OpenBucket(BucketOptions{Client: TrustedClient(), Address: address, AccessKey: "key", SecretKey: secret})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// failures performs every operation on a bucket, each of which must fail.
func failures(t *testing.T, b *Bucket, want ...string) {
	t.Helper()
	_, openErr := b.Open(t.Context(), someKey, 1)
	for _, err := range []error{openErr, b.Put(t.Context(), someKey, strings.NewReader("x"), 1), b.Remove(t.Context(), someKey)} {
		for _, part := range want {
			if err == nil || !strings.Contains(err.Error(), part) || errors.Is(err, ErrNotFound) {
				t.Errorf("error %v, want one with %q", err, part)
			}
		}
	}
}

func TestBucketAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"s3://abc":                                               "https://abc.s3.us-east-1.amazonaws.com/",
		"s3://abc/p/q/?region=eu-central-1":                      "https://abc.s3.eu-central-1.amazonaws.com/p/q/",
		"s3://a.b.c/p":                                           "https://s3.us-east-1.amazonaws.com/a.b.c/p/",
		"s3://abc/p?endpoint=http://minio:9000":                  "http://minio:9000/abc/p/",
		"s3://abc/p?endpoint=https://x.test/s3/":                 "https://x.test/s3/abc/p/",
		"s3://abc?endpoint=https://x.test&path-style=false":      "https://abc.x.test/",
		"s3://abc?endpoint=https://storage.googleapis.com":       "https://storage.googleapis.com/abc/",
		"s3://abc/p?endpoint=https://s3.eu-west-1.amazonaws.com": "https://s3.us-east-1.amazonaws.com/abc/p/",
		"s3://":                   "",
		"s3://b":                  "", // too short for a name
		"s3://abc?endpoint=minio": "",
		"s3://abc?colour=red":     "",
		"s3://key:secret@abc":     "",
		"http://abc":              "",
	} {
		got := ""
		ctx, cancel := context.WithCancel(t.Context())
		client := netguard.Guard{Private: true, Proxy: func(r *http.Request) (*url.URL, error) { // called before anything is sent
			got = strings.TrimSuffix(r.URL.String(), ObjectPath(someKey))
			cancel()
			return nil, errors.New("this is far enough")
		}}.Client(netguard.Bucket)
		b, err := OpenBucket(BucketOptions{Client: client, Address: address, AccessKey: "k", SecretKey: "s"})
		if err == nil {
			_, _ = b.Open(ctx, someKey, 1)
		}
		cancel()
		if got != want {
			t.Errorf("%s is at %q, want %q (%v)", address, got, want, err)
		}
	}
	if _, err := OpenBucket(BucketOptions{Client: TrustedClient(), Address: "s3://abc", AccessKey: "k"}); err == nil {
		t.Error("a bucket with half of its keys")
	}
}

func TestBucketFailures(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		refuse(w, http.StatusServiceUnavailable, "SlowDown", "")
	}))
	b := openTestBucket(t, "s3://bucket?endpoint="+server.URL, "secret")
	failures(t, b, "SlowDown")
	if got := asked.Load(); got != 3*attempts {
		t.Errorf("asked %d times, want %d for each of three", got, attempts)
	}
	server.Close()
	failures(t, b, "cannot reach the media bucket")
}

// TestWrongBuckets checks that errors tell what is wrong and what to do, and that none looks like a missing blob.
func TestWrongBuckets(t *testing.T) {
	var answer func(http.ResponseWriter)
	_, endpoint := startS3(t, func(w http.ResponseWriter, _ *http.Request) bool {
		if answer != nil {
			answer(w)
		}
		return answer != nil
	})
	for name, c := range map[string]struct {
		bucket, secret string
		answer         func(http.ResponseWriter)
		want           []string
	}{
		"another secret": {"bucket", "other", nil, []string{"SignatureDoesNotMatch", "check the keys"}},
		"no such bucket": {"nowhere", "secret", nil, []string{"NoSuchBucket", "nowhere", "create it, or correct --blob"}},
		"denied": {"bucket", "secret", func(w http.ResponseWriter) {
			refuse(w, http.StatusForbidden, "AccessDenied", "")
		}, []string{"AccessDenied", "permission to get, put and delete"}},
		"denied without a body": {"bucket", "secret", func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusForbidden)
		}, []string{"AccessDenied", "permission to get, put and delete"}},
		"another region": {"bucket", "secret", func(w http.ResponseWriter) {
			refuse(w, http.StatusBadRequest, "AuthorizationHeaderMalformed", "<Region>eu-north-1</Region>")
		}, []string{"add region=eu-north-1 to --blob"}},
		"a redirection": {"bucket", "secret", func(w http.ResponseWriter) {
			refuse(w, http.StatusMovedPermanently, "PermanentRedirect", "")
		}, []string{"PermanentRedirect", "set its region in --blob"}},
		"a wrong clock": {"bucket", "secret", func(w http.ResponseWriter) {
			refuse(w, http.StatusForbidden, "RequestTimeTooSkewed", "")
		}, []string{"set the clock"}},
	} {
		t.Run(name, func(t *testing.T) {
			answer = c.answer
			failures(t, openTestBucket(t, "s3://"+c.bucket+"?endpoint="+endpoint, c.secret), c.want...)
		})
	}
}

// TestDownload downloads objects, and distinguishes a missing object from a missing bucket.
func TestDownload(t *testing.T) {
	_, endpoint := startS3(t)
	b := openTestBucket(t, "s3://bucket?endpoint="+endpoint, "secret")
	if err := b.Upload(t.Context(), "a/b c.png", "image/png", strings.NewReader("bytes")); err != nil {
		t.Fatal(err)
	}
	body, length, err := b.Download(t.Context(), "a/b c.png")
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	if content, err := io.ReadAll(body); err != nil || string(content) != "bytes" || length != 5 {
		t.Errorf("%q, %d, %v", content, length, err)
	}
	if _, _, err := b.Download(t.Context(), "a/b"); !errors.Is(err, ErrNotFound) {
		t.Errorf("an object that is not there: %v", err)
	}
	for _, wrong := range []struct{ bucket, secret, want string }{
		{"nowhere", "secret", minio.NoSuchBucket}, {"bucket", "other", "SignatureDoesNotMatch"},
	} {
		_, _, err := openTestBucket(t, "s3://"+wrong.bucket+"?endpoint="+endpoint, wrong.secret).Download(t.Context(), "a/b c.png")
		if answer, ok := AnswerOf(err); !ok || errors.Is(err, ErrNotFound) || answer.Code != wrong.want {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}

// unreliable responds to some requests with 500, or cuts them off in the middle, as often as it is told.
type unreliable struct {
	mu    sync.Mutex
	times int
	cut   bool
	seen  int
}

func (u *unreliable) fail(times int, cut bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.times, u.cut, u.seen = times, cut, 0
}

func (u *unreliable) before(w http.ResponseWriter, r *http.Request) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.seen++
	if u.times == 0 {
		return false
	}
	u.times--
	_, _ = io.CopyN(io.Discard, r.Body, 100)
	if u.cut {
		panic(http.ErrAbortHandler)
	}
	refuse(w, http.StatusInternalServerError, "InternalError", "")
	return true
}

// TestBucketsThatFailNowAndThen checks retries: of readers that can be read again, of buffered uploads, of parts, and
// of responses.
func TestBucketsThatFailNowAndThen(t *testing.T) {
	var u unreliable
	_, endpoint := startS3(t, u.before)
	b := openTestBucket(t, "s3://bucket?endpoint="+endpoint, "secret")
	small := strings.Repeat("almanac ", 1000)
	large := strings.Repeat("almanac ", (2*partSize+1000)/8)
	for _, cut := range []bool{false, true} {
		for name, c := range map[string]struct {
			content string
			again   bool // it can be read again
		}{"from memory": {small, true}, "held": {small, false}, "much from memory": {large, true}, "in parts": {large, false}} {
			t.Run(fmt.Sprintf("%s cut=%v", name, cut), func(t *testing.T) {
				var r io.Reader = strings.NewReader(c.content)
				if !c.again {
					r = io.MultiReader(r)
				}
				u.fail(2, cut)
				if err := b.Put(t.Context(), someKey, r, int64(len(c.content))); err != nil {
					t.Fatal(err)
				}
				if want := 3; u.seen < want {
					t.Errorf("%d requests, want at least %d", u.seen, want)
				}
				u.fail(2, cut)
				if got := read(t, b, someKey, len(c.content)); got != c.content {
					t.Errorf("%d bytes came back as %d", len(c.content), len(got))
				}
				u.fail(2, cut)
				if err := b.Remove(t.Context(), someKey); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// TestPartsFail lets the second part of an upload fail permanently: nothing of it may remain.
func TestPartsFail(t *testing.T) {
	var aborted atomic.Bool
	backend, endpoint := startS3(t, func(w http.ResponseWriter, r *http.Request) bool {
		aborted.Store(aborted.Load() || r.Method == http.MethodDelete && r.URL.Query().Has("uploadId"))
		if r.URL.Query().Get("partNumber") == "2" {
			refuse(w, http.StatusBadGateway, "InternalError", "")
			return true
		}
		return false
	})
	b := openTestBucket(t, "s3://bucket?endpoint="+endpoint, "secret")
	const size = 2*partSize + 1
	err := b.Put(t.Context(), someKey, io.LimitReader(rand.NewChaCha8([32]byte{1}), size), size)
	if err == nil || !strings.Contains(err.Error(), "InternalError") || !aborted.Load() {
		t.Errorf("error %v; given up: %v", err, aborted.Load())
	}
	if list, err := backend.ListBucket("bucket", nil, gofakes3.ListBucketPage{}); err != nil || len(list.Contents) != 0 {
		t.Errorf("kept %v, %v", list, err)
	}
}

// TestCutAnswers reads a blob whose connection is cut in the middle repeatedly.
func TestCutAnswers(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789"), 1000)
	var sent atomic.Int64 // before each cut
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(r.Header.Get("Range"), "bytes="), "-"))
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Last-Modified", "Thu, 01 Jan 1970 00:00:01 GMT")
		w.Header().Set("Content-Length", strconv.Itoa(len(content)-from))
		w.WriteHeader(http.StatusPartialContent)
		pieces := int(sent.Load())
		if pieces > 0 {
			_, _ = w.Write(content[from:min(from+pieces, len(content))])
		}
		_ = http.NewResponseController(w).Flush()
		if from+pieces < len(content) {
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(server.Close)
	b := openTestBucket(t, "s3://bucket?endpoint="+server.URL, "secret")
	sent.Store(3000)
	if got := read(t, b, someKey, len(content)); got != string(content) {
		t.Errorf("%d bytes came back as %d", len(content), len(got))
	}
	sent.Store(0)
	r, err := b.Open(t.Context(), someKey, int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := io.ReadAll(r); err == nil || !strings.Contains(err.Error(), "stopped at 0 of 10000 bytes") {
		t.Errorf("error %v", err)
	}
}

// discard starts a bucket that accepts parts and discards them.
func discard(t *testing.T, sum io.Writer, parts *atomic.Int64, size int64) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch query := r.URL.Query(); {
		case r.Method == http.MethodPost && query.Has("uploads"):
			_, _ = io.WriteString(w, `<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>`)
		case r.Method == http.MethodPost:
			_, _ = io.WriteString(w,
				`<CompleteMultipartUploadResult><Bucket>bucket</Bucket><Key>k</Key><ETag>e</ETag></CompleteMultipartUploadResult>`)
		case r.Method == http.MethodPut:
			parts.Add(1)
			if n, err := io.Copy(sum, r.Body); n != r.ContentLength || err != nil {
				t.Errorf("%d bytes of %d arrived: %v", n, r.ContentLength, err)
			}
			w.Header().Set("Etag", `"e"`)
		default:
			w.Header().Set("Last-Modified", "Thu, 01 Jan 1970 00:00:01 GMT")
			w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
			w.WriteHeader(http.StatusPartialContent)
			_, _ = io.CopyN(w, rand.NewChaCha8([32]byte{1}), size)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// TestBucketStreams uploads and downloads more than the program may hold in memory.
func TestBucketStreams(t *testing.T) {
	const size = 64 << 20
	for name, held := range map[string]bool{"in parts": true, "as it comes": false} {
		t.Run(name, func(t *testing.T) {
			sent, parts := sha256.New(), new(atomic.Int64)
			b := openTestBucket(t, "s3://bucket?endpoint="+discard(t, sent, parts, size).URL, "secret")
			wantParts := int64((size + partSize - 1) / partSize)
			if !held {
				wantParts = 1
				for range heldUploads {
					b.held <- struct{}{}
				}
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			wanted := sha256.New()
			if err := b.Put(t.Context(), someKey, io.TeeReader(io.LimitReader(rand.NewChaCha8([32]byte{1}), size), wanted),
				size); err != nil {
				t.Fatal(err)
			}
			r, err := b.Open(t.Context(), someKey, size)
			if err != nil {
				t.Fatal(err)
			}
			fetched := sha256.New()
			_, err = io.Copy(fetched, r)
			if err := errors.Join(err, r.Close()); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			if string(sent.Sum(nil)) != string(wanted.Sum(nil)) || string(fetched.Sum(nil)) != string(wanted.Sum(nil)) {
				t.Error("the bytes differ")
			}
			if parts.Load() != wantParts {
				t.Errorf("sent in %d parts, want %d", parts.Load(), wantParts)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > size/4 {
				t.Errorf("%d bytes of memory were taken for a file of %d", took, size)
			}
		})
	}
}

// TestUploadsTakeMemory checks that a part is charged to the lease of its request and returned, and that an upload
// without enough memory continues without buffering.
func TestUploadsTakeMemory(t *testing.T) {
	for name, c := range map[string]struct{ budget, size, want int64 }{
		"small": {20 << 20, 1000, 1000}, "large": {20 << 20, partSize + 1, partSize}, "no room": {1 << 20, partSize + 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			budget := memory.NewBudget(memory.Sizes{Shared: c.budget}, 0)
			lease := budget.Lease("p")
			defer lease.Release()
			b := openTestBucket(t, "s3://bucket?endpoint="+discard(t, io.Discard, new(atomic.Int64), 0).URL, "secret")
			var most int64
			watched := readerFunc(func(into []byte) (int, error) {
				most = max(most, budget.Held())
				return len(into), nil
			})
			if err := b.Put(memory.With(t.Context(), lease), someKey, io.LimitReader(watched, c.size), c.size); err != nil {
				t.Fatal(err)
			}
			if most != c.want || budget.Held() != 0 || len(b.held) != 0 {
				t.Errorf("held %d, want %d; %d bytes and %d places afterwards", most, c.want, budget.Held(), len(b.held))
			}
		})
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(into []byte) (int, error) { return f(into) }

// TestBrokenSenders interrupts the sender of a streamed upload: the upload fails with the sender's error.
func TestBrokenSenders(t *testing.T) {
	backend, endpoint := startS3(t)
	b := openTestBucket(t, "s3://bucket?endpoint="+endpoint, "secret")
	for range heldUploads {
		b.held <- struct{}{}
	}
	broken := errors.New("broken")
	if err := b.Put(t.Context(), someKey, io.MultiReader(strings.NewReader("123"), iotest.ErrReader(broken)), 5); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if list, err := backend.ListBucket("bucket", nil, gofakes3.ListBucketPage{}); err != nil || len(list.Contents) != 0 {
		t.Errorf("kept %v, %v", list, err)
	}
}
