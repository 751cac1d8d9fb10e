package semconv

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
)

// ordered is a JSON object as a list, since the order of attributes matters.
type ordered []pair

type pair struct {
	name  string
	value json.RawMessage
}

func (o *ordered) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		*o = append(*o, pair{name.(string), value})
	}
	return nil
}

func (p *pair) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&p.name, &p.value})
}

func (o ordered) attributes(t *testing.T) []otlp.Attribute {
	var list []otlp.Attribute
	for _, p := range o {
		list = append(list, otlp.Attribute{Key: p.name, Value: vectorValue(t, p.value)})
	}
	return list
}

type vector struct {
	ID       string
	Resource ordered
	Scope    struct {
		Name, Version string
		Attributes    ordered
	}
	Span struct {
		Name, ParentSpanID, SpanID string
		EndNano                    json.RawMessage
		Status                     struct {
			Code    int
			Message string
		}
		Attributes []pair
		Events     []struct {
			Name       string
			Attributes []pair
		}
	}
	Expect map[string]json.RawMessage
}

// vectorValue parses a value of the vectors: a plain one, or {"$otlp": …} in the notation of the protocol.
func vectorValue(t *testing.T, raw json.RawMessage) otlp.Value {
	t.Helper()
	switch raw[0] {
	case '"':
		var s string
		unmarshal(t, raw, &s)
		return val(s)
	case 't', 'f':
		return val(raw[0] == 't')
	case '[':
		var list []json.RawMessage
		unmarshal(t, raw, &list)
		v := otlp.Value{Kind: otlp.KindList, List: []otlp.Value{}}
		for _, e := range list {
			v.List = append(v.List, vectorValue(t, e))
		}
		return v
	case '{':
		var wrapped struct {
			OTLP json.RawMessage `json:"$otlp"`
		}
		unmarshal(t, raw, &wrapped)
		return wireValue(t, wrapped.OTLP)
	default:
		if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
			return otlp.Value{Kind: otlp.KindInt, Int: n}
		}
		f, err := strconv.ParseFloat(string(raw), 64)
		if err != nil {
			t.Fatal(err)
		}
		return val(f)
	}
}

func wireValue(t *testing.T, raw json.RawMessage) otlp.Value {
	t.Helper()
	var wire struct {
		IntValue    *string
		DoubleValue *string
		ArrayValue  *struct{ Values []json.RawMessage }
	}
	unmarshal(t, raw, &wire)
	switch {
	case wire.DoubleValue != nil:
		return val(*wire.DoubleValue)
	case wire.ArrayValue != nil && len(wire.ArrayValue.Values) == 0:
		return otlp.Value{Kind: otlp.KindList}
	case wire.IntValue != nil:
		n, err := strconv.Atoi(*wire.IntValue)
		if err != nil {
			t.Fatal(err)
		}
		return val(n)
	default:
		return otlp.Value{Kind: otlp.KindJSON, Text: string(raw)}
	}
}

func unmarshal(t *testing.T, raw []byte, v any) {
	t.Helper()
	if err := json.Unmarshal(raw, v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
}

func (v *vector) input(t *testing.T) input {
	t.Helper()
	in := input{
		resource: v.Resource.attributes(t),
		scope:    otlp.Scope{Name: v.Scope.Name, Version: v.Scope.Version, Attributes: v.Scope.Attributes.attributes(t)},
		span: otlp.Span{
			TraceID: "0af7651916cd43dd8448eb211c80319c", SpanID: "b7ad6b7169203331", ParentID: v.Span.ParentSpanID, Name: v.Span.Name,
			Start:      otlp.Nanos{Value: 1767225600123456789, Set: true},
			End:        otlp.Nanos{Value: 1767225602987654321, Set: true},
			Attributes: ordered(v.Span.Attributes).attributes(t),
			StatusCode: v.Span.Status.Code, StatusMessage: v.Span.Status.Message,
		},
	}
	if v.Span.SpanID != "" {
		in.span.SpanID = v.Span.SpanID
	}
	switch nano := string(v.Span.EndNano); nano {
	case "":
	case "null":
		in.span.End = otlp.Nanos{}
	default:
		n, err := strconv.ParseInt(strings.Trim(nano, `"`), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		in.span.End.Value = n
	}
	for _, e := range v.Span.Events {
		in.span.Events = append(in.span.Events, otlp.Event{Name: e.Name, Attributes: ordered(e.Attributes).attributes(t)})
	}
	return in
}

// TestVectors maps the spans of the API contract and compares every field that it mentions.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile("testdata/otel-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		About   struct{ Defaults map[string]json.RawMessage }
		Vectors []vector
	}
	unmarshal(t, text, &file)
	if len(file.Vectors) < 60 {
		t.Fatalf("only %d vectors", len(file.Vectors))
	}
	for _, v := range file.Vectors {
		t.Run(v.ID, func(t *testing.T) {
			row, provided := mapped(v.input(t))
			got := rowFields(t, &row, provided)
			want := map[string]any{}
			for _, fields := range []map[string]json.RawMessage{file.About.Defaults, v.Expect} {
				for name, raw := range fields {
					var value any
					unmarshal(t, raw, &value)
					want[name] = value
				}
			}
			// What the price list adds is up to another package; provided costs are compared below.
			cost := want["costDetails"].(map[string]any)
			for _, name := range []string{"costDetails", "matchedModel", "pricingTier", "usageFromTokenizer"} {
				delete(want, name)
			}
			if v.Expect["usageFromTokenizer"] != nil {
				want["usageDetails"] = map[string]any{}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("row (-want +got):\n%s", diff)
			}
			if providesCost(v.ID) != (len(provided.Cost) > 0) {
				t.Errorf("provided cost %v", provided.Cost)
			}
			for _, c := range provided.Cost {
				if cost[c.Kind] != c.Amount {
					t.Errorf("provided cost of %s is %v, want %v", c.Kind, c.Amount, cost[c.Kind])
				}
			}
		})
	}
}

