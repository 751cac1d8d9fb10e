package otlp

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// bothEncodings decodes an export in protobuf and in JSON. The result must be sound whatever is wrong with the export.
func bothEncodings(t *testing.T, data *tracepb.TracesData, limits Limits, check func(t *testing.T, e *Export, err error)) {
	t.Helper()
	t.Run("protobuf", func(t *testing.T) {
		e := new(Export)
		check(t, e, e.DecodeProtobuf(marshal(t, data), limits))
		checkSound(t, e)
	})
	t.Run("JSON", func(t *testing.T) {
		e := new(Export)
		check(t, e, e.DecodeJSON([]byte(toJSON(jsonExport(data))), limits))
		checkSound(t, e)
	})
}

func manyPairs(n int) []*commonpb.KeyValue {
	pairs := make([]*commonpb.KeyValue, n)
	for i := range pairs {
		pairs[i] = pair("k", intOf(1))
	}
	return pairs
}

func manyItems(n int) []*commonpb.AnyValue {
	items := make([]*commonpb.AnyValue, n)
	for i := range items {
		items[i] = intOf(1)
	}
	return items
}

// nested returns a value nested in n lists.
func nested(n int) *commonpb.AnyValue {
	value := intOf(1)
	for range n {
		value = listOf(value)
	}
	return value
}

// TestSpanLimits exceeds each limit of a span by one: the span is rejected and the others are kept. At the limit it is
// accepted.
func TestSpanLimits(t *testing.T) {
	limits := Limits{Spans: 10, Items: 1000, Attributes: 5, AttributeBytes: 100, Events: 4, ListItems: 7, Depth: 3}
	for name, test := range map[string]struct {
		span    func(beyond int) *tracepb.Span
		problem string
	}{
		"attributes": {
			func(beyond int) *tracepb.Span { return spanOf(manyPairs(5 + beyond)...) },
			"attributes:too_many (6 > 5)",
		},
		"key": {
			func(beyond int) *tracepb.Span { return spanOf(pair(strings.Repeat("k", 100+beyond), intOf(1))) },
			"attributes.key:too_long (101 > 100)",
		},
		"text": {
			func(beyond int) *tracepb.Span { return spanOf(pair("k", textOf(strings.Repeat("v", 100+beyond)))) },
			"attributes:too_long (101 > 100)",
		},
		"text in a list": {
			func(beyond int) *tracepb.Span {
				return spanOf(pair("k", listOf(textOf(strings.Repeat("v", 100+beyond)))))
			},
			"attributes:too_long (101 > 100)",
		},
		"list": {
			func(beyond int) *tracepb.Span { return spanOf(pair("k", listOf(manyItems(7+beyond)...))) },
			"attributes:list_too_long (8 > 7)",
		},
		"depth": {
			func(beyond int) *tracepb.Span { return spanOf(pair("k", nested(3+beyond))) },
			"attributes:nested_too_deeply (4 > 3)",
		},
		"name": {
			func(beyond int) *tracepb.Span {
				s := spanOf()
				s.Name = strings.Repeat("n", 100+beyond)
				return s
			},
			"name:too_long (101 > 100)",
		},
		"status message": {
			func(beyond int) *tracepb.Span {
				s := spanOf()
				s.Status = &tracepb.Status{Message: strings.Repeat("n", 100+beyond)}
				return s
			},
			"status.message:too_long (101 > 100)",
		},
		"events": {
			func(beyond int) *tracepb.Span {
				s := spanOf()
				for range 4 + beyond {
					s.Events = append(s.Events, &tracepb.Span_Event{Name: "e"})
				}
				return s
			},
			"events:too_many (5 > 4)",
		},
		"name of an event": {
			func(beyond int) *tracepb.Span {
				s := spanOf()
				s.Events = []*tracepb.Span_Event{{Name: strings.Repeat("n", 100+beyond)}}
				return s
			},
			"event.name:too_long (101 > 100)",
		},
		"attributes of an event": {
			func(beyond int) *tracepb.Span {
				s := spanOf()
				s.Events = []*tracepb.Span_Event{{Attributes: manyPairs(5 + beyond)}}
				return s
			},
			"event.attributes:too_many (6 > 5)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			neighbour := spanOf(pair("neighbour", textOf("kept")))
			bothEncodings(t, exportOf(test.span(0), neighbour), limits, func(t *testing.T, e *Export, err error) {
				if err != nil || e.Rejected != 0 || len(e.Problems) != 0 {
					t.Errorf("at the limit: %d rejected, problems %q, error %v", e.Rejected, e.Problems, err)
				}
			})
			good, _, _ := expected(exportOf(neighbour))
			bothEncodings(t, exportOf(test.span(1), neighbour), limits, func(t *testing.T, e *Export, err error) {
				if err != nil || e.Spans != 2 || e.Rejected != 1 {
					t.Errorf("beyond the limit: %d spans, %d rejected, error %v", e.Spans, e.Rejected, err)
				}
				if d := diff([]string{test.problem}, e.Problems); d != "" {
					t.Errorf("problems, want -, got +:\n%s", d)
				}
				if d := diff(good, e.ResourceSpans); d != "" {
					t.Errorf("want -, got +:\n%s", d)
				}
			})
		})
	}
}

