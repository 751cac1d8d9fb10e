package filter

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

func TestMetadata(t *testing.T) {
	const object = `{"s":"Alpha beta","n":12,"f":1.5e1,"t":true,"no":false,"z":null,"e":"","a":["x", {"y" : 1}, "p q"],"a.b":"dotted",` +
		`"nt":"7","bad":"7 apples","bt":"true","q":"say \"hi\"\n","u":"\u00e9\ud83d\ude00\ud800!","k\"1":"quoted","s":"second","inf":"inf","hex":"0x10"}`
	metadata := observationColumn(t, "metadata")
	text := func(op Operator, key, value string) condition { return must(NewMetadataText(metadata, op, key, value)) }
	number := func(op Operator, key string, value float64) condition {
		return must(NewMetadataNumber(metadata, op, key, value))
	}
	boolean := func(op Operator, key string, value bool) condition {
		return must(NewMetadataBool(metadata, op, key, value))
	}
	cases := []struct {
		name string
		made condition
		json string
		want bool
	}{
		{"=", text(Equal, "s", "Alpha beta"), object, true},
		{"= is case-sensitive", text(Equal, "s", "alpha beta"), object, false},
		{"the first of two counts", text(Equal, "s", "second"), object, false},
		{"contains", text(Contains, "s", "ha b"), object, true},
		{"contains empty", text(Contains, "s", ""), object, true},
		{"does not contain", text(DoesNotContain, "s", "gamma"), object, true},
		{"does not contain what it contains", text(DoesNotContain, "s", "beta"), object, false},
		{"starts with", text(StartsWith, "s", "Al"), object, true},
		{"ends with", text(EndsWith, "s", "beta"), object, true},
		{"a number is its text", text(Equal, "n", "12"), object, true},
		{"a number as it is written", text(Equal, "f", "1.5e1"), object, true},
		{"a boolean is its text", text(Equal, "t", "true"), object, true},
		{"null is empty", text(Equal, "z", ""), object, true},
		{"null is not called so", text(Equal, "z", "null"), object, false},
		{"an empty string", text(Equal, "e", ""), object, true},
		{"an array is compact", text(Equal, "a", `["x",{"y":1},"p q"]`), object, true},
		{"an array's inside is no entry", text(Contains, "a.y", ""), object, false},
		{"a dotted key", text(Equal, "a.b", "dotted"), object, true},
		{"escapes", text(Equal, "q", "say \"hi\"\n"), object, true},
		{"unicode escapes", text(Equal, "u", "é😀\uFFFD!"), object, true},
		{"a key with escapes", text(Equal, `k"1`, "quoted"), object, true},
		{"a key as it is escaped", text(Equal, `k\"1`, "quoted"), object, false},
		{"every escape", text(Equal, "a", "\b\f\n\r\t\"\\/A"), `{"a":"\b\f\n\r\t\"\\\/\u0041"}`, true},
		{"a pair in an escaped key", text(Equal, "\U0001F600", "1"), `{"\ud83d\ude00":1}`, true},
		{"half of a pair before another escape", text(Equal, "a", "\uFFFD\u0041"), `{"a":"\ud83d\u0041"}`, true},
		{"half of a pair before text", text(Equal, "a", "\uFFFDxyzxyz"), `{"a":"\ud83dxyzxyz"}`, true},
		{"digits that are none", text(Equal, "a", "\uFFFD!"), `{"a":"\u00zz!"}`, true},
		{"digits that are missing", text(Equal, "a", "\uFFFD"), `{"a":"\u00"}`, true},
		{"an object that ends behind a key", text(Contains, "a", ""), `{"a"`, false},
		{"a key without a colon", text(Contains, "b", ""), `{"a" 1,"b":2}`, false},
		{"a key that does not end", text(Contains, "a", ""), `{"a`, false},
		{"a value that is missing", text(Contains, "a", ""), `{"a":,"b":1}`, false},
		{"a text that does not end", text(Contains, "a", ""), `{"a":"x`, false},
		{"a list that does not end", text(Contains, "a", ""), `{"a":["x"`, false},
		{"a text in a list that does not end", text(Contains, "a", ""), `{"a":["x]`, false},
		{"a text behind a number", text(Contains, "a", ""), `{"a":1"x"}`, false},
		{"no such key", text(Equal, "x", ""), object, false},
		{"no such key, not containing", text(DoesNotContain, "x", "y"), object, false},
		{"no such key, containing nothing", text(Contains, "x", ""), object, false},
		{"keys are case-sensitive", text(Contains, "S", ""), object, false},
		{"no metadata", text(DoesNotContain, "s", "x"), "", false},
		{"empty metadata", text(DoesNotContain, "s", "x"), "{}", false},
		{"an entry in an object", text(Equal, "a.b", "1"), `{"a":{"c":0,"b":1}}`, true},
		{"an object is no entry", text(Contains, "a", ""), `{"a":{"b":1}}`, false},
		{"an entry behind an object of its name", text(Equal, "a", "1"), `{"a":{"b":1},"a":1}`, true},
		{"an entry in objects with dots", text(Equal, "a.b.c.d", "1"), `{"a":{"b":{"x":1}},"a.b":{"c.d":1}}`, true},
		{"an entry below an empty key", text(Equal, ".a", "1"), `{"":{"a":1}}`, true},
		{"space everywhere", text(Equal, "b", "1"), " {\n\t\"a\" : [ 1 ] ,\r\n \"b\" : 1 } ", true},
		{"braces in strings", text(Equal, "b", "1"), `{"a":"}{\"][","b":1}`, true},

		{"a number", number(Equal, "n", 12), object, true},
		{"a number with an exponent", number(Equal, "f", 15), object, true},
		{"greater", number(Greater, "n", 11.5), object, true},
		{"greater or not", number(Greater, "n", 12), object, false},
		{"greater or equal", number(GreaterEqual, "n", 12), object, true},
		{"less", number(Less, "n", 12.5), object, true},
		{"less or equal", number(LessEqual, "n", 11), object, false},
		{"a text that is a number", number(Equal, "nt", 7), object, true},
		{"a text that is not", number(Equal, "bad", 7), object, false},
		{"neither is true", number(LessEqual, "t", 1), object, false},
		{"nor null", number(Equal, "z", 0), object, false},
		{"nor infinity", number(Greater, "inf", 0), object, false},
		{"nor other bases", number(Greater, "hex", 0), object, false},
		{"number of no such key", number(Less, "x", 1), object, false},

		{"true is true", boolean(Equal, "t", true), object, true},
		{"true is not false", boolean(Equal, "t", false), object, false},
		{"true differs from false", boolean(NotEqual, "t", false), object, true},
		{"false is not true", boolean(NotEqual, "no", true), object, true},
		{"a text that is a boolean", boolean(Equal, "bt", true), object, true},
		{"a text that is not", boolean(NotEqual, "s", true), object, false},
		{"boolean of no such key", boolean(NotEqual, "x", true), object, false},

		{"matches", text(Matches, "s", "Alpha"), object, true},
		{"matches is case-sensitive", text(Matches, "s", "alpha"), object, false},
		{"matches whole words", text(Matches, "s", "Alph"), object, false},
		{"words may be in other values", text(Matches, "a", "needle"), `{"a":"myneedles","b":"a needle"}`, true},
		{"but not in keys", text(Matches, "a", "needle"), `{"a":"myneedles","needle":"b"}`, false},
		{"the whole must be in the value", text(Matches, "b", "needle"), `{"a":"needle","b":"hay"}`, false},
		{"words of arrays count", text(Matches, "a", "needle"), `{"a":"myneedles","b":["a","needle"]}`, true},
		{"words of nested values count", text(Matches, "a", "needle"), `{"a":"myneedles","b":{"c":"needle"}}`, true},
		{"words of different cases are different", text(Matches, "a", "needle"), `{"a":"myneedles","b":"Needle"}`, false},

		{"is null", must(NewNull(metadata, true)), "", true},
		{"an empty object is null", must(NewNull(metadata, true)), " { } ", true},
		{"entries are not null", must(NewNull(metadata, true)), object, false},
		{"is not null", must(NewNull(metadata, false)), object, true},
		{"nothing is not null", must(NewNull(metadata, false)), "{}", false},

		{"broken off", text(Equal, "b", "1"), `{"a":"x`, false},
		{"broken off in the name", text(Equal, "b", "1"), `{"b`, false},
		{"broken off before the value", text(Equal, "b", ""), `{"b":`, false},
		{"no value", text(Equal, "b", ""), `{"b":}`, false},
		{"broken off in an array", text(Contains, "b", ""), `{"b":[1,"`, false},
		{"not an object", text(Contains, "b", ""), `["b"]`, false},
		{"broken escapes", text(Contains, "b", "x"), `{"b":"x\u12"}`, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.made.Match(&domain.Observation{Metadata: c.json}); got != c.want {
				t.Errorf("it gives %v", got)
			}
		})
	}
}

