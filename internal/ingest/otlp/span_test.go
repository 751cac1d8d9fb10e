package otlp

import (
	"math"
	"strings"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
)

func TestJSONIDs(t *testing.T) {
	long, longest := strings.Repeat("a", 201), strings.Repeat("b", 200)
	for name, test := range map[string]struct {
		id      string
		want    string
		problem string // expected for a trace id
	}{
		"digits":                  {`"0af7651916cd43dd8448eb211c80319c"`, "0af7651916cd43dd8448eb211c80319c", ""},
		"verbatim":                {`"0AF7-not hex=="`, "0AF7-not hex==", ""},
		"mended":                  {"\"\xff\\ud800\"", "\uFFFD\uFFFD", ""},
		"longest":                 {`"` + longest + `"`, longest, ""},
		"too long":                {`"` + long + `"`, "", "traceId:too_long (201 > 200)"},
		"zeros of another length": {`"00000"`, "00000", ""},
		"list of bytes":           {`[10, 247,0,255]`, "0af700ff", ""},
		"list of whole numbers":   {`[1.0,2e0]`, "0102", ""},
		"longest list":            {`[` + strings.Repeat("1,", 99) + `1]`, strings.Repeat("01", 100), ""},
		"list too long":           {`[` + strings.Repeat("1,", 100) + `1]`, "", "traceId:too_long (202 > 200)"},
		"list of a large":         {`[256]`, "", "traceId:not_an_id"},
		"list of a negative":      {`[-1]`, "", "traceId:not_an_id"},
		"list of a fraction":      {`[0.5]`, "", "traceId:not_an_id"},
		"list of texts":           {`["1"]`, "", "traceId:not_an_id"},
		"buffer":                  {`{"type":"Buffer","data":[1,2]}`, "0102", ""},
		"buffer, data first":      {`{"data":[1,2],"x":{},"type":"Buffer"}`, "0102", ""},
		"buffer without type":     {`{"data":[1,2]}`, "", "traceId:not_an_id"},
		"buffer of other type":    {`{"type":"Blob","data":[1,2]}`, "", "traceId:not_an_id"},
		"buffer without data":     {`{"type":"Buffer"}`, "", "traceId:not_an_id"},
		"buffer of text":          {`{"type":"Buffer","data":"AQI="}`, "", "traceId:not_an_id"},
		"indexed object":          {`{"0":1,"1":2}`, "", "traceId:not_an_id"},
		"number":                  {`42`, "", "traceId:not_an_id"},
		"zero":                    {`0`, "", "traceId:not_an_id"},
		"boolean":                 {`false`, "", "traceId:not_an_id"},
		"null":                    {`null`, "", "traceId:absent"},
		"empty":                   {`""`, "", "traceId:absent"},
		"empty list":              {`[]`, "", "traceId:absent"},
		"empty buffer":            {`{"type":"Buffer","data":[]}`, "", "traceId:absent"},
	} {
		t.Run(name, func(t *testing.T) {
			e := decodeJSON(t, jsonSpans(`{"traceId":`+test.id+`,"spanId":"1"}`))
			if test.problem != "" {
				if d := diff([]string{test.problem}, e.Problems); d != "" || e.Rejected != 1 {
					t.Errorf("%d rejected; problems, want -, got +:\n%s", e.Rejected, d)
				}
			} else if got := onlySpan(t, e).TraceID; got != test.want {
				t.Errorf("trace id %q, want %q", got, test.want)
			}
			// Span ids are treated the same.
			e = decodeJSON(t, jsonSpans(`{"spanId":`+test.id+`,"traceId":"1"}`))
			if test.problem != "" {
				if d := diff([]string{strings.Replace(test.problem, "trace", "span", 1)}, e.Problems); d != "" {
					t.Errorf("problems, want -, got +:\n%s", d)
				}
			} else if got := onlySpan(t, e).SpanID; got != test.want {
				t.Errorf("span id %q, want %q", got, test.want)
			}
		})
	}
}

