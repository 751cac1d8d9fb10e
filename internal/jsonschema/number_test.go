package jsonschema

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// Numbers are compared with all their digits, up to a length that nobody writes by hand.
func TestNumbersAreComparedExactly(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b string
		want int
	}{
		{"1", "1.0", 0},
		{"1", "10e-1", 0},
		{"100", "1E+2", 0},
		{"0", "-0.0", 0},
		{"0", "0e99999999999999999999", 0},
		{"9007199254740993", "9007199254740992", 1},
		{"-9007199254740993", "-9007199254740992", -1},
		{"1e400", "1e399", 1},
		{"-1e400", "1", -1},
		{"1e-400", "0", 1},
		{"-1", "-0.5", -1},
		{"12", "1.2e1", 0},
		{"1e99999999999999999999", "1", 1},
		{"1e10000000", "1", 1},
		{"-1e10000000", "1", -1},
		{"1e-99999999999999999999", "1", -1},
		{"1e-99999999999999999999", "0", 1},
		{strings.Repeat("9", 1_000_000), "1", 1},
		{"0." + strings.Repeat("3", 1_000_000), "0.34", -1},
	}
	for _, test := range tests {
		for _, keyword := range []string{"minimum", "maximum", "const"} {
			met := compiled(t, `{"type":"number","`+keyword+`":`+test.b+`}`).Validate([]byte(test.a)) == nil
			want := map[string]bool{"minimum": test.want >= 0, "maximum": test.want <= 0, "const": test.want == 0}[keyword]
			if met != want {
				t.Errorf("%.40s meets %s %s: got %v, want %v", test.a, keyword, test.b, met, want)
			}
		}
	}
}

func TestMultiples(t *testing.T) {
	t.Parallel()
	tests := []struct {
		number, divisor string
		want            bool
	}{
		{"4", "2", true},
		{"5", "2", false},
		{"-4", "2", true},
		{"0", "3", true},
		{"1.5", "0.5", true},
		{"0.3", "0.1", false},   // 2.9999999999999996 as a float64
		{"0.07", "0.01", false}, // 7.000000000000001
		{"0.06", "0.01", true},
		{"9007199254740993", "2", false}, // a float64 would round it to an even number
		{"9223372036854775807", "7", true},
		{"1e21", "1", true}, // Ajv refuses it, since it parses "1e+21" as 1
		{"1e400", "2", false},
		{"4.0", "2", true},
		{"5", "1e-320", false},
	}
	for _, test := range tests {
		if got := isMultiple(test.number, test.divisor); got != test.want {
			t.Errorf("%s is a multiple of %s: got %v, want %v", test.number, test.divisor, got, test.want)
		}
	}
}

func TestNumbersAreWrittenAsInJavaScript(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"1", "1"},
		{"1.0", "1"},
		{"-0.0", "-0"},
		{"1.50", "1.5"},
		{"1e3", "1000"},
		{"1e20", "100000000000000000000"},
		{"1e21", "1e+21"},
		{"1.25e-7", "1.25e-7"},
		{"1e-10", "1e-10"},
		{"0.000001", "0.000001"},
		{"9007199254740993", "9007199254740993"},
		{"1e400", "1e400"},
		{"1e100", "1e+100"},
	}
	for _, test := range tests {
		if got := shortNumber(test.text); got != test.want {
			t.Errorf("%s is written %s, want %s", test.text, got, test.want)
		}
	}
}

func TestLargeNumbersInSchemas(t *testing.T) {
	t.Parallel()
	tests := []struct {
		schema, value string
		valid         bool
	}{
		{`{"type":"integer","maximum":9007199254740992}`, "9007199254740993", false},
		{`{"const":9007199254740992}`, "9007199254740993", false},
		{`{"type":"array","uniqueItems":true}`, "[9007199254740993,9007199254740992]", true},
		{`{"type":"array","uniqueItems":true}`, "[1e2,100.0]", false},
		{`{"type":"integer"}`, "1e400", true},
		{`{"type":"integer"}`, "1.5e1", true},
		{`{"type":"integer"}`, "1.55e1", false},
		{`{"type":"string","maxLength":1e30}`, `"a"`, true},
		{`{"type":"string","minLength":1e30}`, `"a"`, false},
	}
	for _, test := range tests {
		if got := compiled(t, test.schema).Validate([]byte(test.value)) == nil; got != test.valid {
			t.Errorf("%s on %s: got %v, want %v", test.schema, test.value, got, test.valid)
		}
	}
}

func ExampleSchema_Validate() {
	s, err := Compile([]byte(`{"type": "object", "properties": {"age": {"type": "integer", "minimum": 0}}, "required": ["age"]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range s.Validate([]byte(`{"age": -1}`)) {
		fmt.Println(strconv.Quote(v.Path), v.Message)
	}
	// Output: "/age" must be >= 0
}
