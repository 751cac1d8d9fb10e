package settings

import (
	"errors"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/llm"
	"almanac/internal/llm/stored"
)

const (
	// callTimeout is the timeout for a provider's response.
	callTimeout = 15 * time.Second
	// maxCallMessage is how much of a model's response is shown, in bytes.
	maxCallMessage = 500
	// callPrompt is the prompt sent to the model.
	callPrompt = "Answer with the one word OK."
)

type callBody struct {
	OK         bool   `json:"ok"`
	Message    string `json:"message"`
	DurationMs int64  `json:"durationMs"`
}

// TestLLMConnection sends a short prompt to a model, through the stored connection to a provider or through one given
// in the body. The secret of a stored connection is sent only to that connection's own address.
func (h *Handlers) TestLLMConnection(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	body := c.Body()
	b := body.Object()
	model := b.Field("model")
	name := decode.NullishOr(model, func(v decode.Value) string { return v.TextLen(1, maxTriedName) }, "")
	provider := b.Field("provider").TextLen(1, maxProviderName)
	if err := b.Err(); err != nil {
		return nil, err
	}
	var connection llm.Connection
	var models []string
	if b.Field("adapter").Kind() == "undefined" {
		found, kept, err := stored.Connection(c.Context(), h.Catalog, h.Secrets, scope, provider)
		if err != nil {
			return nil, endpoint.NotFoundAs(err, "The project has no connection to this provider.")
		}
		connection, models = found, kept.CustomModels
	} else {
		in, err := readLLMConnection(body, h.Guard)
		if err != nil {
			return nil, err
		}
		connection, models = llm.ConnectionOf(scope, in.connection, in.secret, in.headers), in.connection.CustomModels
	}
	if name == "" && len(models) > 0 {
		name = models[0]
	}
	if name == "" {
		model.Reject(decode.Violation(model.Path(), "Name the model that is to be asked"))
		return nil, b.Err()
	}
	var answer callBody
	if busy := c.CallOut(func() { answer = h.askModel(c, connection, name) }); busy != nil {
		return nil, busy
	}
	return answer, nil
}

// askModel asks a model once and says what came of it.
func (h *Handlers) askModel(c *endpoint.Call, connection llm.Connection, model string) callBody {
	result, err := h.LLM.Complete(c.Context(), connection, llm.Request{
		Model: model, Messages: []llm.Message{llm.Text(llm.User, callPrompt)}, Timeout: callTimeout, Once: true,
	})
	answer := callBody{OK: err == nil, DurationMs: result.Duration.Milliseconds()}
	failed, known := errors.AsType[*llm.Error](err)
	switch {
	case known && (failed.Kind == llm.Refused || failed.Kind == llm.Blocked):
		answer.OK, answer.Message = true, failed.Message // the connection works
	case err != nil:
		answer.Message = err.Error()
	case result.Text != "":
		answer.Message = "The model answered: " + connection.Secrets().Short(result.Text, maxCallMessage)
	default:
		answer.Message = "The provider answered."
	}
	return answer
}