// TestTextLimits tests the limits of values that are structures in protobuf and are kept as JSON text.
func TestTextLimits(t *testing.T) {
	limits := Limits{Spans: 10, Items: 1000, Attributes: 5, AttributeBytes: 300, Events: 4, ListItems: 7, Depth: 3}
	deep := func(n int) *commonpb.AnyValue {
		value := intOf(1)
		for range n {
			value = pairsOf(pair("k", value))
		}
		return value
	}
	for name, test := range map[string]struct {
		value   *commonpb.AnyValue
		problem string
	}{
		"fine":           {deep(3), ""},
		"depth":          {deep(4), "attributes:nested_too_deeply (4 > 3)"},
		"pairs":          {pairsOf(manyPairs(8)...), "attributes:list_too_long (8 > 7)"},
		"list in a pair": {pairsOf(pair("k", listOf(manyItems(8)...))), "attributes:list_too_long (8 > 7)"},
		"key":            {pairsOf(pair(strings.Repeat("k", 290), nil), pair("k", textOf("v"))), "attributes:too_long (306 > 300)"},
		"text":           {pairsOf(pair("k", textOf(strings.Repeat("v", 270)))), "attributes:too_long (315 > 300)"},
		"bytes":          {bytesOf(make([]byte, 301)), "attributes:too_long (301 > 300)"},
	} {
		t.Run(name, func(t *testing.T) {
			e := new(Export)
			err := e.DecodeProtobuf(marshal(t, exportOf(spanOf(pair("k", test.value)), spanOf())), limits)
			var want []string
			if test.problem != "" {
				want = []string{test.problem}
			}
			if d := diff(want, e.Problems); d != "" || err != nil || e.Rejected != len(want) {
				t.Errorf("%d rejected, error %v; problems, want -, got +:\n%s", e.Rejected, err, d)
			}
		})
	}
	t.Run("JSON", func(t *testing.T) {
		e := new(Export)
		body := jsonSpan(`"attributes":[{"key":"k","value":{"kvlistValue":"` + strings.Repeat("v", 300) + `"}}]`)
		err := e.DecodeJSON([]byte(body), limits)
		if d := diff([]string{"attributes:too_long (318 > 300)"}, e.Problems); d != "" || err != nil {
			t.Errorf("error %v; problems, want -, got +:\n%s", err, d)
		}
	})
}

