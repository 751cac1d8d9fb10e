package jsonschema

import (
	"slices"
	"strconv"
	"strings"
)

// shape is the form that the value of a keyword must have, as draft-07's description of itself says.
type shape uint8

const (
	isAnything shape = iota
	isString
	isBoolean
	isList
	isNumber
	isPositive
	isCount
	isNames
	isEnum
	isType
	isSchema
	isSchemaList
	isSchemaMap
	isItems
	isDependencies
)

// subschema is a schema within a schema.
type subschema struct {
	at     string // pointer from the one to the other
	schema *value
}

// typeNames are the types that values have in schemas.
var typeNames = map[string]kinds{
	"null": null, "boolean": boolean, "number": number, "integer": number, "string": text, "array": array, "object": object,
}

// subschemas checks the value of a keyword and returns the schemas in it. The complaint is empty if there is none.
func (s shape) subschemas(v *value) (found []subschema, complaint string) {
	switch s {
	case isSchema:
		return []subschema{{schema: v}}, ""
	case isSchemaList:
		if v.kind != array || len(v.items) == 0 {
			return nil, "must be a list of at least one schema"
		}
		return listedSchemas(v), ""
	case isItems:
		if v.kind != array {
			return []subschema{{schema: v}}, ""
		}
		return isSchemaList.subschemas(v)
	case isSchemaMap:
		if v.kind != object {
			return nil, "must be an object of schemas"
		}
		return namedSchemas(v), ""
	case isDependencies:
		if v.kind != object {
			return nil, "must be an object"
		}
		found = namedSchemas(v)
		for _, sub := range found {
			if sub.schema.kind == array && !areNames(sub.schema) {
				return nil, "must hold schemas and lists of different names"
			}
		}
		return slices.DeleteFunc(found, func(sub subschema) bool { return sub.schema.kind == array }), ""
	default:
		return nil, s.complaint(v)
	}
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

func (s shape) complaint(v *value) string {
	ok, complaint := true, ""
	switch s {
	case isString:
		ok, complaint = v.kind == text, "must be a string"
	case isBoolean:
		ok, complaint = v.kind == boolean, "must be true or false"
	case isList:
		ok, complaint = v.kind == array, "must be a list"
	case isNumber:
		ok, complaint = v.kind == number, "must be a number"
	case isPositive:
		ok, complaint = v.kind == number && asFloat(v.text) > 0, "must be a number above 0"
	case isCount:
		ok = v.kind == number && isWhole(v.text)
		complaint = "must be an integer of at least 0"
	case isNames:
		ok, complaint = areNames(v), "must be a list of different names"
	case isEnum:
		ok = v.kind == array && len(v.items) > 0 && areDifferent(v)
		complaint = "must be a list of at least one value, all different"
	case isType:
		ok, complaint = areTypes(v), "must be a type or a list of different types"
	}
	if ok {
		return ""
	}
	return complaint
}

func areNames(v *value) bool {
	if v.kind != array {
		return false
	}
	for i := range v.items {
		if v.items[i].kind != text {
			return false
		}
	}
	return areDifferent(v)
}

func areTypes(v *value) bool {
	if v.kind == text {
		return typeNames[v.text] != 0
	}
	if v.kind != array || len(v.items) == 0 {
		return false
	}
	for _, item := range v.items {
		if item.kind != text || typeNames[item.text] == 0 {
			return false
		}
	}
	return areDifferent(v)
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
