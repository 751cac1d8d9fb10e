package semconv

import (
	"strings"

	"almanac/internal/otlp"
)

// A value is tested in four ways. They differ in what counts as nothing.

// present: the attribute was sent.
func present(v *otlp.Value) bool { return v != nil }

// notNull: it was sent and is not null.
func notNull(v *otlp.Value) bool { return v != nil && v.Kind != otlp.KindNull }

// truthy: it is not null, empty text, zero or false.
func truthy(v *otlp.Value) bool {
	if v == nil {
		return false
	}
	switch v.Kind {
	case otlp.KindText, otlp.KindJSON:
		return v.Text != ""
	case otlp.KindInt, otlp.KindBool:
		return v.Int != 0
	case otlp.KindFloat:
		return v.Float < 0 || v.Float > 0
	case otlp.KindList:
		return true
	default:
		return false
	}
}

// meaningful: it is not null, empty text or an empty list.
func meaningful(v *otlp.Value) bool {
	if v == nil {
		return false
	}
	switch v.Kind {
	case otlp.KindText, otlp.KindJSON:
		return v.Text != ""
	case otlp.KindList:
		return len(v.List) > 0
	default:
		return v.Kind != otlp.KindNull
	}
}

// isText reports whether a value is text. The JSON of a key-value list is text as well: nothing looks into it.
func isText(v *otlp.Value) bool {
	return v != nil && (v.Kind == otlp.KindText || v.Kind == otlp.KindJSON)
}

// textOf returns a value that is text, or nothing.
func textOf(v *otlp.Value) string {
	if isText(v) {
		return v.Text
	}
	return ""
}

// isTrue: the boolean or the word.
func isTrue(v *otlp.Value) bool {
	return v != nil && (v.Kind == otlp.KindBool && v.Int != 0 || v.Kind == otlp.KindText && v.Text == "true")
}

// numberOf reads a number, or text that is one.
func numberOf(v *otlp.Value) (float64, bool) {
	if v == nil {
		return 0, false
	}
	switch v.Kind {
	case otlp.KindInt:
		return float64(v.Int), true
	case otlp.KindFloat:
		return v.Float, isFinite(v.Float)
	case otlp.KindText:
		return parseNumber(strings.TrimSpace(v.Text))
	default:
		return 0, false
	}
}

// jsonOf reads text that is JSON.
func jsonOf(v *otlp.Value) (jsonText, bool) {
	if !isText(v) {
		return "", false
	}
	return parseJSON(v.Text)
}

// objectOf reads text that is a JSON object.
func objectOf(v *otlp.Value) (jsonText, bool) {
	j, ok := jsonOf(v)
	return j, ok && j.isObject()
}

// text returns a value as text: text as it is, anything else as JSON, null and nothing as nothing.
func (m *Mapper) text(v *otlp.Value) string {
	switch {
	case !notNull(v):
		return ""
	case isText(v):
		return v.Text
	default:
		return m.arena.close(appendValue(m.arena.open(), v))
	}
}
