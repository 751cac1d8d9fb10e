package jsonschema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What Ajv 8 answers with strict, allErrors and validateFormats off. A violation is written as path, keyword and message.
func TestViolations(t *testing.T) {
	t.Parallel()
	tests := []struct {
		schema, value string
		want          []string
	}{
		{
			`{"$id":"http://e.org/root.json","type":"object","properties":{"a":{"$ref":"http://e.org/root.json#/definitions/s"},"b":{"$ref":"root.json#/definitions/s"},"c":{"$ref":"#/definitions/s"}},"definitions":{"s":{"type":"string"}}}`,
			`{"a":1,"b":2,"c":3}`,
			[]string{"/a type: must be string", "/b type: must be string", "/c type: must be string"},
		},
		{
			`{"$id":"http://e.org/root.json","$ref":"other.json","definitions":{"s":{"$id":"other.json","type":"string"}}}`,
			"1",
			[]string{"# type: must be string"},
		},
		{
			`{"$id":"http://e.org/root.json","$ref":"other.json","definitions":{"s":{"$id":"other.json","type":"string"}}}`,
			`"a"`,
			nil,
		},
		{
			`{"$id":"http://e.org/root.json","$ref":"other.json#/definitions/n","definitions":{"s":{"$id":"other.json","definitions":{"n":{"type":"number"}}}}}`,
			"1",
			nil,
		},
		{
			`{"$id":"http://e.org/root.json","$ref":"other.json#/definitions/n","definitions":{"s":{"$id":"other.json","definitions":{"n":{"type":"number"}}}}}`,
			`"a"`,
			[]string{"# type: must be number"},
		},
		{`{"$ref":"#foo","definitions":{"s":{"$id":"#foo","type":"string"}}}`, "1", []string{"# type: must be string"}},
		{`{"$ref":"#foo","definitions":{"s":{"$id":"#foo","type":"string"}}}`, `"a"`, nil},
		{
			`{"$id":"urn:x:y","$ref":"#/definitions/s","definitions":{"s":{"type":"string"}}}`,
			"1",
			[]string{"# type: must be string"},
		},
		{
			`{"$id":"urn:x:y","$ref":"urn:x:y#/definitions/s","definitions":{"s":{"type":"string"}}}`,
			"1",
			[]string{"# type: must be string"},
		},
		{`{"$ref":"#/definitions/a%20b","definitions":{"a b":{"type":"string"}}}`, "1", []string{"# type: must be string"}},
		{`{"$ref":"#/definitions/a~1b","definitions":{"a/b":{"type":"string"}}}`, "1", []string{"# type: must be string"}},
		{`{"$ref":"#/definitions/a%25b","definitions":{"a%b":{"type":"string"}}}`, "1", []string{"# type: must be string"}},
		{`{"$ref":"#/definitions/a%2Fb","definitions":{"a/b":{"type":"string"}}}`, "1", []string{"# type: must be string"}},
		{`{"$ref":"#/definitions/é","definitions":{"é":{"type":"string"}}}`, "1", []string{"# type: must be string"}},
		{
			`{"$ref":"#/definitions/Foo[Bar]","definitions":{"Foo[Bar]":{"type":"string"}}}`,
			"1",
			[]string{"# type: must be string"},
		},
		{
			`{"$ref":"#/definitions/Foo<Bar>","definitions":{"Foo<Bar>":{"type":"string"}}}`,
			"1",
			[]string{"# type: must be string"},
		},
		{
			`{"$ref":"#/definitions/Foo Bar","definitions":{"Foo Bar":{"type":"string"}}}`,
			"1",
			[]string{"# type: must be string"},
		},
		{`{"type":"object","properties":{"n":{"$ref":"#/"}}}`, `{"n":{"n":1}}`, []string{"/n/n type: must be object"}},
		{
			`{"type":"array","items":[{"type":"string"},{"$ref":"#/items/0"}],"minItems":2,"maxItems":2}`,
			`["a",1]`,
			[]string{"/1 type: must be string"},
		},
		{`{"$ref":"#/examples/0","examples":[{"type":"string"}]}`, "1", []string{"# type: must be string"}},
		{`{"$schema":"","type":"string"}`, "1", []string{"# type: must be string"}},
		{`{"$schema":"http://json-schema.org/schema","type":"string"}`, "1", []string{"# type: must be string"}},
		{`{"$schema":"http://json-schema.org/schema#","type":"string"}`, "1", []string{"# type: must be string"}},
		{
			`{"type":"object","allOf":[{"properties":{"a":{}}},{"required":["a"]}],"required":["a"]}`,
			"{}",
			[]string{"# required: must have required property 'a'", "# required: must have required property 'a'"},
		},
		{
			`{"type":"object","allOf":[{"properties":{"a":{"type":"string"}}}],"properties":{"b":{"type":"string"}},"required":["a"]}`,
			"{}",
			[]string{"# required: must have required property 'a'"},
		},
		{
			`{"type":"object","allOf":[{"$ref":"#/definitions/x"}],"required":["a"],"definitions":{"x":{"type":"object","properties":{"a":{"type":"string"}}}}}`,
			"{}",
			[]string{"# required: must have required property 'a'"},
		},
		{
			`{"type":"object","propertyNames":{"pattern":"^a"},"minProperties":1}`,
			`{"b":1}`,
			[]string{`# pattern: must match pattern "^a"`, "# propertyNames: property name must be valid"},
		},
		{
			`{"type":"object","propertyNames":{"pattern":"^a"},"minProperties":1}`,
			"{}",
			[]string{"# minProperties: must NOT have fewer than 1 properties"},
		},
		{
			`{"type":"number","allOf":[{"type":"integer","minimum":1}]}`,
			"0.5",
			[]string{"# type: must be integer", "# minimum: must be >= 1"},
		},
		{`{"type":["string","null"]}`, "1", []string{"# type: must be string,null"}},
		{`{"type":["string"],"nullable":true}`, "1", []string{"# type: must be string,null"}},
		{`{"type":"string","nullable":true}`, "1", []string{"# type: must be string"}},
		{`{"type":"string","nullable":true}`, "null", nil},
		{
			`{"type":"object","dependencies":{"a":["b","c"],"b":["c"]}}`,
			`{"a":1}`,
			[]string{"# dependencies: must have properties b, c when property a is present", "# dependencies: must have properties b, c when property a is present"},
		},
		{
			`{"type":"object","dependencies":{"a":["b","c"],"b":["c"]}}`,
			`{"b":1}`,
			[]string{"# dependencies: must have property c when property b is present"},
		},
		{`{"type":"object","properties":{"foo":{}},"patternProperties":{"^f":{}}}`, "{}", nil},
		{
			`{"if":{"type":"string"},"then":{"type":"string","minLength":2},"else":{"type":"number"}}`,
			`"a"`,
			[]string{"# minLength: must NOT have fewer than 2 characters", `# if: must match "then" schema`},
		},
		{
			`{"if":{"type":"string"},"then":{"type":"string","minLength":2},"else":{"type":"number"}}`,
			"null",
			[]string{"# type: must be number", `# if: must match "else" schema`},
		},
		{`{"if":{"type":"string"},"then":{"type":"string","minLength":2},"else":{"type":"number"}}`, "1", nil},
		{
			`{"type":"array","items":[{},{}],"minItems":2,"additionalItems":false}`,
			"[1,2,3]",
			[]string{"# additionalItems: must NOT have more than 2 items"},
		},
		{
			`{"type":"array","items":[{},{}],"minItems":2,"additionalItems":false}`,
			"[1]",
			[]string{"# minItems: must NOT have fewer than 2 items"},
		},
		{
			`{"type":"array","items":{"type":"string"},"uniqueItems":true}`,
			`["a","b","a","b"]`,
			[]string{"# uniqueItems: must NOT have duplicate items (items ## 3 and 1 are identical)"},
		},
		{
			`{"type":"array","uniqueItems":true}`,
			`["a","b","a","b"]`,
			[]string{"# uniqueItems: must NOT have duplicate items (items ## 1 and 3 are identical)"},
		},
		{
			`{"type":"array","uniqueItems":true}`,
			`[{"a":1,"b":2},{"b":2,"a":1.0}]`,
			[]string{"# uniqueItems: must NOT have duplicate items (items ## 0 and 1 are identical)"},
		},
		{
			`{"type":"array","uniqueItems":true}`,
			"[1,true,1.0]",
			[]string{"# uniqueItems: must NOT have duplicate items (items ## 0 and 2 are identical)"},
		},
		{`{"type":"array","uniqueItems":true}`, `[[],{},""]`, nil},
		{`{"type":"array","items":{"type":["string","null"]},"uniqueItems":true}`, `[null,"null"]`, nil},
		{
			`{"type":"array","items":{"type":["string","null"]},"uniqueItems":true}`,
			"[null,null]",
			[]string{"# uniqueItems: must NOT have duplicate items (items ## 1 and 0 are identical)"},
		},
		{
			`{"type":"string","minLength":2,"maxLength":2}`,
			`"😀"`,
			[]string{"# minLength: must NOT have fewer than 2 characters"},
		},
		{`{"type":"string","minLength":2,"maxLength":2}`, `"😀😀"`, nil},
		{
			`{"type":"string","minLength":2,"maxLength":2}`,
			`"\ud83d"`,
			[]string{"# minLength: must NOT have fewer than 2 characters"},
		},
		{
			`{"type":"string","minLength":2,"maxLength":2}`,
			`"abc"`,
			[]string{"# maxLength: must NOT have more than 2 characters"},
		},
		{
			`{"type":"number","minimum":1e21,"maximum":1e-7,"multipleOf":1e-7}`,
			"5",
			[]string{"# maximum: must be <= 1e-7", "# minimum: must be >= 1e+21"},
		},
		{`{"type":"number","minimum":1.50}`, "1", []string{"# minimum: must be >= 1.5"}},
		{`{"type":"number","multipleOf":0.01}`, "0.07", []string{"# multipleOf: must be multiple of 0.01"}},
		{`{"type":"number","multipleOf":0.01}`, "1.1", nil},
		{`{"type":"number","multipleOf":0.01}`, "19.99", []string{"# multipleOf: must be multiple of 0.01"}},
		{
			`{"type":"object","properties":{"a/b":{"type":"string"},"m~n":{"type":"string"},"":{"type":"string"}}}`,
			`{"a/b":1,"m~n":1,"":1}`,
			[]string{"/a~1b type: must be string", "/m~0n type: must be string", "/ type: must be string"},
		},
		{
			`{"type":"object","additionalProperties":{"type":"string"}}`,
			`{"b":1,"2":1,"a":1,"1":1}`,
			[]string{"/1 type: must be string", "/2 type: must be string", "/b type: must be string", "/a type: must be string"},
		},
		{`{"type":"string","format":"no such format"}`, `"x"`, nil},
		{`{"const":null}`, "", []string{"# const: must be equal to constant"}},
		{`{"const":null}`, "null", nil},
		{`{"type":"object"}`, "", []string{"# type: must be object"}},
		{"{}", "", nil},
		{`{"not":{}}`, "", []string{"# not: must NOT be valid"}},
		{`{"not":{}}`, "1", []string{"# not: must NOT be valid"}},
		{`{"not":false}`, "1", nil},
		{`{"enum":[null]}`, "", []string{"# enum: must be equal to one of the allowed values"}},
		{
			`{"type":"array","contains":{"type":"string"}}`,
			"[]",
			[]string{"# contains: must contain at least 1 valid item(s)"},
		},
		{
			`{"type":"array","contains":{"type":"string"}}`,
			"[1,2]",
			[]string{"/0 type: must be string", "/1 type: must be string", "# contains: must contain at least 1 valid item(s)"},
		},
		{`{"type":"array","contains":{"type":"string"}}`, `[1,"a"]`, nil},
		{`{"type":"array","contains":{}}`, "[]", []string{"# contains: must contain at least 1 valid item(s)"}},
		{`{"type":"array","contains":{}}`, "[1]", nil},
		{
			`{"oneOf":[{"type":"string"},{"type":"string"},{"type":"number"}]}`,
			`"a"`,
			[]string{"# oneOf: must match exactly one schema in oneOf"},
		},
		{`{"oneOf":[{"type":"string"},{"type":"string"},{"type":"number"}]}`, "1", nil},
		{
			`{"oneOf":[{"type":"string"},{"type":"string"},{"type":"number"}]}`,
			"null",
			[]string{"# type: must be string", "# type: must be string", "# type: must be number", "# oneOf: must match exactly one schema in oneOf"},
		},
		{`{"definitions":{"a":{"foo":1}}}`, "1", nil},
		{
			`{"default":{"a":1},"readOnly":true,"writeOnly":true,"deprecated":true,"contentEncoding":"a","contentMediaType":"b","contentSchema":{},"$vocabulary":{}}`,
			"1",
			nil,
		},
		{`{"anyOf":[{},{"foo":1}]}`, "1", nil},
		{`{"anyOf":[true,{"type":"object","required":["x"]}]}`, "1", nil},
		{
			`{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"$ref":"#/properties/a"}}}}}`,
			`{"a":{"b":{"b":1}}}`,
			[]string{"/a/b/b type: must be object"},
		},
		{
			`{"type":"object","properties":{"$ref":{"type":"string"}},"required":["$ref"]}`,
			`{"$ref":1}`,
			[]string{"/$ref type: must be string"},
		},
		{
			`{"type":"object","properties":{"a":{"$ref":"#/definitions/t","description":"x"}},"definitions":{"t":{"type":"string"}}}`,
			`{"a":1}`,
			[]string{"/a type: must be string"},
		},
		{
			`{"type":"object","properties":{"a":{"$ref":"#/definitions/t","type":"string","minLength":2}},"definitions":{"t":{"type":"string","maxLength":0}}}`,
			`{"a":"x"}`,
			[]string{"/a maxLength: must NOT have more than 0 characters", "/a minLength: must NOT have fewer than 2 characters"},
		},
		{
			`{"type":"object","properties":{"a":{"$ref":"#/definitions/t","type":"string","minLength":2}},"definitions":{"t":{"type":"string","maxLength":0}}}`,
			`{"a":1}`,
			[]string{"/a type: must be string", "/a type: must be string"},
		},
	}
	for _, test := range tests {
		got := written(compiled(t, test.schema).Validate([]byte(test.value)))
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s on %s (-want +got):\n%s", test.schema, test.value, diff)
		}
	}
}

func compiled(t testing.TB, schema string) *Schema {
	t.Helper()
	s, err := Compile([]byte(schema))
	if err != nil {
		t.Fatalf("compile %s: %v", schema, err)
	}
	return s
}

func written(violations []Violation) []string {
	var lines []string
	for _, v := range violations {
		if v.Path == "" {
			v.Path = "#"
		}
		lines = append(lines, v.Path+" "+v.Keyword+": "+v.Message)
	}
	return lines
}
