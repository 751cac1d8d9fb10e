package llm

import (
	"encoding/json"
	"strconv"
	"strings"
)

// chat is the dialect of OpenAI's chat completions, which most servers speak.
type chat struct {
	out      *collector
	finished bool
	lastCall int
}

func (d *chat) body(k *call, messages []Message) (object, error) {
	p := k.req.Params
	body := object{"model": k.req.Model}
	list := make([]object, 0, len(messages))
	for _, m := range messages {
		item, err := d.message(k, m)
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	body["messages"] = list
	set(body, "temperature", p.Temperature)
	set(body, "top_p", p.TopP)
	set(body, "frequency_penalty", p.FrequencyPenalty)
	set(body, "presence_penalty", p.PresencePenalty)
	set(body, "seed", p.Seed)
	if k.service.compatible {
		set(body, "top_k", p.TopK)
	} else if p.TopK != nil {
		k.without("top_k")
	}
	limit := "max_tokens"
	if k.service.family.completionTokens {
		limit = "max_completion_tokens"
	}
	set(body, limit, p.MaxTokens)
	if len(p.Stop) > 0 {
		body["stop"] = p.Stop
	}
	if p.Effort != "" {
		body["reasoning_effort"] = p.Effort
	}
	if p.ReasoningTokens != nil {
		k.without("reasoning tokens")
	}
	if k.handle != nil {
		body["stream"], body["stream_options"] = true, object{"include_usage": true}
	}
	if k.service.environments && k.req.Environment != "" {
		body["trace"] = object{"environment": k.req.Environment}
	}
	d.tools(k, body)
	return body, nil
}

// set sets a member if there is a value.
func set[T any](body object, name string, value *T) {
	if value != nil {
		body[name] = *value
	}
}

func (d *chat) tools(k *call, body object) {
	tools, choice := k.tools()
	list := make([]object, 0, len(tools))
	for _, t := range tools {
		function := object{"name": t.Name, "parameters": parameters(t)}
		if t.Description != "" {
			function["description"] = t.Description
		}
		if t.Strict {
			function["strict"] = true
		}
		list = append(list, object{"type": "function", "function": function})
	}
	if len(list) > 0 {
		body["tools"] = list
		switch choice.Mode {
		case NoTools, SomeTool:
			body["tool_choice"] = string(choice.Mode)
		case OneTool:
			body["tool_choice"] = object{"type": "function", "function": object{"name": choice.Name}}
		}
		if choice.OneAtATime {
			body["parallel_tool_calls"] = false
		}
	}
	switch k.rung {
	case NativeRung:
		schema := object{"name": k.req.Schema.name(), "schema": k.req.Schema.JSON, "strict": isStrict(k.req.Schema.JSON)}
		if k.req.Schema.Description != "" {
			schema["description"] = k.req.Schema.Description
		}
		body["response_format"] = object{"type": "json_schema", "json_schema": schema}
	case ModeRung:
		body["response_format"] = object{"type": "json_object"}
	}
}

// parameters returns the schema of a tool's parameters.
func parameters(t Tool) json.RawMessage {
	if len(t.Parameters) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return t.Parameters
}

func (d *chat) message(k *call, m Message) (object, error) {
	role := string(m.Role)
	if m.Role == System || m.Role == Developer {
		role = "system"
		if k.service.family.developer || m.Role == Developer && !k.service.compatible {
			role = "developer"
		}
	}
	item := object{"role": role}
	if m.Role == ToolRole {
		item["tool_call_id"] = m.ToolCallID
	}
	if m.onlyText() || m.Role == Assistant {
		item["content"] = m.text()
	} else {
		parts, err := d.parts(k, m)
		if err != nil {
			return nil, err
		}
		item["content"] = parts
	}
	if len(m.ToolCalls) > 0 {
		calls := make([]object, 0, len(m.ToolCalls))
		for _, c := range m.ToolCalls {
			calls = append(calls, object{
				"id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": argumentsText(c.Arguments)},
			})
		}
		item["tool_calls"] = calls
		if len(m.Parts) == 0 {
			item["content"] = nil
		}
	}
	return item, nil
}

func argumentsText(arguments json.RawMessage) string {
	if len(arguments) == 0 {
		return "{}"
	}
	return string(arguments)
}

func (d *chat) parts(k *call, m Message) ([]object, error) {
	if m.Role == ToolRole {
		return nil, misconfigured(k.service.name + " takes only text as the result of a tool.")
	}
	parts := make([]object, 0, len(m.Parts))
	for _, p := range m.Parts {
		switch {
		case p.Kind == TextPart:
			parts = append(parts, object{"type": "text", "text": p.Text})
		case p.Kind == ImagePart:
			image := object{"url": p.dataURL()}
			if p.Detail != "" {
				image["detail"] = p.Detail
			}
			parts = append(parts, object{"type": "image_url", "image_url": image})
		case p.Kind == AudioPart && p.URL == "":
			format := p.subtype()
			if format == "mpeg" {
				format = "mp3"
			}
			if format == "wave" {
				format = "wav"
			}
			parts = append(parts, object{"type": "input_audio", "input_audio": object{"data": p.base64(), "format": format}})
		case p.Kind == FilePart && p.URL == "":
			parts = append(parts, object{"type": "file", "file": object{"file_data": p.dataURL(), "filename": firstOf(p.Name, "file.pdf")}})
		default:
			return nil, unsuitable(k.service, p, "by its address")
		}
	}
	return parts, nil
}

