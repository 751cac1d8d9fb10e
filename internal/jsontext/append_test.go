package jsontext

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAppendString(t *testing.T) {
	for text, want := range map[string]string{
		"":                          `""`,
		"plain":                     `"plain"`,
		"plain and longer than one": `"plain and longer than one"`,
		`a"b\c`:                     `"a\"b\\c"`,
		"a\n\t\r\b\fb":              `"a\n\t\r\b\fb"`,
		"\x00\x1f \x7f":             "\"\\u0000\\u001f \x7f\"",
		"é日😀":                       `"é日😀"`,
		"</script>&":                `"</script>&"`,
		"a\u2028b\u2029c":           "\"a\u2028b\u2029c\"",
		"a\xffb":                    "\"a\uFFFDb\"",
		"\xff\xfe":                  "\"\uFFFD\uFFFD\"",
		"half \xe2\x82 and \n":      "\"half \uFFFD\uFFFD and \\n\"",
		"surrogate \xed\xa0\x80\"":  "\"surrogate \uFFFD\uFFFD\uFFFD\\\"\"",
	} {
		if got := string(AppendString(nil, text)); got != want {
			t.Errorf("%q is written as %s, want %s", text, got, want)
		}
	}
}

// TestAppendStringPositions puts everything that is escaped at every position around the block sizes.
func TestAppendStringPositions(t *testing.T) {
	for _, special := range []string{`"`, `\`, "\n", "\x01", "\x00", "é", "😀", "\xff", `"\`, "\x1f\""} {
		for _, length := range []int{1, 7, 8, 9, 16, 23, block - 1, block, block + 1, 2*block + 3} {
			for at := range length {
				if length > 64 && at > 20 && at < length-20 && (at < block-9 || at > block+9) {
					continue
				}
				checkString(t, strings.Repeat("x", at)+special+strings.Repeat("y", length-at))
			}
		}
	}
	checkString(t, strings.Repeat("\x01", 3*block))
}

// checkString encodes a string, and compares both encoding and decoding with encoding/json.
func checkString(t *testing.T, text string) {
	t.Helper()
	const before = `{"a":`
	written := AppendString([]byte(before), text)
	if !strings.HasPrefix(string(written), before) {
		t.Fatalf("what was there before %q is gone: %s", text, written)
	}
	written = written[len(before):]
	// Only encoding/json escapes two separators and replacement characters for invalid UTF-8; here they are written as
	// they are.
	separators := strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029", `\ufffd`, "\ufffd")
	standard, err := Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	if want := separators.Replace(string(standard)); string(written) != want {
		t.Fatalf("%q was written as %s, want %s", text, written, want)
	}
	if end, ok := EndOfString(string(written), 0); !ok || end != len(written) || !utf8.Valid(written) {
		t.Fatalf("%q was written as %q, which is no string", text, written)
	}
	repaired := string(AppendUTF8(nil, text))
	if got, ok := Unquote(string(written)); !ok || got != repaired || repaired != string([]rune(text)) {
		t.Fatalf("%q was written as %s and is read as %q", text, written, got)
	}
	if end, seen := Plain(text, 0); end != strings.IndexFunc(text+"\"", special) || seen.ASCII() && !isASCII(text[:end]) {
		t.Fatalf("%q is plain up to %d, ASCII %v", text, end, seen.ASCII())
	}
}

