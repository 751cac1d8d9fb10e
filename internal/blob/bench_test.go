package blob

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// BenchmarkBucket uploads and downloads a file of typical size, streamed from a client.
func BenchmarkBucket(b *testing.B) {
	const size = 1 << 20
	content := strings.Repeat("almanac ", size/8)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			_, _ = io.Copy(io.Discard, r.Body)
			return
		}
		w.Header().Set("Last-Modified", "Thu, 01 Jan 1970 00:00:01 GMT")
		w.Header().Set("Content-Length", strconv.Itoa(size))
		w.WriteHeader(http.StatusPartialContent)
		_, _ = io.WriteString(w, content)
	}))
	defer server.Close()
	bucket, err := OpenBucket(BucketOptions{
		Client: TrustedClient(), Address: "s3://bucket?endpoint=" + server.URL, AccessKey: "key", SecretKey: "secret",
	})
	if err != nil {
		b.Fatal(err)
	}
	defer bucket.Close()
	b.Run("put", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			if err := bucket.Put(b.Context(), someKey, io.MultiReader(strings.NewReader(content)), size); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("get", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			r, err := bucket.Open(b.Context(), someKey, size)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, r); err != nil {
				b.Fatal(err)
			}
			if err := r.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
