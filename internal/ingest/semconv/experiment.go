package semconv

import (
	"time"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
)

// experiment fills in the experiment fields of a row.
func (m *Mapper) experiment(row *domain.Observation) {
	a := &m.span
	text := func(k key) string { return m.text(a.first(truthy, k)) }
	row.ExperimentID = text(keyExperimentID)
	row.ExperimentName = text(keyExperimentName)
	row.ExperimentDescription = text(keyExperimentDescription)
	row.ExperimentDatasetID = text(keyExperimentDatasetID)
	row.ExperimentMetadata = m.experimentMetadata(a.at(keyExperimentMetadata), experimentMetadata)
	row.ExperimentItemID = text(keyItemID)
	row.ExperimentItemVersion = itemVersion(a.at(keyItemVersion))
	row.ExperimentItemRootSpanID = text(keyItemRootSpanID)
	row.ExperimentItemExpectedOutput = text(keyItemExpectedOutput)
	row.ExperimentItemMetadata = m.experimentMetadata(a.at(keyItemMetadata), itemMetadata)
}

// itemVersion returns a date as reads return it, "" if it is not a date.
func itemVersion(v *otlp.Value) string {
	text := textOf(v)
	if text == "" {
		return ""
	}
	t := parseDate(text)
	if t == 0 {
		return ""
	}
	return time.UnixMilli(t.Millis()).UTC().Format("2006-01-02T15:04:05.000Z")
}

// experimentMetadata returns an object of dotted keys and string values: the members of a JSON object, overridden by
// one attribute per key. Attribute values that are JSON strings are unquoted; others are used as they are.
func (m *Mapper) experimentMetadata(whole *otlp.Value, each family) string {
	if !truthy(whole) && !m.span.has(each) {
		return ""
	}
	e := &m.merged
	e.reset()
	if j, ok := objectOf(whole); ok {
		e.setMembers(j)
	}
	for i := range m.span.list {
		x := &m.span.list[i]
		if x.family != each {
			continue
		}
		next := entry{key: x.rest, value: x.value, alias: x.alias}
		if j, ok := jsonOf(x.value); ok && j.isString() {
			next.json = j
		}
		e.set(next)
	}
	w := &m.flat
	w.begin(append(m.arena.open(), '{'))
	w.texts = true
	for i := range e.list {
		w.entry("", &e.list[i])
	}
	w.texts = false
	if len(w.dst) == 1 {
		return ""
	}
	return m.arena.close(append(w.dst, '}'))
}
