package ingest

import (
	"fmt"
	"time"
)

// Kind says what a client can do about an error.
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

// Error is a refusal of an export as a whole. Nothing of it was kept.
type Error struct {
	Kind    Kind
	Reason  string // a short word for measurements
	Message string // for the client
	// RetryAfter is when it is worth trying again, if Kind is Busy.
	RetryAfter time.Duration
	cause      error
}

func (e *Error) Error() string {
	if e.cause != nil {
		return e.Message + ": " + e.cause.Error()
	}
	return e.Message
}

// Unwrap returns what went wrong inside, if anything did.
func (e *Error) Unwrap() error { return e.cause }

// Refuse returns the error of an export that can never be accepted.
func Refuse(message string, cause error) *Error {
	return &Error{Kind: Invalid, Reason: "invalid", Message: message, cause: cause}
}

func tooLarge(format string, values ...any) *Error {
	return &Error{Kind: TooLarge, Reason: "too_large", Message: fmt.Sprintf(format, values...)}
}

// How soon clients should come back. Memory is free again in moments, a full disk needs a person.
const (
	retryMemory   = time.Second
	retryBusy     = 5 * time.Second
	retryDiskFull = 30 * time.Second
)

func busy(reason, message string, after time.Duration, cause error) *Error {
	return &Error{Kind: Busy, Reason: reason, Message: message, RetryAfter: after, cause: cause}
}
