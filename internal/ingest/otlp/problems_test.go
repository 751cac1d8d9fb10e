package otlp

import (
	"encoding/base64"
	"strings"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// TestJSONStructure tests values of the wrong type in place of lists and objects, and what stays usable.
func TestJSONStructure(t *testing.T) {
	const good = `{"traceId":"t","spanId":"s"}`
	for name, test := range map[string]struct {
		body                    string
		groups, spans, rejected int
		badFields               int
		problems                []string
	}{
		"empty object":          {body: `{}`},
		"no groups":             {body: `{"resourceSpans":[]}`},
		"null groups":           {body: `{"resourceSpans":null}`},
		"object of groups":      {body: `{"resourceSpans":{"scopeSpans":[{"spans":[` + good + `]}]}}`},
		"text of groups":        {body: `{"resourceSpans":"x"}`},
		"other spelling":        {body: `{"resource_spans":[{"scopeSpans":[{"spans":[` + good + `]}]}]}`},
		"nested other spelling": {body: `{"resourceSpans":[{"scope_spans":[{"spans":[` + good + `]}]}]}`, groups: 1},
		"blanks":                {body: " \t\r\n{ \"resourceSpans\" : [ ] , \"x\" : 1 } \n"},
		"groups add up": {
			body: `{"resourceSpans":[{"scopeSpans":[{"spans":[` + good + `]}]}],"resourceSpans":[{"scopeSpans":[{"spans":[` + good +
				`]}]},{}]}`, groups: 2, spans: 2,
		},
		"scopes add up": {
			body:   `{"resourceSpans":[{"scopeSpans":[{"spans":[` + good + `]}],"scopeSpans":[{"spans":[` + good + `]}]}]}`,
			groups: 1, spans: 2,
		},
		"spans add up": {
			body: `{"resourceSpans":[{"scopeSpans":[{"spans":[` + good + `],"spans":[` + good + `]}]}]}`, groups: 1, spans: 2,
		},
		"empty group":  {body: `{"resourceSpans":[{}]}`, groups: 1},
		"empty groups": {body: `{"resourceSpans":[{},{},{"scopeSpans":[{"spans":[` + good + `]}]},{}]}`, groups: 2, spans: 1},
		"null group":   {body: `{"resourceSpans":[null]}`, groups: 1},
		"number as group": {
			body: `{"resourceSpans":[5,{"scopeSpans":[{"spans":[` + good + `]}]}]}`, groups: 2, spans: 1, badFields: 1,
			problems: []string{"resourceSpans:not_an_object"},
		},
		"null scopes": {body: `{"resourceSpans":[{"scopeSpans":null}]}`, groups: 1},
		"object of scopes": {
			body: `{"resourceSpans":[{"scopeSpans":{}}]}`, groups: 1, badFields: 1, problems: []string{"scopeSpans:not_an_array"},
		},
		"null and text as scope": {
			body: `{"resourceSpans":[{"scopeSpans":[null,"x"]}]}`, groups: 1, badFields: 1, problems: []string{"scopeSpans:not_an_object"},
		},
		"null spans": {body: `{"resourceSpans":[{"scopeSpans":[{"spans":null}]}]}`, groups: 1},
		"text of spans": {
			body: `{"resourceSpans":[{"scopeSpans":[{"spans":"x"},{"spans":[` + good + `]}]}]}`, groups: 1, spans: 1, badFields: 1,
			problems: []string{"spans:not_an_array"},
		},
		"null resource": {
			body: `{"resourceSpans":[{"resource":null,"scopeSpans":[{"scope":null,"spans":[` + good + `]}]}]}`, groups: 1, spans: 1,
		},
		"number as resource": {
			body: `{"resourceSpans":[{"resource":1,"scopeSpans":[{"scope":2,"spans":[` + good + `]}]}]}`, groups: 1, spans: 1, badFields: 2,
			problems: []string{"resource:not_an_object", "scope:not_an_object"},
		},
		"object of attributes": {
			body:   `{"resourceSpans":[{"resource":{"attributes":{}},"scopeSpans":[{"scope":{"attributes":"x"},"spans":[` + good + `]}]}]}`,
			groups: 1, spans: 1, badFields: 2, problems: []string{"resource.attributes:not_an_array", "scope.attributes:not_an_array"},
		},
		"things that are no spans": {
			body: jsonSpans(`null,7,` + good + `,"x",[],{}`), groups: 1, spans: 6, rejected: 5,
			problems: []string{"traceId:absent", "spanId:absent"},
		},
		"bad spans": {
			body: jsonSpans(`{"traceId":"t","spanId":"s","attributes":{"a":1}},` + good + `,
				{"traceId":"t","spanId":"s","events":{}},
				{"traceId":"t","spanId":"s","events":[{"attributes":7}]},
				{"traceId":"t","spanId":1,"parentSpanId":true}`),
			groups: 1, spans: 5, rejected: 4,
			problems: []string{
				"attributes:not_an_array", "events:not_an_array", "event.attributes:not_an_array", "spanId:not_an_id",
				"parentSpanId:not_an_id",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := decodeJSON(t, test.body)
			checkSound(t, e)
			if len(e.ResourceSpans) != test.groups || e.Spans != test.spans || e.Rejected != test.rejected ||
				e.BadFields != test.badFields {
				t.Errorf("%d groups, %d spans, %d rejected, %d bad fields; want %d, %d, %d, %d",
					len(e.ResourceSpans), e.Spans, e.Rejected, e.BadFields, test.groups, test.spans, test.rejected, test.badFields)
			}
			if d := diff(test.problems, e.Problems); d != "" {
				t.Errorf("problems, want -, got +:\n%s", d)
			}
			usable := 0
			for _, rs := range e.ResourceSpans {
				for _, ss := range rs.ScopeSpans {
					usable += len(ss.Spans)
				}
			}
			if usable != test.spans-test.rejected || usable != e.Usable() {
				t.Errorf("%d spans, Usable says %d, want %d", usable, e.Usable(), test.spans-test.rejected)
			}
			if want := usable == 0 && len(test.problems) > 0; e.Refused() != want {
				t.Errorf("refused %v, want %v", e.Refused(), want)
			}
		})
	}
}

func TestScope(t *testing.T) {
	body := `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t","spanId":"s"}],"scope":{
		"name":"lib","version":1.50,"attributes":[{"key":"k","value":{"boolValue":true}}],"droppedAttributesCount":1,
		"text":"t","int":5,"float":0.5,"yes":true,"null":null,"list":[1, "a"],"object":{"a" : 1}}}]}]}`
	want := Scope{
		Name: "lib", Version: "1.50", Attributes: []Attribute{{Key: "k", Value: wantTrue}},
		Extra: []Attribute{
			{Key: "text", Value: wantText("t")},
			{Key: "int", Value: wantInt(5)},
			{Key: "float", Value: wantFloat(0.5)},
			{Key: "yes", Value: wantTrue},
			{Key: "null", Value: wantNull},
			{Key: "list", Value: wantJSON(`[1,"a"]`)},
			{Key: "object", Value: wantJSON(`{"a":1}`)},
		},
	}
	if d := diff(want, decodeJSON(t, body).ResourceSpans[0].ScopeSpans[0].Scope); d != "" {
		t.Errorf("want -, got +:\n%s", d)
	}
}

const (
	idHint    = "traceId and spanId are required on every span, and each must be a string or a byte array. "
	arrayHint = "scopeSpans, spans, attributes and events must all be arrays — " +
		"OTLP attributes are a list of {key, value} entries, not a JSON object. "
	rejectedAll = "The entire export was rejected and no spans were ingested. "
	tracesOnly  = " This endpoint accepts OpenTelemetry traces only — if you are exporting OpenTelemetry logs, " +
		"point your log exporter elsewhere."
)

func TestMessages(t *testing.T) {
	scope := func(name, spans string) string {
		return `{"resourceSpans":[{"scopeSpans":[{"spans":[` + spans + `],"scope":{"name":"` + name + `"}}]}]}`
	}
	for name, test := range map[string]struct {
		body             string
		refusal, partial string
	}{
		"nothing wrong": {body: jsonSpan(`"name":"a"`)},
		"no ids": {
			body: scope("s", `{"name":"x"}`),
			refusal: "Invalid OTLP trace export: 1 of 1 span(s) cannot be processed (traceId:absent, spanId:absent). " + idHint +
				rejectedAll + "Instrumentation scopes: s." + tracesOnly,
		},
		"object of attributes": {
			body: scope("s", `{"traceId":"t","spanId":"s","attributes":{"a":1}}`),
			refusal: "Invalid OTLP trace export: 1 of 1 span(s) cannot be processed (attributes:not_an_array). " + arrayHint +
				rejectedAll + "Instrumentation scopes: s." + tracesOnly,
		},
		"one of two": {
			body: jsonSpans(`{"traceId":"t","spanId":"s"},{"traceId":42,"spanId":"s"}`),
			partial: "1 of 2 span(s) cannot be processed (traceId:not_an_id). " + idHint +
				"Everything else was stored. Instrumentation scopes: unknown.",
		},
		"both kinds": {
			body: `{"resourceSpans":[{"scopeSpans":7},{"scopeSpans":[{"spans":{}},{"spans":[{"spanId":"s","events":1}]}]}]}`,
			refusal: "Invalid OTLP trace export: 1 of 1 span(s) cannot be processed and 2 resource- or scope-level field(s) are present but not arrays " +
				"(scopeSpans:not_an_array, spans:not_an_array, events:not_an_array, traceId:absent). " + idHint + arrayHint +
				rejectedAll + "Instrumentation scopes: unknown." + tracesOnly,
		},
		"fields only": {
			body: `{"resourceSpans":[{"scopeSpans":{}}]}`,
			refusal: "Invalid OTLP trace export: 1 resource- or scope-level field(s) are present but not arrays (scopeSpans:not_an_array). " +
				arrayHint + rejectedAll + "Instrumentation scopes: unknown." + tracesOnly,
		},
		"a warning": {
			body: `{"resourceSpans":[{"resource":5,"scopeSpans":[{"scope":{"name":"fine"},"spans":[{"traceId":"t","spanId":"s"}]}]}]}`,
			partial: "1 resource- or scope-level field(s) cannot be used (resource:not_an_object). " +
				"Everything else was stored. Instrumentation scopes: unknown.",
		},
		"scopes, at most five": {
			body: `{"resourceSpans":[{"scopeSpans":[` +
				`{"scope":{"name":"a"},"spans":[{}]},{"scope":{"name":"fine"},"spans":[]},{"scope":{"name":"b"},"spans":[{}]},` +
				`{"scope":{"name":"a"},"spans":[{}]},{"spans":[{}]},{"scope":{"name":"` + strings.Repeat("ü", 70) + `"},"spans":[{}]},` +
				`{"scope":{"name":"d"},"spans":1},{"scope":{"name":"e"},"spans":[{}]},{"scope":{"name":"f"},"spans":[{}]}]}]}`,
			refusal: "Invalid OTLP trace export: 7 of 7 span(s) cannot be processed and 1 resource- or scope-level field(s) are present but not arrays " +
				"(traceId:absent, spanId:absent, spans:not_an_array). " + idHint + arrayHint +
				rejectedAll + "Instrumentation scopes: a, b, " + strings.Repeat("ü", 48) + "\uFFFD…, d, e." + tracesOnly,
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := decodeJSON(t, test.body)
			if e.Refused() != (test.refusal != "") {
				t.Fatalf("refused %v", e.Refused())
			}
			if test.refusal != "" {
				if d := diff(test.refusal, e.RefusalMessage()); d != "" {
					t.Errorf("want -, got +:\n%s", d)
				}
			} else if d := diff(test.partial, e.PartialMessage()); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
		})
	}
}

