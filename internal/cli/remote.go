package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"almanac/internal/config"
	"almanac/internal/netguard"
)

// remoteServer is a running server that a command uses with the keys of a project.
type remoteServer struct {
	address, publicKey string
	secretKey          config.Secret
	http               *netguard.Client
}

// newRemoteServer returns a server whose requests take at most timeout; 0 means as long as they need.
func newRemoteServer(address, publicKey string, secretKey config.Secret, timeout time.Duration) *remoteServer {
	return &remoteServer{address, publicKey, secretKey, netguard.TrustedClient(netguard.TrustedTransport(), timeout)}
}

// errAway means that the server cannot be reached, or cannot serve requests at the moment.
var errAway = errors.New("the server is away")

// limited is returned if the server asks to wait a little, because of a limit of the project or of its key.
type limited struct {
	cause error
	after time.Duration
}

func (l *limited) Error() string { return l.cause.Error() }

// remotePatience is how long a command waits for a server that is being restarted.
const remotePatience = 2 * time.Minute

// retry repeats a request while the server is away: a restart must not end what a command does. If the server asks to
// wait, it does.
func (s *remoteServer) retry(ctx context.Context, t *terminal, request func() error) error {
	start := time.Now()
	for said := false; ; said = true {
		err := request()
		wait, asked := exportPoll, (*limited)(nil)
		switch {
		case errors.As(err, &asked):
			wait, start = max(wait, asked.after), time.Now()
		case err == nil || !errors.Is(err, errAway) || time.Since(start) > remotePatience:
			return err
		}
		if !said {
			t.say("Waiting for the server: %v", err)
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(wait):
		}
	}
}

func (s *remoteServer) send(ctx context.Context, method, path string, header http.Header, body []byte) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(s.address, "/")+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("--url: %w", err)
	}
	if header != nil {
		r.Header = header.Clone()
	}
	r.SetBasicAuth(s.publicKey, s.secretKey.Reveal())
	answer, err := s.http.Do(r)
	if err != nil {
		return nil, fmt.Errorf("%w: cannot reach the server: %w", errAway, err)
	}
	switch answer.StatusCode {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		defer answer.Body.Close() //nolint:errcheck // only read
		return nil, fmt.Errorf("%w: %w", errAway, refusal(answer))
	case http.StatusTooManyRequests:
		defer answer.Body.Close() //nolint:errcheck // only read
		const longest = 300
		seconds, err := strconv.ParseUint(answer.Header.Get("Retry-After"), 10, 32)
		if err != nil || seconds > longest { // such as until the next month
			return nil, refusal(answer)
		}
		return nil, &limited{refusal(answer), time.Duration(seconds) * time.Second}
	}
	return answer, nil
}

// call sends a request and decodes the response.
func (s *remoteServer) call(ctx context.Context, method, path string, body []byte, into any) error {
	var header http.Header
	if body != nil {
		header = http.Header{"Content-Type": {"application/json"}}
	}
	answer, err := s.send(ctx, method, path, header, body)
	if err != nil {
		return err
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	if answer.StatusCode/100 != 2 {
		return refusal(answer)
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(answer.Body).Decode(into)
}

// refusedError is returned for an unsuccessful response.
type refusedError struct {
	status int
	text   string
}

func (e *refusedError) Error() string { return e.text }

// refusal returns the error message of an unsuccessful response.
func refusal(answer *http.Response) error {
	const most = 4 << 10
	raw, _ := io.ReadAll(io.LimitReader(answer.Body, most)) // a partial body is good enough
	var told struct{ Message string }
	if json.Unmarshal(raw, &told) == nil && told.Message != "" {
		raw = []byte(told.Message)
	}
	// What another server says must not control the terminal.
	text := "the server responded " + printable(answer.Status) + ": " + cmp.Or(printable(strings.TrimSpace(string(raw))), "nothing")
	return &refusedError{answer.StatusCode, text}
}
