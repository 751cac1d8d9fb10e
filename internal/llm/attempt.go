package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"almanac/internal/netguard"
)

// The sizes of what is sent and received.
const (
	maxRequest = 32 << 20
	maxWhole   = 8 << 20  // of an answer that is not streamed
	maxEvent   = 4 << 20  // of an event of a stream
	maxAnswer  = 4 << 20  // of the texts of an answer
	maxFailure = 64 << 10 // of the body of an error

	maxToolCalls = 1000 // of an answer: each takes memory, however short it is
)

var (
	errTimeout = errors.New("the time of the call is over")
	errTooLong = &Error{Kind: Malformed, Message: "The answer is longer than any that is expected, so the call was ended."}
)

// object is a JSON object of a request.
type object = map[string]any

// dialect is how requests are written and answers read. One reads one answer.
type dialect interface {
	// body returns the body of a request.
	body(k *call, messages []Message) (object, error)
	// whole reads an answer in one piece.
	whole(text []byte) error
	// event reads an event of a stream and reports whether it is the last.
	event(name string, data []byte) (last bool, err error)
	// ended reports whether the stream may end after what was read.
	ended() bool
}

// attempt makes one request and reads its answer.
func (k *call) attempt(ctx context.Context) error {
	out := &collector{call: k}
	out.begin()
	d := k.service.dialect(out)
	body, err := d.body(k, k.asked)
	if err != nil {
		return err
	}
	k.reduce(body)
	for name, value := range k.req.Params.Extra {
		body[name] = value
	}
	text, err := marshal(body)
	if err != nil {
		return &Error{Kind: Misconfigured, Message: "The request cannot be written as JSON: " + err.Error()}
	}
	if len(text) > maxRequest {
		return &Error{
			Kind: TooLarge, Message: fmt.Sprintf("The request has %d MB, and at most %d MB are sent.", len(text)>>20, maxRequest>>20),
		}
	}
	response, err := k.send(ctx, text)
	if err != nil {
		return err
	}
	defer response.Body.Close() //nolint:errcheck // only read
	err = k.read(ctx, response, d)
	if failed := out.finish(); err == nil {
		err = failed
	}
	return err
}

// marshal returns JSON without escapes for HTML.
func marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// send makes a request and returns its answer if it is a good one.
func (k *call) send(ctx context.Context, body []byte) (*http.Response, error) {
	s := k.service
	address, err := s.address(k.handle != nil)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, &Error{Kind: Misconfigured, Message: "The base URL of the connection makes no address."}
	}
	r.Header.Set("Content-Type", "application/json")
	if k.handle != nil {
		r.Header.Set("Accept-Encoding", "identity") // compressed streams arrive late
	}
	for name, value := range s.headers {
		r.Header.Set(name, value)
	}
	if s.extraHeaders {
		for name, value := range k.conn.Headers {
			r.Header.Set(name, value)
		}
	}
	if s.authorize != nil {
		secrets, err := s.authorize(ctx, k.client, r, body)
		k.secrets = append(k.secrets, secrets...)
		if err != nil {
			return nil, err
		}
	}
	k.result.Attempts++
	response, err := k.client.http.Do(r)
	if err != nil {
		return nil, k.unsent(ctx, err)
	}
	if response.StatusCode == http.StatusOK {
		return response, nil
	}
	defer response.Body.Close() //nolint:errcheck // only read
	if response.StatusCode >= 300 && response.StatusCode < 400 {
		return nil, &Error{
			Kind: Redirected, Status: response.StatusCode,
			Message: s.name + " redirects to another address, which is not followed. Correct the base URL of the connection.",
		}
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxFailure))
	if err != nil && len(text) == 0 {
		text = nil // the status says enough
	}
	return nil, k.refused(response.StatusCode, response.Header, text)
}

// read reads the answer.
func (k *call) read(ctx context.Context, response *http.Response, d dialect) error {
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")) // the kinds below have no invalid parameters
	switch {
	case kind == "application/json" || (kind == "" || kind == "text/plain") && k.handle == nil: // some servers do not say what they send
		return k.readWhole(ctx, response.Body, d)
	case k.handle != nil && kind == k.service.streamType():
		return k.readStream(ctx, response.Body, d)
	}
	return &Error{
		Kind: Malformed, Status: response.StatusCode,
		Message: fmt.Sprintf("%s answers with %s, which is not an answer of a model. Is the base URL of the connection right?",
			k.service.name, orNothing(k.secrets.Short(kind, 100))),
	}
}

