package settings

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"almanac/internal/access/redact"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/netguard"
)

const (
	// callTimeout is the timeout for a provider's response.
	callTimeout = 15 * time.Second
	// maxCallAnswer is how much of a response is read, and maxCallMessage how much of it is shown, in bytes.
	maxCallAnswer  = 64 << 10
	maxCallMessage = 500
	// maxCallStatus is how much of the status of a response is shown, in bytes: the provider chooses its words.
	maxCallStatus = 100
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
	var in connectionInput
	var err error
	if b.Field("adapter").Kind() == "undefined" {
		in, err = h.storedConnection(c.Context(), scope, provider)
	} else {
		in, err = readLLMConnection(body, h.Guard)
	}
	if err != nil {
		return nil, err
	}
	if name == "" && len(in.connection.CustomModels) > 0 {
		name = in.connection.CustomModels[0]
	}
	if name == "" {
		model.Reject(decode.Violation(model.Path(), "Name the model that is to be asked"))
		return nil, b.Err()
	}
	started := time.Now()
	call, err := callOf(h.Guard, in, name)
	var text string
	if err == nil {
		if busy := c.CallOut(func() {
			started = time.Now()
			text, err = h.askModel(c.Context(), in, call)
		}); busy != nil {
			return nil, busy
		}
	}
	answer := callBody{OK: err == nil, Message: text, DurationMs: time.Since(started).Milliseconds()}
	if err != nil {
		answer.Message = err.Error()
	}
	answer.Message = in.redacted(call).From(answer.Message)
	return answer, nil
}

// storedConnection returns a stored connection with its decrypted secrets.
func (h *Handlers) storedConnection(ctx context.Context, scope domain.ProjectScope, provider string) (connectionInput, error) {
	var in connectionInput
	stored, err := h.Catalog.LLMConnection(ctx, scope, provider)
	if err != nil {
		return in, endpoint.NotFoundAs(err, "The project has no connection to this provider.")
	}
	in.connection = stored
	if in.secret, err = h.Secrets.Open(stored.SealedSecret, domain.ConnectionSecretPlace(scope, provider, "secret")); err != nil {
		return in, err
	}
	if stored.SealedHeaders == nil {
		return in, nil
	}
	headers, err := h.Secrets.Open(*stored.SealedHeaders, domain.ConnectionSecretPlace(scope, provider, "headers"))
	if err != nil {
		return in, err
	}
	return in, json.Unmarshal([]byte(headers), &in.headers)
}

// redacted returns the secrets of a call, which no message may show.
func (in *connectionInput) redacted(call modelCall) redact.Secrets {
	secrets := append([]string{in.secret}, call.secrets...)
	return redact.New(slices.AppendSeq(secrets, maps.Values(in.headers))...)
}

// askModel returns a sentence with the model's response. The error message is for people.
func (h *Handlers) askModel(ctx context.Context, in connectionInput, call modelCall) (string, error) {
	text, err := json.Marshal(call.body)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, call.address, bytes.NewReader(text))
	if err != nil {
		return "", errors.New("the baseURL of the connection makes no address")
	}
	r.Header.Set("Content-Type", "application/json")
	for name, value := range call.headers {
		r.Header.Set(name, value)
	}
	for name, value := range in.headers {
		r.Header.Set(name, value)
	}
	client := h.Guard.Client(netguard.Model)
	defer client.CloseIdleConnections()
	if call.sign != nil {
		if err := call.sign(ctx, client, r, text); err != nil {
			return "", err
		}
	}
	answer, err := client.Do(r)
	if err != nil {
		return "", fmt.Errorf("the provider could not be asked: %w", netguard.WithoutAddress(err))
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	raw, err := io.ReadAll(io.LimitReader(answer.Body, maxCallAnswer))
	if err != nil {
		return "", fmt.Errorf("the answer of the provider could not be read: %w", err)
	}
	secrets := in.redacted(call)
	if answer.StatusCode != http.StatusOK {
		return "",
			fmt.Errorf("the provider answered %s: %s", secrets.Short(answer.Status, maxCallStatus),
				secrets.Short(secrets.FromStart(string(raw)), maxCallMessage))
	}
	if said := answerText(raw); said != "" {
		return "The model answered: " + secrets.Short(said, maxCallMessage), nil
	}
	return "The provider answered.", nil
}

