package blob

import (
	"crypto/sha256"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// startS3 starts an implementation of S3 that others have written, behind a check of signatures, which it does not have.
func startS3(t *testing.T) (backend gofakes3.Backend, endpoint string) {
	t.Helper()
	backend = s3mem.New()
	if err := backend.CreateBucket("bucket"); err != nil {
		t.Fatal(err)
	}
	s3 := gofakes3.New(backend).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if problem := checkSignature(r); problem != "" {
			http.Error(w, "<Error><Code>SignatureDoesNotMatch</Code></Error>", http.StatusForbidden)
			return
		}
		s3.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return backend, server.URL
}

func openTestBucket(t *testing.T, address, secret string) *Bucket {
	t.Helper()
	b, err := OpenBucket(BucketOptions{Address: address, AccessKey: "key", SecretKey: secret})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// TestWrongBuckets tells what is wrong: nothing of it looks like a blob that is not there.
func TestWrongBuckets(t *testing.T) {
	_, endpoint := startS3(t)
	for name, c := range map[string]struct{ bucket, secret, want string }{
		"another secret": {"bucket", "other", "SignatureDoesNotMatch"},
		"no such bucket": {"nowhere", "secret", "NoSuchBucket"},
	} {
		t.Run(name, func(t *testing.T) {
			b := openTestBucket(t, "s3://"+c.bucket+"?endpoint="+endpoint, c.secret)
			_, openErr := b.Open(t.Context(), someKey, 1)
			for _, err := range []error{openErr, b.Put(t.Context(), someKey, strings.NewReader("x"), 1), b.Remove(t.Context(), someKey)} {
				if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, ErrNotFound) || strings.Contains(err.Error(), c.secret) && c.secret == "other" {
					t.Errorf("error %v, want one with %q", err, c.want)
				}
			}
		})
	}
}

// TestBucketStreams sends and fetches what is larger than what this program may hold of it.
func TestBucketStreams(t *testing.T) {
	const size = 64 << 20
	sent := sha256.New()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			if n, err := io.Copy(sent, r.Body); n != size || err != nil || r.ContentLength != size {
				t.Errorf("%d bytes of %d arrived: %v", n, r.ContentLength, err)
			}
			return
		}
		w.Header().Set("Content-Length", "67108864")
		w.WriteHeader(http.StatusPartialContent)
		_, _ = io.CopyN(w, rand.NewChaCha8([32]byte{1}), size)
	}))
	t.Cleanup(server.Close)
	b := openTestBucket(t, "s3://bucket?endpoint="+server.URL, "secret")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	wanted := sha256.New()
	if err := b.Put(t.Context(), someKey, io.TeeReader(io.LimitReader(rand.NewChaCha8([32]byte{1}), size), wanted), size); err != nil {
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
	if took := after.TotalAlloc - before.TotalAlloc; took > size/4 {
		t.Errorf("%d bytes of memory were taken for a file of %d", took, size)
	}
}
