package respond

import "net/http"

// RateLimit describes a limit that was reached.
type RateLimit struct {
	RetryAfterSeconds int   `json:"retryAfterSeconds"`
	Limit             int64 `json:"limit"`
	Remaining         int64 `json:"remaining"`
	ResetAt           Time  `json:"resetAt"`
}

// TooMany returns the error for a limit that was reached, which says when it resets.
func TooMany(message string, limit RateLimit) *Error {
	return &Error{Status: http.StatusTooManyRequests, Message: message, RetryAfter: limit.RetryAfterSeconds, RateLimit: &limit}
}

func (e *Error) rateLimitBody() any {
	return struct {
		Message string     `json:"message"`
		Code    string     `json:"code"`
		Details *RateLimit `json:"details"`
	}{e.Message, "rate_limited", e.RateLimit}
}
