package semconv

import (
	"strconv"
	"strings"

	"almanac/internal/ingest/otlp"
	"almanac/internal/jsontext"
)

// entry is one top-level key of metadata. Its value is json if that is set, else the value of an attribute.
type entry struct {
	key   string
	json  jsonText
	value *otlp.Value
	alias bool // yields to a value that is not an alias
}

// entries are metadata in order of first occurrence.
type entries struct {
	list  []entry
	names nameIndex
}

func (e *entries) reset() {
	clear(e.list)
	e.list = e.list[:0]
	e.names.reset()
}

// set adds a value, or replaces the one with the same key unless that takes precedence.
func (e *entries) set(x entry) {
	if x.alias {
		if i := e.names.find(x.key); i >= 0 && !e.list[i].alias {
			return
		}
	}
	e.put(x)
}

// put adds a value, or replaces the one with the same key.
func (e *entries) put(x entry) {
	if i := e.names.findOrAdd(x.key); i >= 0 {
		e.list[i] = x
		return
	}
	e.list = append(e.list, x)
}

// setMembers adds the members of a JSON object. One that is too large is added as a single string.
func (e *entries) setMembers(j jsonText) {
	n := 0
	for c := j.members(); c.Next(); {
		if n++; n > maxMembers {
			e.reset()
			e.put(entry{key: "metadata", json: jsonText(jsontext.AppendString(nil, string(j))), alias: true})
			return
		}
		e.put(entry{key: c.Key(), json: c.value(), alias: true})
	}
}

// setElements adds the elements of a list, with their positions as keys.
func (e *entries) setElements(list []otlp.Value) {
	for i := range list[:min(len(list), maxMembers)] {
		e.put(entry{key: strconv.Itoa(i), value: &list[i], alias: true})
	}
}

// readMetadata collects the metadata set by the client for the observation and its trace.
func (m *Mapper) readMetadata() {
	a := &m.span
	m.observation.reset()
	m.trace.reset()
	m.readBlob(&m.observation, a.first(truthy, keyObservationMetadata, keyMetadata))
	m.readBlob(&m.trace, a.first(truthy, keyTraceMetadata, keyMetadata))
	const user = 1<<observationMetadata | 1<<traceMetadata | 1<<plainMetadata | 1<<vercelMetadata
	if a.families&user == 0 {
		return
	}
	for i := range a.list {
		x := &a.list[i]
		next := entry{key: x.rest, value: x.value, alias: x.alias}
		switch x.family {
		case observationMetadata:
			next.json, _ = jsonOf(x.value)
			m.observation.set(next)
		case traceMetadata:
			next.json, _ = jsonOf(x.value)
			m.trace.set(next)
		case plainMetadata, vercelMetadata:
			// These are not written as JSON. They belong to both.
			if !isVercelOwn(x.key) {
				m.observation.set(next)
				m.trace.set(next)
			}
		}
	}
}

// isVercelOwn reports whether k is metadata of the AI SDK that has a field of its own.
func isVercelOwn(k key) bool {
	return k == keyVercelUserID || k == keyVercelSessionID || k == keyVercelTags || k == keyVercelPromptLink
}

// readBlob reads metadata sent as a whole: a JSON object or list, or a list of values. Anything else is ignored.
func (m *Mapper) readBlob(e *entries, v *otlp.Value) {
	switch {
	case v == nil:
	case v.Kind == otlp.KindList:
		e.setElements(v.List)
	default:
		j, ok := jsonOf(v)
		if !ok {
			return
		}
		e.setMembers(j)
		n := 0
		for c := j.elements(); c.Next() && n < maxMembers; n++ {
			e.put(entry{key: strconv.Itoa(n), json: c.value(), alias: true})
		}
	}
}

