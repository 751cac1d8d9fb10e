package blackbox

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"almanac/internal/datadir"
	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/store/segment"
	"almanac/test/harness"
)

const (
	tracesPath = "/api/public/otel/v1/traces"
	exportKey  = "pk-lf-1234567890"
	exportPass = "sk-lf-1234567890"
)

// startForExports starts a server with a known project and known keys.
func startForExports(t *testing.T, data string, args ...string) *harness.Server {
	t.Helper()
	s := harness.StartOn(t, data, append([]string{
		"--init-org-id=acme", "--init-project-id=bot", "--init-project-public-key=" + exportKey, "--init-project-secret-key=" + exportPass,
	}, args...)...)
	s.PublicKey, s.SecretKey = exportKey, exportPass
	return s
}

// post sends an export and returns the status, body and headers of the response.
func post(ctx context.Context, s *harness.Server, contentType, encoding string, body io.Reader) (int, string, http.Header, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+tracesPath, body)
	if err != nil {
		return 0, "", nil, err
	}
	r.SetBasicAuth(exportKey, exportPass)
	r.Header.Set("Content-Type", contentType)
	if encoding != "" {
		r.Header.Set("Content-Encoding", encoding)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text), answer.Header, err
}

// batch is an export of a few spans of one trace.
type batch struct {
	trace   string
	spans   map[string]string // names by id
	message *tracepb.TracesData
}

func randomHex(bytes int) string {
	b := make([]byte, bytes)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}

func newBatch(spans int) *batch {
	b := &batch{trace: randomHex(16), spans: make(map[string]string)}
	trace, _ := hex.DecodeString(b.trace)
	list := make([]*tracepb.Span, spans)
	for n := range list {
		id := randomHex(8)
		b.spans[id] = fmt.Sprintf("span %d of %s", n, b.trace)
		raw, _ := hex.DecodeString(id)
		now := uint64(time.Now().UnixNano())
		list[n] = &tracepb.Span{
			TraceId: trace, SpanId: raw, Name: b.spans[id], StartTimeUnixNano: now, EndTimeUnixNano: now + 1e6,
			Attributes: []*commonpb.KeyValue{{Key: "langfuse.observation.input", Value: &commonpb.AnyValue{
				Value: &commonpb.AnyValue_StringValue{StringValue: strings.Repeat("what a lovely day, ", 100)},
			}}},
		}
	}
	b.message = &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{
		Scope: &commonpb.InstrumentationScope{Name: "langfuse-sdk"}, Spans: list,
	}}}}}
	return b
}

func (b *batch) body() ([]byte, error) { return proto.Marshal(b.message) }

