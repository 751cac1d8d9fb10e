package semconv

import "almanac/internal/domain"

// What older clients send is JSON and no span, but it means the same. These methods read parts of it by the rules for
// spans. What they return may be memory of the mapper: it is valid until the next Begin.

// PlainText returns an input or an output: a string as it is, null as nothing, anything else as JSON in one spelling.
func (m *Mapper) PlainText(json string) string {
	j, _ := parseJSON(json)
	return m.jsonBody(j).text
}

// PlainMetadata returns metadata as a JSON object of dotted keys, or nothing if there is nothing in them. What is no object
// is kept under the key "metadata".
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

// PlainParameters returns the parameters of a model that are in a JSON object, or nothing if there are none.
func (m *Mapper) PlainParameters(json string) string {
	j, _ := parseJSON(json)
	m.parameters.reset()
	m.parameters.setMembers(j)
	if len(m.parameters.list) == 0 {
		return ""
	}
	return m.writeParameters()
}

// PlainUsage returns the usage that is in a JSON object, each kind once. It is valid until the next call.
func (m *Mapper) PlainUsage(json string) []domain.UsageEntry {
	m.usage = m.usage[:0]
	if j, ok := parseJSON(json); ok {
		m.explicitUsage(j)
	}
	return m.usage
}

// FindTools fills what the input and the output of a row say about tools.
func (m *Mapper) FindTools(row *domain.Observation) {
	row.ToolDefinitions, row.ToolNames = m.toolDefinitions(body{text: row.Input, set: row.Input != ""})
	row.ToolCalls, row.ToolCallNames = m.toolCalls(body{text: row.Output, set: row.Output != ""})
}
