package demo

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
	"almanac/internal/ingest/pricing"
	"almanac/internal/ingest/semconv"
)

// TestExport decodes exports with the protocol's generated types and compares every span.
func TestExport(t *testing.T) {
	traces := past(Options{Seed: 8, Traces: 150, Days: 3, Now: aMonday})
	var request tracepb.TracesData // the same bytes as an export request
	if err := proto.Unmarshal(new(Encoder).AppendExport(nil, traces), &request); err != nil {
		t.Fatal(err)
	}
	var got []*tracepb.Span
	var services []string
	for _, group := range request.GetResourceSpans() {
		for _, a := range group.GetResource().GetAttributes() {
			if a.GetKey() == "service.name" {
				services = append(services, a.GetValue().GetStringValue())
			}
		}
		got = append(got, group.GetScopeSpans()[0].GetSpans()...)
		if scope := group.GetScopeSpans()[0].GetScope(); scope.GetName() == "" || scope.GetVersion() == "" {
			t.Errorf("scope %v", scope)
		}
	}
	var want []*Span
	var wantServices []string
	for _, trace := range traces {
		want = append(want, trace.Spans...)
		if n := len(wantServices); n == 0 || wantServices[n-1] != trace.service.name {
			wantServices = append(wantServices, trace.service.name)
		}
	}
	if diff := cmp.Diff(wantServices, services); diff != "" {
		t.Fatalf("groups (-want +got):\n%s", diff)
	}
	if len(got) != len(want) {
		t.Fatalf("%d spans, want %d", len(got), len(want))
	}
	for i := range want {
		if diff := cmp.Diff(describe(want[i]), describeSent(got[i])); diff != "" {
			t.Fatalf("span %d (-want +got):\n%s", i, diff)
		}
	}
}

// TestEncoderIsReused checks that an export leaves nothing behind for the next one.
func TestEncoderIsReused(t *testing.T) {
	traces := past(Options{Seed: 8, Traces: 20, Days: 3, Now: aMonday})
	var e Encoder
	first := e.AppendExport(nil, traces)
	if got := e.AppendExport([]byte("kept"), nil); string(got) != "kept" {
		t.Errorf("an export of nothing is %q", got)
	}
	if !bytes.Equal(first, e.AppendExport(nil, traces)) {
		t.Error("the same traces are written differently the second time")
	}
}

// described is a span in comparable form.
type described struct {
	Trace, ID, Parent, Name, Failure string
	Start, End                       time.Time
	Attributes                       []string
}

func describe(s *Span) described {
	d := described{
		Trace: hex.EncodeToString(s.traceID[:]), ID: hex.EncodeToString(s.id[:]), Name: s.name, Failure: s.failure, Start: s.start.UTC(), End: s.end.UTC(),
	}
	if s.parent != [8]byte{} {
		d.Parent = hex.EncodeToString(s.parent[:])
	}
	for _, a := range s.attributes {
		if at, ok := a.value.(time.Time); ok {
			a.value = at.UTC().Format("2006-01-02T15:04:05.000Z")
		}
		d.Attributes = append(d.Attributes, fmt.Sprintf("%s=%T %v", a.key, a.value, a.value))
	}
	return d
}

func describeSent(s *tracepb.Span) described {
	d := described{
		Trace: hex.EncodeToString(s.GetTraceId()), ID: hex.EncodeToString(s.GetSpanId()), Parent: hex.EncodeToString(s.GetParentSpanId()), Name: s.GetName(),
		Start: time.Unix(0, int64(s.GetStartTimeUnixNano())).UTC(), End: time.Unix(0, int64(s.GetEndTimeUnixNano())).UTC(),
	}
	if s.GetStatus().GetCode() == tracepb.Status_STATUS_CODE_ERROR {
		d.Failure = s.GetStatus().GetMessage()
	}
	for _, a := range s.GetAttributes() {
		var value any
		switch v := a.GetValue().GetValue().(type) {
		case *commonpb.AnyValue_StringValue:
			value = v.StringValue
		case *commonpb.AnyValue_BoolValue:
			value = v.BoolValue
		case *commonpb.AnyValue_IntValue:
			value = v.IntValue
		case *commonpb.AnyValue_DoubleValue:
			value = v.DoubleValue
		case *commonpb.AnyValue_ArrayValue:
			list := []string{}
			for _, item := range v.ArrayValue.GetValues() {
				list = append(list, item.GetStringValue())
			}
			value = list
		}
		d.Attributes = append(d.Attributes, fmt.Sprintf("%s=%T %v", a.GetKey(), value, value))
	}
	return d
}

