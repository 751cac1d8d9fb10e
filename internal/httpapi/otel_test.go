package httpapi

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/protobuf/encoding/protowire"

	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/ingest/otlp"
	"almanac/internal/ingest/pricing"
	"almanac/internal/store"
	"almanac/test/failing"
)

// memoryTable receives the exports of scenarios. It maps the project, trace id and span id of each row to its name.
type memoryTable struct {
	mu   sync.Mutex
	rows map[string]string
	fail error
	// failures, if set, also makes it fail.
	failures *failing.Switch
}

func (m *memoryTable) Append(_ context.Context, scope domain.ProjectScope, rows []domain.Observation) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return m.fail
	}
	if m.failures != nil {
		if err := m.failures.Call("pipeline: append"); err != nil {
			return err
		}
	}
	if m.rows == nil {
		m.rows = make(map[string]string)
	}
	for n := range rows {
		m.rows[scope.ProjectID()+"/"+rows[n].TraceID+"/"+rows[n].ID] = strings.Clone(rows[n].Name)
	}
	return nil
}

func (m *memoryTable) names() []string { return slices.Sorted(maps.Values(m.rows)) }

var defaultPrices = sync.OnceValues(pricing.Default)

func newPipeline(t testing.TB, table ingest.Table, registry prometheus.Registerer, log *slog.Logger, change func(*ingest.Options)) *ingest.Pipeline {
	t.Helper()
	prices, err := defaultPrices()
	if err != nil {
		t.Fatal(err)
	}
	o := ingest.Options{
		Table: table, Prices: prices, Limits: otlp.DefaultLimits(), MaxExport: 1 << 20, Memory: 16 << 20, Wait: 10 * time.Millisecond,
		Metrics: registry, Log: log,
	}
	if change != nil {
		change(&o)
	}
	return ingest.New(o)
}

// limited returns a fixture whose pipeline has other limits.
func limited(t *testing.T, change func(*ingest.Options)) *fixture {
	t.Helper()
	rows := new(memoryTable)
	f := newFixture(t, func(o *Options) { o.Ingest = newPipeline(t, rows, o.Registry, o.Log, change) })
	f.rows = rows
	return f
}

const (
	tracesPath = "/api/public/otel/v1/traces"
	// oneSpan is an export, in JSON and as protobuf.
	oneSpan = `{"resourceSpans":[{"scopeSpans":[{"scope":{"name":"test"},"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"canary span","startTimeUnixNano":"1767225600123456789"}]}]}]}`
	badSpan = `{"resourceSpans":[{"scopeSpans":[{"scope":{"name":"test"},"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"good","startTimeUnixNano":"1767225600123456789"},{"name":"bad"}]}]}]}`
)

// protobufExport returns an export of spans with the given ids; an empty id yields an invalid span.
func protobufExport(ids ...string) string {
	message := func(number protowire.Number, content []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), content)
	}
	var spans []byte
	for _, id := range ids {
		span := append(message(1, []byte("0123456789abcdef")), message(5, []byte("span "+id))...)
		if id != "" {
			span = append(span, message(2, []byte(id))...)
		}
		span = protowire.AppendFixed64(protowire.AppendTag(span, 7, protowire.Fixed64Type), 1767225600123456789)
		spans = append(spans, message(2, span)...)
	}
	return string(message(1, message(2, spans)))
}

var protobufHeader = map[string]string{"Content-Type": "application/x-protobuf"}

// with returns a header with one more member.
func with(header map[string]string, name, value string) map[string]string {
	header = maps.Clone(header)
	if header == nil {
		header = make(map[string]string)
	}
	header[name] = value
	return header
}

