package demo

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/ingest/otlp"
)

// server simulates a server: it returns its answers in order, and the last one repeatedly.
type server struct {
	answers []reply
	asked   []string // method and path of each request
	bodies  [][]byte // decompressed
	headers http.Header
	dialed  int
}

// reply is a response, or what happens instead of one.
type reply struct {
	status      int
	contentType string
	retryAfter  string
	body        string
	hangUp      bool // close the connection after the response, or instead of one if there is no status
}

func (s *server) dial(context.Context, string, string) (net.Conn, error) {
	s.dialed++
	ours, theirs := net.Pipe()
	go s.serve(theirs)
	return ours, nil
}

func (s *server) serve(conn net.Conn) {
	defer conn.Close()
	for reader := bufio.NewReader(conn); ; {
		r, err := http.ReadRequest(reader)
		if err != nil {
			return // the client hung up
		}
		a := s.answers[min(len(s.asked), len(s.answers)-1)]
		s.asked, s.headers = append(s.asked, r.Method+" "+r.URL.Path), r.Header
		if r.Method == http.MethodPost {
			var sent io.Reader = r.Body
			if r.Header.Get("Content-Encoding") == "gzip" {
				if sent, err = gzip.NewReader(r.Body); err != nil {
					return
				}
			}
			body, err := io.ReadAll(sent)
			if err != nil {
				return
			}
			s.bodies = append(s.bodies, body)
		}
		if a.status == 0 {
			return
		}
		header := http.Header{"Content-Type": {a.contentType}}
		if a.retryAfter != "" {
			header.Set("Retry-After", a.retryAfter)
		}
		answer := http.Response{
			StatusCode: a.status, ProtoMajor: 1, ProtoMinor: 1, Header: header, ContentLength: int64(len(a.body)), Body: io.NopCloser(strings.NewReader(a.body)),
		}
		if answer.Write(conn) != nil || a.hangUp {
			return
		}
	}
}

const protobufType = "application/x-protobuf"

func transportOf(c *Client) *http.Transport { return c.http.HTTP().Transport.(*http.Transport) }

func clientOf(t *testing.T, s *server) *Client {
	t.Helper()
	c, err := NewClient("http://server.example/", "pk-lf-1", "sk-lf-1")
	if err != nil {
		t.Fatal(err)
	}
	transport := transportOf(c)
	transport.DialContext, transport.Proxy = s.dial, nil
	t.Cleanup(c.Close)
	return c
}

