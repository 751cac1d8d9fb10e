package respond

import (
	"cmp"
	"net/http"
	"strings"

	"almanac/internal/decode"
)

// Error is an error response. Handlers return it; an error of unknown type is an internal failure, whose text is logged
// and never sent.
type Error struct {
	Status  int
	Name    string // the error member of the body; some formats have none
	Message string
	Issues  []decode.Issue // instead of Name, if parameters or the body are invalid
	// RetryAfter is the Retry-After header, in seconds; 0 for none.
	RetryAfter int
	// ErrorOnly makes the body {"error": message} in every format but ForPeople.
	ErrorOnly bool
	// Code and Details are for Coded bodies. An empty code is derived from the status.
	Code    string
	Details *Details
	// RateLimit is the limit that was reached. The body is then the same in every format but RPC and ForPeople.
	RateLimit *RateLimit
}

func (e *Error) Error() string { return e.Message }

// InvalidRequest returns the error for a request that cannot be served as it stands.
func InvalidRequest(message string) *Error {
	return &Error{Status: http.StatusBadRequest, Name: "InvalidRequestError", Message: message}
}

// InvalidData returns the error for parameters or a body that failed validation.
func InvalidData(issues []decode.Issue) *Error {
	return &Error{Status: http.StatusBadRequest, Message: "Invalid request data", Issues: issues}
}

// NotFound returns the error for an object that does not exist.
func NotFound(message string) *Error {
	return &Error{Status: http.StatusNotFound, Name: "LangfuseNotFoundError", Message: message}
}

// NoRoute returns the error for a path without a route. Its name differs from that of NotFound, because clients wait
// for objects that do not exist yet, and waiting does not make a route appear.
func NoRoute(path string) *Error {
	const shown = 500 // anybody can send a path as long as the header may be
	if len(path) > shown {
		path = strings.ToValidUTF8(path[:shown], "") + "…"
	}
	return &Error{Status: http.StatusNotFound, Name: "RouteNotFoundError", Message: "No such route: " + path}
}

// MethodNotAllowed returns the error for a method that a path does not support.
func MethodNotAllowed() *Error {
	return &Error{Status: http.StatusMethodNotAllowed, Name: "MethodNotAllowedError", Message: "Method not allowed"}
}

// Conflict returns the error for a write that conflicts with existing data.
func Conflict(message string) *Error {
	return &Error{Status: http.StatusConflict, Name: "LangfuseConflictError", Message: message}
}

// TooSlow returns the error for a query that timed out. It is not a server error: clients retry those, and the same
// query would time out again.
func TooSlow() *Error {
	return &Error{
		Status: http.StatusUnprocessableEntity, Name: "Request timed out",
		Message: "The request took too long. Ask for less: a shorter time range, fewer rows or fewer fields.",
	}
}

// Busy returns an error that asks the client to retry after a number of seconds.
func Busy(message string, seconds int) *Error {
	return &Error{Status: http.StatusServiceUnavailable, Name: "ServiceUnavailableError", Message: message, RetryAfter: seconds}
}

// Internal returns the error for an internal failure. It tells the client nothing more.
func Internal() *Error {
	return &Error{Status: http.StatusInternalServerError, Name: "An unknown error occurred", Message: "Internal Server Error"}
}

// ErrorFormat is a format of error bodies. It differs between routes, and clients depend on it.
type ErrorFormat int

const (
	// Stable bodies are {"message", "error"}, where error is a name or a list of issues.
	Stable ErrorFormat = iota
	// MessageOnly bodies are {"message"}, with the issues as details.
	MessageOnly
	// SCIM bodies are those of RFC 7644, with the issues in the detail string.
	SCIM
	// ErrorOnly bodies are {"error"}, with the issues as details.
	ErrorOnly
	// Batch bodies are {"error", "message"}, where error is a name, even for denials; with issues they are
	// {"message", "errors"}, where errors are strings.
	Batch
	// Named bodies are those of Stable, but with names for denials.
	Named
	// Coded bodies are {"message", "code", "details"}.
	Coded
	// CodedGeneric bodies are those of Coded, restricted to the general codes.
	CodedGeneric
	// RPC bodies are {"error", "code"}, with a JSON-RPC error code.
	RPC
	// ForPeople bodies are {"error", "message", "issues"}, where error is a code and the message is shown to people.
	ForPeople
)

// Body returns the error as a body in a format.
func (e *Error) Body(family ErrorFormat) any {
	if e.ErrorOnly && family != ForPeople {
		family = ErrorOnly
	}
	if family == ForPeople {
		return e.bodyForPeople()
	}
	if e.RateLimit != nil && family != RPC {
		return e.rateLimitBody()
	}
	switch family {
	case SCIM:
		return newSCIMError(e)
	case MessageOnly:
		return struct {
			Message string         `json:"message"`
			Details []decode.Issue `json:"details,omitempty"`
		}{e.Message, e.Issues}
	case ErrorOnly:
		return struct {
			Error   string         `json:"error"`
			Details []decode.Issue `json:"details,omitempty"`
		}{e.Message, e.Issues}
	case Batch:
		return e.batchBody()
	case RPC:
		return e.rpcBody()
	case Coded:
		return e.codedBody(false)
	case CodedGeneric:
		return e.codedBody(true)
	}
	var detail any
	switch {
	case len(e.Issues) > 0:
		detail = e.Issues
	case e.Name != "":
		detail = e.Name
	case family == Named:
		detail = e.denialName()
	}
	return struct {
		Message string `json:"message"`
		Error   any    `json:"error,omitempty"`
	}{e.Message, detail}
}

// InvalidJSON returns the error for a body that is not JSON.
func InvalidJSON() *Error {
	return &Error{Status: http.StatusBadRequest, Name: invalidJSON, Message: "Invalid JSON"}
}

const invalidJSON = "InvalidJSONError"

func (e *Error) rpcBody() any {
	const (
		parse    = -32700
		invalid  = -32600
		internal = -32603
	)
	code := invalid
	switch {
	case e.Name == invalidJSON:
		code = parse
	case e.Status >= http.StatusInternalServerError:
		code = internal
	}
	return struct {
		Error string `json:"error"`
		Code  int    `json:"code"`
	}{e.Message, code}
}

func (e *Error) batchBody() any {
	if len(e.Issues) > 0 {
		texts := make([]string, len(e.Issues))
		for n, i := range e.Issues {
			texts[n] = i.Message
		}
		return struct {
			Message string   `json:"message"`
			Errors  []string `json:"errors"`
		}{e.Message, texts}
	}
	return struct {
		Error   string `json:"error,omitempty"`
		Message string `json:"message"`
	}{cmp.Or(e.Name, e.denialName()), e.Message}
}

// denialName returns the name of a denial for formats that have one.
func (e *Error) denialName() string { return denialNames[e.Status] }

var denialNames = map[int]string{
	http.StatusUnauthorized: "UnauthorizedError", http.StatusForbidden: "ForbiddenError",
	http.StatusServiceUnavailable: "ServiceUnavailableError",
}
