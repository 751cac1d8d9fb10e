package semconv

import (
	"almanac/internal/ingest/otlp"
	"almanac/internal/jsontext"
)

// withInstructions prepends a system message to a list of messages that has none. If anything is unexpected, the
// messages stay unchanged.
func (m *Mapper) withInstructions(messages, instructions *otlp.Value) body {
	unchanged := m.body(messages)
	if !truthy(messages) || !truthy(instructions) {
		return unchanged
	}
	list := jsonText(unchanged.text)
	if !unchanged.json {
		parsed, ok := parseJSON(unchanged.text)
		if !ok {
			return unchanged
		}
		list = parsed
	}
	if !list.isList() || hasSystemMessage(list) {
		return unchanged
	}
	text := m.instructionText(instructions)
	b := append(m.arena.open(), `[{"role":"system","content":`...)
	b = jsontext.AppendString(b, text)
	b = append(b, '}')
	if c := list.elements(); c.Next() {
		b = append(b, ',')
		b = appendJSON(b, list[1:])
	} else {
		b = append(b, ']')
	}
	return body{text: m.arena.close(b), json: unchanged.json, set: true}
}

func hasSystemMessage(list jsonText) bool {
	for c := list.elements(); c.Next(); {
		if c.value().get("role").str() == "system" {
			return true
		}
	}
	return false
}

// instructionText joins the parts of instructions, which are a plain string, a JSON value, or a JSON list of parts.
func (m *Mapper) instructionText(v *otlp.Value) string {
	text := m.text(v)
	parts, ok := parseJSON(text)
	if !ok {
		return text
	}
	if !parts.isList() {
		return parts.text()
	}
	b := m.arena.open()
	n := 0
	for c := parts.elements(); c.Next(); n++ {
		if n > 0 {
			b = append(b, '\n')
		}
		part := c.value()
		if inner := part.get("content"); inner != "" {
			part = inner
		}
		if part.isString() {
			b = jsontext.AppendUnescaped(b, string(part[1:len(part)-1]))
		} else {
			b = appendJSON(b, part)
		}
	}
	return m.arena.close(b)
}
