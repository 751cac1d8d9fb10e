package scores

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"almanac/internal/decode"
	"almanac/internal/jsontext"
)

// maxMetadata is the maximum size of a score's metadata in bytes, including that of earlier writes.
const maxMetadata = 1 << 20

// readMetadata returns metadata as a JSON object, or "" for an empty one. Values keep the type and the digits that were
// sent. A value that is not an object becomes the field "metadata" of one, unless it is falsy in JavaScript, in which
// case it is ignored.
func readMetadata(v decode.Value) string {
	raw := v.Raw()
	switch v.Kind() {
	case "undefined", "null":
		return ""
	case "boolean":
		if raw[0] == 'f' {
			return ""
		}
	case "number":
		if f, err := strconv.ParseFloat(string(raw), 64); err == nil && f == 0 {
			return ""
		}
	case "string":
		if string(raw) == `""` {
			return ""
		}
	case "object":
		if text := compact(raw); text != "{}" {
			return text
		}
		return ""
	}
	return `{"metadata":` + compact(raw) + "}"
}

// compact returns JSON without whitespace, as valid UTF-8.
func compact(raw []byte) string {
	if !utf8.Valid(raw) {
		raw = bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	}
	var b bytes.Buffer
	b.Grow(len(raw))
	if err := json.Compact(&b, raw); err != nil {
		panic("BUG: a body that was checked is no JSON: " + err.Error())
	}
	return b.String()
}

// mergeMetadata merges objects, later ones over earlier ones: nested objects are merged as well, and any other value
// replaces the earlier one. A single object is returned as it was written.
func mergeMetadata(objects []string) string {
	filled := make([]string, 0, len(objects))
	for _, o := range objects {
		if o != "" {
			filled = append(filled, o)
		}
	}
	switch len(filled) {
	case 0:
		return ""
	case 1:
		return filled[0]
	}
	merged := make(map[string]any)
	for _, o := range filled {
		mergeInto(merged, parseObject(o))
	}
	return writeObject(merged)
}

// mergeInto recurses as deep as a body may be nested, which is limited.
func mergeInto(target, source map[string]any) {
	for key, value := range source {
		inner, isObject := value.(map[string]any)
		if below, both := target[key].(map[string]any); both && isObject {
			mergeInto(below, inner)
			continue
		}
		target[key] = value
	}
}

// parseObject parses an object; numbers keep their digits. Anything else yields nil.
func parseObject(text string) map[string]any {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	var object map[string]any
	if err := d.Decode(&object); err != nil {
		return nil
	}
	return object
}

func writeObject(object map[string]any) string {
	text, err := jsontext.Marshal(object)
	if err != nil {
		panic("BUG: what was read as JSON cannot be written: " + err.Error())
	}
	return string(text)
}
