package semconv

import (
	"strings"

	"almanac/internal/ingest/otlp"
	"almanac/internal/jsontext"
)

// OpenTelemetry's conventions for generative AI, in all their versions: content in attributes, in one event per
// message, in one event per call, or in one event each for input and output.

var genAIType = typeByWord(keyGenAIOperation, map[string]string{
	"chat": typeGeneration, "completion": typeGeneration, "text_completion": typeGeneration, "generate_content": typeGeneration,
	"generate": typeGeneration, "embeddings": typeEmbedding, "embedding": typeEmbedding, "invoke_agent": typeAgent,
	"create_agent": typeAgent, "execute_tool": typeTool,
})

func genAIToolType(m *Mapper, _ *otlp.Span) string {
	if m.span.any(meaningful, keyGenAIToolName, keyGenAIToolCallID) {
		return typeTool
	}
	return ""
}

// isSummary reports whether a span belongs to an agent. Such spans repeat the model, usage, cost and tools of the calls
// within them, which must be counted only once.
func isSummary(a *attrs) bool {
	return a.is(keyGenAIOperation, "invoke_agent") || a.is(keyGenAIOperation, "agent_step")
}

// genAIMessagesIO: the current version.
func genAIMessagesIO(m *Mapper, a *attrs, _ []otlp.Event) (ioPair, bool) {
	in, out := genAIContent(a)
	if !truthy(in) && !truthy(out) {
		return ioPair{}, false
	}
	return ioPair{m.genAIInput(a, in), m.body(out)}, true
}

// genAIContent returns the messages, or else the arguments and result of a tool.
func genAIContent(a *attrs) (in, out *otlp.Value) {
	if a.any(truthy, keyGenAIInputMessages, keyGenAIOutputMessages) {
		return a.at(keyGenAIInputMessages), a.at(keyGenAIOutputMessages)
	}
	return a.at(keyGenAIToolArguments), a.at(keyGenAIToolResult)
}

// genAIInput prepends the system instructions to the messages.
func (m *Mapper) genAIInput(a *attrs, in *otlp.Value) body {
	if truthy(in) && in == a.at(keyGenAIInputMessages) {
		return m.withInstructions(in, a.at(keyGenAISystemInstructions))
	}
	return m.body(in)
}

// detailsEventIO: one event with the attributes of the current version.
func detailsEventIO(m *Mapper, _ *attrs, events []otlp.Event) (ioPair, bool) {
	for i := range events {
		if events[i].Name != "gen_ai.client.inference.operation.details" {
			continue
		}
		m.event.resolve(events[i].Attributes)
		if x, ok := genAIMessagesIO(m, &m.event, nil); ok {
			return x, true
		}
	}
	return ioPair{}, false
}

// messageEventsIO: one event per message, whose attributes are the message.
func messageEventsIO(m *Mapper, _ *attrs, events []otlp.Event) (x ioPair, ok bool) {
	messages, choices := 0, 0
	for i := range events {
		switch {
		case messageRole(events[i].Name) != "":
			messages++
		case events[i].Name == choiceEvent:
			choices++
		}
	}
	if messages > 0 {
		b := append(m.arena.open(), '[')
		for i := range events {
			if role := messageRole(events[i].Name); role != "" {
				b = appendComma(b)
				b = m.appendMessage(b, role, events[i].Attributes)
			}
		}
		x.in = m.structured(append(b, ']'))
	}
	if choices > 0 {
		b := m.arena.open()
		if choices > 1 {
			b = append(b, '[')
		}
		for i := range events {
			if events[i].Name == choiceEvent {
				b = appendComma(b)
				b = m.appendMessage(b, "", events[i].Attributes)
			}
		}
		if choices > 1 {
			b = append(b, ']')
		}
		x.out = m.structured(b)
	}
	return x, messages+choices > 0
}

const choiceEvent = "gen_ai.choice"

// messageRole returns the role in the name of a message event, "" for other events.
func messageRole(event string) string {
	switch event {
	case "gen_ai.system.message", "gen_ai.user.message", "gen_ai.assistant.message", "gen_ai.tool.message":
		return strings.TrimSuffix(strings.TrimPrefix(event, "gen_ai."), ".message")
	default:
		return ""
	}
}

// appendMessage writes attributes as an object, with a role unless that is empty. An attribute may override the role.
func (m *Mapper) appendMessage(dst []byte, role string, list []otlp.Attribute) []byte {
	m.event.resolve(list)
	own := m.event.names.find("role")
	dst = append(dst, '{')
	if role != "" {
		dst = appendName(dst, "role")
		if own >= 0 {
			dst = appendValue(dst, m.event.list[own].value)
		} else {
			dst = jsontext.AppendString(dst, role)
		}
	}
	for i := range m.event.list {
		if role == "" || i != own {
			dst = appendName(dst, m.event.list[i].name)
			dst = appendValue(dst, m.event.list[i].value)
		}
	}
	return append(dst, '}')
}

// contentEventsIO: one event each for input and output, whose attributes may follow any convention. OpenLIT sends them.
func contentEventsIO(m *Mapper, _ *attrs, events []otlp.Event) (ioPair, bool) {
	prompt := firstNamed(events, "gen_ai.content.prompt")
	completion := firstNamed(events, "gen_ai.content.completion")
	if len(prompt) == 0 && len(completion) == 0 {
		return ioPair{}, false
	}
	return ioPair{
		m.eventBody(prompt, func(x ioPair) body { return x.in }),
		m.eventBody(completion, func(x ioPair) body { return x.out }),
	}, true
}

func firstNamed(events []otlp.Event, name string) []otlp.Attribute {
	for i := range events {
		if events[i].Name == name {
			return events[i].Attributes
		}
	}
	return nil
}

// eventBody reads input or output from the attributes of an event: all rules apply, and the attributes themselves are
// the last resort.
func (m *Mapper) eventBody(list []otlp.Attribute, side func(ioPair) body) body {
	m.event.resolve(list)
	if b := side(m.ioPair(&m.event, nil)); b.set {
		return b
	}
	return m.structured(m.appendMessage(m.arena.open(), "", list))
}
