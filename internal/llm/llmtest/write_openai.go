package llmtest

import (
	"encoding/json"
	"strings"
)

type object = map[string]any

// The usage of all answers: 100 tokens were read, of which 20 from a cache, and 30 written, of which 10 to think.
var (
	chatUsage = object{
		"prompt_tokens": 100, "completion_tokens": 30, "total_tokens": 130, "prompt_tokens_details": object{"cached_tokens": 20},
		"completion_tokens_details": object{"reasoning_tokens": 10},
	}
	responsesUsage = object{
		"input_tokens": 100, "output_tokens": 30, "input_tokens_details": object{"cached_tokens": 20},
		"output_tokens_details": object{"reasoning_tokens": 10},
	}
)

// whole returns an answer in one piece.
func (p *Provider) whole(a Answer) any {
	switch p.API {
	case Responses:
		return p.responsesWhole(a)
	case Anthropic, VertexClaude:
		return claudeWhole(a)
	case Bedrock:
		return converseWhole(a)
	case VertexGemini, Studio:
		return geminiWhole(a, strings.Join(a.Text, ""), true)
	}
	message := object{"role": "assistant", "content": strings.Join(a.Text, "")}
	if a.Refusal != "" {
		message["content"], message["refusal"] = nil, a.Refusal
	}
	if a.Reasoning != "" {
		message["reasoning_content"] = a.Reasoning
	}
	if len(a.Calls) > 0 {
		message["tool_calls"] = chatCalls(a, false)
	}
	return object{
		"id": "chatcmpl-1", "object": "chat.completion", "model": "model-2026", "usage": chatUsage,
		"choices": []object{{"index": 0, "message": message, "finish_reason": chatFinish(a)}},
	}
}

func chatFinish(a Answer) string {
	switch {
	case a.Blocked:
		return "content_filter"
	case a.Length:
		return "length"
	case len(a.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func chatCalls(a Answer, stream bool) []object {
	calls := make([]object, 0, len(a.Calls))
	for n, c := range a.Calls {
		call := object{"id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": c.Arguments}}
		if stream {
			call["index"] = n
		}
		calls = append(calls, call)
	}
	return calls
}

// events returns an answer as a stream.
func (p *Provider) events(a Answer) []event {
	switch p.API {
	case Responses:
		return p.responsesEvents(a)
	case Anthropic, VertexClaude:
		return claudeEvents(a)
	case Bedrock:
		return converseEvents(a)
	case VertexGemini, Studio:
		return geminiEvents(a)
	}
	chunk := func(delta object, finish any) event {
		return event{"", object{
			"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "model-2026",
			"choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}},
		}}
	}
	var events []event
	if p.API == Azure {
		events = append(events, event{"", object{"choices": []object{}, "prompt_filter_results": []object{{"prompt_index": 0}}}})
	}
	events = append(events, chunk(object{"role": "assistant", "content": ""}, nil))
	if a.Reasoning != "" {
		events = append(events, chunk(object{"reasoning_content": a.Reasoning}, nil))
	}
	for _, text := range a.Text {
		events = append(events, chunk(object{"content": text}, nil))
	}
	if a.Refusal != "" {
		events = append(events, chunk(object{"refusal": a.Refusal}, nil))
	}
	for n, c := range a.Calls {
		half := len(c.Arguments) / 2
		events = append(events,
			chunk(object{"tool_calls": []object{{
				"index": n, "id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": ""},
			}}}, nil),
			chunk(object{"tool_calls": []object{{"index": n, "function": object{"arguments": c.Arguments[:half]}}}}, nil),
			chunk(object{"tool_calls": []object{{"index": n, "function": object{"arguments": c.Arguments[half:]}}}}, nil))
	}
	return append(events, chunk(object{}, chatFinish(a)),
		event{"", object{"id": "chatcmpl-1", "model": "model-2026", "choices": []object{}, "usage": chatUsage}}, event{"", "[DONE]"})
}

func (p *Provider) responsesWhole(a Answer) object {
	output := []object{}
	if a.Reasoning != "" {
		output = append(output, object{"type": "reasoning", "summary": []object{{"type": "summary_text", "text": a.Reasoning}}})
	}
	var content []object
	if len(a.Text) > 0 {
		content = append(content, object{"type": "output_text", "text": strings.Join(a.Text, "")})
	}
	if a.Refusal != "" {
		content = append(content, object{"type": "refusal", "refusal": a.Refusal})
	}
	if len(content) > 0 {
		output = append(output, object{"type": "message", "role": "assistant", "content": content})
	}
	for _, c := range a.Calls {
		output = append(output, object{"type": "function_call", "call_id": c.ID, "name": c.Name, "arguments": c.Arguments})
	}
	answer := object{
		"id": "resp_1", "object": "response", "model": "model-2026", "status": "completed", "output": output, "usage": responsesUsage,
	}
	if a.Length || a.Blocked {
		reason := "max_output_tokens"
		if a.Blocked {
			reason = "content_filter"
		}
		answer["status"], answer["incomplete_details"] = "incomplete", object{"reason": reason}
	}
	return answer
}

func (p *Provider) responsesEvents(a Answer) []event {
	of := func(kind string, members object) event {
		members["type"] = kind
		return event{kind, members}
	}
	events := []event{of("response.created", object{"response": object{"id": "resp_1", "status": "in_progress"}})}
	if a.Reasoning != "" {
		events = append(events, of("response.reasoning_summary_text.delta", object{"output_index": 0, "delta": a.Reasoning}))
	}
	events = append(events, of("response.output_item.added", object{"output_index": 1, "item": object{"type": "message"}}))
	for _, text := range a.Text {
		events = append(events, of("response.output_text.delta", object{"output_index": 1, "content_index": 0, "delta": text}))
	}
	if a.Refusal != "" {
		events = append(events, of("response.refusal.delta", object{"output_index": 1, "delta": a.Refusal}))
	}
	for n, c := range a.Calls {
		half := len(c.Arguments) / 2
		item := object{"type": "function_call", "call_id": c.ID, "name": c.Name, "arguments": ""}
		events = append(events, of("response.output_item.added", object{"output_index": 2 + n, "item": item}),
			of("response.function_call_arguments.delta", object{"output_index": 2 + n, "delta": c.Arguments[:half]}),
			of("response.function_call_arguments.delta", object{"output_index": 2 + n, "delta": c.Arguments[half:]}))
	}
	whole := p.responsesWhole(a)
	return append(events, of("response."+text(whole["status"]), object{"response": whole}))
}

func text(value any) string {
	t, _ := value.(string)
	return t
}

// parsed returns arguments as JSON.
func parsed(arguments string) any { return json.RawMessage(arguments) }
