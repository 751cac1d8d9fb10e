package llm

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// failureBody is what the errors of all providers have in common. Compatible servers mix the forms.
type failureBody struct {
	Message string
	Type    string // or what stands for it: the status of Google, the header of Amazon
	Code    string
	Param   string
	Filter  bool // a filter of Azure says why
	Delay   time.Duration
	PerDay  bool
}

// readFailure reads the body of an error.
func readFailure(text []byte) (failureBody, bool) {
	var f failureBody
	text = []byte(strings.TrimSpace(string(text)))
	if len(text) > 0 && text[0] == '[' { // Vertex AI
		var list []json.RawMessage
		if json.Unmarshal(text, &list) != nil || len(list) == 0 {
			return f, false
		}
		text = list[0]
	}
	var outer struct {
		Error   json.RawMessage `json:"error"`
		Message json.RawMessage `json:"message"`
		Upper   string          `json:"Message"`
		Detail  json.RawMessage `json:"detail"`
		Type    json.RawMessage `json:"type"`
		Code    json.RawMessage `json:"code"`
		Param   json.RawMessage `json:"param"`
		Object  string          `json:"object"`
	}
	if json.Unmarshal(text, &outer) != nil {
		return f, false
	}
	inner := outer.Error
	if len(inner) == 0 || string(inner) == "null" {
		f.Message, f.Type, f.Code, f.Param = textOf(outer.Message), textOf(outer.Type), textOf(outer.Code), textOf(outer.Param)
		if f.Message == "" {
			f.Message = outer.Upper
		}
		if f.Message == "" && len(outer.Detail) > 0 {
			f.Message, f.Param = detailOf(outer.Detail)
		}
		return f, f.Message != "" && (f.Type != "message" && outer.Object != "response")
	}
	var e struct {
		Message json.RawMessage `json:"message"`
		Type    json.RawMessage `json:"type"`
		Code    json.RawMessage `json:"code"`
		Param   json.RawMessage `json:"param"`
		Status  string          `json:"status"`
		Details json.RawMessage `json:"details"`
		Inner   struct {
			Filter json.RawMessage `json:"content_filter_result"`
			Code   string          `json:"code"`
		} `json:"innererror"`
		Metadata struct {
			Raw json.RawMessage `json:"raw"`
		} `json:"metadata"`
	}
	if json.Unmarshal(inner, &e) != nil {
		f.Message = textOf(inner)
		return f, true
	}
	f.Message, f.Type, f.Code, f.Param = textOf(e.Message), textOf(e.Type), textOf(e.Code), textOf(e.Param)
	if f.Type == "" {
		f.Type = e.Status
	}
	f.Filter = len(e.Inner.Filter) > 0 || e.Inner.Code == "ResponsibleAIPolicyViolation"
	if raw := textOf(e.Metadata.Raw); raw != "" { // a router repeats what the provider said
		f.Message += ": " + raw
	}
	f.readDetails(e.Details)
	return f, true
}

// readDetails reads the details of Google and Anthropic.
func (f *failureBody) readDetails(text json.RawMessage) {
	var one struct {
		Code string `json:"error_code"`
	}
	if json.Unmarshal(text, &one) == nil && one.Code != "" {
		f.Code = one.Code
		return
	}
	var details []struct {
		RetryDelay string `json:"retryDelay"`
		Reason     string `json:"reason"`
		Violations []struct {
			QuotaID string `json:"quotaId"`
		} `json:"violations"`
	}
	if json.Unmarshal(text, &details) != nil {
		return
	}
	for _, d := range details {
		if delay, err := time.ParseDuration(d.RetryDelay); err == nil {
			f.Delay = delay
		}
		if d.Reason != "" {
			f.Code = d.Reason
		}
		for _, v := range d.Violations {
			f.PerDay = f.PerDay || strings.Contains(v.QuotaID, "PerDay")
		}
	}
}

// textOf returns a JSON string or number as text, and anything else as it is.
func textOf(raw json.RawMessage) string {
	var text string
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// detailOf reads the errors of servers that are written with FastAPI.
func detailOf(raw json.RawMessage) (message, param string) {
	var list []struct {
		Message  string            `json:"msg"`
		Location []json.RawMessage `json:"loc"`
	}
	if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
		return textOf(raw), ""
	}
	if n := len(list[0].Location); n > 0 {
		param = textOf(list[0].Location[n-1])
	}
	return strings.TrimPrefix(param+": "+list[0].Message, ": "), param
}

// failureWithin returns the error in a body that has the status 200, nil if there is none.
func (k *call) failureWithin(text []byte) error {
	f, found := readFailure(text)
	var has struct {
		Error json.RawMessage `json:"error"`
	}
	if found && json.Unmarshal(text, &has) == nil && len(has.Error) > 0 && string(has.Error) != "null" {
		return k.failed(http.StatusOK, nil, f)
	}
	return nil
}

