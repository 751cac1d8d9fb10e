package llm

import (
	"encoding/json"
	"strconv"
)

// gemini is the dialect of Google's models.
type gemini struct {
	out      *collector
	finished bool
	calls    int
}

func (d *gemini) body(k *call, messages []Message) (object, error) {
	body := object{}
	system, others := splitSystem(messages)
	if system != "" && !k.service.family.noSystem {
		body["systemInstruction"] = object{"parts": []object{{"text": system}}}
	}
	names := make(map[string]string) // of calls
	var contents []object
	for _, m := range others {
		for _, c := range m.ToolCalls {
			names[c.ID] = c.Name
		}
		parts, err := d.parts(k, m, names)
		if err != nil {
			return nil, err
		}
		role := "user"
		if m.Role == Assistant {
			role = "model"
		}
		if role == "user" && system != "" && k.service.family.noSystem {
			parts = append([]object{{"text": system}}, parts...)
			system = ""
		}
		if last := len(contents) - 1; last >= 0 && contents[last]["role"] == role {
			before, _ := contents[last]["parts"].([]object)
			contents[last]["parts"] = append(before, parts...)
			continue
		}
		contents = append(contents, object{"role": role, "parts": parts})
	}
	body["contents"] = contents
	if config := d.config(k); len(config) > 0 {
		body["generationConfig"] = config
	}
	d.tools(k, body)
	return body, nil
}

func (d *gemini) config(k *call) object {
	p, config := k.req.Params, object{}
	set(config, "temperature", p.Temperature)
	set(config, "topP", p.TopP)
	set(config, "topK", p.TopK)
	set(config, "maxOutputTokens", p.MaxTokens)
	set(config, "seed", p.Seed)
	set(config, "frequencyPenalty", p.FrequencyPenalty)
	set(config, "presencePenalty", p.PresencePenalty)
	if len(p.Stop) > 0 {
		config["stopSequences"] = p.Stop
	}
	if thinking := geminiThinking(p, k.service.family); thinking != nil {
		config["thinkingConfig"] = thinking
	}
	switch k.rung {
	case NativeRung:
		config["responseMimeType"], config["responseJsonSchema"] = "application/json", k.req.Schema.JSON
	case ModeRung:
		config["responseMimeType"] = "application/json"
	}
	return config
}

// geminiThinking returns how a model is asked to think: newer ones at a level, older ones with a budget.
func geminiThinking(p Params, f family) object {
	if p.Effort == "" && p.ReasoningTokens == nil {
		return nil
	}
	if f.levels {
		effort := p.Effort
		if effort == "" {
			effort = "high"
			if *p.ReasoningTokens <= 4096 {
				effort = "low"
			}
		}
		return object{"thinkingLevel": level(effort), "includeThoughts": true}
	}
	budget := budgetOf(p.Effort)
	if p.ReasoningTokens != nil {
		budget = *p.ReasoningTokens
	}
	return object{"thinkingBudget": budget, "includeThoughts": budget != 0}
}

func (d *gemini) tools(k *call, body object) {
	tools, choice := k.tools()
	if len(tools) == 0 {
		return
	}
	list := make([]object, 0, len(tools))
	for _, t := range tools {
		f := object{"name": t.Name, "description": t.Description}
		if len(t.Parameters) > 0 {
			f["parametersJsonSchema"] = t.Parameters
		}
		list = append(list, f)
	}
	body["tools"] = []object{{"functionDeclarations": list}}
	var how object
	switch choice.Mode {
	case NoTools:
		how = object{"mode": "NONE"}
	case SomeTool:
		how = object{"mode": "ANY"}
	case OneTool:
		how = object{"mode": "ANY", "allowedFunctionNames": []string{choice.Name}}
	}
	if how != nil {
		body["toolConfig"] = object{"functionCallingConfig": how}
	}
}

