package semconv

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/ingest/otlp"
	"almanac/internal/jsontext"
)

// The tools available to a model are sent in many places. They are collected from metadata and attributes, moved into
// the input, and listed together with those already in the input.

// toolbox collects tool definitions from outside the input.
type toolbox struct {
	definitions []jsonText
	names       nameIndex
	hidden      []int // positions of the attributes they were taken from
	fromUser    bool  // some were taken from the key "tools" of the client's metadata
	rest        otlp.Value
	restOf      int // position of the attribute that is reduced to rest, or -1
}

func (t *toolbox) reset() {
	clear(t.definitions)
	*t = toolbox{definitions: t.definitions[:0], names: t.names, hidden: t.hidden[:0], restOf: -1}
	t.names.reset()
}

// userTools is the metadata key that clients use for tools.
const userTools = "tools"

// moveTools moves definitions into the input. It hides the attributes they were taken from and returns the key of the
// client's metadata to omit, if any.
func (m *Mapper) moveTools(in body, user *entries) (moved body, skip string) {
	t := &m.tools
	t.reset()
	m.collectUserTools(user)
	if !m.ownScope {
		m.collectAttributeTools()
	}
	if len(t.definitions) == 0 {
		return in, ""
	}
	moved, ok := m.inputWithTools(in)
	if !ok {
		return in, ""
	}
	for _, i := range t.hidden {
		m.span.list[i].use = content
	}
	if t.restOf >= 0 {
		m.span.list[t.restOf].value = &t.rest
	}
	if t.fromUser {
		skip = userTools
	}
	return moved, skip
}

func (m *Mapper) collectUserTools(user *entries) {
	i := user.names.find(userTools)
	if i < 0 {
		return
	}
	list := user.list[i].json
	switch {
	case list.isString():
		list, _ = parseJSON(list.str())
	case list == "":
		list = m.listOf(user.list[i].value)
	}
	m.tools.fromUser = m.tools.add(list, hasToolName)
}

func (m *Mapper) collectAttributeTools() {
	a, t := &m.span, &m.tools
	if v := a.at(keyVercelPromptTools); v != nil && t.add(m.listOf(v), hasToolNameOrType) {
		t.hidden = append(t.hidden, a.position(keyVercelPromptTools))
	}
	if v := a.at(keyGenAIToolDefinitions); v != nil && t.add(m.listOf(v), hasToolName) {
		t.hidden = append(t.hidden, a.position(keyGenAIToolDefinitions))
	}
	if j, ok := objectOf(a.at(keyPydanticParameters)); ok && t.add(j.get("function_tools"), hasToolName) {
		t.restOf = a.position(keyPydanticParameters)
		t.rest = otlp.Value{Kind: otlp.KindText, Text: m.without(j, "function_tools")}
	}
	if a.has(toolSchemas) {
		m.collectSchemas()
	}
	if a.has(toolFunctions) {
		m.collectFunctions()
	}
}

// position returns the position in the list of the attribute with a key.
func (a *attrs) position(k key) int {
	return slices.IndexFunc(a.list, func(x attr) bool { return x.key == k })
}

// collectSchemas reads "llm.tools.<n>.tool.json_schema" in order of n.
func (m *Mapper) collectSchemas() {
	type schema struct{ n, position int }
	var schemas []schema
	for i := range m.span.list {
		x := &m.span.list[i]
		number, ok := strings.CutSuffix(x.rest, ".tool.json_schema")
		if x.family != toolSchemas || !ok {
			continue
		}
		if n, err := strconv.ParseUint(number, 10, 31); err == nil {
			schemas = append(schemas, schema{int(n), i})
		}
	}
	slices.SortStableFunc(schemas, func(a, b schema) int { return cmp.Compare(a.n, b.n) })
	for _, s := range schemas {
		if j, ok := jsonOf(m.span.list[s.position].value); ok && hasToolName(j) && m.tools.addOne(j) {
			m.tools.hidden = append(m.tools.hidden, s.position)
		}
	}
}

// collectFunctions reads "llm.request.functions.<n>.<member>". LiteLLM sends them.
func (m *Mapper) collectFunctions() {
	t := &m.tree
	t.reset(nodeList)
	var hidden []int
	for i := range m.span.list {
		x := &m.span.list[i]
		if x.family == toolFunctions && beginsWithIndex(x.rest) {
			t.put(x.rest, x.value)
			hidden = append(hidden, i)
		}
	}
	if m.tools.add(jsonText(m.arena.close(t.append(m.arena.open(), 0))), hasToolName) {
		m.tools.hidden = append(m.tools.hidden, hidden...)
	}
}

