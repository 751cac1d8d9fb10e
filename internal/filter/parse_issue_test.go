package filter_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"almanac/internal/decode"
	"almanac/internal/filter"
)

// issuesOf returns the issues of an error as clients see them.
func issuesOf(t *testing.T, err error) string {
	t.Helper()
	var invalid *decode.Invalid
	if !errors.As(err, &invalid) {
		return fmt.Sprintf("no issues but %v", err)
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(invalid.Issues); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(text.String())
}

// TestParseIssues checks what clients are told about malformed conditions.
func TestParseIssues(t *testing.T) {
	wrongType := func(path, expected, received string) string {
		return fmt.Sprintf(`{"expected":%q,"code":"invalid_type","path":[%s],"message":"Invalid input: expected %s, received %s"}`,
			expected, path, expected, received)
	}
	custom := func(path, message string) string {
		return fmt.Sprintf(`{"code":"custom","path":[%s],"message":%q}`, path, message)
	}
	noType := func(n int) string {
		return fmt.Sprintf(`{"code":"invalid_union","errors":[],"note":"No matching discriminator","discriminator":"type",`+
			`"path":["filter",%d,"type"],"message":"Invalid input"}`, n)
	}
	const empty, twice = "Invalid input: the list of values must not be empty", "Invalid input: the member is given twice"
	const value = `"filter",0,"value"`
	cases := []struct {
		name, text string
		want       []string
	}{
		{"an object", `{"type": "string"}`, []string{wrongType(`"filter"`, "array", "object")}},
		{"a string", `"[]"`, []string{wrongType(`"filter"`, "array", "string")}},
		{"a number", ` 1 `, []string{wrongType(`"filter"`, "array", "number")}},
		{"a boolean", `true`, []string{wrongType(`"filter"`, "array", "boolean")}},
		{"null", `null`, []string{wrongType(`"filter"`, "array", "null")}},
		{"elements that are no objects", `[1,"a",null,[],true]`, []string{
			wrongType(`"filter",0`, "object", "number"), wrongType(`"filter",1`, "object", "string"),
			wrongType(`"filter",2`, "object", "null"),
			wrongType(`"filter",3`, "object", "array"), wrongType(`"filter",4`, "object", "boolean"),
		}},
		{"unknown type", `[{"type": "zzz", "column": "name", "operator": "=", "value": "x"}]`, []string{noType(0)}},
		{"no type", `[{"column":"name","operator":"=","value":"x"}]`, []string{noType(0)}},
		{"nothing", `[{}]`, []string{noType(0)}},
		{
			"type of another type",
			`[{"type":1,"column":"name"},{"type":null},{"type":["string"]}]`,
			[]string{noType(0), noType(1), noType(2)},
		},
		{"types are case-sensitive", `[{"type":"String","column":"name","operator":"=","value":"x"}]`, []string{noType(0)}},
		{"unknown operator", `[{"type": "string", "column": "name", "operator": "~", "value": "x"}]`, []string{
			`{"code":"invalid_union","errors":[[{"code":"invalid_value","values":["=","contains","does not contain","starts with","ends with"],"path":[],` +
				`"message":"Invalid option: expected one of \"=\"|\"contains\"|\"does not contain\"|\"starts with\"|\"ends with\""}],` +
				`[{"code":"invalid_value","values":["matches"],"path":[],"message":"Invalid input: expected \"matches\""}]],` +
				`"path":["filter",0,"operator"],"message":"Invalid input"}`,
		}},
		{"no operator", `[{"type":"boolean","column":"hasInput","value":true}]`, []string{
			`{"code":"invalid_value","values":["=","<>"],"path":["filter",0,"operator"],"message":"Invalid option: expected one of \"=\"|\"<>\""}`,
		}},
		{"operator of another type", `[{"type":"null","column":"name","operator":1}]`, []string{
			`{"code":"invalid_value","values":["is null","is not null"],"path":["filter",0,"operator"],` +
				`"message":"Invalid option: expected one of \"is null\"|\"is not null\""}`,
		}},
		{
			"no value",
			`[{"type": "string", "column": "name", "operator": "="}]`,
			[]string{wrongType(value, "string", "undefined")},
		},
		{
			"value of another type",
			`[{"type":"string","column":"name","operator":"=","value":1}]`,
			[]string{wrongType(value, "string", "number")},
		},
		{
			"no list",
			`[{"type":"stringOptions","column":"name","operator":"any of","value":"a"}]`,
			[]string{wrongType(value, "array", "string")},
		},
		{
			"no list at all",
			`[{"type":"arrayOptions","column":"tags","operator":"any of"}]`,
			[]string{wrongType(value, "array", "undefined")},
		},
		{"wrong items", `[{"type":"arrayOptions","column":"tags","operator":"any of","value":["a",1,null]}]`, []string{
			wrongType(value+",1", "string", "number"), wrongType(value+",2", "string", "null"),
		}},
		{
			"any of nothing",
			`[{"type":"stringOptions","column":"name","operator":"any of","value":[]}]`,
			[]string{custom(value, empty)},
		},
		{
			"none of nothing",
			`[{"type":"stringOptions","column":"name","operator":"none of","value":[]}]`,
			[]string{custom(value, empty)},
		},
		{
			"any of no tags",
			`[{"type":"arrayOptions","column":"tags","operator":"any of","value":[ ]}]`,
			[]string{custom(value, empty)},
		},
		{
			"a number in a text",
			`[{"type":"number","column":"latency","operator":"=","value":"1"}]`,
			[]string{wrongType(value, "number", "string")},
		},
		{
			"a number that is too large",
			`[{"type":"number","column":"latency","operator":"=","value":1e999}]`,
			[]string{wrongType(value, "number", "Infinity")},
		},
		{
			"a boolean in a text",
			`[{"type":"boolean","column":"hasInput","operator":"=","value":"true"}]`,
			[]string{wrongType(value, "boolean", "string")},
		},
		{
			"no time",
			`[{"type":"datetime","column":"startTime","operator":">"}]`,
			[]string{wrongType(value, "date", "undefined")},
		},
		{
			"null is no time",
			`[{"type":"datetime","column":"startTime","operator":">","value":null}]`,
			[]string{wrongType(value, "date", "null")},
		},
		{
			"a text that is no time",
			`[{"type":"datetime","column":"startTime","operator":">","value":"yesterday"}]`,
			[]string{wrongType(value, "date", "Invalid Date")},
		},
		{"a value of null", `[{"type":"null","column":"name","operator":"is null","value":"x"}]`, []string{
			`{"code":"invalid_value","values":[""],"path":["filter",0,"value"],"message":"Invalid input: expected \"\""}`,
		}},
		{
			"no column",
			`[{"type":"string","operator":"=","value":"a"}]`,
			[]string{wrongType(`"filter",0,"column"`, "string", "undefined")},
		},
		{
			"no key",
			`[{"type":"stringObject","column":"metadata","operator":"=","value":"a"}]`,
			[]string{wrongType(`"filter",0,"key"`, "string", "undefined")},
		},
		{
			"no key of a number",
			`[{"type":"numberObject","column":"metadata","operator":"=","value":1}]`,
			[]string{wrongType(`"filter",0,"key"`, "string", "undefined")},
		},
		{
			"no key of a boolean",
			`[{"type":"booleanObject","column":"metadata","operator":"=","value":true}]`,
			[]string{wrongType(`"filter",0,"key"`, "string", "undefined")},
		},
		{
			"no key of a category",
			`[{"type":"categoryOptions","column":"metadata","operator":"any of","value":[]}]`,
			[]string{wrongType(`"filter",0,"key"`, "string", "undefined")},
		},
		{
			"key of another type",
			`[{"type":"stringObject","column":"metadata","key":null,"operator":"=","value":"a"}]`,
			[]string{wrongType(`"filter",0,"key"`, "string", "null")},
		},
		{
			"position of another type",
			`[{"type":"positionInTrace","column":"x","operator":"=","value":"1"}]`,
			[]string{wrongType(value, "number", "string")},
		},
		{
			"a member twice",
			`[{"type":"string","column":"name","operator":"=","value":"a","v\u0061lue":"b"}]`,
			[]string{custom(value, twice)},
		},
		{
			"a type twice",
			`[{"type":"string","type":"string","column":"name","operator":"=","value":"a"}]`,
			[]string{custom(`"filter",0,"type"`, twice)},
		},
		{"all members of one, in order", `[{"type":"numberObject"}]`, []string{
			wrongType(`"filter",0,"column"`, "string", "undefined"), wrongType(`"filter",0,"key"`, "string", "undefined"),
			`{"code":"invalid_value","values":["=",">","<",">=","<="],"path":["filter",0,"operator"],` +
				`"message":"Invalid option: expected one of \"=\"|\">\"|\"<\"|\">=\"|\"<=\""}`,
			wrongType(value, "number", "undefined"),
		}},
		{
			"every element that fails, and no other",
			`[{"type":"string","column":"name","operator":"="},{"type":"string","column":"name","operator":"=","value":"x"},7,` +
				`{"type":"string","column":"unknown","operator":"=","value":"x"},{"type":"x"}]`,
			[]string{wrongType(value, "string", "undefined"), wrongType(`"filter",2`, "object", "number"), noType(4)},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			conditions, err := filter.Parse(filter.Observations(), c.text, filter.DefaultLimits())
			want := "[" + strings.Join(c.want, ",") + "]"
			if got := issuesOf(t, err); got != want || conditions != nil {
				t.Errorf("it is answered\n%s, want\n%s", got, want)
			}
		})
	}
}

func TestNotJSON(t *testing.T) {
	for _, text := range []string{
		`{nope`, ` `, `[`, `[]]`, `[] []`, `[{]`, `[{"type":"string",}]`, `['a']`, `undefined`, `[01]`, "[\"\n\"]",
		`[NaN]`, `%5B%5D`, "\x00", `["\x"]`, `["\ud8"]`, "\ufeff[]",
		`[{"type" "string"}]`, `"`, `\`, `[}`,
	} {
		if _, err := filter.Parse(filter.Observations(), text, filter.DefaultLimits()); !errors.Is(err, decode.ErrNotJSON) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
