package otlp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

const benchSpans = 500

// benchExport returns an export like those of SDKs: spans with twelve attributes and 2 KB of text, half of it a chat in
// JSON, half prose.
func benchExport() *tracepb.TracesData {
	message := `{"role":"user","content":"What is the capital of France, and how many people live there today?\n"},`
	input := "[" + strings.TrimSuffix(strings.Repeat(message, 10), ",") + "]"
	output := strings.Repeat("The capital of France is Paris; about two million people live there.\nIts area is larger. ", 11)
	var spans []*tracepb.Span
	for i := range benchSpans {
		s := spanOf(
			pair("langfuse.observation.type", textOf("generation")),
			pair("langfuse.observation.input", textOf(input)),
			pair("langfuse.observation.output", textOf(output)),
			pair("langfuse.observation.model.name", textOf("gpt-4o-mini-2024-07-18")),
			pair("langfuse.observation.usage_details", textOf(`{"input":812,"output":231,"total":1043}`)),
			pair("langfuse.observation.model.parameters", textOf(`{"temperature":0.7,"max_tokens":1024}`)),
			pair("langfuse.observation.metadata.attempt", intOf(int64(i))),
			pair("langfuse.observation.metadata.score", doubleOf(0.25)),
			pair("langfuse.trace.tags", listOf(textOf("prod"), textOf("eu"))),
			pair("langfuse.internal.is_app_root", boolOf(false)),
			pair("user.id", textOf("user-4711")),
			pair("session.id", textOf("session-0815")),
		)
		s.Name = "answer-question"
		s.ParentSpanId = s.SpanId
		s.StartTimeUnixNano, s.EndTimeUnixNano = 1767225600123456789, 1767225602987654321
		s.Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_OK}
		spans = append(spans, s)
	}
	data := exportOf(spans...)
	data.ResourceSpans[0].Resource = &resourcepb.Resource{Attributes: []*commonpb.KeyValue{
		pair("service.name", textOf("checkout-bot")), pair("telemetry.sdk.language", textOf("python")),
	}}
	data.ResourceSpans[0].ScopeSpans[0].Scope = &commonpb.InstrumentationScope{Name: "langfuse-sdk", Version: "5.0.1"}
	return data
}

func bench(b *testing.B, body []byte, decode func([]byte) error) {
	b.Helper()
	if err := decode(body); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if err := decode(body); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchSpans, "ns/span")
}

// BenchmarkProtobuf compares the decoder with the generated types, which keep ids as bytes.
func BenchmarkProtobuf(b *testing.B) {
	body := marshal(b, benchExport())
	b.Run("almanac", func(b *testing.B) {
		e := new(Export)
		bench(b, body, func(body []byte) error { return e.DecodeProtobuf(body, DefaultLimits()) })
	})
	b.Run("generated", func(b *testing.B) {
		bench(b, body, func(body []byte) error { return proto.Unmarshal(body, new(tracepb.TracesData)) })
	})
}

// BenchmarkJSON compares the decoder with the standard library decoding into structures of exactly these members.
func BenchmarkJSON(b *testing.B) {
	body := []byte(toJSON(jsonExport(benchExport())))
	b.Run("almanac", func(b *testing.B) {
		e := new(Export)
		bench(b, body, func(body []byte) error { return e.DecodeJSON(body, DefaultLimits()) })
	})
	b.Run("standard", func(b *testing.B) {
		bench(b, body, func(body []byte) error { return json.Unmarshal(body, new(standardExport)) })
	})
}

type standardAttribute struct {
	Key   string        `json:"key"`
	Value standardValue `json:"value"`
}

type standardValue struct {
	StringValue *string  `json:"stringValue"`
	IntValue    *string  `json:"intValue"`
	DoubleValue *float64 `json:"doubleValue"`
	BoolValue   *bool    `json:"boolValue"`
	ArrayValue  *struct {
		Values []standardValue `json:"values"`
	} `json:"arrayValue"`
}

type standardExport struct {
	ResourceSpans []struct {
		Resource struct {
			Attributes []standardAttribute `json:"attributes"`
		} `json:"resource"`
		ScopeSpans []struct {
			Scope struct {
				Name       string              `json:"name"`
				Version    string              `json:"version"`
				Attributes []standardAttribute `json:"attributes"`
			} `json:"scope"`
			Spans []struct {
				TraceID           string              `json:"traceId"`
				SpanID            string              `json:"spanId"`
				ParentSpanID      string              `json:"parentSpanId"`
				Name              string              `json:"name"`
				StartTimeUnixNano string              `json:"startTimeUnixNano"`
				Attributes        []standardAttribute `json:"attributes"`
				Events            []struct {
					Name       string              `json:"name"`
					Attributes []standardAttribute `json:"attributes"`
				} `json:"events"`
				Status struct {
					Code    int    `json:"code"`
					Message string `json:"message"`
				} `json:"status"`
			} `json:"spans"`
		} `json:"scopeSpans"`
	} `json:"resourceSpans"`
}

// TestDecodingAllocatesNothing checks that the memory of earlier requests is reused.
func TestDecodingAllocatesNothing(t *testing.T) {
	data := benchExport()
	e := new(Export)
	for encoding, decode := range map[string]func() error{
		"protobuf": func() func() error {
			body := marshal(t, data)
			return func() error { return e.DecodeProtobuf(body, DefaultLimits()) }
		}(),
		"JSON": func() func() error {
			body := []byte(toJSON(jsonExport(data)))
			return func() error { return e.DecodeJSON(body, DefaultLimits()) }
		}(),
	} {
		t.Run(encoding, func(t *testing.T) {
			var err error
			for range 10 { // until there is enough memory
				if err = decode(); err != nil {
					t.Fatal(err)
				}
			}
			if allocations := testing.AllocsPerRun(10, func() { err = decode() }); allocations > 2 {
				t.Errorf("%v allocations for %d spans, want at most 2", allocations, benchSpans)
			}
			if err != nil || e.Usable() != benchSpans {
				t.Error(fmt.Errorf("%d usable spans: %w", e.Usable(), err))
			}
		})
	}
}
