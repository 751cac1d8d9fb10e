package jsonschema

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzValidate applies arbitrary schemas to arbitrary values: nothing panics, all work is bounded, and the result is
// the same where only the result matters.
func FuzzValidate(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"type":"string","pattern":"^a"}},"required":["a"]}`, `{"a":"b"}`)
	f.Add(`{"type":"array","items":{"$ref":"#"},"uniqueItems":true}`, `[[],[[]]]`)
	f.Add(`{"oneOf":[{"type":"number","multipleOf":0.1},{"enum":[1,{"a":null}]}]}`, `1.0`)
	f.Add(`{"if":{"type":"string"},"then":{"type":"string","maxLength":2},"else":{"const":null}}`, `"abc"`)
	f.Add(`{"type":"object","patternProperties":{"^a":false},"propertyNames":{"minLength":1},"dependencies":{"b":["c"]}}`, `{"b":1}`)
	f.Add(`{"$ref":"#/definitions/a%20b","definitions":{"a b":{"$id":"#x","anyOf":[{"$ref":"#x"},{"type":"null"}]}}}`, ``)
	f.Add(`{"type":"array","items":[{},{"type":["string","null"]}],"minItems":2,"additionalItems":false}`, `[1,"\ud83d",3]`)
	f.Fuzz(func(t *testing.T, schema, value string) {
		s, err := Compile([]byte(schema))
		if err != nil {
			return
		}
		found := s.Validate([]byte(value))
		if len(found) > maxViolations {
			t.Errorf("%d violations", len(found))
		}
		for _, v := range found {
			if v.Message == "" {
				t.Errorf("no message in %v", v)
			}
		}
		if !json.Valid([]byte(value)) {
			if len(found) != 1 {
				t.Errorf("%d violations of what is no JSON", len(found))
			}
			return
		}
		if len(found) == 1 && (found[0].Keyword == "schema" || found[0].Keyword == "") {
			return // too complex or too deep
		}
		quiet, err := Compile([]byte(`{"not":` + schema + `}`))
		if err != nil {
			return // references resolve differently, or it is too long now
		}
		denied := quiet.Validate([]byte(value))
		if len(denied) == 1 && denied[0].Keyword == "schema" {
			return
		}
		if strings.Contains(schema, "$") {
			return // a reference now refers to another schema
		}
		if valid := len(denied) > 0; valid != (len(found) == 0) {
			t.Errorf("%s on %s: valid is %v quietly, and there are %d violations", schema, value, valid, len(found))
		}
	})
}

// FuzzTranslate translates arbitrary regular expressions: nothing panics, and the result is an expression of the
// reported size.
func FuzzTranslate(f *testing.F) {
	for _, seed := range []string{
		`^(?<n>a|[b-d]\s)+?$`, `\u{1F600}\ud83d\ude00[^\S\]]{2,3}`, `((a{10}){10}){3}`, `\p{Script=Greek}*\cA\0[\b]`, `[^]|[]`,
	} {
		f.Add(seed, "a")
	}
	f.Fuzz(func(t *testing.T, source, text string) {
		c := newCompiler(&value{kind: object})
		var refused error
		p := func() *pattern {
			defer catchRefusal(&refused)
			return c.pattern(c.root, source)
		}()
		if refused != nil {
			return
		}
		if p.size < 1 || p.size > maxPatternSize {
			t.Errorf("%q has size %d", source, p.size)
		}
		c.checker.run = &run{budget: baseBudget}
		defer func() {
			if why := recover(); why != nil && why != exhausted {
				panic(why)
			}
		}()
		p.MatchString(text)
	})
}
