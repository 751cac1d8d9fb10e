package langfuse

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"almanac/internal/buildinfo"
	"almanac/internal/netguard"
)

// Timeouts and retries.
const (
	requestTimeout = 2 * time.Minute
	filePatience   = time.Minute // until a download begins, and between reads
	firstWait      = 500 * time.Millisecond
	longestWait    = time.Minute
	attempts       = 8   // attempts for a failing request
	refusals       = 200 // retries of a rate-limited request
	maxMessage     = 300 // maximum bytes of an error message shown
)

// maxAnswer is the maximum size of a response. A larger page of rows is requested in parts.
const maxAnswer = 64 << 20

var errTooLarge = errors.New("the response is too large")

// statusError is a response with an error status.
type statusError struct {
	status  int
	path    string
	message string
}

func (e *statusError) Error() string {
	text := fmt.Sprintf("the source responded to %s with status %d", e.path, e.status)
	if e.message != "" {
		text += ": " + e.message
	}
	return text
}

// client calls the API of the source.
type client struct {
	base      string
	publicKey string
	secretKey string
	http      *netguard.Client
	interval  time.Duration // between requests; 0 for none
	longest   int64         // maximum size of a response
	patience  time.Duration // for file downloads
	sleep     func(context.Context, time.Duration) error

	mu   sync.Mutex
	next time.Time // when the next request may be sent

	bodies sync.Pool // reusable response buffers
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// turn waits until the next request may be sent.
func (c *client) turn(ctx context.Context) error {
	if c.interval == 0 {
		return nil
	}
	c.mu.Lock()
	now := time.Now()
	at := c.next
	if at.Before(now) {
		at = now
	}
	c.next = at.Add(c.interval)
	c.mu.Unlock()
	return c.sleep(ctx, at.Sub(now))
}

// get requests JSON. It retries transient errors, and waits as long as the source asks for.
func (c *client) get(ctx context.Context, path string, query url.Values, into any) error {
	body, _ := c.bodies.Get().(*bytes.Buffer)
	if body == nil {
		body = new(bytes.Buffer)
	}
	defer c.bodies.Put(body) // decoding copies what it keeps
	if err := c.persist(ctx, func() error { return c.try(ctx, path, query, body) }); err != nil {
		return err
	}
	if err := json.Unmarshal(body.Bytes(), into); err != nil {
		return fmt.Errorf("the source responded to %s with something unexpected: %w", path, err)
	}
	return nil
}

// persist retries while try fails with tryAgain, for a limited time.
func (c *client) persist(ctx context.Context, try func() error) error {
	wait, refused := firstWait, 0
	for attempt := 1; ; {
		err := try()
		var again *tryAgain
		if !errors.As(err, &again) || ctx.Err() != nil {
			return err
		}
		pause := min(max(wait, again.after), 15*longestWait)
		if again.limited && refused < refusals {
			refused++
		} else {
			if attempt++; attempt > attempts {
				return fmt.Errorf("gave up after %d attempts: %w", attempts, again.cause)
			}
			wait = min(2*wait, longestWait)
		}
		if err := c.sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// tryAgain is a transient error.
type tryAgain struct {
	cause   error
	after   time.Duration // requested by the source
	limited bool          // the request was rate-limited
}

func (t *tryAgain) Error() string { return t.cause.Error() }
func (t *tryAgain) Unwrap() error { return t.cause }

// try sends the request once and reads the response into a buffer.
func (c *client) try(ctx context.Context, path string, query url.Values, body *bytes.Buffer) error {
	if err := c.turn(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	address := c.base + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	request.SetBasicAuth(c.publicKey, c.secretKey)
	request.Header.Set("User-Agent", "almanac-import/"+buildinfo.Version())
	response, err := c.http.Do(request)
	if err != nil {
		return &tryAgain{cause: fmt.Errorf("cannot reach the source: %w", err)}
	}
	defer response.Body.Close() //nolint:errcheck // only read
	body.Reset()
	read, err := body.ReadFrom(io.LimitReader(response.Body, c.longest+1))
	switch {
	case err != nil:
		return &tryAgain{cause: fmt.Errorf("the response of the source to %s was cut off: %w", path, err)}
	case read > c.longest:
		return fmt.Errorf("%s: %w", path, errTooLarge)
	case response.StatusCode == http.StatusOK:
		return nil
	}
	return refusal(response, path, messageOf(body.Bytes()))
}

// refusal returns the error for a response with a status other than 200.
func refusal(response *http.Response, path, message string) error {
	failed := &statusError{response.StatusCode, path, message}
	switch status := response.StatusCode; {
	case status == http.StatusTooManyRequests:
		return &tryAgain{cause: failed, after: retryAfter(response.Header), limited: true}
	case status == http.StatusRequestTimeout || status >= 500:
		return &tryAgain{cause: failed, after: retryAfter(response.Header)}
	}
	return failed
}

// retryAfter returns how long the source asks us to wait, or 0 if it does not say.
func retryAfter(header http.Header) time.Duration {
	for _, name := range []string{"Retry-After", "X-RateLimit-Reset"} {
		value := header.Get(name)
		if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds >= 0 && seconds < 1e6 && name == "Retry-After" {
			return time.Duration(seconds * float64(time.Second))
		}
		for _, layout := range []string{http.TimeFormat, time.RFC3339} {
			if at, err := time.Parse(layout, value); err == nil {
				return max(0, time.Until(at))
			}
		}
	}
	return 0
}

// messageOf returns the message of an error response.
func messageOf(body []byte) string {
	var answer struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(body, &answer) == nil && answer.Message != "" {
		body = []byte(answer.Message)
	}
	text := strings.TrimSpace(strings.ToValidUTF8(string(body), ""))
	if strings.HasPrefix(text, "<") { // an HTML page
		return ""
	}
	return strings.ToValidUTF8(text[:min(len(text), maxMessage)], "") // without a truncated character
}

// isStatus reports whether an error is a response with one of these statuses.
func isStatus(err error, statuses ...int) bool {
	var failed *statusError
	return errors.As(err, &failed) && slices.Contains(statuses, failed.status)
}
