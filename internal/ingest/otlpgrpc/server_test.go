package otlpgrpc

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"

	"almanac/internal/access/auth"
	"almanac/internal/catalog"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/ingest/otlp"
	"almanac/internal/ingest/pricing"
	"almanac/internal/store"
	"almanac/test/catalogtest"
	"almanac/test/programs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeTable records the names of appended rows, unless told otherwise.
type fakeTable struct {
	mu     sync.Mutex
	names  []string
	before func(ctx context.Context) error
	forget bool
}

func (f *fakeTable) Append(ctx context.Context, scope domain.ProjectScope, rows []domain.Observation) error {
	if f.before != nil {
		if err := f.before(ctx); err != nil {
			return err
		}
	}
	if f.forget {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for n := range rows {
		f.names = append(f.names, scope.ProjectID()+": "+rows[n].Name+" of "+rows[n].SDKName+" by "+rows[n].IngestionKey)
	}
	return nil
}

var defaultPrices = sync.OnceValues(pricing.Default)

// fixture is a server with a client.
type fixture struct {
	*Server
	table    *fakeTable
	log      *programs.Output
	registry *prometheus.Registry
	address  string
	client   *grpc.ClientConn
	done     chan error
}

func newFixture(t testing.TB, change func(*Options, *ingest.Options)) *fixture {
	t.Helper()
	c, err := catalog.Open(t.Context(), catalogtest.File(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	addKeys(t, c)
	prices, err := defaultPrices()
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{table: new(fakeTable), log: new(programs.Output), registry: prometheus.NewRegistry(), done: make(chan error, 1)}
	log := slog.New(slog.NewTextHandler(f.log, nil))
	pipeline := ingest.Options{
		Table: f.table, Prices: prices, Limits: otlp.DefaultLimits(), MaxExport: 1 << 20, Memory: 64 << 20, Wait: 10 * time.Millisecond,
		Log:     log,
		Metrics: f.registry,
	}
	options := Options{
		Keys: auth.NewKeys(c, time.Second, log), Log: log, MaxHeader: 8 << 10,
		Receiving: 10 * time.Second, Handling: 10 * time.Second, Watching: time.Minute, Idle: time.Minute, Beginning: 10 * time.Second,
	}
	if change != nil {
		change(&options, &pipeline)
	}
	options.Ingest = ingest.New(pipeline)
	f.Server = New(options)

	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { f.done <- f.Serve(listener) }()
	f.address = listener.Addr().String()
	f.client, err = grpc.NewClient(f.address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = f.client.Close()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := f.Shutdown(ctx); err != nil {
			t.Errorf("the server does not stop: %v", err)
		}
		if err := <-f.done; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return f
}

func addKeys(t testing.TB, c *catalog.Catalog) {
	t.Helper()
	by := domain.Actor{Kind: "cli"}
	if _, err := c.CreateOrganization(t.Context(), "org", "Organization", by); err != nil {
		t.Fatal(err)
	}
	organization := domain.OfOrganization("org")
	if _, err := c.CreateProject(t.Context(), organization, tenants.NewProject{ID: "project", Name: "Project"}, by); err != nil {
		t.Fatal(err)
	}
	for public, permissions := range map[string]domain.PermissionSet{
		"pk-write": domain.AllPermissions(), "pk-read": domain.PermissionsOf(domain.TracesRead), "pk-org": domain.AllPermissions(),
	} {
		key := tenants.NewKey{
			ProjectID: "project", PublicKey: public, SecretHash: auth.HashSecret("secret"), DisplaySecret: "…", Permissions: permissions,
		}
		if public == "pk-org" {
			key.ProjectID = ""
		}
		if _, err := c.CreateKey(t.Context(), organization, key, by); err != nil {
			t.Fatal(err)
		}
	}
}

func basic(public, secret string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(public+":"+secret))
}

// as returns a context with a credential and additional metadata.
func as(ctx context.Context, authorization string, more ...string) context.Context {
	return metadata.AppendToOutgoingContext(ctx, append([]string{"authorization", authorization}, more...)...)
}

// exportPath is the gRPC method of exports.
const exportPath = "/" + traceService + "/Export"

// bytesCodec is the client's counterpart of codec.
type bytesCodec struct{}

func (bytesCodec) Name() string { return "proto" }

func (bytesCodec) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(*v.(*[]byte))}, nil
}

func (bytesCodec) Unmarshal(data mem.BufferSlice, v any) error {
	*v.(*[]byte) = data.Materialize()
	return nil
}

func (f *fixture) export(ctx context.Context, body []byte, options ...grpc.CallOption) (answer []byte, err error) {
	err = f.client.Invoke(ctx, exportPath, &body, &answer, append(options, grpc.ForceCodecV2(bytesCodec{}))...)
	return answer, err
}

// held returns the amount of memory held by exports.
func (f *fixture) held(t *testing.T) int64 {
	t.Helper()
	families, err := f.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == "almanac_ingest_bytes_in_flight" {
			return int64(family.GetMetric()[0].GetGauge().GetValue())
		}
	}
	t.Fatal("nothing tells how much memory exports hold")
	return 0
}

