package otlpgrpc

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"almanac/internal/ingest"
)

// never is a body that does not go on until its context ends.
type never struct{ ctx context.Context } //nolint:containedctx // readers are not handed one

func (n never) Read([]byte) (int, error) {
	<-n.ctx.Done()
	return 0, n.ctx.Err()
}

// send makes a call with headers and a body that clients of gRPC would not send. It returns the answer's header and
// trailer in one, and its status.
func (f *fixture) send(ctx context.Context, body io.Reader, headers ...string) (http.Header, int, error) {
	transport := &http.Transport{Protocols: new(http.Protocols)}
	transport.Protocols.SetUnencryptedHTTP2(true)
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+f.address+exportPath, body)
	if err != nil {
		return nil, 0, err
	}
	request.Header.Set("Content-Type", contentType)
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
	cases := []struct {
		name    string
		headers []string
		body    []byte
		http    int // if it is not OK
		code    string
		message string // a part of it
	}{
		{name: "a span", body: message, code: "0"},
		{name: "not compressed although it could be", headers: []string{"Grpc-Encoding", "gzip"}, body: message, code: "0"},
		{name: "said to be plain", headers: []string{"Grpc-Encoding", "identity"}, body: message, code: "0"},
		{name: "a content type with an encoding", headers: []string{"Content-Type", "application/grpc+proto"}, body: message, code: "0"},
		{name: "time enough", headers: []string{"Grpc-Timeout", "99999999H"}, body: message, code: "0"},
		{name: "a timeout without unit", headers: []string{"Grpc-Timeout", "12"}, body: message, code: "13", message: `grpc-timeout "12" cannot be read`},
		{name: "another content type", headers: []string{"Content-Type", "application/grpc-web"}, body: message, http: 415},
		{name: "another method of HTTP", headers: []string{":method", "PUT"}, body: message, http: 405},
		{name: "nothing", code: "13", message: "ends too early"},
		{name: "a part of the prefix", body: message[:3], code: "13", message: "ends too early"},
		{name: "a part of the message", body: message[:len(message)-1], code: "13", message: "ends too early"},
		{name: "two messages", body: append(bytes.Clone(message), message...), code: "13", message: "something follows it"},
		{name: "an unknown flag", body: append([]byte{2}, message[1:]...), code: "13", message: "begins with the byte 2"},
		{name: "compressed, but how", body: append([]byte{packed}, message[1:]...), code: "13", message: "does not say how"},
		{name: "badly compressed", headers: []string{"Grpc-Encoding", "gzip"}, body: append([]byte{packed}, message[1:]...), code: "3", message: "Failed to decompress"},
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
			if code != http.StatusOK || header.Get("Content-Type") != contentType || header.Get("Grpc-Status") != c.code {
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
		if header.Get("Grpc-Status") != "12" || header.Get("Grpc-Accept-Encoding") != "identity,gzip" {
			t.Errorf("header %v", header)
		}
	})
	f.waitUntilHeld(t, 0)
	if f.log.String() != "" {
		t.Errorf("mistakes of clients are in the log: %s", f.log)
	}
}

// TestDeadlines: clients say how long they wait.
func TestDeadlines(t *testing.T) {
	t.Run("while it is worked on", func(t *testing.T) {
		f := newFixture(t, nil)
		// The first call connects and looks the key up, which may take longer than the second one waits.
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
		f := newFixture(t, nil)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		header, _, err := f.send(ctx, never{ctx}, "Grpc-Timeout", "300m") // enough for the credential to be checked before
		if err != nil {
			t.Fatal(err)
		}
		if header.Get("Grpc-Status") != "4" || header.Get("Grpc-Message") != "The export took too long to arrive" {
			t.Errorf("header %v", header)
		}
	})
}

func TestParseTimeout(t *testing.T) {
	const year = 24 * 365 * time.Hour
	for header, want := range map[string]time.Duration{
		"1H": time.Hour, "2M": 2 * time.Minute, "10S": 10 * time.Second, "500m": 500 * time.Millisecond,
		"7u": 7 * time.Microsecond, "12345678n": 12345678, "0S": 0, "8760H": year, "8761H": year, "99999999H": year,
	} {
		if got, ok := parseTimeout(header); !ok || got != want {
			t.Errorf("%s: %v %v, want %v", header, got, ok, want)
		}
	}
	for _, header := range []string{"", "S", "1", "1s", "-1S", "+1S", "1.5S", "123456789S", "1 S", "٣S"} {
		if got, ok := parseTimeout(header); ok {
			t.Errorf("%q is read as %v", header, got)
		}
	}
}

func TestPercentEncode(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "plain text ~": "plain text ~", "100%": "100%25", "two\nlines\x7f": "two%0Alines%7F", "für": "f%C3%BCr",
	} {
		if got := percentEncode(text); got != want {
			t.Errorf("%q is encoded as %q, want %q", text, got, want)
		}
	}
}

// FuzzReadMessage: what is read is what was announced, and nothing else is accepted.
func FuzzReadMessage(f *testing.F) {
	for _, seed := range []string{"", "\x00\x00\x00\x00\x00", "\x01\x00\x00\x00\x02ab", "\x00\x00\x00\x00\x02a", "\x00\x00\x00\x00\x01ab", "\x02\x00\x00\x00\x00", "\x00\xff\xff\xff\xff"} {
		f.Add([]byte(seed))
	}
	pipeline := ingest.New(ingest.Options{MaxExport: 64 << 10, Memory: 3 << 20, Wait: time.Millisecond})
	f.Fuzz(func(t *testing.T, sent []byte) {
		body := pipeline.NewBody("")
		defer body.Release()
		compressed, err := readMessage(t.Context(), bytes.NewReader(sent), body, pipeline.MaxExport())
		if err != nil {
			return
		}
		flag := byte(plain)
		if compressed {
			flag = packed
		}
		length := len(body.Bytes())
		again := append([]byte{flag, byte(length >> 24), byte(length >> 16), byte(length >> 8), byte(length)}, body.Bytes()...)
		if !bytes.Equal(again, sent) {
			t.Errorf("%q is read as %q", sent, again)
		}
	})
}
