package playground

import (
	"encoding/json"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
	"almanac/internal/llm"
)

// The texts of a run in its trace have the form of OpenAI's chat API, which every reader of traces knows, whichever
// provider was called.

type (
	chatMessage struct {
		Role       string     `json:"role"`
		Content    any        `json:"content"`
		Reasoning  string     `json:"reasoning_content,omitempty"`
		Refusal    string     `json:"refusal,omitempty"`
		ToolCalls  []chatCall `json:"tool_calls,omitempty"`
		ToolCallID string     `json:"tool_call_id,omitempty"`
	}
	chatCall struct {
		ID       string       `json:"id"`
		Type     string       `json:"type"`
		Function chatFunction `json:"function"`
	}
	chatFunction struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Arguments   *string         `json:"arguments,omitempty"`
		Parameters  json.RawMessage `json:"parameters,omitempty"`
		Strict      bool            `json:"strict,omitempty"`
	}
	chatTool struct {
		Type     string       `json:"type"`
		Function chatFunction `json:"function"`
	}
)

// input returns the messages, with the tools if there are any.
func (s *session) input() string {
	r := &s.in.request
	messages := make([]chatMessage, len(r.Messages))
	for n, m := range r.Messages {
		messages[n] = chatMessage{
			Role: string(m.Role), Content: s.content(n, m.Parts), ToolCalls: chatCalls(m.ToolCalls), ToolCallID: m.ToolCallID,
		}
	}
	if len(r.Tools) == 0 {
		return text(messages)
	}
	tools := make([]chatTool, len(r.Tools))
	for n, t := range r.Tools {
		tools[n] = chatTool{"function", chatFunction{Name: t.Name, Description: t.Description, Parameters: t.Parameters, Strict: t.Strict}}
	}
	return text(map[string]any{"messages": messages, "tools": tools})
}

// content returns the content of a message: a text, or a list of parts with references instead of files.
func (s *session) content(message int, parts []llm.Part) any {
	if len(parts) == 0 {
		return nil
	}
	if len(parts) == 1 && parts[0].Kind == llm.TextPart {
		return parts[0].Text
	}
	references := make(map[int]string)
	for _, m := range s.in.media {
		if m.message == message {
			references[m.part] = domain.MediaReference(m.medium.ContentType, m.medium.ID, "base64_data_uri")
		}
	}
	list := make([]map[string]any, len(parts))
	for n, p := range parts {
		file := p.URL
		if reference, ok := references[n]; ok {
			file = reference
		}
		switch p.Kind {
		case llm.TextPart:
			list[n] = map[string]any{"type": "text", "text": p.Text}
		case llm.ImagePart:
			list[n] = map[string]any{"type": "image_url", "image_url": map[string]string{"url": file}}
		case llm.AudioPart:
			list[n] = map[string]any{"type": "input_audio", "input_audio": map[string]string{
				"data": file, "format": strings.TrimPrefix(p.MediaType, "audio/"),
			}}
		case llm.FilePart:
			list[n] = map[string]any{"type": "file", "file": map[string]string{"file_data": file, "filename": p.Name}}
		}
	}
	return list
}

func chatCalls(calls []llm.ToolCall) []chatCall {
	var list []chatCall
	for _, c := range calls {
		list = append(list, chatCall{c.ID, "function", chatFunction{Name: c.Name, Arguments: new(string(c.Arguments))}})
	}
	return list
}

// output returns the answer: its text, or a message if there is more than text; "" if there was none.
func output(r *llm.Result) string {
	if r.Structured != nil {
		return string(r.Structured)
	}
	if r.Reasoning == "" && r.Refusal == "" && len(r.ToolCalls) == 0 {
		return r.Text
	}
	m := chatMessage{Role: "assistant", Reasoning: r.Reasoning, Refusal: r.Refusal, ToolCalls: chatCalls(r.ToolCalls)}
	if r.Text != "" {
		m.Content = r.Text
	}
	return text(m)
}

// parameters returns what was set of the model's parameters.
func (s *session) parameters() string {
	r, set := &s.in.request, make(map[string]any)
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
	return text(set)
}

func add[T any](set map[string]any, name string, value *T) {
	if value != nil {
		set[name] = *value
	}
}

// metadata returns what else is known about a run, with dotted keys.
func (s *session) metadata(r *llm.Result) string {
	entries := map[string]any{"connection": s.in.provider}
	for name, value := range s.in.variables {
		entries["variables."+name] = value
	}
	if s.in.source != "" {
		entries["source"] = s.in.source
	}
	if r.FinishReason != "" {
		entries["finishReason"] = r.FinishReason
	}
	if r.Model != "" && r.Model != s.in.request.Model {
		entries["answeredBy"] = r.Model
	}
	if r.ResponseID != "" {
		entries["responseId"] = r.ResponseID
	}
	if len(r.Dropped) > 0 {
		entries["droppedParameters"] = r.Dropped
	}
	return text(entries)
}

// text returns a value as JSON. Everything in it is a text or valid JSON already.
func text(value any) string {
	raw, err := respond.Marshal(value)
	if err != nil {
		return ""
	}
	return string(raw)
}