// TestObservations checks how the server maps a workload of typical size: everything worth showing must occur.
func TestObservations(t *testing.T) {
	traces := past(Options{Seed: 1, Traces: 200, Days: 7, Now: aMonday})
	var export otlp.Export
	if err := export.DecodeProtobuf(new(Encoder).AppendExport(nil, traces), otlp.DefaultLimits()); err != nil {
		t.Fatal(err)
	}
	if export.Rejected != 0 || len(export.Problems) != 0 {
		t.Fatalf("%d spans are rejected: %q", export.Rejected, export.Problems)
	}
	prices, err := pricing.Default()
	if err != nil {
		t.Fatal(err)
	}
	seen := make(seen)
	var mapper semconv.Mapper
	mapper.Begin(semconv.Source{}, domain.MicrosOf(aMonday))
	kinds := kindsByID(traces)
	for i := range export.ResourceSpans {
		group := &export.ResourceSpans[i]
		mapper.Resource(&group.Resource)
		mapper.Scope(&group.ScopeSpans[0].Scope)
		for j := range group.ScopeSpans[0].Spans {
			row := new(domain.Observation)
			provided := mapper.Span(&group.ScopeSpans[0].Spans[j], row)
			prices.Apply(row, provided.Usage, provided.Cost)
			if want := strings.ToUpper(kinds[row.ID]); row.Type != want {
				t.Fatalf("%q is of type %s, want %s", row.Name, row.Type, want)
			}
			if row.Model != "" && row.Level != "ERROR" && row.TotalCost.Value == 0 {
				t.Fatalf("a call of %s costs nothing: %s", row.Model, row.Usage)
			}
			seen.row(t, row)
		}
	}
	for what, want := range map[string][]string{
		"type":        {"AGENT", "CHAIN", "EMBEDDING", "EVALUATOR", "EVENT", "GENERATION", "GUARDRAIL", "RETRIEVER", "SPAN", "TOOL"},
		"level":       {"DEBUG", "DEFAULT", "ERROR", "WARNING"},
		"environment": {"development", "production", "staging"},
		"trace name":  {"handbook-search", "review-digest", "support-chat"},
		"model": {
			"claude-sonnet-4-5", "claude-sonnet-4-6", "gemini-2.5-flash", "gpt-4.1-mini", "gpt-4o-mini", "gpt-5-mini", "llama-3.3-70b-instruct",
			"text-embedding-3-small",
		},
		"prompt":        {"handbook-answer", "judge-faithfulness", "review-summary", "support-answer", "support-router"},
		"metadata type": {"bool", "list", "null", "number", "text"},
		"usage":         {"input", "input_cached_tokens", "output", "output_reasoning_tokens", "total"},
	} {
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(seen[what]))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	for what, least := range map[string]int{
		"user": 20, "session": 40, "tag": 12, "version": 6, "release": 2, "completion start": 50, "tool call": 5, "tool definition": 8, "nested metadata": 3,
		"root": 200, "public": 1, "parameters": 5, "provided cost": 1, "status message": 5,
	} {
		if got := len(seen[what]); got < least {
			t.Errorf("%d different values of %s, want at least %d: %v", got, what, least, slices.Sorted(maps.Keys(seen[what])))
		}
	}
}

func kindsByID(traces []*Trace) map[string]string {
	kinds := make(map[string]string)
	for _, trace := range traces {
		for _, s := range trace.Spans {
			kinds[hex.EncodeToString(s.id[:])] = s.kind
		}
	}
	return kinds
}

// seen holds the values in rows by field.
type seen map[string]map[string]bool

func (s seen) add(what, value string) {
	if value == "" {
		return
	}
	if s[what] == nil {
		s[what] = make(map[string]bool)
	}
	s[what][strings.Clone(value)] = true
}

func (s seen) row(t *testing.T, o *domain.Observation) {
	t.Helper()
	for what, value := range map[string]string{
		"type": o.Type, "level": o.Level, "environment": o.Environment, "trace name": o.TraceName, "model": o.Model, "prompt": o.PromptName,
		"user": o.UserID, "session": o.SessionID, "version": o.Version, "release": o.Release, "parameters": o.ModelParameters, "status message": o.StatusMessage,
	} {
		s.add(what, value)
	}
	for _, tag := range o.Tags {
		s.add("tag", tag)
	}
	for _, name := range o.ToolCallNames {
		s.add("tool call", name)
	}
	for _, name := range o.ToolNames {
		s.add("tool definition", name)
	}
	for what, holds := range map[string]bool{
		"completion start": o.CompletionStartTime > 0, "root": o.ParentID == "" && o.IsAppRoot, "public": o.Public, "provided cost": o.ProvidedCost != "",
	} {
		if holds {
			s.add(what, o.ID)
		}
	}
	var usage, metadata map[string]any
	if o.Usage != "" {
		if err := json.Unmarshal([]byte(o.Usage), &usage); err != nil {
			t.Fatal(err)
		}
	}
	if err := json.Unmarshal([]byte(o.Metadata), &metadata); err != nil {
		t.Fatal(err)
	}
	for name := range usage {
		s.add("usage", name)
	}
	for name, value := range metadata {
		s.add("metadata type", map[string]string{
			"<nil>": "null", "bool": "bool", "float64": "number", "string": "text", "[]interface {}": "list",
		}[fmt.Sprintf("%T", value)])
		if strings.HasPrefix(name, "customer.") {
			s.add("nested metadata", name)
		}
	}
}