func packed(t *testing.T, text string, newWriter func(io.Writer) io.WriteCloser) string {
	t.Helper()
	var b bytes.Buffer
	w := newWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipped(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }

func zstded(w io.Writer) io.WriteCloser {
	z, err := zstd.NewWriter(w)
	if err != nil {
		panic(err)
	}
	return z
}

// stores checks which spans a scenario stored.
func stores(names ...string) func(*testing.T, *fixture) {
	return func(t *testing.T, f *fixture) {
		t.Helper()
		if got := f.rows.names(); !slices.Equal(got, names) {
			t.Errorf("stored %q, want %q", got, names)
		}
	}
}

func TestExportTraces(t *testing.T) {
	const (
		denied      = `{"message":"Access denied - insufficient permissions for this endpoint"}`
		unpackError = `{"error":"Failed to decompress request body"}`
		badJSON     = `{"error":"Failed to parse OTel JSON Trace"}`
		badProtobuf = `{"error":"Failed to parse OTel Protobuf Trace"}`
		badVersion  = `{"error":"Unsupported x-langfuse-ingestion-version: \"5\". Maximum supported: \"4\"."}`
	)
	runScenarios(t, []scenario{
		// The order of checks.
		{name: "GET", path: tracesPath, key: "project", status: 405, want: `{"message":"Method not allowed","error":"MethodNotAllowedError"}`, wantHeader: map[string]string{"Allow": "POST"}},
		{name: "PUT with a body that is no JSON", method: "PUT", path: tracesPath, body: "{", status: 405},
		{name: "preflight", method: "OPTIONS", path: tracesPath, status: 204, header: map[string]string{"Origin": "http://x.test"}, wantHeader: map[string]string{"Access-Control-Allow-Origin": "http://x.test", "Access-Control-Allow-Credentials": ""}},
		{name: "no credential before a bad body", method: "POST", path: tracesPath, body: "{", status: 401, want: `{"message":"No authorization header"}`},
		{name: "a wrong scheme", method: "POST", path: tracesPath, body: "{}", header: map[string]string{"Authorization": "Digest x"}, status: 401, want: `{"message":"Invalid authorization header"}`},
		{name: "the public key alone", method: "POST", path: tracesPath, body: "{}", header: map[string]string{"Authorization": "Bearer pk-lf-a"}, status: 403, want: denied},
		{name: "an organization's key", method: "POST", path: tracesPath, key: "organization", body: "{}", status: 403, want: denied},
		{name: "a key that may only read", method: "POST", path: tracesPath, key: "limited", body: "{}", status: 403, want: `{"message":"Access denied - insufficient permissions for this endpoint: the key lacks the permission traces:write"}`},
		{name: "gzip before the content type", method: "POST", path: tracesPath, key: "project", body: "x", header: map[string]string{"Content-Encoding": "gzip", "Content-Type": "text/plain"}, status: 400, want: unpackError},
		{name: "no content type", method: "POST", path: tracesPath, key: "project", body: "{}", header: map[string]string{"Content-Type": ""}, status: 400, want: `{"error":"Invalid content type"}`},
		{name: "almost a content type", method: "POST", path: tracesPath, key: "project", body: "{}", header: map[string]string{"Content-Type": "application/protobuf"}, status: 400, want: `{"error":"Invalid content type"}`},
		{name: "not JSON", method: "POST", path: tracesPath, key: "project", body: "{nope", status: 400, want: badJSON, wantHeader: map[string]string{"Content-Type": "application/json; charset=utf-8"}},
		{name: "not protobuf", method: "POST", path: tracesPath, key: "project", body: "???", header: protobufHeader, status: 400, want: badProtobuf, wantHeader: map[string]string{"Content-Type": "application/json; charset=utf-8"}},
		{name: "not JSON before the version", method: "POST", path: tracesPath, key: "project", body: "{", header: map[string]string{"x-langfuse-ingestion-version": "5"}, status: 400, want: badJSON},
		{name: "empty before the version", method: "POST", path: tracesPath, key: "project", body: `{"resourceSpans":[]}`, header: map[string]string{"x-langfuse-ingestion-version": "5"}, status: 200, want: `{}`},
		{name: "structure before the version", method: "POST", path: tracesPath, key: "project", body: `{"resourceSpans":[{"scopeSpans":[{"spans":[{}]}]}]}`, header: map[string]string{"x-langfuse-ingestion-version": "5"}, status: 400, contains: []string{`{"error":"Invalid OTLP trace export: 1 of 1 span(s)`}},
		{name: "a newer version", method: "POST", path: tracesPath, key: "project", body: oneSpan, header: map[string]string{"x-langfuse-ingestion-version": "5"}, status: 400, want: badVersion, after: stores()},
		{name: "a newer version with underscores", method: "POST", path: tracesPath, key: "project", body: oneSpan, header: map[string]string{"x_langfuse_ingestion_version": "5"}, status: 400, want: badVersion},
		{name: "a version of our own name", method: "POST", path: tracesPath, key: "project", body: oneSpan, header: map[string]string{"x-almanac-ingestion-version": "5"}, status: 400, contains: []string{"x-almanac-ingestion-version"}},

		// Accepted exports.
		{name: "JSON", method: "POST", path: tracesPath, key: "project", body: oneSpan, status: 200, want: `{}`, wantHeader: map[string]string{"Content-Type": "application/json; charset=utf-8"}, after: stores("canary span")},
		{name: "version 4", method: "POST", path: tracesPath, key: "project", body: oneSpan, header: map[string]string{"x-langfuse-ingestion-version": "4"}, status: 200, want: `{}`, after: stores("canary span")},
		{name: "JSON by another name", method: "POST", path: tracesPath, key: "project", body: oneSpan, header: map[string]string{"Content-Type": "Application/JSON; charset=utf-8"}, status: 200, want: `{}`, after: stores("canary span")},
		{name: "protobuf", method: "POST", path: tracesPath, key: "project", body: protobufExport("00000001"), header: protobufHeader, status: 200, wantHeader: map[string]string{"Content-Type": "application/x-protobuf", "Content-Length": "0"}, after: stores("span 00000001")},
		{name: "nothing in protobuf", method: "POST", path: tracesPath, key: "project", header: protobufHeader, status: 200, wantHeader: map[string]string{"Content-Type": "application/x-protobuf", "Content-Length": "0"}, after: stores()},
		{name: "nothing in JSON", method: "POST", path: tracesPath, key: "project", body: `{}`, status: 200, want: `{}`, after: stores()},
		{name: "resource spans that are no list", method: "POST", path: tracesPath, key: "project", body: `{"resourceSpans":{}}`, status: 200, want: `{}`, after: stores()},
		{name: "names of another style", method: "POST", path: tracesPath, key: "project", body: `{"resource_spans":[{}]}`, status: 200, want: `{}`, after: stores()},
		{name: "gzip", method: "POST", path: tracesPath, key: "project", body: packed(t, oneSpan, gzipped), header: map[string]string{"Content-Encoding": "gzip"}, status: 200, want: `{}`, after: stores("canary span")},
		{name: "gzip of protobuf", method: "POST", path: tracesPath, key: "project", body: packed(t, protobufExport("00000001", "00000002"), gzipped), header: with(protobufHeader, "Content-Encoding", "gzip"), status: 200, after: stores("span 00000001", "span 00000002")},
		{name: "zstd", method: "POST", path: tracesPath, key: "project", body: packed(t, oneSpan, zstded), header: map[string]string{"Content-Encoding": "zstd"}, status: 200, want: `{}`, after: stores("canary span")},
		{name: "deflate", method: "POST", path: tracesPath, key: "project", body: packed(t, oneSpan, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }), header: map[string]string{"Content-Encoding": "deflate"}, status: 200, want: `{}`, after: stores("canary span")},
		{name: "an encoding that we do not know", method: "POST", path: tracesPath, key: "project", body: oneSpan, header: map[string]string{"Content-Encoding": "br"}, status: 400, want: `{"error":"Unsupported content encoding \"br\": use gzip, zstd, deflate or none"}`},
		{name: "the address of the server", method: "POST", path: "/v1/traces", key: "project", body: oneSpan, status: 200, want: `{}`, after: stores("canary span")},
		{name: "the base address", method: "POST", path: "/api/public/otel", key: "project", body: oneSpan, status: 200, want: `{}`, after: stores("canary span")},
		{name: "from a page", method: "POST", path: tracesPath, key: "project", body: oneSpan, header: map[string]string{"Origin": "http://x.test"}, status: 200, wantHeader: map[string]string{"Access-Control-Allow-Origin": "http://x.test"}},
		{name: "a trailing slash", method: "POST", path: tracesPath + "/", key: "project", body: oneSpan, status: 308, wantHeader: map[string]string{"Location": tracesPath}},

		// Partially accepted exports.
		{name: "one bad span", method: "POST", path: tracesPath, key: "project", body: badSpan, status: 200, contains: []string{`{"partialSuccess":{"rejectedSpans":"1","errorMessage":"1 of 2 span(s)`}, after: stores("good")},
		{name: "one bad span in protobuf", method: "POST", path: tracesPath, key: "project", body: protobufExport("00000001", ""), header: protobufHeader, status: 200, contains: []string{"\x0a", "1 of 2 span(s)", "spanId:absent"}, wantHeader: map[string]string{"Content-Type": "application/x-protobuf"}, after: stores("span 00000001")},
		{name: "only bad spans", method: "POST", path: tracesPath, key: "project", body: protobufExport("", ""), header: protobufHeader, status: 400, contains: []string{`{"error":"Invalid OTLP trace export: 2 of 2 span(s)`}, after: stores()},
		{name: "one key twice", method: "POST", path: tracesPath, key: "project", body: protobufExport("00000001", "00000001"), header: protobufHeader, status: 200, after: stores("span 00000001")},

		// Other signals.
		{name: "metrics", method: "POST", path: "/api/public/otel/v1/metrics", key: "project", body: "\x00\x01", header: protobufHeader, status: 200, want: `{"message":"OK"}`},
		{name: "metrics that are no JSON", method: "POST", path: "/api/public/otel/v1/metrics", key: "project", body: "{", status: 200, want: `{"message":"OK"}`},
		{name: "metrics of a key that may not send", method: "POST", path: "/api/public/otel/v1/metrics", key: "limited", body: "{}", status: 403},
		{name: "metrics without a credential", method: "POST", path: "/api/public/otel/v1/metrics", body: "{}", status: 401},
		{name: "logs", method: "POST", path: "/api/public/otel/v1/logs", key: "project", body: "{}", status: 404},
	})
}

