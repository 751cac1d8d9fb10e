package jsonschema

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func parsed(t testing.TB, data string) *value {
	t.Helper()
	v, err := parse([]byte(data))
	if err != nil {
		t.Fatalf("parse %s: %v", data, err)
	}
	return &v
}

func TestMembersAreOrderedAsInJavaScript(t *testing.T) {
	t.Parallel()
	many := strings.Builder{}
	for i := range 20 {
		fmt.Fprintf(&many, `"m%d":%d,`, i, i)
	}
	tests := []struct {
		name, data string
		want       []string
	}{
		{"as written", `{"b":1,"a":2}`, []string{"b", "a"}},
		{"indexes first", `{"b":1,"10":1,"9":1,"a":2}`, []string{"9", "10", "b", "a"}},
		{"not quite indexes", `{"01":1,"-1":1,"1.5":1,"4294967295":1,"0":1}`, []string{"0", "01", "-1", "1.5", "4294967295"}},
		{"the first place of a name, its last value", `{"a":1,"b":2,"a":3}`, []string{"a", "b"}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, parsed(t, test.data).list.names); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	if got := parsed(t, `{"a":1,"b":2,"a":3}`).member("a").text; got != "3" {
		t.Errorf("the last of two members counts: got %s", got)
	}
	large := parsed(t, `{`+many.String()+`"m3":33,"7":7}`)
	for name, want := range map[string]string{"m0": "0", "m3": "33", "m19": "19", "7": "7"} {
		if got := large.member(name); got == nil || got.text != want {
			t.Errorf("member %s of a large object: got %v, want %s", name, got, want)
		}
	}
	if got := large.member("none"); got != nil || large.list.names[0] != "7" || len(large.list.names) != 21 {
		t.Errorf("large object: got %v for no member, names %v", got, large.list.names)
	}
}

func TestStringsAreUnescaped(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]string{
		`""`: "", `"a"`: "a", `"\"\\\/\n"`: "\"\\/\n", `"\u0061\ud83d\ude00"`: "a😀", `"é"`: "é",
	} {
		if got := parsed(t, data).text; got != want {
			t.Errorf("%s is %q, want %q", data, got, want)
		}
	}
}

// drawJSON makes a small value, so that equal ones are likely.
func drawJSON(t *rapid.T, label string, depth int) any {
	kinds := []string{"null", "bool", "number", "text", "list", "object"}
	if depth == 0 {
		kinds = kinds[:4]
	}
	switch rapid.SampledFrom(kinds).Draw(t, label) {
	case "bool":
		return rapid.Bool().Draw(t, label)
	case "number":
		return json.Number(rapid.SampledFrom([]string{"0", "1", "1.0", "1e0", "-1", "10"}).Draw(t, label))
	case "text":
		return rapid.SampledFrom([]string{"", "1", "null", ",", "]"}).Draw(t, label)
	case "list":
		items := make([]any, rapid.IntRange(0, 3).Draw(t, label))
		for i := range items {
			items[i] = drawJSON(t, label, depth-1)
		}
		return items
	case "object":
		members := map[string]any{}
		for range rapid.IntRange(0, 3).Draw(t, label) {
			members[rapid.SampledFrom([]string{"a", "b", "", "1"}).Draw(t, label)] = drawJSON(t, label, depth-1)
		}
		return members
	default:
		return nil
	}
}

func TestKeysAreEqualWhereValuesAre(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		first, _ := json.Marshal(drawJSON(t, "first", 3))
		second, _ := json.Marshal(drawJSON(t, "second", 3))
		a, errA := parse(first)
		b, errB := parse(second)
		if errA != nil || errB != nil {
			t.Fatalf("parse: %v, %v", errA, errB)
		}
		same := string(appendKey(nil, &a)) == string(appendKey(nil, &b))
		if want := equal(&a, &b); same != want {
			t.Fatalf("%s and %s: equal is %v, and that of their keys %v", first, second, want, same)
		}
		if !equal(&a, &a) {
			t.Fatalf("%s does not equal itself", first)
		}
	})
}

func TestSchemaIsSharedByGoroutines(t *testing.T) {
	t.Parallel()
	s := compiled(t, typicalSchema)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				if found := s.Validate([]byte(typicalValue)); found != nil {
					t.Errorf("violations %v", found)
				}
				if found := s.Validate([]byte(`{"messages":[{"role":"x"}]}`)); len(found) != 3 {
					t.Errorf("violations %v, want 3", found)
				}
			}
		})
	}
	group.Wait()
}