// mergeMetadata returns the metadata of observation and trace. On conflict, the trace wins.
func (m *Mapper) mergeMetadata() *entries {
	if len(m.trace.list) == 0 {
		return &m.observation
	}
	if len(m.observation.list) == 0 {
		return &m.trace
	}
	m.merged.reset()
	for _, x := range m.observation.list {
		m.merged.put(x)
	}
	for _, x := range m.trace.list {
		m.merged.put(x)
	}
	return &m.merged
}

// The groups at the start of metadata.
const (
	attributesGroup = "attributes"
	resourceGroup   = "resourceAttributes"
	scopeGroup      = "scope"
)

// metadata writes the metadata of a row: attributes without a special meaning, the resource, the scope, and the
// client's metadata. The parts for the resource and the scope were written once per scope.
func (m *Mapper) metadata(user *entries, skip string) string {
	w := &m.flat
	w.begin(append(m.arena.open(), '{'))
	if meetsGroup(user) {
		m.composeSlowly(user, skip)
	} else {
		if !m.ownScope {
			w.dst = appendAttributes(w.dst, m.span.list)
		}
		if len(m.shared.metadata) > 0 {
			w.dst = append(appendComma(w.dst), m.shared.metadata...)
		}
		for i := range user.list {
			if x := &user.list[i]; skip == "" || x.key != skip {
				w.entry("", x)
			}
		}
	}
	if m.warned > 0 {
		w.entry("", &entry{key: warningsKey, value: &otlp.Value{Kind: otlp.KindText, Text: jsontext.View(m.warnings)}})
	}
	if len(w.dst) == 1 {
		return ""
	}
	return m.arena.close(append(w.dst, '}'))
}

// appendAttributes writes the attributes that are not content. Their names are distinct.
func appendAttributes(dst []byte, list []attr) []byte {
	for i := range list {
		if x := &list[i]; x.use == kept {
			dst = append(appendComma(dst), `"attributes.`...)
			dst = jsontext.AppendEscaped(dst, x.name)
			dst = append(dst, '"', ':')
			dst = appendValue(dst, x.value)
		}
	}
	return dst
}

// meetsGroup reports whether a key of the client may collide with a group.
func meetsGroup(user *entries) bool {
	for i := range user.list {
		first, _, _ := strings.Cut(user.list[i].key, ".")
		if first == attributesGroup || first == resourceGroup || first == scopeGroup {
			return true
		}
	}
	return false
}

// composeSlowly writes metadata whose keys may collide: a client's key replaces the group of the same name, in its
// place; otherwise the first of equal paths wins.
func (m *Mapper) composeSlowly(user *entries, skip string) {
	w := &m.flat
	replaced := func(group string) bool {
		i := user.names.find(group)
		if i >= 0 && group != skip {
			w.entry("", &user.list[i])
		}
		return i >= 0
	}
	if !m.ownScope && !replaced(attributesGroup) {
		for i := range m.span.list {
			if x := &m.span.list[i]; x.use == kept {
				w.entry("attributes.", &entry{key: x.name, value: x.value})
			}
		}
	}
	if !replaced(resourceGroup) {
		w.resource(&m.resource)
	}
	if !replaced(scopeGroup) {
		w.scope(m.scope, &m.scopeAttrs)
	}
	for i := range user.list {
		x := &user.list[i]
		switch {
		case x.key == resourceGroup, x.key == scopeGroup, x.key == attributesGroup && !m.ownScope, skip != "" && x.key == skip:
		default:
			w.entry("", x)
		}
	}
}

// traceMetadataText writes the metadata of the trace as the client sent it, without flattening objects.
func (m *Mapper) traceMetadataText() string {
	if len(m.trace.list) == 0 {
		return ""
	}
	b := append(m.arena.open(), '{')
	for i := range m.trace.list {
		x := &m.trace.list[i]
		b = appendName(b, x.key)
		if x.json != "" {
			b = appendJSON(b, x.json)
		} else {
			b = appendValue(b, x.value)
		}
	}
	return m.arena.close(append(b, '}'))
}
