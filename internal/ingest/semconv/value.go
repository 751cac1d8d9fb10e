package semconv

import (
	"strings"

	"almanac/internal/ingest/otlp"
)

// A value is tested in four ways, which differ in what counts as unset.

// present: the attribute was sent.
func present(v *otlp.Value) bool { return v != nil }

// notNull: it was sent and is not null.
func notNull(v *otlp.Value) bool { return v != nil && v.Kind != otlp.KindNull }

// truthy: it is not null, an empty string, zero or false.
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

// meaningful: it is not null, an empty string or an empty list.
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

// isText reports whether a value is a string. This includes the JSON of a key-value list, which is never examined.
func isText(v *otlp.Value) bool {
	return v != nil && (v.Kind == otlp.KindText || v.Kind == otlp.KindJSON)
}

// textOf returns the value if it is a string, else "".
func textOf(v *otlp.Value) string {
	if isText(v) {
		return v.Text
	}
	return ""
}

// isTrue: the boolean or the string.
func isTrue(v *otlp.Value) bool {
	return v != nil && (v.Kind == otlp.KindBool && v.Int != 0 || v.Kind == otlp.KindText && v.Text == "true")
}

// numberOf returns the value of a number or a numeric string.
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

// jsonOf returns the value if it is a string of JSON.
func jsonOf(v *otlp.Value) (jsonText, bool) {
	if !isText(v) {
		return "", false
	}
	return parseJSON(v.Text)
}

// objectOf returns the value if it is a string with a JSON object.
func objectOf(v *otlp.Value) (jsonText, bool) {
	j, ok := jsonOf(v)
	return j, ok && j.isObject()
}

// text returns strings as they are, null and nil as "", and anything else as JSON.
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
