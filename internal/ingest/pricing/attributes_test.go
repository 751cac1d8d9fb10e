package pricing

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
	"unsafe"
)

// viewOf returns a string that shares memory.
func viewOf(memory []byte) string { return unsafe.String(unsafe.SliceData(memory), len(memory)) }

func TestMemberText(t *testing.T) {
	for _, test := range []struct {
		object, key, want string
		ok                bool
	}{
		{`{"a":"x"}`, "a", "x", true},
		{" {\n\t\"b\" : 1 , \"a\" : \"x\" } ", "a", "x", true},
		{`{"b":{"a":"no"},"c":["a",{"a":1}],"a":"yes"}`, "a", "yes", true},
		{`{"a":""}`, "a", "", true},
		{`{"":"x"}`, "", "x", true},
		{`{"a\"b":"x\ny"}`, `a"b`, "x\ny", true},
		{`{"\u0061":"x"}`, "a", "x", true},
		{`{"b":"}","a":2}`, "a", "2", true},
		{`{"b":"\\","a":2}`, "a", "2", true},
		{`{"a":1.0}`, "a", "1", true},
		{`{"a":-0.0}`, "a", "0", true},
		{`{"a":1e21}`, "a", "1e+21", true},
		{`{"a":0.0000001}`, "a", "1e-7", true},
		{`{"a":true,"b":false}`, "b", "false", true},
		{`{"a":null}`, "a", "", false},
		{`{"a":[]}`, "a", "", false},
		{`{"a":{}}`, "a", "", false},
		{`{"a":1e999}`, "a", "", false},
		{`{"a":Infinity}`, "a", "", false},
		{`{"a":NaN}`, "a", "", false},
		{`{"ab":1}`, "a", "", false},
		{`{}`, "a", "", false},
		{``, "a", "", false},
		{`["a"]`, "a", "", false},
		{`"a"`, "a", "", false},
		{`{"a"`, "a", "", false},
		{`{"a":`, "a", "", false},
		{`{"a":"x`, "a", "", false},
		{`{"b":[{"a":1}`, "a", "", false},
		{`{"b":],"a":1}`, "a", "", false},
		{`{"a" 1}`, "a", "", false},
		{`{"b":1 "a":1}`, "a", "", false},
		{`{a:1}`, "a", "", false},
		{`{"\x":1,"a":1}`, "a", "", false},
	} {
		if got, ok := memberText(test.object, test.key); got != test.want || ok != test.ok {
			t.Errorf("memberText(%s, %q) = %q, %v, want %q, %v", test.object, test.key, got, ok, test.want, test.ok)
		}
	}
}

// FuzzMemberText compares with the standard library for objects without duplicate keys.
func FuzzMemberText(f *testing.F) {
	f.Add(`{"b":{"a":"no"},"c":["a",{"a":1}],"a":"y\u00e9s"}`, "a")
	f.Add(`{"a":1.50}`, "a")
	f.Add(`{"a":tru}`, "a")
	f.Fuzz(func(t *testing.T, object, key string) {
		text, ok := memberText(object, key)
		var members map[string]any
		if json.Unmarshal([]byte(object), &members) != nil || hasRepeatedKeys(object) || !utf8.ValidString(object) {
			return // anything but a panic is fine
		}
		switch want := members[key].(type) {
		case string:
			if !ok || text != want {
				t.Errorf("memberText(%s, %q) = %q, %v, want %q", object, key, text, ok, want)
			}
		case bool:
			if !ok || text != strconv.FormatBool(want) {
				t.Errorf("memberText(%s, %q) = %q, %v, want %v", object, key, text, ok, want)
			}
		case float64:
			if got, err := strconv.ParseFloat(text, 64); !ok || err != nil || got != want {
				t.Errorf("memberText(%s, %q) = %q, %v, want %v", object, key, text, ok, want)
			}
		default:
			if ok {
				t.Errorf("memberText(%s, %q) = %q, want nothing", object, key, text)
			}
		}
	})
}

// hasRepeatedKeys reports whether the object may contain duplicate keys, at any level.
func hasRepeatedKeys(object string) bool {
	seen := map[string]bool{}
	decoder := json.NewDecoder(strings.NewReader(object))
	for {
		token, err := decoder.Token()
		if err != nil {
			return false
		}
		if text, ok := token.(string); ok {
			if seen[text] {
				return true
			}
			seen[text] = true
		}
	}
}
