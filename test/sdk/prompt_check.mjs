// Manages and uses prompts with the official JavaScript client as an application would.
import assert from "node:assert/strict";
import { LangfuseClient } from "@langfuse/client";

const langfuse = new LangfuseClient({
  publicKey: process.env.ALMANAC_PUBLIC_KEY,
  secretKey: process.env.ALMANAC_SECRET_KEY,
  baseUrl: process.env.ALMANAC_URL,
});
const get = (name, options = {}) => langfuse.prompt.get(name, { cacheTtlSeconds: 0, maxRetries: 0, ...options });

// Text: labels, tags, config, commit message.
const created = await langfuse.prompt.create({
  name: "greeting", prompt: "Hello {{who}}!", labels: ["production"], tags: ["a", "b"], config: { temperature: 0.5 }, commitMessage: "first",
});
assert.equal(created.version, 1);
assert.deepEqual(created.labels, ["production", "latest"]);
const first = await get("greeting");
assert.equal(first.compile({ who: "Ada" }), "Hello Ada!");
assert.deepEqual([first.config, first.tags, first.commitMessage], [{ temperature: 0.5 }, ["a", "b"], "first"]);

const second = await langfuse.prompt.create({ name: "greeting", prompt: "Hi {{who}}!", labels: ["staging"] });
assert.deepEqual([second.version, second.tags, second.config], [2, ["a", "b"], {}]);
assert.equal((await get("greeting")).version, 1);
assert.equal((await get("greeting", { label: "staging" })).version, 2);
assert.equal((await get("greeting", { version: 2 })).version, 2);

const moved = await langfuse.prompt.update({ name: "greeting", version: 2, newLabels: ["production"] });
assert.deepEqual(moved.labels, ["production", "staging", "latest"]);
assert.deepEqual((await get("greeting", { version: 1 })).labels, []);
assert.equal((await get("greeting")).version, 2);

// Chat with messages and placeholders.
await langfuse.prompt.create({
  name: "chat/folder", type: "chat", labels: ["production"],
  prompt: [{ role: "system", content: "You are {{who}}" }, { type: "placeholder", name: "history" }, { role: "user", content: "Go" }],
});
const chat = await get("chat/folder", { type: "chat" });
assert.deepEqual(chat.prompt.map((m) => m.type), ["chatmessage", "placeholder", "chatmessage"]);
const compiled = chat.compile({ who: "Ada" }, { history: [{ role: "user", content: "before" }] });
assert.deepEqual(compiled.map((m) => [m.role, m.content]), [["system", "You are Ada"], ["user", "before"], ["user", "Go"]]);

// Prompts within prompts.
await langfuse.prompt.create({ name: "outer", prompt: "<@@@langfusePrompt:name=greeting|label=production@@@>", labels: ["production"] });
assert.equal((await get("outer")).prompt, "<Hi {{who}}!>");
const { resolutionGraph } = await langfuse.api.prompts.get("outer");
assert.equal(resolutionGraph.root.name, "outer");
assert.deepEqual(Object.values(resolutionGraph.dependencies).flat().map((d) => d.name), ["greeting"]);

// Names with everything in them.
for (const name of ['a/b?c#d%20e[f]{g}"h"\\i;j:k', "日本/é"]) {
  await langfuse.prompt.create({ name, prompt: "odd", labels: ["production"] });
  assert.equal((await get(name)).name, name);
  assert.equal((await langfuse.prompt.update({ name, version: 1, newLabels: ["x"] })).labels[0], "x");
}

// The cache of the client serves what it has; without it, the newest comes.
assert.equal((await langfuse.prompt.get("greeting")).version, 2);
await langfuse.api.promptVersion.update("greeting", 1, { newLabels: ["production"] });
assert.equal((await langfuse.prompt.get("greeting")).version, 2);
assert.equal((await get("greeting")).version, 1);

// Lists, fallbacks, errors, deletion.
const listed = await langfuse.api.prompts.list({ limit: 100 });
assert.equal(listed.meta.totalItems, 5);
assert.deepEqual((await langfuse.api.prompts.list({ label: "staging" })).data[0].versions, [2]);

const fallback = await get("missing", { fallback: "Dear {{who}}" });
assert.equal(fallback.isFallback, true);
assert.equal(fallback.compile({ who: "Ada" }), "Dear Ada");

await assert.rejects(get("missing"));
await assert.rejects(langfuse.api.prompts.get("missing"), { statusCode: 404 });
await assert.rejects(langfuse.api.prompts.get("greeting", { version: 1, label: "x" }), { statusCode: 400 });
await assert.rejects(langfuse.prompt.create({ name: "greeting", type: "chat", prompt: [] }), { statusCode: 400 });
await assert.rejects(langfuse.prompt.delete("greeting"), { statusCode: 400 }); // the prompt outer depends on it

await langfuse.prompt.delete("outer");
await langfuse.prompt.delete("greeting", { version: 2 });
assert.equal((await get("greeting", { label: "latest" })).version, 1);
await langfuse.prompt.delete("greeting");
await assert.rejects(langfuse.api.prompts.get("greeting", { version: 1 }), { statusCode: 404 });

console.log("ok");
