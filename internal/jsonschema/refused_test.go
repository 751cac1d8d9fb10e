package jsonschema

import "testing"

// Schemas that Ajv refuses in strict mode, with our messages.
func TestRefusedSchemas(t *testing.T) {
	t.Parallel()
	tests := []struct{ schema, want string }{
		{`{"$ref":"#/title","title":"x"}`, `#: $ref "#/title" names no schema in this document`},
		{`{"$ref":"other.json"}`, `#: $ref "other.json" names no schema in this document`},
		{`{"$schema":1}`, "#: $schema is 1, only draft-07 is known"},
		{`{"properties":{"a":{"type":"string"}}}`, "#: properties needs type object"},
		{`{"type":"object","required":["a"]}`, `#: required property "a" is not in properties`},
		{
			`{"type":"object","properties":{"a":{}},"anyOf":[{"required":["a"]}]}`,
			`#/anyOf/0: required property "a" is not in properties`,
		},
		{
			`{"type":"object","allOf":[{"$ref":"#/definitions/x"}],"required":["a"],"definitions":{"x":{"type":"object","properties":{"a":{"$ref":"#/definitions/y"}}},"y":{"type":"string"}}}`,
			`#: required property "a" is not in properties`,
		},
		{
			`{"type":"integer","allOf":[{"type":"number"}]}`,
			"#/allOf/0: type number is impossible where integer is required",
		},
		{`{"type":"string","anyOf":[{"type":"number"}]}`, "#/anyOf/0: type number is impossible where string is required"},
		{`{"type":["string","number"]}`, "#: type has several types; only one, and null beside it, is allowed"},
		{`{"nullable":true}`, "#: nullable needs a type"},
		{`{"type":"null","nullable":false}`, "#: type null contradicts nullable false"},
		{`{"type":"string","nullable":"yes"}`, "#: nullable must be true or false"},
		{`{"type":[]}`, "#: type must be a type or a list of different types"},
		{`{"type":"text"}`, "#: type must be a type or a list of different types"},
		{`{"enum":[]}`, "#: enum must be a list of at least one value, all different"},
		{`{"enum":[1,1.0]}`, "#: enum must be a list of at least one value, all different"},
		{`{"enum":1}`, "#: enum must be a list of at least one value, all different"},
		{`{"required":["a","a"]}`, "#: required must be a list of different names"},
		{`{"type":"string","minLength":-1}`, "#: minLength must be an integer of at least 0"},
		{`{"type":"string","minLength":1.5}`, "#: minLength must be an integer of at least 0"},
		{`{"type":"number","multipleOf":0}`, "#: multipleOf must be a number above 0"},
		{`{"allOf":[]}`, "#: allOf must be a list of at least one schema"},
		{`{"type":"array","items":[]}`, "#: items must be a list of at least one schema"},
		{`{"type":"object","properties":[]}`, "#: properties must be an object of schemas"},
		{`{"type":"object","properties":{"a":1}}`, "#/properties/a: schema must be an object, true or false"},
		{`{"dependencies":{"a":1},"type":"object"}`, "#/dependencies/a: schema must be an object, true or false"},
		{
			`{"type":"object","properties":{"foo":{}},"patternProperties":{"^f":{"type":"string"}}}`,
			`#: property "foo" matches pattern "^f" of patternProperties`,
		},
		{`{"if":{"type":"string"}}`, "#: if without then and else has no effect"},
		{`{"then":{"type":"string"}}`, "#: then without if has no effect"},
		{`{"else":false}`, "#: else without if has no effect"},
		{`{"type":"array","additionalItems":false}`, "#: additionalItems has no effect unless items is a list"},
		{
			`{"type":"array","items":{"type":"string"},"additionalItems":false}`,
			"#: additionalItems has no effect unless items is a list",
		},
		{
			`{"type":"array","items":[{},{}],"minItems":2}`,
			"#: items is a list of 2, so minItems and maxItems must be 2 (or additionalItems false)",
		},
		{
			`{"type":"array","items":[{}],"maxItems":1}`,
			"#: items is a list of 1, so minItems and maxItems must be 1 (or additionalItems false)",
		},
		{`{"type":"object","format":"x"}`, "#: format needs type number or string"},
		{`{"type":"string","pattern":"("}`, `#: pattern "(" has a group without an end`},
		{`{"foo":1}`, `#: unknown keyword "foo"`},
		{`{"properties":{"a":{"foo":1}},"type":"object"}`, `#/properties/a: unknown keyword "foo"`},
		{`{"definitions":{"a":{"type":1}}}`, "#/definitions/a: type must be a type or a list of different types"},
		{`{"definitions":1}`, "#: definitions must be an object of schemas"},
		{`{"title":1}`, "#: title must be a string"},
		{`{"$comment":1}`, "#: $comment must be a string"},
		{`{"description":1}`, "#: description must be a string"},
		{`{"examples":1}`, "#: examples must be a list"},
		{`{"readOnly":1}`, "#: readOnly must be true or false"},
		{`{"minContains":1,"type":"array","contains":{}}`, `#: unknown keyword "minContains"`},
		{`{"unevaluatedProperties":false}`, `#: unknown keyword "unevaluatedProperties"`},
		{`{"$anchor":"x"}`, `#: unknown keyword "$anchor"`},
		{`{"dependentRequired":{}}`, `#: unknown keyword "dependentRequired"`},
		{`{"id":"x"}`, `#: unknown keyword "id"`},
		{`{"anyOf":[{"foo":1},{}]}`, `#/anyOf/0: unknown keyword "foo"`},
		{
			`{"type":"object","properties":{"a":{"$ref":"#/definitions/t","minLength":2}},"definitions":{"t":{"type":"string"}}}`,
			"#/properties/a: minLength needs type string",
		},
		{"true", "#: schema must be an object"},
		{"[]", "#: schema must be an object"},
		{`"a"`, "#: schema must be an object"},
		{"null", "#: schema must be an object"},
		{`{"type":"object","propertyNames":{"foo":1}}`, `#/propertyNames: unknown keyword "foo"`},
		{`{"type":"object","additionalProperties":{"foo":1}}`, `#/additionalProperties: unknown keyword "foo"`},
		{`{"type":"object","dependencies":{"a":{"foo":1}}}`, `#/dependencies/a: unknown keyword "foo"`},
		{`{"type":"object","patternProperties":{"a":{"foo":1}}}`, `#/patternProperties/a: unknown keyword "foo"`},
		{
			`{"type":"object","patternProperties":{"a":{"type":"string"},"b":{"foo":1}}}`,
			`#/patternProperties/b: unknown keyword "foo"`,
		},
		{`{"type":"array","items":{"foo":1}}`, `#/items: unknown keyword "foo"`},
		{`{"type":"array","items":[{"foo":1}],"minItems":1,"maxItems":1}`, `#/items/0: unknown keyword "foo"`},
		{
			`{"type":"array","items":[{}],"minItems":1,"maxItems":1,"additionalItems":{"foo":1}}`,
			`#/additionalItems: unknown keyword "foo"`,
		},
		{`{"type":"array","contains":{"foo":1}}`, `#/contains: unknown keyword "foo"`},
		{`{"type":"null","not":{"foo":1}}`, `#/not: unknown keyword "foo"`},
		{`{"type":"null","oneOf":[{"foo":1}]}`, `#/oneOf/0: unknown keyword "foo"`},
		{`{"type":"null","allOf":[{},{"foo":1}]}`, `#/allOf/1: unknown keyword "foo"`},
		{`{"type":"null","if":{"foo":1},"then":{"type":"null"}}`, `#/if: unknown keyword "foo"`},
		{`{"type":"null","if":{},"then":{"foo":1}}`, `#/then: unknown keyword "foo"`},
		{`{"type":"null","if":{},"then":{"type":"null"},"else":{"foo":1}}`, `#/else: unknown keyword "foo"`},
		{
			`{"type":"null","$ref":"#/definitions/a","definitions":{"a":{"not":{"foo":1}}}}`,
			`#/definitions/a/not: unknown keyword "foo"`,
		},
		{
			`{"type":"object","propertyNames":{"not":{"type":["string","number"]}}}`,
			"#/propertyNames/not: type number is impossible where string is required",
		},
		{
			`{"type":"object","additionalProperties":{"not":{"type":["string","number"]}}}`,
			"#/additionalProperties/not: type has several types; only one, and null beside it, is allowed",
		},
		{
			`{"type":"object","dependencies":{"a":{"not":{"type":["string","number"]}}}}`,
			"#/dependencies/a/not: type string is impossible where object is required",
		},
		{
			`{"type":"object","patternProperties":{"a":{"not":{"type":["string","number"]}}}}`,
			"#/patternProperties/a/not: type has several types; only one, and null beside it, is allowed",
		},
		{
			`{"type":"array","items":{"not":{"type":["string","number"]}}}`,
			"#/items/not: type has several types; only one, and null beside it, is allowed",
		},
		{
			`{"type":"array","items":[{"not":{"type":["string","number"]}}],"minItems":1,"maxItems":1}`,
			"#/items/0/not: type has several types; only one, and null beside it, is allowed",
		},
		{
			`{"type":"array","contains":{"not":{"type":["string","number"]}}}`,
			"#/contains/not: type has several types; only one, and null beside it, is allowed",
		},
		{
			`{"type":"null","if":{"not":{"type":["string","number"]}},"then":{"type":"null"}}`,
			"#/if/not: type string is impossible where null is required",
		},
		{
			`{"type":"null","if":{},"then":{"not":{"type":["string","number"]}}}`,
			"#/then/not: type string is impossible where null is required",
		},
		{`{"type":"object","patternProperties":{"(":{"type":"string"}}}`, `#: pattern "(" has a group without an end`},
		{
			`{"type":"object","patternProperties":{"(":true},"additionalProperties":false}`,
			`#: pattern "(" has a group without an end`,
		},
		{
			`{"type":"object","properties":{"a":{}},"patternProperties":{"(":{"type":"string"}}}`,
			`#: pattern "(" has a group without an end`,
		},
		{`{"required":[1]}`, "#: required must be a list of different names"},
		{`{"required":"a"}`, "#: required must be a list of different names"},
		{`{"type":["string",1]}`, "#: type must be a type or a list of different types"},
		{`{"dependencies":[]}`, "#: dependencies must be an object"},
		{`{"dependencies":{"a":[1]}}`, "#: dependencies must hold schemas and lists of different names"},
		{
			`{"$ref":"#/definitions/0/1","definitions":{"0":{"type":"string"}}}`,
			`#: $ref "#/definitions/0/1" names no schema in this document`,
		},
		{`{"$ref":"#/allOf/9","allOf":[{}]}`, `#: $ref "#/allOf/9" names no schema in this document`},
		{`{"$ref":"#/allOf/x","allOf":[{}]}`, `#: $ref "#/allOf/x" names no schema in this document`},
		{`{"$ref":"#nowhere"}`, `#: $ref "#nowhere" names no schema in this document`},
		{
			`{"$ref":"#/examples/0","examples":[{"type":"string","minLength":true}]}`,
			"#/examples/0: minLength must be an integer of at least 0",
		},
		{
			`{"type":"object","properties":{"a":{"$ref":"#/definitions/b"}},"definitions":{"b":{"$ref":"#/definitions/none"}}}`,
			`#/definitions/b: $ref "#/definitions/none" names no schema in this document`,
		},

		// Here we are stricter than Ajv.
		{
			`{"$ref":"http://json-schema.org/draft-07/schema#"}`,
			`#: $ref "http://json-schema.org/draft-07/schema#" names no schema in this document`,
		},
		{`{"$async":true}`, `#: unknown keyword "$async"`},
		{`{"$ref":"#"}`, `#: $ref "#" leads back to itself`},
		{
			`{"$ref":"#/definitions/a","definitions":{"a":{"$ref":"#/definitions/b"},"b":{"$ref":"#/definitions/a"}}}`,
			`#: $ref "#/definitions/a" leads back to itself`,
		},
		{`{"$defs":{"a":{"type":"text"}}}`, `#/$defs/a: type must be a type or a list of different types`},
		{`{"$id":"%zz"}`, `#: $id "%zz" is not an address`},
		{`{"$ref":"%zz"}`, `#: $ref "%zz" is not an address`},
		{
			`{"definitions":{"a":{"$id":"#x","type":"string"},"b":{"$id":"#x","type":"number"}}}`,
			`#/definitions/b: $id "#x" is also that of #/definitions/a`,
		},
		{
			`{"$schema":"https://json-schema.org/draft/2020-12/schema"}`,
			`#: $schema is https://json-schema.org/draft/2020-12/schema, only draft-07 is known`,
		},
		{
			`{"$schema":"http://json-schema.org/draft-06/schema#"}`,
			`#: $schema is http://json-schema.org/draft-06/schema#, only draft-07 is known`,
		},
		{`{"type":`, `read schema: not valid JSON`},
		{``, `read schema: not valid JSON`},
	}
	for _, test := range tests {
		_, err := Compile([]byte(test.schema))
		if err == nil {
			t.Errorf("%s is accepted, want %q", test.schema, test.want)
		} else if err.Error() != test.want {
			t.Errorf("%s:\n got %q\nwant %q", test.schema, err, test.want)
		}
	}
}

func TestDraftsThatAreAccepted(t *testing.T) {
	t.Parallel()
	for _, draft := range []string{
		"http://json-schema.org/draft-07/schema", "http://json-schema.org/draft-07/schema#",
		"https://json-schema.org/draft-07/schema", "https://json-schema.org/draft-07/schema#",
	} {
		compiled(t, `{"$schema":"`+draft+`"}`)
	}
}
