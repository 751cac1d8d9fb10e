package llm

import (
	"encoding/json"
	"strings"
)

// anthropic is Anthropic.
func anthropic(conn Connection, req Request) (*service, error) {
	base, query, hasQuery := strings.Cut(conn.base("https://api.anthropic.com"), "?")
	base = strings.TrimRight(base, "/")
	if !strings.HasSuffix(base, "/v1") {
		base += "/v1"
	}
	if hasQuery {
		base += "?" + query
	}
	return claudeService(&service{
		name: "Anthropic", extraHeaders: true,
		headers: map[string]string{"X-Api-Key": conn.Secret, "Anthropic-Version": "2023-06-01"},
		address: func(bool) (string, error) { return under(base, "/messages"), nil },
		dialect: func(out *collector) dialect { return &claude{out: out} },
	}, req, followsSchemas(req.Model)), nil
}

// claudeService completes a service of Claude's models.
func claudeService(s *service, req Request, native bool) *service {
	s.userOnly, s.family, s.rungs = true, claudeFamily(req.Model), []Rung{NativeRung, ToolRung, PromptRung}
	if s.family.noTemperature {
		s.family.refused = []string{"temperature", "top_p", "top_k"}
	}
	if !native {
		s.rungs = s.rungs[1:]
	}
	return s
}

// claude is the dialect of Anthropic's messages.
type claude struct {
	out      *collector
	vertex   string // the version that Vertex AI wants in the body; "" for Anthropic
	finished bool
	input    map[string]int64
}

func (d *claude) body(k *call, messages []Message) (object, error) {
	body := object{}
	if d.vertex != "" {
		body["anthropic_version"] = d.vertex
	} else {
		body["model"] = k.req.Model
	}
	system, others := splitSystem(messages)
	if system != "" {
		body["system"] = system
	}
	turns, err := d.turns(k, others)
	if err != nil {
		return nil, err
	}
	body["messages"] = turns
	d.params(k, body)
	if k.handle != nil {
		body["stream"] = true
	}
	d.tools(k, body)
	return body, nil
}

func (d *claude) params(k *call, body object) {
	p := k.req.Params
	limit := k.service.family.maxTokens
	if p.MaxTokens != nil {
		limit = *p.MaxTokens
	}
	thinking, effort, budget := claudeThinking(p, k.service.family)
	if thinking != nil && !k.known.refused["thinking"] {
		body["thinking"] = thinking
		limit += budget
	}
	if effort != "" {
		body["output_config"] = object{"effort": effort}
	}
	body["max_tokens"] = limit
	if len(p.Stop) > 0 {
		body["stop_sequences"] = p.Stop
	}
	for name, given := range map[string]bool{
		"frequency_penalty": p.FrequencyPenalty != nil, "presence_penalty": p.PresencePenalty != nil, "seed": p.Seed != nil,
	} {
		if given {
			k.without(name)
		}
	}
	d.sampling(k, body)
}

// sampling sets how words are chosen: models take one of temperature and top_p, and neither of them while they think.
func (d *claude) sampling(k *call, body object) {
	p := k.req.Params
	if mode, ok := body["thinking"].(object); ok && mode["type"] != "disabled" {
		for name, given := range map[string]bool{"temperature": p.Temperature != nil, "top_p": p.TopP != nil, "top_k": p.TopK != nil} {
			if given {
				k.without(name)
			}
		}
		return
	}
	if p.Temperature != nil {
		body["temperature"] = min(*p.Temperature, 1)
		if p.TopP != nil {
			k.without("top_p")
		}
	} else {
		set(body, "top_p", p.TopP)
	}
	set(body, "top_k", p.TopK)
}

// claudeThinking returns how a Claude model is asked to think, nil for its own choice, and how many tokens that takes beside
// the answer.
func claudeThinking(p Params, f family) (thinking object, effort string, budget int) {
	effort = p.Effort
	if effort == "minimal" {
		effort = "low"
	}
	tokens := 0
	if p.ReasoningTokens != nil {
		tokens = max(*p.ReasoningTokens, 1024)
	}
	switch {
	case effort == "none" || p.ReasoningTokens != nil && *p.ReasoningTokens == 0:
		return object{"type": "disabled"}, "", 0
	case f.adaptive && (effort != "" || tokens > 0):
		return object{"type": "adaptive"}, effort, tokens
	case tokens == 0 && effort != "": // models without efforts have a budget
		tokens = budgetOf(effort)
	}
	if tokens == 0 {
		return nil, "", 0
	}
	return object{"type": "enabled", "budget_tokens": tokens}, "", tokens
}