// TestGroupLimits exceeds limits of resources and scopes: their spans are kept.
func TestGroupLimits(t *testing.T) {
	limits := DefaultLimits()
	limits.Attributes, limits.AttributeBytes = 5, 100
	data := exportOf(spanOf(pair("k", intOf(1))))
	data.ResourceSpans[0].Resource = &resourcepb.Resource{Attributes: manyPairs(6)}
	data.ResourceSpans[0].ScopeSpans[0].Scope = &commonpb.InstrumentationScope{
		Name: "s", Version: "1", Attributes: []*commonpb.KeyValue{pair("k", textOf(strings.Repeat("v", 101)))},
	}
	bothEncodings(t, data, limits, func(t *testing.T, e *Export, err error) {
		if err != nil || e.Usable() != 1 || e.Rejected != 0 || e.BadFields != 2 {
			t.Errorf("%d usable, %d rejected, %d bad fields, error %v", e.Usable(), e.Rejected, e.BadFields, err)
		}
		data := exportOf(spanOf(pair("k", intOf(1))))
		data.ResourceSpans[0].ScopeSpans[0].Scope = &commonpb.InstrumentationScope{Name: "s", Version: "1"}
		good, _, _ := expected(data)
		if d := diff(good, e.ResourceSpans); d != "" {
			t.Errorf("want -, got +:\n%s", d)
		}
		text := e.PartialMessage()
		for _, part := range []string{
			"2 resource- or scope-level field(s) cannot be used",
			"resource.attributes:too_many (6 > 5)", "scope.attributes:too_long (101 > 100)", "scopes: s.",
		} {
			if !strings.Contains(text, part) {
				t.Errorf("message %q does not contain %q", text, part)
			}
		}
	})
	t.Run("unknown members of a scope", func(t *testing.T) {
		body := `{"resourceSpans":[{"scopeSpans":[{"scope":{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1},"spans":[{"traceId":"t","spanId":"s"}]}]}]}`
		e := new(Export)
		err := e.DecodeJSON([]byte(body), limits)
		if d := diff([]string{"scope:too_many_members (6 > 5)"}, e.Problems); d != "" || err != nil || e.Usable() != 1 {
			t.Errorf("%d usable, error %v; problems, want -, got +:\n%s", e.Usable(), err, d)
		}
		if extra := e.ResourceSpans[0].ScopeSpans[0].Scope.Extra; len(extra) != 0 {
			t.Errorf("%d members kept", len(extra))
		}
	})
}

// TestExportLimits exceeds the limits of an export as a whole.
func TestExportLimits(t *testing.T) {
	spans := func(n int) *tracepb.TracesData {
		data := exportOf()
		for range n {
			data.ResourceSpans[0].ScopeSpans[0].Spans = append(data.ResourceSpans[0].ScopeSpans[0].Spans, spanOf())
		}
		return data
	}
	scopes := exportOf(spanOf())
	scopes.ResourceSpans[0].ScopeSpans = append(scopes.ResourceSpans[0].ScopeSpans, make([]*tracepb.ScopeSpans, 20)...)
	for i := range scopes.ResourceSpans[0].ScopeSpans {
		if scopes.ResourceSpans[0].ScopeSpans[i] == nil {
			scopes.ResourceSpans[0].ScopeSpans[i] = new(tracepb.ScopeSpans)
		}
	}
	resources := new(tracepb.TracesData)
	for range 21 {
		resources.ResourceSpans = append(resources.ResourceSpans, new(tracepb.ResourceSpans))
	}
	events := spanOf()
	for range 21 {
		events.Events = append(events.Events, new(tracepb.Span_Event))
	}
	limits := DefaultLimits()
	limits.Spans, limits.Items = 10, 20
	const items = "the export has more than 20 groups, attributes, events and list items"
	for name, test := range map[string]struct {
		data *tracepb.TracesData
		want string
	}{
		"spans at the limit": {spans(10), ""},
		"spans":              {spans(11), "the export has more than 10 spans"},
		"at the limit":       {exportOf(spanOf(manyPairs(18)...)), ""},
		"attributes":         {exportOf(spanOf(manyPairs(19)...)), items},
		"list":               {exportOf(spanOf(pair("k", listOf(manyItems(18)...)))), items},
		"lists":              {exportOf(spanOf(pair("k", nested(18)))), items},
		"events":             {exportOf(events), items},
		"scopes":             {scopes, items},
		"resources":          {resources, items},
	} {
		t.Run(name, func(t *testing.T) {
			bothEncodings(t, test.data, limits, func(t *testing.T, e *Export, err error) {
				var limit *LimitError
				switch {
				case test.want == "" && err != nil:
					t.Errorf("at the limit: %v", err)
				case test.want != "" && (!errors.As(err, &limit) || limit.Error() != test.want):
					t.Errorf("error %v, want %s", err, test.want)
				case test.want != "" && (len(e.ResourceSpans) != 0 || e.Spans != 0):
					t.Error("the export is not empty after an error")
				}
			})
		})
	}
	t.Run("pairs", func(t *testing.T) {
		var limit *LimitError
		err := new(Export).DecodeProtobuf(marshal(t, exportOf(spanOf(pair("k", pairsOf(manyPairs(19)...))))), limits)
		if !errors.As(err, &limit) || limit.Error() != items {
			t.Errorf("error %v, want %s", err, items)
		}
	})
}

