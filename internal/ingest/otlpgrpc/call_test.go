package otlpgrpc

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"

	"almanac/internal/ingest"
)

// never is a body that blocks until its context is done.
type never struct{ ctx context.Context } //nolint:containedctx // readers are not handed one

func (n never) Read([]byte) (int, error) {
	<-n.ctx.Done()
	return 0, n.ctx.Err()
}

// noticed signals when it is read.
type noticed struct {
	never
	began chan struct{}
}

func (n noticed) Read(b []byte) (int, error) {
	close(n.began)
	return n.never.Read(b)
}

// send makes a call with headers and a body that gRPC clients would not send. It returns the header and trailer of the
// response merged, and its status.
func (f *fixture) send(ctx context.Context, body io.Reader, headers ...string) (http.Header, int, error) {
	transport := &http.Transport{Protocols: new(http.Protocols)}
	transport.Protocols.SetUnencryptedHTTP2(true)
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+f.address+exportPath, body)
	if err != nil {
		return nil, 0, err
	}
	request.Header.Set("Content-Type", "application/grpc")
	request.Header.Set("Authorization", basic("pk-write", "secret"))
	for n := 0; n < len(headers); n += 2 {
		if headers[n] == ":method" {
			request.Method = headers[n+1]
		} else {
			request.Header.Set(headers[n], headers[n+1])
		}
	}
	answer, err := transport.RoundTrip(request)
	if err != nil {
		return nil, 0, err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return nil, 0, err
	}
	maps.Copy(answer.Header, answer.Trailer)
	return answer.Header, answer.StatusCode, nil
}

func TestCalls(t *testing.T) {
	f := newFixture(t, nil)
	message := append([]byte{plain, 0, 0, 0, byte(len(spans("00000001")))}, spans("00000001")...)
	many := spans(slices.Repeat([]string{"00000001"}, 8000)...) // several times what a client may send before the server reads it
	large := append([]byte{plain, 0, byte(len(many) >> 16), byte(len(many) >> 8), byte(len(many))}, many...)
	cases := []struct {
		name    string
		headers []string
		body    []byte
		http    int // HTTP status if not OK
		code    string
		message string // expected substring
	}{
		{name: "a span", body: message, code: "0"},
		{name: "many spans", body: large, code: "0"},
		{name: "a part of many spans", body: large[:len(large)-1], code: "13", message: "ends too early"},
		{name: "not compressed although it could be", headers: []string{"Grpc-Encoding", "gzip"}, body: message, code: "0"},
		{name: "said to be plain", headers: []string{"Grpc-Encoding", "identity"}, body: message, code: "0"},
		{name: "a content type with an encoding", headers: []string{"Content-Type", "application/grpc+proto"}, body: message, code: "0"},
		{name: "time enough", headers: []string{"Grpc-Timeout", "99999999H"}, body: message, code: "0"},
		{name: "a timeout without unit", headers: []string{"Grpc-Timeout", "12"}, body: message, http: 400},
		{name: "another content type", headers: []string{"Content-Type", "application/grpc-web"}, body: message, http: 415},
		{name: "another method of HTTP", headers: []string{":method", "PUT"}, body: message, http: 405},
		{name: "nothing", code: "13", message: "ends too early"},
		{name: "a part of the prefix", body: message[:3], code: "13", message: "ends too early"},
		{name: "a part of the message", body: message[:len(message)-1], code: "13", message: "ends too early"},
		{name: "two messages", body: append(bytes.Clone(message), message...), code: "13", message: "something follows it"},
		{name: "an unknown flag", body: append([]byte{2}, message[1:]...), code: "13", message: "begins with the byte 2"},
		{name: "compressed, but how", body: append([]byte{packed}, message[1:]...), code: "13", message: "does not say how"},
		{
			name: "badly compressed", headers: []string{"Grpc-Encoding", "gzip"}, body: append([]byte{packed}, message[1:]...), code: "3",
			message: "Failed to decompress",
		},
		{name: "too long", body: []byte{plain, 0, 0x10, 0, 1}, code: "8", message: "larger than the limit of 1048576 bytes"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			header, code, err := f.send(t.Context(), bytes.NewReader(c.body), c.headers...)
			if err != nil {
				t.Fatal(err)
			}
			if c.http != 0 {
				if code != c.http {
					t.Errorf("status %d of HTTP, want %d", code, c.http)
				}
				return
			}
			if code != http.StatusOK || !strings.HasPrefix(header.Get("Content-Type"), "application/grpc") ||
				header.Get("Grpc-Status") != c.code {
				t.Errorf("status %d of HTTP, want 200, and %v", code, header)
			}
			if !strings.Contains(header.Get("Grpc-Message"), c.message) {
				t.Errorf("message %q lacks %q", header.Get("Grpc-Message"), c.message)
			}
		})
	}
	t.Run("another encoding", func(t *testing.T) {
		header, _, err := f.send(t.Context(), bytes.NewReader(message), "Grpc-Encoding", "snappy")
		if err != nil {
			t.Fatal(err)
		}
		if header.Get("Grpc-Status") != "12" || !strings.Contains(header.Get("Grpc-Message"), `grpc-encoding "snappy"`) {
			t.Errorf("header %v", header)
		}
	})
	f.waitUntilHeld(t, 0)
	if f.log.String() != "" {
		t.Errorf("mistakes of clients are in the log: %s", f.log)
	}
}

