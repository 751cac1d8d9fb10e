package llmtest

import (
	"encoding/json"
	"net/http"
	"time"
)

// tick returns a moment that comes soon.
func (p *Provider) tick() <-chan time.Time { return time.After(5 * time.Millisecond) }

// The usual names of errors.
var (
	openAICodes = map[int][2]string{ // type and code
		400: {"invalid_request_error", ""}, 401: {"invalid_request_error", "invalid_api_key"}, 402: {"insufficient_funds", ""},
		403: {"invalid_request_error", "forbidden"}, 404: {"invalid_request_error", "model_not_found"},
		408: {"timeout", ""}, 409: {"conflict_error", ""}, 413: {"invalid_request_error", "request_too_large"},
		422: {"invalid_request_error", ""},
		429: {"requests", "rate_limit_exceeded"}, 500: {"server_error", ""}, 503: {"server_error", "service_unavailable"},
		529: {"overloaded", ""},
	}
	anthropicTypes = map[int]string{
		400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error", 404: "not_found_error",
		408: "timeout_error", 409: "conflict_error", 413: "request_too_large", 422: "invalid_request_error", 429: "rate_limit_error",
		500: "api_error", 503: "api_error", 529: "overloaded_error",
	}
	bedrockTypes = map[int]string{
		400: "ValidationException", 401: "UnrecognizedClientException", 402: "PaymentRequiredException", 403: "AccessDeniedException",
		404: "ResourceNotFoundException", 408: "ModelTimeoutException", 409: "ConflictException", 413: "RequestEntityTooLargeException",
		422: "UnprocessableEntityException", 424: "ModelErrorException", 429: "ThrottlingException", 500: "InternalServerException",
		503: "ServiceUnavailableException", 529: "ServiceUnavailableException",
	}
	googleStatuses = map[int]string{
		400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 402: "FAILED_PRECONDITION", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
		408: "CANCELLED", 409: "ABORTED", 413: "INVALID_ARGUMENT", 422: "INVALID_ARGUMENT", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL",
		503: "UNAVAILABLE", 529: "UNAVAILABLE",
	}
)

// writeError writes an error in the form of the API.
func (p *Provider) writeError(w http.ResponseWriter, a Answer) {
	message := firstOf(a.Message, http.StatusText(a.Status), "Overloaded")
	var body any
	switch p.API {
	case Anthropic, VertexClaude:
		body = map[string]any{
			"type": "error", "request_id": "req_1",
			"error": map[string]any{"type": firstOf(a.Code, anthropicTypes[a.Status]), "message": message},
		}
	case Bedrock:
		w.Header().Set("X-Amzn-Errortype", firstOf(a.Code, bedrockTypes[a.Status])+":http://internal.amazon.com/coral/")
		body = map[string]any{"message": message}
	case VertexGemini, Studio:
		e := map[string]any{"code": a.Status, "message": message, "status": googleStatuses[a.Status]}
		if a.Code != "" {
			e["details"] = []any{map[string]any{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": a.Code}}
		}
		if seconds := w.Header().Get("Retry-After"); seconds != "" { // Google has no header
			w.Header().Del("Retry-After")
			e["details"] = []any{map[string]any{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": seconds + "s"}}
		}
		body = map[string]any{"error": e}
		if p.API == VertexGemini {
			body = []any{body}
		}
	case Compatible:
		body = map[string]any{"object": "error", "message": message, "type": "error", "code": a.Status, "param": a.Param}
		if a.Code != "" {
			body = map[string]any{"error": map[string]any{"message": message, "code": a.Code, "param": a.Param}}
		}
	default:
		names := openAICodes[a.Status]
		body = map[string]any{"error": map[string]any{
			"message": message, "type": names[0], "code": firstOf(a.Code, names[1]), "param": a.Param,
		}}
	}
	text, err := json.Marshal(body)
	if err != nil {
		p.t.Error(err)
	}
	if a.Body != "" {
		text = []byte(a.Body)
	}
	w.Header().Set("Content-Type", firstOf(a.Type, "application/json"))
	w.WriteHeader(a.Status)
	_, _ = w.Write(text)
}
