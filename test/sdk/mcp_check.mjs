// Uses the tools as assistants do, with the official MCP client for TypeScript.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const base = process.env.ALMANAC_URL;
const keys = Buffer.from(`${process.env.ALMANAC_PUBLIC_KEY}:${process.env.ALMANAC_SECRET_KEY}`).toString("base64");

async function connect(authorization) {
  const client = new Client({ name: "check", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL(`${base}/api/public/mcp`), { requestInit: { headers: { authorization } } });
  await client.connect(transport);
  return { client, transport };
}

const { client, transport } = await connect(`Basic ${keys}`);
const call = async (name, args) => {
  const result = await client.callTool({ name, arguments: args });
  assert(!result.isError, `${name}: ${result.content[0].text}`);
  return JSON.parse(result.content[0].text);
};
const refused = async (name, args) => {
  const result = await client.callTool({ name, arguments: args });
  assert.equal(result.isError, true, name);
  return result.content[0].text;
};

assert.equal(client.getServerVersion().name, "langfuse");
assert.deepEqual(client.getServerCapabilities(), { tools: {} });
assert.match(client.getInstructions(), /observability/);
assert.equal(transport.sessionId, undefined);
await client.ping();

const tools = Object.fromEntries((await client.listTools()).tools.map((tool) => [tool.name, tool]));
assert.equal(tools.listObservations.annotations.readOnlyHint, true);
assert.deepEqual(tools.createScore.inputSchema.required, ["name", "value"]);
assert.equal(tools.createScore.inputSchema.additionalProperties, false);

await call("createTextPrompt", { name: "folder/greeting", prompt: "<b>Hello {{name}} & you</b>", labels: ["production"] });
assert.equal((await call("getPrompt", { promptName: "folder/greeting" })).prompt, "<b>Hello {{name}} & you</b>");
const score = await call("createScore", { name: "quality", value: 0.5, traceId: "a-trace" });
assert.deepEqual((await call("listScores", { traceId: "a-trace" })).data.map((s) => [s.id, s.value]), [[score.id, 0.5]]);

assert.match(await refused("getTrace", { traceId: "nope" }), /^404 Not Found/);
assert.match(await refused("createScore", { name: "quality", value: null }), /Invalid request data/);
assert.match(await refused("listTraces", { misspelt: 1 }), /takes no argument "misspelt"/);
await assert.rejects(client.callTool({ name: "nope", arguments: {} }), { code: -32602 });

// Many calls at once, and one that is given up, leave the connection as it was.
const prompts = await Promise.all(Array.from({ length: 20 }, () => call("listPrompts", { limit: 1 })));
assert(prompts.every((p) => p.meta.totalItems === 1));
await assert.rejects(client.callTool({ name: "listTraces", arguments: {} }, undefined, { signal: AbortSignal.abort() }));
await client.ping();
await transport.terminateSession(); // there is none, which the server says with 405
await client.close();

await assert.rejects(connect("Basic bm9wZTpub3Bl"), { code: 401 });
console.log("ok");
