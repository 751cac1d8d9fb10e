package semconv

import "almanac/internal/jsontext"

// Tool calls are part of the output, in the formats of several providers.

// shape holds the members of an object that matter for tool calls.
type shape struct {
	kind, id, callID, toolCallID, toolUseID   jsonText
	name, toolName, function, index           jsonText
	arguments, input, args                    jsonText
	toolCalls, camelCalls, content, parts     jsonText
	additional, functionCall, toolUse, kwargs jsonText
	message, data, choices, generations       jsonText
	candidates, output                        jsonText
	isMessage                                 bool
}

func shapeOf(j jsonText) (s shape) {
	for c := j.members(); c.Next(); {
		switch c.Key() {
		case "type":
			s.kind = c.value()
		case "id":
			s.id = c.value()
		case "call_id":
			s.callID = c.value()
		case "toolCallId":
			s.toolCallID = c.value()
		case "toolUseId":
			s.toolUseID = c.value()
		case "name":
			s.name = c.value()
		case "toolName":
			s.toolName = c.value()
		case "function":
			s.function = c.value()
		case "index":
			s.index = c.value()
		case "arguments":
			s.arguments = c.value()
		case "input":
			s.input = c.value()
		case "args":
			s.args = c.value()
		case "toolCalls":
			s.camelCalls = c.value()
		case "parts":
			s.parts = c.value()
		case "function_call", "functionCall":
			s.functionCall = c.value()
		case "toolUse":
			s.toolUse = c.value()
		case "message":
			s.message = c.value()
		case "kwargs":
			s.kwargs = c.value()
		case "data":
			s.data = c.value()
		case "choices":
			s.choices = c.value()
		case "generations":
			s.generations = c.value()
		case "candidates":
			s.candidates = c.value()
		case "output":
			s.output = c.value()
		case "tool_calls":
			s.toolCalls, s.isMessage = c.value(), true
		case "content":
			s.content, s.isMessage = c.value(), true
		case "additional_kwargs":
			s.additional, s.isMessage = c.value(), true
		case "role":
			s.isMessage = true
		}
	}
	return s
}

// isCall reports whether an object looks like a tool call.
func (s *shape) isCall() bool {
	kind := s.kind.str()
	switch {
	case kind == "tool-result":
		return false
	case s.function.get("name").isName() && (s.function.get("arguments") != "" || s.arguments != ""):
		return true
	case s.toolName.isName() && (kind == "tool-call" || s.input != "" || s.args != ""):
		return true
	case !s.name.isName():
		return false
	case kind == "tool_use" && s.input != "":
		return true
	case s.arguments == "":
		return false
	case s.callID != "" || s.id != "" || s.index != "":
		return true
	default:
		return kind == "function" || kind == "function_call" || kind == "tool-call" || kind == "tool_use"
	}
}

// isNamed reports whether an object is a call in a place where only calls are expected: a name is enough.
func (s *shape) isNamed() bool {
	return s.kind.str() != "tool-result" && (s.function.get("name").isName() || s.toolName.isName() || s.name.isName())
}

// toolCalls returns the tool calls in an output as a JSON list of strings of JSON, and the names of the called tools in
// the same order.
func (m *Mapper) toolCalls(out body) (calls string, names []string) {
	if !mayCallTools(out.text) {
		return "", nil
	}
	j, _ := parseJSON(out.text)
	return m.callsIn(j)
}

func (m *Mapper) callsIn(j jsonText) (calls string, names []string) {
	m.defined.reset()
	from := len(m.lists)
	b := append(m.arena.open(), '[')
	if j.isObject() {
		b = m.appendObjectCalls(b, j)
	}
	for c := j.elements(); c.Next(); {
		s := shapeOf(c.value())
		if s.isCall() && !s.isMessage {
			b = m.appendCall(b, &s)
			continue
		}
		b = m.appendMessageCalls(b, &s)
		if s.message.isObject() { // OpenInference, flattened
			message := shapeOf(s.message)
			b = m.appendMessageCalls(b, &message)
		}
	}
	if from == len(m.lists) {
		return "", nil
	}
	return m.arena.close(append(b, ']')), m.newList(from)
}

func (m *Mapper) appendObjectCalls(dst []byte, j jsonText) []byte {
	s := shapeOf(j)
	if s.isCall() && !s.isMessage {
		return m.appendCall(dst, &s)
	}
	dst = m.appendMessageCalls(dst, &s)
	for c := s.choices.elements(); c.Next(); { // OpenAI
		message := shapeOf(c.value().get("message"))
		dst = m.appendMessageCalls(dst, &message)
	}
	for c := s.output.elements(); c.Next(); { // OpenAI's responses
		if item := shapeOf(c.value()); item.kind.str() == "function_call" && item.isCall() {
			dst = m.appendCall(dst, &item)
		}
	}
	for batch := s.generations.elements(); batch.Next(); { // LangChain
		for c := batch.value().elements(); c.Next(); {
			message := shapeOf(c.value().get("message"))
			dst = m.appendMessageCalls(dst, &message)
		}
	}
	for c := s.candidates.elements(); c.Next(); { // Google
		content := shapeOf(c.value().get("content"))
		dst = m.appendMessageCalls(dst, &content)
	}
	if s.content.isObject() {
		content := shapeOf(s.content)
		dst = m.appendMessageCalls(dst, &content)
	}
	return dst
}

