package otlp

import (
	"math"
	"strings"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
)

func wantText(text string) Value    { return Value{Kind: KindText, Text: text} }
func wantJSON(text string) Value    { return Value{Kind: KindJSON, Text: text} }
func wantInt(n int64) Value         { return Value{Kind: KindInt, Int: n} }
func wantFloat(f float64) Value     { return Value{Kind: KindFloat, Float: f} }
func wantList(items ...Value) Value { return Value{Kind: KindList, List: items} }

var (
	wantNull  = Value{Kind: KindNull}
	wantTrue  = Value{Kind: KindBool, Int: 1}
	wantFalse = Value{Kind: KindBool}
)

func TestProtobufValues(t *testing.T) {
	for name, test := range map[string]struct {
		value *commonpb.AnyValue
		want  Value
	}{
		"text":                 {textOf("hello"), wantText("hello")},
		"empty text":           {textOf(""), wantText("")},
		"text with NUL":        {textOf("a\x00b"), wantText("a\x00b")},
		"number":               {doubleOf(1.5), wantFloat(1.5)},
		"zero":                 {doubleOf(0), wantFloat(0)},
		"whole number":         {doubleOf(3), wantFloat(3)},
		"not a number":         {doubleOf(math.NaN()), wantNull},
		"infinity":             {doubleOf(math.Inf(1)), wantNull},
		"negative infinity":    {doubleOf(math.Inf(-1)), wantNull},
		"true":                 {boolOf(true), wantTrue},
		"false":                {boolOf(false), wantFalse},
		"integer":              {intOf(7), wantInt(7)},
		"zero integer":         {intOf(0), wantInt(0)},
		"negative integer":     {intOf(-1), wantInt(-1)},
		"largest integer":      {intOf(math.MaxInt64), wantInt(math.MaxInt64)},
		"smallest integer":     {intOf(math.MinInt64), wantInt(math.MinInt64)},
		"list":                 {listOf(textOf("a"), intOf(1), boolOf(true)), wantList(wantText("a"), wantInt(1), wantTrue)},
		"list of lists":        {listOf(listOf(intOf(1)), listOf(intOf(2))), wantList(wantList(wantInt(1)), wantList(wantInt(2)))},
		"empty list":           {listOf(), wantJSON(`{"arrayValue":{}}`)},
		"empty list in a list": {listOf(listOf()), wantList(wantJSON(`{"arrayValue":{}}`))},
		"list with nothing":    {listOf(new(commonpb.AnyValue), doubleOf(math.NaN())), wantList(wantJSON(`{}`), wantNull)},
		"nothing":              {new(commonpb.AnyValue), wantJSON(`{}`)},
		"bytes":                {bytesOf([]byte{0, 1, 0xfe, 0xff}), wantJSON(`{"bytesValue":"AAH+/w=="}`)},
		"no bytes":             {bytesOf(nil), wantJSON(`{"bytesValue":""}`)},
		"no pairs":             {pairsOf(), wantJSON(`{"kvlistValue":{}}`)},
		"text without a text":  {&commonpb.AnyValue{Value: &commonpb.AnyValue_StringValueStrindex{StringValueStrindex: 3}}, wantJSON(`{}`)},
		"pair": {
			pairsOf(pair("k", textOf("v"))), wantJSON(`{"kvlistValue":{"values":[{"key":"k","value":{"stringValue":"v"}}]}}`),
		},
		"pair without value": {pairsOf(pair("k", nil)), wantJSON(`{"kvlistValue":{"values":[{"key":"k"}]}}`)},
		"pair of nothing":    {pairsOf(pair("", new(commonpb.AnyValue))), wantJSON(`{"kvlistValue":{"values":[{"key":"","value":{}}]}}`)},
		"pair with escapes": {
			pairsOf(pair("\"\\\n\x01", textOf("ä</>"))),
			wantJSON(`{"kvlistValue":{"values":[{"key":"\"\\\n\u0001","value":{"stringValue":"ä</>"}}]}}`),
		},
		"pairs of all kinds": {
			pairsOf(
				pair("i", intOf(math.MaxInt64)), pair("d", doubleOf(0.1)), pair("n", doubleOf(math.NaN())), pair("t", boolOf(true)),
				pair("f", boolOf(false)), pair("b", bytesOf([]byte("x"))), pair("l", listOf(intOf(1), intOf(2))), pair("e", listOf()),
				pair("k", pairsOf(pair("z", intOf(0)))),
			),
			wantJSON(`{"kvlistValue":{"values":[` +
				`{"key":"i","value":{"intValue":"9223372036854775807"}},` +
				`{"key":"d","value":{"doubleValue":0.1}},` +
				`{"key":"n","value":{"doubleValue":"NaN"}},` +
				`{"key":"t","value":{"boolValue":true}},` +
				`{"key":"f","value":{"boolValue":false}},` +
				`{"key":"b","value":{"bytesValue":"eA=="}},` +
				`{"key":"l","value":{"arrayValue":{"values":[{"intValue":"1"},{"intValue":"2"}]}}},` +
				`{"key":"e","value":{"arrayValue":{}}},` +
				`{"key":"k","value":{"kvlistValue":{"values":[{"key":"z","value":{"intValue":"0"}}]}}}]}}`),
		},
	} {
		t.Run(name, func(t *testing.T) {
			span := onlySpan(t, decodeProtobuf(t, marshal(t, exportOf(spanOf(pair("key", test.value))))))
			if d := diff([]Attribute{{Key: "key", Value: test.want}}, span.Attributes); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
		})
	}
}

