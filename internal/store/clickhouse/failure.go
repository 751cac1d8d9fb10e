package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"

	"almanac/internal/store"
)

// errTooMany means that there are more values than allowed.
var errTooMany = errors.New("more values than may be read")

// exceptionError is an error reported by ClickHouse.
type exceptionError struct {
	code    int
	name    string // such as TOO_MANY_PARTS
	message string // only if it contains no client data
}

func (e *exceptionError) Error() string {
	text := "ClickHouse error " + strconv.Itoa(e.code)
	if e.name != "" {
		text += " " + e.name
	}
	if e.message != "" {
		text += ": " + e.message
	}
	return text
}

// unreachableError means that ClickHouse could not be reached, or did not finish its response.
type unreachableError struct {
	err    error
	unsent bool // the request was not sent
}

func (e *unreachableError) Error() string { return "ClickHouse cannot be reached: " + e.err.Error() }
func (e *unreachableError) Unwrap() error { return e.err }

// The relevant exception codes.
const (
	codeTimeout            = 159
	codeTooManyQueries     = 202
	codeSocketTimeout      = 209
	codeNetwork            = 210
	codeNoZooKeeper        = 225
	codeMemory             = 241
	codeReadOnly           = 242
	codeNotEnoughSpace     = 243
	codeTooManyParts       = 252
	codeAllReplicasStale   = 279
	codeTooFewReplicas     = 285
	codeUnsatisfiedQuorum  = 286
	codeUnknownStatus      = 319
	codeKeeper             = 999
	codeServerOverloaded   = 745
	codeTooManyRowsOrBytes = 396
	codeAccessDenied       = 497
)

var (
	codePattern = regexp.MustCompile(`Code: (\d+)\.`)
	namePattern = regexp.MustCompile(`\(([A-Z0-9_]{3,60})\)`)
)

// readException reads an error response.
func readException(response *http.Response, plain bool) error {
	text, err := io.ReadAll(io.LimitReader(response.Body, 16<<10))
	if err != nil {
		return &unreachableError{err: err}
	}
	e := parseException(string(text), plain)
	if code, err := strconv.Atoi(response.Header.Get("X-ClickHouse-Exception-Code")); err == nil {
		e.code = code
	}
	if e.code == 0 {
		// The response is from something in front of ClickHouse.
		return &unreachableError{err: fmt.Errorf("the response has status %s", response.Status)}
	}
	return e
}

// lateException reads the message of a failure that occurred after part of the response was sent.
func lateException(r io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(r, 16<<10))
	if e := parseException(string(text), false); e.code != 0 {
		return e
	}
	if err != nil {
		return &unreachableError{err: err}
	}
	return errDamaged
}

func parseException(text string, plain bool) *exceptionError {
	e := new(exceptionError)
	if found := codePattern.FindStringSubmatch(text); found != nil {
		e.code, _ = strconv.Atoi(found[1])
	}
	// The name of the code is the last thing in the message, before the version.
	if found := namePattern.FindAllStringSubmatch(text, -1); found != nil {
		e.name = found[len(found)-1][1]
	}
	if plain {
		e.message = text
	}
	return e
}

// hasCode reports whether an error is an exception with one of these codes.
func hasCode(err error, codes ...int) bool {
	e, ok := errors.AsType[*exceptionError](err)
	return ok && slices.Contains(codes, e.code)
}

// isRetryable reports whether a retry may help.
func isRetryable(err error) bool {
	_, unreachable := errors.AsType[*unreachableError](err)
	return unreachable || hasCode(err, codeTimeout, codeTooManyQueries, codeSocketTimeout, codeNetwork, codeNoZooKeeper, codeMemory,
		codeReadOnly, codeTooManyParts, codeAllReplicasStale, codeTooFewReplicas, codeUnsatisfiedQuorum, codeUnknownStatus, codeKeeper,
		codeServerOverloaded)
}

// nothingKept reports whether a failed insert certainly left nothing behind.
func nothingKept(err error) bool {
	if unreachable, ok := errors.AsType[*unreachableError](err); ok {
		return unreachable.unsent
	}
	return hasCode(err, codeTooManyQueries, codeMemory, codeReadOnly, codeTooManyParts, codeTooFewReplicas, codeServerOverloaded,
		codeNotEnoughSpace)
}

// classify wraps a failure with the matching error kind of package store.
func classify(err error) error {
	unreachable, ok := errors.AsType[*unreachableError](err)
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case hasCode(err, codeNotEnoughSpace):
		return fmt.Errorf("%w: %w", store.ErrDiskFull, err)
	case hasCode(err, codeTooManyQueries, codeServerOverloaded, codeTooManyParts), ok && unreachable.unsent:
		return fmt.Errorf("%w: %w", store.ErrBusy, err)
	case ok || hasCode(err, codeSocketTimeout, codeNetwork, codeNoZooKeeper, codeReadOnly, codeAllReplicasStale, codeTooFewReplicas,
		codeUnsatisfiedQuorum, codeUnknownStatus, codeKeeper):
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return err
}