func TestJSONParentIDs(t *testing.T) {
	for id, test := range map[string]struct {
		want    string
		problem string
	}{
		`"00f067aa0ba902b7"`:                 {want: "00f067aa0ba902b7"},
		`"0000000000000000"`:                 {want: "0000000000000000"},
		`[0,240]`:                            {want: "00f0"},
		`{"type":"Buffer","data":[1]}`:       {want: "01"},
		`null`:                               {},
		`""`:                                 {},
		`[]`:                                 {},
		`0`:                                  {},
		`-0.0`:                               {},
		`false`:                              {},
		`true`:                               {problem: "parentSpanId:not_an_id"},
		`5`:                                  {problem: "parentSpanId:not_an_id"},
		`{}`:                                 {problem: "parentSpanId:not_an_id"},
		`"` + strings.Repeat("a", 500) + `"`: {problem: "parentSpanId:too_long (500 > 200)"},
	} {
		e := decodeJSON(t, jsonSpan(`"parentSpanId":`+id))
		if test.problem != "" {
			if d := diff([]string{test.problem}, e.Problems); d != "" || e.Rejected != 1 {
				t.Errorf("%s: %d rejected; problems, want -, got +:\n%s", id, e.Rejected, d)
			}
		} else if got := onlySpan(t, e).ParentID; got != test.want {
			t.Errorf("%s: parent id %q, want %q", id, got, test.want)
		}
	}
}

func TestZeroIDsInJSON(t *testing.T) {
	const traceID, spanID = `"00000000000000000000000000000000"`, `"0000000000000000"`
	list := "[" + strings.Repeat("0,", 15) + "0]"
	for body, problems := range map[string][]string{
		`{"traceId":` + traceID + `,"spanId":"` + someSpanID + `"}`:    {"traceId:all_zero"},
		`{"traceId":` + list + `,"spanId":"` + someSpanID + `"}`:       {"traceId:all_zero"},
		`{"traceId":"` + someTraceID + `","spanId":` + spanID + `}`:    {"spanId:all_zero"},
		`{"traceId":` + traceID + `,"spanId":` + spanID + `,"name":1}`: {"traceId:all_zero", "spanId:all_zero"},
	} {
		e := decodeJSON(t, jsonSpans(body+`,{"traceId":"`+someTraceID+`","spanId":"`+someSpanID+`"}`))
		if d := diff(problems, e.Problems); d != "" || e.Rejected != 1 || e.Usable() != 1 {
			t.Errorf("%s: %d rejected; problems, want -, got +:\n%s", body, e.Rejected, d)
		}
		if text := e.PartialMessage(); !strings.Contains(text, "1 of 2 span(s)") || !strings.Contains(text, "not all of them may be zero") {
			t.Errorf("%s", text)
		}
	}
}

func TestProtobufIDs(t *testing.T) {
	for name, test := range map[string]struct {
		trace, span, parent []byte
		want                Span
		problems            []string
	}{
		"usual": {
			trace: bytesOfHex(someTraceID), span: bytesOfHex(someSpanID), parent: bytesOfHex("00F067AA0BA902B7"),
			want: Span{TraceID: someTraceID, SpanID: someSpanID, ParentID: "00f067aa0ba902b7"},
		},
		"zeros": {trace: make([]byte, 16), span: make([]byte, 8), problems: []string{"traceId:all_zero", "spanId:all_zero"}},
		"zero parent": {
			trace: bytesOfHex(someTraceID), span: bytesOfHex(someSpanID), parent: make([]byte, 8),
			want: Span{TraceID: someTraceID, SpanID: someSpanID, ParentID: "0000000000000000"},
		},
		"other lengths": {
			trace: []byte{1}, span: make([]byte, 16), parent: []byte{1, 2},
			problems: []string{
				"traceId:wrong_length (1 bytes, not 16)", "spanId:wrong_length (16 bytes, not 8)",
				"parentSpanId:wrong_length (2 bytes, not 8)",
			},
		},
		"no trace": {span: bytesOfHex(someSpanID), problems: []string{"traceId:absent"}},
		"no span":  {trace: bytesOfHex(someTraceID), problems: []string{"spanId:absent"}},
		"none":     {problems: []string{"traceId:absent", "spanId:absent"}},
	} {
		t.Run(name, func(t *testing.T) {
			e := decodeProtobuf(t, marshal(t, exportOf(&tracepb.Span{TraceId: test.trace, SpanId: test.span, ParentSpanId: test.parent})))
			if len(test.problems) > 0 {
				if d := diff(test.problems, e.Problems); d != "" || e.Rejected != 1 || e.Usable() != 0 || !e.Refused() {
					t.Errorf("%d rejected; problems, want -, got +:\n%s", e.Rejected, d)
				}
			} else if d := diff(test.want, onlySpan(t, e)); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
		})
	}
}