func TestExportIsSent(t *testing.T) {
	s := &server{answers: []reply{{status: 200, contentType: protobufType}}}
	body := new(Encoder).AppendExport(nil, past(Options{Seed: 1, Traces: 3, Days: 1, Now: aMonday}))
	rejected, message, err := clientOf(t, s).Export(t.Context(), body)
	if rejected != 0 || message != "" || err != nil {
		t.Errorf("%d, %q, %v", rejected, message, err)
	}
	if diff := cmp.Diff([]string{"POST /api/public/otel/v1/traces"}, s.asked); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if len(s.bodies) != 1 || !bytes.Equal(s.bodies[0], body) {
		t.Error("another body arrived than was sent")
	}
	for name, want := range map[string]string{
		"Authorization": "Basic cGstbGYtMTpzay1sZi0x", "Content-Type": protobufType, "Content-Encoding": "gzip",
		"X-Langfuse-Ingestion-Version": "4", "X-Langfuse-Sdk-Name": "almanac-demo",
	} {
		if got := s.headers.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestScoresAreSent(t *testing.T) {
	s := &server{answers: []reply{
		{status: 503, retryAfter: "0"},
		{status: 207, body: `{"successes":[],"errors":[{"id":"e","status":400,"message":"No","error":"bad"},{"id":"f"}]}`},
		{status: 207, body: `{"successes":[{"id":"e","status":201}],"errors":[]}`},
		{status: 207, body: "nonsense"},
		{status: 403, body: `{"message":"denied"}`},
	}}
	c := clientOf(t, s)
	for _, want := range []string{"2 No: bad <nil>", "0  <nil>", "0  cannot read the server's response to a batch of scores: invalid character 'o' in literal null (expecting 'u')", "0  the server responded 403: denied"} {
		refused, message, err := c.Scores(t.Context(), []byte(`{"batch":[]}`))
		if got := fmt.Sprint(refused, " ", message, " ", err); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if s.asked[0] != "POST /api/public/ingestion" || len(s.asked) != 5 || string(s.bodies[0]) != `{"batch":[]}` || s.headers.Get("Content-Type") != "application/json" {
		t.Errorf("asked %q with %v", s.asked, s.headers)
	}
}

// TestRetries checks what is retried, and after how long.
func TestRetries(t *testing.T) {
	ok := reply{status: 200, contentType: protobufType}
	cases := []struct {
		name    string
		answers []reply
		sent    int
		waited  time.Duration
		want    string // in the error; empty for success
	}{
		{"at once", []reply{ok}, 1, 0, ""},
		{"busy, which names a time", []reply{{status: 503, retryAfter: "7", body: `{"error":"busy"}`}, ok}, 2, 7 * time.Second, ""},
		{"busy, which names an absurd time", []reply{{status: 503, retryAfter: "60000"}, ok}, 2, longestWait, ""},
		{"busy, which names no time", []reply{{status: 503}, {status: 429}, {status: 502}, ok}, 4, 7 * firstWait, ""},
		{"busy, which names nonsense", []reply{{status: 503, retryAfter: "soon"}, ok}, 2, firstWait, ""},
		{"a broken connection", []reply{{}, ok}, 2, firstWait, ""},
		{"closed afterwards", []reply{{status: 503, retryAfter: "1", hangUp: true}, ok}, 2, time.Second, ""},
		{"busy for ever", []reply{{status: 503, retryAfter: "1", body: `{"message":"too much to do"}`}}, tries, (tries - 1) * time.Second, "gave up after sending an export 8 times: the server responded 503: too much to do"},
		{"wrong keys", []reply{{status: 401, body: `{"message":"Invalid credentials."}`}}, 1, 0, "the server responded 401: Invalid credentials."},
		{"a refusal", []reply{{status: 400, body: `{"error":"Failed to parse OTel Protobuf Trace"}`}}, 1, 0, "the server responded 400: Failed to parse OTel Protobuf Trace"},
		{"too large", []reply{{status: 413, body: "too large"}}, 1, 0, "the server responded 413: too large"},
		{"a failure", []reply{{status: 500, body: `{"message":"Internal Server Error","error":"x"}`}}, 1, 0, "the server responded 500: Internal Server Error"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				s := &server{answers: c.answers}
				client := clientOf(t, s)
				defer client.Close()
				told := 0
				client.Waiting = func(string, time.Duration) { told++ }
				_, _, err := client.Export(t.Context(), []byte("body"))
				if (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
					t.Errorf("error %v, want %q", err, c.want)
				}
				if len(s.asked) != c.sent || told != c.sent-1 {
					t.Errorf("sent %d times and told of %d waits, want %d and %d", len(s.asked), told, c.sent, c.sent-1)
				}
				if waited := time.Since(began); waited != c.waited {
					t.Errorf("waited %v, want %v", waited, c.waited)
				}
				for _, body := range s.bodies {
					if string(body) != "body" {
						t.Errorf("sent %q", body)
					}
				}
			})
		})
	}
}

// TestInterruptedWait checks that a wait for a retry can be interrupted.
func TestInterruptedWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		client := clientOf(t, &server{answers: []reply{{status: 503, retryAfter: "20"}}})
		defer client.Close()
		_, _, err := client.Export(ctx, nil)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

func TestPartialSuccess(t *testing.T) {
	for _, c := range []struct {
		contentType, body string
		rejected          int64
		message, want     string
	}{
		{protobufType, "", 0, "", ""},
		{protobufType, string(otlp.AppendPartialSuccessProtobuf(nil, 3, "3 of 5 spans")), 3, "3 of 5 spans", ""},
		{protobufType, string(otlp.AppendPartialSuccessProtobuf(nil, 0, "a hint")), 0, "a hint", ""},
		{protobufType, "\x0a\x7f", 0, "", "cannot read the server's response"},
		{protobufType, "\x0a\x01\x08", 0, "", "cannot read the server's response"},
		{"application/json; charset=utf-8", "{}", 0, "", ""},
	} {
		s := &server{answers: []reply{{status: 200, contentType: c.contentType, body: c.body}}}
		rejected, message, err := clientOf(t, s).Export(t.Context(), nil)
		if rejected != c.rejected || message != c.message || (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q is read as %d, %q, %v", c.body, rejected, message, err)
		}
	}
}

// FuzzPartialSuccess decodes responses of an untrusted server.
func FuzzPartialSuccess(f *testing.F) {
	f.Add(otlp.AppendPartialSuccessProtobuf(nil, 3, "3 of 5 spans"))
	f.Add([]byte("\x0a\x7f"))
	f.Fuzz(func(t *testing.T, body []byte) {
		rejected, message, err := (&answer{status: 200, body: body, header: http.Header{"Content-Type": {protobufType}}}).partialSuccess()
		if err != nil && (rejected != 0 || message != "") {
			t.Errorf("%d, %q beside %v", rejected, message, err)
		}
	})
}

