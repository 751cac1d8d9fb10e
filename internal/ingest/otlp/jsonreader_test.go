package otlp

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"almanac/internal/jsontext"
)

// TestJSONSyntax compares the reader with the standard library, for values that are skipped and for values that are
// read.
func TestJSONSyntax(t *testing.T) {
	values := []string{
		`0`, `-0`, `1`, `-1`, `10`, `01`, `-01`, `00`, `1.`, `.5`, `1.5`, `-1.5e10`, `1e5`, `1E+5`, `1e-5`, `1e`, `1e+`, `1.e5`, `+1`, `-`,
		`--1`, `1-2`, `0x1`, `NaN`, `nan`, `Infinity`, `-Infinity`, `inf`, `1_000`,
		`true`, `false`, `null`, `True`, `tru`, `truee`, `nul`, `fals`, `t`, `undefined`,
		`""`, `"a"`, `"`, `"a`, `'a'`, `"a\"`, `"\""`, `"\\"`, `"\\\"`, `"\a"`, `"\u12"`, `"\u12g4"`, `"\u1234"`, `"\U1234"`, `"\ud800"`,
		`"\ud800\ud800"`, `"\ud83d\ude00"`, `"\ud83d\u12"`, `"\x41"`, "\"\x00\"", "\"\n\"", "\"\t\"", "\"\x1f\"", "\"\x7f\"", "\"\xff\"",
		"\"1234567\x01\"", "\"12345678\x01\"", "\"123456789\x01\"", `"1234567\q"`, `"12345678\q"`, `"\`, `"\u`, `"\u123`,
		`[]`, `[ ]`, `[1]`, `[1,]`, `[,1]`, `[,]`, `[1 2]`, `[1,,2]`, `[`, `]`, `[1`, `[1,`, `[[]]`, `[[]`, `[}`, `[1}`,
		`{}`, `{ }`, `{"a":1}`, `{"a":1,}`, `{,"a":1}`, `{"a"}`, `{"a":}`, `{"a":1 "b":2}`, `{"a":1,"b":2}`, `{a:1}`, `{'a':1}`, `{1:1}`,
		`{"a" : 1 }`, `{"a":1`, `{"a":`, `{"a"`, `{"a`, `{`, `}`, `{]`, `{"a":1]`, `{"a":[}]`, `{"a":{"b":[{}]}}`, `{"\u0061":1}`,
		`{"\u00":1}`,
		"\t1\r\n", "\v1", "\f1", "\u00a01", "\ufeff1", "1\x00", "\x00", `1 2`, `1,`, `1:`, `/**/1`, `//`, ``, ` `,
	}
	for _, value := range values {
		for _, place := range []string{
			`*`, `{"x":*}`, `{"resourceSpans":*}`, `{"resourceSpans":[*]}`, `{"resourceSpans":[{"resource":*}]}`,
			`{"resourceSpans":[{"scopeSpans":[{"scope":*}]}]}`, `{"resourceSpans":[{"scopeSpans":[{"scope":{"x":*}}]}]}`,
			`{"resourceSpans":[{"scopeSpans":[{"scope":{"name":*}}]}]}`,
			jsonSpans(`*`), jsonSpan(`"name":*`), jsonSpan(`"traceId":*`), jsonSpan(`"parentSpanId":*`), jsonSpan(`"traceId":[*]`),
			jsonSpan(`"traceId":{"type":*}`), jsonSpan(`"traceId":{"data":*}`),
			jsonSpan(`"startTimeUnixNano":*`), jsonSpan(`"startTimeUnixNano":{"high":*}`), jsonSpan(`"status":*`),
			jsonSpan(`"status":{"code":*}`),
			jsonSpan(`"events":*`), jsonSpan(`"events":[*]`), jsonSpan(`"attributes":*`), jsonSpan(`"attributes":[*]`),
			jsonSpan(`"attributes":[{"key":*}]`), jsonSpan(`"attributes":[{"value":*}]`),
			jsonSpan(`"attributes":[{"value":{"stringValue":*}}]`), jsonSpan(`"attributes":[{"value":{"doubleValue":*}}]`),
			jsonSpan(`"attributes":[{"value":{"boolValue":*}}]`), jsonSpan(`"attributes":[{"value":{"intValue":*}}]`),
			jsonSpan(`"attributes":[{"value":{"arrayValue":*}}]`), jsonSpan(`"attributes":[{"value":{"arrayValue":{"values":*}}}]`),
			jsonSpan(`"attributes":[{"value":{"kvlistValue":*}}]`),
		} {
			checkJSON(t, []byte(strings.Replace(place, "*", value, 1)))
		}
	}
}

// checkJSON decodes arbitrary text: it must be accepted if and only if the standard library accepts it and it is an
// object. The result must be sound.
func checkJSON(t *testing.T, body []byte) {
	t.Helper()
	e := new(Export)
	err := e.DecodeJSON(body, DefaultLimits())
	wanted := json.Valid(body) && strings.HasPrefix(strings.TrimLeft(string(body), " \t\r\n"), "{")
	if wanted != (err == nil) {
		t.Errorf("%q: error %v, want one: %v", body, err, !wanted)
	}
	checkSound(t, e)
}

// checkSound checks invariants of every export.
func checkSound(t *testing.T, e *Export) {
	t.Helper()
	checkText := func(texts ...string) {
		t.Helper()
		for _, text := range texts {
			if !utf8.ValidString(text) {
				t.Errorf("%q is not UTF-8", text)
			}
		}
	}
	var checkValue func(v Value)
	checkValue = func(v Value) {
		t.Helper()
		checkText(v.Text)
		switch v.Kind {
		case KindJSON:
			if !json.Valid([]byte(v.Text)) {
				t.Errorf("%q is not JSON", v.Text)
			}
		case KindFloat:
			if math.IsNaN(v.Float) || math.IsInf(v.Float, 0) {
				t.Errorf("%v is not a number of JSON", v.Float)
			}
		case KindBool:
			if v.Int != 0 && v.Int != 1 {
				t.Errorf("%d is not a boolean", v.Int)
			}
		}
		for _, item := range v.List {
			checkValue(item)
		}
	}
	checkAttributes := func(attributes []Attribute) {
		t.Helper()
		for _, a := range attributes {
			checkText(a.Key)
			checkValue(a.Value)
		}
	}
	usable := 0
	for _, rs := range e.ResourceSpans {
		checkAttributes(rs.Resource.Attributes)
		for _, ss := range rs.ScopeSpans {
			checkText(ss.Scope.Name, ss.Scope.Version)
			checkAttributes(ss.Scope.Attributes)
			checkAttributes(ss.Scope.Extra)
			if len(ss.Spans) == 0 {
				t.Error("a scope without spans")
			}
			for _, s := range ss.Spans {
				usable++
				if s.TraceID == "" || s.SpanID == "" || max(len(s.TraceID), len(s.SpanID), len(s.ParentID)) > 3*maxIDBytes {
					t.Errorf("span with ids %q, %q, %q", s.TraceID, s.SpanID, s.ParentID)
				}
				checkText(s.TraceID, s.SpanID, s.ParentID, s.Name, s.StatusMessage)
				checkAttributes(s.Attributes)
				for _, event := range s.Events {
					checkText(event.Name)
					checkAttributes(event.Attributes)
				}
			}
		}
	}
	if usable != e.Usable() {
		t.Errorf("%d usable spans, Usable says %d", usable, e.Usable())
	}
	if (e.Rejected > 0 || e.BadFields > 0) != (len(e.Problems) > 0) {
		t.Errorf("%d rejected, %d bad fields, problems %q", e.Rejected, e.BadFields, e.Problems)
	}
	checkText(e.PartialMessage(), e.RefusalMessage())
	b := &e.build
	if open := len(b.scopes.stack) + len(b.spans.stack) + len(b.events.stack) + len(b.attributes.stack) + len(b.values.stack); open > 0 {
		t.Errorf("%d items of lists that were not finished", open)
	}
}

func TestJSONTexts(t *testing.T) {
	for _, text := range []string{
		``, `a`, `\n`, `1234567`, `12345678`, `123456789`, `1234567\n`, `12345678\n`, `\n1234567\n12345678\n`, `ü`, `1234567ü`,
		`\u00fc1234567ü\t`,
		`\"\\\/\b\f\n\r\t`, `\u0000\u001f\u007f\u0080\uffff`, `\uD83D\uDE00`, `\uD83D`, `\uDE00\uD83D`, `\uD83D\uD83D\uDE00`, `\ud83d\n`,
		`\ud83d\u0041`,
		"\u007f\u0080\u2028\uffff\U0010ffff", strings.Repeat(`abc\n`, 1000), strings.Repeat("ü", 1000),
	} {
		checkJSONText(t, text)
	}
}

// checkJSONText decodes the contents of a string.
func checkJSONText(t *testing.T, inside string) {
	t.Helper()
	body := []byte(`"` + inside + `"`)
	r := jsonReader{data: string(body), texts: new(slab[byte])}
	got := r.readText()
	var want string
	err := json.Unmarshal(body, &want)
	switch accepted := r.err == nil && r.pos == len(body); {
	case accepted != (err == nil):
		t.Errorf("%q: error %v at %d, want %v", body, r.err, r.pos, err)
	case accepted && !utf8.ValidString(got):
		t.Errorf("%q: %q is not UTF-8", body, got)
	case accepted && utf8.ValidString(inside) && got != want:
		t.Errorf("%q: %q, want %q", body, got, want)
	}
	if err != nil {
		return
	}
	// Encoded again, it decodes to the same string.
	quoted := jsontext.AppendString(nil, got)
	var again string
	if err := json.Unmarshal(quoted, &again); err != nil || again != got {
		t.Errorf("%q is written as %s: %v", got, quoted, err)
	}
	skipped := jsonReader{data: string(body)}
	if skipped.skip(); skipped.err != nil || skipped.pos != len(body) {
		t.Errorf("%q: error %v at %d when it is skipped", body, skipped.err, skipped.pos)
	}
}

func TestFloatTexts(t *testing.T) {
	for number, want := range map[float64]string{
		0: `0`, 1: `1`, -1.5: `-1.5`, 0.1: `0.1`, 1e20: `100000000000000000000`, 1e21: `1e+21`, 1e-6: `0.000001`, 1e-7: `1e-7`,
		-1.25e-9: `-1.25e-9`, 1e100: `1e+100`, 1e-100: `1e-100`, math.MaxFloat64: `1.7976931348623157e+308`, 5e-324: `5e-324`,
		math.Inf(1): `"Infinity"`, math.Inf(-1): `"-Infinity"`,
	} {
		if got := string(appendFloat(nil, number)); got != want {
			t.Errorf("%v is written as %s, want %s", number, got, want)
		}
	}
	if got := string(appendFloat(nil, math.NaN())); got != `"NaN"` {
		t.Errorf("NaN is written as %s", got)
	}
}

func TestJSONErrors(t *testing.T) {
	for body, want := range map[string]string{
		``:                       "read a trace export in JSON: the text ends where a value is expected",
		`{`:                      "read a trace export in JSON: the text ends where a name is expected",
		`{"a":1,}`:               `read a trace export in JSON: '}' at byte 7 where a value is expected`,
		`{"a" 1}`:                `read a trace export in JSON: '1' at byte 5 where a colon is expected`,
		`{} x`:                   `read a trace export in JSON: 'x' at byte 3 where the end of the text is expected`,
		`{"a":"`:                 "read a trace export in JSON: the text ends where a character of a string is expected",
		`{"a":"\q"}`:             `read a trace export in JSON: '\\' at byte 6 where an escape is expected`,
		`{"a":tru}`:              `read a trace export in JSON: '}' at byte 8 where true is expected`,
		`{"a":1.}`:               `read a trace export in JSON: '}' at byte 7 where a digit is expected`,
		`[]`:                     "read a trace export in JSON: it is not an object",
		`null`:                   "read a trace export in JSON: it is not an object",
		strings.Repeat("[", 400): "read a trace export in JSON: nested too deeply: more than 300 levels at byte 300",
	} {
		if err := new(Export).DecodeJSON([]byte(body), DefaultLimits()); err == nil || err.Error() != want {
			t.Errorf("%.20q: error %v, want %s", body, err, want)
		}
	}
}
