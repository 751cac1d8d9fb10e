package semconv

import "almanac/internal/jsontext"

// toolDefinitions returns the tools in an input as a JSON object that maps names to strings of JSON, and their names.
func (m *Mapper) toolDefinitions(in body) (definitions string, names []string) {
	if !mayDefineTools(in.text) {
		return "", nil
	}
	j, _ := parseJSON(in.text)
	return m.definitionsIn(j)
}

func (m *Mapper) definitionsIn(j jsonText) (definitions string, names []string) {
	m.defined.reset()
	b := append(m.arena.open(), '{')
	messages := j
	if j.isObject() {
		b = m.appendDefinitions(b, j.get("tools"))
		b = m.appendDefinitions(b, j.get("config").get("tools")) // Google
		messages = j.get("messages")
	}
	for c := messages.elements(); c.Next(); {
		b = m.appendDefinitions(b, c.value().get("tools"))
		if c.value().get("role").str() != "tool" {
			continue
		}
		if inner := c.value().get("content"); inner.get("type").str() == "function" && inner.get("function").isObject() {
			b = m.appendDefinition(b, inner)
		}
	}
	if len(m.defined.names) == 0 {
		return "", nil
	}
	from := len(m.lists)
	m.lists = append(m.lists, m.defined.names...)
	return m.arena.close(append(b, '}')), m.newList(from)
}

func (m *Mapper) appendDefinitions(dst []byte, list jsonText) []byte {
	for c := list.elements(); c.Next(); {
		dst = m.appendDefinition(dst, c.value())
		for _, name := range [...]string{"function_declarations", "functionDeclarations"} {
			for f := c.value().get(name).elements(); f.Next(); {
				dst = m.appendDefinition(dst, f.value())
			}
		}
	}
	return dst
}

// appendDefinition writes one tool as a member, unless there is already one with the same name.
func (m *Mapper) appendDefinition(dst []byte, j jsonText) []byte {
	name := toolName(j)
	if name == "" || m.defined.find(name) >= 0 || len(m.defined.names) == maxTools {
		return dst
	}
	m.defined.add(name)
	if function := j.get("function"); function.isObject() {
		j = function
	}
	b := m.scratch[:0]
	b = append(b, `{"description":`...)
	b = jsontext.AppendString(b, firstText(j, "description", "desc"))
	b = append(b, `,"parameters":`...)
	b = jsontext.AppendString(b, firstText(j, "parameters", "parameters_json_schema", "inputSchema"))
	b = append(b, '}')
	m.scratch = b
	return jsontext.AppendString(appendName(dst, name), jsontext.View(b))
}

// firstText returns the first member that is set: strings unquoted, anything else as JSON.
func firstText(j jsonText, names ...string) string {
	for _, name := range names {
		if value := j.get(name); value != "" && !value.isNull() {
			return value.text()
		}
	}
	return ""
}

// mayDefineTools is a quick check that avoids parsing most inputs. It has no false negatives: tools are in members
// called "tools", or in a message with a member "function".
func mayDefineTools(text string) bool {
	return beginsLikeJSON(text) && (mentions(text, "tools", "function") || hidesLetters(text))
}
