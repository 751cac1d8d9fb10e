package jsontext

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestMembers(t *testing.T) {
	for object, want := range map[string][]string{
		`{}`:            nil,
		` { } `:         nil,
		`{"a":1}`:       {"a", "1"},
		`{"a":1,"a":2}`: {"a", "1", "a", "2"},
		"{ \"a\" :\t[ 1 , {\"b\" : \"]\"} ]\n,\"c\":{ } , \"d\" : null }": {"a", `[ 1 , {"b" : "]"} ]`, "c", "{ }", "d", "null"},
		`{"\u0061\"":"x\\","b":"\""}`:                                     {`a"`, `"x\\"`, "b", `"\""`},
		`["a"]`:                                                           nil,
		`"a"`:                                                             nil,
		``:                                                                nil,
		`{"a"`:                                                            nil,
		`{"a":`:                                                           nil,
		`{"a":"x`:                                                         nil,
		`{"a":[{"b":1}`:                                                   nil,
		`{"a":],"b":1}`:                                                   nil,
		`{"a" 1}`:                                                         nil,
		`{a:1}`:                                                           nil,
		`{"\x":1}`:                                                        nil,
		`{"a":1 "b":2}`:                                                   {"a", "1"},
		`{"a":-1.5e3}`:                                                    {"a", "-1.5e3"},
		`{"":{"":{"":[]}}}`:                                               {"", `{"":{"":[]}}`},
	} {
		var got []string
		for name, value := range Members(object) {
			got = append(got, name, value)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("members of %s (-want +got):\n%s", object, diff)
		}
	}
}

func TestElements(t *testing.T) {
	for list, want := range map[string][]string{
		`[]`:                            nil,
		` [ ] `:                         nil,
		`[1]`:                           {"1"},
		"[ 1 ,\t\"],\" , [ [ ] ]\n,{}]": {"1", `"],"`, "[ [ ] ]", "{}"},
		`{"a":1}`:                       nil,
		`[1`:                            {"1"},
		`[1,`:                           {"1"},
		`["`:                            nil,
		`[[`:                            nil,
		``:                              nil,
	} {
		if diff := cmp.Diff(want, slices.Collect(Elements(list))); diff != "" {
			t.Errorf("elements of %s (-want +got):\n%s", list, diff)
		}
	}
}

func TestAppendCompact(t *testing.T) {
	for text, want := range map[string]string{
		" { \"a\" : [ 1 , 2.50 , -0 ] ,\n\t\"b\" : \"x y\" } ": `{"a":[1,2.5,0],"b":"x y"}`,
		`"\u00e9\/\n\u0001\""`:                                 `"é/\n\u0001\""`,
		`[1e2,1E-7,true,null,{}]`:                              `[100,1e-7,true,null,{}]`,
		`[12345678901234567890]`:                               `[12345678901234567000]`,
		`[1e999]`:                                              `[1e999]`,
		`"no escapes"`:                                         `"no escapes"`,
		`"not ended`:                                           `"not ended`,
		``:                                                     ``,
	} {
		if got := string(AppendCompact(nil, text)); got != want {
			t.Errorf("AppendCompact(%s) = %s, want %s", text, got, want)
		}
	}
}

// FuzzRead compares with the standard library, and looks for texts that panic.
func FuzzRead(f *testing.F) {
	f.Add(`{"a":[1,2.50,{"b":"x\u00e9"}],"c":null,"d":" { "}`)
	f.Add(`["a",[],{},-1e5,true]`)
	f.Add(`{"a":1 "b"`)
	f.Fuzz(func(t *testing.T, text string) {
		elements, members := slices.Collect(Elements(text)), maps.Collect(Members(text))
		compact := AppendCompact(nil, text)
		if !utf8.ValidString(text) || !json.Valid([]byte(text)) {
			return
		}

		var want, got any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			return // a number that a float64 cannot hold
		}
		if err := json.Unmarshal(compact, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("AppendCompact(%s) = %s: %v", text, compact, err)
		}
		switch want := want.(type) {
		case []any:
			var again []any
			if json.Unmarshal([]byte("["+strings.Join(elements, ",")+"]"), &again) != nil || !reflect.DeepEqual(again, want) {
				t.Errorf("the elements of %s are %q", text, elements)
			}
		case map[string]any:
			again := map[string]any{}
			for name, value := range members {
				var member any
				if err := json.Unmarshal([]byte(value), &member); err != nil {
					t.Errorf("a member of %s is %s", text, value)
				}
				again[name] = member
			}
			if !reflect.DeepEqual(again, want) {
				t.Errorf("the members of %s are %q", text, members)
			}
		}
	})
}
