package jsonschema

import (
	"fmt"
	"math/big"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

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
		{"0.1000000000000000000001", "0.1", 1},
		{"1e400", "1e399", 1},
		{"-1e400", "1", -1},
		{"1e-400", "0", 1},
		{"-1", "-0.5", -1},
		{"12", "1.2e1", 0},
		{"1e99999999999999999999", "1", 1},
		{"1e-99999999999999999999", "1", -1},
	}
	for _, test := range tests {
		if got := compareNumbers(test.a, test.b); got != test.want {
			t.Errorf("compare %s with %s: got %d, want %d", test.a, test.b, got, test.want)
		}
		if got := compareNumbers(test.b, test.a); got != -test.want {
			t.Errorf("compare %s with %s: got %d, want %d", test.b, test.a, got, -test.want)
		}
	}
}

// drawNumber makes a JSON number of few digits, so that equal ones are likely.
func drawNumber(t *rapid.T, label string) string {
	return rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,5})?([eE][-+]?[0-9]{1,2})?`).Draw(t, label)
}

func TestNumbersAgreeWithFractions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawNumber(t, "a"), drawNumber(t, "b")
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		if got, want := compareNumbers(a, b), x.Cmp(y); got != want {
			t.Fatalf("compare %s with %s: got %d, want %d", a, b, got, want)
		}
		if got, want := isInteger(a), x.IsInt(); got != want {
			t.Fatalf("%s is an integer: got %v, want %v", a, got, want)
		}
		same := parseDecimal(a).String() == parseDecimal(b).String()
		if want := x.Cmp(y) == 0; same != want {
			t.Fatalf("%s and %s have the same key: got %v, want %v", a, b, same, want)
		}
	})
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
		{"0.3", "0.1", false},   // 2.9999999999999996 in double precision
		{"0.07", "0.01", false}, // 7.000000000000001
		{"0.06", "0.01", true},
		{"9007199254740993", "2", false}, // double precision would round it to an even number
		{"9223372036854775807", "7", true},
		{"1e21", "1", true}, // Ajv denies it, as it reads "1e+21" as 1
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
		{"-0", "0"},
		{"-0.0", "0"},
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
		if got := numberText(test.text); got != test.want {
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