// TestHostileExports checks that hostile exports get a proper response, that the server survives, and that its memory
// stays bounded.
func TestHostileExports(t *testing.T) {
	const (
		protobufType = "application/x-protobuf"
		jsonType     = "application/json"
		ingestMB     = 96
		// Go lets the heap grow to twice the live memory before it collects.
		maxPeakMB = 2*ingestMB + 200
	)
	s := startForExports(t, t.TempDir(), fmt.Sprintf("--ingest-memory=%dMB", ingestMB), "--max-export=16MB")
	random := make([]byte, 1<<20)
	_, _ = mathrand.NewChaCha8([32]byte{1}).Read(random)
	span := func(members string) string {
		return `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"x"` + members + `}]}]}]}`
	}
	attributes := func(list string) string {
		return span(`,"startTimeUnixNano":"1767225600123456789","attributes":[` + list + `]`)
	}
	text := func(value string) string {
		return attributes(`{"key":"langfuse.observation.input","value":{"stringValue":"` + value + `"}}`)
	}
	whole := gzipOf(t, []byte(text("x")))
	cases := []struct {
		name, contentType, encoding string
		body                        io.Reader
		status                      int
		want                        string // a part of the response
	}{
		{"random bytes", protobufType, "", bytes.NewReader(random), 400, `{"error":"Failed to parse OTel Protobuf Trace"}`},
		{"random bytes as JSON", jsonType, "", bytes.NewReader(random), 400, `{"error":"Failed to parse OTel JSON Trace"}`},
		{"random bytes as gzip", jsonType, "gzip", bytes.NewReader(random), 400, `{"error":"Failed to decompress request body"}`},
		{"truncated gzip", jsonType, "gzip", bytes.NewReader(whole[:len(whole)-9]), 400, `{"error":"Failed to decompress request body"}`},
		{
			"a bomb of 1 GB", jsonType, "gzip", bytes.NewReader(bytes.Repeat(gzipOf(t, make([]byte, 1<<20)), 1<<10)), 413,
			`{"error":"The export is larger than the limit of 16777216 bytes`,
		},
		{
			"a small bomb", jsonType, "gzip", bytes.NewReader(bytes.Repeat(gzipOf(t, make([]byte, 1<<20)), 20)), 413,
			`{"error":"The export grows to more than 256 times its size`,
		},
		{
			"10,000 lists", jsonType, "", strings.NewReader(strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)), 400,
			`{"error":"Failed to parse OTel JSON Trace"}`,
		},
		{
			"10,000 objects", jsonType, "",
			strings.NewReader(`{"resourceSpans":` + strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat(`}`, 10_001)), 400,
			`{"error":"Failed to parse OTel JSON Trace"}`,
		},
		{"not UTF-8", jsonType, "", strings.NewReader(text("a\xff\xfeb")), 200, "{}"},
		{"zero bytes", jsonType, "", strings.NewReader(text(`a\u0000b`)), 200, "{}"},
		{
			"absurd times", jsonType, "",
			strings.NewReader(span(`,"startTimeUnixNano":"18446744073709551615","endTimeUnixNano":"99999999999999999999999"`)), 200, "{}",
		},
		{
			"negative times", jsonType, "", strings.NewReader(span(`,"startTimeUnixNano":-9223372036854775808,"endTimeUnixNano":"-1"`)),
			400, "startTimeUnixNano:too_old",
		},
		{"an attribute of 5 MB", jsonType, "", strings.NewReader(text(strings.Repeat("x", 5<<20))), 200, "{}"},
		{
			"100,000 attributes", jsonType, "",
			strings.NewReader(attributes(strings.TrimSuffix(strings.Repeat(`{"key":"k","value":{"intValue":1}},`, 100_000), ","))), 400,
			"attributes:too_many (100000 > 4096)",
		},
		{
			"keys that repeat", jsonType, "",
			strings.NewReader(attributes(`{"key":"k","value":{"intValue":1}},{"key":"k","value":{"intValue":2}}`)), 200, "{}",
		},
		{"members that repeat", jsonType, "", strings.NewReader(span(`,"name":"y","name":"z","attributes":[],"attributes":[]`)), 200, "{}"},
		{
			"a million spans", jsonType, "",
			strings.NewReader(`{"resourceSpans":[{"scopeSpans":[{"spans":[` + strings.TrimSuffix(strings.Repeat("{},", 1_000_000), ",") +
				`]}]}]}`), 400, "more than 50000 spans",
		},
		{"a million groups", protobufType, "", bytes.NewReader(bytes.Repeat([]byte{0x0a, 0x00}, 1_000_000)), 413, "takes more memory"},
		{"a resource that every span repeats", jsonType, "", strings.NewReader(`{"resourceSpans":[{"resource":{"attributes":[{"key":"k","value":{"stringValue":"` + strings.Repeat("x", 1<<20) + `"}}]},"scopeSpans":[{"spans":[` +
			strings.TrimSuffix(strings.Repeat(`{"traceId":"1","spanId":"2"},`, 10_000), ",") + `]}]}]}`), 413, "takes more memory"},
		{"more than is allowed", jsonType, "", &countingReader{left: 100 << 20}, 413, "larger than the limit"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			code, body, _, err := post(t.Context(), s, c.contentType, c.encoding, c.body)
			if err != nil && c.status == 413 && (strings.Contains(err.Error(), "reset") || strings.Contains(err.Error(), "broken pipe")) {
				// the server closes the connection while the client is still sending; some clients notice before they read the response
				return
			}
			if err != nil || code != c.status || !strings.Contains(body, c.want) {
				t.Errorf("%d %.300s, %v; want %d with %s", code, body, err, c.status, c.want)
			}
		})
	}
	t.Run("many at once", func(t *testing.T) {
		// Together they need many times the available memory: some wait, some are told to retry.
		large := []byte(text(strings.Repeat(`\u0001`, 1<<20)))
		var wg sync.WaitGroup
		var accepted, refused atomic.Int32
		for range 40 {
			wg.Go(func() {
				code, body, header, err := post(t.Context(), s, jsonType, "", bytes.NewReader(large))
				switch {
				case err == nil && code == 200:
					accepted.Add(1)
				case err == nil && code == 503 && header.Get("Retry-After") != "":
					refused.Add(1)
				case err != nil && (strings.Contains(err.Error(), "reset") || strings.Contains(err.Error(), "broken pipe")):
					refused.Add(1)
				default:
					t.Errorf("%d %.300s, %v", code, body, err)
				}
			})
		}
		wg.Wait()
		if accepted.Load() == 0 {
			t.Error("none was accepted")
		}
		t.Logf("%d accepted, %d told to come back", accepted.Load(), refused.Load())
	})
	if code, body, _, err := post(t.Context(), s, jsonType, "gzip", bytes.NewReader(whole)); err != nil || code != 200 {
		t.Errorf("afterwards: %d %s, %v", code, body, err)
	}
	peak := processKB(t, s, "VmHWM") / 1024
	if peak > maxPeakMB {
		t.Errorf("memory rose to %d MB, at most %d are allowed", peak, maxPeakMB)
	}
	t.Logf("peak memory %d MB", peak)
}