func TestJSONTimes(t *testing.T) {
	at := func(n int64) Nanos { return Nanos{Value: n, Set: true} }
	for text, want := range map[string]Nanos{
		`"1767225600123456789"`:       at(1767225600123456789),
		`1767225600123456789`:         at(1767225600123456789),
		`1.7672256e18`:                at(1767225600000000000),
		`"1767225600123456789.7"`:     at(1767225600123456768), // rounded to a float64
		`{"high":411463421,"low":-1}`: at(411463421<<32 | 0xffffffff),
		`{"low":5,"high":0}`:          at(5),
		`{"high":0,"low":0}`:          at(0),
		`"0"`:                         at(0),
		`0`:                           at(0),
		`"-5"`:                        at(-5),
		`"9223372036854775807"`:       at(math.MaxInt64),
		`"9223372036854775808"`:       {},
		`"18446744073709551615"`:      {},
		`1e30`:                        {},
		`-1e30`:                       {},
		`1e999`:                       {},
		`{"high":-1,"low":0}`:         {},
		`{"high":"1","low":0}`:        {},
		`{"high":1}`:                  {},
		`{}`:                          {},
		`""`:                          {},
		`"soon"`:                      {},
		`"Infinity"`:                  {},
		`"2026-01-01T00:00:00Z"`:      {},
		`null`:                        {},
		`true`:                        {},
		`[1]`:                         {},
	} {
		span := onlySpan(t, decodeJSON(t, jsonSpan(`"startTimeUnixNano":`+text+`,"endTimeUnixNano":`+text)))
		if span.Start != want || span.End != want {
			t.Errorf("%s: start %v, end %v; want %v", text, span.Start, span.End, want)
		}
	}
	if span := onlySpan(t, decodeJSON(t, jsonSpan(`"name":"a"`))); span.Start.Set || span.End.Set {
		t.Errorf("start %v, end %v of a span without times", span.Start, span.End)
	}
}

func TestProtobufTimes(t *testing.T) {
	for nanos, want := range map[uint64]Nanos{
		0:                   {},
		1:                   {Value: 1, Set: true},
		1767225600123456789: {Value: 1767225600123456789, Set: true},
		math.MaxInt64:       {Value: math.MaxInt64, Set: true},
		math.MaxInt64 + 1:   {},
		math.MaxUint64:      {},
	} {
		s := spanOf()
		s.StartTimeUnixNano, s.EndTimeUnixNano = nanos, nanos
		span := onlySpan(t, decodeProtobuf(t, marshal(t, exportOf(s))))
		if span.Start != want || span.End != want {
			t.Errorf("%d: start %v, end %v; want %v", nanos, span.Start, span.End, want)
		}
	}
}

func TestJSONSpanFields(t *testing.T) {
	a := []Attribute{{Key: "k", Value: wantInt(1)}}
	for name, test := range map[string]struct {
		members string
		want    Span
	}{
		"name":                  {`"name":"a"`, Span{Name: "a"}},
		"no name":               {`"kind":1`, Span{}},
		"null as name":          {`"name":null`, Span{}},
		"number as name":        {`"name":-1.50`, Span{Name: "-1.50"}},
		"object as name":        {`"name":{"a":1}`, Span{}},
		"of two names the last": {`"name":"a","name":"b"`, Span{Name: "b"}},
		"status":                {`"status":{"code":2,"message":"boom","x":1}`, Span{StatusCode: 2, StatusMessage: "boom"}},
		"status 2.0":            {`"status":{"code":2.0}`, Span{StatusCode: 2}},
		"name of a status":      {`"status":{"code":"STATUS_CODE_ERROR"}`, Span{}},
		"text as status":        {`"status":{"code":"2"}`, Span{}},
		"fraction as status":    {`"status":{"code":1.5}`, Span{}},
		"large status":          {`"status":{"code":2147483648}`, Span{}},
		"huge status":           {`"status":{"code":1e999}`, Span{}},
		"no status":             {`"status":{}`, Span{}},
		"null as status":        {`"status":null`, Span{}},
		"list as status":        {`"status":[2]`, Span{}},
		"null as message":       {`"status":{"code":1,"message":null}`, Span{StatusCode: 1}},
		"events": {
			`"events":[{"timeUnixNano":"1","name":"e","attributes":[{"key":"k","value":{"intValue":1}}]},{"name":"f"}]`,
			Span{Events: []Event{{Name: "e", Attributes: a}, {Name: "f"}}},
		},
		"null as events":       {`"events":null`, Span{}},
		"things that are none": {`"events":[null,1,{"name":"f","attributes":null}]`, Span{Events: []Event{{Name: "f"}}}},
		"events add up":        {`"events":[{"name":"e"}],"events":[{"name":"f"}]`, Span{Events: []Event{{Name: "e"}, {Name: "f"}}}},
		"events and attributes": {
			`"attributes":[{"key":"k","value":{"intValue":1}}],"events":[{"attributes":[{"key":"k","value":{"intValue":1}}]}]`,
			Span{Attributes: a, Events: []Event{{Attributes: a}}},
		},
		"nothing else is read": {
			`"links":[{"traceId":"x"}],"traceState":"a=b","flags":1,"droppedAttributesCount":1,"trace_id":"x"`, Span{},
		},
		"escaped name of member": {`"\u006eame":"a"`, Span{Name: "a"}},
	} {
		t.Run(name, func(t *testing.T) {
			test.want.TraceID, test.want.SpanID = someTraceID, someSpanID
			if d := diff(test.want, onlySpan(t, decodeJSON(t, jsonSpan(test.members)))); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
		})
	}
}