// modelCall is a request to a model.
type modelCall struct {
	address string
	headers map[string]string
	body    any
	// sign adds the credentials to the otherwise complete request; nil if headers already contain them.
	sign    func(ctx context.Context, client *netguard.Client, r *http.Request, body []byte) error
	secrets []string // parts of the secret, to be redacted
}

// base returns the base URL of the connection, or the provider's usual one if it has none.
func (in *connectionInput) base(usual string) string {
	if in.connection.BaseURL != nil {
		usual = *in.connection.BaseURL
	}
	return strings.TrimRight(usual, "/")
}

// callOf returns the request to a model. The error message is for people.
func callOf(guard netguard.Guard, in connectionInput, model string) (modelCall, error) {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	type chat struct {
		Model     string    `json:"model"`
		MaxTokens int       `json:"max_tokens,omitempty"`
		Messages  []message `json:"messages"`
	}
	question := chat{Model: model, Messages: []message{{"user", callPrompt}}}
	switch in.connection.Adapter {
	case domain.AdapterOpenAI:
		return modelCall{
			address: in.base("https://api.openai.com/v1") + "/chat/completions",
			headers: map[string]string{"Authorization": "Bearer " + in.secret}, body: question,
		}, nil
	case domain.AdapterAzure:
		return modelCall{
			address: in.base("") + "/" + url.PathEscape(model) + "/chat/completions?api-version=2024-10-21",
			headers: map[string]string{"Api-Key": in.secret}, body: question,
		}, nil
	case domain.AdapterAnthropic:
		question.MaxTokens = 16 // required by the API
		return modelCall{
			address: in.base("https://api.anthropic.com") + "/v1/messages",
			headers: map[string]string{"X-Api-Key": in.secret, "Anthropic-Version": "2023-06-01"}, body: question,
		}, nil
	case domain.AdapterAIStudio:
		return modelCall{
			address: in.base("https://generativelanguage.googleapis.com") + "/v1beta/models/" + url.PathEscape(model) + ":generateContent",
			headers: map[string]string{"X-Goog-Api-Key": in.secret}, body: generateContent(),
		}, nil
	case domain.AdapterBedrock:
		return bedrockCall(in, model)
	case domain.AdapterVertexAI:
		return vertexCall(guard, in, model)
	}
	return modelCall{}, errors.New("connections of this kind cannot be tested")
}

// generateContent returns the request body for Google's models.
func generateContent() any {
	type part struct {
		Text string `json:"text"`
	}
	type content struct {
		Role  string `json:"role"`
		Parts []part `json:"parts"`
	}
	return map[string]any{"contents": []content{{"user", []part{{callPrompt}}}}}
}

// answerText returns the text in a response of any provider, or "" if there is none.
func answerText(raw []byte) string {
	type texts []struct {
		Text string `json:"text"`
	}
	var answer struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
			} `json:"message"`
		} `json:"choices"`
		Content    texts `json:"content"`
		Candidates []struct {
			Content struct {
				Parts texts `json:"parts"`
			} `json:"content"`
		} `json:"candidates"`
		Output struct {
			Message struct {
				Content texts `json:"content"`
			} `json:"message"`
		} `json:"output"`
	}
	if json.Unmarshal(raw, &answer) != nil {
		return ""
	}
	switch {
	case len(answer.Choices) > 0:
		return answer.Choices[0].Message.Content
	case len(answer.Content) > 0:
		return answer.Content[0].Text
	case len(answer.Candidates) > 0 && len(answer.Candidates[0].Content.Parts) > 0:
		return answer.Candidates[0].Content.Parts[0].Text
	case len(answer.Output.Message.Content) > 0:
		return answer.Output.Message.Content[0].Text
	}
	return ""
}
