package llm

import (
	"encoding/json"
	"strings"
)

// converse is the dialect of Amazon Bedrock.
type converse struct {
	out      *collector
	finished bool
}

func (d *converse) body(k *call, messages []Message) (object, error) {
	body := object{}
	system, others := splitSystem(messages)
	if system != "" {
		body["system"] = []object{{"text": system}}
	}
	tools, _ := k.tools()
	var turns []object
	for _, m := range others {
		blocks, err := d.blocks(k, m, len(tools) > 0)
		if err != nil {
			return nil, err
		}
		if len(blocks) == 0 {
			continue
		}
		role := "user"
		if m.Role == Assistant {
			role = "assistant"
		}
		if last := len(turns) - 1; last >= 0 && turns[last]["role"] == role {
			before, _ := turns[last]["content"].([]object)
			turns[last]["content"] = append(before, blocks...)
			continue
		}
		turns = append(turns, object{"role": role, "content": blocks})
	}
	body["messages"] = turns
	d.params(k, body)
	d.tools(k, body)
	return body, nil
}

func (d *converse) params(k *call, body object) {
	p := k.req.Params
	inference, extra := object{}, object{}
	thinks := d.thinking(k, extra, inference)
	if p.MaxTokens != nil {
		limit, _ := inference["maxTokens"].(int)
		inference["maxTokens"] = limit + *p.MaxTokens
	} else if limit, ok := inference["maxTokens"].(int); ok {
		inference["maxTokens"] = limit + claudeFamily(k.req.Model).maxTokens
	}
	isClaude := strings.Contains(k.req.Model, "claude")
	switch {
	case thinks && isClaude:
		for name, given := range map[string]bool{"temperature": p.Temperature != nil, "top_p": p.TopP != nil, "top_k": p.TopK != nil} {
			if given {
				k.without(name)
			}
		}
	default:
		if p.Temperature != nil {
			inference["temperature"] = min(*p.Temperature, 1)
		}
		if p.TopP != nil && isClaude && p.Temperature != nil {
			k.without("top_p")
		} else {
			set(inference, "topP", p.TopP)
		}
		set(extra, "top_k", p.TopK)
	}
	if len(p.Stop) > 0 {
		inference["stopSequences"] = p.Stop
	}
	for name, given := range map[string]bool{
		"frequency_penalty": p.FrequencyPenalty != nil, "presence_penalty": p.PresencePenalty != nil, "seed": p.Seed != nil,
	} {
		if given {
			k.without(name)
		}
	}
	if len(inference) > 0 {
		body["inferenceConfig"] = inference
	}
	if len(extra) > 0 {
		body["additionalModelRequestFields"] = extra
	}
}

// thinking asks models to think, each maker's in its own way, and reports whether they do.
func (d *converse) thinking(k *call, extra, inference object) bool {
	p, model := k.req.Params, k.req.Model
	if p.Effort == "" && p.ReasoningTokens == nil {
		return false
	}
	switch {
	case strings.Contains(model, "claude"):
		thinking, effort, budget := claudeThinking(p, k.service.family)
		if thinking != nil && !k.known.refused["additionalModelRequestFields.thinking"] {
			extra["thinking"] = thinking
			if budget > 0 {
				inference["maxTokens"] = budget
			}
		}
		if effort != "" {
			extra["output_config"] = object{"effort": effort}
		}
		return thinking != nil && thinking["type"] != "disabled"
	case strings.Contains(model, "openai.") && p.Effort != "":
		extra["reasoning_effort"] = p.Effort
	case strings.Contains(model, "nova-2") && p.Effort != "" && p.Effort != "none":
		extra["reasoningConfig"] = object{"type": "enabled", "maxReasoningEffort": level(p.Effort)}
	default:
		k.without("reasoning")
	}
	return false
}

// level returns one of three efforts.
func level(effort string) string {
	switch effort {
	case "none", "minimal", "low":
		return "low"
	case "medium":
		return "medium"
	}
	return "high"
}

func (d *converse) tools(k *call, body object) {
	tools, choice := k.tools()
	if choice.Mode == NoTools {
		tools = nil
	}
	list := make([]object, 0, len(tools))
	for _, t := range tools {
		spec := object{"name": t.Name, "inputSchema": object{"json": parameters(t)}}
		if t.Description != "" {
			spec["description"] = t.Description
		}
		if t.Strict {
			spec["strict"] = true
		}
		list = append(list, object{"toolSpec": spec})
	}
	if len(list) > 0 {
		config := object{"tools": list}
		switch choice.Mode {
		case SomeTool:
			config["toolChoice"] = object{"any": object{}}
		case OneTool:
			config["toolChoice"] = object{"tool": object{"name": choice.Name}}
		}
		body["toolConfig"] = config
	}
	if k.rung == NativeRung {
		body["outputConfig"] = object{"textFormat": object{"type": "json_schema", "structure": object{"jsonSchema": object{
			"schema": string(plainSchema(k.req.Schema.JSON)), "name": k.req.Schema.name(),
		}}}}
	}
}

