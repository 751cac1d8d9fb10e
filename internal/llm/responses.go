package llm

import (
	"encoding/json"
)

// responses is the dialect of OpenAI's Responses API. Nothing is stored at the provider.
type responses struct {
	out      *collector
	finished bool
	streamed bool // pieces came, so the complete answer at the end repeats them
}

func (d *responses) body(k *call, messages []Message) (object, error) {
	p := k.req.Params
	body := object{"model": k.req.Model, "store": false}
	var items []object
	for _, m := range messages {
		more, err := d.items(k, m)
		if err != nil {
			return nil, err
		}
		items = append(items, more...)
	}
	body["input"] = items
	set(body, "temperature", p.Temperature)
	set(body, "top_p", p.TopP)
	set(body, "max_output_tokens", p.MaxTokens)
	for name, given := range map[string]bool{
		"top_k": p.TopK != nil, "frequency_penalty": p.FrequencyPenalty != nil, "presence_penalty": p.PresencePenalty != nil,
		"seed": p.Seed != nil, "stop": len(p.Stop) > 0, "reasoning tokens": p.ReasoningTokens != nil,
	} {
		if given {
			k.without(name)
		}
	}
	if p.Effort != "" {
		body["reasoning"] = object{"effort": p.Effort, "summary": "auto"}
	}
	if k.handle != nil {
		body["stream"] = true
	}
	d.tools(k, body)
	return body, nil
}

func (d *responses) tools(k *call, body object) {
	tools, choice := k.tools()
	list := make([]object, 0, len(tools))
	for _, t := range tools {
		list = append(list, object{
			"type": "function", "name": t.Name, "description": t.Description, "parameters": parameters(t), "strict": t.Strict,
		})
	}
	if len(list) > 0 {
		body["tools"] = list
		switch choice.Mode {
		case NoTools, SomeTool:
			body["tool_choice"] = string(choice.Mode)
		case OneTool:
			body["tool_choice"] = object{"type": "function", "name": choice.Name}
		}
		if choice.OneAtATime {
			body["parallel_tool_calls"] = false
		}
	}
	switch k.rung {
	case NativeRung:
		format := object{
			"type": "json_schema", "name": k.req.Schema.name(), "schema": k.req.Schema.JSON, "strict": isStrict(k.req.Schema.JSON),
		}
		if k.req.Schema.Description != "" {
			format["description"] = k.req.Schema.Description
		}
		body["text"] = object{"format": format}
	case ModeRung:
		body["text"] = object{"format": object{"type": "json_object"}}
	}
}

// items returns a message as items of a conversation.
func (d *responses) items(k *call, m Message) ([]object, error) {
	if m.Role == ToolRole {
		if !m.onlyText() {
			return nil, misconfigured(k.service.name + " takes only text as the result of a tool.")
		}
		return []object{{"type": "function_call_output", "call_id": m.ToolCallID, "output": m.text()}}, nil
	}
	var items []object
	role, kind := string(m.Role), "input_text"
	if m.Role == System || m.Role == Developer {
		role = "system"
		if k.service.family.developer || m.Role == Developer {
			role = "developer"
		}
	}
	if m.Role == Assistant {
		kind = "output_text"
	}
	parts := make([]object, 0, len(m.Parts))
	for _, p := range m.Parts {
		switch {
		case p.Kind == TextPart:
			parts = append(parts, object{"type": kind, "text": p.Text})
		case p.Kind == ImagePart:
			parts = append(parts, object{"type": "input_image", "image_url": p.dataURL(), "detail": firstOf(p.Detail, "auto")})
		case p.Kind == FilePart && p.URL != "":
			parts = append(parts, object{"type": "input_file", "file_url": p.URL})
		case p.Kind == FilePart:
			parts = append(parts, object{"type": "input_file", "file_data": p.dataURL(), "filename": firstOf(p.Name, "file.pdf")})
		default:
			return nil, unsuitable(k.service, p, "in its Responses API")
		}
	}
	if len(parts) > 0 {
		items = append(items, object{"type": "message", "role": role, "content": parts})
	}
	for _, c := range m.ToolCalls {
		items = append(items, object{"type": "function_call", "call_id": c.ID, "name": c.Name, "arguments": argumentsText(c.Arguments)})
	}
	return items, nil
}

