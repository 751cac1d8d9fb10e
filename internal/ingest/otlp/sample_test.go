package otlp

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

const (
	someTraceID = "0af7651916cd43dd8448eb211c80319c"
	someSpanID  = "b7ad6b7169203331"
)

// Shorthands for the many layers of the generated protobuf types.

func textOf(s string) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: s}}
}

func intOf(n int64) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: n}}
}

func doubleOf(f float64) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: f}}
}

func boolOf(b bool) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_BoolValue{BoolValue: b}}
}

func bytesOf(b []byte) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_BytesValue{BytesValue: b}}
}

func listOf(values ...*commonpb.AnyValue) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_ArrayValue{ArrayValue: &commonpb.ArrayValue{Values: values}}}
}

func pairsOf(pairs ...*commonpb.KeyValue) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_KvlistValue{KvlistValue: &commonpb.KeyValueList{Values: pairs}}}
}

func pair(key string, value *commonpb.AnyValue) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: value}
}

func bytesOfHex(digits string) []byte {
	b, err := hex.DecodeString(digits)
	if err != nil {
		panic(err)
	}
	return b
}

// exportOf returns an export with one group.
func exportOf(spans ...*tracepb.Span) *tracepb.TracesData {
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		ScopeSpans: []*tracepb.ScopeSpans{{Spans: spans}},
	}}}
}

// spanOf returns a valid span with attributes.
func spanOf(attributes ...*commonpb.KeyValue) *tracepb.Span {
	return &tracepb.Span{TraceId: bytesOfHex(someTraceID), SpanId: bytesOfHex(someSpanID), Attributes: attributes}
}

func marshal(t testing.TB, data *tracepb.TracesData) []byte {
	t.Helper()
	body, err := proto.Marshal(data)
	if err != nil {
		t.Fatalf("write protobuf: %v", err)
	}
	return body
}

func decodeProtobuf(t testing.TB, body []byte) *Export {
	t.Helper()
	e := new(Export)
	if err := e.DecodeProtobuf(body, DefaultLimits()); err != nil {
		t.Fatalf("decode protobuf: %v", err)
	}
	return e
}

func decodeJSON(t testing.TB, body string) *Export {
	t.Helper()
	e := new(Export)
	if err := e.DecodeJSON([]byte(body), DefaultLimits()); err != nil {
		t.Fatalf("decode JSON: %v\n%s", err, body)
	}
	return e
}

// jsonSpan returns an export in JSON of one span with ids and the given members.
func jsonSpan(members string) string {
	return jsonSpans(`{"traceId":"` + someTraceID + `","spanId":"` + someSpanID + `",` + members + `}`)
}

// jsonSpans returns an export in JSON with one group.
func jsonSpans(spans string) string {
	return `{"resourceSpans":[{"scopeSpans":[{"spans":[` + spans + `]}]}]}`
}

// onlySpan returns the span of an export that must have exactly one.
func onlySpan(t testing.TB, e *Export) Span {
	t.Helper()
	if e.Spans != 1 || e.Rejected != 0 || len(e.Problems) != 0 {
		t.Fatalf("%d spans, %d rejected, problems %q; want one good span", e.Spans, e.Rejected, e.Problems)
	}
	return e.ResourceSpans[0].ScopeSpans[0].Spans[0]
}

// diff compares decoded values. Empty lists are equal to nil.
func diff(want, got any) string {
	if reflect.DeepEqual(want, got) { // a thousand times faster than finding differences
		return ""
	}
	return cmp.Diff(want, got, cmpopts.EquateEmpty())
}