// listOf returns a list as JSON, whether it was sent as JSON or as a list of values.
func (m *Mapper) listOf(v *otlp.Value) jsonText {
	if v.Kind == otlp.KindList {
		return jsonText(m.text(v))
	}
	j, _ := jsonOf(v)
	return j
}

// without writes an object without one of its members.
func (m *Mapper) without(object jsonText, name string) string {
	b := append(m.arena.open(), '{')
	for c := object.members(); c.Next(); {
		if c.Key() != name {
			b = appendName(b, c.Key())
			b = appendJSON(b, c.value())
		}
	}
	return m.arena.close(append(b, '}'))
}

// add adds a list of definitions, if it is not empty and every element is acceptable.
func (t *toolbox) add(list jsonText, acceptable func(jsonText) bool) bool {
	n := 0
	for c := list.elements(); c.Next(); n++ {
		if !acceptable(definitionOf(c.value())) || n == maxTools {
			return false
		}
	}
	for c := list.elements(); c.Next(); {
		t.addOne(definitionOf(c.value()))
	}
	return n > 0
}

// addOne adds a definition, unless there is already one with the same name.
func (t *toolbox) addOne(definition jsonText) bool {
	if len(t.definitions) >= maxTools {
		return false
	}
	if name := toolName(definition); name != "" {
		if t.names.findOrAdd(name) >= 0 {
			return true
		}
	}
	t.definitions = append(t.definitions, definition)
	return true
}

// definitionOf returns a definition, which may be an element of a list in the form of a JSON string.
func definitionOf(element jsonText) jsonText {
	if element.isString() {
		element, _ = parseJSON(element.str())
	}
	return element
}

func hasToolName(j jsonText) bool { return toolName(j) != "" }

// hasToolNameOrType also accepts tools of providers that have only a type.
func hasToolNameOrType(j jsonText) bool { return toolName(j) != "" || j.get("type").isName() }

// toolName returns the name of a tool, or "" if j is not a tool.
func toolName(j jsonText) string {
	if name := j.get("function").get("name"); name.isName() {
		return name.str()
	}
	return j.get("name").str()
}

// inputWithTools adds the definitions to an input. It returns false if the input has a member "tools" that is not a
// list of tools.
func (m *Mapper) inputWithTools(in body) (body, bool) {
	t := &m.tools
	j, ok := parseJSON(in.text)
	switch {
	case !in.set || in.text == "" || j.isNull():
		b := append(m.arena.open(), `{"tools":[`...)
		return m.structured(append(appendAll(b, t.definitions), ']', '}')), true
	case j.isList():
		b := append(m.arena.open(), `{"messages":`...)
		b = append(appendJSON(b, j), `,"tools":[`...)
		return m.structured(append(appendAll(b, t.definitions), ']', '}')), true
	case !ok || !j.isObject():
		b := append(m.arena.open(), `{"prompt":`...)
		b = append(jsontext.AppendString(b, in.text), `,"tools":[`...)
		return m.structured(append(appendAll(b, t.definitions), ']', '}')), true
	}
	own := j.get("tools")
	if own != "" && !isToolList(own) {
		return body{}, false
	}
	b := append(m.arena.open(), '{')
	for c := j.members(); c.Next(); {
		if c.Key() != "tools" {
			b = appendName(b, c.Key())
			b = appendJSON(b, c.value())
		}
	}
	b = append(appendName(b, "tools"), '[')
	b = t.appendMerged(b, own)
	return m.structured(append(b, ']', '}')), true
}

func isToolList(j jsonText) bool {
	for c := j.elements(); c.Next(); {
		if !hasToolName(c.value()) {
			return false
		}
	}
	return j.isList()
}

// appendMerged writes the tools of an input followed by those it did not have.
func (t *toolbox) appendMerged(dst []byte, own jsonText) []byte {
	var names nameIndex
	for c := own.elements(); c.Next(); {
		dst = appendJSON(appendComma(dst), c.value())
		names.findOrAdd(toolName(c.value()))
	}
	for _, d := range t.definitions {
		if name := toolName(d); name == "" || names.find(name) < 0 {
			dst = appendJSON(appendComma(dst), d)
		}
	}
	return dst
}

func appendAll(dst []byte, list []jsonText) []byte {
	for _, j := range list {
		dst = appendJSON(appendComma(dst), j)
	}
	return dst
}