// budgetOf returns the tokens for an effort, for models that know only a budget.
func budgetOf(effort string) int {
	switch effort {
	case "none":
		return 0
	case "minimal", "low":
		return 1024
	case "medium":
		return 8192
	}
	return 24576
}

func (d *claude) tools(k *call, body object) {
	tools, choice := k.tools()
	list := make([]object, 0, len(tools))
	for _, t := range tools {
		tool := object{"name": t.Name, "input_schema": parameters(t)}
		if t.Description != "" {
			tool["description"] = t.Description
		}
		if t.Strict {
			tool["strict"] = true
		}
		list = append(list, tool)
	}
	if len(list) > 0 {
		body["tools"] = list
		how := object{"type": "auto"}
		switch choice.Mode {
		case NoTools:
			how["type"] = "none"
		case SomeTool:
			how["type"] = "any"
		case OneTool:
			how["type"], how["name"] = "tool", choice.Name
		}
		if choice.OneAtATime {
			how["disable_parallel_tool_use"] = true
		}
		if len(how) > 1 || choice.Mode != AutoTools {
			body["tool_choice"] = how
		}
	}
	if k.rung == NativeRung {
		config, ok := body["output_config"].(object)
		if !ok {
			config = object{}
			body["output_config"] = config
		}
		config["format"] = object{"type": "json_schema", "schema": plainSchema(k.req.Schema.JSON)}
	}
}

// turns returns messages as turns of user and assistant, one after the other.
func (d *claude) turns(k *call, messages []Message) ([]object, error) {
	var turns []object
	for _, m := range messages {
		role := "user"
		if m.Role == Assistant {
			role = "assistant"
		}
		blocks, err := d.blocks(k, m)
		if err != nil {
			return nil, err
		}
		if last := len(turns) - 1; last >= 0 && turns[last]["role"] == role {
			before, _ := turns[last]["content"].([]object)
			turns[last]["content"] = append(before, blocks...)
			continue
		}
		turns = append(turns, object{"role": role, "content": blocks})
	}
	return turns, nil
}

func (d *claude) blocks(k *call, m Message) ([]object, error) {
	blocks := make([]object, 0, len(m.Parts))
	for _, p := range m.Parts {
		source := object{"type": "url", "url": p.URL}
		if p.URL == "" {
			source = object{"type": "base64", "media_type": p.MediaType, "data": p.base64()}
		}
		switch p.Kind {
		case TextPart:
			blocks = append(blocks, object{"type": "text", "text": p.Text})
		case ImagePart:
			blocks = append(blocks, object{"type": "image", "source": source})
		case FilePart:
			blocks = append(blocks, object{"type": "document", "source": source})
		default:
			return nil, unsuitable(k.service, p, "in messages")
		}
	}
	if m.Role == ToolRole {
		result := object{"type": "tool_result", "tool_use_id": m.ToolCallID, "content": blocks}
		if m.ToolFailed {
			result["is_error"] = true
		}
		return []object{result}, nil
	}
	for _, c := range m.ToolCalls {
		blocks = append(blocks, object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": argumentsObject(c.Arguments)})
	}
	return blocks, nil
}

// argumentsObject returns the arguments of a call as the object that some providers want.
func argumentsObject(arguments json.RawMessage) any {
	var is map[string]json.RawMessage
	if json.Unmarshal(arguments, &is) == nil && is != nil {
		return arguments
	}
	if len(arguments) == 0 {
		return object{}
	}
	return object{"arguments": string(arguments)}
}

type claudeUsage struct {
	Input    *int64 `json:"input_tokens"`
	Output   *int64 `json:"output_tokens"`
	Read     *int64 `json:"cache_read_input_tokens"`
	Write    *int64 `json:"cache_creation_input_tokens"`
	Creation *struct {
		Five int64 `json:"ephemeral_5m_input_tokens"`
		Hour int64 `json:"ephemeral_1h_input_tokens"`
	} `json:"cache_creation"`
}

// count keeps the counts; later ones replace earlier ones.
func (d *claude) count(u *claudeUsage) {
	if u == nil {
		return
	}
	if d.input == nil {
		d.input = make(map[string]int64)
	}
	for kind, units := range map[string]*int64{"input": u.Input, "output": u.Output, "input_cached_tokens": u.Read} {
		if units != nil {
			d.input[kind] = *units
		}
	}
	switch {
	case u.Creation != nil && u.Creation.Five+u.Creation.Hour > 0:
		d.input["input_cache_creation_5m"], d.input["input_cache_creation_1h"] = u.Creation.Five, u.Creation.Hour
		delete(d.input, "input_cache_creation")
	case u.Write != nil && d.input["input_cache_creation_5m"]+d.input["input_cache_creation_1h"] == 0:
		d.input["input_cache_creation"] = *u.Write
	}
	d.out.count(usageOf(d.input))
}

type claudeBlock struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	Input     json.RawMessage `json:"input"`
	Partial   string          `json:"partial_json"`
	Signature string          `json:"signature"`
}

