// Calls every method of the generated JavaScript client and looks at what it returns. A method that is not called is an error, so
// that a new version of the client with new methods fails until somebody looks at them.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { LangfuseClient } from "@langfuse/client";

const client = (publicKey, secretKey) => new LangfuseClient({ publicKey, secretKey, baseUrl: process.env.ALMANAC_URL });

/** The names of all methods below a resource of the generated client. */
function* methods(resource, path = "") {
  const prototype = Object.getPrototypeOf(resource);
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (name === "constructor" || name.startsWith("_")) continue;
    if (Object.getOwnPropertyDescriptor(prototype, name).get) yield* methods(resource[name], `${path}${name}.`);
    else yield path + name;
  }
}

const called = new Set();

/** Stands for a generated client: passes calls on and notes those that succeeded. */
function recorded(resource, path = "") {
  return new Proxy(resource, {
    get(target, name) {
      const member = target[name];
      if (typeof member !== "function") return recorded(member, `${path}${name}.`);
      return async (...args) => {
        const result = await member.apply(target, args);
        called.add(path + name);
        return result;
      };
    },
  });
}

const whole = client(process.env.ALMANAC_PUBLIC_KEY, process.env.ALMANAC_SECRET_KEY).api;
const api = recorded(whole);
const organization = recorded(client(process.env.ALMANAC_ORGANIZATION_PUBLIC_KEY, process.env.ALMANAC_ORGANIZATION_SECRET_KEY).api);
const fails = (statusCode, call) => assert.rejects(call, (error) => error.statusCode === statusCode && error.body !== undefined);
const ids = (page) => page.data.map((entry) => entry.id);

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "00f067aa0ba902b7";
const since = new Date(Date.now() - 3_600_000).toISOString();
const everything = { fromTimestamp: "2020-01-01T00:00:00Z", toTimestamp: "2100-01-01T00:00:00Z" };

async function settings() {
  assert.equal((await api.health.health()).status, "OK");
  const model = { modelName: "ours", matchPattern: "^ours$", unit: "TOKENS", inputPrice: 0.5, outputPrice: 2 };
  const made = await api.models.create(model);
  assert.equal((await api.models.get(made.id)).inputPrice, 0.5);
  assert.equal((await api.models.upsert(made.id, { ...model, outputPrice: 3 })).outputPrice, 3);
  const pages = await Promise.all([1, 2].map((page) => api.models.list({ page, limit: 100 })));
  assert.ok(pages.flatMap(ids).includes(made.id));
  const connection = await api.llmConnections.upsert({ provider: "openai", adapter: "openai", secretKey: "sk-very-secret" });
  assert.ok(!connection.displaySecretKey.includes("very"));
  assert.deepEqual(ids(await api.llmConnections.list()), [connection.id]);
  await api.llmConnections.delete(connection.id);
  assert.ok((await api.feedback.submit({ targetType: "docs", target: "page", feedback: "Good." })).id);
  return made.id;
}

async function traces() {
  const begin = BigInt(Date.now()) * 1_000_000n;
  const attribute = (key, stringValue) => ({ key, value: { stringValue } });
  const span = {
    traceId, spanId, name: "generation", kind: 1, startTimeUnixNano: String(begin), endTimeUnixNano: String(begin + 2_000_000_000n),
    attributes: [
      attribute("langfuse.observation.type", "generation"), attribute("langfuse.observation.model.name", "ours"),
      attribute("langfuse.observation.usage_details", '{"input": 10, "output": 20}'), attribute("session.id", "s"), attribute("user.id", "u"),
    ],
    status: {},
  };
  await api.opentelemetry.exportTraces({ resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: { name: "by-hand" }, spans: [span] }] }] });
  const [row] = (await api.observations.getMany({ traceId, fields: "core,basic,usage,model,trace_context" })).data;
  assert.deepEqual([row.id, row.type, row.totalCost, row.userId, row.sessionId], [spanId, "GENERATION", 65, "u", "s"]);
  await fails(400, api.observations.getMany({ limit: 100_000 }));
  const count = { metrics: [{ measure: "count", aggregation: "count" }], filters: [], ...everything };
  const named = await api.metrics.metrics({ query: JSON.stringify({ ...count, view: "observations", dimensions: [{ field: "name" }] }) });
  assert.deepEqual(named.data.map((d) => [d.name, Number(d.count_count)]), [["generation", 1]]);
  const users = await api.legacy.metricsV1.metrics({ query: JSON.stringify({ ...count, view: "traces", dimensions: [{ field: "userId" }] }) });
  assert.deepEqual(users.data.map((d) => d.userId), ["u"]);

  assert.deepEqual((await api.trace.get(traceId)).observations.map((o) => o.id), [spanId]);
  assert.deepEqual(ids(await api.trace.list({ userId: "u" })), [traceId]);
  assert.deepEqual((await api.sessions.get("s")).traces.map((t) => t.id), [traceId]);
  assert.deepEqual(ids(await api.sessions.list()), ["s"]);
  assert.equal((await api.legacy.observationsV1.get(spanId)).model, "ours");
  assert.deepEqual(ids(await api.legacy.observationsV1.getMany({ traceId })), [spanId]);
  // One after the other: a call that fails before somebody waits for it ends the process.
  await fails(404, api.trace.get("nope"));
  await fails(404, api.sessions.get("nope"));
  await fails(404, api.legacy.observationsV1.get("nope"));
}

