// Traces an application with the official JavaScript client in every way that it offers, and prints which ids it gave.
// What is sent here is looked for in the store by tracing_javascript_test.go. Names are unique, so that rows can be told
// apart.
import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { LangfuseSpanProcessor } from "@langfuse/otel";
import {
  createTraceId,
  getActiveSpanId,
  getActiveTraceId,
  observe,
  propagateAttributes,
  setActiveTraceAsPublic,
  startActiveObservation,
  startObservation,
  updateActiveObservation,
} from "@langfuse/tracing";
import { SpanStatusCode, trace } from "@opentelemetry/api";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

const processor = new LangfuseSpanProcessor({
  publicKey: process.env.ALMANAC_PUBLIC_KEY,
  secretKey: process.env.ALMANAC_SECRET_KEY,
  baseUrl: process.env.ALMANAC_URL,
  environment: "staging",
  release: "release-7",
  mask: ({ data }) => data.replace(/sesame-\d+/g, "***"),
  flushInterval: 3600, // nothing but forceFlush sends
});
const provider = new NodeTracerProvider({
  resource: defaultResource().merge(resourceFromAttributes({ "service.name": "shop", "service.version": "9.9" })),
  spanProcessors: [processor],
});
provider.register();

const ids = {};

// sent notes the ids that the client gave to an observation.
function sent(name, observation) {
  assert.ok(!(name in ids), name);
  ids[name] = { traceId: observation.traceId, id: observation.id };
  return observation;
}

function sentActive(name) {
  return sent(name, { traceId: getActiveTraceId(), id: getActiveSpanId() });
}

const metadata = {
  text: "plain",
  "number text": "42",
  "true text": "true",
  "object text": '{"a": 1}',
  empty: "",
  int: 42,
  negative: -7,
  large: 9007199254740991,
  float: 1.5,
  tiny: 1e-7,
  zero: 0,
  bool: true,
  no: false,
  nested: { a: { b: [1, 2] }, c: null, d: "x" },
  list: [1, "zwei", null, { k: true }],
  null: null,
  undefined: undefined,
  unicode: 'Größe 東京 😀 "quoted" \\ \n\t',
  "dotted.key": "dots",
  when: new Date("2026-01-02T03:04:05Z"),
};

const prompt = { name: "answer-politely", version: 3, isFallback: false };

async function activeObservations() {
  await startActiveObservation("root", async (root) => {
    sent("root", root);
    root.update({ input: { question: "Où est la clé? 東京 😀", n: 1 }, metadata, version: "before" });
    sent("before propagation", root.startObservation("before propagation")).end();
    await propagateAttributes(
      {
        userId: "user-1",
        sessionId: "session-1",
        tags: ["blue", "green", "with, comma"],
        traceName: "support request",
        version: "2.0",
        metadata: { tenant: "acme", code: "42", where: "東京", plan: '{"tier":"gold"}' },
      },
      async () => {
        await startActiveObservation(
          "generation",
          async (generation) => {
            sent("generation", generation);
            generation.update({
              model: "gpt-4o",
              modelParameters: { temperature: 0.2, max_tokens: 1000, stream: true, stop: ["a", "b"], user: "u" },
              input: [{ role: "user", content: 'Hello "you"\n東京' }],
              usageDetails: { input: 1000, output: 500, total: 1500 },
              prompt,
              completionStartTime: new Date("2026-01-02T03:04:05.678Z"),
            });
            await wait(1);
            updateActiveObservation({ output: { role: "assistant", content: "Grüß Gott" } }, { asType: "generation" });
            const inner = { tags: ["inner", "blue"], metadata: { code: "43", step: "1" }, userId: "user-2" };
            await propagateAttributes(inner, async () => {
              await wait(1);
              sent("inner", startObservation("inner")).end();
            });
          },
          { asType: "generation" },
        );
        const types = ["span", "agent", "tool", "chain", "retriever", "evaluator", "guardrail", "embedding", "generation"];
        for (const asType of types) {
          const name = `type ${asType}`;
          sent(name, startObservation(name, { input: `${asType} in`, output: `${asType} out` }, { asType })).end();
        }
        sent(
          "event",
          startObservation(
            "event",
            {
              input: "what", output: ["happened"], metadata: { k: "v" },
              level: "WARNING", statusMessage: "look at this", version: "event-1",
            },
            { asType: "event", startTime: new Date() },
          ),
        );
        sent("event now", startObservation("event now", {}, { asType: "event" }));
        root.update({ output: "plain text, not JSON", metadata: { int: 43, added: "later" } });
      },
    );
    root.setTraceIO({ input: { from: "trace" }, output: "to trace sesame-5" });
    setActiveTraceAsPublic();
  });
}

async function levels() {
  for (const level of ["DEBUG", "DEFAULT", "WARNING", "ERROR"]) {
    sent(`level ${level}`, startObservation(`level ${level}`, { level, statusMessage: `message of ${level}` })).end();
  }
  const failing = startActiveObservation("rejects", async (observation) => {
    sent("rejects", observation);
    await wait(1);
    throw new Error('it broke: "why"');
  });
  await assert.rejects(failing, { message: 'it broke: "why"' });
  const throws = () => startActiveObservation("throws", (observation) => { sent("throws", observation); throw "no error"; });
  assert.throws(throws, (thrown) => thrown === "no error");
}