func providesCost(id string) bool {
	return slices.Contains([]string{
		"cost-01-provided-wins", "cost-02-custom-keys-no-total", "genai-04-content-events-openlit",
		"openinference-02-input-value-wins",
	}, id)
}

// rowFields returns the fields of a row as named in the vectors. Fields without a default are included only if they are
// set.
func rowFields(t *testing.T, o *domain.Observation, p Provided) map[string]any {
	t.Helper()
	usage := map[string]any{}
	total := 0.0
	for _, u := range p.Usage {
		usage[u.Kind] = float64(u.Units)
		total += float64(u.Units)
	}
	if _, ok := usage["total"]; !ok && len(usage) > 0 {
		usage["total"] = total
	}
	fields := map[string]any{
		"type": o.Type, "name": o.Name, "level": o.Level, "environment": o.Environment,
		"isAppRoot": o.IsAppRoot, "isRootObservation": o.IsRoot(), "public": o.Public,
		"parentObservationId": nullable(o.ParentID), "statusMessage": nullable(o.StatusMessage),
		"input": nullable(o.Input), "output": nullable(o.Output), "model": nullable(o.Model),
		"promptName": nullable(o.PromptName), "userId": nullable(o.UserID), "sessionId": nullable(o.SessionID),
		"release": nullable(o.Release), "version": nullable(o.Version), "traceName": nullable(o.TraceName),
		"startTime": iso(o.StartTime), "endTime": iso(o.EndTime), "completionStartTime": iso(o.CompletionStartTime),
		"promptVersion": nil, "tags": anys(o.Tags), "toolCallNames": anys(o.ToolCallNames),
		"modelParameters": object(t, o.ModelParameters), "toolDefinitions": object(t, o.ToolDefinitions),
		"toolCalls": []any{}, "usageDetails": usage, "metadata": storedTexts(t, o.Metadata),
	}
	if o.PromptVersion.Set {
		fields["promptVersion"] = float64(o.PromptVersion.Value)
	}
	if o.ToolCalls != "" {
		var calls []any
		unmarshal(t, []byte(o.ToolCalls), &calls)
		fields["toolCalls"] = calls
	}
	for name, text := range map[string]string{
		"experimentId": o.ExperimentID, "experimentName": o.ExperimentName, "experimentDescription": o.ExperimentDescription,
		"experimentDatasetId": o.ExperimentDatasetID, "experimentItemId": o.ExperimentItemID,
		"experimentItemVersion": o.ExperimentItemVersion, "experimentItemRootSpanId": o.ExperimentItemRootSpanID,
		"experimentItemExpectedOutput": o.ExperimentItemExpectedOutput,
	} {
		if text != "" {
			fields[name] = text
		}
	}
	for name, text := range map[string]string{
		"experimentMetadata": o.ExperimentMetadata, "experimentItemMetadata": o.ExperimentItemMetadata,
	} {
		if text == "" {
			continue
		}
		var names, values []any
		for _, m := range memberList(t, text) {
			name, value, _ := strings.Cut(m, "=")
			var s string
			unmarshal(t, []byte(value), &s)
			names, values = append(names, name), append(values, s)
		}
		fields[name+"Names"], fields[name+"Values"] = names, values
	}
	return fields
}

func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func iso(t domain.Micros) any {
	if t == 0 {
		return nil
	}
	return time.UnixMicro(int64(t)).UTC().Format("2006-01-02T15:04:05.000Z")
}

func anys(list []string) []any {
	out := []any{}
	for _, s := range list {
		out = append(out, s)
	}
	return out
}

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	out := map[string]any{}
	if text != "" {
		unmarshal(t, []byte(text), &out)
	}
	return out
}

// storedTexts returns the values of metadata as strings: strings unquoted, null as "", everything else as JSON.
func storedTexts(t *testing.T, text string) map[string]any {
	t.Helper()
	out := map[string]any{}
	for _, m := range memberList(t, text) {
		name, value, _ := strings.Cut(m, "=")
		if _, ok := out[name]; ok {
			t.Errorf("metadata has %s twice", name)
		}
		var s string
		switch {
		case value == "null":
		case value[0] == '"':
			unmarshal(t, []byte(value), &s)
		case value[0] == '{':
			t.Errorf("metadata has an object at %s", name)
		default:
			s = value
		}
		out[name] = s
	}
	return out
}