func TestProject(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer reply
		want   string // name, or part of the error
	}{
		{"good keys", reply{status: 200, body: `{"data":[{"id":"p","name":"Bot"}]}`}, "Bot"},
		{"bad keys", reply{status: 401, body: `{"message":"Invalid credentials."}`}, "the server responded 401: Invalid credentials."},
		{"something else", reply{status: 200, body: `<html>`}, `http://server.example does not look like a trace server: it sent "<html>"`},
		{"nothing else", reply{status: 200, body: `{"data":[]}`}, "does not look like a trace server"},
		{"too much", reply{status: 200, body: strings.Repeat(" ", longestAnswer+1)}, "the response is longer than 1048576 bytes"},
		{"not there", reply{status: 404, body: strings.Repeat("x", 1000)}, "the server responded 404: " + strings.Repeat("x", 300) + "…"},
		{"silence", reply{}, "cannot reach the server at http://server.example: EOF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &server{answers: []reply{c.answer}}
			got, err := clientOf(t, s).Project(t.Context())
			if err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, c.want) || len(s.asked) != 1 || s.asked[0] != "GET /api/public/projects" {
				t.Errorf("%q after %q, want %q", got, s.asked, c.want)
			}
			if strings.Contains(got, "sk-lf-1") {
				t.Error("the secret is in the error")
			}
		})
	}
}

// TestUnreachable checks the errors for servers that cannot be connected to.
func TestUnreachable(t *testing.T) {
	for want, err := range map[string]error{
		"no server is responding at http://server.example: the connection was refused":        &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)},
		`no server is responding at http://server.example: there is no host "server.example"`: &net.DNSError{Name: "server.example", IsNotFound: true},
		"cannot reach the server at http://server.example: a cable is broken":                 errors.New("a cable is broken"),
		"cannot reach the server at http://server.example: context deadline exceeded":         context.DeadlineExceeded,
	} {
		c := clientOf(t, new(server))
		transportOf(c).DialContext = func(context.Context, string, string) (net.Conn, error) { return nil, err }
		if _, got := c.Project(t.Context()); got == nil || got.Error() != want {
			t.Errorf("%v is told as %q, want %q", err, got, want)
		}
	}
}

func TestAddresses(t *testing.T) {
	for address, good := range map[string]bool{
		"http://127.0.0.1:3000": true, "https://almanac.example.org/": true, "": false, "127.0.0.1:3000": false, "localhost": false,
		"ftp://x": false, "http://": false, "http://a b": false,
	} {
		if _, err := NewClient(address, "a", "b"); (err == nil) != good {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// TestConnectionIsReused checks that one connection serves many requests, and that a server may close it in between.
func TestConnectionIsReused(t *testing.T) {
	ok := reply{status: 200, contentType: protobufType}
	closing := ok
	closing.hangUp = true
	for name, c := range map[string]struct {
		answer reply
		dialed int
	}{"kept": {ok, 1}, "closed after every answer": {closing, 5}} {
		t.Run(name, func(t *testing.T) {
			s := &server{answers: []reply{c.answer}}
			client := clientOf(t, s)
			client.Waiting = func(reason string, _ time.Duration) { t.Errorf("waits: %s", reason) }
			for range 5 {
				if _, _, err := client.Export(t.Context(), []byte("body")); err != nil {
					t.Fatal(err)
				}
			}
			if s.dialed != c.dialed || len(s.asked) != 5 {
				t.Errorf("%d connections for %d requests", s.dialed, len(s.asked))
			}
		})
	}
}

// TestSilentServer checks that the client does not wait forever for a server that accepts connections but does not
// respond.
func TestSilentServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := clientOf(t, new(server))
		var theirs net.Conn
		transportOf(client).DialContext = func(context.Context, string, string) (ours net.Conn, err error) {
			ours, theirs = net.Pipe()
			return ours, nil
		}
		began := time.Now()
		if _, err := client.Project(t.Context()); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != longestExchange {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		theirs.Close()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, err := client.Project(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%v after it was interrupted", err)
		}
		theirs.Close()
	})
}

func TestTLS(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(`{"data":[{"name":"` + r.Host + `"}]}`))
	}))
	t.Cleanup(s.Close)
	client, err := NewClient(s.URL, "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	if _, err := client.Project(t.Context()); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate that nobody vouches for: %v", err)
	}
	transportOf(client).TLSClientConfig = &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS12}
	transportOf(client).TLSClientConfig.RootCAs.AddCert(s.Certificate())
	if name, err := client.Project(t.Context()); err != nil || "https://"+name != s.URL {
		t.Errorf("%q, %v", name, err)
	}
}
