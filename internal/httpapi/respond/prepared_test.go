package respond

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPreparedAnswersAreTheSame sends bodies both ways: clients cannot tell them apart.
func TestPreparedAnswersAreTheSame(t *testing.T) {
	for _, body := range []string{
		`{}`, `"` + strings.Repeat("x", minCompressed-3) + `"`, `"` + strings.Repeat("x", minCompressed-2) + `"`,
		`"` + strings.Repeat("long ", 10000) + `"`,
	} {
		prepared := Prepare([]byte(body))
		for _, accepted := range []string{"", "gzip, deflate", "gzip;q=0", "identity"} {
			for _, known := range []string{"", "*", `"other"`, prepared.tag + `"`, prepared.tag + `-gzip"`} {
				r := httptest.NewRequest("GET", "/", nil)
				r.Header.Set("Accept-Encoding", accepted)
				r.Header.Set("If-None-Match", known)
				plain, ready := httptest.NewRecorder(), httptest.NewRecorder()
				JSON(plain, r, 200, []byte(body))
				prepared.Send(ready, r)
				ready.Header().Del("Content-Length") // known for compressed ones as well
				plain.Header().Del("Content-Length")
				if diff := cmp.Diff(plain.Header(), ready.Header()); diff != "" || plain.Code != ready.Code {
					t.Errorf("%d bytes, %q, %q: status %d and %d, headers %s", len(body), accepted, known, plain.Code, ready.Code, diff)
				}
				if got, want := unpacked(t, ready), unpacked(t, plain); got != want {
					t.Errorf("%d bytes, %q, %q: body %.100q, want %.100q", len(body), accepted, known, got, want)
				}
			}
		}
		if size := prepared.Size(); size < len(body) {
			t.Errorf("%d bytes take %d", len(body), size)
		}
	}
}

func unpacked(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	if w.Header().Get("Content-Encoding") == "" {
		return w.Body.String()
	}
	z, err := gzip.NewReader(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
