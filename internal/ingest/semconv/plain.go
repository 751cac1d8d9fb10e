package semconv

import "almanac/internal/domain"

// Older clients send JSON with the same meaning instead of spans. These methods read parts of it by the rules for
// spans. Their results may use memory of the mapper and are valid until the next Begin.

// PlainText returns an input or an output: strings unquoted, null as "", anything else as normalized JSON.
func (m *Mapper) PlainText(json string) string {
	j, _ := parseJSON(json)
	return m.jsonBody(j).text
}

// PlainMetadata returns metadata as a JSON object of dotted keys, or "" if it is empty. Anything but an object is kept
// under the key "metadata".
func (m *Mapper) PlainMetadata(json string) string {
	j, _ := parseJSON(json)
	e := &m.observation
	e.reset()
	switch {
	case j.isObject():
		e.setMembers(j)
	case j != "" && !j.isNull():
		e.put(entry{key: "metadata", json: j})
	}
	w := &m.flat
	w.begin(append(m.arena.open(), '{'))
	for i := range e.list {
		w.entry("", &e.list[i])
	}
	if len(w.dst) == 1 {
		return ""
	}
	return m.arena.close(append(w.dst, '}'))
}

// PlainParameters returns the model parameters in a JSON object, or "" if there are none.
func (m *Mapper) PlainParameters(json string) string {
	j, _ := parseJSON(json)
	m.parameters.reset()
	m.parameters.setMembers(j)
	if len(m.parameters.list) == 0 {
		return ""
	}
	return m.writeParameters()
}

// PlainUsage returns the usage in a JSON object, with distinct kinds. It is valid until the next call.
func (m *Mapper) PlainUsage(json string) []domain.UsageEntry {
	m.usage = m.usage[:0]
	if j, ok := parseJSON(json); ok {
		m.explicitUsage(j)
	}
	return m.usage
}

// FindTools fills in the tool definitions and calls found in the input and output of a row.
func (m *Mapper) FindTools(row *domain.Observation) {
	row.ToolDefinitions, row.ToolNames = m.toolDefinitions(body{text: row.Input, set: row.Input != ""})
	row.ToolCalls, row.ToolCallNames = m.toolCalls(body{text: row.Output, set: row.Output != ""})
}
