package datasets

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/decode"
)

func TestItemValues(t *testing.T) {
	for sent, want := range map[string]string{
		``:                        "",
		`null`:                    "",
		`""`:                      `null`,
		`"null"`:                  `null`,
		`" "`:                     `" "`,
		`"12"`:                    `12`,
		`" [1, 2] "`:              `[1,2]`,
		`"{\"a\": \"b c\"}"`:      `{"a":"b c"}`,
		`"\"quoted\""`:            `"quoted"`,
		`"\"12\""`:                `"12"`, // decoded only once
		`"12a"`:                   `"12a"`,
		`"{"`:                     `"{"`,
		`12345678901234567890.10`: `12345678901234567890.10`,
		`1E400`:                   `1E400`,
		"{ \"a\" : [ 1 ,\t2 ],\r\n\"b\": \" \" }": `{"a":[1,2],"b":" "}`,
		`{"a":1,"a":2}`: `{"a":1,"a":2}`,
		`"a\u0000b\u0008\b\u000bc\u001F\u007f\u009f\u00a0d"`:            `"abc\u00a0d"`,
		`"keeps \t \n \f \r \u0009\u000A\u000c\u000D"`:                  `"keeps \t \n \f \r \u0009\u000A\u000c\u000D"`,
		`{"k\u0001ey":["v\u0002"]}`:                                     `{"key":["v"]}`,
		"\"raw \x7f \u0085 \u00a0\"":                                    "\"raw   \u00a0\"",
		"\"bad \xff\"":                                                  "\"bad \uFFFD\"",
		`"\ud83d\ude00 \ud83d \/ \\ \""`:                                `"\ud83d\ude00 \ud83d \/ \\ \""`,
		`"\\u0000"`:                                                     `"\\u0000"`, // a backslash, not an escape
		`"{\"a\":\"\\u0001x\"}"`:                                        `{"a":"x"}`,
		`"` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `"`: `"` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `"`,
	} {
		if got := readItemValue(decode.NewBody([]byte(sent))); string(got) != want {
			t.Errorf("%q is kept as %q, want %q", sent, got, want)
		}
	}
}

// FuzzItemValues compares cleanJSON with a JSON parser.
func FuzzItemValues(f *testing.F) {
	for _, text := range []string{`{"a":[1.0,"\u0001\b\\"]}`, `"\ud83d\u0000\ude00"`, "\"\xff\u0080\"", ` [ ] `, `"12"`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if decode.CheckJSON(raw) != nil {
			return
		}
		readItemValue(decode.NewBody(raw))
		cleaned := cleanJSON(raw)
		var compact bytes.Buffer
		if err := json.Compact(&compact, cleaned); err != nil || compact.String() != string(cleaned) {
			t.Fatalf("%q became %q, which is not compact JSON: %v", raw, cleaned, err)
		}
		if bytes.Contains(bytes.ToLower(raw), []byte(`\ud`)) {
			return // removing a character may join the halves of a surrogate pair
		}
		want := tokens(t, raw)
		for n, token := range want {
			if text, ok := token.(string); ok {
				want[n] = withoutControl(text)
			}
		}
		if diff := cmp.Diff(want, tokens(t, cleaned)); diff != "" {
			t.Errorf("%q became %q: %s", raw, cleaned, diff)
		}
	})
}

func tokens(t *testing.T, raw []byte) (list []json.Token) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, token)
	}
}

func withoutControl(text string) string {
	return strings.Map(func(r rune) rune {
		if r <= 0x08 || r == 0x0B || r >= 0x0E && r <= 0x1F || r >= 0x7F && r <= 0x9F {
			return -1
		}
		return r
	}, text)
}