// TestProblemsAreFew sends more distinct problems than are reported.
func TestProblemsAreFew(t *testing.T) {
	var spans []string
	for i := range 30 {
		spans = append(spans, `{"traceId":"`+strings.Repeat("x", 201+i)+`","spanId":"s"}`)
	}
	e := decodeJSON(t, jsonSpans(strings.Join(spans, ",")))
	if e.Rejected != 30 || len(e.Problems) != 10 {
		t.Errorf("%d rejected, %d problems; want 30 and 10", e.Rejected, len(e.Problems))
	}
}

// TestTransportVectors tests the exchanges of the API contract that depend on the decoder.
func TestTransportVectors(t *testing.T) {
	refusal := func(t *testing.T, e *Export, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if text := e.RefusalMessage(); !strings.Contains(text, part) {
				t.Errorf("%q does not contain %q", text, part)
			}
		}
	}
	t.Run("t-02-empty-json", func(t *testing.T) {
		if e := decodeJSON(t, `{"resourceSpans": []}`); len(e.ResourceSpans) != 0 || e.Refused() {
			t.Errorf("%d groups", len(e.ResourceSpans))
		}
	})
	t.Run("t-03-empty-protobuf", func(t *testing.T) {
		if e := decodeProtobuf(t, nil); len(e.ResourceSpans) != 0 || e.Refused() {
			t.Errorf("%d groups", len(e.ResourceSpans))
		}
	})
	t.Run("t-06-bad-json", func(t *testing.T) {
		if err := new(Export).DecodeJSON([]byte("{"), DefaultLimits()); err == nil {
			t.Error("no error")
		}
	})
	t.Run("t-07-bad-protobuf", func(t *testing.T) {
		body, err := base64.StdEncoding.DecodeString("/////w==")
		if err != nil {
			t.Fatal(err)
		}
		if err := new(Export).DecodeProtobuf(body, DefaultLimits()); err == nil {
			t.Error("no error")
		}
	})
	t.Run("t-09-version-too-new", func(t *testing.T) {
		if e := decodeJSON(t, `{"resourceSpans":[{"scopeSpans":[]}]}`); len(e.ResourceSpans) != 1 {
			t.Errorf("%d groups, want 1: the version is looked at if there is one", len(e.ResourceSpans))
		}
	})
	t.Run("t-10-missing-ids", func(t *testing.T) {
		e := decodeJSON(t, `{"resourceSpans":[{"scopeSpans":[{"scope":{"name":"log.bridge"},"spans":[{"name":"a"}]}]}]}`)
		refusal(t, e, "1 of 1 span(s)", "traceId:absent", "spanId:absent", "log.bridge")
	})
	t.Run("t-11-attributes-object", func(t *testing.T) {
		e := decodeJSON(t, `{"resourceSpans":[{"scopeSpans":[{"scope":{"name":"hand.rolled"},"spans":[{"traceId":"`+someTraceID+
			`","spanId":"`+someSpanID+`","name":"a","attributes":{"k":"v"}}]}]}]}`)
		refusal(t, e, "1 of 1 span(s)", "attributes:not_an_array", "hand.rolled")
	})
	t.Run("t-12-one-bad-span", func(t *testing.T) {
		e := decodeJSON(t, jsonSpans(`{"traceId":"`+someTraceID+`","spanId":"`+someSpanID+`","name":"good"},
			{"traceId":42,"spanId":"b7ad6b7169203332","name":"bad"}`))
		if e.Usable() != 1 || e.Refused() || e.ResourceSpans[0].ScopeSpans[0].Spans[0].Name != "good" {
			t.Errorf("%d usable spans, want the good one", e.Usable())
		}
		if text := e.PartialMessage(); !strings.Contains(text, "1 of 2 span(s)") || !strings.Contains(text, "traceId:not_an_id") {
			t.Errorf("message %q", text)
		}
	})
}

