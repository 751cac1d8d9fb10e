// Traces an application with a JavaScript client that does not speak OpenTelemetry, and reads everything back.
import assert from "node:assert/strict";
import { Langfuse } from "langfuse";

const { ALMANAC_URL: url, ALMANAC_PUBLIC_KEY: publicKey, ALMANAC_SECRET_KEY: secretKey } = process.env;
const langfuse = new Langfuse({ baseUrl: url, publicKey, secretKey, environment: "staging", release: "release-7" });
langfuse.on("error", (error) => {
  throw error;
});
const began = new Date("2026-03-01T10:00:00.123Z");
const later = (seconds) => new Date(began.getTime() + 1000 * seconds);

const trace = langfuse.trace({
  name: "chat",
  userId: "ada",
  sessionId: "s-1",
  version: "v1",
  input: { q: "hi" },
  metadata: { tier: { plan: "pro" } },
  tags: ["b", "a"],
  timestamp: began,
});
const span = trace.span({ name: "answer", startTime: later(1), input: "hi", metadata: { step: 1 } });
const generation = span.generation({
  name: "llm",
  startTime: later(2),
  model: "gpt-4o",
  modelParameters: { temperature: 0.5, stop: ["x"] },
  input: [{ role: "user", content: "hi" }],
});
generation.end({ output: "hello", usage: { promptTokens: 1000, completionTokens: 100 }, completionStartTime: later(3) });
span.event({ name: "click", startTime: later(3), level: "DEBUG" });
generation.score({ name: "quality", value: 0.5 });
span.update({ level: "WARNING", statusMessage: "slow" });
span.end({ output: { a: 1 } });
await langfuse.flushAsync();
trace.update({ output: "hello", metadata: { tier: { seats: 3 } }, tags: ["c"], userId: "grace", public: true });
await langfuse.flushAsync();

const { data: read } = await langfuse.fetchTrace(trace.id);
const { name, userId, sessionId, version, release, tags, environment, timestamp, input, output, metadata } = read;
assert.deepEqual(
  { name, userId, sessionId, version, release, tags, environment, timestamp, input, output, metadata, public: read.public },
  {
    name: "chat",
    userId: "grace",
    sessionId: "s-1",
    version: "v1",
    release: "release-7",
    tags: ["a", "b", "c"],
    environment: "staging",
    timestamp: began.toISOString(),
    input: { q: "hi" },
    output: "hello",
    metadata: { tier: { plan: "pro", seats: 3 } },
    public: true,
  },
);
assert.deepEqual(
  read.scores.map((score) => [score.name, score.value]),
  [["quality", 0.5]],
);
const found = Object.fromEntries(read.observations.map((o) => [o.name, o]));
assert.deepEqual(Object.keys(found).sort(), ["answer", "click", "llm"]);
assert.equal(found.answer.parentObservationId, null);
assert.equal(found.answer.level, "WARNING");
assert.deepEqual(found.answer.output, { a: 1 });
assert.deepEqual(found.answer.metadata, { step: 1 });
assert.equal(found.llm.parentObservationId, span.id);
assert.deepEqual(found.llm.usage, { unit: "TOKENS", input: 1000, output: 100, total: 1100 });
assert.equal(found.llm.calculatedTotalCost, 0.0035);
assert.equal(found.llm.completionStartTime, later(3).toISOString());
assert.equal(found.click.type, "EVENT");
assert.equal(found.click.endTime, null);
assert.equal((await langfuse.fetchTraces({ userId: "grace" })).data[0].id, trace.id);
assert.equal((await langfuse.fetchSessions()).data[0].id, "s-1");
assert.equal((await langfuse.fetchObservation(found.llm.id)).data.output, "hello");

const query = new URLSearchParams({ traceId: trace.id, fields: "core,basic,trace_context" });
const answer = await fetch(`${url}/api/public/v2/observations?${query}`, {
  headers: { authorization: `Basic ${btoa(`${publicKey}:${secretKey}`)}` },
});
const { data: rows } = await answer.json();
assert.equal(rows.length, 4);
for (const row of rows) {
  assert.equal(row.userId, "grace");
  assert.equal(row.traceName, "chat");
  assert.deepEqual(row.tags, ["a", "b", "c"]);
  assert.equal(row.isRootObservation, row.name === "chat");
}
await langfuse.shutdownAsync();
console.log("ok");
