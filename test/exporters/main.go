// Command exporters sends a small trace with the OpenTelemetry SDK for Go, over HTTP or gRPC, and prints the ids it
// used. It is a separate module, so that the product does not depend on the SDK. The black-box tests build and run it.
//
//	exporters http|grpc|grpcs ENDPOINT PUBLIC_KEY SECRET_KEY
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) != 4 {
		return errors.New("usage: exporters http|grpc|grpcs ENDPOINT PUBLIC_KEY SECRET_KEY")
	}
	exporter, err := newExporter(ctx, args[0], args[1], args[2], args[3])
	if err != nil {
		return err
	}
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(exporter, sdktrace.WithBatchTimeout(time.Hour)), // only a flush sends
		sdktrace.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "shop"), attribute.String("service.version", "9.9"),
			attribute.String("deployment.environment.name", "Production"), attribute.String("langfuse.release", "release-7"),
		)),
	)
	ids := sendTrace(ctx, provider)
	if err := provider.ForceFlush(ctx); err != nil {
		return fmt.Errorf("flush: %w", err)
	}
	return json.NewEncoder(os.Stdout).Encode(ids)
}

// newExporter returns an exporter that compresses and does not retry.
func newExporter(ctx context.Context, protocol, endpoint, publicKey, secretKey string) (*otlptrace.Exporter, error) {
	headers := map[string]string{"Authorization": "Basic " + base64.StdEncoding.EncodeToString([]byte(publicKey+":"+secretKey))}
	switch protocol {
	case "http":
		return otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(endpoint), otlptracehttp.WithHeaders(headers),
			otlptracehttp.WithCompression(otlptracehttp.GzipCompression), otlptracehttp.WithRetry(otlptracehttp.RetryConfig{}))
	case "grpc", "grpcs": // grpcs with TLS, verified by the authorities of the system
		options := []otlptracegrpc.Option{
			otlptracegrpc.WithEndpoint(endpoint), otlptracegrpc.WithHeaders(headers),
			otlptracegrpc.WithCompressor("gzip"), otlptracegrpc.WithRetry(otlptracegrpc.RetryConfig{}),
		}
		if protocol == "grpc" {
			options = append(options, otlptracegrpc.WithInsecure())
		}
		return otlptracegrpc.New(ctx, options...)
	default:
		return nil, fmt.Errorf("protocol %q is none of http, grpc and grpcs", protocol)
	}
}

type spanID struct {
	TraceID string `json:"traceId"`
	ID      string `json:"id"`
}

// sendTrace makes the spans of an agent that calls a model and a tool, and fails once.
func sendTrace(ctx context.Context, provider trace.TracerProvider) map[string]spanID {
	ids := make(map[string]spanID)
	tracer := provider.Tracer("example.com/agent", trace.WithInstrumentationVersion("1.2.3"),
		trace.WithInstrumentationAttributes(attribute.String("team", "search")))
	started := time.Now().Truncate(time.Millisecond) // stored times are whole milliseconds
	start := func(ctx context.Context, name string, attributes ...attribute.KeyValue) (context.Context, trace.Span) {
		ctx, span := tracer.Start(ctx, name, trace.WithTimestamp(started), trace.WithAttributes(attributes...))
		ids[name] = spanID{span.SpanContext().TraceID().String(), span.SpanContext().SpanID().String()}
		return ctx, span
	}
	end := func(span trace.Span, after time.Duration) { span.End(trace.WithTimestamp(started.Add(after))) }

	ctx, agent := start(ctx, "invoke_agent helper",
		attribute.String("gen_ai.operation.name", "invoke_agent"), attribute.String("gen_ai.request.model", "gpt-4o"),
		attribute.Int("gen_ai.usage.input_tokens", 1000),
		attribute.String("user.id", "user-1"), attribute.String("session.id", "session-1"),
		attribute.StringSlice("langfuse.trace.tags", []string{"blue", "with, comma"}),
		attribute.String("langfuse.trace.name", "support request"),
		attribute.Bool("langfuse.trace.public", true), attribute.String("langfuse.trace.metadata.tenant", "acme"))
	_, chat := start(ctx, "chat gpt-4o",
		attribute.String("gen_ai.operation.name", "chat"), attribute.String("gen_ai.provider.name", "openai"),
		attribute.String("gen_ai.request.model", "gpt-4o"), attribute.String("gen_ai.response.model", "gpt-4o-2024-08-06"),
		attribute.Float64("gen_ai.request.temperature", 0.5), attribute.Int("gen_ai.request.max_tokens", 100),
		attribute.StringSlice("gen_ai.request.stop_sequences", []string{"a", "b"}),
		attribute.Int("gen_ai.usage.input_tokens", 100), attribute.Int("gen_ai.usage.output_tokens", 20),
		attribute.Int("gen_ai.usage.cache_read.input_tokens", 40),
		attribute.String("gen_ai.system_instructions", `[{"type":"text","content":"Be brief."}]`),
		attribute.String("gen_ai.input.messages", `[{"role":"user","parts":[{"type":"text","content":"Wie heißt 東京?"}]}]`),
		attribute.String("gen_ai.output.messages",
			`[{"role":"assistant","parts":[{"type":"text","content":"Das ist 東京."}],"finish_reason":"stop"}]`))
	chat.SetStatus(codes.Ok, "ignored by the SDK")
	end(chat, 1500*time.Millisecond)
	_, tool := start(ctx, "execute_tool get_weather",
		attribute.String("gen_ai.operation.name", "execute_tool"), attribute.String("gen_ai.tool.name", "get_weather"),
		attribute.String("gen_ai.tool.call.id", "call_1"), attribute.String("gen_ai.tool.call.arguments", `{"city": "Oslo"}`),
		attribute.String("gen_ai.tool.call.result", "cold, \"very\"\n東京"))
	end(tool, 20*time.Millisecond)
	_, failed := start(ctx, "GET /weather",
		attribute.String("http.request.method", "GET"), attribute.Int64("http.response.status_code", 500),
		attribute.Int64("large", 9007199254740993), attribute.Float64("ratio", 0.25), attribute.Float64("whole", 3),
		attribute.Bool("retried", true), attribute.IntSlice("sizes", []int{1, 2}), attribute.String("text", "42"),
		attribute.String("empty", ""))
	failed.RecordError(errors.New("no weather"))
	failed.AddLink(trace.Link{SpanContext: tool.SpanContext()})
	failed.SetStatus(codes.Error, "no weather today")
	end(failed, 0)
	end(agent, 2*time.Second)
	return ids
}
