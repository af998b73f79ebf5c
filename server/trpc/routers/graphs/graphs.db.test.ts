import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { agentSchema, graphSchema, pinnedToolSchema, type Graph } from "@/lib/graph/document";
import { validateGraph } from "@/lib/graph/validate";
import { testWorkspace } from "@/server/mcp/testing/registered";
import { SUPPORT_DESK_AGENTS } from "@/server/seed/support-desk/agents";
import { SUPPORT_DESK_GRAPH } from "@/server/seed/support-desk/graph";
import { saveAgent } from "@/server/store/agents/agents";
import { answeringPlane } from "@/server/testing/answering";
import { callerOfMember } from "@/server/testing/member";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("admin");
const plane = await answeringPlane(urls.admin);
const workspace = await testWorkspace(urls.admin);
const builder = await callerOfMember(urls.admin, plane, workspace, "builder");
const viewer = await callerOfMember(urls.admin, plane, workspace, "viewer");
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error: Error) => error.cause,
  );

const sound = graphSchema.parse({
  format: "countersign/graph/v1",
  id: "one",
  name: "One step",
  memory: [{ key: "answer", schema: { type: "string" } }],
  nodes: [{ id: "think", kind: "agent", write_keys: ["answer"], config: { agent_id: "thinker" } }],
  edges: [],
  start_node: "think",
  end_nodes: ["think"],
  budget_usd: 1,
});

await saveAgent(workspace, agentSchema.parse({ id: "thinker", name: "Thinker" }), null);
await saveAgent(workspace, agentSchema.parse({ id: "idle", name: "Idle" }), null);

describe("publishing", () => {
  test("a sound draft becomes a version with exactly its agents", async () => {
    const { id } = await builder.graphs.create({ name: "First" });
    expect(await builder.graphs.save({ id, revision: 1, document: sound })).toMatchObject({ status: "saved", revision: 2 });
    const answer = await builder.graphs.publish({ id, revision: 2 });
    if (answer.status !== "published") throw new Error(JSON.stringify(answer));
    const version = await viewer.graphs.version({ hash: answer.version.hash });
    expect(version.published.agents.map((agent) => agent.id)).toEqual(["thinker"]);
    expect(version.published.graph).toEqual(sound);
    expect(await builder.graphs.publish({ id, revision: 2 })).toMatchObject({ version: { hash: answer.version.hash, number: 1 } });
  });

  test("errors block it, whatever the browser found", async () => {
    const { id } = await builder.graphs.create({ name: "Empty" });
    const answer = await builder.graphs.publish({ id, revision: 1 });
    expect(answer.status).toBe("invalid_graph");
    expect(answer.problems.map((found) => found.code)).toContain("unknown_start");
    expect(await builder.graphs.versions({ id })).toEqual([]);
  });

  test("an outdated revision is not published", async () => {
    const { id } = await builder.graphs.create({ name: "Moving" });
    await builder.graphs.save({ id, revision: 1, document: sound });
    expect(await code(builder.graphs.publish({ id, revision: 1 }))).toMatchObject({ code: "conflict" });
  });
});

describe("a published subgraph", () => {
  const publish = async (id: string, revision: number, document: Graph): Promise<string> => {
    await builder.graphs.save({ id, revision, document });
    const answer = await builder.graphs.publish({ id, revision: revision + 1 });
    if (answer.status !== "published") throw new Error(JSON.stringify(answer));

    return answer.version.hash;
  };
  const stepOf = (name: string, version?: string) =>
    graphSchema.parse({
      ...sound,
      id: "outer",
      name,
      nodes: [
        {
          id: "think",
          kind: "subgraph",
          write_keys: ["answer"],
          config: { graph_id: "inner", outputs: { answer: "answer" }, ...(version === undefined ? {} : { version }) },
        },
      ],
    });
  const subgraphsOf = async (hash: string) => (await viewer.graphs.version({ hash })).published.subgraphs.map(({ version }) => version);

  test("is the newest version unless the draft names an older one, then listed by the catalog", async () => {
    const { id } = await builder.graphs.create({ name: "Inner" });
    const { id: outer } = await builder.graphs.create({ name: "Outer" });
    const older = await publish(id, 1, { ...sound, id: "inner", name: "Older" });
    const newer = await publish(id, 2, { ...sound, id: "inner", name: "Newer" });
    const offered = async (versions: string[]) =>
      (await viewer.graphs.catalog({ versions })).versions.filter(({ graphId }) => graphId === id).map(({ version }) => version);

    expect(await subgraphsOf(await publish(outer, 1, stepOf("Newest")))).toEqual([newer]);
    expect(await subgraphsOf(await publish(outer, 2, stepOf("Named", older)))).toEqual([older]);
    expect(await offered([])).toEqual([newer]);
    expect(await offered([older])).toEqual([newer, older]);
  });
});

test("another workspace's graph is not found", async () => {
  expect(await code(builder.graphs.get({ id: randomUUID() }))).toMatchObject({ code: "not_found" });
});

test("the demo's support desk has no error once its servers are active", () => {
  const tool = (server: string, name: string, effect: "read" | "write") =>
    pinnedToolSchema.parse({
      server,
      tool: name,
      definition_digest: "0".repeat(64),
      description: "",
      input_schema: {},
      effect,
      idempotent: false,
      outward: false,
      clearance: "pii",
    });
  const context = {
    agents: SUPPORT_DESK_AGENTS.map((agent) => agentSchema.parse(agent)),
    tools: [
      tool("filesystem", "read_text_file", "read"),
      tool("customers", "find_customer", "read"),
      tool("customers", "update_plan", "write"),
    ],
    versions: [],
  };
  const problems = validateGraph(SUPPORT_DESK_GRAPH, context);
  expect(problems.filter((found) => found.severity === "error")).toEqual([]);
  expect(problems.map((found) => found.code)).toEqual(["untrusted_decision"]);
});