func gzipOf(t *testing.T, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func processKB(t *testing.T, s *harness.Server, what string) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Process.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(what + `:\s+(\d+) kB`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("no %s in %s", what, text)
	}
	kb, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kb
}

// TestSlowExport sends an export that never ends to a server with a read timeout.
func TestSlowExport(t *testing.T) {
	s := startForExports(t, t.TempDir(), "--read-timeout=500ms")
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	credential := base64.StdEncoding.EncodeToString([]byte(exportKey + ":" + exportPass))
	if _, err := io.WriteString(conn, "POST "+tracesPath+" HTTP/1.1\r\nHost: x\r\nAuthorization: Basic "+credential+
		"\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		t.Fatalf("the server did not hang up: %v", err)
	}
	if text := string(answer); !strings.HasPrefix(text, "HTTP/1.1 400 ") ||
		!strings.HasSuffix(text, `{"error":"Failed to read request body"}`) {
		t.Errorf("answered with %q", text)
	}
	if _, body := s.Do(t, "GET", "/metrics", "", "", ""); !strings.Contains(body, "almanac_ingest_bytes_in_flight 0\n") {
		t.Error("the memory of the export is lost")
	}
}

// TestMasking looks for a secret in everything that the server wrote.
func TestMasking(t *testing.T) {
	rules := filepath.Join(t.TempDir(), "rules.json")
	if err := os.WriteFile(rules, []byte(`[{"projectId":"bot","pattern":"sesame-[0-9]+","replacement":"***"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	data := t.TempDir()
	s := startForExports(t, data, "--masking-rules", rules, "--log-level=debug")
	var attributes []*commonpb.KeyValue
	for _, key := range []string{
		"langfuse.observation.input", "langfuse.observation.output", "langfuse.observation.metadata.word", "langfuse.trace.input",
		"langfuse.trace.output", "langfuse.trace.metadata.word", "langfuse.observation.status_message",
	} {
		attributes = append(attributes, &commonpb.KeyValue{
			Key: key, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: "open sesame-42, landmark"}},
		})
	}
	b := newBatch(1)
	b.message.ResourceSpans[0].ScopeSpans[0].Spans[0].Attributes = attributes
	body, err := b.body()
	if err != nil {
		t.Fatal(err)
	}
	asJSON, err := protojson.Marshal(b.message)
	if err != nil {
		t.Fatal(err)
	}
	for contentType, content := range map[string][]byte{"application/x-protobuf": body, "application/json": asJSON} {
		if code, text, _, err := post(t.Context(), s, contentType, "", bytes.NewReader(content)); err != nil || code != 200 {
			t.Fatalf("%d %s, %v", code, text, err)
		}
	}
	s.Stop(t)
	stdout, log := s.Printed()
	landmarks := 0
	if err := filepath.WalkDir(data, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte("sesame-42")) {
			t.Errorf("%s holds the secret", path)
		}
		landmarks += bytes.Count(content, []byte("landmark"))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if landmarks < len(attributes) {
		t.Errorf("the spans were found %d times: this test does not look where they are", landmarks)
	}
	if strings.Contains(stdout+log, "sesame") || strings.Contains(stdout+log, "landmark") {
		t.Error("what was sent is in the log")
	}

	if err := os.WriteFile(rules, []byte(`[{"projectId":"bot","pattern":"(","replacement":"***"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, stderr, code := harness.Run(t, "serve", "--listen", "127.0.0.1:0", "--data", t.TempDir(), "--masking-rules", rules)
	if code != 1 || !strings.Contains(stderr, "rule 1: its pattern is no regular expression") || !strings.Contains(stderr, rules) {
		t.Errorf("a bad rule: %d %s", code, stderr)
	}
}

// TestGRPC exports over gRPC to the real program.
func TestGRPC(t *testing.T) {
	s := startForExports(t, t.TempDir(), "--otlp-grpc-listen=127.0.0.1:0")
	client, err := grpc.NewClient(s.GRPCAddress(t), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	b := newBatch(10)
	export := func(ctx context.Context) error {
		// An export request is encoded like TracesData, and an empty response like any empty message.
		return client.Invoke(ctx, "/opentelemetry.proto.collector.trace.v1.TraceService/Export", b.message, new(tracepb.TracesData))
	}
	if err := export(t.Context()); status.Code(err) != codes.Unauthenticated {
		t.Errorf("without a credential: %v", err)
	}
	credential := "Basic " + base64.StdEncoding.EncodeToString([]byte(exportKey+":"+exportPass))
	if err := export(metadata.AppendToOutgoingContext(t.Context(), "authorization", credential)); err != nil {
		t.Fatal(err)
	}
	if code := s.Signal(t, syscall.SIGTERM); code != 0 {
		t.Errorf("exit code %d", code)
	}
	events, err := segment.Open(datadir.EventsDir(s.Data), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer events.Close()
	rows := 0
	for row, err := range events.Observations().Lookup(t.Context(), domain.OfProject("bot"), store.Lookup{TraceIDs: []string{b.trace}}) {
		if err != nil {
			t.Fatal(err)
		}
		if b.spans[row.ID] != row.Name {
			t.Errorf("row %s is %q", row.ID, row.Name)
		}
		rows++
	}
	if rows != len(b.spans) {
		t.Errorf("%d of %d spans are stored", rows, len(b.spans))
	}
}

// TestGRPCAddressInUse checks that an unavailable address is an error only if the operator chose it.
func TestGRPCAddressInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:4317")
	if err == nil {
		defer taken.Close()
	} // otherwise another process has it, which is just as good
	s := harness.Start(t, "--otlp-grpc-listen=auto")
	if status, _ := s.Get(t, "/api/public/projects"); status != 200 {
		t.Errorf("status %d", status)
	}
	if address := s.GRPCAddress(t); address != "off" {
		t.Errorf("gRPC is served at %s", address)
	}
	if _, log := s.Printed(); !strings.Contains(log, "not serving OTLP over gRPC") {
		t.Errorf("the log does not tell: %s", log)
	}
	_, stderr, code := harness.Run(t, "serve", "--listen", "127.0.0.1:0", "--data", t.TempDir(), "--otlp-grpc-listen=127.0.0.1:4317")
	if code != 1 || !strings.Contains(stderr, "choose another address with --otlp-grpc-listen") {
		t.Errorf("an address that was chosen: %d %s", code, stderr)
	}
}
