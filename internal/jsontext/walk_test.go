package jsontext

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

type member struct{ name, value string }

func membersIn(t *testing.T, m Members) (list []member, whole bool) {
	t.Helper()
	for m.Next() {
		list = append(list, member{m.Name, m.Value})
		if m.text[m.Start:m.End] != m.Value {
			t.Errorf("%q: the value %q is said to be at %d to %d", m.text, m.Value, m.Start, m.End)
		}
	}
	if whole = m.Whole; m.Next() {
		t.Errorf("%q goes on after its end", m.text)
	}
	return list, whole
}

func TestMembers(t *testing.T) {
	for _, c := range []struct {
		text  string
		want  []member
		whole bool
	}{
		{`{}`, nil, true},
		{` { } `, nil, true},
		{`{"a":1}`, []member{{"a", "1"}}, true},
		{"{ \"a\" : [1, 2] ,\n\"b.c\":\"x,}\" } ", []member{{"a", "[1, 2]"}, {"b.c", `"x,}"`}}, true},
		{`{"a\"b":{}}`, []member{{`a\"b`, "{}"}}, true},
		{`{"":"\\","b":{"c":"}"},"d":null}`, []member{{"", `"\\"`}, {"b", `{"c":"}"}`}, {"d", "null"}}, true},
		{``, nil, false},
		{`[]`, nil, false},
		{`1`, nil, false},
		{`"{}"`, nil, false},
		{`{`, nil, false},
		{`{"a":1`, []member{{"a", "1"}}, false},
		{`{"a":1,`, []member{{"a", "1"}}, false},
		{`{"a":1,}`, []member{{"a", "1"}}, false},
		{`{,"a":1}`, nil, false},
		{`{"a":1 "b":2}`, []member{{"a", "1"}}, false},
		{`{"a":1}x`, []member{{"a", "1"}}, false},
		{`{"a"}`, nil, false},
		{`{"a":}`, nil, false},
		{`{"a`, nil, false},
	} {
		got, whole := membersIn(t, CheckedMembersOf(c.text))
		if !slices.Equal(got, c.want) || whole != c.whole {
			t.Errorf("%q has members %q, whole = %v; want %q, %v", c.text, got, whole, c.want, c.whole)
		}
		trusted, _ := membersIn(t, MembersOf(c.text))
		if c.whole && !slices.Equal(trusted, c.want) || len(trusted) > len(c.want) {
			t.Errorf("%q has members %q without a check, want %q", c.text, trusted, c.want)
		}
	}
	for _, text := range []string{`{"a":1"x"}`, `{"a":"x`, `{"a":["x]`, `{"a":[1`, `{"a":1`, `{"a":1 "b":2}`} {
		if got, _ := membersIn(t, MembersOf(text)); len(got) > 0 {
			t.Errorf("%q has members %q, though nothing shows that they end", text, got)
		}
	}
	if got, whole := membersIn(t, CheckedMembersOf(`{"a":tru}`)); len(got) != 0 || whole {
		t.Errorf("what is no value is a member: %q", got)
	}
	deep := `{"a":` + nested(MaxDepth) + `,"b":` + nested(MaxDepth+1) + `}`
	if got, whole := membersIn(t, CheckedMembersOf(deep)); len(got) != 1 || whole {
		t.Errorf("%d members, whole = %v, where one is nested too deeply", len(got), whole)
	}
}

func TestElements(t *testing.T) {
	for text, want := range map[string][]string{
		`[]`: nil, ` [ ] `: nil, `[1]`: {"1"}, `[ 1 , "a,]" ,{"b":[2]},[[]],null]`: {"1", `"a,]"`, `{"b":[2]}`, "[[]]", "null"},
		`{}`: nil, `{"a":1}`: nil, ``: nil, `[`: nil, `[,1]`: nil, `[1,`: {"1"}, `[1,]`: {"1"}, `[1 2]`: {"1"}, `"[1]"`: nil,
	} {
		var got []string
		for e := ElementsOf(text); e.Next(); {
			got = append(got, e.Value)
			if text[e.Start:e.End] != e.Value {
				t.Errorf("%q: the value %q is said to be at %d to %d", text, e.Value, e.Start, e.End)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q has elements %q, want %q", text, got, want)
		}
	}
}

// checkWalk iterates over valid JSON, and compares with encoding/json.
func checkWalk(t *testing.T, text string) {
	t.Helper()
	start := SkipSpace(text, 0)
	end := SkipValue(text, start)
	if SkipSpace(text, end) != len(text) {
		t.Fatalf("%q ends at %d", text, end)
	}
	switch value := text[start:end]; value[0] {
	case '{':
		var members map[string]json.RawMessage
		if err := json.Unmarshal([]byte(value), &members); err != nil {
			t.Fatal(err)
		}
		got := make(map[string]string)
		m := MembersOf(text)
		for m.Next() {
			got[string(AppendUTF8(nil, m.Key()))] = m.Value
			if IsName(text, m.End) {
				t.Errorf("%q: %q is a name", text, m.Value)
			}
		}
		if !m.Whole || len(got) != len(members) {
			t.Fatalf("%q has members %q, whole = %v", text, got, m.Whole)
		}
		for name, want := range members {
			if got[name] != string(want) {
				t.Fatalf("%q: %q is %q", text, name, got[name])
			}
			checkWalk(t, got[name])
		}
	case '[':
		var elements []json.RawMessage
		if err := json.Unmarshal([]byte(value), &elements); err != nil {
			t.Fatal(err)
		}
		e := ElementsOf(text)
		for n := range elements {
			if !e.Next() || e.Value != string(elements[n]) {
				t.Fatalf("%q: element %d is %q", text, n, e.Value)
			}
			checkWalk(t, e.Value)
		}
		if e.Next() {
			t.Fatalf("%q has more than %d elements", text, len(elements))
		}
	case '"':
		if got, ok := Unquote(value); !ok || utf8.ValidString(value) && got != unmarshalled(t, value) {
			t.Fatalf("%q means %q, %v", text, got, ok)
		}
	}
}

func unmarshalled(t *testing.T, text string) (value string) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// checkCompact encodes valid JSON again, and compares the values.
func checkCompact(t *testing.T, text string) {
	t.Helper()
	var want strings.Builder
	writeMeaning(t, &want, text)
	var got strings.Builder
	compact := AppendCompact(nil, text, nil)
	writeMeaning(t, &got, string(compact))
	if got.String() != want.String() {
		t.Fatalf("%q is written as %s", text, compact)
	}
	if again := AppendCompact(nil, string(compact), nil); string(again) != string(compact) {
		t.Fatalf("%s is written as %s when it is compact already", compact, again)
	}
	numbers := 0
	AppendCompact(nil, text, func(dst []byte, number string) []byte {
		numbers++
		if !json.Valid([]byte(number)) {
			t.Errorf("%q: %q is no number", text, number)
		}
		return dst
	})
	if wanted := strings.Count(want.String(), "number "); numbers < wanted {
		t.Errorf("%q has %d numbers, and %d are written", text, wanted, numbers)
	}
}

// writeMeaning writes every token of a JSON text as decoded by encoding/json.
func writeMeaning(t *testing.T, b *strings.Builder, text string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return
		}
		if number, ok := token.(json.Number); ok {
			fmt.Fprintf(b, "number %s\n", number)
			continue
		}
		fmt.Fprintf(b, "%T %q\n", token, fmt.Sprint(token))
	}
}