func TestJSONValues(t *testing.T) {
	for name, test := range map[string]struct {
		value string
		want  Value
	}{
		"text":                       {`{"stringValue":"hello"}`, wantText("hello")},
		"empty text":                 {`{"stringValue":""}`, wantText("")},
		"text that is a number":      {`{"stringValue":"42"}`, wantText("42")},
		"null as text":               {`{"stringValue":null}`, wantNull},
		"number as text":             {`{"stringValue":5}`, wantInt(5)},
		"boolean as text":            {`{"stringValue":true}`, wantTrue},
		"object as text":             {`{"stringValue":{"a": [1, 2]}}`, wantJSON(`{"a":[1,2]}`)},
		"number":                     {`{"doubleValue":1.5}`, wantFloat(1.5)},
		"whole number":               {`{"doubleValue":5}`, wantFloat(5)},
		"number with exponent":       {`{"doubleValue":-2.5E+3}`, wantFloat(-2500)},
		"number written as text":     {`{"doubleValue":"1.5"}`, wantFloat(1.5)},
		"not a number":               {`{"doubleValue":"NaN"}`, wantText("NaN")},
		"infinity":                   {`{"doubleValue":"Infinity"}`, wantText("Infinity")},
		"negative infinity":          {`{"doubleValue":"-Infinity"}`, wantText("-Infinity")},
		"text as number":             {`{"doubleValue":"many"}`, wantText("many")},
		"empty text as number":       {`{"doubleValue":""}`, wantText("")},
		"hexadecimal text as number": {`{"doubleValue":"0x10"}`, wantText("0x10")},
		"text beyond numbers":        {`{"doubleValue":"1e999"}`, wantText("1e999")},
		"beyond numbers":             {`{"doubleValue":1e999}`, wantNull},
		"null as number":             {`{"doubleValue":null}`, wantNull},
		"true":                       {`{"boolValue":true}`, wantTrue},
		"false":                      {`{"boolValue":false}`, wantFalse},
		"text as boolean":            {`{"boolValue":"true"}`, wantText("true")},
		"list": {
			`{"arrayValue":{"values":[{"stringValue":"a"},{"intValue":"1"}]}}`, wantList(wantText("a"), wantInt(1)),
		},
		"list of lists": {
			`{"arrayValue":{"values":[{"arrayValue":{"values":[{"intValue":1}]}},{"boolValue":true}]}}`,
			wantList(wantList(wantInt(1)), wantTrue),
		},
		"empty list":                   {`{"arrayValue":{"values":[]}}`, wantList()},
		"list with nothing":            {`{"arrayValue":{"values":[null,{},7]}}`, wantList(wantNull, wantJSON(`{}`), wantJSON(`7`))},
		"list without values":          {`{"arrayValue":{}}`, wantJSON(`{"arrayValue":{}}`)},
		"list of an object":            {`{"arrayValue":{"values":{"a":1}}}`, wantJSON(`{"arrayValue":{"values":{"a":1}}}`)},
		"list that is a list":          {`{"arrayValue":[1]}`, wantJSON(`{"arrayValue":[1]}`)},
		"list without values, integer": {`{"arrayValue":{},"intValue":"3"}`, wantInt(3)},
		"integer":                      {`{"intValue":7}`, wantInt(7)},
		"integer written as text":      {`{"intValue":"7"}`, wantInt(7)},
		"negative integer":             {`{"intValue":"-7"}`, wantInt(-7)},
		"largest integer":              {`{"intValue":"9223372036854775807"}`, wantInt(math.MaxInt64)},
		"largest integer as number":    {`{"intValue":9223372036854775807}`, wantInt(math.MaxInt64)},
		"smallest integer":             {`{"intValue":"-9223372036854775808"}`, wantInt(math.MinInt64)},
		"integer beyond 64 bits":       {`{"intValue":"92233720368547758080"}`, wantFloat(92233720368547758080)},
		"integer with exponent":        {`{"intValue":1e3}`, wantInt(1000)},
		"integer with fraction":        {`{"intValue":1.5}`, wantFloat(1.5)},
		"halves":                       {`{"intValue":{"low":5,"high":1,"unsigned":false}}`, wantInt(1<<32 | 5)},
		"halves with a negative low":   {`{"intValue":{"high":0,"low":-1}}`, wantInt(math.MaxUint32)},
		"halves without signs":         {`{"intValue":{"high":4294967295,"low":4294967294}}`, wantInt(-2)},
		"halves of a negative integer": {`{"intValue":{"high":-1,"low":-2}}`, wantInt(-2)},
		"smallest halves":              {`{"intValue":{"high":-2147483648,"low":-2147483648}}`, wantInt(math.MinInt64 + 1<<31)},
		"halves too small": {
			`{"intValue":{"high":1,"low":-2147483649}}`, wantJSON(`{"intValue":{"high":1,"low":-2147483649}}`),
		},
		"one half":                  {`{"intValue":{"high":1}}`, wantJSON(`{"intValue":{"high":1}}`)},
		"halves too large":          {`{"intValue":{"high":1,"low":4294967296}}`, wantJSON(`{"intValue":{"high":1,"low":4294967296}}`)},
		"halves with fraction":      {`{"intValue":{"high":1,"low":0.5}}`, wantJSON(`{"intValue":{"high":1,"low":0.5}}`)},
		"text as integer":           {`{"intValue":"many"}`, wantJSON(`{"intValue":"many"}`)},
		"empty text as integer":     {`{"intValue":""}`, wantJSON(`{"intValue":""}`)},
		"null as integer":           {`{"intValue":null}`, wantJSON(`{"intValue":null}`)},
		"boolean as integer":        {`{"intValue":true}`, wantJSON(`{"intValue":true}`)},
		"integer beyond everything": {`{"intValue":"1e999"}`, wantJSON(`{"intValue":"1e999"}`)},
		"pairs": {
			"{\"kvlistValue\" : {\"values\":[ {\"key\":\"a\",\n\"value\":{\"intValue\":\"1\"}} ]}}",
			wantJSON(`{"kvlistValue":{"values":[{"key":"a","value":{"intValue":"1"}}]}}`),
		},
		"bytes":                         {`{"bytesValue":"AAH+/w=="}`, wantJSON(`{"bytesValue":"AAH+/w=="}`)},
		"nothing":                       {`{}`, wantJSON(`{}`)},
		"nothing with blanks":           {" { \t} ", wantJSON(`{}`)},
		"unknown members":               {`{"x":"a  b","y":[true , null,-1.50e+2]}`, wantJSON(`{"x":"a  b","y":[true,null,-1.50e+2]}`)},
		"other spelling":                {`{"string_value":"a"}`, wantJSON(`{"string_value":"a"}`)},
		"escapes in unknown members":    {`{"\u0078":"\u00e9\/\"\u0001\ud83d\ude00"}`, wantJSON(`{"x":"é/\"\u0001😀"}`)},
		"surrogates in unknown members": {`{"x":"\ud83d"}`, wantJSON("{\"x\":\"\uFFFD\"}")},
		"bytes in unknown members":      {"{\"x\":\"\xff\"}", wantJSON("{\"x\":\"\uFFFD\"}")},
		"a bare text":                   {`"text"`, wantJSON(`"text"`)},
		"a bare number":                 {`12`, wantJSON(`12`)},
		"a bare list":                   {`[1, 2]`, wantJSON(`[1,2]`)},
		"escaped member name":           {`{"\u0073tringValue":"a"}`, wantText("a")},

		// The first member in the order of the contract wins, wherever it is.
		"text before number": {`{"doubleValue":1,"stringValue":"a"}`, wantText("a")},
		"text before everything": {
			`{"stringValue":"a","doubleValue":1,"boolValue":true,"arrayValue":{"values":[]},"intValue":1}`, wantText("a"),
		},
		"number before boolean":    {`{"boolValue":true,"doubleValue":1}`, wantFloat(1)},
		"number before all below":  {`{"intValue":1,"arrayValue":{"values":[]},"boolValue":true,"doubleValue":2}`, wantFloat(2)},
		"boolean before list":      {`{"arrayValue":{"values":[]},"boolValue":false}`, wantFalse},
		"list before integer":      {`{"intValue":1,"arrayValue":{"values":[]}}`, wantList()},
		"integer before pairs":     {`{"kvlistValue":{},"intValue":1}`, wantInt(1)},
		"bad integer before pairs": {`{"kvlistValue":{},"intValue":"x"}`, wantJSON(`{"kvlistValue":{},"intValue":"x"}`)},
		"text after bad integer":   {`{"intValue":"x","stringValue":"a"}`, wantText("a")},
		"null decides, too":        {`{"stringValue":null,"intValue":1}`, wantNull},
		"of two the last":          {`{"stringValue":"a","stringValue":"b"}`, wantText("b")},
		"of two lists the last": {
			`{"arrayValue":{"values":[{"intValue":1}]},"arrayValue":{"values":[{"intValue":2}]}}`, wantList(wantInt(2)),
		},
		"of two integers the last":  {`{"intValue":1,"intValue":2}`, wantInt(2)},
		"of two integers a bad one": {`{"intValue":1,"intValue":"x"}`, wantJSON(`{"intValue":1,"intValue":"x"}`)},
	} {
		t.Run(name, func(t *testing.T) {
			body := jsonSpan(`"attributes":[{"key":"key","value":` + test.value + `}]`)
			span := onlySpan(t, decodeJSON(t, body))
			if d := diff([]Attribute{{Key: "key", Value: test.want}}, span.Attributes); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
		})
	}
}