// TestLogsExport sends log records, which use the field numbers of spans with other types.
func TestLogsExport(t *testing.T) {
	// LogRecord: time_unix_nano (1, fixed64), severity_number (2), severity_text (3), body (5), attributes (6).
	record := []byte("\x09\x01\x02\x03\x04\x05\x06\x07\x08\x10\x09\x1a\x04INFO\x2a\x07\x0a\x05hello\x32\x07\x0a\x01k\x12\x02\x18\x01")
	if len(record) > 127 {
		t.Fatal("a longer length is needed")
	}
	logs := append([]byte{0x12, byte(len(record))}, record...)
	logs = append([]byte{0x0a, 8, 0x0a, 6, 'b', 'r', 'i', 'd', 'g', 'e'}, logs...) // scope
	logs = append([]byte{0x12, byte(len(logs))}, logs...)
	logs = append([]byte{0x0a, byte(len(logs))}, logs...)
	e := decodeProtobuf(t, logs)
	if d := diff([]string{"traceId:absent", "spanId:absent"}, e.Problems); d != "" || !e.Refused() {
		t.Errorf("refused %v; problems, want -, got +:\n%s", e.Refused(), d)
	}
	if text := e.RefusalMessage(); !strings.Contains(text,
		"Instrumentation scopes: bridge. This endpoint accepts OpenTelemetry traces only") {
		t.Errorf("message %q", text)
	}
}

// TestNeighboursAreKept rejects a span between others that have all kinds of fields, in protobuf.
func TestNeighboursAreKept(t *testing.T) {
	full := func(name string) *tracepb.Span {
		s := spanOf(pair(name, listOf(textOf(name))))
		s.Name = name
		s.Events = []*tracepb.Span_Event{{Name: name, Attributes: []*commonpb.KeyValue{pair(name, textOf(name))}}}
		return s
	}
	bad := full("bad")
	bad.TraceId = nil
	e := decodeProtobuf(t, marshal(t, exportOf(full("a"), bad, full("b"))))
	checkSound(t, e)
	good, _, _ := expected(exportOf(full("a"), full("b")))
	if d := diff(good, e.ResourceSpans); d != "" || e.Spans != 3 || e.Rejected != 1 {
		t.Errorf("%d spans, %d rejected; want -, got +:\n%s", e.Spans, e.Rejected, d)
	}
}
