package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"almanac/internal/otlp"
)

// TestRun sends to a server that reads what comes, and looks at the report.
func TestRun(t *testing.T) {
	var spans, refused atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refused.Add(1) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		body, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		raw, err := io.ReadAll(body)
		if err != nil {
			t.Error(err)
		}
		var export otlp.Export
		if err := export.DecodeProtobuf(raw, otlp.DefaultLimits()); err != nil || export.Rejected > 0 {
			t.Error(err, export.Problems)
		}
		spans.Add(int64(export.Spans))
		if user, _, ok := r.BasicAuth(); !ok || user != "pk" {
			t.Error("no credentials")
		}
	}))
	defer server.Close()
	var out bytes.Buffer
	args := []string{"-url", server.URL, "-public-key", "pk", "-secret-key", "sk", "-spans", "1000", "-batch", "100", "-connections", "2"}
	if err := run(context.Background(), args, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if spans.Load() != 900 {
		t.Errorf("%d spans arrived, want 900: one request of ten was refused", spans.Load())
	}
	for _, want := range []string{"spans                          900 in requests of 100", "9 / 1 / 0", "request p50"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
		}
	}
	if err := run(context.Background(), []string{"-batch", "0"}, io.Discard, io.Discard); err == nil {
		t.Error("a batch of nothing is accepted")
	}
}
