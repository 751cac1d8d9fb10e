// Sends scores with the official JavaScript client in every way that it offers. What is sent here is looked for in the store by
// score_test.go. Ids are fixed, so that scores can be told apart.
import { LangfuseClient } from "@langfuse/client";
import { startActiveObservation } from "@langfuse/tracing";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

process.env.LANGFUSE_TRACING_ENVIRONMENT = "staging"; // the client takes it from nowhere else
const langfuse = new LangfuseClient({
  publicKey: process.env.ALMANAC_PUBLIC_KEY,
  secretKey: process.env.ALMANAC_SECRET_KEY,
  baseUrl: process.env.ALMANAC_URL,
});
const traceId = "0af7651916cd43dd8448eb211c80319c";

langfuse.score.create({
  id: "numeric",
  traceId,
  observationId: "00f067aa0ba902b7",
  name: "quality",
  value: 0.123456789,
  dataType: "NUMERIC",
  comment: "fair",
  metadata: { nested: { list: [1, 2.5, "0613"], none: null }, text: "42" },
});
langfuse.score.create({ id: "boolean", traceId, name: "ok", value: 1, dataType: "BOOLEAN" });
langfuse.score.create({ id: "categorical", traceId, name: "tone", value: "warm" });
langfuse.score.create({ id: "text", traceId, name: "note", value: "too long", dataType: "TEXT" });
langfuse.score.create({ id: "correction", traceId, name: "any", value: "better", dataType: "CORRECTION" });
langfuse.score.create({ id: "session", sessionId: "s-1", name: "visit", value: -1.5 });
langfuse.score.create({ id: "run", datasetRunId: "run-1", name: "average", value: 0, environment: "other" });
langfuse.score.create({ id: "invalid", traceId, name: "ok", value: -1, dataType: "BOOLEAN" });
langfuse.score.create({ id: "twice", traceId, name: "first", value: 1, comment: "kept" });
await langfuse.score.flush();
langfuse.score.create({ id: "twice", traceId, name: "second", value: 2 });

new NodeTracerProvider().register(); // spans have ids, and go nowhere
startActiveObservation("scored", (span) => {
  langfuse.score.observation(span, { name: "of the span", value: 3 });
  langfuse.score.trace(span, { name: "of the trace", value: 4 });
});
await langfuse.score.shutdown();
console.log("ok");