// expected is a straightforward conversion of an export to what the decoders must return.
func expected(data *tracepb.TracesData) (groups []ResourceSpans, spans, rejected int) {
	for _, rs := range data.GetResourceSpans() {
		group := ResourceSpans{Resource: Resource{Attributes: expectedAttributes(rs.GetResource().GetAttributes())}}
		for _, ss := range rs.GetScopeSpans() {
			scope := ScopeSpans{Scope: Scope{
				Name:       ss.GetScope().GetName(),
				Version:    ss.GetScope().GetVersion(),
				Attributes: expectedAttributes(ss.GetScope().GetAttributes()),
			}}
			for _, s := range ss.GetSpans() {
				spans++
				if !isProtocolID(s.GetTraceId(), 16) || !isProtocolID(s.GetSpanId(), 8) ||
					len(s.GetParentSpanId()) != 0 && len(s.GetParentSpanId()) != 8 {
					rejected++
					continue
				}
				scope.Spans = append(scope.Spans, expectedSpan(s))
			}
			if len(scope.Spans) > 0 {
				group.ScopeSpans = append(group.ScopeSpans, scope)
			}
		}
		if len(group.ScopeSpans) > 0 || len(groups) == 0 {
			groups = append(groups, group)
		}
	}
	return groups, spans, rejected
}

func expectedSpan(s *tracepb.Span) Span {
	span := Span{
		TraceID:       hex.EncodeToString(s.GetTraceId()),
		SpanID:        hex.EncodeToString(s.GetSpanId()),
		ParentID:      hex.EncodeToString(s.GetParentSpanId()),
		Name:          s.GetName(),
		Start:         expectedTime(s.GetStartTimeUnixNano()),
		End:           expectedTime(s.GetEndTimeUnixNano()),
		Attributes:    expectedAttributes(s.GetAttributes()),
		StatusCode:    int(s.GetStatus().GetCode()),
		StatusMessage: s.GetStatus().GetMessage(),
	}
	for _, e := range s.GetEvents() {
		span.Events = append(span.Events, Event{Name: e.GetName(), Attributes: expectedAttributes(e.GetAttributes())})
	}
	return span
}

func expectedTime(nanos uint64) Nanos {
	if nanos == 0 || nanos > math.MaxInt64 {
		return Nanos{}
	}
	return Nanos{Value: int64(nanos), Set: true}
}

func expectedAttributes(pairs []*commonpb.KeyValue) []Attribute {
	var attributes []Attribute
	for _, p := range pairs {
		if p.GetValue() != nil {
			attributes = append(attributes, Attribute{Key: p.GetKey(), Value: expectedValue(p.GetValue())})
		}
	}
	return attributes
}

func expectedValue(value *commonpb.AnyValue) Value {
	switch v := value.GetValue().(type) {
	case *commonpb.AnyValue_StringValue:
		return Value{Kind: KindText, Text: v.StringValue}
	case *commonpb.AnyValue_DoubleValue:
		if math.IsNaN(v.DoubleValue) || math.IsInf(v.DoubleValue, 0) {
			return Value{Kind: KindNull}
		}
		return Value{Kind: KindFloat, Float: v.DoubleValue}
	case *commonpb.AnyValue_BoolValue:
		if v.BoolValue {
			return Value{Kind: KindBool, Int: 1}
		}
		return Value{Kind: KindBool}
	case *commonpb.AnyValue_IntValue:
		return Value{Kind: KindInt, Int: v.IntValue}
	case *commonpb.AnyValue_ArrayValue:
		if len(v.ArrayValue.GetValues()) > 0 {
			list := Value{Kind: KindList}
			for _, item := range v.ArrayValue.GetValues() {
				list.List = append(list.List, expectedValue(item))
			}
			return list
		}
	}
	return Value{Kind: KindJSON, Text: toJSON(jsonValue(value))}
}

// Conversion of an export to OTLP's JSON with the standard library.

type object = map[string]any

func toJSON(value any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(err)
	}
	// The standard library escapes two characters unnecessarily.
	return strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(strings.TrimSuffix(b.String(), "\n"))
}