// TestComparesEntry checks that only conditions on the value of one key can be looked up by that key.
func TestComparesEntry(t *testing.T) {
	metadata, name := observationColumn(t, "metadata"), observationColumn(t, "name")
	for _, c := range []struct {
		what string
		made condition
		want bool
	}{
		{"a text", must(NewMetadataText(metadata, Equal, "k", "v")), true},
		{"a part of a text", must(NewMetadataText(metadata, DoesNotContain, "k", "v")), true},
		{"a number", must(NewMetadataNumber(metadata, Less, "k", 1)), true},
		{"a boolean", must(NewMetadataBool(metadata, Equal, "k", true)), true},
		{"no metadata", must(NewNull(metadata, true)), false},
		{"any metadata", must(NewNull(metadata, false)), false},
		{"words, which may stand in other entries", must(NewMetadataText(metadata, Matches, "k", "v")), false},
		{"another column", must(NewText(name, Equal, "v")), false},
	} {
		if got := c.made.ComparesEntry(); got != c.want {
			t.Errorf("%s compares an entry: %v", c.what, got)
		}
	}
}

// TestEntryNumber checks what stores need that keep entries as numbers, and HasEntries.
func TestEntryNumber(t *testing.T) {
	for text, want := range map[string]float64{"7": 7, "-1.5e3": -1500, "0": 0} {
		if got := EntryNumber(text); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{"", "seven", "7 apples", "inf", "true"} {
		if got := EntryNumber(text); !math.IsNaN(got) {
			t.Errorf("%q is %v, want no number", text, got)
		}
	}
	for json, want := range map[string]bool{
		`{"a":1}`: true, ` { "a" : {} } `: true, `{}`: false, ` { } `: false, ``: false, `[1]`: false, `"a"`: false,
	} {
		if got := HasEntries(json); got != want {
			t.Errorf("%s has entries: %v", json, got)
		}
	}
}

func TestEachLeaf(t *testing.T) {
	type entry struct{ Key, Text string }
	var got []entry
	const object = `{"a":1,"b":{"c":"x\ty","d":{},"e":{"f":null}},"":{"g":[ 1 ]},"h\u0041":true}`
	EachLeaf(object, func(key, text string) bool {
		got = append(got, entry{key, text})
		return true
	})
	want := []entry{{"a", "1"}, {"b.c", "x\ty"}, {"b.e.f", ""}, {".g", "[1]"}, {"hA", "true"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	count := 0
	if EachLeaf(object, func(string, string) bool { count++; return count < 2 }) || count != 2 {
		t.Errorf("it goes on after it was told to stop: %d", count)
	}
	EachLeaf(strings.Repeat(`{"a":`, 100_000), func(string, string) bool { return true }) // must terminate
	EachLeaf(strings.Repeat(`{"a":`, 1000)+"1"+strings.Repeat("}", 1000), func(string, string) bool {
		t.Error("it follows objects too deeply")
		return true
	})
}

// reference returns the texts of metadata entries as encoding/json parses them.
func reference(text string) map[string]string {
	leaves := map[string]string{}
	var walk func(prefix, object string)
	walk = func(prefix, object string) {
		d := json.NewDecoder(strings.NewReader(object))
		if start, err := d.Token(); err != nil || start != json.Delim('{') {
			return
		}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return
			}
			var value json.RawMessage
			if err := d.Decode(&value); err != nil {
				return
			}
			key := prefix + name.(string)
			var s string
			switch {
			case value[0] == '{':
				walk(key+".", string(value))
				continue
			case json.Unmarshal(value, &s) == nil: // also null
			default:
				var b bytes.Buffer
				if err := json.Compact(&b, value); err != nil {
					return
				}
				s = b.String()
			}
			if _, ok := leaves[key]; !ok {
				leaves[key] = s
			}
		}
		if _, err := d.Token(); err != nil && err != io.EOF {
			return
		}
	}
	walk("", text)
	return leaves
}

// checkMetadata compares the scanner with encoding/json.
func checkMetadata(t interface{ Fatalf(string, ...any) }, column *Column[domain.Observation], text string, keys ...string) {
	want := reference(text)
	got := map[string]string{}
	EachLeaf(text, func(key, text string) bool {
		if _, ok := got[key]; !ok {
			got[key] = text
		}
		return true
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("entries of %q (-want +got):\n%s", text, diff)
	}
	for key := range want {
		keys = append(keys, key)
	}
	for _, key := range keys {
		value, ok := want[key]
		exists, equals := must(NewMetadataText(column, Contains, key, "")), must(NewMetadataText(column, Equal, key, value))
		if got := exists.MatchMetadata(text); got != ok {
			t.Fatalf("key %q in %q is found: %v, want %v", key, text, got, ok)
		}
		if got := equals.MatchMetadata(text); got != ok {
			t.Fatalf("key %q in %q does not hold %q", key, text, value)
		}
	}
}

func TestMetadataAgreesWithJSON(t *testing.T) {
	column := observationColumn(t, "metadata")
	name := rapid.StringOfN(rapid.RuneFrom([]rune("ab.\"\\\n é你😀")), 0, 4, -1)
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		kinds := []*rapid.Generator[any]{
			rapid.String().AsAny(), name.AsAny(), rapid.Int().AsAny(), rapid.Bool().AsAny(), rapid.Just[any](nil),
			rapid.Float64Range(-1e30, 1e30).AsAny(), rapid.SliceOfN(name, 0, 3).AsAny(),
		}
		if depth > 0 {
			kinds = append(kinds, rapid.MapOfN(name, value(depth-1), 0, 3).AsAny(), rapid.SliceOfN(value(depth-1), 0, 2).AsAny())
		}
		return rapid.OneOf(kinds...)
	}
	rapid.Check(t, func(t *rapid.T) {
		object := rapid.MapOfN(name, value(2), 0, 5).Draw(t, "object")
		text, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "indent") {
			var b bytes.Buffer
			if err := json.Indent(&b, text, " ", "\t"); err != nil {
				t.Fatal(err)
			}
			text = b.Bytes()
		}
		checkMetadata(t, column, string(text), name.Draw(t, "key"))
	})
}

