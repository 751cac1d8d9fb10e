// Exports a small trace with nothing but the OpenTelemetry SDK for JavaScript: exporter_send.mjs json|proto|grpc ENDPOINT.
import { credentials, Metadata } from "@grpc/grpc-js";
import { SpanStatusCode } from "@opentelemetry/api";
import { OTLPTraceExporter as GRPCExporter } from "@opentelemetry/exporter-trace-otlp-grpc";
import { OTLPTraceExporter as JSONExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtoExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

const [way, endpoint] = process.argv.slice(2);
const keys = `${process.env.ALMANAC_PUBLIC_KEY}:${process.env.ALMANAC_SECRET_KEY}`;
const authorization = `Basic ${Buffer.from(keys).toString("base64")}`;
function exporter() {
  if (way !== "grpc") return new { json: JSONExporter, proto: ProtoExporter }[way]({ url: endpoint, headers: { authorization }, compression: "gzip" });
  const metadata = new Metadata();
  metadata.set("authorization", authorization);
  return new GRPCExporter({ url: `http://${endpoint}`, metadata, credentials: credentials.createInsecure(), compression: "gzip" });
}
const provider = new NodeTracerProvider({
  resource: resourceFromAttributes({ "service.name": `javascript ${way}` }), spanProcessors: [new BatchSpanProcessor(exporter())],
});
provider.register();
const tracer = provider.getTracer("the-application", "1.0");
tracer.startActiveSpan("request", { attributes: { "user.id": "user-1", "session.id": "session-1" } }, (request) => {
  tracer.startActiveSpan("chat gpt-4o", (chat) => {
    chat.setAttributes({
      "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-4o", "gen_ai.response.model": "gpt-4o-2024-08-06",
      "gen_ai.usage.input_tokens": 1000, "gen_ai.usage.output_tokens": 500, "gen_ai.request.temperature": 0.5,
      text: "東京", yes: true, whole: 7, parts: [0.25, 0.5], names: ["a", "b"],
    });
    chat.end();
  });
  tracer.startActiveSpan("lookup", (lookup) => {
    lookup.recordException(new Error("not there"));
    lookup.setStatus({ code: SpanStatusCode.ERROR, message: "not there" });
    lookup.end();
  });
  request.end();
});
await provider.forceFlush();
await provider.shutdown();