type responsesItem struct {
	Type      string `json:"type"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
	Content   []struct {
		Type    string `json:"type"`
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	} `json:"content"`
	Summary []struct {
		Text string `json:"text"`
	} `json:"summary"`
}

type responsesAnswer struct {
	ID     string          `json:"id"`
	Model  string          `json:"model"`
	Status string          `json:"status"`
	Output []responsesItem `json:"output"`
	Error  json.RawMessage `json:"error"`
	Usage  *struct {
		In    int64 `json:"input_tokens"`
		Out   int64 `json:"output_tokens"`
		Input struct {
			Cached int64 `json:"cached_tokens"`
			Write  int64 `json:"cache_write_tokens"`
		} `json:"input_tokens_details"`
		Output struct {
			Reasoning int64 `json:"reasoning_tokens"`
		} `json:"output_tokens_details"`
	} `json:"usage"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
}

func (d *responses) whole(text []byte) error {
	var a responsesAnswer
	if err := json.Unmarshal(text, &a); err != nil {
		return err
	}
	if a.Output == nil && len(a.Error) == 0 {
		return missing("output")
	}
	return d.complete(&a)
}

func (d *responses) event(name string, data []byte) (bool, error) {
	var e struct {
		Type     string          `json:"type"`
		Delta    string          `json:"delta"`
		Index    int             `json:"output_index"`
		Item     responsesItem   `json:"item"`
		Response responsesAnswer `json:"response"`
		Message  string          `json:"message"`
		Code     string          `json:"code"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return false, err
	}
	switch firstOf(e.Type, name) {
	case "response.output_text.delta":
		d.streamed = true
		return false, d.out.say(e.Delta)
	case "response.refusal.delta":
		d.streamed = true
		return false, d.out.refuse(e.Delta)
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		d.streamed = true
		return false, d.out.think(e.Delta)
	case "response.output_item.added":
		if e.Item.Type == "function_call" {
			d.streamed = true
			return false, d.out.tool(e.Index, e.Item.CallID, e.Item.Name, "")
		}
	case "response.function_call_arguments.delta":
		d.streamed = true
		return false, d.out.tool(e.Index, "", "", e.Delta)
	case "response.completed", "response.incomplete", "response.failed":
		return true, d.complete(&e.Response)
	case "error":
		return false, d.out.call.failed(200, nil, failureBody{Message: e.Message, Code: e.Code})
	}
	return false, nil
}

func (d *responses) ended() bool { return d.finished }

func (d *responses) complete(a *responsesAnswer) error {
	d.finished = true
	d.out.identify(a.ID, a.Model)
	if u := a.Usage; u != nil {
		d.out.count(usageOf(map[string]int64{
			"input": u.In - u.Input.Cached - u.Input.Write, "input_cached_tokens": u.Input.Cached, "input_cache_creation": u.Input.Write,
			"output": u.Out - u.Output.Reasoning, "output_reasoning_tokens": u.Output.Reasoning,
		}))
	}
	d.out.end(firstOf(a.Incomplete.Reason, a.Status))
	if !d.streamed {
		if err := d.readItems(a.Output); err != nil {
			return err
		}
	}
	if len(a.Error) > 0 && string(a.Error) != "null" {
		f, _ := readFailure([]byte(`{"error":` + string(a.Error) + `}`))
		return d.out.call.failed(200, nil, f)
	}
	if a.Status == "failed" {
		return d.out.call.failed(200, nil, failureBody{})
	}
	return nil
}

// readItems reads the items of a complete answer.
func (d *responses) readItems(items []responsesItem) error {
	for n, item := range items {
		for _, part := range item.Content {
			if err := d.out.say(part.Text); err != nil {
				return err
			}
			if err := d.out.refuse(part.Refusal); err != nil {
				return err
			}
		}
		for _, part := range item.Summary {
			if err := d.out.think(part.Text); err != nil {
				return err
			}
		}
		if item.Type == "function_call" {
			if err := d.out.tool(n, item.CallID, item.Name, item.Arguments); err != nil {
				return err
			}
		}
	}
	return nil
}
