package llmtest

import (
	"maps"
	"strings"
)

func claudeStop(a Answer) object {
	stop := object{"stop_reason": "end_turn", "stop_sequence": nil}
	switch {
	case a.Refusal != "", a.Blocked:
		stop["stop_reason"], stop["stop_details"] = "refusal", object{"category": "policy", "explanation": a.Refusal}
	case a.Length:
		stop["stop_reason"] = "max_tokens"
	case len(a.Calls) > 0:
		stop["stop_reason"] = "tool_use"
	}
	return stop
}

var claudeUsage = object{"input_tokens": 80, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 0, "output_tokens": 30}

func claudeWhole(a Answer) object {
	content := []object{}
	if a.Reasoning != "" {
		content = append(content, object{"type": "thinking", "thinking": a.Reasoning, "signature": "sig"})
	}
	if len(a.Text) > 0 {
		content = append(content, object{"type": "text", "text": strings.Join(a.Text, "")})
	}
	for _, c := range a.Calls {
		content = append(content, object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": parsed(c.Arguments)})
	}
	answer := object{"id": "msg_1", "type": "message", "role": "assistant", "model": "model-2026", "content": content, "usage": claudeUsage}
	maps.Copy(answer, claudeStop(a))
	return answer
}

func claudeEvents(a Answer) []event {
	of := func(kind string, members object) event {
		members["type"] = kind
		return event{kind, members}
	}
	events := []event{of("message_start", object{"message": object{
		"id": "msg_1", "type": "message", "model": "model-2026", "content": []object{}, "usage": object{
			"input_tokens": 80, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 0, "output_tokens": 1,
		},
	}}), of("ping", object{})}
	n := 0
	block := func(start object, deltas ...object) {
		events = append(events, of("content_block_start", object{"index": n, "content_block": start}))
		for _, delta := range deltas {
			events = append(events, of("content_block_delta", object{"index": n, "delta": delta}))
		}
		events = append(events, of("content_block_stop", object{"index": n}))
		n++
	}
	if a.Reasoning != "" {
		block(object{"type": "thinking", "thinking": ""}, object{"type": "thinking_delta", "thinking": a.Reasoning},
			object{"type": "signature_delta", "signature": "sig"})
	}
	if len(a.Text) > 0 {
		var deltas []object
		for _, piece := range a.Text {
			deltas = append(deltas, object{"type": "text_delta", "text": piece})
		}
		block(object{"type": "text", "text": ""}, deltas...)
	}
	for _, c := range a.Calls {
		half := len(c.Arguments) / 2
		block(object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": object{}},
			object{"type": "input_json_delta", "partial_json": ""}, object{"type": "input_json_delta", "partial_json": c.Arguments[:half]},
			object{"type": "input_json_delta", "partial_json": c.Arguments[half:]})
	}
	return append(events, of("message_delta", object{"delta": claudeStop(a), "usage": object{"output_tokens": 30}}),
		of("message_stop", object{}))
}

func converseStop(a Answer) string {
	switch {
	case a.Refusal != "":
		return "refusal"
	case a.Blocked:
		return "guardrail_intervened"
	case a.Length:
		return "max_tokens"
	case len(a.Calls) > 0:
		return "tool_use"
	}
	return "end_turn"
}

var converseUsage = object{
	"inputTokens": 80, "outputTokens": 30, "totalTokens": 130, "cacheReadInputTokens": 20, "cacheWriteInputTokens": 0,
}

func converseWhole(a Answer) object {
	content := []object{}
	if a.Reasoning != "" {
		content = append(content, object{"reasoningContent": object{"reasoningText": object{"text": a.Reasoning, "signature": "sig"}}})
	}
	if len(a.Text) > 0 {
		content = append(content, object{"text": strings.Join(a.Text, "")})
	}
	for _, c := range a.Calls {
		content = append(content, object{"toolUse": object{"toolUseId": c.ID, "name": c.Name, "input": parsed(c.Arguments)}})
	}
	return object{
		"output":     object{"message": object{"role": "assistant", "content": content}},
		"stopReason": converseStop(a), "usage": converseUsage, "metrics": object{"latencyMs": 10},
	}
}

func converseEvents(a Answer) []event {
	events := []event{{"messageStart", object{"role": "assistant"}}}
	n := 0
	delta := func(d object) {
		events = append(events, event{"contentBlockDelta", object{"contentBlockIndex": n, "delta": d}})
	}
	stop := func() {
		events = append(events, event{"contentBlockStop", object{"contentBlockIndex": n}})
		n++
	}
	if a.Reasoning != "" {
		delta(object{"reasoningContent": object{"text": a.Reasoning}})
		delta(object{"reasoningContent": object{"signature": "sig"}})
		stop()
	}
	if len(a.Text) > 0 {
		for _, piece := range a.Text {
			delta(object{"text": piece})
		}
		stop()
	}
	for _, c := range a.Calls {
		half := len(c.Arguments) / 2
		events = append(events, event{"contentBlockStart", object{
			"contentBlockIndex": n, "start": object{"toolUse": object{"toolUseId": c.ID, "name": c.Name}},
		}})
		delta(object{"toolUse": object{"input": c.Arguments[:half]}})
		delta(object{"toolUse": object{"input": c.Arguments[half:]}})
		stop()
	}
	return append(events, event{"messageStop", object{"stopReason": converseStop(a)}},
		event{"metadata", object{"usage": converseUsage, "metrics": object{"latencyMs": 10}}})
}

var geminiUsage = object{
	"promptTokenCount": 100, "cachedContentTokenCount": 20, "candidatesTokenCount": 20, "thoughtsTokenCount": 10, "totalTokenCount": 130,
}

// geminiWhole returns a response with a text, or the last one of a stream with what comes at the end.
func geminiWhole(a Answer, piece string, last bool) object {
	parts := []object{}
	if piece != "" {
		parts = append(parts, object{"text": piece})
	}
	if last {
		if a.Reasoning != "" {
			parts = append([]object{{"text": a.Reasoning, "thought": true}}, parts...)
		}
		for _, c := range a.Calls {
			parts = append(parts, object{
				"functionCall": object{"id": c.ID, "name": c.Name, "args": parsed(c.Arguments)}, "thoughtSignature": "sig",
			})
		}
	}
	answer := object{"responseId": "r1", "modelVersion": "model-2026", "usageMetadata": geminiUsage}
	if a.Blocked && len(a.Text) == 0 {
		answer["promptFeedback"] = object{"blockReason": "PROHIBITED_CONTENT"}
		return answer
	}
	candidate := object{"index": 0, "content": object{"role": "model", "parts": parts}}
	if last {
		candidate["finishReason"] = "STOP"
		switch {
		case a.Blocked, a.Refusal != "":
			candidate["finishReason"], candidate["finishMessage"] = "SAFETY", a.Refusal
		case a.Length:
			candidate["finishReason"] = "MAX_TOKENS"
		}
	}
	answer["candidates"] = []object{candidate}
	return answer
}

func geminiEvents(a Answer) []event {
	var events []event
	for _, piece := range a.Text {
		events = append(events, event{"", geminiWhole(a, piece, false)})
	}
	return append(events, event{"", geminiWhole(a, "", true)})
}