function usageAndCost() {
  const generation = (name, details) => sent(name, startObservation(name, details, { asType: "generation" })).end();
  generation("usage openai", {
    model: "gpt-4o-2024-08-06",
    usageDetails: {
      prompt_tokens: 100, completion_tokens: 20, total_tokens: 120,
      prompt_tokens_details: { cached_tokens: 40, audio_tokens: 0 }, completion_tokens_details: { reasoning_tokens: 5 },
    },
  });
  generation("usage camel case", { model: "a-model-of-ours", usageDetails: { promptTokens: 10, completionTokens: 20 } });
  generation("cost given", {
    model: "gpt-4o", usageDetails: { input: 51, output: 0, total: 100 }, costDetails: { input: 111, output: 222, total: 444 },
  });
  sent("tool with usage", startObservation("tool with usage", {
    model: "gpt-4o-mini", usageDetails: { input: 10, output: 20 }, modelParameters: { temperature: 0.7 },
  }, { asType: "tool" })).end();
}

function content() {
  const span = (name, attributes) => sent(name, startObservation(name, attributes)).end();
  span("content empty", { input: "", output: "" });
  span("content nothing", { input: null, output: undefined });
  span("content number", { input: 2, output: 0 });
  span("content list", { input: [], output: {} });
  span("content text", { input: "  two\n\"lines\" \\ 東京 😀 \u0000 \u2028 end ", output: '{"looks": "like JSON" }' });
  span("content long", { input: "x".repeat(300_000), output: ["é".repeat(1000)] });
  span("content special", { input: { nan: NaN, when: new Date(0), map: new Map([[1, 2]]), f: () => 1, big: "1" } });
  const circular = {};
  circular.self = circular;
  span("content circular", { input: circular });
  span("content secret", {
    input: "open sesame-1", output: { deep: ["sesame-22", 1] }, metadata: { word: "sesame-333" }, statusMessage: "sesame-4444",
  });
  span("metadata list", { metadata: [1, "two", { three: 3 }] });
  span("metadata text", { metadata: "only text" });
}

async function contexts() {
  const traceId = await createTraceId("contexts");
  const parentSpanContext = { traceId, spanId: "0123456789abcdef", traceFlags: 1 };
  await startActiveObservation("given parent", async (observation) => {
    sent("given parent", observation);
    sent("child of given parent", startObservation("child of given parent")).end();
  }, { parentSpanContext });
  propagateAttributes({ prompt: { name: "propagated-prompt", version: 12 }, environment: "from-context" }, () => {
    sent("propagated prompt", startObservation("propagated prompt", { model: "m" }, { asType: "generation" })).end();
    sent("prompt on a span", startObservation("prompt on a span")).end();
  });
  const startTime = new Date();
  sent("times given", startObservation("times given", {}, { startTime })).end(new Date(startTime.getTime() + 90_000));
  // A library that knows nothing of the client, and one that speaks the conventions for generative AI.
  const library = trace.getTracer("some-http-library", "1.2.3");
  library.startActiveSpan("not for us", (outer) => {
    library.startActiveSpan("chat gpt-4o-mini", (inner) => {
      sent("chat gpt-4o-mini", { traceId: inner.spanContext().traceId, id: inner.spanContext().spanId });
      inner.setAttributes({
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "gpt-4o-mini",
        "gen_ai.response.model": "gpt-4o-mini-2024-07-18",
        "gen_ai.request.temperature": 0.5,
        "gen_ai.request.max_tokens": 100,
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.usage.output_tokens": 5,
        "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"hi"}]}]',
        "gen_ai.output.messages": '[{"role":"assistant","parts":[{"type":"text","content":"ho"}]}]',
        "server.port": 443,
        "http.retries": [1, 2],
        "cache.hit": false,
      });
      inner.setStatus({ code: SpanStatusCode.OK });
      inner.end();
    });
    outer.end();
  });
}

async function functions() {
  const child = observe((question, times) => {
    sentActive("observed child");
    updateActiveObservation({ metadata: { times } });
    return question.repeat(times);
  }, { name: "observed child", asType: "tool" });
  const parent = observe(async function observedParent(question) {
    sentActive("observedParent");
    await wait(1);
    return { answer: child(question, 2) };
  });
  assert.deepEqual(await parent("why?"), { answer: "why?why?" });
  const generation = observe(async () => {
    sentActive("observed generation");
    updateActiveObservation({ model: "gpt-4o-mini", usageDetails: { input: 10, output: 20 } }, { asType: "generation" });
    return "generated";
  }, { name: "observed generation", asType: "generation" });
  await generation();
  observe((hidden) => { sentActive("observed without content"); return hidden; }, {
    name: "observed without content", captureInput: false, captureOutput: false,
  })("hidden");
  const failing = observe(() => { sentActive("observed error"); throw new RangeError("missing 7"); }, { name: "observed error" });
  assert.throws(failing, RangeError);
  await startActiveObservation("async parent", async (observation) => {
    sent("async parent", observation);
    await Promise.all([0, 1, 2].map((n) =>
      startActiveObservation(`async child ${n}`, async (inner) => {
        sent(`async child ${n}`, inner);
        await wait(10 * (3 - n));
        sent(`async grandchild ${n}`, startObservation(`async grandchild ${n}`, {}, { asType: "retriever" })).end();
      }),
    ));
  });
}

if (process.argv[2] === "everything") {
  await activeObservations();
  await levels();
  usageAndCost();
  content();
  await contexts();
  await functions();
} else { // a little, which the server refuses
  sent("little", startObservation("little")).end();
  await assert.rejects(processor.forceFlush(), {
    name: "OTLPExporterError",
    code: 401,
    data: '{"message":"Invalid credentials. Confirm that you\'ve configured the correct host."}',
  });
}

await processor.forceFlush();
console.log(JSON.stringify(ids));
process.exit(0); // whatever forceFlush did not send is lost
