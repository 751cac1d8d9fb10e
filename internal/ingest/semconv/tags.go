package semconv

import (
	"strings"

	"almanac/internal/ingest/otlp"
)

// tags returns the tags, which may be sent as a list, a JSON list, a comma-separated string, or a single tag.
func (m *Mapper) tags() []string {
	for _, k := range tagKeys {
		v := m.span.at(k)
		switch {
		case !truthy(v):
			continue
		case v.Kind == otlp.KindList:
			return m.listTags(v.List)
		case !isText(v):
			return nil
		}
		text := v.Text
		if isMetadataKey(k) {
			text = unquoted(text)
		}
		if text != "" {
			return m.textTags(text)
		}
	}
	return nil
}

func (m *Mapper) listTags(list []otlp.Value) []string {
	from := len(m.lists)
	for i := range list {
		if i == maxTags {
			break
		}
		text := "null"
		if notNull(&list[i]) {
			text = m.text(&list[i])
		}
		m.lists = append(m.lists, text)
	}
	return m.newList(from)
}

func (m *Mapper) textTags(text string) []string {
	from := len(m.lists)
	if text[0] == '[' {
		if j, ok := parseJSON(text); ok {
			for c := j.elements(); c.Next() && len(m.lists)-from < maxTags; {
				m.lists = append(m.lists, c.value().text())
			}
			return m.newList(from)
		}
	}
	if !strings.Contains(text, ",") {
		m.lists = append(m.lists, text)
		return m.newList(from)
	}
	for part := range strings.SplitSeq(text, ",") {
		if len(m.lists)-from == maxTags {
			break
		}
		m.lists = append(m.lists, strings.TrimSpace(part))
	}
	return m.newList(from)
}

// newList returns the strings added to lists since a position; nil for none.
func (m *Mapper) newList(from int) []string {
	if from == len(m.lists) {
		return nil
	}
	return m.lists[from:len(m.lists):len(m.lists)]
}
