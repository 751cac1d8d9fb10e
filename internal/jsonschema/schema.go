// Package jsonschema checks JSON values against JSON Schema draft-07, as Ajv in its strict mode understands it: the same schemas are
// refused, and violations come in the same order with the same messages.
//
// A schema goes three ways: shape.go checks that keywords have values of the right form, strict.go that no keyword is misspelled or
// without effect, and build.go turns it into checks that run.go applies to values.
package jsonschema

import (
	"errors"
	"fmt"
	"unicode/utf16"
)

const (
	maxSchemaLength = 10_000 // UTF-16 units of the schema as compact JSON
	maxNesting      = 200    // levels of lists and objects in a schema or value
	maxViolations   = 100    // violations that are reported for a value
)

// Schema is a compiled schema. It never changes and any number of goroutines may use it.
type Schema struct {
	root *node // nil accepts everything
}

// Violation is one way in which a value does not meet its schema.
type Violation struct {
	Path    string // JSON pointer to the part of the value, "" for the whole
	Message string
	Keyword string
}

// Compile reads a schema. The error says which rule the schema breaks and where, as a JSON pointer after a "#".
func Compile(text []byte) (*Schema, error) {
	root, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	if root.kind != object {
		return nil, errors.New("#: schema must be an object")
	}
	if length := compactLength(&root); length > maxSchemaLength {
		return nil, fmt.Errorf("#: schema has %d characters, more than %d", length, maxSchemaLength)
	}
	c := newCompiler(&root)
	if err := c.checkDraft(); err != nil {
		return nil, err
	}
	if err := c.locate(&root, "#", c.base); err != nil {
		return nil, err
	}
	if err := c.checkStrict(&root, &scope{defined: map[string]bool{}}); err != nil {
		return nil, err
	}
	built, err := c.build(&root)
	if err != nil {
		return nil, err
	}
	return &Schema{root: built}, nil
}

// Validate returns the violations of a value, given as JSON text, at most 100; none if the value is valid.
// An empty text stands for a value that is absent.
func (s *Schema) Validate(text []byte) []Violation {
	v := value{kind: absent}
	if len(text) > 0 {
		var err error
		if v, err = parse(text); err != nil {
			return []Violation{{Message: "must be JSON: " + err.Error()}}
		}
	}
	return newRun(len(text)).violations(s.root, &v)
}

// compactLength counts the UTF-16 units of a value as JavaScript writes it, without blanks.
func compactLength(v *value) int {
	switch v.kind {
	case number:
		return len(numberText(v.text))
	case text:
		return quotedLength(v.text)
	case array, object:
		length := 1 + max(1, len(v.list.items)) // brackets and commas
		for i := range v.list.items {
			if v.kind == object {
				length += quotedLength(v.list.names[i]) + 1
			}
			length += compactLength(&v.list.items[i])
		}
		return length
	default:
		return len(v.text)
	}
}

func quotedLength(s string) int {
	length := 2
	for _, r := range s {
		switch {
		case r == '"' || r == '\\' || r == '\b' || r == '\f' || r == '\n' || r == '\r' || r == '\t':
			length += 2
		case r < ' ':
			length += len(`\u0000`)
		default:
			length += utf16.RuneLen(r)
		}
	}
	return length
}