func (f *fixture) waitUntilHeld(t *testing.T, bytes int64) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); f.held(t) != bytes; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("exports hold %d bytes, want %d", f.held(t), bytes)
		}
	}
}

// spans returns an export of spans with the given ids; an empty id makes an unusable span.
func spans(ids ...string) []byte {
	message := func(number protowire.Number, content []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), content)
	}
	var list []byte
	for _, id := range ids {
		span := append(message(1, []byte("0123456789abcdef")), message(5, []byte("span "+id))...)
		if id != "" {
			span = append(span, message(2, []byte(id))...)
		}
		span = protowire.AppendFixed64(protowire.AppendTag(span, 7, protowire.Fixed64Type), 1767225600123456789)
		list = append(list, message(2, span)...)
	}
	return message(1, message(2, list))
}

func TestExport(t *testing.T) {
	write := basic("pk-write", "secret")
	cases := []struct {
		name          string
		authorization string
		metadata      []string
		body          []byte
		options       []grpc.CallOption
		code          codes.Code
		message       string // expected substring
		answer        string // expected substring
		stored        []string
	}{
		{name: "a span", authorization: write, body: spans("00000001"), stored: []string{"project: span 00000001 of unknown by pk-write"}},
		{
			name: "compressed", authorization: write, body: spans("00000001"), options: []grpc.CallOption{grpc.UseCompressor(gzip.Name)},
			stored: []string{"project: span 00000001 of unknown by pk-write"},
		},
		{
			name: "metadata", authorization: write, metadata: []string{
				"x-langfuse-sdk-name", "python", "x_langfuse_ingestion_version", "4",
			}, body: spans("00000001"), stored: []string{"project: span 00000001 of python by pk-write"},
		},
		{name: "nothing", authorization: write},
		{
			name: "one bad span", authorization: write, body: spans("00000001", ""), answer: "1 of 2 span(s)",
			stored: []string{"project: span 00000001 of unknown by pk-write"},
		},
		{
			name: "only bad spans", authorization: write, body: spans(""), code: codes.InvalidArgument,
			message: "Invalid OTLP trace export: 1 of 1 span(s)",
		},
		{
			name: "not protobuf", authorization: write, body: []byte("???"), code: codes.InvalidArgument,
			message: "Failed to parse OTel Protobuf Trace",
		},
		{
			name: "a newer version", authorization: write, metadata: []string{"x-langfuse-ingestion-version", "5"}, body: spans("00000001"),
			code: codes.InvalidArgument, message: `Unsupported x-langfuse-ingestion-version: "5"`,
		},
		{
			name: "too large", authorization: write, body: make([]byte, 1<<20+1), code: codes.ResourceExhausted,
			message: "larger than the limit of 1048576 bytes",
		},
		{
			name: "too large once decompressed", authorization: write, body: make([]byte, 1<<20+1),
			options: []grpc.CallOption{grpc.UseCompressor(gzip.Name)}, code: codes.ResourceExhausted,
			message: "larger than the limit of 1048576 bytes",
		},
		{name: "no credential", body: spans("00000001"), code: codes.Unauthenticated, message: "No authorization header"},
		{
			name: "a wrong secret", authorization: basic("pk-write", "wrong"), body: spans("00000001"), code: codes.Unauthenticated,
			message: "Invalid credentials.",
		},
		{
			name: "the public key alone", authorization: "Bearer pk-write", body: spans("00000001"), code: codes.PermissionDenied,
			message: "Access denied",
		},
		{
			name: "a key that may only read", authorization: basic("pk-read", "secret"), body: spans("00000001"),
			code: codes.PermissionDenied, message: "lacks the permission traces:write",
		},
		{
			name: "an organization's key", authorization: basic("pk-org", "secret"), body: spans("00000001"), code: codes.PermissionDenied,
			message: "Access denied",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t, nil)
			ctx := metadata.AppendToOutgoingContext(t.Context(), c.metadata...)
			if c.authorization != "" {
				ctx = as(ctx, c.authorization)
			}
			answer, err := f.export(ctx, c.body, c.options...)
			if got := status.Convert(err); got.Code() != c.code || !strings.Contains(got.Message(), c.message) {
				t.Errorf("status %v, want %v with %q", err, c.code, c.message)
			}
			if c.answer == "" && len(answer) > 0 || !bytes.Contains(answer, []byte(c.answer)) {
				t.Errorf("answer %q, want %q", answer, c.answer)
			}
			if got, want := fmt.Sprint(f.table.names), fmt.Sprint(c.stored); got != want {
				t.Errorf("stored %s, want %s", got, want)
			}
			// The client may receive its response a moment before the handler returns.
			f.waitUntilHeld(t, 0)
		})
	}
}

