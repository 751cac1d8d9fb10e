package demo

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"almanac/internal/buildinfo"
	"almanac/internal/netguard"
	"almanac/internal/platform"
)

// Client sends exports to a server. It is not safe for concurrent use.
type Client struct {
	base           string
	public, secret string
	http           *netguard.Client
	// Waiting, if set, is called before every wait for a server that cannot accept an export right now.
	Waiting func(reason string, wait time.Duration)

	packed bytes.Buffer
}

// NewClient returns a client for the server at this address. It does not connect yet.
func NewClient(address, publicKey, secretKey string) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("%q is not the address of a server such as http://127.0.0.1:3000", address)
	}
	return &Client{
		base: strings.TrimRight(address, "/"), public: publicKey, secret: secretKey,
		http: netguard.TrustedClient(netguard.TrustedTransport(), longestExchange),
	}, nil
}

const (
	// longestAnswer is the maximum size of a response in bytes; a longer one cannot be what we asked for.
	longestAnswer = 1 << 20
	// longestExchange is the maximum duration of a request with its response.
	longestExchange = time.Minute
)

// Close closes the connection, if there is one.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// RefusedError is returned for a request that the server will never accept as it is.
type RefusedError struct {
	Status  int
	Message string // from the server
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("the server responded %d: %s", e.Status, e.Message)
}

// ErrUnreachable means that no server responds at the address.
var ErrUnreachable = errors.New("no server is responding")

// Project returns the name of the project that the keys belong to. It fails without retries if the server cannot be
// reached or does not know the keys.
func (c *Client) Project(ctx context.Context) (string, error) {
	answer, err := c.do(ctx, http.MethodGet, "/api/public/projects", nil, nil)
	if err != nil {
		return "", err
	}
	var list struct {
		Data []struct{ Name string }
	}
	if answer.status != http.StatusOK {
		return "", answer.refusal()
	}
	if err := json.Unmarshal(answer.body, &list); err != nil || len(list.Data) == 0 {
		return "", fmt.Errorf("%s does not look like a trace server: it sent %.100q", c.base, answer.body)
	}
	return list.Data[0].Name, nil
}

const (
	// tries is how often an export is sent before giving up.
	tries = 8
	// firstWait is the first wait after a failure if the server did not ask for a delay; it doubles up to longestWait,
	// which also caps the delay that a server asks for.
	firstWait   = 250 * time.Millisecond
	longestWait = 30 * time.Second
)

// Export sends an export in OTLP's protobuf encoding, and retries if the server is busy or the connection breaks, since
// exports are idempotent. It returns how many spans the server rejected, and why.
func (c *Client) Export(ctx context.Context, body []byte) (rejected int64, message string, err error) {
	if err := c.pack(body); err != nil {
		return 0, "", err
	}
	answer, err := c.repeat(ctx, http.StatusOK, func() (*answer, error) { return c.post(ctx) })
	if err != nil {
		return 0, "", err
	}
	return answer.partialSuccess()
}

// Scores sends a batch of scores with the same retries. It returns how many scores the server refused, and why the
// first one was.
func (c *Client) Scores(ctx context.Context, body []byte) (refused int, message string, err error) {
	answer, err := c.repeat(ctx, http.StatusMultiStatus, func() (*answer, error) {
		return c.do(ctx, http.MethodPost, "/api/public/ingestion", body, map[string]string{"Content-Type": "application/json"})
	})
	if err != nil {
		return 0, "", err
	}
	return answer.refusedEvents()
}

// repeat sends a request until the response has the given status, it is refused for good, or tries are used up.
func (c *Client) repeat(ctx context.Context, success int, send func() (*answer, error)) (*answer, error) {
	wait := firstWait
	for try := 1; ; try++ {
		answer, err := send()
		if err == nil {
			if answer.status == success {
				return answer, nil
			}
			if err = answer.refusal(); !answer.worthRepeating() {
				return nil, err
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if try == tries {
			return nil, fmt.Errorf("gave up after sending an export %d times: %w", tries, err)
		}
		asked := wait
		if answer != nil && answer.retryAfter() > 0 {
			asked = min(answer.retryAfter(), longestWait)
		}
		if c.Waiting != nil {
			c.Waiting(err.Error(), asked)
		}
		if err := sleep(ctx, asked); err != nil {
			return nil, err
		}
		wait = min(2*wait, longestWait)
	}
}

// pack compresses a body into a reused buffer.
func (c *Client) pack(body []byte) error {
	c.packed.Reset()
	z, err := gzip.NewWriterLevel(&c.packed, gzip.BestSpeed)
	if err != nil {
		return fmt.Errorf("cannot compress an export: %w", err)
	}
	_, err = z.Write(body)
	if err := errors.Join(err, z.Close()); err != nil {
		return fmt.Errorf("cannot compress an export of %d bytes: %w", len(body), err)
	}
	return nil
}

func (c *Client) post(ctx context.Context) (*answer, error) {
	return c.do(ctx, http.MethodPost, "/api/public/otel/v1/traces", c.packed.Bytes(), map[string]string{
		"Content-Type": "application/x-protobuf", "Content-Encoding": "gzip", "X-Langfuse-Ingestion-Version": "4",
		"X-Langfuse-Sdk-Name": "almanac-demo", "X-Langfuse-Sdk-Version": buildinfo.Version(),
	})
}

// do sends a request. Its errors explain what can be done if the server does not respond.
func (c *Client) do(ctx context.Context, method, path string, body []byte, headers map[string]string) (*answer, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.SetBasicAuth(c.public, c.secret)
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	// This header is not sent. It tells the transport that the request may be retried if the server closed the connection
	// in the meantime.
	r.Header["X-Idempotency-Key"] = nil
	response, err := c.http.Do(r)
	if err != nil {
		return nil, c.unreachable(err)
	}
	defer response.Body.Close() //nolint:errcheck // only read
	a := &answer{status: response.StatusCode, header: response.Header}
	if a.body, err = io.ReadAll(io.LimitReader(response.Body, longestAnswer+1)); err == nil && len(a.body) > longestAnswer {
		err = fmt.Errorf("the response is longer than %d bytes", longestAnswer)
	}
	if err != nil {
		return nil, c.unreachable(err)
	}
	return a, nil
}

// unreachable distinguishes the usual reasons why a request fails without a response.
func (c *Client) unreachable(err error) error {
	var (
		name   *net.DNSError
		failed *url.Error
	)
	if errors.As(err, &failed) { // its text repeats the address
		err = failed.Err
	}
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case platform.ConnectionRefused(err):
		return fmt.Errorf("%w at %s: the connection was refused", ErrUnreachable, c.base)
	case errors.As(err, &name):
		return fmt.Errorf("%w at %s: there is no host %q", ErrUnreachable, c.base, name.Name)
	}
	return fmt.Errorf("cannot reach the server at %s: %w", c.base, err)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
