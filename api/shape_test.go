package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// document is an API description. Only its paths and the schemas they refer to are compared.
type document map[string]any

// at follows a JSON pointer. It returns nil if there is no such value.
func (d document) at(pointer string) any {
	var value any = map[string]any(d)
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "#/"), "/") {
		object, _ := value.(map[string]any)
		value = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
	}
	return value
}

// resolve follows references.
func (d document) resolve(value any) map[string]any {
	object, _ := value.(map[string]any)
	for {
		ref, ok := object["$ref"].(string)
		if !ok {
			return object
		}
		object, _ = d.at(ref).(map[string]any)
	}
}

// shape is one level of a schema: what the value may be, and the schemas of its contents.
type shape struct {
	// kinds are names of JSON types, "date-time", and single values as JSON; "any" alone stands for all of them.
	kinds  []string
	fields map[string]field
	items  any // nil if not specified
	values any // of additional properties; nil if not specified
}

type field struct {
	schema   any
	required bool
}

// shape returns one level of a schema. Conditions (if, then, else) are ignored: they only say how fields depend on each
// other.
func (d document) shape(schema any) shape {
	object, ok := schema.(map[string]any)
	if !ok {
		return shape{kinds: []string{"any"}}
	}
	s := ownShape(object)
	if ref, ok := object["$ref"].(string); ok {
		s = s.and(d.shape(d.at(ref)))
	}
	for _, part := range list(object["allOf"]) {
		s = s.and(d.shape(part))
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		alternatives := list(object[keyword])
		if len(alternatives) == 0 {
			continue
		}
		union := d.shape(alternatives[0])
		for _, alternative := range alternatives[1:] {
			union = union.or(d.shape(alternative))
		}
		s = s.and(union)
	}
	return s
}

func ownShape(object map[string]any) shape {
	s := shape{fields: map[string]field{}, items: object["items"]}
	switch kind := object["type"].(type) {
	case string:
		s.kinds = []string{kind}
	case []any:
		for _, k := range kind {
			s.kinds = append(s.kinds, k.(string))
		}
	default:
		s.kinds = []string{"any"}
	}
	if at := slices.Index(s.kinds, "string"); at >= 0 && object["format"] == "date-time" {
		s.kinds[at] = "date-time"
	}
	values := list(object["enum"])
	if value, ok := object["const"]; ok {
		values = []any{value}
	}
	if values != nil {
		s.kinds = nil
		for _, value := range values {
			s.kinds = append(s.kinds, asJSON(value))
		}
	}
	properties, _ := object["properties"].(map[string]any)
	for name, schema := range properties {
		s.fields[name] = field{schema: schema}
	}
	for _, name := range list(object["required"]) {
		s.fields[name.(string)] = field{s.fields[name.(string)].schema, true}
	}
	if free, ok := object["additionalProperties"].(map[string]any); ok {
		s.values = free
	}
	return s
}

// and returns the shape of values that match both shapes.
func (s shape) and(other shape) shape {
	both := shape{fields: map[string]field{}, items: s.items, values: s.values}
	for _, kind := range s.kinds {
		if covers(other.kinds, kind) {
			both.kinds = append(both.kinds, kind)
		}
	}
	for _, kind := range other.kinds {
		if covers(s.kinds, kind) && !slices.Contains(both.kinds, kind) {
			both.kinds = append(both.kinds, kind)
		}
	}
	maps.Copy(both.fields, s.fields)
	for name, f := range other.fields {
		if mine, ok := both.fields[name]; ok {
			f = field{combine("allOf", mine.schema, f.schema), mine.required || f.required}
		}
		both.fields[name] = f
	}
	both.items = combine("allOf", s.items, other.items)
	both.values = combine("allOf", s.values, other.values)
	return both
}

// or returns the shape of values that match either shape. Only shapes that can be objects contribute fields.
func (s shape) or(other shape) shape {
	union := shape{kinds: slices.Clone(s.kinds), fields: map[string]field{}}
	for _, kind := range other.kinds {
		if !slices.Contains(union.kinds, kind) {
			union.kinds = append(union.kinds, kind)
		}
	}
	switch {
	case !covers(s.kinds, "object"):
		union.fields = other.fields
	case !covers(other.kinds, "object"):
		union.fields = s.fields
	default:
		for name, f := range s.fields {
			twin, ok := other.fields[name]
			if ok {
				f.schema = combine("oneOf", f.schema, twin.schema)
			}
			union.fields[name] = field{f.schema, f.required && twin.required}
		}
		for name, f := range other.fields {
			if _, ok := s.fields[name]; !ok {
				union.fields[name] = field{f.schema, false}
			}
		}
	}
	union.items = combine("oneOf", s.items, other.items)
	union.values = combine("oneOf", s.values, other.values)
	return union
}

// combine merges two schemas, either of which may be nil.
func combine(keyword string, a, b any) any {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return map[string]any{keyword: []any{a, b}}
}

// covers reports whether kinds include all values of kind.
func covers(kinds []string, kind string) bool {
	return slices.ContainsFunc(kinds, func(k string) bool {
		switch k {
		case "any", kind:
			return true
		case "string":
			return kind == "date-time" || strings.HasPrefix(kind, `"`)
		case "number", "integer":
			return k == "number" && kind == "integer" || strings.Trim(kind, "0123456789") == ""
		case "boolean":
			return kind == "true" || kind == "false"
		}
		return false
	})
}

func list(value any) []any {
	l, _ := value.([]any)
	return l
}

func asJSON(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("a value of a description: %v", err))
	}
	return string(raw)
}
