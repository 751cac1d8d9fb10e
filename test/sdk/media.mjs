// Sends and resolves media with the official JavaScript client: in a span, and in items of a dataset.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { LangfuseClient } from "@langfuse/client";
import { LangfuseMedia } from "@langfuse/core";
import { LangfuseSpanProcessor } from "@langfuse/otel";
import { startObservation } from "@langfuse/tracing";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

const options = {
  publicKey: process.env.ALMANAC_PUBLIC_KEY,
  secretKey: process.env.ALMANAC_SECRET_KEY,
  baseUrl: process.env.ALMANAC_URL,
};
const processor = new LangfuseSpanProcessor(options);
new NodeTracerProvider({ spanProcessors: [processor] }).register();
const langfuse = new LangfuseClient(options);

const image = randomBytes(2000);
const sound = randomBytes(3000);
const address = (type, content) => `data:${type};base64,${content.toString("base64")}`;

const span = startObservation("media", {
  input: { image: new LangfuseMedia({ source: "bytes", contentBytes: image, contentType: "image/png" }) },
  output: { text: `Listen: ${address("audio/wav", sound)}` },
  metadata: { image: address("image/png", image) },
});
span.end();
await processor.forceFlush();

const rows = await langfuse.api.observations.getMany({ traceId: span.traceId, fields: "core,basic,io,metadata" });
const row = rows.data[0];
assert.match(JSON.stringify(row.input), /@@@langfuseMedia:type=image\/png\|id=/);
const resolved = JSON.stringify(
  await langfuse.media.resolveReferences({ obj: { input: row.input, output: row.output, metadata: row.metadata }, resolveWith: "base64DataUri" }),
);
assert.ok(resolved.includes(address("image/png", image)), resolved.slice(0, 300));
assert.ok(resolved.includes(address("audio/wav", sound)), resolved.slice(0, 300));

const id = await new LangfuseMedia({ source: "bytes", contentBytes: image, contentType: "image/png" }).getId();
const found = await langfuse.api.media.get(id);
assert.equal(found.contentLength, image.length);
assert.deepEqual(Buffer.from(await (await fetch(found.url)).arrayBuffer()), image);
const part = await fetch(found.url, { headers: { Range: "bytes=10-19" } });
assert.equal(part.status, 206);
assert.deepEqual(Buffer.from(await part.arrayBuffer()), image.subarray(10, 20));

await langfuse.api.datasets.create({ name: "with media" });
const item = await langfuse.dataset.createItem({
  datasetName: "with media",
  input: { gallery: [new LangfuseMedia({ source: "bytes", contentBytes: sound, contentType: "audio/wav" })] },
});
assert.deepEqual(item.mediaReferences.map((r) => [r.field, r.jsonPath]), [["input", "$['gallery'][0]"]]);
assert.deepEqual(Buffer.from(await (await fetch(item.mediaReferences[0].media.url)).arrayBuffer()), sound);
const read = await langfuse.dataset.get("with media");
assert.equal(read.items.length, 1);
console.log("ok");
