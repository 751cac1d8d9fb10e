package demo

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/VictoriaMetrics/easyproto"
)

// answer is a server's response.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// retryAfter returns the delay that the server asks for; 0 if it does not.
func (a *answer) retryAfter() time.Duration {
	seconds, err := strconv.ParseUint(a.header.Get("Retry-After"), 10, 16)
	if err != nil {
		return 0 // also a date, which no server sends
	}
	return time.Duration(seconds) * time.Second
}

// worthRepeating reports whether the same request may succeed later.
func (a *answer) worthRepeating() bool {
	switch a.status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// refusal returns the error in the response.
func (a *answer) refusal() *RefusedError {
	var told struct {
		Message string
		Error   any
	}
	text := strings.TrimSpace(string(a.body))
	if err := json.Unmarshal(a.body, &told); err == nil {
		if reason, ok := told.Error.(string); ok && told.Message == "" {
			told.Message = reason
		}
		if told.Message != "" {
			text = told.Message
		}
	}
	const longest = 300
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return &RefusedError{Status: a.status, Message: text}
}

// partialSuccess decodes the response to an accepted export: how many spans were rejected, and why. A JSON response has
// no such details.
func (a *answer) partialSuccess() (rejected int64, message string, err error) {
	if !strings.HasPrefix(a.header.Get("Content-Type"), "application/x-protobuf") {
		return 0, "", nil
	}
	const (
		partialSuccess = 1
		rejectedSpans  = 1
		errorMessage   = 2
	)
	fail := func(err error) (int64, string, error) {
		return 0, "", fmt.Errorf("cannot read the server's response to an export: %w", err)
	}
	var outer, inner easyproto.FieldContext
	for rest := a.body; len(rest) > 0; {
		if rest, err = outer.NextField(rest); err != nil {
			return fail(err)
		}
		content, ok := outer.MessageData()
		if outer.FieldNum != partialSuccess || !ok {
			continue
		}
		for len(content) > 0 {
			if content, err = inner.NextField(content); err != nil {
				return fail(err)
			}
			switch inner.FieldNum {
			case rejectedSpans:
				rejected, _ = inner.Int64()
			case errorMessage:
				message, _ = inner.String()
			}
		}
	}
	return rejected, message, nil
}

// refusedEvents decodes the response to a batch of events: how many were refused, and why the first one was.
func (a *answer) refusedEvents() (refused int, message string, err error) {
	var told struct {
		Errors []struct{ Message, Error string }
	}
	if err := json.Unmarshal(a.body, &told); err != nil {
		return 0, "", fmt.Errorf("cannot read the server's response to a batch of scores: %w", err)
	}
	if len(told.Errors) == 0 {
		return 0, "", nil
	}
	return len(told.Errors), told.Errors[0].Message + ": " + told.Errors[0].Error, nil
}
