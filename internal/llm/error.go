package llm

import (
	"time"
)

// Kind is a class of errors.
type Kind string

// The classes of errors.
const (
	Refused        Kind = "refused"         // the model declined to answer
	Blocked        Kind = "blocked"         // a filter of the provider withheld the question or the answer
	Unauthorized   Kind = "unauthorized"    // the provider does not know the credentials
	Forbidden      Kind = "forbidden"       // the credentials may not do this
	Quota          Kind = "quota"           // a quota or a spending limit is used up: waiting seconds does not help
	Billing        Kind = "billing"         // the account must pay first
	UnknownModel   Kind = "unknown model"   // or the base URL is wrong
	TooLong        Kind = "too long"        // the question is longer than the model takes
	TooLarge       Kind = "too large"       // the request has more bytes than the provider takes, or than this program sends
	Cut            Kind = "cut"             // a structured answer ended at the limit of output tokens
	RateLimited    Kind = "rate limited"    // wait for RetryAfter
	Overloaded     Kind = "overloaded"      // the provider has no capacity at the moment
	Internal       Kind = "internal"        // the provider failed
	Unreachable    Kind = "unreachable"     // no connection to the provider
	Redirected     Kind = "redirected"      // the provider answered with a redirect, which is not followed
	Interrupted    Kind = "interrupted"     // the answer ended before it was complete
	Timeout        Kind = "timeout"         // the provider took too long
	Malformed      Kind = "malformed"       // the answer is not what the API documents
	Unstructured   Kind = "unstructured"    // the answer does not follow the schema, even after it was asked to be repaired
	InvalidRequest Kind = "invalid request" // the provider does not accept the request
	Misconfigured  Kind = "misconfigured"   // the connection or the request cannot be sent
	Busy           Kind = "busy"            // too many calls of this server or connection are in progress
	Canceled       Kind = "canceled"        // by the caller
)

// Error is why a call failed.
type Error struct {
	Kind Kind
	// Message is a sentence or two for people, without secrets.
	Message string
	Status  int    // of HTTP; 0 if the provider did not answer
	Code    string // the provider's own name of the error, without secrets
	// RetryAfter is how long the provider asks to wait; 0 if it does not say.
	RetryAfter time.Duration

	again bool   // the same request may succeed soon
	param string // the parameter that the provider names
	said  string // what the provider said; it may have secrets
	cause error
}

// Error returns the sentence for people.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause, such as context.Canceled.
func (e *Error) Unwrap() error { return e.cause }

// Temporary reports whether the same call may succeed later, without anybody changing anything.
func (e *Error) Temporary() bool {
	switch e.Kind {
	case RateLimited, Overloaded, Internal, Unreachable, Interrupted, Timeout, Malformed, Busy:
		return true
	}
	return false
}
