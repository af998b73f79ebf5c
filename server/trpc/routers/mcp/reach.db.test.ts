import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { agent, CONTEXT, drawn, gate, tool } from "@/lib/graph/testing/graph-builders";
import { roleSchema, type Role } from "@/lib/roles";
import { useDatabase } from "@/server/db/client";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { publishVersion as storeVersion } from "@/server/store/graphs/versions";
import { createGraph } from "@/server/store/graphs/graphs";
import { callerAs } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("web");
const mine = await testWorkspace(urls.admin);
const others = await testWorkspace(urls.admin);
const author = randomUUID();

const as = (role: Role, workspaceId = mine) => callerAs(workspaceId, role, { id: author });

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error: Error) => error.cause,
  );

const gated = drawn(
  [agent("plan", [], ["plan"], "finder"), gate("ask", { for_node: "act" }), tool("act", "update", ["plan"], [])],
  ["plan>ask", "ask>act"],
);
const open = drawn([tool("look", "find", [], ["seen"]), tool("tell", "post", ["seen"], [])], ["look>tell"]);
const without = drawn([agent("alone", [], ["note"])], []);
const parts = { agents: [...CONTEXT.agents], tools: [...CONTEXT.tools], subgraphs: [] };

const asControlPlane = async <T>(work: () => Promise<T>): Promise<T> => {
  await useDatabase(urls.runner);
  try {
    return await work();
  } finally {
    await useDatabase(urls.web);
  }
};
const publishVersion = (...of: Parameters<typeof storeVersion>) => asControlPlane(() => storeVersion(...of));

const publish = async (workspaceId: string, graph: typeof gated, name: string, tools = parts.tools): Promise<string> => {
  const { id } = await createGraph(workspaceId, { document: graph, authorId: author });
  await publishVersion(workspaceId, { graphId: id, published: { ...parts, tools, graph: { ...graph, name } }, authorId: author });

  return id;
};

beforeAll(async () => {
  await asAdmin(urls.admin, "insert into app_user (id, email, name) values ($1, $2, 'Author')", [author, `${author}@example.com`]);
  for (const [workspace, id] of [
    [mine, "desk"],
    [mine, "unused"],
    [others, "theirs"],
  ]) {
    await asAdmin(
      urls.admin,
      `insert into mcp_server (workspace_id, id, name, transport, status, allowed_agents)
       values ($1, $2, $2, '{"type":"http","url":"https://example.com/mcp"}', 'active', '[]')`,
      [workspace, id],
    );
  }
});

describe("a hostile server's reach", () => {
  test("covers each using graph's newest version, worst first", async () => {
    const held = await publish(mine, gated, "Gated");
    const free = await publish(mine, open, "Open");
    await publish(mine, without, "Without", []);
    await publish(others, open, "Theirs");
    const { graphs, more } = await as("viewer").mcp.reach({ id: "desk" });

    expect([graphs.map((each) => each.graphId), more]).toEqual([[free, held], 0]);
    expect(graphs[0]).toMatchObject({ graphName: "Open", versionNumber: 1, keys: ["seen"], firstGates: [] });
    expect(graphs[0]?.reachable).toMatchObject([{ sink: { node: "tell", tool: "desk__post" }, gated: false }]);
    expect(graphs[1]?.reachable).toMatchObject([{ sink: { node: "act", tool: "desk__update" }, gated: true, gates: ["ask"] }]);
    expect(graphs[1]?.callers).toEqual([
      { node: "plan", by: ["finder"] },
      { node: "act", by: ["node"] },
    ]);

    await publishVersion(mine, { graphId: free, published: { ...parts, tools: [], graph: without }, authorId: author });
    expect((await as("viewer").mcp.reach({ id: "desk" })).graphs.map((each) => each.graphId)).toEqual([held]);
  });

  test("is readable with the registry, and empty for an unused server", async () => {
    for (const role of roleSchema.options)
      expect(await as(role).mcp.reach({ id: "unused" })).toEqual({ credential: false, graphs: [], more: 0 });
  });

  test("counts our credentials by the secrets in its transport", async () => {
    const headers = { Authorization: { secret: "desk-token", prefix: "Bearer " } };
    await asAdmin(urls.admin, "update mcp_server set headers = $1 where workspace_id = $2 and id = 'desk'", [
      JSON.stringify(headers),
      mine,
    ]);
    const known = await as("viewer").mcp.reach({ id: "desk" });
    await asAdmin(urls.admin, "update mcp_server set headers = '{}' where workspace_id = $1 and id = 'desk'", [mine]);
    const forgotten = await as("viewer").mcp.reach({ id: "desk" });

    expect([known.credential, forgotten.credential]).toEqual([true, false]);
    expect(known.graphs[0]?.sentence).toContain("act with 1 credential");
    expect(forgotten.graphs[0]?.sentence).not.toContain("credential");
    expect(JSON.stringify(known)).not.toContain("desk-token");
  });

  test("is missing for another workspace's server", async () => {
    expect(await codeOf(as("admin").mcp.reach({ id: "theirs" }))).toMatchObject({ code: "not_found" });
    expect(await as("admin", others).mcp.reach({ id: "theirs" })).toMatchObject({ graphs: [] });
    expect(await codeOf(as("admin", others).mcp.reach({ id: "desk" }))).toMatchObject({ code: "not_found" });
  });

  test("lists fifty graphs and counts the rest", async () => {
    const many = await testWorkspace(urls.admin);
    await asAdmin(
      urls.admin,
      `insert into mcp_server (workspace_id, id, name, transport, status, allowed_agents)
       values ($1, 'desk', 'desk', '{"type":"http","url":"https://example.com/mcp"}', 'active', '[]')`,
      [many],
    );
    for (let index = 0; index < 52; index += 1) await publish(many, open, `Open ${index}`);
    const { graphs, more } = await as("viewer", many).mcp.reach({ id: "desk" });

    expect([graphs.length, more]).toEqual([50, 2]);
  });
});