func jsonExport(data *tracepb.TracesData) object {
	groups := []any{}
	for _, rs := range data.GetResourceSpans() {
		scopes := []any{}
		for _, ss := range rs.GetScopeSpans() {
			spans := []any{}
			for _, s := range ss.GetSpans() {
				spans = append(spans, jsonSpanObject(s))
			}
			scopes = append(scopes, object{"spans": spans, "schemaUrl": "x", "scope": object{
				"name":       ss.GetScope().GetName(),
				"version":    ss.GetScope().GetVersion(),
				"attributes": jsonPairs(ss.GetScope().GetAttributes()),
			}})
		}
		groups = append(groups, object{
			"resource":   object{"attributes": jsonPairs(rs.GetResource().GetAttributes()), "droppedAttributesCount": 1},
			"scopeSpans": scopes,
		})
	}
	return object{"resourceSpans": groups}
}

func jsonSpanObject(s *tracepb.Span) object {
	events := []any{}
	for _, e := range s.GetEvents() {
		events = append(events, object{"name": e.GetName(), "timeUnixNano": "5", "attributes": jsonPairs(e.GetAttributes())})
	}
	span := object{
		"traceId":      hex.EncodeToString(s.GetTraceId()),
		"spanId":       hex.EncodeToString(s.GetSpanId()),
		"parentSpanId": hex.EncodeToString(s.GetParentSpanId()),
		"name":         s.GetName(),
		"kind":         3,
		"links":        []any{object{"traceId": "00"}},
		"attributes":   jsonPairs(s.GetAttributes()),
		"events":       events,
		"status":       object{"code": int(s.GetStatus().GetCode()), "message": s.GetStatus().GetMessage()},
	}
	if nanos := s.GetStartTimeUnixNano(); nanos != 0 {
		span["startTimeUnixNano"] = strconv.FormatUint(nanos, 10)
	}
	if nanos := s.GetEndTimeUnixNano(); nanos != 0 {
		span["endTimeUnixNano"] = object{"high": uint32(nanos >> 32), "low": int32(nanos)}
	}
	return span
}

func jsonPairs(pairs []*commonpb.KeyValue) []any {
	list := []any{}
	for _, p := range pairs {
		member := object{"key": p.GetKey()}
		if p.GetValue() != nil {
			member["value"] = jsonValue(p.GetValue())
		}
		list = append(list, member)
	}
	return list
}

func jsonValue(value *commonpb.AnyValue) object {
	switch v := value.GetValue().(type) {
	case *commonpb.AnyValue_StringValue:
		return object{"stringValue": v.StringValue}
	case *commonpb.AnyValue_DoubleValue:
		switch {
		case math.IsNaN(v.DoubleValue):
			return object{"doubleValue": "NaN"}
		case math.IsInf(v.DoubleValue, 1):
			return object{"doubleValue": "Infinity"}
		case math.IsInf(v.DoubleValue, -1):
			return object{"doubleValue": "-Infinity"}
		}
		return object{"doubleValue": v.DoubleValue}
	case *commonpb.AnyValue_BoolValue:
		return object{"boolValue": v.BoolValue}
	case *commonpb.AnyValue_IntValue:
		return object{"intValue": strconv.FormatInt(v.IntValue, 10)}
	case *commonpb.AnyValue_BytesValue:
		return object{"bytesValue": base64.StdEncoding.EncodeToString(v.BytesValue)}
	case *commonpb.AnyValue_ArrayValue:
		items := []any{}
		for _, item := range v.ArrayValue.GetValues() {
			items = append(items, jsonValue(item))
		}
		return object{"arrayValue": jsonValues(items)}
	case *commonpb.AnyValue_KvlistValue:
		return object{"kvlistValue": jsonValues(jsonPairs(v.KvlistValue.GetValues()))}
	default:
		return object{}
	}
}

// jsonValues omits an empty list, as protobuf does.
func jsonValues(items []any) object {
	if len(items) == 0 {
		return object{}
	}
	return object{"values": items}
}

