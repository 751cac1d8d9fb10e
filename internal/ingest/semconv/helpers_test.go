package semconv

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
)

// at is the time at which the spans of tests arrive.
const at domain.Micros = 1_767_225_700_000_123

// val converts a Go value to an attribute value.
func val(v any) otlp.Value {
	switch v := v.(type) {
	case nil:
		return otlp.Value{}
	case string:
		return otlp.Value{Kind: otlp.KindText, Text: v}
	case bool:
		if v {
			return otlp.Value{Kind: otlp.KindBool, Int: 1}
		}
		return otlp.Value{Kind: otlp.KindBool}
	case int:
		return otlp.Value{Kind: otlp.KindInt, Int: int64(v)}
	case float64:
		return otlp.Value{Kind: otlp.KindFloat, Float: v}
	case []any:
		list := []otlp.Value{}
		for _, e := range v {
			list = append(list, val(e))
		}
		return otlp.Value{Kind: otlp.KindList, List: list}
	case otlp.Value:
		return v
	default:
		panic("a test made a value of an unexpected kind")
	}
}

// attributes returns a list of attributes from names and values.
func attributes(pairs ...any) []otlp.Attribute {
	var list []otlp.Attribute
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, otlp.Attribute{Key: pairs[i].(string), Value: val(pairs[i+1])})
	}
	return list
}

// input is one span with its resource and scope.
type input struct {
	resource []otlp.Attribute
	scope    otlp.Scope
	span     otlp.Span
}

// mapped maps one span with a fresh mapper.
func mapped(in input) (domain.Observation, Provided) {
	var m Mapper
	var row domain.Observation
	m.Begin(Source{}, at)
	m.Resource(&otlp.Resource{Attributes: in.resource})
	m.Scope(&in.scope)
	p := m.Span(&in.span, &row)
	return row, p
}

// mappedAttributes maps a span that has only attributes.
func mappedAttributes(scope string, pairs ...any) (domain.Observation, Provided) {
	return mapped(input{scope: otlp.Scope{Name: scope}, span: otlp.Span{Name: "span name", Attributes: attributes(pairs...)}})
}

// memberList returns the members of an object as "name=JSON", in order, so that tests see the order and duplicate
// names.
func memberList(t *testing.T, object string) []string {
	t.Helper()
	if object == "" {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(object))
	if token, err := d.Token(); err != nil || token != json.Delim('{') {
		t.Fatalf("%s is no object: %v", object, err)
	}
	var list []string
	for d.More() {
		name, err := d.Token()
		if err != nil {
			t.Fatalf("%s: %v", object, err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatalf("%s: %v", object, err)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, value); err != nil {
			t.Fatal(err)
		}
		list = append(list, name.(string)+"="+compact.String())
	}
	return list
}
