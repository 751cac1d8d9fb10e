package main

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
)

// failure is an error in ClickHouse's wording.
type failure struct {
	code    int
	message string // begins with the code
}

func (f *failure) Error() string { return f.message }

// ClickHouse's codes for what this program refuses itself.
const (
	codeNotImplemented       = 48
	codeSyntaxError          = 62
	codeReadonly             = 164
	codeTooLarge             = 307
	codeRequestParameter     = 408
	codeAuthenticationFailed = 516
	codeUnknownException     = 1002
)

// fail returns an error in ClickHouse's wording.
func fail(code int, name, format string, args ...any) *failure {
	return &failure{code, fmt.Sprintf("Code: %d. DB::Exception: %s. (%s)", code, fmt.Sprintf(format, args...), name)}
}

var codePattern = regexp.MustCompile(`^Code: (\d+)\. `)

// failureOf parses an error of the engine.
func failureOf(message string) *failure {
	if found := codePattern.FindStringSubmatch(message); found != nil {
		if code, err := strconv.Atoi(found[1]); err == nil {
			return &failure{code, message}
		}
	}
	return fail(codeUnknownException, "UNKNOWN_EXCEPTION", "%s", message)
}

// status returns the HTTP status that ClickHouse responds with.
func (f *failure) status() int {
	switch f.code {
	case 194: // a password is required
		return http.StatusUnauthorized
	case 192, 193, 497, 512, codeAuthenticationFailed:
		return http.StatusForbidden
	case 6, 8, 15, 25, 26, 27, 36, 37, 38, 41, 44, 53, codeSyntaxError, 72, 117, 123, 167, 168, 223, 321, 376, 427, 441, 675, 676:
		return http.StatusBadRequest
	case 46, 47, 50, 56, 60, 63, 73, 78, 81, 115, 152, 336, 511: // something unknown
		return http.StatusNotFound
	case 159: // too slow
		return http.StatusRequestTimeout
	case 229: // the query is too long
		return http.StatusRequestEntityTooLarge
	case codeNotImplemented:
		return http.StatusNotImplemented
	case 76, 209, 439: // no file, no response, no thread
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}