// randomExport returns an export with everything that a trace export can contain.
func randomExport(r *rand.Rand) *tracepb.TracesData {
	data := new(tracepb.TracesData)
	for range r.IntN(4) {
		rs := &tracepb.ResourceSpans{SchemaUrl: "https://example.com"}
		if r.IntN(4) > 0 {
			rs.Resource = &resourcepb.Resource{Attributes: randomPairs(r, 0), DroppedAttributesCount: 3}
		}
		for range r.IntN(4) {
			ss := new(tracepb.ScopeSpans)
			if r.IntN(4) > 0 {
				ss.Scope = &commonpb.InstrumentationScope{
					Name: randomText(r), Version: randomText(r), Attributes: randomPairs(r, 0),
				}
			}
			for range r.IntN(5) {
				ss.Spans = append(ss.Spans, randomSpan(r))
			}
			rs.ScopeSpans = append(rs.ScopeSpans, ss)
		}
		data.ResourceSpans = append(data.ResourceSpans, rs)
	}
	return data
}

func randomSpan(r *rand.Rand) *tracepb.Span {
	s := &tracepb.Span{
		TraceId: randomBytes(r, 16), SpanId: randomBytes(r, 8), ParentSpanId: randomBytes(r, 8*r.IntN(2)),
		TraceState: "a=b", Flags: 1, Kind: tracepb.Span_SPAN_KIND_CLIENT,
		Name:              randomText(r),
		StartTimeUnixNano: uint64(r.Int64()),
		EndTimeUnixNano:   r.Uint64() >> r.IntN(64),
		Attributes:        randomPairs(r, 0),
		Links:             []*tracepb.Span_Link{{TraceId: randomBytes(r, 16), Attributes: randomPairs(r, 0)}},
	}
	if r.IntN(10) == 0 {
		s.TraceId = nil
	}
	for range r.IntN(3) {
		s.Events = append(s.Events, &tracepb.Span_Event{Name: randomText(r), TimeUnixNano: 7, Attributes: randomPairs(r, 0)})
	}
	if r.IntN(2) == 0 {
		s.Status = &tracepb.Status{Message: randomText(r), Code: tracepb.Status_StatusCode(r.IntN(4) - 1)}
	}
	return s
}

func randomPairs(r *rand.Rand, depth int) []*commonpb.KeyValue {
	var pairs []*commonpb.KeyValue
	for range r.IntN(5) {
		p := &commonpb.KeyValue{Key: randomText(r)}
		if r.IntN(8) > 0 {
			p.Value = randomValue(r, depth)
		}
		pairs = append(pairs, p)
	}
	return pairs
}

func randomValue(r *rand.Rand, depth int) *commonpb.AnyValue {
	kinds := 8
	if depth > 4 {
		kinds = 6
	}
	switch r.IntN(kinds) {
	case 0:
		return new(commonpb.AnyValue)
	case 1:
		return intOf(int64(r.Uint64() >> r.IntN(64)))
	case 2:
		return doubleOf(math.Ldexp(r.Float64()-0.5, r.IntN(140)-70))
	case 3:
		return boolOf(r.IntN(2) == 0)
	case 4:
		return bytesOf(randomBytes(r, r.IntN(9)))
	case 6:
		var items []*commonpb.AnyValue
		for range r.IntN(4) {
			items = append(items, randomValue(r, depth+1))
		}
		return listOf(items...)
	case 7:
		return pairsOf(randomPairs(r, depth+1)...)
	default:
		return textOf(randomText(r))
	}
}

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func randomText(r *rand.Rand) string {
	parts := []string{
		"", "key", "gen_ai.usage.input_tokens", "a \"quoted\" text", "back\\slash", "line\nline\r\t\b\f", "\x00\x1f\x7f",
		"Grüße", "日本語", "😀", "\u2028\u2029", "<&>", "{\"role\":\"user\"}", "/", "\ufffd",
	}
	var b strings.Builder
	for range r.IntN(4) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}

// isProtocolID reports whether id is valid according to the protocol.
func isProtocolID(id []byte, length int) bool {
	return len(id) == length && slices.ContainsFunc(id, func(b byte) bool { return b != 0 })
}