func TestExportsOfProjectsAreApart(t *testing.T) {
	f := newFixture(t, nil)
	for _, key := range []string{"project", "neighbour", "foreign", "project"} {
		f.run(t, scenario{method: "POST", path: tracesPath, key: key, body: oneSpan, status: 200})
	}
	want := []string{"project-a/", "project-a2/", "project-b/"}
	for n, key := range slices.Sorted(maps.Keys(f.rows.rows)) {
		if n >= len(want) || !strings.HasPrefix(key, want[n]) {
			t.Errorf("row %d is %s", n, key)
		}
	}
}

// TestExportLimits reaches every limit of an export.
func TestExportLimits(t *testing.T) {
	oversized := `{"error":"The export is larger than the limit of 1048576 bytes. Send fewer spans at once."}`
	at := func(size int) string { return `{"padding":"` + strings.Repeat("x", size-len(`{"padding":""}`)) + `"}` }
	runScenarios(t, []scenario{
		{name: "at the limit", method: "POST", path: tracesPath, key: "project", body: at(1 << 20), status: 200, want: `{}`},
		{name: "above the limit", method: "POST", path: tracesPath, key: "project", body: at(1<<20 + 1), status: 413, want: oversized, wantHeader: map[string]string{"Connection": "close"}},
		{name: "above the limit before it is known who asks", method: "POST", path: tracesPath, body: at(1<<20 + 1), status: 401},
		{name: "above the limit once decompressed", method: "POST", path: tracesPath, key: "project", body: packed(t, at(1<<20+1), gzipped), header: map[string]string{"Content-Encoding": "gzip"}, status: 413, want: oversized},
		{name: "at the limit once decompressed", method: "POST", path: tracesPath, key: "project", body: packed(t, at(1<<20), gzipped), header: map[string]string{"Content-Encoding": "gzip"}, status: 200, want: `{}`},
	})
	run := func(name string, change func(*ingest.Options), s scenario) {
		t.Run(name, func(t *testing.T) {
			s.method, s.path, s.key = "POST", tracesPath, "project"
			f := limited(t, change)
			f.run(t, s)
			f.run(t, scenario{path: "/metrics", status: 200, contains: []string{"almanac_ingest_bytes_in_flight 0\n"}})
		})
	}
	run("a bomb", func(o *ingest.Options) { o.MaxExport, o.Memory = 1<<30, 64<<20 }, scenario{
		body: packed(t, strings.Repeat("x", 9<<20), gzipped), header: map[string]string{"Content-Encoding": "gzip"}, status: 413,
		want: `{"error":"The export grows to more than 256 times its size when it is decompressed. Send fewer spans at once."}`,
	})
	run("more than all the memory", func(o *ingest.Options) { o.Memory = 64 << 10 }, scenario{
		body: at(1 << 20), status: 413, contains: []string{`{"error":"The export takes more memory than`},
	})
	run("too many spans", func(o *ingest.Options) { o.Limits.Spans = 1 }, scenario{
		body: badSpan, status: 400, want: `{"error":"Invalid OTLP trace export: the export has more than 1 spans. Send fewer spans at once."}`, after: stores(),
	})
	run("too many attributes", func(o *ingest.Options) { o.Limits.Attributes = 1 }, scenario{
		body:   strings.Replace(oneSpan, `"name":"canary span"`, `"attributes":[{"key":"a","value":{}},{"key":"b","value":{}}]`, 1),
		status: 400, contains: []string{"1 of 1 span(s)", "attributes:too_many"},
	})

	t.Run("without saying how long it is", func(t *testing.T) {
		f := newFixture(t, nil)
		for body, want := range map[string]int{at(1 << 20): 200, at(1<<20 + 1): 413, oneSpan: 200} {
			r := scenario{method: "POST", path: tracesPath, key: "project", body: body}.request()
			r.ContentLength = -1
			w := httptest.NewRecorder()
			f.ServeHTTP(w, r)
			if w.Code != want {
				t.Errorf("%d bytes: status %d, want %d: %s", len(body), w.Code, want, w.Body)
			}
		}
		stores("canary span")(t, f)
	})
	t.Run("a body that breaks off", func(t *testing.T) {
		f := newFixture(t, nil)
		r := scenario{method: "POST", path: tracesPath, key: "project", body: oneSpan}.request()
		r.Body = io.NopCloser(io.MultiReader(strings.NewReader(oneSpan[:50]), brokenReader{}))
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		if w.Code != 400 || w.Body.String() != `{"error":"Failed to read request body"}` || w.Header().Get("Connection") != "close" {
			t.Errorf("%d %s %v", w.Code, w.Body, w.Header())
		}
	})
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("connection reset") }

