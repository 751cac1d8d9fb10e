package respond

import (
	"cmp"
	"net/http"

	"almanac/internal/decode"
)

// The codes of Coded bodies that do not follow from the status alone.
const (
	CodeInvalidQuery     = "invalid_query"
	CodeFilterValue      = "invalid_filter_value"
	CodeJSONPath         = "invalid_json_path"
	CodeInvalidMapping   = "invalid_variable_mapping"
	CodeMissingMapping   = "missing_variable_mapping"
	CodeDuplicateMapping = "duplicate_variable_mapping"
	CodeNameConflict     = "name_conflict"
	CodePreflight        = "evaluator_preflight_failed"
)

// Details holds the machine-readable details of a Coded body.
type Details struct {
	Issues        []decode.Issue `json:"issues,omitempty"`
	Field         string         `json:"field,omitempty"`
	Column        string         `json:"column,omitempty"`
	InvalidValues []string       `json:"invalidValues,omitempty"`
	AllowedValues []string       `json:"allowedValues,omitempty"`
	Variable      string         `json:"variable,omitempty"`
	Variables     []string       `json:"variables,omitempty"`
	Value         string         `json:"value,omitempty"`
	EvaluatorName string         `json:"evaluatorName,omitempty"`
	Provider      string         `json:"provider,omitempty"`
	Model         string         `json:"model,omitempty"`
}

// InvalidCoded returns a 400 error with the given code.
func InvalidCoded(code, message string, details Details) *Error {
	return &Error{Status: http.StatusBadRequest, Message: message, Code: code, Details: &details}
}

// InvalidQuery returns the error for invalid query parameters.
func InvalidQuery(issues []decode.Issue) *Error {
	e := InvalidData(issues)
	e.Code = CodeInvalidQuery
	return e
}

// codedBody returns the error as a Coded body; few is set for clients that know only the general codes.
func (e *Error) codedBody(few bool) any {
	code, details := cmp.Or(e.Code, e.codeOfStatus()), e.Details
	if few {
		switch code {
		case CodeFilterValue, CodeJSONPath, CodeInvalidMapping, CodeMissingMapping, CodeDuplicateMapping:
			code = "invalid_body"
		case CodeNameConflict:
			code = "conflict"
		case CodePreflight, "unprocessable_content":
			code = "invalid_request"
		}
	}
	if len(e.Issues) > 0 {
		details = &Details{Issues: e.Issues}
	}
	return struct {
		Message string   `json:"message"`
		Code    string   `json:"code"`
		Details *Details `json:"details,omitempty"`
	}{e.Message, code, details}
}

func (e *Error) codeOfStatus() string {
	if e.Status == http.StatusBadRequest && len(e.Issues) > 0 {
		return "invalid_body"
	}
	return cmp.Or(statusCodes[e.Status], "internal_error")
}

var statusCodes = map[int]string{
	http.StatusBadRequest: "invalid_request", http.StatusUnauthorized: "authentication_failed",
	http.StatusForbidden: "access_denied", http.StatusNotFound: "resource_not_found",
	http.StatusMethodNotAllowed: "method_not_allowed", http.StatusConflict: "conflict",
	http.StatusUnprocessableEntity: "unprocessable_content",
}

// bodyForPeople returns the error as a body for the web application.
func (e *Error) bodyForPeople() any {
	return struct {
		Error   string         `json:"error"`
		Message string         `json:"message"`
		Issues  []decode.Issue `json:"issues,omitempty"`
	}{cmp.Or(e.Code, codesForPeople[e.Status], e.codeOfStatus()), e.Message, e.Issues}
}

var codesForPeople = map[int]string{
	http.StatusTooManyRequests: "too_many_requests", http.StatusServiceUnavailable: "unavailable",
	http.StatusRequestEntityTooLarge: "too_large",
}
