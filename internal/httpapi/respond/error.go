package respond

import (
	"cmp"
	"net/http"

	"almanac/internal/decode"
)

// Error is an answer that is not a success. Handlers return it; everything else they return as an error is an
// internal failure, whose text is logged and never sent.
type Error struct {
	Status  int
	Name    string // the error member of the body; some bodies have none
	Message string
	Issues  []decode.Issue // instead of Name when parameters or the body do not fit
	// RetryAfter is sent with answers that ask the client to come back, in seconds.
	RetryAfter int
	// ErrorOnly makes the body {"error": message}, whatever the family.
	ErrorOnly bool
	// Code and Details are for Coded bodies; without a code, the status gives it.
	Code    string
	Details *Details
	// RateLimit says which limit was reached. Its body is the same for all families but RPC.
	RateLimit *RateLimit
}

func (e *Error) Error() string { return e.Message }

// InvalidRequest refuses a request that is well-formed but makes no sense.
func InvalidRequest(message string) *Error {
	return &Error{Status: http.StatusBadRequest, Name: "InvalidRequestError", Message: message}
}

// InvalidData refuses parameters or a body that do not fit.
func InvalidData(issues []decode.Issue) *Error {
	return &Error{Status: http.StatusBadRequest, Message: "Invalid request data", Issues: issues}
}

// NotFound says that something asked for does not exist.
func NotFound(message string) *Error {
	return &Error{Status: http.StatusNotFound, Name: "LangfuseNotFoundError", Message: message}
}

// NoRoute says that nothing is served at a path. Its name differs from NotFound's: clients wait for things that are
// not found yet, and no waiting makes a route appear.
func NoRoute(path string) *Error {
	return &Error{Status: http.StatusNotFound, Name: "RouteNotFoundError", Message: "No such route: " + path}
}

// MethodNotAllowed says that a route does not offer a method.
func MethodNotAllowed() *Error {
	return &Error{Status: http.StatusMethodNotAllowed, Name: "MethodNotAllowedError", Message: "Method not allowed"}
}

// Conflict says that a write contradicts what exists.
func Conflict(message string) *Error {
	return &Error{Status: http.StatusConflict, Name: "LangfuseConflictError", Message: message}
}

// TooSlow says that a query was given up. It is no server error: the same query would be given up again, and clients
// repeat server errors.
func TooSlow() *Error {
	return &Error{
		Status: http.StatusUnprocessableEntity, Name: "Request timed out",
		Message: "The request took too long. Ask for less: a shorter time range, fewer rows or fewer fields.",
	}
}

// Busy asks the client to come back.
func Busy(message string, seconds int) *Error {
	return &Error{Status: http.StatusServiceUnavailable, Name: "ServiceUnavailableError", Message: message, RetryAfter: seconds}
}

// Internal is all that clients learn of a failure of ours.
func Internal() *Error {
	return &Error{Status: http.StatusInternalServerError, Name: "An unknown error occurred", Message: "Internal Server Error"}
}

// ErrorFormat is a shape of error bodies. Routes differ in it, and clients show what they find where they expect it.
type ErrorFormat int

const (
	// Stable bodies are {"message", "error"}, where error is a name or a list of issues.
	Stable ErrorFormat = iota
	// MessageOnly bodies are {"message"}, with the issues as details.
	MessageOnly
	// SCIM bodies are those of RFC 7644, with the issues in the text of the detail.
	SCIM
	// ErrorOnly bodies are {"error"}, with the issues as details.
	ErrorOnly
	// Batch bodies are {"error", "message"}, where error is a name, also that of a denial; with issues they are
	// {"message", "errors"}, where errors are texts.
	Batch
	// Named bodies are those of Stable, and denials have names in them, too.
	Named
	// Coded bodies are {"message", "code", "details"}.
	Coded
	// CodedGeneric bodies are the same with the general codes only.
	CodedGeneric
	// RPC bodies are {"error", "code"}, with a code of JSON-RPC.
	RPC
	// ForPeople bodies are {"error", "message", "issues"}, where error is a code and the message is shown to people.
	ForPeople
)

// Body returns the error as a body of the family.
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

// InvalidJSON refuses a body that is no JSON.
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

// denialName is the name of a denial in bodies where it has one.
func (e *Error) denialName() string { return denialNames[e.Status] }

var denialNames = map[int]string{
	http.StatusUnauthorized: "UnauthorizedError", http.StatusForbidden: "ForbiddenError",
	http.StatusServiceUnavailable: "ServiceUnavailableError",
}