type claudeStop struct {
	Reason  string `json:"stop_reason"`
	Details struct {
		Category    string `json:"category"`
		Explanation string `json:"explanation"`
	} `json:"stop_details"`
}

func (d *claude) stop(s claudeStop) {
	if s.Reason == "" {
		return
	}
	d.finished = true
	d.out.end(s.Reason)
	d.out.blocked = firstOf(s.Details.Explanation, s.Details.Category)
}

func (d *claude) whole(text []byte) error {
	var a struct {
		claudeStop
		ID      string        `json:"id"`
		Model   string        `json:"model"`
		Content []claudeBlock `json:"content"`
		Usage   *claudeUsage  `json:"usage"`
	}
	if err := json.Unmarshal(text, &a); err != nil {
		return err
	}
	if a.Content == nil {
		return missing("content")
	}
	d.out.identify(a.ID, a.Model)
	d.count(a.Usage)
	d.stop(a.claudeStop)
	for n, b := range a.Content {
		if err := d.block(n, b); err != nil {
			return err
		}
	}
	return nil
}

// block reads a block, or how one begins.
func (d *claude) block(n int, b claudeBlock) error {
	switch b.Type {
	case "text":
		return d.out.say(b.Text)
	case "thinking":
		return d.out.think(b.Thinking)
	case "tool_use":
		input := string(b.Input)
		if strings.TrimSpace(input) == "{}" {
			input = "" // streams have the input later
		}
		return d.out.tool(n, b.ID, b.Name, input)
	}
	return nil
}

func (d *claude) event(name string, data []byte) (bool, error) {
	var e struct {
		Type    string `json:"type"`
		Index   int    `json:"index"`
		Message struct {
			ID    string       `json:"id"`
			Model string       `json:"model"`
			Usage *claudeUsage `json:"usage"`
		} `json:"message"`
		Block claudeBlock     `json:"content_block"`
		Delta json.RawMessage `json:"delta"`
		Usage *claudeUsage    `json:"usage"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return false, err
	}
	switch firstOf(e.Type, name) {
	case "message_start":
		d.out.identify(e.Message.ID, e.Message.Model)
		d.count(e.Message.Usage)
	case "content_block_start":
		return false, d.block(e.Index, e.Block)
	case "content_block_delta":
		return false, d.delta(e.Index, e.Delta)
	case "message_delta":
		var stop claudeStop
		if err := json.Unmarshal(e.Delta, &stop); err != nil {
			return false, err
		}
		d.count(e.Usage)
		d.stop(stop)
	case "message_stop":
		return true, nil
	case "error":
		return false, d.out.call.failureWithin(data)
	}
	return false, nil
}

func (d *claude) delta(n int, raw json.RawMessage) error {
	var b claudeBlock
	if err := json.Unmarshal(raw, &b); err != nil {
		return err
	}
	switch b.Type {
	case "text_delta":
		return d.out.say(b.Text)
	case "thinking_delta":
		return d.out.think(b.Thinking)
	case "input_json_delta":
		return d.out.tool(n, "", "", b.Partial)
	}
	return nil
}

func (d *claude) ended() bool { return d.finished }