// TestDeadlines checks that deadlines of clients are respected.
func TestDeadlines(t *testing.T) {
	t.Run("while it is worked on", func(t *testing.T) {
		f := newFixture(t, nil)
		// The first call connects and looks up the key, which may take longer than the deadline of the second one.
		if _, err := f.export(as(t.Context(), basic("pk-write", "secret")), spans("00000001")); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		f.table.before = func(ctx context.Context) error { <-ctx.Done(); ended <- ctx.Err(); return ctx.Err() }
		ctx, cancel := context.WithTimeout(as(t.Context(), basic("pk-write", "secret")), 500*time.Millisecond)
		defer cancel()
		if _, err := f.export(ctx, spans("00000001")); status.Code(err) != codes.DeadlineExceeded {
			t.Errorf("status %v", err)
		}
		if err := <-ended; err == nil {
			t.Error("the work goes on")
		}
	})
	t.Run("while it is received", func(t *testing.T) {
		f := newFixture(t, func(o *Options, _ *ingest.Options) { o.Receiving = time.Hour })
		ctx, cancel := context.WithCancel(t.Context())
		began := make(chan struct{})
		var client sync.WaitGroup
		client.Go(func() { _, _, _ = f.send(ctx, noticed{never{ctx}, began}, "Grpc-Timeout", "300m") })
		<-began
		// A shutdown waits for running calls, and nothing else would end this one.
		if err := f.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		cancel()
		client.Wait()
	})
}

// bytesIncoming is a stream whose data is already complete.
type bytesIncoming struct{ rest []byte }

func (b *bytesIncoming) ReadMessageHeader(header []byte) error {
	n := copy(header, b.rest)
	b.rest = b.rest[n:]
	switch {
	case n == 0:
		return io.EOF
	case n < len(header):
		return io.ErrUnexpectedEOF
	}
	return nil
}

func (b *bytesIncoming) Read(n int) (mem.BufferSlice, error) {
	if n > len(b.rest) {
		return nil, io.ErrUnexpectedEOF
	}
	piece := mem.SliceBuffer(b.rest[:n])
	b.rest = b.rest[n:]
	return mem.BufferSlice{piece}, nil
}

func (b *bytesIncoming) RecvCompress() string { return "gzip" }

// FuzzReceive checks that exactly the announced bytes are read and that nothing else is accepted.
func FuzzReceive(f *testing.F) {
	for _, seed := range []string{
		"", "\x00\x00\x00\x00\x00", "\x01\x00\x00\x00\x02ab", "\x00\x00\x00\x00\x02a", "\x00\x00\x00\x00\x01ab", "\x02\x00\x00\x00\x00",
		"\x00\xff\xff\xff\xff",
	} {
		f.Add([]byte(seed))
	}
	pipeline := ingest.New(ingest.Options{MaxExport: 64 << 10, Memory: 3 << 20, Wait: time.Millisecond})
	f.Fuzz(func(t *testing.T, sent []byte) {
		body := pipeline.NewBody("")
		defer body.Release()
		compression, err := receive(t.Context(), &bytesIncoming{sent}, body, pipeline.MaxExport())
		if err != nil {
			return
		}
		flag := byte(plain)
		if compression != "" {
			flag = packed
		}
		length := len(body.Bytes())
		again := append([]byte{flag, byte(length >> 24), byte(length >> 16), byte(length >> 8), byte(length)}, body.Bytes()...)
		if !bytes.Equal(again, sent) {
			t.Errorf("%q is read as %q", sent, again)
		}
	})
}
