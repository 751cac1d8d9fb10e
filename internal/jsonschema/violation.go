package jsonschema

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// add adds a violation, unless it may turn out not to matter and there are enough of those.
func (r *run) add(list []Violation, at []string, keyword, message string) []Violation {
	if r.trials > 0 {
		if r.kept++; r.kept > maxViolations {
			return list
		}
	}
	path := pointer(at)
	r.spend(len(path) / bytesPerUnit)
	return append(list, Violation{path, message, keyword})
}

// flatten adds the violations represented by an error of the library.
func (r *run) flatten(list []Violation, err *jsonschema.ValidationError) []Violation {
	add := func(keyword, message string) { list = r.add(list, err.InstanceLocation, keyword, message) }
	switch k := err.ErrorKind.(type) {
	case *noted:
		return append(list, k.list...)
	case *kind.RefCycle:
		panic(exhausted)
	case *kind.AnyOf, *kind.OneOf, *kind.AllOf, *kind.Group:
		for _, cause := range err.Causes {
			list = r.flatten(list, cause)
		}
	case *kind.Required:
		for _, name := range k.Missing {
			add("required", "must have required property '"+name+"'")
		}
		return list
	case *kind.Dependency:
		what := " properties "
		if len(k.Missing) == 1 {
			what = " property "
		}
		add("dependencies", "must have"+what+strings.Join(k.Missing, ", ")+" when property "+k.Prop+" is present")
		return list
	}
	if message := describe(err.ErrorKind); message != "" {
		keyword := "not"
		if words := err.ErrorKind.KeywordPath(); len(words) > 0 {
			keyword = words[0]
		}
		add(keyword, message)
	}
	return list
}

// describe returns the message for a violated rule, in Ajv's words where they are sufficient; "" for kinds that group
// others. No message repeats the value, which may be long.
func describe(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Const:
		return "must be equal to constant"
	case *kind.MinLength:
		return noFewer(k.Want, "characters")
	case *kind.MaxLength:
		return noMore(k.Want, "characters")
	case *kind.MinItems:
		return noFewer(k.Want, "items")
	case *kind.MaxItems:
		return noMore(k.Want, "items")
	case *kind.MinProperties:
		return noFewer(k.Want, "properties")
	case *kind.MaxProperties:
		return noMore(k.Want, "properties")
	case *kind.Pattern:
		return `must match pattern "` + k.Want + `"`
	case *kind.AdditionalItems:
		return "must NOT have additional items"
	case *kind.UniqueItems:
		return "must NOT have duplicate items (items ## " + strconv.Itoa(k.Duplicates[0]) + " and " + strconv.Itoa(k.Duplicates[1]) +
			" are identical)"
	case *kind.Contains:
		return "must contain at least 1 valid item(s)"
	case *kind.AdditionalProperties:
		return "must NOT have additional properties"
	case *kind.PropertyNames:
		return "property name must be valid"
	case *kind.Not:
		return "must NOT be valid"
	case *kind.AnyOf:
		return "must match a schema in anyOf"
	case *kind.OneOf:
		return "must match exactly one schema in oneOf"
	}
	return ""
}

func noFewer(n int, what string) string {
	return "must NOT have fewer than " + strconv.Itoa(n) + " " + what
}

func noMore(n int, what string) string {
	return "must NOT have more than " + strconv.Itoa(n) + " " + what
}

// pointer returns a path as a JSON pointer.
func pointer(path []string) string {
	var b strings.Builder
	for _, step := range path {
		b.WriteByte('/')
		b.WriteString(escapePointer(step))
	}
	return b.String()
}

// sorted sorts violations deterministically, since the library visits objects in random order. At one location, a wrong
// type comes first and rules that group others come last.
func sorted(list []Violation) []Violation {
	rank := func(v Violation) int {
		switch v.Keyword {
		case "type":
			return 0
		case "anyOf", "oneOf", "not", "contains", "propertyNames":
			return 2
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b Violation) int {
		return cmp.Or(comparePaths(a.Path, b.Path), cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Keyword, b.Keyword),
			cmp.Compare(a.Message, b.Message))
	})
	return list
}

// comparePaths compares paths, with list items in numeric order.
func comparePaths(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "/"), strings.Split(b, "/"), func(a, b string) int {
		x, errX := strconv.Atoi(a)
		y, errY := strconv.Atoi(b)
		switch {
		case errX == nil && errY == nil:
			return cmp.Compare(x, y)
		case errX == nil:
			return -1
		case errY == nil:
			return 1
		}
		return cmp.Compare(a, b)
	})
}
