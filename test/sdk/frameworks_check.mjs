// Calls a model, which is a server of the test, through what the JavaScript client offers for OpenAI's library and for LangChain,
// and reads back what was traced.
import assert from "node:assert/strict";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { ChatOpenAI } from "@langchain/openai";
import { LangfuseClient } from "@langfuse/client";
import { CallbackHandler } from "@langfuse/langchain";
import { observeOpenAI } from "@langfuse/openai";
import { LangfuseSpanProcessor } from "@langfuse/otel";
import { startActiveObservation } from "@langfuse/tracing";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import OpenAI from "openai";

const options = { publicKey: process.env.ALMANAC_PUBLIC_KEY, secretKey: process.env.ALMANAC_SECRET_KEY, baseUrl: process.env.ALMANAC_URL };
const processor = new LangfuseSpanProcessor({ ...options, flushInterval: 3600 }); // nothing but forceFlush sends
new NodeTracerProvider({ spanProcessors: [processor] }).register();
const model = { baseURL: process.env.MODEL_URL, apiKey: "unused", maxRetries: 0 };
const messages = [{ role: "user", content: "Wie heißt 東京?" }];
const tools = [{ type: "function", function: { name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } } }];

const traced = (generationName, more = {}) => observeOpenAI(new OpenAI(model), { generationName, ...more });
await startActiveObservation("around", async () => {
  const client = traced("chat", {
    traceName: "a trace", sessionId: "s", userId: "u", tags: ["blue"], generationMetadata: { order: 7 },
    langfusePrompt: { name: "greeting", version: 3, isFallback: false },
  });
  await client.chat.completions.create({ model: "gpt-4o", temperature: 0.5, max_tokens: 100, messages });
});
const stream = await traced("stream").chat.completions.create({ model: "gpt-4o", stream: true, stream_options: { include_usage: true }, messages });
let text = "";
for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
assert.equal(text, "Das ist 東京.");
await traced("tools").chat.completions.create({ model: "gpt-4o", tools, messages });
await traced("embedding").embeddings.create({ model: "text-embedding-3-small", input: "to embed" });
await assert.rejects(traced("error").chat.completions.create({ model: "no-such-model", messages }), { status: 404 });

const chain = ChatPromptTemplate.fromMessages([["system", "Be brief."], ["user", "Wie heißt {city}?"]]).pipe(
  new ChatOpenAI({ model: "gpt-4o", temperature: 0.5, apiKey: "unused", maxRetries: 0, configuration: { baseURL: process.env.MODEL_URL } }),
);
const handler = new CallbackHandler({ userId: "u2", sessionId: "s2", tags: ["green"], traceMetadata: { tenant: "acme" } });
const answer = await chain.invoke({ city: "東京" }, { callbacks: [handler], runName: "chain" });
assert.equal(answer.content, "Das ist 東京.");
for await (const part of await chain.stream({ city: "Oslo" }, { callbacks: [new CallbackHandler()], runName: "chain stream" })) assert.ok(part);
await processor.forceFlush();

const { api } = new LangfuseClient(options);
const { data } = await api.observations.getMany({ limit: 100, fields: "core,basic,time,io,metadata,model,usage,prompt,trace_context" });
const parents = new Map(data.map((row) => [row.id, row.name]));
const rows = new Map(data.map((row) => [row.parentObservationId ? `${parents.get(row.parentObservationId)}: ${row.name}` : row.name, row]));

/** Checks members of a row, and returns it. */
function check(name, expected) {
  const row = rows.get(name);
  assert.ok(row, `${name} is not among ${[...rows.keys()]}`);
  rows.delete(name);
  for (const [member, value] of Object.entries(expected)) assert.deepEqual(row[member], value, `${member} of ${name}`);
  return row;
}

/** Checks when the first token came. */
function streamed(row) {
  assert.ok(row.startTime <= row.completionStartTime && row.completionStartTime <= row.endTime, row.completionStartTime);
}

// OpenAI's library.
const input = JSON.stringify({ messages });
const called = {
  type: "GENERATION", level: "DEFAULT", providedModelName: "gpt-4o-2024-08-06", internalModelId: "rz6r6t6e4zbjjisnv74np44upo", totalCost: 0.00035,
  usageDetails: { input: 60, output: 15, total: 120, input_cached_tokens: 40, output_reasoning_tokens: 5 },
};
check("around", { type: "SPAN", sessionId: "s", traceName: "a trace" });
const chat = check("around: chat", {
  ...called, input, output: '{"role":"assistant","content":"Das ist 東京."}', completionStartTime: null,
  userId: "u", sessionId: "s", traceName: "a trace", tags: ["blue"], promptName: "greeting", promptVersion: 3,
});
assert.equal(chat.metadata.order, 7);
assert.deepEqual([chat.modelParameters.temperature, chat.modelParameters.max_tokens], [0.5, 100]);
streamed(check("stream", { ...called, providedModelName: "gpt-4o", internalModelId: "pp3a3kl3ewy6l3marw3uprsbxx", input, output: "Das ist 東京." }));
const withTools = check("tools", { ...called, input: JSON.stringify({ messages, tools }) });
assert.equal(JSON.parse(withTools.output).tool_calls[0].function.name, "get_weather");
// The client sends no usage of embeddings, so it is counted.
check("embedding", { type: "GENERATION", input: "to embed", output: null, providedModelName: "text-embedding-3-small", usageDetails: { input: 2, total: 2 } });
check("error", { type: "GENERATION", level: "ERROR", statusMessage: "Error: 404 The model does not exist.", output: null, totalCost: 0 });

// LangChain.
const chained = { ...called, usageDetails: { input: 60, output: 15, total: 120, input_cache_read: 40, output_reasoning: 5 } };
const asked = (city) => [{ content: "Be brief.", role: "system" }, { content: `Wie heißt ${city}?`, role: "user" }];
for (const [name, city] of [["chain", "東京"], ["chain stream", "Oslo"]]) {
  const root = check(name, { type: "SPAN", isRootObservation: true, traceName: name, input: JSON.stringify({ city }) });
  assert.match(root.output, /Das ist 東京\./);
  check(`${name}: ChatPromptTemplate`, { type: "SPAN", input: JSON.stringify({ city }), output: JSON.stringify({ messages: asked(city) }) });
  const generation = check(`${name}: ChatOpenAI`, {
    ...chained, input: JSON.stringify(asked(city)), output: '{"content":"Das ist 東京.","role":"assistant"}', modelParameters: { temperature: 0.5 },
  });
  if (name === "chain stream") streamed(generation);
  else assert.deepEqual([root.userId, root.sessionId, root.tags, root.metadata.tenant], ["u2", "s2", ["green"], "acme"]);
}
assert.deepEqual([...rows.keys()], [], "not expected");
console.log("ok");