async function scores() {
  const config = await api.scoreConfigs.create({ name: "range", dataType: "NUMERIC", minValue: 0, maxValue: 1 });
  assert.equal((await api.scoreConfigs.update(config.id, { maxValue: 2 })).maxValue, 2);
  assert.equal((await api.scoreConfigs.getById(config.id)).name, "range");
  assert.deepEqual(ids(await api.scoreConfigs.get()), [config.id]);
  await fails(404, api.scoreConfigs.getById("nope"));
  assert.equal((await api.scores.create({ id: "n", traceId, name: "range", value: 1.5, configId: config.id })).id, "n");
  await fails(400, api.scores.create({ traceId, name: "range", value: 9, configId: config.id }));
  assert.equal((await api.legacy.scoreV1.create({ id: "c", traceId, name: "tone", value: "warm" })).id, "c");
  const event = { id: "e", type: "score-create", timestamp: new Date().toISOString(), body: { id: "b", sessionId: "s", name: "ok", value: 1, dataType: "BOOLEAN" } };
  assert.deepEqual((await api.ingestion.batch({ batch: [event] })).errors, []);
  assert.deepEqual(ids(await api.scores.getMany({ traceId })).sort(), ["c", "n"]);
  assert.equal((await api.scores.getById("c")).stringValue, "warm");
  const read = await api.scoresV3.getManyV3({ fields: "subject" });
  assert.deepEqual(read.data.map((s) => [s.id, s.value, s.subject.kind]).sort(), [["b", true, "session"], ["c", "warm", "trace"], ["n", 1.5, "trace"]]);
  await api.legacy.scoreV1.delete("c");
  await fails(404, api.scores.getById("c"));
  return config.id;
}

async function annotation(configId) {
  const queues = api.annotationQueues;
  const queue = await queues.createQueue({ name: "queue", scoreConfigIds: [configId] });
  assert.equal((await queues.getQueue(queue.id)).name, "queue");
  assert.deepEqual(ids(await queues.listQueues()), [queue.id]);
  const item = await queues.createQueueItem(queue.id, { objectId: traceId, objectType: "TRACE" });
  assert.equal(item.status, "PENDING");
  assert.ok((await queues.updateQueueItem(queue.id, item.id, { status: "COMPLETED" })).completedAt);
  assert.equal((await queues.getQueueItem(queue.id, item.id)).status, "COMPLETED");
  assert.deepEqual(ids(await queues.listQueueItems(queue.id, { status: "COMPLETED" })), [item.id]);
  const user = await organization.scim.createUser({ userName: "ada@example.org", name: { formatted: "Ada" } });
  assert.equal((await organization.organizations.updateOrganizationMembership({ userId: user.id, role: "MEMBER" })).role, "MEMBER");
  assert.equal((await queues.createQueueAssignment(queue.id, { userId: user.id })).userId, user.id);
  assert.equal((await queues.deleteQueueAssignment(queue.id, { userId: user.id })).success, true);
  assert.equal((await queues.deleteQueueItem(queue.id, item.id)).success, true);
  await fails(404, queues.getQueueItem(queue.id, item.id));
  const [project] = (await api.projects.get()).data;
  const comment = await api.comments.create({ projectId: project.id, objectType: "TRACE", objectId: traceId, content: "Look." });
  assert.equal((await api.comments.getById(comment.id)).content, "Look.");
  assert.deepEqual(ids(await api.comments.get({ objectType: "TRACE", objectId: traceId })), [comment.id]);
  return user.id;
}