func TestOtherServicesAreUnknown(t *testing.T) {
	f := newFixture(t, nil)
	var body, answer []byte
	err := f.client.Invoke(as(t.Context(), basic("pk-write", "secret")), "/opentelemetry.proto.collector.logs.v1.LogsService/Export", &body,
		&answer, grpc.ForceCodecV2(bytesCodec{}))
	if status.Code(err) != codes.Unimplemented {
		t.Errorf("status %v", err)
	}
}

// TestRetries tests refusals after which exporters retry.
func TestRetries(t *testing.T) {
	for name, c := range map[string]struct {
		err   error
		after time.Duration
	}{
		"busy":      {store.ErrBusy, 5 * time.Second},
		"disk full": {store.ErrDiskFull, 30 * time.Second},
		"broken":    {errors.New("secret detail"), 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, nil)
			f.table.before = func(context.Context) error { return c.err }
			_, err := f.export(as(t.Context(), basic("pk-write", "secret")), spans("00000001"))
			got := status.Convert(err)
			if got.Code() != codes.Unavailable || strings.Contains(got.Message(), c.err.Error()) || len(got.Details()) != 1 {
				t.Fatalf("status %v with %v", got, got.Details())
			}
			if retry, ok := got.Details()[0].(*errdetails.RetryInfo); !ok || retry.GetRetryDelay().AsDuration() != c.after {
				t.Errorf("details %v, want %v", got.Details(), c.after)
			}
		})
	}
}

func TestFailuresOfOurs(t *testing.T) {
	t.Run("keys cannot be checked", func(t *testing.T) {
		f := newFixture(t, nil)
		f.Keys = auth.NewKeys(brokenKeys{}, time.Second, f.Log)
		if _, err := f.export(as(t.Context(), basic("pk-write", "secret")), spans("00000001")); status.Code(err) != codes.Unavailable {
			t.Errorf("status %v", err)
		}
		if !strings.Contains(f.log.String(), "secret detail") {
			t.Errorf("the log does not tell why: %s", f.log)
		}
	})
	t.Run("a panic", func(t *testing.T) {
		f := newFixture(t, nil)
		f.table.before = func(context.Context) error { panic("secret detail") }
		ctx := as(t.Context(), basic("pk-write", "secret"))
		if _, err := f.export(ctx, spans("00000001")); status.Code(err) != codes.Internal ||
			strings.Contains(err.Error(), "secret detail") {
			t.Errorf("status %v", err)
		}
		if !strings.Contains(f.log.String(), "secret detail") || !strings.Contains(f.log.String(), "server_test.go") {
			t.Errorf("the log lacks the panic or its stack: %s", f.log)
		}
		f.table.before = nil
		if _, err := f.export(ctx, spans("00000001")); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	})
	t.Run("a mistake", func(t *testing.T) {
		f := newFixture(t, nil)
		f.table.before = func(context.Context) error { return store.ErrInvalid }
		if _, err := f.export(as(t.Context(), basic("pk-write", "secret")), spans("00000001")); status.Code(err) != codes.Internal {
			t.Errorf("status %v", err)
		}
	})
	t.Run("too slow", func(t *testing.T) {
		f := newFixture(t, func(o *Options, _ *ingest.Options) { o.Handling = time.Millisecond })
		f.table.before = func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		if _, err := f.export(as(t.Context(), basic("pk-write", "secret")), spans("00000001")); status.Code(err) != codes.Unavailable {
			t.Errorf("status %v", err)
		}
	})
}