func (d *gemini) parts(k *call, m Message, names map[string]string) ([]object, error) {
	if m.Role == ToolRole {
		if !m.onlyText() {
			return nil, misconfigured(k.service.name + " takes only text as the result of a tool.")
		}
		name := "result"
		if m.ToolFailed {
			name = "error"
		}
		var response any = object{name: m.text()}
		var is map[string]json.RawMessage
		if json.Unmarshal([]byte(m.text()), &is) == nil && is != nil {
			response = json.RawMessage(m.text())
		}
		return []object{{"functionResponse": object{"name": names[m.ToolCallID], "response": response}}}, nil
	}
	parts := make([]object, 0, len(m.Parts))
	for _, p := range m.Parts {
		switch {
		case p.Kind == TextPart:
			parts = append(parts, object{"text": p.Text})
		case p.URL != "":
			file := object{"fileUri": p.URL}
			if p.MediaType != "" {
				file["mimeType"] = p.MediaType
			}
			parts = append(parts, object{"fileData": file})
		default:
			parts = append(parts, object{"inlineData": object{"mimeType": p.MediaType, "data": p.base64()}})
		}
	}
	for _, c := range m.ToolCalls {
		part := object{"functionCall": object{"name": c.Name, "args": argumentsObject(c.Arguments)}}
		if c.Signature != "" {
			part["thoughtSignature"] = c.Signature
		}
		parts = append(parts, part)
	}
	return parts, nil
}

type geminiAnswer struct {
	ID         string `json:"responseId"`
	Model      string `json:"modelVersion"`
	Candidates []struct {
		Index   int `json:"index"`
		Content struct {
			Parts []struct {
				Text      string `json:"text"`
				Thought   bool   `json:"thought"`
				Signature string `json:"thoughtSignature"`
				Call      *struct {
					ID   string          `json:"id"`
					Name string          `json:"name"`
					Args json.RawMessage `json:"args"`
				} `json:"functionCall"`
			} `json:"parts"`
		} `json:"content"`
		FinishReason  string `json:"finishReason"`
		FinishMessage string `json:"finishMessage"`
	} `json:"candidates"`
	Feedback *struct {
		BlockReason string `json:"blockReason"`
		Message     string `json:"blockReasonMessage"`
	} `json:"promptFeedback"`
	Usage *struct {
		Prompt     int64 `json:"promptTokenCount"`
		Cached     int64 `json:"cachedContentTokenCount"`
		Tools      int64 `json:"toolUsePromptTokenCount"`
		Candidates int64 `json:"candidatesTokenCount"`
		Thoughts   int64 `json:"thoughtsTokenCount"`
	} `json:"usageMetadata"`
	Error json.RawMessage `json:"error"`
}

func (d *gemini) whole(text []byte) error {
	var a geminiAnswer
	if err := json.Unmarshal(text, &a); err != nil {
		return err
	}
	if a.Candidates == nil && (a.Feedback == nil || a.Feedback.BlockReason == "") {
		return missing("candidates")
	}
	return d.read(&a)
}

func (d *gemini) event(_ string, data []byte) (bool, error) {
	var a geminiAnswer
	if err := json.Unmarshal(data, &a); err != nil {
		return false, err
	}
	if len(a.Error) > 0 && string(a.Error) != "null" {
		return false, d.out.call.failureWithin(data)
	}
	return false, d.read(&a)
}

func (d *gemini) ended() bool { return d.finished }

func (d *gemini) read(a *geminiAnswer) error {
	d.out.identify(a.ID, a.Model)
	if u := a.Usage; u != nil {
		d.out.count(usageOf(map[string]int64{
			"input": u.Prompt - u.Cached + u.Tools, "input_cached_tokens": u.Cached, "output": u.Candidates,
			"output_reasoning_tokens": u.Thoughts,
		}))
	}
	if a.Feedback != nil && a.Feedback.BlockReason != "" {
		d.finished = true
		d.out.block(a.Feedback.BlockReason)
		if a.Feedback.Message != "" {
			d.out.blocked = a.Feedback.Message
		}
	}
	for n := range a.Candidates {
		c := &a.Candidates[n]
		if c.Index != 0 {
			continue
		}
		for _, p := range c.Content.Parts {
			if err := d.part(p.Text, p.Thought); err != nil {
				return err
			}
			if p.Call == nil {
				continue
			}
			id := firstOf(p.Call.ID, "call_"+strconv.Itoa(d.calls))
			if err := d.out.tool(d.calls, id, p.Call.Name, firstOf(string(p.Call.Args), "{}")); err != nil {
				return err
			}
			if p.Signature != "" {
				if err := d.out.sign(d.calls, p.Signature); err != nil {
					return err
				}
			}
			d.calls++
		}
		if c.FinishReason != "" && c.FinishReason != "FINISH_REASON_UNSPECIFIED" {
			d.finished = true
			d.out.end(c.FinishReason)
			d.out.blocked = firstOf(c.FinishMessage, c.FinishReason)
		}
	}
	return nil
}

func (d *gemini) part(text string, thought bool) error {
	if thought {
		return d.out.think(text)
	}
	return d.out.say(text)
}
