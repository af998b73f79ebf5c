import { expect, test } from "vitest";
import { agentSchema } from "@/lib/graph/document";
import { computeContentHash, FILE_FORMATS, readGraphFile, writeGraphFile } from "@/lib/graph/file";
import { oneStepGraph } from "@/lib/graph/testing/one-step";
import { testWorkspace } from "@/server/mcp/testing/registered";
import { saveAgent } from "@/server/store/agents/agents";
import { answeringPlane } from "@/server/testing/answering";
import { callerOfMember } from "@/server/testing/member";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("admin");
const plane = await answeringPlane(urls.admin);
const workspace = await testWorkspace(urls.admin);
const builder = await callerOfMember(urls.admin, plane, workspace, "builder");
await saveAgent(workspace, agentSchema.parse({ id: "thinker", name: "Thinker" }), null);

test.each(FILE_FORMATS)("exporting as %s and importing keeps the content hash", async (format) => {
  const graph = oneStepGraph(`round-${format}`, ["question"]);
  const file = writeGraphFile(graph, format);
  const read = readGraphFile(file?.text ?? "");
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const first = await builder.graphs.import({ document: read.value.graph });
  const second = await builder.graphs.import({ document: read.value.graph });

  expect(first.documentId).toBe(`round-${format}`);
  expect(second.documentId).toBe(`round-${format}-2`);
  for (const { id } of [first, second]) expect((await builder.graphs.get({ id })).hash).toBe(computeContentHash(graph));
  expect(await builder.graphs.versions({ id: first.id })).toEqual([]);
});

test("graphs of equal names have different ids, so equal content makes two versions", async () => {
  const ids = [await builder.graphs.create({ name: "Twin" }), await builder.graphs.create({ name: "Twin" })].map(({ id }) => id);
  const documents = await Promise.all(ids.map(async (id) => (await builder.graphs.get({ id })).document));

  expect(documents.map(({ id }) => id)).toEqual(["twin", "twin-2"]);
});

test("each version lists authority changes from its predecessor", async () => {
  const { id } = await builder.graphs.import({ document: oneStepGraph("steps", ["question", "note"]) });
  const first = await builder.graphs.publish({ id, revision: 1 });
  await builder.graphs.save({ id, revision: 1, document: oneStepGraph("steps", ["question"]) });
  const second = await builder.graphs.publish({ id, revision: 2 });
  if (first.status !== "published" || second.status !== "published") throw new Error("a narrower version is anybody's to publish");

  expect(await builder.graphs.versionChanges({ hash: first.version.hash })).toMatchObject({ base: null });
  const { base, changes } = await builder.graphs.versionChanges({ hash: second.version.hash });
  expect(base).toEqual({ hash: first.version.hash, number: 1 });
  expect(new Set(changes.map(({ direction }) => direction))).toEqual(new Set(["narrower"]));
});

test("an older version's content is not republished, and that version is named", async () => {
  const { id } = await builder.graphs.import({ document: oneStepGraph("again", ["question"]) });
  await builder.graphs.publish({ id, revision: 1 });
  await builder.graphs.save({ id, revision: 1, document: { ...oneStepGraph("again", ["question"]), description: "Other words" } });
  await builder.graphs.publish({ id, revision: 2 });
  await builder.graphs.save({ id, revision: 2, document: oneStepGraph("again", ["question"]) });

  expect(await builder.graphs.publishPreview({ id, revision: 3 })).toMatchObject({ sameAs: 1, base: { number: 2 } });
  await expect(builder.graphs.publish({ id, revision: 3 })).rejects.toThrow("This is exactly version 1");
  expect((await builder.graphs.versions({ id })).map(({ number }) => number)).toEqual([2, 1]);
});