func (d *converse) blocks(k *call, m Message, tools bool) ([]object, error) {
	if m.Role == ToolRole {
		if !tools {
			return nil, nil
		}
		if !m.onlyText() {
			return nil, misconfigured(k.service.name + " takes only text as the result of a tool.")
		}
		result := object{"toolUseId": m.ToolCallID, "content": []object{{"text": m.text()}}}
		if m.ToolFailed {
			result["status"] = "error"
		}
		return []object{{"toolResult": result}}, nil
	}
	blocks := make([]object, 0, len(m.Parts))
	for _, p := range m.Parts {
		source := object{"bytes": p.base64()}
		switch p.Kind {
		case TextPart:
			blocks = append(blocks, object{"text": p.Text})
		case ImagePart:
			format := p.subtype()
			if format == "jpg" {
				format = "jpeg"
			}
			blocks = append(blocks, object{"image": object{"format": format, "source": source}})
		case FilePart:
			blocks = append(blocks, object{"document": object{"format": p.subtype(), "name": documentName(p.Name), "source": source}})
		case AudioPart:
			blocks = append(blocks, object{"audio": object{"format": strings.Replace(p.subtype(), "mpeg", "mp3", 1), "source": source}})
		}
	}
	if tools {
		for _, c := range m.ToolCalls {
			blocks = append(blocks, object{"toolUse": object{"toolUseId": c.ID, "name": c.Name, "input": argumentsObject(c.Arguments)}})
		}
	}
	return blocks, nil
}

// documentName returns a name with the characters that are allowed in it.
func documentName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, strings.TrimSuffix(name, ".pdf"))
	if clean = strings.Trim(clean, "-"); clean == "" {
		return "document"
	}
	return clean[:min(len(clean), 100)]
}

type converseUsage struct {
	Input   int64 `json:"inputTokens"`
	Output  int64 `json:"outputTokens"`
	Read    int64 `json:"cacheReadInputTokens"`
	Write   int64 `json:"cacheWriteInputTokens"`
	Details []struct {
		TTL   string `json:"ttl"`
		Units int64  `json:"inputTokens"`
	} `json:"cacheDetails"`
}

func (u *converseUsage) ours() map[string]int64 {
	counts := map[string]int64{"input": u.Input, "output": u.Output, "input_cached_tokens": u.Read, "input_cache_creation": u.Write}
	for _, detail := range u.Details {
		if detail.TTL == "5m" || detail.TTL == "1h" {
			counts["input_cache_creation_"+detail.TTL] += detail.Units
			counts["input_cache_creation"] -= detail.Units
		}
	}
	return usageOf(counts)
}

type converseBlock struct {
	Text    string `json:"text"`
	ToolUse *struct {
		ID    string          `json:"toolUseId"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"`
	} `json:"toolUse"`
	Reasoning json.RawMessage `json:"reasoningContent"`
}

// thought returns the text of reasoning, which has one form in answers and another in streams.
func (b *converseBlock) thought() string {
	var r struct {
		Text  string `json:"text"`
		Whole struct {
			Text string `json:"text"`
		} `json:"reasoningText"`
	}
	if len(b.Reasoning) == 0 || json.Unmarshal(b.Reasoning, &r) != nil {
		return ""
	}
	return r.Text + r.Whole.Text
}

func (d *converse) block(n int, b *converseBlock) error {
	if err := d.out.think(b.thought()); err != nil {
		return err
	}
	if err := d.out.say(b.Text); err != nil {
		return err
	}
	if b.ToolUse == nil {
		return nil
	}
	return d.out.tool(n, b.ToolUse.ID, b.ToolUse.Name, textOf(b.ToolUse.Input))
}

func (d *converse) stop(reason string) {
	if reason != "" {
		d.finished = true
		d.out.end(reason)
	}
}

func (d *converse) whole(text []byte) error {
	var a struct {
		Output *struct {
			Message struct {
				Content []converseBlock `json:"content"`
			} `json:"message"`
		} `json:"output"`
		StopReason string         `json:"stopReason"`
		Usage      *converseUsage `json:"usage"`
	}
	if err := json.Unmarshal(text, &a); err != nil {
		return err
	}
	if a.Output == nil {
		return missing("output")
	}
	if a.Usage != nil {
		d.out.count(a.Usage.ours())
	}
	d.stop(a.StopReason)
	for n := range a.Output.Message.Content {
		if err := d.block(n, &a.Output.Message.Content[n]); err != nil {
			return err
		}
	}
	return nil
}

func (d *converse) event(name string, data []byte) (bool, error) {
	if kind, ok := strings.CutPrefix(name, "exception:"); ok {
		f, _ := readFailure(data)
		f.Type = kind
		return false, d.out.call.failed(200, nil, f)
	}
	var e struct {
		Index int            `json:"contentBlockIndex"`
		Start converseBlock  `json:"start"`
		Delta converseBlock  `json:"delta"`
		Stop  string         `json:"stopReason"`
		Usage *converseUsage `json:"usage"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return false, err
	}
	switch name {
	case "contentBlockStart":
		return false, d.block(e.Index, &e.Start)
	case "contentBlockDelta":
		return false, d.block(e.Index, &e.Delta)
	case "messageStop":
		d.stop(e.Stop)
	case "metadata":
		if e.Usage != nil {
			d.out.count(e.Usage.ours())
		}
		return true, nil
	}
	return false, nil
}

func (d *converse) ended() bool { return d.finished }
