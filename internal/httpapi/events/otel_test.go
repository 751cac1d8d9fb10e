package events_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	"google.golang.org/protobuf/encoding/protowire"

	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/ingest"
	"almanac/internal/store"
)

// limited returns a fixture whose pipeline has other limits.
func limited(t *testing.T, change func(*ingest.Options)) *apitest.Fixture {
	t.Helper()
	rows := new(apitest.MemoryTable)
	f := apitest.New(t, func(o *httpapi.Options) { o.Ingest = apitest.NewPipeline(t, rows, o.Registry, o.Log, change) })
	f.Rows = rows
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

func zstded(w io.Writer) io.WriteCloser {
	z, err := zstd.NewWriter(w)
	if err != nil {
		panic(err)
	}
	return z
}

// stores checks which spans a scenario stored.
func stores(names ...string) func(*testing.T, *apitest.Fixture) {
	return func(t *testing.T, f *apitest.Fixture) {
		t.Helper()
		if got := f.Rows.Names(); !slices.Equal(got, names) {
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
	apitest.Run(t, []apitest.Scenario{
		// The order of checks.
		{
			Name: "GET", Path: tracesPath, Key: "project", Status: 405,
			Want: `{"message":"Method not allowed","error":"MethodNotAllowedError"}`, WantHeader: map[string]string{"Allow": "POST"},
		},
		{Name: "PUT with a body that is no JSON", Method: "PUT", Path: tracesPath, Body: "{", Status: 405},
		{
			Name: "preflight", Method: "OPTIONS", Path: tracesPath, Status: 204, Header: map[string]string{"Origin": "http://x.test"},
			WantHeader: map[string]string{"Access-Control-Allow-Origin": "http://x.test", "Access-Control-Allow-Credentials": ""},
		},
		{
			Name: "no credential before a bad body", Method: "POST", Path: tracesPath, Body: "{", Status: 401,
			Want: `{"message":"No authorization header"}`,
		},
		{
			Name: "a wrong scheme", Method: "POST", Path: tracesPath, Body: "{}", Header: map[string]string{"Authorization": "Digest x"},
			Status: 401, Want: `{"message":"Invalid authorization header"}`,
		},
		{
			Name: "the public key alone", Method: "POST", Path: tracesPath, Body: "{}",
			Header: map[string]string{"Authorization": "Bearer pk-lf-a"}, Status: 403, Want: denied,
		},
		{Name: "an organization's key", Method: "POST", Path: tracesPath, Key: "organization", Body: "{}", Status: 403, Want: denied},
		{
			Name: "a key that may only read", Method: "POST", Path: tracesPath, Key: "limited", Body: "{}", Status: 403,
			Want: `{"message":"Access denied - insufficient permissions for this endpoint: the key lacks the permission traces:write"}`,
		},
		{
			Name: "gzip before the content type", Method: "POST", Path: tracesPath, Key: "project", Body: "x",
			Header: map[string]string{"Content-Encoding": "gzip", "Content-Type": "text/plain"}, Status: 400, Want: unpackError,
		},
		{
			Name: "no content type", Method: "POST", Path: tracesPath, Key: "project", Body: "{}",
			Header: map[string]string{"Content-Type": ""}, Status: 400, Want: `{"error":"Invalid content type"}`,
		},
		{
			Name: "almost a content type", Method: "POST", Path: tracesPath, Key: "project", Body: "{}",
			Header: map[string]string{"Content-Type": "application/protobuf"}, Status: 400, Want: `{"error":"Invalid content type"}`,
		},
		{
			Name: "not JSON", Method: "POST", Path: tracesPath, Key: "project", Body: "{nope", Status: 400, Want: badJSON,
			WantHeader: map[string]string{"Content-Type": "application/json; charset=utf-8"},
		},
		{
			Name: "not protobuf", Method: "POST", Path: tracesPath, Key: "project", Body: "???", Header: protobufHeader, Status: 400,
			Want: badProtobuf, WantHeader: map[string]string{"Content-Type": "application/json; charset=utf-8"},
		},
		{
			Name: "not JSON before the version", Method: "POST", Path: tracesPath, Key: "project", Body: "{",
			Header: map[string]string{"x-langfuse-ingestion-version": "5"}, Status: 400, Want: badJSON,
		},
		{
			Name: "empty before the version", Method: "POST", Path: tracesPath, Key: "project", Body: `{"resourceSpans":[]}`,
			Header: map[string]string{"x-langfuse-ingestion-version": "5"}, Status: 200, Want: `{}`,
		},
		{
			Name: "structure before the version", Method: "POST", Path: tracesPath, Key: "project",
			Body: `{"resourceSpans":[{"scopeSpans":[{"spans":[{}]}]}]}`, Header: map[string]string{"x-langfuse-ingestion-version": "5"},
			Status: 400, Contains: []string{`{"error":"Invalid OTLP trace export: 1 of 1 span(s)`},
		},
		{
			Name: "a newer version", Method: "POST", Path: tracesPath, Key: "project", Body: oneSpan,
			Header: map[string]string{"x-langfuse-ingestion-version": "5"}, Status: 400, Want: badVersion, After: stores(),
		},
		{
			Name: "a newer version with underscores", Method: "POST", Path: tracesPath, Key: "project", Body: oneSpan,
			Header: map[string]string{"x_langfuse_ingestion_version": "5"}, Status: 400, Want: badVersion,
		},
		{
			Name: "a version of our own name", Method: "POST", Path: tracesPath, Key: "project", Body: oneSpan,
			Header: map[string]string{"x-almanac-ingestion-version": "5"}, Status: 400, Contains: []string{"x-almanac-ingestion-version"},
		},

		// Accepted exports.
		{
			Name: "JSON", Method: "POST", Path: tracesPath, Key: "project", Body: oneSpan, Status: 200, Want: `{}`,
			WantHeader: map[string]string{"Content-Type": "application/json; charset=utf-8"}, After: stores("canary span"),
		},
		{
			Name: "version 4", Method: "POST", Path: tracesPath, Key: "project", Body: oneSpan,
			Header: map[string]string{"x-langfuse-ingestion-version": "4"}, Status: 200, Want: `{}`, After: stores("canary span"),
		},
		{
			Name: "JSON by another name", Method: "POST", Path: tracesPath, Key: "project", Body: oneSpan,
			Header: map[string]string{"Content-Type": "Application/JSON; charset=utf-8"}, Status: 200, Want: `{}`,
			After: stores("canary span"),
		},
		{
			Name: "protobuf", Method: "POST", Path: tracesPath, Key: "project", Body: protobufExport("00000001"), Header: protobufHeader,
			Status: 200, WantHeader: map[string]string{"Content-Type": "application/x-protobuf", "Content-Length": "0"},
			After: stores("span 00000001"),
		},
		{
			Name: "nothing in protobuf", Method: "POST", Path: tracesPath, Key: "project", Header: protobufHeader, Status: 200,
			WantHeader: map[string]string{"Content-Type": "application/x-protobuf", "Content-Length": "0"}, After: stores(),
		},
		{Name: "nothing in JSON", Method: "POST", Path: tracesPath, Key: "project", Body: `{}`, Status: 200, Want: `{}`, After: stores()},
		{
			Name: "resource spans that are no list", Method: "POST", Path: tracesPath, Key: "project", Body: `{"resourceSpans":{}}`,
			Status: 200, Want: `{}`, After: stores(),
		},
		{
			Name: "names of another style", Method: "POST", Path: tracesPath, Key: "project", Body: `{"resource_spans":[{}]}`, Status: 200,
			Want: `{}`, After: stores(),
		},
		{
			Name: "gzip", Method: "POST", Path: tracesPath, Key: "project", Body: apitest.Packed(t, oneSpan, apitest.Gzipped),
			Header: map[string]string{"Content-Encoding": "gzip"}, Status: 200, Want: `{}`, After: stores("canary span"),
		},
		{
			Name: "gzip of protobuf", Method: "POST", Path: tracesPath, Key: "project",
			Body: apitest.Packed(t, protobufExport("00000001", "00000002"), apitest.Gzipped), Header: apitest.WithHeader(protobufHeader, "Content-Encoding", "gzip"),
			Status: 200, After: stores("span 00000001", "span 00000002"),
		},
		{
			Name: "zstd", Method: "POST", Path: tracesPath, Key: "project", Body: apitest.Packed(t, oneSpan, zstded),
			Header: map[string]string{"Content-Encoding": "zstd"}, Status: 200, Want: `{}`, After: stores("canary span"),
		},
		{
			Name: "deflate", Method: "POST", Path: tracesPath, Key: "project",
			Body:   apitest.Packed(t, oneSpan, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }),
			Header: map[string]string{"Content-Encoding": "deflate"}, Status: 200, Want: `{}`, After: stores("canary span"),
		},
		{
			Name: "an encoding that we do not know", Method: "POST", Path: tracesPath, Key: "project", Body: oneSpan,
			Header: map[string]string{"Content-Encoding": "br"}, Status: 400,
			Want: `{"error":"Unsupported content encoding \"br\": use gzip, zstd, deflate or none"}`,
		},
		{
			Name: "the address of the server", Method: "POST", Path: "/v1/traces", Key: "project", Body: oneSpan, Status: 200, Want: `{}`,
			After: stores("canary span"),
		},
		{
			Name: "the base address", Method: "POST", Path: "/api/public/otel", Key: "project", Body: oneSpan, Status: 200, Want: `{}`,
			After: stores("canary span"),
		},
		{
			Name: "from a page", Method: "POST", Path: tracesPath, Key: "project", Body: oneSpan,
			Header: map[string]string{"Origin": "http://x.test"}, Status: 200,
			WantHeader: map[string]string{"Access-Control-Allow-Origin": "http://x.test"},
		},
		{
			Name: "a trailing slash", Method: "POST", Path: tracesPath + "/", Key: "project", Body: oneSpan, Status: 308,
			WantHeader: map[string]string{"Location": tracesPath},
		},

		// Partially accepted exports.
		{
			Name: "one bad span", Method: "POST", Path: tracesPath, Key: "project", Body: badSpan, Status: 200,
			Contains: []string{`{"partialSuccess":{"rejectedSpans":"1","errorMessage":"1 of 2 span(s)`}, After: stores("good"),
		},
		{
			Name: "one bad span in protobuf", Method: "POST", Path: tracesPath, Key: "project", Body: protobufExport("00000001", ""),
			Header: protobufHeader, Status: 200, Contains: []string{"\x0a", "1 of 2 span(s)", "spanId:absent"},
			WantHeader: map[string]string{"Content-Type": "application/x-protobuf"}, After: stores("span 00000001"),
		},
		{
			Name: "only bad spans", Method: "POST", Path: tracesPath, Key: "project", Body: protobufExport("", ""), Header: protobufHeader,
			Status: 400, Contains: []string{`{"error":"Invalid OTLP trace export: 2 of 2 span(s)`}, After: stores(),
		},
		{
			Name: "one key twice", Method: "POST", Path: tracesPath, Key: "project", Body: protobufExport("00000001", "00000001"),
			Header: protobufHeader, Status: 200, After: stores("span 00000001"),
		},

		// Other signals.
		{
			Name: "metrics", Method: "POST", Path: "/api/public/otel/v1/metrics", Key: "project", Body: "\x00\x01", Header: protobufHeader,
			Status: 200, Want: `{"message":"OK"}`,
		},
		{
			Name: "metrics that are no JSON", Method: "POST", Path: "/api/public/otel/v1/metrics", Key: "project", Body: "{", Status: 200,
			Want: `{"message":"OK"}`,
		},
		{
			Name: "metrics of a key that may not send", Method: "POST", Path: "/api/public/otel/v1/metrics", Key: "limited", Body: "{}",
			Status: 403,
		},
		{Name: "metrics without a credential", Method: "POST", Path: "/api/public/otel/v1/metrics", Body: "{}", Status: 401},
		{Name: "logs", Method: "POST", Path: "/api/public/otel/v1/logs", Key: "project", Body: "{}", Status: 404},
	})
}

func TestExportsOfProjectsAreApart(t *testing.T) {
	f := apitest.New(t, nil)
	for _, key := range []string{"project", "neighbour", "foreign", "project"} {
		f.Run(t, apitest.Scenario{Method: "POST", Path: tracesPath, Key: key, Body: oneSpan, Status: 200})
	}
	want := []string{"project-a/", "project-a2/", "project-b/"}
	for n, key := range slices.Sorted(maps.Keys(f.Rows.Rows)) {
		if n >= len(want) || !strings.HasPrefix(key, want[n]) {
			t.Errorf("row %d is %s", n, key)
		}
	}
}

// TestExportLimits reaches every limit of an export.
func TestExportLimits(t *testing.T) {
	oversized := `{"error":"The export is larger than the limit of 1048576 bytes. Send fewer spans at once."}`
	at := func(size int) string { return `{"padding":"` + strings.Repeat("x", size-len(`{"padding":""}`)) + `"}` }
	apitest.Run(t, []apitest.Scenario{
		{Name: "at the limit", Method: "POST", Path: tracesPath, Key: "project", Body: at(1 << 20), Status: 200, Want: `{}`},
		{
			Name: "above the limit", Method: "POST", Path: tracesPath, Key: "project", Body: at(1<<20 + 1), Status: 413, Want: oversized,
			WantHeader: map[string]string{"Connection": "close"},
		},
		{Name: "above the limit before it is known who asks", Method: "POST", Path: tracesPath, Body: at(1<<20 + 1), Status: 401},
		{
			Name: "above the limit once decompressed", Method: "POST", Path: tracesPath, Key: "project",
			Body: apitest.Packed(t, at(1<<20+1), apitest.Gzipped), Header: map[string]string{"Content-Encoding": "gzip"}, Status: 413, Want: oversized,
		},
		{
			Name: "at the limit once decompressed", Method: "POST", Path: tracesPath, Key: "project", Body: apitest.Packed(t, at(1<<20), apitest.Gzipped),
			Header: map[string]string{"Content-Encoding": "gzip"}, Status: 200, Want: `{}`,
		},
	})
	run := func(name string, change func(*ingest.Options), s apitest.Scenario) {
		t.Run(name, func(t *testing.T) {
			s.Method, s.Path, s.Key = "POST", tracesPath, "project"
			f := limited(t, change)
			f.Run(t, s)
			f.Run(t, apitest.Scenario{Path: "/metrics", Status: 200, Contains: []string{"almanac_ingest_bytes_in_flight 0\n"}})
		})
	}
	run("a bomb", func(o *ingest.Options) { o.MaxExport, o.Memory = 1<<30, 64<<20 }, apitest.Scenario{
		Body: apitest.Packed(t, strings.Repeat("x", 9<<20), apitest.Gzipped), Header: map[string]string{"Content-Encoding": "gzip"}, Status: 413,
		Want: `{"error":"The export grows to more than 256 times its size when it is decompressed. Send fewer spans at once."}`,
	})
	run("more than all the memory", func(o *ingest.Options) { o.Memory = 64 << 10 }, apitest.Scenario{
		Body: at(1 << 20), Status: 413, Contains: []string{`{"error":"The export takes more memory than`},
	})
	run("too many spans", func(o *ingest.Options) { o.Limits.Spans = 1 }, apitest.Scenario{
		Body: badSpan, Status: 400,
		Want: `{"error":"Invalid OTLP trace export: the export has more than 1 spans. Send fewer spans at once."}`, After: stores(),
	})
	run("too many attributes", func(o *ingest.Options) { o.Limits.Attributes = 1 }, apitest.Scenario{
		Body:   strings.Replace(oneSpan, `"name":"canary span"`, `"attributes":[{"key":"a","value":{}},{"key":"b","value":{}}]`, 1),
		Status: 400, Contains: []string{"1 of 1 span(s)", "attributes:too_many"},
	})

	t.Run("without saying how long it is", func(t *testing.T) {
		f := apitest.New(t, nil)
		for body, want := range map[string]int{at(1 << 20): 200, at(1<<20 + 1): 413, oneSpan: 200} {
			r := apitest.Scenario{Method: "POST", Path: tracesPath, Key: "project", Body: body}.Request()
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
		f := apitest.New(t, nil)
		r := apitest.Scenario{Method: "POST", Path: tracesPath, Key: "project", Body: oneSpan}.Request()
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
	export := apitest.Scenario{Method: "POST", Path: tracesPath, Key: "project", Body: oneSpan, Status: 503}
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
			f := apitest.New(t, nil)
			f.Rows.Fail = c.err
			s := export
			s.Contains, s.Missing = []string{c.text, `"error":"ServiceUnavailableError"`}, []string{c.err.Error()}
			s.WantHeader = map[string]string{"Retry-After": c.after}
			f.Run(t, s)
			if !strings.Contains(f.Logged.String(), c.err.Error()) {
				t.Errorf("the log does not tell why: %s", f.Logged)
			}
			f.Rows.Fail = nil
			f.Run(t, apitest.Scenario{Method: "POST", Path: tracesPath, Key: "project", Body: oneSpan, Status: 200})
		})
	}
	t.Run("memory", func(t *testing.T) {
		f := apitest.New(t, nil)
		// Slow clients hold all memory: their bodies never end.
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				r := apitest.Scenario{Method: "POST", Path: tracesPath, Key: "project", Body: "x"}.Request().WithContext(ctx)
				r.ContentLength, r.Body = -1, &slowBody{left: 200_000, ctx: ctx}
				f.ServeHTTP(httptest.NewRecorder(), r)
			})
		}
		deadline := time.Now().Add(20 * time.Second)
		for {
			w := httptest.NewRecorder()
			s := export
			s.Body = `{"padding":"` + strings.Repeat("x", 600_000) + `"}`
			f.ServeHTTP(w, s.Request())
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
		f.Run(t, apitest.Scenario{Path: "/api/public/projects", Key: "project", Status: 200}) // other requests are served
		cancel()
		wg.Wait()
		f.Run(t, apitest.Scenario{Method: "POST", Path: tracesPath, Key: "project", Body: oneSpan, Status: 200})
		f.Run(t, apitest.Scenario{
			Path: "/metrics", Status: 200, Contains: []string{"almanac_ingest_bytes_in_flight 0\n", "almanac_ingest_waiting_requests 0\n"},
		})
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
	f := apitest.New(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 2 * f.Limits.Concurrent {
		wg.Go(func() {
			r := apitest.Scenario{Method: "POST", Path: tracesPath, Key: "project", Body: "x"}.Request().WithContext(ctx)
			r.ContentLength, r.Body = -1, &slowBody{left: 100, ctx: ctx}
			f.ServeHTTP(httptest.NewRecorder(), r)
		})
	}
	for range 10 {
		f.Run(t, apitest.Scenario{Method: "POST", Path: tracesPath, Key: "project", Body: oneSpan, Once: true, Status: 200})
	}
	cancel()
	wg.Wait()
}

func TestEventsAreHealthy(t *testing.T) {
	f := apitest.New(t, nil)
	f.LastEvent = f.Ingest.LastEvent
	recent := apitest.Scenario{Path: "/api/public/health?failIfNoRecentEvents=true"}
	recent.Status = 503
	f.Run(t, recent)
	now := strings.Replace(oneSpan, "1767225600123456789", strconv.FormatInt(time.Now().UnixNano(), 10), 1)
	f.Run(t, apitest.Scenario{Method: "POST", Path: tracesPath, Key: "project", Body: now, Status: 200})
	recent.Status = 200
	f.Run(t, recent)
}

// TestTransportVectors runs the requests of the contract. Those with an intentionally different response say why.
func TestTransportVectors(t *testing.T) {
	raw, err := os.ReadFile("testdata/otel-transport.json")
	if err != nil {
		t.Fatal(err)
	}
	vectors := apitest.DecodeJSON[[]struct {
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
			s := apitest.Scenario{
				Method: v.Request.Method, Path: v.Request.Path, Header: v.Request.Headers, Body: body + string(decoded),
				Status: v.Expect.Status, Contains: append(v.Expect.BodyContains, v.Expect.ErrorContains...),
			}
			if v.Request.Auth == "basic" {
				s.Key = "project"
			}
			if v.Expect.BodyJSON != nil {
				var compact bytes.Buffer
				if err := json.Compact(&compact, v.Expect.BodyJSON); err != nil {
					t.Fatal(err)
				}
				s.Want = compact.String()
			}
			if len(v.Expect.ErrorContains) > 0 {
				s.Contains = append(s.Contains, `{"error":"`)
			}
			apitest.New(t, nil).Run(t, s)
		})
	}
}