type brokenKeys struct{}

func (brokenKeys) KeyByPublic(context.Context, string) (domain.StoredKey, error) {
	return domain.StoredKey{}, errors.New("secret detail")
}

func (brokenKeys) RecordKeyUse(context.Context, map[string]time.Time) error { return nil }

func (brokenKeys) ReplaceKeyHash(context.Context, string, string, string) (bool, error) {
	return false, nil
}

// open starts a call whose message never arrives.
func (f *fixture) open(ctx context.Context, t *testing.T) grpc.ClientStream {
	t.Helper()
	stream, err := f.client.NewStream(ctx, &grpc.StreamDesc{ClientStreams: true}, exportPath, grpc.ForceCodecV2(bytesCodec{}))
	if err != nil {
		t.Fatal(err)
	}
	return stream
}

func TestSlowClients(t *testing.T) {
	t.Run("are cut off", func(t *testing.T) {
		f := newFixture(t, func(o *Options, _ *ingest.Options) { o.Receiving = 20 * time.Millisecond })
		var answer []byte
		if err := f.open(as(t.Context(), basic("pk-write", "secret")), t).RecvMsg(&answer); status.Code(err) != codes.DeadlineExceeded {
			t.Errorf("status %v", err)
		}
	})
	t.Run("hold no more memory than there is", func(t *testing.T) {
		const buffer = 2 << 20 // for a message of almost 1 MB and the byte needed to detect its end
		f := newFixture(t, func(_ *Options, o *ingest.Options) { o.Memory = 3 * (buffer + buffer/2) })
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		unfinished := append([]byte{plain, 0, 0x0f, 0xff, 0xff}, make([]byte, 128<<10)...)
		var client sync.WaitGroup
		client.Go(func() { _, _, _ = f.send(ctx, io.MultiReader(bytes.NewReader(unfinished), never{ctx})) })
		f.waitUntilHeld(t, buffer)
		_, err := f.export(as(t.Context(), basic("pk-write", "secret")), make([]byte, 1<<20))
		if got := status.Convert(err); got.Code() != codes.Unavailable || len(got.Details()) != 1 {
			t.Errorf("status %v", err)
		}
		cancel()
		client.Wait()
		f.waitUntilHeld(t, 0)
		if _, err := f.export(as(t.Context(), basic("pk-write", "secret")), spans("00000001")); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	})
	t.Run("hold nothing without a credential", func(t *testing.T) {
		f := newFixture(t, nil)
		var answer []byte
		for range 20 {
			if err := f.open(t.Context(), t).RecvMsg(&answer); status.Code(err) != codes.Unauthenticated {
				t.Errorf("status %v", err)
			}
		}
		if f.held(t) != 0 {
			t.Errorf("%d bytes are held", f.held(t))
		}
	})
}

func TestShutdownBeforeServe(t *testing.T) {
	f := newFixture(t, nil)
	if err := f.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Serve(listener); err != nil {
		t.Errorf("a server that was stopped before it served: %v", err)
	}
	if _, err := listener.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the listener is left open: %v", err)
	}
}

func TestShutdown(t *testing.T) {
	t.Run("running exports finish", func(t *testing.T) {
		f := newFixture(t, nil)
		running, finish := make(chan struct{}), make(chan struct{})
		f.table.before = func(context.Context) error { close(running); <-finish; return nil }
		answered := make(chan error)
		go func() {
			_, err := f.export(as(t.Context(), basic("pk-write", "secret")), spans("00000001"))
			answered <- err
		}()
		<-running
		stopped := make(chan error)
		go func() { stopped <- f.Shutdown(t.Context()) }()
		close(finish)
		if err := <-answered; err != nil {
			t.Errorf("the export was cut off: %v", err)
		}
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	})
	t.Run("but not for ever", func(t *testing.T) {
		f := newFixture(t, nil)
		running := make(chan struct{})
		f.table.before = func(ctx context.Context) error { close(running); <-ctx.Done(); return ctx.Err() }
		go func() { _, _ = f.export(as(t.Context(), basic("pk-write", "secret")), spans("00000001")) }()
		<-running
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if err := f.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	})
}