async function prompts() {
  const made = await api.prompts.create({ type: "text", name: "a prompt", prompt: "Hi", labels: ["production"] });
  assert.equal(made.version, 1);
  assert.equal((await api.prompts.get("a prompt")).prompt, "Hi");
  assert.deepEqual((await api.prompts.list()).data.map((p) => p.name), ["a prompt"]);
  assert.deepEqual((await api.promptVersion.update("a prompt", 1, { newLabels: ["x"] })).labels, ["x", "production", "latest"]);
  await api.prompts.delete("a prompt");
  await fails(404, api.prompts.get("a prompt"));
}

async function datasets() {
  const dataset = await api.datasets.create({ name: "a dataset", metadata: { a: 1 } });
  assert.deepEqual((await api.datasets.get("a dataset")).metadata, { a: 1 });
  assert.deepEqual(ids(await api.datasets.list()), [dataset.id]);
  const item = await api.datasetItems.create({ datasetName: "a dataset", input: [1], expectedOutput: null });
  assert.deepEqual((await api.datasetItems.get(item.id)).input, [1]);
  assert.deepEqual(ids(await api.datasetItems.list({ datasetName: "a dataset" })), [item.id]);
  assert.equal((await api.datasetRunItems.create({ runName: "run 1", datasetItemId: item.id, traceId })).traceId, traceId);
  assert.equal((await api.datasetRunItems.list({ datasetId: dataset.id, runName: "run 1" })).data.length, 1);
  assert.deepEqual((await api.datasets.getRuns("a dataset")).data.map((r) => r.name), ["run 1"]);
  assert.equal((await api.datasets.getRun("a dataset", "run 1")).datasetRunItems.length, 1);
  // Runs that were linked afterwards are no experiments, which are traced as such.
  assert.deepEqual((await api.experiments.list({ fromStartTime: since })).data, []);
  assert.deepEqual((await api.experiments.listItems({ fromStartTime: since })).data, []);
  await api.datasets.deleteRun("a dataset", "run 1");
  await fails(404, api.datasets.getRun("a dataset", "run 1"));
  await api.datasetItems.delete(item.id);
  await fails(404, api.datasetItems.get(item.id));
}

async function media() {
  const content = Buffer.from("the content");
  const sha256Hash = createHash("sha256").update(content).digest("base64");
  const place = await api.media.getUploadUrl({ contentType: "text/plain", contentLength: content.length, sha256Hash, field: "input", traceId });
  const sent = await fetch(place.uploadUrl, { method: "PUT", body: content, headers: { "Content-Type": "text/plain", "x-amz-checksum-sha256": sha256Hash } });
  assert.equal(sent.status, 200);
  await api.media.patch(place.mediaId, { uploadedAt: new Date().toISOString(), uploadHttpStatus: 200 });
  assert.equal((await api.media.get(place.mediaId)).contentLength, content.length);
  await fails(404, api.media.get("nope"));
}

async function evaluation() {
  const outputDefinition = { dataType: "NUMERIC", minValue: 0, maxValue: 1 };
  const variableMapping = [{ variable: "output", source: "output" }];
  const judge = await api.evaluators.create({ type: "llm_as_judge", name: "judge", prompt: "Is {{output}} right?", outputDefinition, variableMapping });
  assert.deepEqual((await api.evaluators.get(judge.id)).variables, ["output"]);
  assert.equal((await api.evaluators.update(judge.id, { description: "better" })).description, "better");
  assert.deepEqual(ids(await api.evaluators.list()), [judge.id]);
  assert.deepEqual((await api.evaluators.listVersions(judge.id)).data.map((v) => v.version), [1]);
  const rule = await api.evaluationRules.create({ name: "rule", enabled: false, sampling: 0.5, evaluatorAssignments: [{ evaluatorId: judge.id }] });
  assert.equal((await api.evaluationRules.get(rule.id)).sampling, 0.5);
  assert.equal((await api.evaluationRules.update(rule.id, { sampling: 1 })).sampling, 1);
  assert.deepEqual(ids(await api.evaluationRules.list()), [rule.id]);
  await api.evaluationRules.delete(rule.id);
  await api.evaluators.delete(judge.id);
  await fails(404, api.evaluators.get(judge.id));
}