func TestProtobufSpanFields(t *testing.T) {
	s := spanOf(pair("k", intOf(1)))
	s.Name = "name"
	s.Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR, Message: "boom"}
	s.Events = []*tracepb.Span_Event{{Name: "e", TimeUnixNano: 5, Attributes: []*commonpb.KeyValue{pair("k", intOf(2))}}}
	s.Links = []*tracepb.Span_Link{{TraceId: []byte{1}}}
	want := Span{
		TraceID: someTraceID, SpanID: someSpanID, Name: "name", StatusCode: 2, StatusMessage: "boom",
		Attributes: []Attribute{{Key: "k", Value: wantInt(1)}},
		Events:     []Event{{Name: "e", Attributes: []Attribute{{Key: "k", Value: wantInt(2)}}}},
	}
	if d := diff(want, onlySpan(t, decodeProtobuf(t, marshal(t, exportOf(s))))); d != "" {
		t.Errorf("want -, got +:\n%s", d)
	}
}

// TestProtobufFieldOrder sends an event between the attributes of a span, and a resource after its scopes: the wire
// format allows any order.
func TestProtobufFieldOrder(t *testing.T) {
	message := func(number protowire.Number, content ...[]byte) []byte {
		var all []byte
		for _, c := range content {
			all = append(all, c...)
		}
		return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), all)
	}
	attribute := func(number protowire.Number, key string) []byte {
		return message(number, message(1, []byte(key)), message(2, message(1, []byte("v"))))
	}
	body := message(1,
		message(2,
			message(2,
				attribute(9, "a"), message(11, attribute(3, "e1"), message(2, []byte("event")), attribute(3, "e2")), attribute(9, "b"),
				message(2, bytesOfHex(someSpanID)), message(1, bytesOfHex(someTraceID))),
			message(1, attribute(3, "s1"), message(1, []byte("scope"))),
			message(2, message(1, bytesOfHex(someTraceID)), message(2, bytesOfHex("00F067AA0BA902B7"))),
			message(1, attribute(3, "s2"))),
		message(1, attribute(1, "r1")),
		message(1, attribute(1, "r2")))
	v := wantText("v")
	want := []ResourceSpans{{
		Resource: Resource{Attributes: []Attribute{{Key: "r1", Value: v}, {Key: "r2", Value: v}}},
		ScopeSpans: []ScopeSpans{{
			Scope: Scope{Name: "scope", Attributes: []Attribute{{Key: "s1", Value: v}, {Key: "s2", Value: v}}},
			Spans: []Span{
				{
					TraceID: someTraceID, SpanID: someSpanID, Attributes: []Attribute{{Key: "a", Value: v}, {Key: "b", Value: v}},
					Events: []Event{{Name: "event", Attributes: []Attribute{{Key: "e1", Value: v}, {Key: "e2", Value: v}}}},
				},
				{TraceID: someTraceID, SpanID: "00f067aa0ba902b7"},
			},
		}},
	}}
	if d := diff(want, decodeProtobuf(t, body).ResourceSpans); d != "" {
		t.Errorf("want -, got +:\n%s", d)
	}
}

// TestProtobufText checks that invalid UTF-8 is replaced; generated types refuse it.
func TestProtobufText(t *testing.T) {
	body := marshal(t, exportOf(spanOf(pair("key?", textOf("text?")), pair("list", pairsOf(pair("in?", textOf("ner?")))))))
	for i, c := range body {
		if c == '?' {
			body[i] = 0xff
		}
	}
	span := onlySpan(t, decodeProtobuf(t, body))
	want := []Attribute{
		{Key: "key\uFFFD", Value: wantText("text\uFFFD")},
		{Key: "list", Value: wantJSON("{\"kvlistValue\":{\"values\":[{\"key\":\"in\uFFFD\",\"value\":{\"stringValue\":\"ner\uFFFD\"}}]}}")},
	}
	if d := diff(want, span.Attributes); d != "" {
		t.Errorf("want -, got +:\n%s", d)
	}
}