func special(r rune) bool { return r < ' ' || r == '"' || r == '\\' }

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// TestAllocations checks that buffers of callers may be on the stack.
func TestAllocations(t *testing.T) {
	length := 0
	if n := testing.AllocsPerRun(100, func() {
		var room [256]byte
		b := AppendString(room[:0], "plain")
		b = AppendString(b, "a\n")
		b = AppendEscaped(b, "é\xff")
		b = AppendNormalized(b, `\u0041\n`)
		b = AppendUTF8(b, "\xff")
		length += len(AppendNumber(b, 0.1))
	}); n > 0 || length == 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestPlain compares the scan of eight bytes with a scan of single bytes, for every byte at every position.
func TestPlain(t *testing.T) {
	for c := range 256 {
		for place := range 20 {
			b := []byte(strings.Repeat("\xfe", 20))
			b[place] = byte(c)
			want := 20
			if special(rune(c)) {
				want = place
			}
			if got, _ := Plain(string(b), 0); got != want {
				t.Fatalf("byte %#x at %d: %d", c, place, got)
			}
		}
	}
}

func FuzzAppendString(f *testing.F) {
	for _, text := range []string{
		"a\"b\xff\n\u2028é", strings.Repeat("{\"a\":\"\x02\"}", 60), `\u2028`, "\ufffd", "\x7f\x80", strings.Repeat("é", 300),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkString(t, text) })
}

// checkInside decodes the contents of a string, and encodes them again.
func checkInside(t *testing.T, inside string) {
	t.Helper()
	value := `"` + inside + `"`
	end, ok := EndOfString(value, 0)
	if ok = ok && end == len(value); ok != json.Valid([]byte(value)) {
		t.Fatalf("%q is a string: %v", value, ok)
	}
	if !ok {
		Unescape(inside)
		return
	}
	if got, want := string([]rune(Unescape(inside))), unmarshalled(t, value); got != want {
		t.Fatalf("%q means %q, want %q", value, got, want)
	}
	if got, want := AppendNormalized(nil, inside), AppendEscaped(nil, Unescape(inside)); utf8.ValidString(inside) &&
		!bytes.Equal(got, want) {
		t.Fatalf("%q is respelled as %s, want %s", inside, got, want)
	}
	read := 0
	for rest := inside; rest != ""; read++ {
		_, size := FirstRune(rest)
		rest = rest[size:]
	}
	if want := utf8.RuneCountInString(Unescape(inside)); read != want {
		t.Fatalf("%q has %d characters, want %d", inside, read, want)
	}
}

func TestUnescape(t *testing.T) {
	for _, inside := range []string{
		``, `a`, `\n`, `1234567`, `12345678`, `1234567\n`, `12345678\n`, `\n1234567\n12345678\n`, `ü`, `\u00fc1234567ü\t`,
		`\"\\\/\b\f\n\r\t`,
		`\u0000\u001f\u007f\u0080\uffff`, `\uD83D\uDE00`, `\uD83D`, `\uDE00\uD83D`, `\uD83D\uD83D\uDE00`, `\ud83d\n`, `\ud83d\u0041`,
		`\ud83d\u00`,
		"\u007f\u0080\u2028\uffff\U0010ffff", strings.Repeat(`abc\n`, 1000), "\xff", "\xff\\n\xff", `\`, `\x`, `\u12`, `a\"`, `\\\"`,
	} {
		checkInside(t, inside)
	}
	for text, want := range map[string]string{`"a"`: "a", `"\u00e9\/"`: "é/", `""`: "", `"`: "-", `a`: "-", ``: "-", `"a`: "-", `1`: "-"} {
		if got, ok := Unquote(text); ok != (want != "-") || ok && got != want {
			t.Errorf("%q means %q, %v, want %q", text, got, ok, want)
		}
	}
}

func FuzzUnescape(f *testing.F) {
	for _, inside := range []string{`\uD83D\uDE00\ud83d\u0041`, `\"\\\/\b\f\n\r\t`, "\xff\\n", `\u00zz`} {
		f.Add(inside)
	}
	f.Fuzz(func(t *testing.T, inside string) { checkInside(t, inside) })
}

