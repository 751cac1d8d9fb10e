package jsonschema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Values are accepted and refused exactly as by Ajv 8 with strict, allErrors and validateFormats off. A violation is
// written as path, keyword and message.
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
			[]string{"# propertyNames: property name must be valid"},
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
		{`{"type":"string","nullable":true}`, "1", []string{"# type: must be string,null"}},
		{`{"type":"string","nullable":true}`, "null", nil},
		{
			`{"type":"object","dependencies":{"a":["b","c"],"b":["c"]}}`,
			`{"a":1}`,
			[]string{"# dependencies: must have properties b, c when property a is present"},
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
			[]string{"# minLength: must NOT have fewer than 2 characters"},
		},
		{
			`{"if":{"type":"string"},"then":{"type":"string","minLength":2},"else":{"type":"number"}}`,
			"null",
			[]string{"# type: must be number"},
		},
		{`{"if":{"type":"string"},"then":{"type":"string","minLength":2},"else":{"type":"number"}}`, "1", nil},
		{
			`{"type":"array","items":[{},{}],"minItems":2,"additionalItems":false}`,
			"[1,2,3]",
			[]string{"# additionalItems: must NOT have additional items"},
		},
		{
			`{"type":"array","items":[{},{}],"minItems":2,"additionalItems":false}`,
			"[1]",
			[]string{"# minItems: must NOT have fewer than 2 items"},
		},
		{
			`{"type":"array","items":{"type":"string"},"uniqueItems":true}`,
			`["a","b","a","b"]`,
			[]string{"# uniqueItems: must NOT have duplicate items (items ## 0 and 2 are identical)"},
		},
		{
			`{"type":"array","uniqueItems":true}`,
			`["a","b","a","b"]`,
			[]string{"# uniqueItems: must NOT have duplicate items (items ## 0 and 2 are identical)"},
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
			[]string{"# uniqueItems: must NOT have duplicate items (items ## 0 and 1 are identical)"},
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
			[]string{"/ type: must be string", "/a~1b type: must be string", "/m~0n type: must be string"},
		},
		{
			`{"type":"object","additionalProperties":{"type":"string"}}`,
			`{"b":1,"2":1,"a":1,"1":1}`,
			[]string{"/1 type: must be string", "/2 type: must be string", "/a type: must be string", "/b type: must be string"},
		},
		{`{"type":"string","format":"no such format"}`, `"x"`, nil},
		{`{"const":null}`, "null", nil},
		{`{"not":{}}`, "1", []string{"# not: must NOT be valid"}},
		{`{"not":false}`, "1", nil},
		{
			`{"type":"array","contains":{"type":"string"}}`,
			"[]",
			[]string{"# contains: must contain at least 1 valid item(s)"},
		},
		{
			`{"type":"array","contains":{"type":"string"}}`,
			"[1,2]",
			[]string{"# contains: must contain at least 1 valid item(s)"},
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
			[]string{
				"# type: must be number", "# type: must be string", "# type: must be string",
				"# oneOf: must match exactly one schema in oneOf",
			},
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
			[]string{"/a type: must be string"},
		},
		{
			`{"type":"number","exclusiveMinimum":1,"exclusiveMaximum":3,"maximum":2,"minimum":2}`,
			"1",
			[]string{"# exclusiveMinimum: must be > 1", "# minimum: must be >= 2"},
		},
		{
			`{"type":"number","exclusiveMinimum":1,"exclusiveMaximum":3,"maximum":2,"minimum":2}`,
			"3",
			[]string{"# exclusiveMaximum: must be < 3", "# maximum: must be <= 2"},
		},
		{`{"type":"number","exclusiveMinimum":1,"exclusiveMaximum":3,"maximum":2,"minimum":2}`, "2", nil},
		{
			`{"type":"object","properties":{"a":{}},"patternProperties":{"^x":{"type":"string"}},"additionalProperties":false}`,
			`{"a":1,"x1":1,"b":1}`,
			[]string{"# additionalProperties: must NOT have additional properties", "/x1 type: must be string"},
		},
		{
			`{"type":"object","patternProperties":{"^x":{"type":"string"},"y$":{"type":"number"}},"additionalProperties":{"type":"null"}}`,
			`{"xy":true,"b":1}`,
			[]string{"/b type: must be null", "/xy type: must be number", "/xy type: must be string"},
		},
		{
			`{"type":"object","dependencies":{"a":{"properties":{"b":{"type":"string"}},"required":["b"]},"c":false,"d":true,"e":[]}}`,
			`{"a":1}`,
			[]string{"# required: must have required property 'b'"},
		},
		{
			`{"type":"object","dependencies":{"a":{"properties":{"b":{"type":"string"}},"required":["b"]},"c":false,"d":true,"e":[]}}`,
			`{"a":1,"b":1}`,
			[]string{"/b type: must be string"},
		},
		{
			`{"type":"object","dependencies":{"a":{"properties":{"b":{"type":"string"}},"required":["b"]},"c":false,"d":true,"e":[]}}`,
			`{"c":1}`,
			[]string{"# false schema: boolean schema is false"},
		},
		{
			`{"type":"object","dependencies":{"a":{"properties":{"b":{"type":"string"}},"required":["b"]},"c":false,"d":true,"e":[]}}`,
			`{"d":1,"e":1}`,
			nil,
		},
		{
			`{"type":"object","propertyNames":false}`,
			`{"a":1}`,
			[]string{"# propertyNames: property name must be valid"},
		},
		{`{"type":"object","propertyNames":false}`, "{}", nil},
		{`{"type":"object","additionalProperties":true,"propertyNames":{}}`, `{"a":1}`, nil},
		{
			`{"type":"string","enum":["a"],"minLength":3}`,
			"1",
			[]string{"# type: must be string", "# enum: must be equal to one of the allowed values"},
		},
		{
			`{"type":"string","enum":["a"],"minLength":3}`,
			`"b"`,
			[]string{"# enum: must be equal to one of the allowed values", "# minLength: must NOT have fewer than 3 characters"},
		},
		{
			`{"type":"integer","enum":[1],"minimum":5}`,
			`"a"`,
			[]string{"# type: must be integer", "# enum: must be equal to one of the allowed values"},
		},
		{
			`{"type":"integer","enum":[1],"minimum":5}`,
			"0.5",
			[]string{"# type: must be integer", "# enum: must be equal to one of the allowed values", "# minimum: must be >= 5"},
		},
		{
			`{"type":["string","null"],"enum":["a",null],"minLength":3}`,
			"1",
			[]string{"# type: must be string,null", "# enum: must be equal to one of the allowed values"},
		},
		{
			`{"type":["string","null"],"enum":["a",null],"minLength":3}`,
			`"b"`,
			[]string{"# enum: must be equal to one of the allowed values", "# minLength: must NOT have fewer than 3 characters"},
		},
		{`{"type":["string","null"],"enum":["a",null],"minLength":3}`, "null", nil},
		{
			`{"anyOf":[{"type":"string","minLength":2},{"type":"object","properties":{"a":{"type":"number"}},"required":["a"]}]}`,
			`"a"`,
			[]string{
				"# type: must be object", "# minLength: must NOT have fewer than 2 characters", "# anyOf: must match a schema in anyOf",
			},
		},
		{
			`{"anyOf":[{"type":"string","minLength":2},{"type":"object","properties":{"a":{"type":"number"}},"required":["a"]}]}`,
			`{"a":"x"}`,
			[]string{"# type: must be string", "# anyOf: must match a schema in anyOf", "/a type: must be number"},
		},
		{
			`{"anyOf":[{"type":"string","minLength":2},{"type":"object","properties":{"a":{"type":"number"}},"required":["a"]}]}`,
			"{}",
			[]string{"# type: must be string", "# required: must have required property 'a'", "# anyOf: must match a schema in anyOf"},
		},
		{
			`{"anyOf":[{"type":"string","minLength":2},{"type":"object","properties":{"a":{"type":"number"}},"required":["a"]}]}`,
			`"ab"`,
			nil,
		},
		{
			`{"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"}}}]}`,
			`{"a":1,"b":2}`,
			[]string{"/a type: must be string", "/b type: must be string"},
		},
		{
			`{"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"}}}]}`,
			"1",
			[]string{"# type: must be object", "# type: must be object"},
		},
		{
			`{"type":"array","items":{"type":"array","items":{"type":"object","properties":{"k":{"const":{"x":[1,{"y":null}]}}}}}}`,
			`[[{"k":{"x":[1.0,{"y":null}]}},{"k":1}],[{}],1]`,
			[]string{"/0/1/k const: must be equal to constant", "/2 type: must be array"},
		},
		{
			`{"type":"array","items":[{"type":"string"}],"minItems":1,"maxItems":1,"additionalItems":{"type":"number"}}`,
			`[1,"a",2]`,
			[]string{"# maxItems: must NOT have more than 1 items", "/0 type: must be string", "/1 type: must be number"},
		},
		{`{"not":{"type":"string"}}`, `"a"`, []string{"# not: must NOT be valid"}},
		{`{"not":{"type":"string"}}`, "1", nil},
		{
			`{"type":"object","properties":{"a":false,"b":true}}`,
			`{"a":1,"b":1}`,
			[]string{"/a false schema: boolean schema is false"},
		},
		{`{"if":true,"then":{"type":"string"}}`, "1", []string{"# type: must be string"}},
		{
			`{"if":{"type":"string"},"else":{"type":"number"}}`,
			"null",
			[]string{"# type: must be number"},
		},
		{`{"if":{"type":"string"},"else":{"type":"number"}}`, `""`, nil},
		{`{"if":{"type":"string"},"then":true,"else":{}}`, "1", nil},
		{
			`{"type":"object","properties":{"child":{"$ref":"#"},"name":{"type":"string"}},"required":["name"],"additionalProperties":false}`,
			`{"name":"a","child":{"name":1,"child":{"x":1}}}`,
			[]string{
				"/child/child additionalProperties: must NOT have additional properties",
				"/child/child required: must have required property 'name'", "/child/name type: must be string",
			},
		},
		{
			`{"$ref":"#/definitions/tree","definitions":{"tree":{"type":"object","properties":{"value":{"type":"number"},"children":{"type":"array","items":{"$ref":"#/definitions/tree"}}},"required":["value"]}}}`,
			`{"value":1,"children":[{"value":"x"},{"children":[]}]}`,
			[]string{"/children/0/value type: must be number", "/children/1 required: must have required property 'value'"},
		},
		{`{"enum":[{"a":[1,2]},"x",3.0,true]}`, `{"a":[1,2]}`, nil},
		{
			`{"enum":[{"a":[1,2]},"x",3.0,true]}`,
			`{"a":[2,1]}`,
			[]string{"# enum: must be equal to one of the allowed values"},
		},
		{
			`{"enum":[{"a":[1,2]},"x",3.0,true]}`,
			`{"a":[1,2],"b":0}`,
			[]string{"# enum: must be equal to one of the allowed values"},
		},
		{`{"enum":[{"a":[1,2]},"x",3.0,true]}`, "3", nil},
		{`{"enum":[{"a":[1,2]},"x",3.0,true]}`, `"true"`, []string{"# enum: must be equal to one of the allowed values"}},
		{
			`{"enum":[{"a":[1,2]},"x",3.0,true]}`,
			`{"b":[1,2]}`,
			[]string{"# enum: must be equal to one of the allowed values"},
		},
		{
			`{"type":"array","items":{"type":"integer"},"uniqueItems":true}`,
			`[1,"a",1.0,"a"]`,
			[]string{
				"# uniqueItems: must NOT have duplicate items (items ## 0 and 2 are identical)", "/1 type: must be integer",
				"/3 type: must be integer",
			},
		},
		{
			`{"type":"array","items":{"type":"integer"},"uniqueItems":true}`,
			`["a","a"]`,
			[]string{
				"# uniqueItems: must NOT have duplicate items (items ## 0 and 1 are identical)", "/0 type: must be integer",
				"/1 type: must be integer",
			},
		},
		{`{"type":"array","items":{"type":"integer"},"uniqueItems":true}`, "[1,2,3]", nil},
		{`{"type":"array","uniqueItems":false}`, "[1,1]", nil},
		{
			`{"type":"array","items":{"type":["object","null"]},"uniqueItems":true}`,
			"[null,{},{},null]",
			[]string{"# uniqueItems: must NOT have duplicate items (items ## 1 and 2 are identical)"},
		},
		{`{"type":"object","patternProperties":{"(":true}}`, "{}", nil},

		// Here Ajv finds the method that every JavaScript object has.
		{
			`{"type":"object","properties":{"toString":{}},"required":["toString"]}`,
			"{}",
			[]string{"# required: must have required property 'toString'"},
		},
	}
	for _, test := range tests {
		got := lines(compiled(t, test.schema).Validate([]byte(test.value)))
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

func lines(violations []Violation) []string {
	var lines []string
	for _, v := range violations {
		if v.Path == "" {
			v.Path = "#"
		}
		lines = append(lines, v.Path+" "+v.Keyword+": "+v.Message)
	}
	return lines
}
