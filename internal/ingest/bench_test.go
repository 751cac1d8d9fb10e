package ingest

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
)

// nowhere is a table that discards rows.
type nowhere struct{}

func (nowhere) Append(context.Context, domain.ProjectScope, []domain.Observation) error { return nil }

// usualExport returns a batch of generations as a client library sends them, with 2 KB of text each.
func usualExport(spans int) *tracepb.TracesData {
	text := func(key, value string) *commonpb.KeyValue {
		return &commonpb.KeyValue{Key: key, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: value}}}
	}
	question := `[{"role":"user","content":"` + strings.Repeat("what shall we do with the drunken sailor ", 25) + `"}]`
	answer := `{"role":"assistant","content":"` + strings.Repeat("put him in the long boat till he is sober ", 23) + `"}`
	list := make([]*tracepb.Span, spans)
	for n := range list {
		at := uint64(1767225600_000_000_000 + n*1000)
		list[n] = &tracepb.Span{
			TraceId: fmt.Appendf(nil, "%016d", n/10), SpanId: fmt.Appendf(nil, "%08d", n), Name: "generation", StartTimeUnixNano: at,
			EndTimeUnixNano: at + 1e9,
			Attributes: []*commonpb.KeyValue{
				text("langfuse.observation.type", "generation"), text("langfuse.observation.input", question),
				text("langfuse.observation.output", answer),
				text("langfuse.observation.model.name", "gpt-4o-mini"),
				text("langfuse.observation.model.parameters", `{"temperature":0.7}`),
				text("langfuse.observation.usage_details", `{"input":250,"output":240}`), text("langfuse.trace.name", "chat"),
				text("user.id", "user-1"), text("session.id", "session-1"), text("langfuse.observation.metadata.route", `"support"`),
				text("langfuse.environment", "production"), text("langfuse.observation.level", "DEFAULT"),
			},
		}
	}
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: &resourcepb.Resource{
			Attributes: []*commonpb.KeyValue{
				text("service.name", "bot"), text("telemetry.sdk.language", "python"), text("telemetry.sdk.name", "opentelemetry"),
			},
		},
		ScopeSpans: []*tracepb.ScopeSpans{{Scope: &commonpb.InstrumentationScope{Name: "langfuse-sdk", Version: "4.14.0"}, Spans: list}},
	}}}
}

// BenchmarkTraces ingests typical exports without storing them. The baseline is decoding alone.
func BenchmarkTraces(b *testing.B) {
	const spans = 500
	message := usualExport(spans)
	asProtobuf, err := proto.Marshal(message)
	if err != nil {
		b.Fatal(err)
	}
	asJSON, err := protojson.Marshal(message)
	if err != nil {
		b.Fatal(err)
	}
	perSpan := func(b *testing.B, size int) {
		b.Helper()
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*spans), "ns/span")
		b.SetBytes(int64(size))
	}
	for _, c := range []struct {
		name     string
		encoding Encoding
		body     []byte
	}{{"protobuf", Protobuf, asProtobuf}, {"json", JSON, asJSON}} {
		b.Run(c.name, func(b *testing.B) {
			p := newBench(b, func(o *Options) { o.Table, o.Clock = nowhere{}, time.Now }).Pipeline
			b.ReportAllocs()
			for b.Loop() {
				body := p.NewBody("")
				if err := body.Read(b.Context(), bytes.NewReader(c.body), int64(len(c.body)), p.MaxExport()); err != nil {
					b.Fatal(err)
				}
				if _, err := p.Traces(b.Context(), domain.OfProject("a"), Request{
					Transport: "http", Encoding: c.encoding, Body: body,
				}); err != nil {
					b.Fatal(err)
				}
				body.Release()
			}
			perSpan(b, len(c.body))
		})
		b.Run(c.name+" decoding alone", func(b *testing.B) {
			var e otlp.Export
			decode := e.DecodeProtobuf
			if c.encoding == JSON {
				decode = e.DecodeJSON
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := decode(c.body, otlp.DefaultLimits()); err != nil {
					b.Fatal(err)
				}
			}
			perSpan(b, len(c.body))
		})
	}
}
