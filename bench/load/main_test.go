package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// fake is a slow server that accepts spans and has a few rows.
type fake struct {
	t             *testing.T
	delay         time.Duration
	refuseEvery   int64
	exports       atomic.Int64
	spans         atomic.Int64
	metricsStatus int
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if user, password, ok := r.BasicAuth(); !ok || user != "pk" || password != "sk" || r.Header.Get("X-Extra") != "yes" {
		f.t.Errorf("%s lacks credentials or headers", r.URL.Path)
	}
	time.Sleep(f.delay)
	switch r.URL.Path {
	case "/v1/traces":
		f.export(w, r)
	case "/api/public/v2/observations":
		if strings.Contains(r.URL.RawQuery, "matches") {
			http.Error(w, "no\nwords", http.StatusBadRequest)
			return
		}
		_, _ = fmt.Fprintf(w, `{"data":[{"traceId":"a","projectId":"p","startTime":%q},{"traceId":"b","projectId":"p"}],"meta":{}}`,
			time.Now().UTC().Format(time.RFC3339Nano))
	case "/api/public/v2/metrics":
		if f.metricsStatus != 0 {
			w.WriteHeader(f.metricsStatus)
		}
		_, _ = io.WriteString(w, `{"data":[{"count_count":1}]}`)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func (f *fake) export(w http.ResponseWriter, r *http.Request) {
	if n := f.exports.Add(1); f.refuseEvery > 0 && n%f.refuseEvery == 0 {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	body, err := gzip.NewReader(r.Body)
	if err != nil {
		f.t.Error(err)
		return
	}
	raw, err := io.ReadAll(body)
	if err != nil {
		f.t.Error(err)
	}
	f.spans.Add(int64(len(decoded(f.t, raw))))
}

// runWith runs the program with a shorter text, which is made quickly.
func runWith(t *testing.T, args []string, out io.Writer) error {
	t.Helper()
	o, err := parse(args, io.Discard)
	if err != nil {
		return err
	}
	o.textBytes = 1 << 20
	return o.run(t.Context(), args, out, io.Discard)
}

// runAgainst runs the program against a server, and returns its figures and its output.
func runAgainst(t *testing.T, url string, args ...string) (*result, string) {
	t.Helper()
	directory := t.TempDir()
	file, picture := filepath.Join(directory, "figures.json"), filepath.Join(directory, "picture.svg")
	args = append(args, "-url", url, "-public-key", "pk", "-secret-key", "sk", "-header", "x-extra=yes", "-otlp-path", "/v1/traces",
		"-data", directory, "-json", file, "-svg", picture)
	var out bytes.Buffer
	if err := runWith(t, args, &out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var figures result
	if err := json.Unmarshal(text, &figures); err != nil {
		t.Fatal(err)
	}
	if svg, err := os.ReadFile(picture); err != nil || !strings.Contains(string(svg), "How long requests took") {
		t.Errorf("the picture: %v\n%s", err, svg)
	}
	for _, want := range []string{"load average", "-secret-key …", "x-extra=…"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
		}
	}
	return &figures, out.String()
}

// find returns the figures of a request.
func (r *result) find(t *testing.T, name string) requestFigures {
	t.Helper()
	for _, f := range r.Requests {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("there are no figures of %q", name)
	return requestFigures{}
}

func TestIngest(t *testing.T) {
	f := &fake{t: t, delay: 20 * time.Millisecond, refuseEvery: 10}
	server := httptest.NewServer(f)
	defer server.Close()
	figures, text := runAgainst(t, server.URL, "-mode", "ingest", "-spans", "1000", "-batch", "100", "-connections", "2",
		"-pid", fmt.Sprintf("parent=%d", os.Getppid()))
	got := figures.find(t, "export of 100 spans")
	if f.spans.Load() != 900 || figures.Spans.Taken != 900 || got.Answered != 9 || got.Failures["503"] != 1 {
		t.Errorf("%d spans arrived, %d were counted, %+v; want 900 of 1000, one request of ten being refused", f.spans.Load(),
			figures.Spans.Taken, got)
	}
	if got.P50 < 20 || got.P50 > 1000 || got.Max < got.P99 || got.P99 < got.P90 || got.P90 < got.P50 {
		t.Errorf("every answer took 20 ms, and the figures are %+v", got)
	}
	if !strings.Contains(text, "refused or failed: spans: export of 100 spans: 1 × 503") || !strings.Contains(text, "900 taken") {
		t.Errorf("the report does not tell of the refusal:\n%s", text)
	}
}

func TestTargetThatTakesNoSpans(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	for _, more := range [][]string{{"-spans", "10"}, {"-duration", "10s"}} {
		err := runWith(t, append(more, "-mode", "ingest", "-url", server.URL), io.Discard)
		if err == nil || !strings.Contains(err.Error(), "404") {
			t.Errorf("%v: got %v", more, err)
		}
	}
}

// TestUnsupportedQuestions queries a server that lacks parts of the API.
func TestUnsupportedQuestions(t *testing.T) {
	server := httptest.NewServer(&fake{t: t})
	defer server.Close()
	figures, text := runAgainst(t, server.URL, "-mode", "read", "-runs", "3", "-pid", fmt.Sprintf("myself=%d", os.Getpid()))
	word := figures.find(t, "rare word in input")
	if word.LeftOut != "not supported: 400 no\nwords" || word.Answered != 0 || len(word.Failures) != 0 {
		t.Errorf("got %+v", word)
	}
	first := figures.find(t, "first page, 50 rows")
	if first.Answered != 3 || first.Units != 2 || first.LeftOut != "" || first.CPU == nil || first.Peak == nil {
		t.Errorf("got %+v", first)
	}
	figures.find(t, "page 1 of a walk, 50 rows") // there is no second one
	if len(figures.Processes) != 1 || figures.Processes[0].Name != "myself" || figures.Processes[0].Peak <= 0 {
		t.Errorf("the process: %+v", figures.Processes)
	}
	if !strings.Contains(text, "left out: rows: rare word in input: not supported: 400 no words\n") {
		t.Errorf("the report does not tell:\n%s", text)
	}
	none := httptest.NewServer(&fake{t: t, metricsStatus: http.StatusNotImplemented})
	defer none.Close()
	figures, _ = runAgainst(t, none.URL, "-mode", "mixed", "-rate", "2000", "-duration", "100ms", "-warm-up", "0s")
	if figures.find(t, "first page, 50 rows").Answered == 0 || figures.find(t, "distinct users by day").LeftOut == "" {
		t.Error("a server without metrics is not asked for rows, or its answer is not reported")
	}
	err := runWith(t, strings.Fields("-mode metrics -public-key pk -secret-key sk -header x-extra=yes -url "+none.URL), io.Discard)
	if err == nil || !strings.Contains(err.Error(), "no question about metrics: not supported: 501") {
		t.Errorf("got %v", err)
	}
}

func TestMixed(t *testing.T) {
	f := &fake{t: t}
	server := httptest.NewServer(f)
	defer server.Close()
	figures, text := runAgainst(t, server.URL, "-mode", "mixed", "-batch", "100", "-rate", "2000", "-read-rate", "100", "-duration",
		"500ms", "-warm-up", "200ms")
	spans := figures.find(t, "export of 100 spans")
	if spans.Answered != 10 || spans.WarmUps != 4 || figures.Spans.Taken != 1000 || f.spans.Load() != 1500 {
		t.Errorf("%+v, and %d spans arrived; want 10 requests after 4 to warm up and one to begin with", spans, f.spans.Load())
	}
	if got := figures.Spans.PerSecond; got < 1000 || got > 2001 {
		t.Errorf("%v spans per second, want 2000", got)
	}
	answered := 0
	for _, r := range figures.Requests {
		if r.Kind != "spans" {
			answered += r.Answered + r.Unsent
		}
	}
	if answered != 100 {
		t.Errorf("%d questions were due, want 50 of each kind", answered)
	}
	if !strings.Contains(text, "200ms before the 500ms that count") {
		t.Errorf("the report does not tell of the warm-up:\n%s", text)
	}
}

// TestGRPC sends spans over gRPC and reads its status.
func TestGRPC(t *testing.T) {
	var requests atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.ProtoMajor != 2 || r.URL.Path != grpcPath || body[0] != 1 ||
			int(binary.BigEndian.Uint32(body[1:])) != len(body)-5 {
			t.Errorf("HTTP/%d to %s: %v", r.ProtoMajor, r.URL.Path, err)
		}
		status := "0"
		if requests.Add(1)%2 == 0 {
			status = "14"
		}
		w.Header().Set("Content-Type", "application/grpc")
		w.Header().Set("Trailer", "Grpc-Status")
		_, _ = w.Write(make([]byte, 5))
		w.Header().Set("Grpc-Status", status)
	}))
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	defer server.Close()
	figures, _ := runAgainst(t, server.URL, "-mode", "ingest", "-protocol", "grpc", "-spans", "100", "-batch", "25")
	if got := figures.find(t, "export of 25 spans"); got.Answered != 2 || got.Failures["grpc 14"] != 2 {
		t.Errorf("got %+v", got)
	}
}
