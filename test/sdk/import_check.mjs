// Goes on with the official JavaScript client after a move: it has the old keys, and only another address.
import assert from "node:assert/strict";
import { LangfuseClient } from "@langfuse/client";
import { LangfuseSpanProcessor } from "@langfuse/otel";
import { startActiveObservation } from "@langfuse/tracing";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

const options = {
  publicKey: process.env.ALMANAC_PUBLIC_KEY,
  secretKey: process.env.ALMANAC_SECRET_KEY,
  baseUrl: process.env.ALMANAC_URL,
};
const langfuse = new LangfuseClient(options);
const processor = new LangfuseSpanProcessor(options);
new NodeTracerProvider({ spanProcessors: [processor] }).register();
const ids = (answer) => answer.data.map((row) => row.id).sort();
assert.deepEqual(ids(await langfuse.api.projects.get()), ["p1"]);

// What was there before is there.
const prompt = await langfuse.prompt.get("greet");
assert.deepEqual([prompt.version, prompt.compile({ name: "Ada" }), prompt.config], [1, "Hello Ada", { b: 2, a: 1 }]);
const chat = await langfuse.prompt.get("chat", { type: "chat", label: "latest" });
assert.deepEqual(chat.compile({}, { history: [{ role: "user", content: "hi" }] }), [
  { role: "system", content: "Be brief" },
  { role: "user", content: "hi" },
]);
const dataset = await langfuse.dataset.get("questions");
assert.deepEqual(
  dataset.items.map(({ id, input, expectedOutput }) => ({ id, input, expectedOutput })),
  [{ id: "i1", input: { q: 2 }, expectedOutput: "b" }],
);
assert.deepEqual(ids(await langfuse.api.observations.getMany({ traceId: "t1" })), ["s0", "s1", "s2"]);
assert.deepEqual(ids(await langfuse.api.scores.getMany({ traceId: "t1" })), ["sc1", "sc3"]);

// What is new comes along.
let traceId;
await startActiveObservation("after the move", async (span) => {
  span.update({ input: "hi", output: "ho" });
  langfuse.score.trace(span, { name: "moved", value: 1 });
  traceId = span.traceId;
});
await Promise.all([processor.forceFlush(), langfuse.flush()]);
const { data: rows } = await langfuse.api.observations.getMany({ traceId, fields: "core,basic,io" });
assert.deepEqual(
  rows.map(({ name, input, output }) => [name, input, output]),
  [["after the move", "hi", "ho"]],
);
const { data: scores } = await langfuse.api.scores.getMany({ traceId });
assert.deepEqual(
  scores.map(({ name, value }) => [name, value]),
  [["moved", 1]],
);
await processor.shutdown();
await langfuse.shutdown();
console.log("ok");
