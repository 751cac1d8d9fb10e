package semconv

// Calls of tools are part of the output, in the shapes of several providers.

// shape holds the members of an object that matter for calls.
type shape struct {
	kind, id, callID, toolCallID            jsonText
	name, toolName, function, index         jsonText
	arguments, input, args                  jsonText
	toolCalls, camelCalls, content, choices jsonText
	additional                              jsonText
	isMessage                               bool
}

func shapeOf(j jsonText) (s shape) {
	for c := j.members(); c.next(); {
		switch c.name {
		case "type":
			s.kind = c.value
		case "id":
			s.id = c.value
		case "call_id":
			s.callID = c.value
		case "toolCallId":
			s.toolCallID = c.value
		case "name":
			s.name = c.value
		case "toolName":
			s.toolName = c.value
		case "function":
			s.function = c.value
		case "index":
			s.index = c.value
		case "arguments":
			s.arguments = c.value
		case "input":
			s.input = c.value
		case "args":
			s.args = c.value
		case "toolCalls":
			s.camelCalls = c.value
		case "choices":
			s.choices = c.value
		case "tool_calls":
			s.toolCalls, s.isMessage = c.value, true
		case "content":
			s.content, s.isMessage = c.value, true
		case "additional_kwargs":
			s.additional, s.isMessage = c.value, true
		case "role":
			s.isMessage = true
		}
	}
	return s
}

// isCall says whether an object looks like the call of a tool.
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

// toolCalls lists the calls in an output as a list of JSON texts, and the names of the called tools beside it.
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
	for c := j.elements(); c.next(); {
		s := shapeOf(c.value)
		if s.isCall() && !s.isMessage {
			b = m.appendCall(b, &s)
		} else {
			b = m.appendOwnCalls(b, &s)
			b = m.appendContentCalls(b, &s)
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
	dst = m.appendOwnCalls(dst, &s)
	for c := s.choices.elements(); c.next(); {
		message := shapeOf(c.value.get("message"))
		dst = m.appendOwnCalls(dst, &message)
	}
	dst = m.appendContentCalls(dst, &s)
	return m.appendCalls(dst, s.additional.get("tool_calls"))
}

// appendOwnCalls writes the calls that a message lists.
func (m *Mapper) appendOwnCalls(dst []byte, s *shape) []byte {
	dst = m.appendCalls(dst, s.toolCalls)
	return m.appendCalls(dst, s.camelCalls)
}

// appendContentCalls writes the calls among the parts of a message.
func (m *Mapper) appendContentCalls(dst []byte, s *shape) []byte {
	for c := s.content.elements(); c.next(); {
		part := shapeOf(c.value)
		if kind := part.kind.str(); (kind == "tool_use" || kind == "tool-call") && part.isCall() {
			dst = m.appendCall(dst, &part)
		}
	}
	return dst
}

// appendCalls writes a list of calls, or JSON text of one.
func (m *Mapper) appendCalls(dst []byte, list jsonText) []byte {
	if list.isString() {
		list, _ = parseJSON(list.str())
	}
	for c := list.elements(); c.next(); {
		if s := shapeOf(c.value); s.isCall() {
			dst = m.appendCall(dst, &s)
		}
	}
	return dst
}

// appendCall writes one call, unless it was written before.
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
	id := firstOf(s.callID, s.id, s.toolCallID).text()
	text := "{}"
	if arguments != "" && !arguments.isNull() {
		text = arguments.text()
	}
	identity := id
	if id == "" {
		// A byte that no id begins with keeps both apart.
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
	b = append(appendText(b, id), `,"arguments":`...)
	b = append(appendText(b, text), `,"type":`...)
	b = append(appendText(b, kind), `,"index":`...)
	if s.index.isNumber() {
		b = appendNumber(b, string(s.index))
	} else {
		b = append(b, '0')
	}
	b = append(b, '}')
	m.scratch = b
	return appendText(appendComma(dst), view(b))
}

// firstOf returns the first value that is there and not null.
func firstOf(values ...jsonText) jsonText {
	for _, v := range values {
		if v != "" && !v.isNull() {
			return v
		}
	}
	return ""
}

// mayCallTools is a quick look that spares most outputs from being parsed. It never says no to an output with calls:
// each of their shapes has a member "arguments" or "toolName", or the type "tool_use".
func mayCallTools(text string) bool {
	return beginsLikeJSON(text) && (mentions(text, "arguments", "toolName", "tool_use") || hidesLetters(text))
}
