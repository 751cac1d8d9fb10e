// Runs experiments with the official JavaScript client, on a dataset and on local data, reads them back with it, and prints
// what it knows of them. What the server says about them is compared with that by experiments_test.go.
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
const processor = new LangfuseSpanProcessor({ ...options, flushInterval: 3600 }); // nothing but forceFlush sends
new NodeTracerProvider({ spanProcessors: [processor] }).register();
const langfuse = new LangfuseClient(options);

const datasetName = "capitals/of the world";
const runName = "run 1/a";
const description = "Do models know capitals?";
const metadata = { model: "gpt-4o", temperature: 0.5, nested: { list: [1, 2] } };
const answers = { France: "Paris", Spain: "Barcelona", Italy: { city: "Rome" } };

await langfuse.api.datasets.create({ name: datasetName, description: "Which city?" });
for (const [id, country, expectedOutput, itemMetadata] of [
  ["item-1", "France", "Paris", { lang: "fr", hard: false }],
  ["item-2", "Spain", "Madrid", null],
  ["item-3", "Italy", { city: "Rome" }, null],
]) {
  await langfuse.api.datasetItems.create({ datasetName, id, input: { country }, expectedOutput, metadata: itemMetadata });
}

const task = async ({ input }) =>
  startActiveObservation("look up", async (span) => {
    assert.ok(input.country in answers, `nothing is known of ${input.country}`);
    span.update({ input: input.country, output: answers[input.country] });
    return answers[input.country];
  }, { asType: "retriever" });

const evaluators = [
  async ({ output, expectedOutput }) => ({
    name: "right", value: JSON.stringify(output) === JSON.stringify(expectedOutput) ? 1 : 0, dataType: "BOOLEAN", comment: "compared",
  }),
  async ({ output }) => [
    { name: "length", value: JSON.stringify(output).length },
    { name: "kind", value: typeof output, dataType: "CATEGORICAL" },
  ],
];
const runEvaluators = [
  async ({ itemResults }) => {
    const rights = itemResults.flatMap((r) => r.evaluations.filter((e) => e.name === "right").map((e) => e.value));
    return { name: "accuracy", value: rights.reduce((sum, n) => sum + n, 0) / rights.length, comment: "of this run" };
  },
];

const common = { name: "capitals", description, metadata, task, evaluators, runEvaluators };
const dataset = await langfuse.dataset.get(datasetName);
assert.deepEqual(dataset.items.map((item) => item.id).sort(), ["item-1", "item-2", "item-3"]);
const whole = await dataset.runExperiment({ ...common, runName });
const again = await langfuse.experiment.run({ ...common, runName, data: dataset.items.filter((item) => item.id === "item-2") });
assert.equal(again.experimentId, whole.experimentId);

const local = await langfuse.experiment.run({
  ...common,
  description: undefined,
  runName: "local run",
  data: [
    { input: { country: "France" }, expectedOutput: "Paris", metadata: { local: "yes" } },
    { input: { country: "Atlantis" } }, // its task fails
  ],
});
assert.equal(local.itemResults.length, 1);
await processor.forceFlush();
await langfuse.flush();

const fromStartTime = new Date(Date.now() - 3_600_000).toISOString();
const listed = await langfuse.api.experiments.list({ fromStartTime, fields: "core,metadata,scores" });
assert.deepEqual(listed.data.map((e) => e.id), [local.experimentId, whole.experimentId]);
assert.equal(listed.data[1].datasetId, dataset.id);
assert.equal(listed.data[1].itemCount, 4);
const items = await langfuse.api.experiments.listItems({ fromStartTime, datasetId: dataset.id, fields: "core,scores" });
assert.deepEqual(
  items.data.map((item) => item.traceId).sort(),
  [whole, again].flatMap((result) => result.itemResults.map((r) => r.traceId)).sort(),
);
assert.ok(items.data.every((item) => item.scores.length === 3));
const first = await langfuse.api.experiments.listItems({ fromStartTime, limit: 3 });
const second = await langfuse.api.experiments.listItems({ fromStartTime, limit: 3, cursor: first.meta.cursor });
assert.equal(new Set([...first.data, ...second.data].map((item) => item.traceId)).size, 6);
assert.equal(second.meta.cursor, undefined);

const told = (...results) => ({
  experimentId: results[0].experimentId,
  runName: results[0].runName,
  url: results[0].datasetRunUrl ?? null,
  items: results.flatMap((result) =>
    result.itemResults.map((r) => ({
      id: r.item.id ?? null,
      traceId: r.traceId,
      output: r.output,
      evaluations: Object.fromEntries(r.evaluations.map((e) => [e.name, e.value])),
    })),
  ),
  runEvaluations: results.flatMap((result) => result.runEvaluations.map((e) => e.value)),
});
console.log(JSON.stringify({ dataset: { id: dataset.id, name: datasetName }, run: told(whole, again), local: told(local) }));