// appendMessageCalls writes the calls of a message, which LangChain may have wrapped.
func (m *Mapper) appendMessageCalls(dst []byte, s *shape) []byte {
	switch {
	case s.kwargs.isObject() && s.kind.str() == "constructor":
		inner := shapeOf(s.kwargs)
		s = &inner
	case s.data.isObject() && s.kind.str() == "ai":
		inner := shapeOf(s.data)
		s = &inner
	}
	dst = m.appendOwnCalls(dst, s)
	dst = m.appendPartCalls(dst, s.content)
	dst = m.appendPartCalls(dst, s.parts)
	dst = m.appendNamed(dst, s.functionCall)
	return m.appendCalls(dst, s.additional.get("tool_calls"))
}

// appendOwnCalls writes the calls listed by a message.
func (m *Mapper) appendOwnCalls(dst []byte, s *shape) []byte {
	dst = m.appendCalls(dst, s.toolCalls)
	return m.appendCalls(dst, s.camelCalls)
}

// appendPartCalls writes the calls among the parts of a message.
func (m *Mapper) appendPartCalls(dst []byte, parts jsonText) []byte {
	for c := parts.elements(); c.Next(); {
		part := shapeOf(c.value())
		switch part.kind.str() {
		case "tool_use", "tool-call":
			if part.isCall() {
				dst = m.appendCall(dst, &part)
			}
		case "tool_call":
			if part.isNamed() {
				dst = m.appendCall(dst, &part)
			}
		default:
			dst = m.appendNamed(dst, part.functionCall)
			dst = m.appendNamed(dst, part.toolUse)
		}
	}
	return dst
}

// appendNamed writes an object as a call if it has a name.
func (m *Mapper) appendNamed(dst []byte, j jsonText) []byte {
	if !j.isObject() {
		return dst
	}
	if s := shapeOf(j); s.isNamed() {
		dst = m.appendCall(dst, &s)
	}
	return dst
}

// appendCalls writes a list of calls, or a string of JSON with one.
func (m *Mapper) appendCalls(dst []byte, list jsonText) []byte {
	if list.isString() {
		list, _ = parseJSON(list.str())
	}
	for c := list.elements(); c.Next(); {
		s := shapeOf(c.value())
		if call := c.value().get("tool_call"); call.isObject() { // OpenInference, flattened
			if s = shapeOf(call); !s.isCall() {
				continue
			}
		}
		if s.isNamed() {
			dst = m.appendCall(dst, &s)
		}
	}
	return dst
}

// appendCall writes one call, unless it was already written.
func (m *Mapper) appendCall(dst []byte, s *shape) []byte {
	name, arguments, kind := s.function.get("name"), firstOf(s.function.get("arguments"), s.arguments), "function"
	if !name.isName() {
		kind = ""
		name = s.name
		if s.toolName.isName() {
			name = s.toolName
		}
		arguments = firstOf(s.arguments, s.input, s.args)
	}
	id := firstOf(s.callID, s.id, s.toolCallID, s.toolUseID).text()
	text := "{}"
	if arguments != "" && !arguments.isNull() {
		text = arguments.text()
	}
	identity := id
	if id == "" {
		// A byte that no id begins with keeps the two apart.
		identity = "\x00" + name.str() + "\x00" + text
	}
	if m.defined.find(identity) >= 0 || len(m.defined.names) == maxTools {
		return dst
	}
	m.defined.add(identity)
	m.lists = append(m.lists, name.str())
	if s.kind.isName() {
		kind = s.kind.str()
	}
	b := m.scratch[:0]
	b = append(b, `{"id":`...)
	b = append(jsontext.AppendString(b, id), `,"arguments":`...)
	b = append(jsontext.AppendString(b, text), `,"type":`...)
	b = append(jsontext.AppendString(b, kind), `,"index":`...)
	if s.index.isNumber() {
		b = appendNumber(b, string(s.index))
	} else {
		b = append(b, '0')
	}
	b = append(b, '}')
	m.scratch = b
	return jsontext.AppendString(appendComma(dst), jsontext.View(b))
}

// firstOf returns the first value that is set and not null.
func firstOf(values ...jsonText) jsonText {
	for _, v := range values {
		if v != "" && !v.isNull() {
			return v
		}
	}
	return ""
}

// mayCallTools is a quick check that avoids parsing most outputs. It has no false negatives: every format of a call has
// a member or a type that begins with one of these words.
func mayCallTools(text string) bool {
	return beginsLikeJSON(text) && (mentions(text, "arguments", "tool", "function") || hidesLetters(text))
}
