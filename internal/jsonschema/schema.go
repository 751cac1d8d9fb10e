// Package jsonschema validates JSON values against JSON Schema draft-07, as interpreted by Ajv in strict mode.
//
// A schema is processed in three steps: shape.go checks that the values of keywords have the right form, strict.go that
// no keyword is misspelled or without effect, and build.go converts it to schemas of the library that applies them to
// values. The library bounds nothing; guard.go is called for every pair of a schema and a value, and ensures that no
// value takes more than a moment.
package jsonschema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"almanac/internal/decode"
)

const (
	maxSchemaLength = 10_000 // UTF-16 code units of the schema as compact JSON
	maxViolations   = 100    // violations reported for a value
)

// Schema is a compiled schema. It is safe for concurrent use, but validates one value at a time.
type Schema struct {
	root    *jsonschema.Schema
	checker *checker
}

// Violation is one way in which a value violates its schema.
type Violation struct {
	Path    string // JSON pointer to the part of the value, "" for the whole
	Message string
	Keyword string
}

// Compile compiles a schema. The error names the rule that the schema breaks and the location, as a JSON pointer after
// a "#".
func Compile(text []byte) (schema *Schema, err error) {
	defer catchRefusal(&err)
	if err := decode.CheckJSON(text); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	root := parse(text)
	if root.kind != object {
		return nil, errors.New("#: schema must be an object")
	}
	if length := root.compactLength(); length > maxSchemaLength {
		return nil, fmt.Errorf("#: schema has %d characters, more than %d", length, maxSchemaLength)
	}
	c := newCompiler(root)
	c.checkDraft()
	c.locate(root, "#", c.base)
	c.checkStrict(root, &scope{defined: map[string]bool{}})
	return &Schema{root: c.build(root), checker: c.checker}, nil
}

// Validate returns the violations of a value, given as JSON text, at most 100; none if it is valid.
func (s *Schema) Validate(text []byte) []Violation {
	if err := decode.CheckJSON(text); err != nil {
		return []Violation{{Message: "must be JSON: " + err.Error()}}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return []Violation{{Message: "must be JSON: " + err.Error()}}
	}
	return s.checker.check(s.root, boundNumbers(v), len(text))
}