async function dashboards() {
  const { dashboardWidgets: widgets, dashboards: boards } = api.unstable;
  const widget = await widgets.create({
    name: "cost", view: "observations", dimensions: [], metrics: [{ measure: "totalCost", agg: "sum" }], filters: [], chartType: "NUMBER",
  });
  assert.equal((await widgets.get(widget.id)).metrics[0].measure, "totalCost");
  assert.deepEqual(ids(await widgets.list()), [widget.id]);
  assert.equal((await widgets.update(widget.id, { name: "renamed" })).name, "renamed");
  const board = await boards.create({ name: "board" });
  assert.equal((await boards.get(board.id)).name, "board");
  assert.ok(ids(await boards.list()).includes(board.id));
  assert.equal((await boards.update(board.id, { name: "renamed" })).name, "renamed");
  const placed = await boards.addPlacement(board.id, { type: "widget", widgetId: widget.id });
  assert.equal((await boards.updatePlacement(board.id, placed.id, { x: 3, width: 4 })).x, 3);
  await boards.deletePlacement(board.id, placed.id);
  await boards.delete(board.id);
  await widgets.delete(widget.id);
  await fails(404, boards.get(board.id));
}

async function administration(userId) {
  const project = await organization.projects.create({ name: "project", retention: 30 });
  assert.equal((await organization.projects.update(project.id, { name: "renamed", retention: 0 })).name, "renamed");
  const key = await organization.projects.createApiKey(project.id, { note: "n" });
  assert.deepEqual((await organization.projects.getApiKeys(project.id)).apiKeys.map((k) => k.id), [key.id]);
  assert.equal((await organization.projects.deleteApiKey(project.id, key.id)).success, true);
  await fails(403, api.projects.create({ name: "x", retention: 0 }));
  await fails(401, client("pk-lf-wrong", "sk-lf-wrong").api.projects.get());

  const storage = organization.blobStorageIntegrations;
  const stored = await storage.upsertBlobStorageIntegration({
    projectId: project.id, type: "S3", bucketName: "bucket", region: "eu-west-1", accessKeyId: "id", secretAccessKey: "very-secret",
    exportFrequency: "daily", enabled: false, forcePathStyle: false, fileType: "JSONL", exportMode: "FULL_HISTORY",
  });
  assert.ok(!JSON.stringify(stored).includes("very-secret"));
  assert.deepEqual(ids(await storage.getBlobStorageIntegrations()), [stored.id]);
  assert.equal((await storage.getBlobStorageIntegrationStatus(project.id)).enabled, false);
  await storage.deleteBlobStorageIntegration(project.id);

  const members = organization.organizations;
  assert.equal((await members.getOrganizationMemberships()).memberships[0].userId, userId);
  assert.equal((await members.updateProjectMembership(project.id, { userId, role: "VIEWER" })).role, "VIEWER");
  assert.equal((await members.getProjectMemberships(project.id)).memberships[0].userId, userId);
  assert.equal((await members.deleteProjectMembership(project.id, { userId })).userId, userId);
  assert.equal((await members.getOrganizationProjects()).projects.length, 2);
  assert.equal((await members.getOrganizationApiKeys()).apiKeys.length, 1);
  assert.equal((await members.deleteOrganizationMembership({ userId })).userId, userId);
  assert.equal((await organization.projects.delete(project.id)).success, true);

  const { scim } = organization;
  assert.ok((await scim.getServiceProviderConfig()).schemas && (await scim.getResourceTypes()).Resources && (await scim.getSchemas()).Resources);
  const other = await scim.createUser({ userName: "other@example.org", name: { formatted: "Other" } });
  assert.equal((await scim.getUser(other.id)).userName, "other@example.org");
  assert.ok((await scim.listUsers()).Resources.some((u) => u.id === other.id));
  await scim.deleteUser(other.id);
  await fails(404, scim.getUser(other.id));
}

const modelId = await settings();
await traces();
const configId = await scores();
const userId = await annotation(configId);
await prompts();
await datasets();
await media();
await evaluation();
await dashboards();
await administration(userId);
await api.trace.delete(traceId);
await api.trace.deleteMultiple({ traceIds: [traceId] });
assert.deepEqual((await api.observations.getMany({ traceId })).data, []);
await api.models.delete(modelId);
await fails(404, api.models.get(modelId));

const known = [...methods(whole)];
assert.deepEqual(known.filter((name) => !called.has(name)), [], "never called");
console.log(`${called.size} of ${known.length} methods called`);
console.log("ok");