// TestExportsWhenTheServerIsFull: a full server asks exporters to retry.
func TestExportsWhenTheServerIsFull(t *testing.T) {
	export := scenario{method: "POST", path: tracesPath, key: "project", body: oneSpan, status: 503}
	for name, c := range map[string]struct {
		err   error
		after string
		text  string
	}{
		"busy":      {fmt.Errorf("appending: %w", store.ErrBusy), "5", "cannot store traces as fast as they arrive"},
		"disk full": {fmt.Errorf("appending: %w", store.ErrDiskFull), "30", "too little disk space"},
		"broken":    {errors.New("secret detail"), "5", "cannot store traces at the moment"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, nil)
			f.rows.fail = c.err
			s := export
			s.contains, s.missing = []string{c.text, `"error":"ServiceUnavailableError"`}, []string{c.err.Error()}
			s.wantHeader = map[string]string{"Retry-After": c.after}
			f.run(t, s)
			if !strings.Contains(f.log.String(), c.err.Error()) {
				t.Errorf("the log does not tell why: %s", f.log)
			}
			f.rows.fail = nil
			f.run(t, scenario{method: "POST", path: tracesPath, key: "project", body: oneSpan, status: 200})
		})
	}
	t.Run("memory", func(t *testing.T) {
		f := newFixture(t, nil)
		// Slow clients hold all memory: their bodies never end.
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				r := scenario{method: "POST", path: tracesPath, key: "project", body: "x"}.request().WithContext(ctx)
				r.ContentLength, r.Body = -1, &slowBody{left: 200_000, ctx: ctx}
				f.ServeHTTP(httptest.NewRecorder(), r)
			})
		}
		deadline := time.Now().Add(20 * time.Second)
		for {
			w := httptest.NewRecorder()
			s := export
			s.body = `{"padding":"` + strings.Repeat("x", 600_000) + `"}`
			f.ServeHTTP(w, s.request())
			if w.Code == 503 {
				if w.Header().Get("Retry-After") != "1" {
					t.Errorf("headers %v", w.Header())
				}
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("status %d although all memory is held", w.Code)
			}
			time.Sleep(time.Millisecond)
		}
		f.run(t, scenario{path: "/api/public/projects", key: "project", status: 200}) // other requests are served
		cancel()
		wg.Wait()
		f.run(t, scenario{method: "POST", path: tracesPath, key: "project", body: oneSpan, status: 200})
		f.run(t, scenario{path: "/metrics", status: 200, contains: []string{"almanac_ingest_bytes_in_flight 0\n", "almanac_ingest_waiting_requests 0\n"}})
	})
}