// TestDefaultLimits sends exports that the defaults must accept and exports that they must refuse.
func TestDefaultLimits(t *testing.T) {
	t.Run("5 MB of text", func(t *testing.T) {
		text := strings.Repeat("five million ", 5<<20/13)
		bothEncodings(t, exportOf(spanOf(pair("k", textOf(text)))), DefaultLimits(), func(t *testing.T, e *Export, err error) {
			if err != nil {
				t.Fatal(err)
			}
			if got := onlySpan(t, e).Attributes[0].Value.Text; got != text {
				t.Errorf("%d bytes of text, want %d", len(got), len(text))
			}
		})
	})
	t.Run("100,001 attributes", func(t *testing.T) {
		bothEncodings(t, exportOf(spanOf(manyPairs(100_001)...), spanOf()), DefaultLimits(), func(t *testing.T, e *Export, err error) {
			if d := diff([]string{"attributes:too_many (100001 > 4096)"}, e.Problems); d != "" || err != nil || e.Usable() != 1 {
				t.Errorf("%d usable, error %v; problems, want -, got +:\n%s", e.Usable(), err, d)
			}
		})
	})
	t.Run("64 lists inside one another", func(t *testing.T) {
		for depth, rejected := range map[int]int{64: 0, 65: 1} {
			bothEncodings(t, exportOf(spanOf(pair("k", nested(depth)))), DefaultLimits(), func(t *testing.T, e *Export, err error) {
				if err != nil || e.Rejected != rejected {
					t.Errorf("depth %d: %d rejected, error %v", depth, e.Rejected, err)
				}
			})
		}
	})
	t.Run("3,000 lists inside one another", func(t *testing.T) {
		e := new(Export)
		err := e.DecodeProtobuf(marshal(t, exportOf(spanOf(pair("k", nested(3000))))), DefaultLimits())
		if err != nil || e.Rejected != 1 {
			t.Errorf("%d rejected, error %v", e.Rejected, err)
		}
	})
	t.Run("JSON nested too deeply", func(t *testing.T) {
		for _, body := range []string{
			strings.Repeat("[", 1<<20),
			strings.Repeat(`{"a":`, 1<<20),
			jsonSpan(`"x":` + strings.Repeat("[", 300) + strings.Repeat("]", 300)),
		} {
			if err := new(Export).DecodeJSON([]byte(body), DefaultLimits()); !errors.Is(err, errTooDeep) {
				t.Errorf("%.20s…: error %v, want %v", body, err, errTooDeep)
			}
		}
	})
}

// TestTimes checks that spans that start too far from now are rejected and named, and counted apart.
func TestTimes(t *testing.T) {
	limits := DefaultLimits()
	limits.Times = &TimeRange{Earliest: 1_000_000_000_000_000_000, Latest: 2_000_000_000_000_000_000}
	span := func(id int, times string) string {
		return fmt.Sprintf(`{"traceId":"0102030405060708090a0b0c0d0e0f10","spanId":"%016x"%s}`, id, times)
	}
	body := `{"resourceSpans":[{"scopeSpans":[{"scope":{"name":"clockless"},"spans":[` + strings.Join([]string{
		span(1, ``),
		span(2, `,"startTimeUnixNano":"1000000000000000000"`),
		span(3, `,"startTimeUnixNano":"2000000000000000000","endTimeUnixNano":"5"`),
		span(4, `,"startTimeUnixNano":"999999999999999999"`),
		span(5, `,"startTimeUnixNano":"2000000000000000001"`),
		span(6, `,"endTimeUnixNano":"0"`),
	}, ",") + `]}]}]}`
	e := new(Export)
	if err := e.DecodeJSON([]byte(body), limits); err != nil {
		t.Fatal(err)
	}
	want := "3 of 6 span(s) cannot be processed (startTimeUnixNano:too_old, startTimeUnixNano:in_the_future). " +
		"This server accepts spans that start at times from 2001-09-09T01:46:40Z to 2033-05-18T03:33:20Z. " +
		"Everything else was stored. Instrumentation scopes: clockless."
	if got := e.PartialMessage(); e.Usable() != 3 || e.WrongTimes != 3 || got != want {
		t.Errorf("%d usable, %d with wrong times; %q, want %q", e.Usable(), e.WrongTimes, got, want)
	}
	e.Reset()
	if e.WrongTimes != 0 {
		t.Errorf("%d spans with wrong times after a reset", e.WrongTimes)
	}
}
