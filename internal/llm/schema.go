package llm

import (
	"bytes"
	"encoding/json"
	"slices"
)

// isStrict reports whether a schema has the form that OpenAI can ensure: all properties are required, and no others are
// allowed.
func isStrict(schema json.RawMessage) bool {
	var value any
	return json.Unmarshal(schema, &value) == nil && strictValue(value, false)
}

// strictValue looks at a schema, or at schemas by name.
func strictValue(value any, named bool) bool {
	switch v := value.(type) {
	case map[string]any:
		if !named && v["type"] == "object" {
			properties, _ := v["properties"].(map[string]any)
			required, _ := v["required"].([]any)
			if v["additionalProperties"] != false || len(required) != len(properties) {
				return false
			}
		}
		for name, inner := range v {
			if !named && slices.Contains([]string{"oneOf", "allOf", "not", "if", "patternProperties", "default"}, name) {
				return false
			}
			if !named && slices.Contains([]string{"enum", "const", "examples"}, name) {
				continue
			}
			if !strictValue(inner, !named && slices.Contains(byName, name)) {
				return false
			}
		}
	case []any:
		for _, inner := range v {
			if !strictValue(inner, false) {
				return false
			}
		}
	}
	return true
}

// byName are the keywords whose members are schemas by names of the author.
var byName = []string{"properties", "$defs", "definitions", "patternProperties"}

// unknownToClaude are the keywords that Anthropic refuses. Answers are checked for them here.
var unknownToClaude = []string{
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "minItems", "maxItems",
	"uniqueItems", "minProperties", "maxProperties", "not", "$schema",
}

// plainSchema returns a schema as Anthropic takes it: without the keywords that it refuses, with anyOf in place of oneOf, and
// without additional properties. The order of the properties stays, since models write them in this order.
func plainSchema(schema json.RawMessage) json.RawMessage {
	value, err := readOrdered(json.NewDecoder(bytes.NewReader(schema)), 0)
	if err != nil {
		return schema
	}
	var b bytes.Buffer
	if writeOrdered(&b, plain(value, false)) != nil {
		return schema
	}
	return b.Bytes()
}

// member is a member of a JSON object.
type member struct {
	name  string
	value any
}

func plain(value any, named bool) any {
	switch v := value.(type) {
	case []member:
		kept := make([]member, 0, len(v)+1)
		isObject, closed := false, false
		for _, m := range v {
			if !named && slices.Contains(unknownToClaude, m.name) {
				continue
			}
			inner := m.value
			if named || !slices.Contains([]string{"enum", "const", "default", "examples", "required"}, m.name) {
				inner = plain(m.value, !named && slices.Contains(byName, m.name))
			}
			switch {
			case !named && m.name == "oneOf":
				m.name = "anyOf"
			case !named && m.name == "type" && m.value == "object":
				isObject = true
			case !named && m.name == "additionalProperties":
				closed, inner = true, false
			}
			kept = append(kept, member{m.name, inner})
		}
		if isObject && !closed {
			kept = append(kept, member{"additionalProperties", false})
		}
		return kept
	case []any:
		for n := range v {
			v[n] = plain(v[n], false)
		}
	}
	return value
}

// readOrdered reads a JSON value with objects as lists of members.
func readOrdered(in *json.Decoder, depth int) (any, error) {
	const deepest = 100
	in.UseNumber()
	token, err := in.Token()
	if err != nil {
		return nil, err
	}
	if depth > deepest {
		return nil, missing("end to its nesting")
	}
	switch token {
	case json.Delim('{'):
		members := []member{}
		for in.More() {
			name, err := in.Token()
			if err != nil {
				return nil, err
			}
			value, err := readOrdered(in, depth+1)
			if err != nil {
				return nil, err
			}
			text, _ := name.(string) // names are
			members = append(members, member{text, value})
		}
		_, err := in.Token()
		return members, err
	case json.Delim('['):
		items := []any{}
		for in.More() {
			value, err := readOrdered(in, depth+1)
			if err != nil {
				return nil, err
			}
			items = append(items, value)
		}
		_, err := in.Token()
		return items, err
	}
	return token, nil
}

func writeOrdered(b *bytes.Buffer, value any) error {
	switch v := value.(type) {
	case []member:
		b.WriteByte('{')
		for n, m := range v {
			if n > 0 {
				b.WriteByte(',')
			}
			name, err := marshal(m.name)
			if err != nil {
				return err
			}
			b.Write(name)
			b.WriteByte(':')
			if err := writeOrdered(b, m.value); err != nil {
				return err
			}
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for n, item := range v {
			if n > 0 {
				b.WriteByte(',')
			}
			if err := writeOrdered(b, item); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	default:
		text, err := marshal(v)
		if err != nil {
			return err
		}
		b.Write(text)
	}
	return nil
}
