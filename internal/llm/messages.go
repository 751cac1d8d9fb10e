package llm

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// normalize returns the messages of a request as providers accept them: one message of the system, which is the first, no
// empty ones, and results only of calls that were made.
func normalize(req Request, s *service) ([]Message, error) {
	var messages []Message
	calls := make(map[string]bool)
	system := false
	for n, m := range req.Messages {
		switch m.Role {
		case System, Developer:
			if system {
				m.Role = User
			}
			system = true
		case User, Assistant:
		case ToolRole:
			if !calls[m.ToolCallID] {
				return nil, misconfigured(fmt.Sprintf("Message %d has the result of the tool call %q, which no message before it made.",
					n+1, m.ToolCallID))
			}
		default:
			return nil, misconfigured(fmt.Sprintf("Message %d has the unknown role %q.", n+1, m.Role))
		}
		parts, err := normalParts(m.Parts, s)
		if err != nil {
			return nil, misconfigured(fmt.Sprintf("Message %d: %s", n+1, err))
		}
		m.Parts = parts
		for _, call := range m.ToolCalls {
			calls[call.ID] = true
		}
		if len(parts) > 0 || len(m.ToolCalls) > 0 || m.Role == ToolRole {
			messages = append(messages, m)
		}
	}
	if len(messages) == 0 {
		return nil, misconfigured("The request has no messages.")
	}
	if len(messages) == 1 && s.userOnly && (messages[0].Role == System || messages[0].Role == Developer) {
		messages[0].Role = User
	}
	return messages, nil
}

// normalParts returns parts that are not empty, with data: URLs taken apart.
func normalParts(parts []Part, s *service) ([]Part, error) {
	var kept []Part
	for _, p := range parts {
		switch p.Kind {
		case TextPart:
			if p.Text == "" {
				continue
			}
		case ImagePart, AudioPart, FilePart:
			if inside, isData := strings.CutPrefix(p.URL, "data:"); isData {
				kind, data, ok := strings.Cut(inside, ",")
				mediaType, isBase64 := strings.CutSuffix(kind, ";base64")
				bytes, err := base64.StdEncoding.DecodeString(data)
				if !ok || !isBase64 || err != nil {
					return nil, fmt.Errorf("its %s is not a data: URL with base64", p.Kind)
				}
				p.MediaType, p.Data, p.URL = mediaType, bytes, ""
			}
			if p.URL != "" && !strings.HasPrefix(p.URL, "https://") && !strings.HasPrefix(p.URL, "http://") {
				return nil, fmt.Errorf("the address of its %s does not begin with https://", p.Kind)
			}
			if p.URL == "" && len(p.Data) == 0 {
				return nil, fmt.Errorf("its %s has no data", p.Kind)
			}
			if p.URL != "" && s.noImageURLs {
				return nil, fmt.Errorf("%s takes no addresses of media, only their data", s.name)
			}
			if p.URL == "" && p.MediaType == "" {
				return nil, fmt.Errorf("its %s has no media type", p.Kind)
			}
		default:
			return nil, fmt.Errorf("it has a part of the unknown kind %q", p.Kind)
		}
		kept = append(kept, p)
	}
	return kept, nil
}

// text returns the texts of a message.
func (m Message) text() string {
	texts := make([]string, 0, len(m.Parts))
	for _, p := range m.Parts {
		if p.Kind == TextPart {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// onlyText reports whether a message has no media.
func (m Message) onlyText() bool {
	for _, p := range m.Parts {
		if p.Kind != TextPart {
			return false
		}
	}
	return true
}

// dataURL returns the address of a part, which has the data if they are there.
func (p Part) dataURL() string {
	if p.URL != "" {
		return p.URL
	}
	return "data:" + p.MediaType + ";base64," + p.base64()
}

func (p Part) base64() string { return base64.StdEncoding.EncodeToString(p.Data) }

// subtype returns the second half of the media type.
func (p Part) subtype() string {
	_, kind, _ := strings.Cut(p.MediaType, "/")
	kind, _, _ = strings.Cut(kind, ";")
	return strings.TrimPrefix(kind, "x-")
}

// splitSystem returns the text of the system and the other messages.
func splitSystem(messages []Message) (string, []Message) {
	var system []string
	var others []Message
	for _, m := range messages {
		if m.Role == System || m.Role == Developer {
			system = append(system, m.text())
		} else {
			others = append(others, m)
		}
	}
	return strings.Join(system, "\n\n"), others
}

// unsuitable is the error of a part that a provider does not take there.
func unsuitable(s *service, p Part, where string) error {
	what := string(p.Kind)
	if p.MediaType != "" {
		what += " (" + p.MediaType + ")"
	}
	return misconfigured(s.name + " takes no " + what + " " + where + ".")
}