func TestJSONAttributes(t *testing.T) {
	a := func(key, text string) Attribute { return Attribute{Key: key, Value: wantText(text)} }
	for name, test := range map[string]struct {
		attributes string
		want       []Attribute
	}{
		"none": {`[]`, nil},
		"null": {`null`, nil},
		"order": {
			`[{"key":"b","value":{"stringValue":"1"}},{"key":"a","value":{"stringValue":"2"}}]`, []Attribute{a("b", "1"), a("a", "2")},
		},
		"repeated keys are kept": {
			`[{"key":"a","value":{"stringValue":"1"}},{"key":"a","value":{"stringValue":"2"}}]`, []Attribute{a("a", "1"), a("a", "2")},
		},
		"no value":             {`[{"key":"a"},{"key":"b","value":{"stringValue":"2"}}]`, []Attribute{a("b", "2")}},
		"null value":           {`[{"key":"a","value":null},{"key":"b","value":{"stringValue":"2"}}]`, []Attribute{a("b", "2")}},
		"value before key":     {`[{"value":{"stringValue":"2"},"key":"b"}]`, []Attribute{a("b", "2")}},
		"no key":               {`[{"value":{"stringValue":"2"}}]`, []Attribute{a("", "2")}},
		"null key":             {`[{"key":null,"value":{"stringValue":"2"}}]`, []Attribute{a("", "2")}},
		"number as key":        {`[{"key":7,"value":{"stringValue":"2"}}]`, []Attribute{a("7", "2")}},
		"boolean as key":       {`[{"key":false,"value":{"stringValue":"2"}}]`, []Attribute{a("false", "2")}},
		"object as key":        {`[{"key":{"a":1},"value":{"stringValue":"2"}}]`, []Attribute{a("", "2")}},
		"things that are none": {`[null,1,"a",[{}],{"key":"b","value":{"stringValue":"2"}},true]`, []Attribute{a("b", "2")}},
		"unknown members": {
			`[{"x":[{}],"key":"b","y":{"key":"c"},"value":{"stringValue":"2"},"z":null}]`, []Attribute{a("b", "2")},
		},
		"of two keys the last":   {`[{"key":"a","key":"b","value":{"stringValue":"2"}}]`, []Attribute{a("b", "2")}},
		"of two values the last": {`[{"key":"b","value":{"stringValue":"1"},"value":{"stringValue":"2"}}]`, []Attribute{a("b", "2")}},
		"of two values null":     {`[{"key":"b","value":{"stringValue":"1"},"value":null}]`, nil},
		"two lists add up": {
			`[{"key":"a","value":{"stringValue":"1"}}],"attributes":[{"key":"b","value":{"stringValue":"2"}}]`,
			[]Attribute{a("a", "1"), a("b", "2")},
		},
		"key and text with escapes": {
			`[{"key":"\u00fc\n","value":{"stringValue":"\"\\\/\b\f\n\r\t\u0000"}}]`, []Attribute{a("ü\n", "\"\\/\b\f\n\r\t\x00")},
		},
		"pair of surrogates":        {`[{"key":"a","value":{"stringValue":"x\uD83D\uDE00y"}}]`, []Attribute{a("a", "x😀y")}},
		"lone high surrogate":       {`[{"key":"a","value":{"stringValue":"x\ud83dy"}}]`, []Attribute{a("a", "x\uFFFDy")}},
		"lone low surrogate":        {`[{"key":"a","value":{"stringValue":"x\ude00y"}}]`, []Attribute{a("a", "x\uFFFDy")}},
		"surrogates in wrong order": {`[{"key":"a","value":{"stringValue":"\ude00\ud83d"}}]`, []Attribute{a("a", "\uFFFD\uFFFD")}},
		"two high, one low":         {`[{"key":"a","value":{"stringValue":"\ud83d\ud83d\ude00"}}]`, []Attribute{a("a", "\uFFFD😀")}},
		"surrogate, other escape":   {`[{"key":"a","value":{"stringValue":"\ud83d\u0041\n"}}]`, []Attribute{a("a", "\uFFFDA\n")}},
		"invalid UTF-8": {
			"[{\"key\":\"a\xff\",\"value\":{\"stringValue\":\"x\xc3\x28 \xf0\x9f\"}}]", []Attribute{a("a\uFFFD", "x\uFFFD( \uFFFD")},
		},
		"invalid UTF-8 with escapes": {"[{\"key\":\"a\",\"value\":{\"stringValue\":\"\\n\xff\"}}]", []Attribute{a("a", "\n\uFFFD")}},
		"invalid UTF-8 behind all": {
			"[{\"key\":\"a\",\"value\":{\"stringValue\":\"\\n0123456789abcdef0123456789\\n0123456789abcdef\xff\"}}]",
			[]Attribute{a("a", "\n0123456789abcdef0123456789\n0123456789abcdef\uFFFD")},
		},
		"long text": {
			`[{"key":"a","value":{"stringValue":"` + strings.Repeat("abcdefg ", 5000) + `"}}]`,
			[]Attribute{a("a", strings.Repeat("abcdefg ", 5000))},
		},
		"long text with escapes": {
			`[{"key":"a","value":{"stringValue":"` + strings.Repeat(`abc\n`, 5000) + `"}}]`,
			[]Attribute{a("a", strings.Repeat("abc\n", 5000))},
		},
	} {
		t.Run(name, func(t *testing.T) {
			span := onlySpan(t, decodeJSON(t, jsonSpan(`"attributes":`+test.attributes)))
			if d := diff(test.want, span.Attributes); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
		})
	}
}

func TestProtobufAttributes(t *testing.T) {
	span := onlySpan(t, decodeProtobuf(t, marshal(t, exportOf(spanOf(
		pair("a", textOf("1")), pair("b", nil), pair("a", textOf("2")), pair("", textOf("3")),
	)))))
	want := []Attribute{
		{Key: "a", Value: wantText("1")}, {Key: "a", Value: wantText("2")}, {Key: "", Value: wantText("3")},
	}
	if d := diff(want, span.Attributes); d != "" {
		t.Errorf("want -, got +:\n%s", d)
	}
}
