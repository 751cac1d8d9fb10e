package playground

import (
	"strings"

	"almanac/internal/domain"
	"almanac/internal/llm"
	"almanac/internal/llm/transcript"
)

// input returns the messages, with the tools if there are any.
func (s *session) input() string {
	r := &s.in.request
	messages := make([]transcript.Message, len(r.Messages))
	for n, m := range r.Messages {
		messages[n] = transcript.Message{
			Role: string(m.Role), Content: s.content(n, m.Parts), ToolCalls: transcript.Calls(m.ToolCalls), ToolCallID: m.ToolCallID,
		}
	}
	if len(r.Tools) == 0 {
		return transcript.Text(messages)
	}
	tools := make([]transcript.Tool, len(r.Tools))
	for n, t := range r.Tools {
		tools[n] = transcript.Tool{Type: "function", Function: transcript.Function{
			Name: t.Name, Description: t.Description, Parameters: t.Parameters, Strict: t.Strict,
		}}
	}
	return transcript.Text(map[string]any{"messages": messages, "tools": tools})
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
	return transcript.Text(entries)
}
