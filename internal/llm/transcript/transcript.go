// Package transcript writes calls of models as traces have them: in the form of OpenAI's chat API, which every reader of
// traces knows, whichever provider was called.
package transcript

import (
	"bytes"
	"encoding/json"

	"almanac/internal/llm"
)

// Message is a message of a conversation.
type Message struct {
	Role       string `json:"role"`
	Content    any    `json:"content"`
	Reasoning  string `json:"reasoning_content,omitempty"`
	Refusal    string `json:"refusal,omitempty"`
	ToolCalls  []Call `json:"tool_calls,omitempty"`
	ToolCallID string `json:"tool_call_id,omitempty"`
}

// Call is a tool call that a model asked for.
type Call struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function Function `json:"function"`
}

// Function is a function that a model may call, or a call of it.
type Function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Arguments   *string         `json:"arguments,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	Strict      bool            `json:"strict,omitempty"`
}

// Tool is a tool that a model is offered.
type Tool struct {
	Type     string   `json:"type"`
	Function Function `json:"function"`
}

// Calls returns tool calls.
func Calls(calls []llm.ToolCall) []Call {
	var list []Call
	for _, c := range calls {
		list = append(list, Call{c.ID, "function", Function{Name: c.Name, Arguments: new(string(c.Arguments))}})
	}
	return list
}

// Output returns an answer: its text, or a message if there is more than text; "" if there was none.
func Output(r *llm.Result) string {
	if r.Structured != nil {
		return string(r.Structured)
	}
	if r.Reasoning == "" && r.Refusal == "" && len(r.ToolCalls) == 0 {
		return r.Text
	}
	m := Message{Role: "assistant", Reasoning: r.Reasoning, Refusal: r.Refusal, ToolCalls: Calls(r.ToolCalls)}
	if r.Text != "" {
		m.Content = r.Text
	}
	return Text(m)
}

// Parameters returns what was set of the parameters of a model; "" for nothing.
func Parameters(r *llm.Request) string {
	set := make(map[string]any)
	for name, value := range r.Params.Extra {
		set[name] = value
	}
	add(set, "temperature", r.Params.Temperature)
	add(set, "top_p", r.Params.TopP)
	add(set, "top_k", r.Params.TopK)
	add(set, "max_tokens", r.Params.MaxTokens)
	add(set, "frequency_penalty", r.Params.FrequencyPenalty)
	add(set, "presence_penalty", r.Params.PresencePenalty)
	add(set, "seed", r.Params.Seed)
	add(set, "reasoning_tokens", r.Params.ReasoningTokens)
	if len(r.Params.Stop) > 0 {
		set["stop"] = r.Params.Stop
	}
	if r.Params.Effort != "" {
		set["reasoning_effort"] = r.Params.Effort
	}
	switch r.ToolChoice.Mode {
	case llm.AutoTools:
	case llm.OneTool:
		set["tool_choice"] = map[string]any{"type": "function", "function": map[string]string{"name": r.ToolChoice.Name}}
	default:
		set["tool_choice"] = string(r.ToolChoice.Mode)
	}
	if r.Schema != nil {
		schema := map[string]any{"name": r.Schema.Name, "schema": r.Schema.JSON}
		set["response_format"] = map[string]any{"type": "json_schema", "json_schema": schema}
	}
	if len(set) == 0 {
		return ""
	}
	return Text(set)
}

func add[T any](set map[string]any, name string, value *T) {
	if value != nil {
		set[name] = *value
	}
}

// Text returns a value as JSON. Everything in it is a text or valid JSON already.
func Text(value any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return ""
	}
	return string(bytes.TrimRight(b.Bytes(), "\n"))
}
