package ingest

import (
	"fmt"
	"time"
)

// Kind classifies errors by what the client can do about them.
type Kind int

// The kinds of errors.
const (
	// Invalid: the export will never be accepted as it is.
	Invalid Kind = iota + 1
	// TooLarge: the export will never be accepted in one piece.
	TooLarge
	// Busy: the same export may be accepted later.
	Busy
)

// Error is returned if an export is refused as a whole. None of it was stored.
type Error struct {
	Kind    Kind
	Reason  string // metric label
	Message string // for the client
	// RetryAfter is the delay after which a retry makes sense, if Kind is Busy.
	RetryAfter time.Duration
	cause      error
}

func (e *Error) Error() string {
	if e.cause != nil {
		return e.Message + ": " + e.cause.Error()
	}
	return e.Message
}

// Unwrap returns the cause, if any.
func (e *Error) Unwrap() error { return e.cause }

// Refuse returns an error for an export that can never be accepted.
func Refuse(message string, cause error) *Error {
	return &Error{Kind: Invalid, Reason: "invalid", Message: message, cause: cause}
}

// wrongTime is the metric label of spans whose start is too far from now.
const wrongTime = "time"

func tooLarge(format string, values ...any) *Error {
	return &Error{Kind: TooLarge, Reason: "too_large", Message: fmt.Sprintf(format, values...)}
}

// Retry delays. Memory is available again within moments; a full disk needs an operator.
const (
	retryMemory   = time.Second
	retryBusy     = 5 * time.Second
	retryDiskFull = 30 * time.Second
)

func busy(reason, message string, after time.Duration, cause error) *Error {
	return &Error{Kind: Busy, Reason: reason, Message: message, RetryAfter: after, cause: cause}
}
