package experimenting

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/jsonschema"
)

// The names of the scores of checks.
const (
	EqualsExpected = "equals_expected"
	ValidJSON      = "valid_json"
	MatchesSchema  = "matches_schema"
)

// Checks are scores that need neither a model nor a person.
type Checks struct {
	// Equal compares the output with the expected one: values if the expected output is no text, and otherwise texts without
	// the blanks around them. Items without an expected output have no such score.
	Equal bool `json:"equal"`
	JSON  bool `json:"json"` // the output is JSON
	// Schema is a JSON Schema that the output must match; nil for none.
	Schema json.RawMessage `json:"schema,omitempty"`
}

// checker is Checks that are ready to be made.
type checker struct {
	Checks
	schema *jsonschema.Schema // nil for none
}

// verdict is the outcome of a check.
type verdict struct {
	name    string
	passed  bool
	comment string // why not
}

func (c Checks) compile() (checker, error) {
	compiled := checker{Checks: c}
	if c.Schema == nil {
		return compiled, nil
	}
	var err error
	if compiled.schema, err = jsonschema.Compile(c.Schema); err != nil {
		return compiled, fmt.Errorf("cannot use the schema of a check: %w", err)
	}
	return compiled, nil
}

// check returns the outcomes of all checks of an output.
func (c *checker) check(output string, item *domain.DatasetItem) (verdicts []verdict) {
	if c.Equal && item.ExpectedOutput != nil {
		verdicts = append(verdicts, verdict{name: EqualsExpected, passed: equals(output, item.ExpectedOutput)})
	}
	value, ok := isJSON(output)
	const noJSON = "The output is not JSON"
	if c.JSON {
		v := verdict{name: ValidJSON, passed: ok}
		if !ok {
			v.comment = noJSON
		}
		verdicts = append(verdicts, v)
	}
	if c.schema != nil {
		v := verdict{name: MatchesSchema, comment: noJSON}
		if ok {
			v.comment = violations(c.schema.Validate(value))
			v.passed = v.comment == ""
		}
		verdicts = append(verdicts, v)
	}
	return verdicts
}

// violations returns the first violations of a schema as one text, "" for none.
func violations(all []jsonschema.Violation) string {
	const most = 5
	var texts []string
	for _, v := range all[:min(len(all), most)] {
		at := v.Path
		if at == "" {
			at = "the output"
		}
		texts = append(texts, at+" "+v.Message)
	}
	return strings.Join(texts, "; ")
}

// equals reports whether an output is the expected one.
func equals(output string, expected json.RawMessage) bool {
	if expected[0] == '"' {
		return strings.TrimSpace(output) == strings.TrimSpace(plainText(expected))
	}
	value, ok := isJSON(output)
	if !ok {
		return false
	}
	a, errA := valueOf(value)
	b, errB := valueOf(expected)
	return errA == nil && errB == nil && sameValue(a, b)
}

// valueOf reads JSON with numbers as they are written.
func valueOf(raw json.RawMessage) (value any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more than one value")
	}
	return value, nil
}

// sameValue compares JSON values; the order of members does not matter.
func sameValue(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, value := range a {
			other, ok := b[name]
			if !ok || !sameValue(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for n := range a {
			if !sameValue(a[n], b[n]) {
				return false
			}
		}
		return true
	case json.Number:
		b, ok := b.(json.Number)
		return ok && sameNumber(string(a), string(b))
	}
	return a == b
}

// sameNumber compares numbers: 1 and 1.0 are the same. Integers are compared digit by digit, since they can have more than
// a float keeps.
func sameNumber(a, b string) bool {
	const floating = ".eE"
	if a == b || !strings.ContainsAny(a, floating) && !strings.ContainsAny(b, floating) {
		return a == b || a == "-0" && b == "0" || a == "0" && b == "-0"
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}
