package langfuse

import (
	"encoding/json"
	"strings"

	"almanac/internal/jsontext"
)

// camelCase renames the members of an object as in the API: created_at becomes createdAt.
func camelCase(text string) []byte {
	object := make([]byte, 0, len(text))
	object = append(object, '{')
	for m := jsontext.CheckedMembersOf(text); m.Next(); {
		if len(object) > 1 {
			object = append(object, ',')
		}
		object = appendCamel(append(object, '"'), m.Name)
		object = append(append(object, `":`...), m.Value...)
	}
	return append(object, '}')
}

// appendCamel appends the API name of a column.
func appendCamel(to []byte, column string) []byte {
	upper := false
	for _, c := range []byte(column) {
		if c == '_' {
			upper = true
			continue
		}
		if upper {
			c = strings.ToUpper(string(c))[0]
		}
		to, upper = append(to, c), false
	}
	return to
}

// pairs returns an object of names and values. Values that are valid JSON keep their type; others are strings.
func pairs(names, values []string) json.RawMessage {
	if len(names) == 0 {
		return nil
	}
	object := []byte{'{'}
	for n, name := range names[:min(len(names), len(values))] {
		if n > 0 {
			object = append(object, ',')
		}
		object = append(jsontext.AppendString(object, name), ':')
		if value := values[n]; json.Valid([]byte(value)) {
			object = append(object, value...)
		} else {
			object = jsontext.AppendString(object, value)
		}
	}
	return append(object, '}')
}