func TestAppendNumber(t *testing.T) {
	for want, number := range map[string]float64{
		"0": math.Copysign(0, -1), "1": 1, "-1.5": -1.5, "0.1": 0.1, "0.30000000000000004": 0.30000000000000004,
		"0.000001": 1e-6, "0.0000025": 2.5e-6, "9.99e-7": 9.99e-7, "1.5e-7": 1.5e-7, "1e-12": 1e-12, "1e-100": 1e-100,
		"-5e-324": -5e-324, "123456789012": 123456789012, "100000000000000000000": 1e20, "1e+21": 1e21, "1.5e+300": 1.5e300,
		"9007199254740992": 1 << 53, "1.7976931348623157e+308": math.MaxFloat64, "-1.25e-9": -1.25e-9,
		"999999999999999900000": 999999999999999900000,
	} {
		if got := string(AppendNumber(nil, number)); got != want {
			t.Errorf("%v is written as %s, want %s", number, got, want)
		}
	}
	for _, number := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := string(AppendNumber(nil, number)); got != "null" {
			t.Errorf("%v is written as %s", number, got)
		}
	}
}

// FuzzAppendNumber compares with encoding/json, which formats numbers as JavaScript does, except for negative zero.
func FuzzAppendNumber(f *testing.F) {
	for _, number := range []float64{
		0, 1, 0.1, 1e-6, 1e-7, 1e20, 1e21, 5e-324, math.MaxFloat64, 9.999999999999999e-7, 999999999999999999999,
	} {
		f.Add(math.Float64bits(number))
	}
	f.Fuzz(func(t *testing.T, bits uint64) {
		number := math.Float64frombits(bits)
		got := string(AppendNumber([]byte("e-0"), number))[3:]
		want, err := json.Marshal(number + 0) // turns -0 into 0
		if err != nil {
			want = []byte("null")
		}
		if got != string(want) {
			t.Fatalf("%v is written as %s, want %s", number, got, want)
		}
		if read, err := strconv.ParseFloat(got, 64); err == nil && read != number {
			t.Fatalf("%v is written as %s, which is %v", number, got, read)
		}
	})
}

func TestCompact(t *testing.T) {
	double := func(dst []byte, number string) []byte { return append(append(dst, number...), number...) }
	for text, want := range map[string][3]string{
		`{ "a" : [ 1 , "b c" ] }`:     {`{"a":[1,"b c"]}`, `{"a":[1,"b c"]}`, `{"a":[11,"b c"]}`},
		"[\n\t\r]":                    {`[]`, `[]`, `[]`},
		`[1.50, -2e3]`:                {`[1.50,-2e3]`, `[1.50,-2e3]`, `[1.501.50,-2e3-2e3]`},
		`"\u0041\/\u000a\u00e9 \""`:   {`"\u0041\/\u000a\u00e9 \""`, `"A/\né \""`, `"A/\né \""`},
		`[true, null , "1", {"2":3}]`: {`[true,null,"1",{"2":3}]`, `[true,null,"1",{"2":3}]`, `[true,null,"1",{"2":33}]`},
		` 7 `:                         {`7`, `7`, `77`},
	} {
		if got := Compact(text); got != want[0] {
			t.Errorf("%q is %s without blanks, want %s", text, got, want[0])
		}
		if got := string(AppendCompact(nil, text, nil)); got != want[1] {
			t.Errorf("%q is written as %s, want %s", text, got, want[1])
		}
		if got := string(AppendCompact(nil, text, double)); got != want[2] {
			t.Errorf("%q is written as %s with its numbers twice, want %s", text, got, want[2])
		}
	}
	for _, text := range valid {
		var want bytes.Buffer
		if err := json.Compact(&want, []byte(text)); err != nil || Compact(text) != want.String() {
			t.Errorf("%q is %s without blanks, want %s, %v", text, Compact(text), want.String(), err)
		}
	}
}

func TestMarshal(t *testing.T) {
	if got, err := Marshal(map[string]any{"a": "<&>", "b": []int{1}}); err != nil || string(got) != `{"a":"<&>","b":[1]}` {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := Marshal(math.NaN()); err == nil {
		t.Errorf("%s", got)
	}
}