// refused returns the error of an answer with another status than 200.
func (k *call) refused(status int, header http.Header, text []byte) error {
	f, found := readFailure(text)
	if !found {
		f.Message = k.secrets.Short(k.secrets.FromStart(string(text)), 500)
		if strings.HasPrefix(f.Message, "<") {
			f.Message = "" // the page of a proxy
		}
	}
	if kind, _, _ := strings.Cut(header.Get("X-Amzn-Errortype"), ":"); kind != "" {
		f.Type = kind
	}
	return k.failed(status, header, f)
}

// failed returns the error that a provider reported. The status is 200 if it did so in the middle of an answer.
func (k *call) failed(status int, header http.Header, f failureBody) *Error {
	kind, again := classify(status, f)
	wait := max(retryAfter(header, time.Now()), f.Delay)
	if kind == RateLimited && f.Type == "rate_limit_error" && wait == 0 && f.Code == "enforced_spend_limit_reached" {
		kind, again = Quota, false
	}
	switch header.Get("X-Should-Retry") {
	case "true":
		again = true
	case "false":
		again = false
	}
	e := &Error{Kind: kind, Status: status, RetryAfter: wait, again: again, param: f.Param, said: f.Message}
	e.Code = k.secrets.Short(firstOf(f.Code, f.Type), 100)
	e.Message = k.sentence(kind, wait)
	said := k.secrets.Short(f.Message, 500)
	switch {
	case status != http.StatusOK && said != "":
		e.Message += fmt.Sprintf(" It says (%d): %s", status, said)
	case status != http.StatusOK:
		e.Message += fmt.Sprintf(" Its status is %d.", status)
	case said != "":
		e.Message += " It says: " + said
	}
	return e
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// sentence says what an error means.
func (k *call) sentence(kind Kind, wait time.Duration) string {
	name, model := k.service.name, k.secrets.Short(k.req.Model, 200)
	switch kind {
	case Blocked:
		return "A safety filter of " + name + " blocked the request."
	case Unauthorized:
		return name + " does not accept the credentials of the connection."
	case Forbidden:
		return name + " does not let the credentials of the connection do this."
	case Quota:
		return "A quota or spending limit at " + name + " is used up."
	case Billing:
		return "The account at " + name + " has to be paid or topped up."
	case UnknownModel:
		return name + " does not know the model " + model + ", or the base URL of the connection is wrong."
	case TooLong:
		return "The request is longer than the model " + model + " can read."
	case TooLarge:
		return "The request is larger than " + name + " accepts."
	case RateLimited:
		if wait > 0 {
			return name + " takes no more requests for " + wait.Round(time.Second).String() + "."
		}
		return name + " takes no more requests at the moment."
	case Overloaded:
		return name + " is overloaded at the moment."
	case Timeout:
		return name + " took too long."
	case InvalidRequest:
		return name + " does not accept the request."
	}
	return name + " failed."
}

// kinds are what the names of errors mean, whoever uses them.
var kindsByName = map[string]Kind{
	"insufficient_quota": Quota, "billing_hard_limit_reached": Quota, "enforced_spend_limit_reached": Quota,
	"ServiceQuotaExceededException": Quota,
	"billing_not_active":            Billing, "billing_error": Billing,
	"context_length_exceeded": TooLong, "request_too_large": TooLarge,
	"content_filter": Blocked, "content_policy_violation": Blocked, "ResponsibleAIPolicyViolation": Blocked,
	"invalid_api_key": Unauthorized, "authentication_error": Unauthorized, "API_KEY_INVALID": Unauthorized, "UNAUTHENTICATED": Unauthorized,
	"UnrecognizedClientException": Unauthorized, "InvalidSignatureException": Unauthorized, "ExpiredTokenException": Unauthorized,
	"permission_error": Forbidden, "AccessDeniedException": Forbidden, "PERMISSION_DENIED": Forbidden,
	"model_not_found": UnknownModel, "not_found_error": UnknownModel, "ResourceNotFoundException": UnknownModel,
	"DeploymentNotFound": UnknownModel, "NOT_FOUND": UnknownModel,
	"rate_limit_error": RateLimited, "rate_limit_exceeded": RateLimited, "ThrottlingException": RateLimited,
	"throttlingException": RateLimited, "RESOURCE_EXHAUSTED": RateLimited,
	"overloaded_error": Overloaded, "ServiceUnavailableException": Overloaded, "serviceUnavailableException": Overloaded,
	"UNAVAILABLE": Overloaded, "ModelNotReadyException": Overloaded,
	"api_error": Internal, "server_error": Internal, "InternalServerException": Internal, "internalServerException": Internal,
	"ModelErrorException": Internal, "ModelStreamErrorException": Internal, "modelStreamErrorException": Internal, "INTERNAL": Internal,
	"ModelTimeoutException": Timeout, "timeout_error": Timeout, "DEADLINE_EXCEEDED": Timeout,
	"ValidationException": InvalidRequest, "validationException": InvalidRequest, "INVALID_ARGUMENT": InvalidRequest,
	"invalid_request_error": InvalidRequest, "invalid_prompt": Blocked,
}

// What messages say where no name does.
var (
	saysBilling = regexp.MustCompile(`(?i)credit balance is too low|insufficient (credits|balance|funds)|payment required|` +
		`billing (is )?not|prepayment credits are depleted|out of credits`)
	saysQuota = regexp.MustCompile(`(?i)exceeded your current quota|spend(ing)? limit|budget has been exceeded|usage limit|monthly limit`)
	saysLong  = regexp.MustCompile(`(?i)prompt is too long|maximum context length|context (length|window|size)|input is too long|` +
		`too many (input )?tokens|input token count .* exceeds|exceeds? the (maximum|model's) (number of tokens|context)`)
	saysKey   = regexp.MustCompile(`(?i)api key not valid|invalid api key|incorrect api key|api key expired|invalid x-api-key`)
	saysModel = regexp.MustCompile(`(?i)model identifier is invalid|model .* (does not exist|not found)|no such model|` +
		`unknown model|invalid model`)
	saysFilter = regexp.MustCompile(`(?i)content management policy|content filter|safety (system|filter)|blocked by`)
)

// classify returns the class of an error, and whether the same request may succeed soon.
func classify(status int, f failureBody) (Kind, bool) {
	named, known := kindsByName[f.Code]
	if !known || named == InvalidRequest {
		if other, ok := kindsByName[f.Type]; ok && (!known || other != InvalidRequest) {
			named, known = other, true
		}
	}
	wrong := status == http.StatusBadRequest || status == http.StatusUnprocessableEntity || status == http.StatusOK ||
		status == http.StatusRequestEntityTooLarge
	switch {
	case f.Filter || named == Blocked:
		return Blocked, false
	case named == Billing || named == Quota:
		return named, false
	case status == http.StatusPaymentRequired || status < 500 && saysBilling.MatchString(f.Message):
		return Billing, false
	case f.PerDay || status == http.StatusTooManyRequests && saysQuota.MatchString(f.Message) || wrong && saysQuota.MatchString(f.Message):
		return Quota, false
	case wrong && (named == TooLong || saysLong.MatchString(f.Message)):
		return TooLong, false
	case wrong && (named == Unauthorized || saysKey.MatchString(f.Message)):
		return Unauthorized, false
	case wrong && saysModel.MatchString(f.Message):
		return UnknownModel, false
	case wrong && saysFilter.MatchString(f.Message):
		return Blocked, false
	case status == http.StatusOK || status == http.StatusBadRequest || status == http.StatusFailedDependency:
		switch {
		case known:
		case status == http.StatusBadRequest:
			named = InvalidRequest
		case status == http.StatusOK:
			return kindOfCode(f)
		default:
			named = Internal
		}
		return named, slices.Contains([]Kind{RateLimited, Overloaded, Internal, Timeout}, named)
	case known && named == Timeout:
		return Timeout, true
	}
	return kindOfStatus(status, named)
}

// kindOfStatus returns what a status means.
func kindOfStatus(status int, named Kind) (Kind, bool) {
	switch status {
	case http.StatusUnauthorized:
		return Unauthorized, false
	case http.StatusForbidden:
		if named == Unauthorized {
			return Unauthorized, false
		}
		return Forbidden, false
	case http.StatusNotFound:
		return UnknownModel, false
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return Timeout, true
	case http.StatusConflict:
		return Internal, true
	case http.StatusRequestEntityTooLarge:
		return TooLarge, false
	case http.StatusTooManyRequests:
		if named == Overloaded {
			return Overloaded, true
		}
		return RateLimited, true
	case http.StatusServiceUnavailable, 529:
		return Overloaded, true
	}
	if status >= 500 {
		return Internal, true
	}
	return InvalidRequest, false
}

// kindOfCode returns what an error within a stream means, whose code may be a status.
func kindOfCode(f failureBody) (Kind, bool) {
	if status, err := strconv.Atoi(f.Code); err == nil && status >= 400 && status < 600 {
		return kindOfStatus(status, "")
	}
	return Internal, true
}

// retryAfter returns how long a provider asks to wait; 0 if it does not say.
func retryAfter(header http.Header, now time.Time) time.Duration {
	const longest = 24 * time.Hour
	if ms, err := strconv.ParseFloat(header.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 {
		return time.Duration(min(ms*float64(time.Millisecond), float64(longest)))
	}
	text := header.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds >= 0 {
		return time.Duration(min(seconds*float64(time.Second), float64(longest)))
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(0, at.Sub(now)), longest)
	}
	return 0
}