// slowBody yields its content and then blocks until the client disconnects.
type slowBody struct {
	left int
	ctx  context.Context //nolint:containedctx // a reader is not handed one
}

func (b *slowBody) Read(p []byte) (int, error) {
	if b.left == 0 {
		<-b.ctx.Done()
		return 0, b.ctx.Err()
	}
	n := min(len(p), b.left)
	b.left -= n
	return n, nil
}

func (*slowBody) Close() error { return nil }

// TestSlowExportsHoldNoTurn receives more concurrent exports than are processed concurrently.
func TestSlowExportsHoldNoTurn(t *testing.T) {
	f := newFixture(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 2 * f.Limits.Concurrent {
		wg.Go(func() {
			r := scenario{method: "POST", path: tracesPath, key: "project", body: "x"}.request().WithContext(ctx)
			r.ContentLength, r.Body = -1, &slowBody{left: 100, ctx: ctx}
			f.ServeHTTP(httptest.NewRecorder(), r)
		})
	}
	for range 10 {
		f.run(t, scenario{method: "POST", path: tracesPath, key: "project", body: oneSpan, once: true, status: 200})
	}
	cancel()
	wg.Wait()
}

func TestEventsAreHealthy(t *testing.T) {
	f := newFixture(t, nil)
	f.LastEvent = f.Ingest.LastEvent
	recent := scenario{path: "/api/public/health?failIfNoRecentEvents=true"}
	recent.status = 503
	f.run(t, recent)
	now := strings.Replace(oneSpan, "1767225600123456789", strconv.FormatInt(time.Now().UnixNano(), 10), 1)
	f.run(t, scenario{method: "POST", path: tracesPath, key: "project", body: now, status: 200})
	recent.status = 200
	f.run(t, recent)
}

// TestTransportVectors runs the requests of the contract. Those with an intentionally different response say why.
func TestTransportVectors(t *testing.T) {
	raw, err := os.ReadFile("testdata/otel-transport.json")
	if err != nil {
		t.Fatal(err)
	}
	vectors := decodeJSON[[]struct {
		ID      string
		Request struct {
			Method, Path, Auth   string
			Headers              map[string]string
			BodyJSON             json.RawMessage
			BodyText, BodyBase64 string
		}
		Expect struct {
			Status        int
			BodyJSON      json.RawMessage
			ErrorContains []string
			BodyContains  []string
		}
	}](t, raw)
	if len(vectors) != 14 {
		t.Fatalf("there are %d vectors", len(vectors))
	}
	for _, v := range vectors {
		t.Run(v.ID, func(t *testing.T) {
			body := string(v.Request.BodyJSON) + v.Request.BodyText
			decoded, err := base64.StdEncoding.DecodeString(v.Request.BodyBase64)
			if err != nil {
				t.Fatal(err)
			}
			s := scenario{
				method: v.Request.Method, path: v.Request.Path, header: v.Request.Headers, body: body + string(decoded),
				status: v.Expect.Status, contains: append(v.Expect.BodyContains, v.Expect.ErrorContains...),
			}
			if v.Request.Auth == "basic" {
				s.key = "project"
			}
			if v.Expect.BodyJSON != nil {
				var compact bytes.Buffer
				if err := json.Compact(&compact, v.Expect.BodyJSON); err != nil {
					t.Fatal(err)
				}
				s.want = compact.String()
			}
			if len(v.Expect.ErrorContains) > 0 {
				s.contains = append(s.contains, `{"error":"`)
			}
			newFixture(t, nil).run(t, s)
		})
	}
}
