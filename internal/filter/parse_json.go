package filter

import (
	"iter"
	"slices"
)

// jsonValue is one value of a filter that is known to be valid JSON, or the absence of one, with its path.
type jsonValue struct {
	raw  string // without space around it; empty if absent
	path []any
}

// kind returns the type of the value in the words of issues.
func (v jsonValue) kind() string {
	if v.raw == "" {
		return "undefined"
	}
	switch v.raw[0] {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// text returns what a string stands for.
func (v jsonValue) text() string { return leafText(v.raw) }

// inner returns a value within this one.
func (v jsonValue) inner(step any, raw string) jsonValue {
	return jsonValue{raw: raw, path: append(slices.Clone(v.path), step)}
}

// items goes through the items of an array.
func (v jsonValue) items() iter.Seq[jsonValue] {
	return func(yield func(jsonValue) bool) {
		rest := skipSpace(v.raw[1:])
		for n := 0; ; n++ {
			end := valueEnd(rest)
			if end <= 0 || !yield(v.inner(n, rest[:end])) {
				return
			}
			rest = skipSpace(rest[end:])
			if rest == "" || rest[0] != ',' {
				return
			}
			rest = skipSpace(rest[1:])
		}
	}
}

// is says whether a value has a type, and records an issue if it has not.
func (p *parser) is(v jsonValue, kind string) bool {
	if got := v.kind(); got != kind {
		p.wrongType(v, kind, got)
		return false
	}
	return true
}