// chatDelta is a message, or a piece of one.
type chatDelta struct {
	Content          json.RawMessage `json:"content"`
	Refusal          string          `json:"refusal"`
	ReasoningContent string          `json:"reasoning_content"`
	Reasoning        json.RawMessage `json:"reasoning"`
	ToolCalls        []struct {
		Index    *int   `json:"index"`
		ID       string `json:"id"`
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

type chatAnswer struct {
	ID      string `json:"id"`
	Model   string `json:"model"`
	Choices []struct {
		Index        int       `json:"index"`
		Message      chatDelta `json:"message"`
		Delta        chatDelta `json:"delta"`
		FinishReason string    `json:"finish_reason"`
	} `json:"choices"`
	Usage *chatUsage      `json:"usage"`
	Error json.RawMessage `json:"error"`
}

type chatUsage struct {
	Prompt     int64 `json:"prompt_tokens"`
	Completion int64 `json:"completion_tokens"`
	In         struct {
		Cached int64 `json:"cached_tokens"`
		Write  int64 `json:"cache_write_tokens"`
		Audio  int64 `json:"audio_tokens"`
	} `json:"prompt_tokens_details"`
	Out struct {
		Reasoning int64 `json:"reasoning_tokens"`
		Audio     int64 `json:"audio_tokens"`
	} `json:"completion_tokens_details"`
}

func (u *chatUsage) ours() map[string]int64 {
	return usageOf(map[string]int64{
		"input": u.Prompt - u.In.Cached - u.In.Write - u.In.Audio, "input_cached_tokens": u.In.Cached, "input_cache_creation": u.In.Write,
		"input_audio_tokens": u.In.Audio, "output": u.Completion - u.Out.Reasoning - u.Out.Audio,
		"output_reasoning_tokens": u.Out.Reasoning, "output_audio_tokens": u.Out.Audio,
	})
}

func (d *chat) whole(text []byte) error {
	var a chatAnswer
	if err := json.Unmarshal(text, &a); err != nil {
		return err
	}
	if len(a.Choices) == 0 {
		return missing("choices")
	}
	return d.read(&a, func(n int) *chatDelta { return &a.Choices[n].Message })
}

func (d *chat) event(_ string, data []byte) (bool, error) {
	if string(data) == "[DONE]" {
		return true, nil
	}
	var a chatAnswer
	if err := json.Unmarshal(data, &a); err != nil {
		return false, err
	}
	if len(a.Error) > 0 && string(a.Error) != "null" {
		return false, d.out.call.failureWithin(data)
	}
	return false, d.read(&a, func(n int) *chatDelta { return &a.Choices[n].Delta })
}

func (d *chat) ended() bool { return d.finished }

func (d *chat) read(a *chatAnswer, delta func(int) *chatDelta) error {
	d.out.identify(a.ID, a.Model)
	if a.Usage != nil {
		d.out.count(a.Usage.ours())
	}
	for n := range a.Choices {
		if a.Choices[n].Index != 0 {
			continue
		}
		if err := d.delta(delta(n)); err != nil {
			return err
		}
		if reason := a.Choices[n].FinishReason; reason != "" {
			d.finished = true
			d.out.end(reason)
		}
	}
	return nil
}

func (d *chat) delta(m *chatDelta) error {
	reasoning := m.ReasoningContent
	if reasoning == "" && len(m.Reasoning) > 0 && m.Reasoning[0] == '"' {
		reasoning = textOf(m.Reasoning)
	}
	if err := d.out.think(reasoning); err != nil {
		return err
	}
	content, err := contentText(m.Content)
	if err != nil {
		return err
	}
	if err := d.out.say(content); err != nil {
		return err
	}
	if err := d.out.refuse(m.Refusal); err != nil {
		return err
	}
	for n, c := range m.ToolCalls {
		switch {
		case c.Index != nil:
			d.lastCall = *c.Index
		case c.ID != "" && len(d.out.calls) > 0: // without an index, a new id begins a new call
			d.lastCall = max(d.lastCall, len(d.out.calls)-1) + 1
		case c.ID != "":
			d.lastCall = n
		}
		if d.lastCall < 0 || d.lastCall > 1000 {
			return missing("a usable index of a tool call, not " + strconv.Itoa(d.lastCall))
		}
		if err := d.out.tool(d.lastCall, c.ID, c.Function.Name, textOf(c.Function.Arguments)); err != nil {
			return err
		}
	}
	return nil
}

// contentText returns the text of a content, which some servers send as a list of parts.
func contentText(raw json.RawMessage) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	if raw[0] == '"' {
		var text string
		err := json.Unmarshal(raw, &text)
		return text, err
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return "", err
	}
	var text strings.Builder
	for _, p := range parts {
		text.WriteString(p.Text)
	}
	return text.String(), nil
}

// missing is the error of an answer without something that every answer has.
func missing(what string) error { return missingError(what) }

type missingError string

func (e missingError) Error() string { return "it has no " + string(e) }
