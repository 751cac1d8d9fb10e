// Uses the official JavaScript client as an application would: credentials right, wrong, and those of an organization.
import assert from "node:assert/strict";
import { LangfuseClient } from "@langfuse/client";

const baseUrl = process.env.ALMANAC_URL;
const client = (publicKey, secretKey) => new LangfuseClient({ publicKey, secretKey, baseUrl });

const good = client(process.env.ALMANAC_PUBLIC_KEY, process.env.ALMANAC_SECRET_KEY);
const projects = await good.api.projects.get();
assert.equal(projects.data.length, 1);
assert.equal(projects.data[0].name, "My project");
assert.deepEqual(projects.data[0].metadata, {});

const health = await good.api.health.health();
assert.equal(health.status, "OK");

await assert.rejects(client("pk-lf-wrong", "sk-lf-wrong").api.projects.get(), (error) => {
  assert.equal(error.statusCode, 401);
  assert.deepEqual(error.body, { message: "Invalid credentials. Confirm that you've configured the correct host." });
  return true;
});

const organization = client(process.env.ALMANAC_ORGANIZATION_PUBLIC_KEY, process.env.ALMANAC_ORGANIZATION_SECRET_KEY);
const created = await organization.api.projects.create({ name: "From JavaScript", retention: 0 });
assert.equal(created.name, "From JavaScript");
const key = await organization.api.projects.createApiKey(created.id, { note: "for js" });
assert.equal((await client(key.publicKey, key.secretKey).api.projects.get()).data[0].id, created.id);
assert.equal((await organization.api.projects.delete(created.id)).success, true);
await assert.rejects(client(key.publicKey, key.secretKey).api.projects.get(), { statusCode: 401 });

console.log("ok");
