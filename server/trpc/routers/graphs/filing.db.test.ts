import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { graphSchema } from "@/lib/graph/document";
import { testWorkspace } from "@/server/mcp/testing/registered";
import { queryOn } from "@/server/testing/connections";
import { answeringPlane } from "@/server/testing/answering";
import { callerOfMember } from "@/server/testing/member";
import { testDatabase } from "@/server/testing/database";
import { saveAgent } from "@/server/store/agents/agents";
import { agentSchema } from "@/lib/graph/document";
import { listUsableVersions } from "@/server/store/graphs/versions";

const urls = await testDatabase("admin");
const plane = await answeringPlane(urls.admin);
const workspace = await testWorkspace(urls.admin);
const builder = await callerOfMember(urls.admin, plane, workspace, "builder");
const second = await callerOfMember(urls.admin, plane, workspace, "builder");
const other = await callerOfMember(urls.admin, plane, await testWorkspace(urls.admin), "builder");
await saveAgent(workspace, agentSchema.parse({ id: "thinker", name: "Thinker" }), null);

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: { readonly cause?: { readonly code?: string } }) => error.cause?.code,
  );

const sound = (id: string) =>
  graphSchema.parse({
    format: "countersign/graph/v1",
    id,
    name: `Graph ${id}`,
    memory: [{ key: "answer", schema: { type: "string" } }],
    nodes: [{ id: "think", kind: "agent", write_keys: ["answer"], config: { agent_id: "thinker" } }],
    edges: [],
    start_node: "think",
    end_nodes: ["think"],
    budget_usd: 1,
  });

const published = async (document: string): Promise<{ readonly id: string; readonly hash: string }> => {
  const { id } = await builder.graphs.import({ document: sound(document) });
  const answer = await builder.graphs.publish({ id, revision: 1 });
  if (answer.status !== "published") throw new Error(JSON.stringify(answer));

  return { id, hash: answer.version.hash };
};

const rowOf = async (id: string) => (await builder.graphs.list()).find((graph) => graph.id === id);

const addRun = (graphId: string, hash: string, status: string, minute: number, simulated = false) =>
  queryOn(
    urls.admin,
    `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, simulated, created_at, updated_at)
     values ($1, $2, $3, $4, $2, $5, 0, '', $6, to_timestamp($7), now())`,
    [workspace, randomUUID(), graphId, hash, status, simulated, minute * 60],
  );

describe("the list of graphs", () => {
  test("names the owner, who can be replaced, and the tags", async () => {
    const { id } = await builder.graphs.create({ name: "Filed" });
    const first = (await rowOf(id))?.owner?.id;
    await second.graphs.file({ id, tags: ["mail", "billing"], own: true });

    expect(await rowOf(id)).toMatchObject({ tags: ["mail", "billing"] });
    expect((await rowOf(id))?.owner?.id).not.toBe(first);
    expect(await codeOf(builder.graphs.file({ id, tags: ["a", "a"] }))).not.toBe("done");
  });

  test("counts completed runs of those that ended, without simulations, and names the last", async () => {
    const { id, hash } = await published("counted");
    expect((await rowOf(id))?.runs).toBeNull();
    for (const [index, status] of ["completed", "failed", "completed", "waiting"].entries()) await addRun(id, hash, status, index);
    await addRun(id, hash, "failed", 9, true);

    expect((await rowOf(id))?.runs).toMatchObject({ ended: 3, completed: 2, lastStatus: "waiting", lastAt: 3 * 60_000 });
  });

  test("covers the last fifty runs", async () => {
    const { id, hash } = await published("many");
    for (let minute = 0; minute < 51; minute += 1) await addRun(id, hash, minute === 0 ? "failed" : "completed", minute);

    expect((await rowOf(id))?.runs).toMatchObject({ ended: 50, completed: 50 });
  });
});

describe("a deleted graph", () => {
  test("leaves the lists, takes no saves, publications or starts, and keeps its versions", async () => {
    const { id, hash } = await published("deleted");
    await builder.graphs.remove({ id });

    expect(await rowOf(id)).toBeUndefined();
    expect((await builder.graphs.listDeleted()).map((graph) => graph.id)).toContain(id);
    expect((await listUsableVersions(workspace)).map(({ graphId }) => graphId)).not.toContain(id);
    expect(await codeOf(builder.graphs.save({ id, revision: 1, document: sound("deleted") }))).toBe("not_found");
    expect(await codeOf(builder.graphs.publish({ id, revision: 1 }))).toBe("conflict");
    expect(await codeOf(builder.runs.start({ graphHash: hash, goal: "Go", inputs: {}, model: "scripted:honest" }))).toBe("conflict");
    expect(await codeOf(builder.graphs.file({ id, tags: [] }))).toBe("not_found");
    expect(await codeOf(builder.graphs.remove({ id }))).toBe("not_found");
    expect((await builder.graphs.versions({ id })).map((version) => version.hash)).toEqual([hash]);
    expect((await builder.graphs.version({ hash })).published.graph.name).toBe("Graph deleted");
  });

  test("is back after a restore", async () => {
    const { id } = await published("restored");
    await builder.graphs.remove({ id });
    await second.graphs.restore({ id });

    expect(await rowOf(id)).toMatchObject({ name: "Graph restored", version: { number: 1 } });
    expect((await builder.graphs.save({ id, revision: 1, document: sound("restored") })).status).toBe("saved");
  });

  test("cannot be deleted, restored or filed from another workspace", async () => {
    const { id } = await builder.graphs.create({ name: "Ours" });
    expect(await codeOf(other.graphs.remove({ id }))).toBe("not_found");
    expect(await codeOf(other.graphs.restore({ id }))).toBe("not_found");
    expect(await codeOf(other.graphs.file({ id, own: true }))).toBe("not_found");
    expect(await rowOf(id)).toBeDefined();
  });
});
