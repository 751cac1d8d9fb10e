package semconv

import "almanac/internal/ingest/otlp"

// Pydantic AI and Logfire.

const pydanticScope = "pydantic-ai"

// promptIO: agent runs of early versions.
var promptIO = ioOf(truthy, keyPrompt, keyPydanticEvents)

// logfireEventsIO: all messages in one attribute. The first choice is the output, and all other messages are the input.
func logfireEventsIO(m *Mapper, a *attrs, _ []otlp.Event) (ioPair, bool) {
	v := a.at(keyLogfireEvents)
	if !notNull(v) {
		return ioPair{}, false
	}
	if v.Kind == otlp.KindList {
		// The elements are strings, which do not name an event.
		return ioPair{in: m.body(v)}, len(v.List) > 0
	}
	entries, ok := jsonOf(v)
	if !ok || !entries.isList() {
		return ioPair{}, false
	}
	var choice jsonText
	inputs, choices := 0, 0
	for c := entries.elements(); c.Next(); {
		switch {
		case !isChoice(c.value()):
			inputs++
		case choices == 0:
			choice = c.value()
			choices++
		}
	}
	x := ioPair{out: m.jsonBody(choice)}
	if inputs > 0 {
		b := append(m.arena.open(), '[')
		for c := entries.elements(); c.Next(); {
			if !isChoice(c.value()) {
				b = appendComma(b)
				b = appendJSON(b, c.value())
			}
		}
		x.in = m.structured(append(b, ']'))
	}
	return x, inputs+choices > 0
}

func isChoice(entry jsonText) bool { return entry.get("event.name").str() == choiceEvent }

// pydanticIO: agent runs.
func pydanticIO(m *Mapper, a *attrs, _ []otlp.Event) (ioPair, bool) {
	messages, result := a.at(keyPydanticMessages), a.at(keyPydanticResult)
	if m.scopeName != pydanticScope || !truthy(messages) && !truthy(result) {
		return ioPair{}, false
	}
	return ioPair{m.withInstructions(messages, a.at(keyGenAISystemInstructions)), m.body(result)}, true
}

// toolIO: tool calls.
var toolIO = ioOf(truthy, keyToolArguments, keyToolResponse)
