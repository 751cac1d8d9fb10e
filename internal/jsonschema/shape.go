package jsonschema

import (
	"slices"
	"strconv"
	"strings"
)

// shape is the form required for the value of a keyword, according to the metaschema of draft-07. A keyword without a
// shape allows any value.
type shape struct {
	fits      func(*value) bool // nil if every value fits
	complaint string            // error message if it does not fit
	then      *shape            // additional requirement
	schemas   func(*value) []subschema
}

var (
	isString   = &shape{fits: ofKind(text), complaint: "must be a string"}
	isBoolean  = &shape{fits: ofKind(boolean), complaint: "must be true or false"}
	isList     = &shape{fits: ofKind(array), complaint: "must be a list"}
	isNumber   = &shape{fits: ofKind(number), complaint: "must be a number"}
	isPositive = &shape{
		fits:      func(v *value) bool { return v.kind == number && asFloat(v.text) > 0 },
		complaint: "must be a number above 0",
	}
	isCount = &shape{
		fits:      func(v *value) bool { return v.kind == number && isWhole(v.text) },
		complaint: "must be an integer of at least 0",
	}
	isNames = &shape{fits: areNames, complaint: "must be a list of different names"}
	isEnum  = &shape{
		fits:      func(v *value) bool { return isFilled(v) && areDifferent(v) },
		complaint: "must be a list of at least one value, all different",
	}
	isType       = &shape{fits: areTypes, complaint: "must be a type or a list of different types"}
	isSchema     = &shape{schemas: func(v *value) []subschema { return []subschema{{schema: v}} }}
	isSchemaList = &shape{fits: isFilled, complaint: "must be a list of at least one schema", schemas: listedSchemas}
	isSchemaMap  = &shape{fits: ofKind(object), complaint: "must be an object of schemas", schemas: namedSchemas}
	isItems      = &shape{
		fits:      func(v *value) bool { return v.kind != array || isFilled(v) },
		complaint: isSchemaList.complaint,
		schemas: func(v *value) []subschema {
			if v.kind == array {
				return listedSchemas(v)
			}
			return isSchema.schemas(v)
		},
	}
	isDependencies = &shape{fits: ofKind(object), complaint: "must be an object", then: &shape{
		fits: func(v *value) bool {
			return !slices.ContainsFunc(v.items, func(needed *value) bool { return needed.kind == array && !areNames(needed) })
		},
		complaint: "must hold schemas and lists of different names",
		schemas: func(v *value) []subschema {
			return slices.DeleteFunc(namedSchemas(v), func(sub subschema) bool { return sub.schema.kind == array })
		},
	}}
)

func ofKind(kind kinds) func(*value) bool { return func(v *value) bool { return v.kind == kind } }

// isFilled reports whether a value is a non-empty list.
func isFilled(v *value) bool { return v.kind == array && len(v.items) > 0 }

// subschema is a schema within a schema.
type subschema struct {
	at     string // pointer relative to the outer schema
	schema *value
}

// typeNames maps the type names of schemas to kinds.
var typeNames = map[string]kinds{
	"null": null, "boolean": boolean, "number": number, "integer": number, "string": text, "array": array, "object": object,
}

// subschemas checks the value of a keyword and returns the schemas in it. The complaint is empty if the value fits.
func (s *shape) subschemas(v *value) (found []subschema, complaint string) {
	switch {
	case s == nil:
		return nil, ""
	case s.fits != nil && !s.fits(v):
		return nil, s.complaint
	case s.schemas == nil:
		return s.then.subschemas(v)
	}
	return s.schemas(v), ""
}

func listedSchemas(v *value) []subschema {
	found := make([]subschema, len(v.items))
	for i := range v.items {
		found[i] = subschema{at: "/" + strconv.Itoa(i), schema: v.items[i]}
	}
	return found
}

func namedSchemas(v *value) []subschema {
	found := make([]subschema, len(v.items))
	for i, name := range v.names {
		found[i] = subschema{at: "/" + escapePointer(name), schema: v.items[i]}
	}
	return found
}

func areNames(v *value) bool {
	return v.kind == array && !slices.ContainsFunc(v.items, func(item *value) bool { return item.kind != text }) && areDifferent(v)
}

func areTypes(v *value) bool {
	if v.kind == text {
		return typeNames[v.text] != 0
	}
	unknown := func(item *value) bool { return item.kind != text || typeNames[item.text] == 0 }
	return isFilled(v) && !slices.ContainsFunc(v.items, unknown) && areDifferent(v)
}

func areDifferent(v *value) bool {
	list := newNode()
	list.UniqueItems = true
	return list.Validate(v.plain()) == nil
}

func escapePointer(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

func unescapePointer(part string) string {
	return strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
}