// FuzzMetadata looks for texts that crash the scanner, or objects that it parses differently from encoding/json.
func FuzzMetadata(f *testing.F) {
	for _, text := range []string{
		``, `{}`, `{"a":1}`, `{"a":{"b":[1, "x"]},"a.b":null}`, `{"a":"\ud83d\ude00\n\\"}`, `{"a" : "x`, `{"a":[{"]":"}"}],"":{"":{}}}`,
		`{"a\u0000":1e5,"b":false }`, `{"a":"\u"}`, `[1]`, `{"a":1,}`, `{"a":1]`,
	} {
		f.Add(text, "a.b", "x")
	}
	f.Fuzz(func(t *testing.T, text, key, value string) {
		column := observationColumn(t, "metadata")
		for _, op := range []Operator{Equal, DoesNotContain, Matches} {
			if made, err := NewMetadataText(column, op, key, value); err == nil {
				made.MatchMetadata(text) // does not panic
			}
		}
		number := must(NewMetadataNumber(column, Less, key, 1))
		number.MatchMetadata(text)
		leaves := 0
		EachLeaf(text, func(string, string) bool { leaves++; return true })
		if leaves > len(text) {
			t.Errorf("%d entries in %q", leaves, text)
		}
		// encoding/json replaces invalid UTF-8; the scanner leaves it as it is. Depth is bounded.
		if json.Valid([]byte(text)) && utf8.ValidString(text) && strings.Count(text, "{") < jsontext.MaxDepth {
			checkMetadata(t, column, text, key)
		}
	})
}