func orNothing(kind string) string {
	if kind == "" {
		return "content of no type"
	}
	return kind
}

func (k *call) readWhole(ctx context.Context, body io.Reader, d dialect) error {
	text, err := io.ReadAll(io.LimitReader(body, maxWhole+1))
	if err != nil {
		return k.interrupted(ctx, err)
	}
	if len(text) > maxWhole {
		return errTooLong
	}
	if failed := k.failureWithin(text); failed != nil {
		return failed
	}
	return k.understood(d.whole(text))
}

func (k *call) readStream(ctx context.Context, body io.Reader, d dialect) error {
	each := func(name string, data []byte) (bool, error) {
		last, err := d.event(name, data)
		return last, k.understood(err)
	}
	last, err := k.service.events(body, each)
	_, isOurs := errors.AsType[*Error](err)
	_, isTheirs := errors.AsType[*handlerError](err)
	switch {
	case isOurs || isTheirs:
		return err
	case err != nil:
		return k.interrupted(ctx, err)
	case !last && !d.ended():
		return k.interrupted(ctx, io.ErrUnexpectedEOF)
	}
	return nil
}

// understood turns errors of JSON into those for people.
func (k *call) understood(err error) error {
	_, isOurs := errors.AsType[*Error](err)
	_, isTheirs := errors.AsType[*handlerError](err)
	if err == nil || isOurs || isTheirs {
		return err
	}
	return &Error{
		Kind:    Malformed,
		Message: k.service.name + " answers with something that is not what its API documents: " + k.secrets.Short(err.Error(), 200),
	}
}

// unsent returns why a request had no answer.
func (k *call) unsent(ctx context.Context, err error) error {
	var slow interface{ Timeout() bool }
	switch {
	case ctx.Err() != nil:
		return k.over(ctx)
	case errors.Is(err, netguard.ErrPrivate):
		return &Error{
			Kind: Unreachable, cause: err,
			Message: "The address of the provider leads to this machine or its private network, which the operator does not allow.",
		}
	case errors.As(err, &slow) && slow.Timeout():
		return &Error{Kind: Timeout, Message: k.service.name + " does not answer.", cause: err}
	}
	return &Error{
		Kind: Unreachable, again: !isFinal(err), cause: err,
		Message: k.service.name + " cannot be reached: " + k.secrets.Short(netguard.WithoutAddress(err).Error(), 300) + ".",
	}
}

// interrupted returns why an answer ended too early.
func (k *call) interrupted(ctx context.Context, err error) error {
	var slow interface{ Timeout() bool }
	switch {
	case ctx.Err() != nil:
		return k.over(ctx)
	case errors.Is(err, netguard.ErrTooMuch):
		return errTooLong
	case errors.As(err, &slow) && slow.Timeout():
		return &Error{Kind: Timeout, Message: k.service.name + " stopped sending its answer.", cause: err}
	}
	return &Error{
		Kind: Interrupted, again: true, Message: k.service.name + " ended the connection before its answer was complete.", cause: err,
	}
}

// over returns why the context of a call is over.
func (k *call) over(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &Error{Kind: Timeout, Message: k.timedOut(), cause: context.DeadlineExceeded}
	}
	return &Error{Kind: Canceled, Message: "The call was canceled.", cause: context.Canceled}
}

func (k *call) timedOut() string {
	name := "The provider"
	if k.service != nil {
		name = k.service.name
	}
	return name + " did not complete its answer within " + time.Since(k.started).Round(100*time.Millisecond).String() + "."
}

// isFinal reports whether a request that could not be sent would fail again.
func isFinal(err error) bool {
	text := err.Error()
	return strings.Contains(text, "no such host") || strings.Contains(text, "x509:") || strings.Contains(text, "tls:") ||
		strings.Contains(text, "unsupported protocol")
}
