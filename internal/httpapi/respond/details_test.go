package respond

import (
	"strings"
	"testing"
)

func TestReadUsage(t *testing.T) {
	for _, c := range []struct {
		text             string
		contains, prefix usageSums
		ok               bool
	}{
		{`{}`, usageSums{}, usageSums{}, true},
		{`{"input":100,"output":50,"total":150}`, usageSums{100, 50, 150}, usageSums{100, 50, 150}, true},
		{`{"input":10,"output":5,"cache_read_input_tokens":7,"total":22}`, usageSums{17, 5, 22}, usageSums{10, 5, 22}, true},
		{`{"input_cached":1,"Input":2,"INPUT_x":4,"x_output":8}`, usageSums{1, 8, 0}, usageSums{1, 0, 0}, true},
		{`{"output_of_input":3}`, usageSums{3, 3, 0}, usageSums{0, 3, 0}, true},
		{`{"total_tokens":3}`, usageSums{}, usageSums{}, true},
		{`{"input":9223372036854775807,"input_2":1}`, usageSums{1<<63 - 1, 0, 0}, usageSums{1<<63 - 1, 0, 0}, true},
		{`{"input":-9223372036854775808,"input_2":-1}`, usageSums{-1 << 63, 0, 0}, usageSums{-1 << 63, 0, 0}, true},
		{``, usageSums{}, usageSums{}, false},
		{`{"input":1`, usageSums{}, usageSums{}, false},
		{`{"input":1.5}`, usageSums{}, usageSums{}, false},
		{`{"input":"1"}`, usageSums{}, usageSums{}, false},
		{`{"input":1} x`, usageSums{}, usageSums{}, false},
		{`[1]`, usageSums{}, usageSums{}, false},
	} {
		got, ok := readUsage(c.text, strings.Contains)
		if got != c.contains || ok != c.ok {
			t.Errorf("readUsage(%s) = %v, %v; want %v, %v", c.text, got, ok, c.contains, c.ok)
		}
		if got, ok = readUsage(c.text, strings.HasPrefix); got != c.prefix || ok != c.ok {
			t.Errorf("readUsage(%s) by beginning = %v, %v; want %v, %v", c.text, got, ok, c.prefix, c.ok)
		}
	}
}

func TestReadCost(t *testing.T) {
	for _, c := range []struct {
		text                 string
		input, output, total string
		ok                   bool
	}{
		{`{}`, "-", "-", "-", true},
		{`{"input":0.00025,"output":0.0005,"total":0.00075}`, "0.00025", "0.0005", "0.00075", true},
		{`{"input":0.1,"input_cached":0.2}`, "0.3", "-", "-", true},
		{`{"input":0.1,"input_cached":0.2,"audio_input":0.3,"total":1e-12}`, "0.6", "-", "1e-12", true},
		{`{"output":1.5e-7,"output_reasoning":1e-12}`, "-", "1.50001e-7", "-", true},
		{`{"input":10000.1,"input_2":0.2}`, "10000.300000000001", "-", "-", true},
		{`{"input":0,"Input":1}`, "0", "-", "-", true},
		{`{"input":-1,"input_2":-0.5}`, "-1.5", "-", "-", true},
		{`{"input":1e308,"input_2":1e308}`, "null", "-", "-", true},
		{``, "-", "-", "-", false},
		{`{"input":1,`, "-", "-", "-", false},
		{`{"input":1,"x":"2"}`, "-", "-", "-", false},
		{`{"input":1,"x":null}`, "-", "-", "-", false},
	} {
		sums, ok := readCost(c.text, strings.Contains)
		for _, part := range []struct {
			name string
			sum  costSum
			want string
		}{{"input", sums.input, c.input}, {"output", sums.output, c.output}, {"total", sums.total, c.total}} {
			if got := string(part.sum.appendTo(nil, "", "-")); got != part.want {
				t.Errorf("%s of %s is %s, want %s", part.name, c.text, got, part.want)
			}
		}
		if ok != c.ok {
			t.Errorf("readCost(%s) says %v, want %v", c.text, ok, c.ok)
		}
	}
}
