import { describe, expect, test } from "vitest";
import { analyse } from "@/lib/graph/analyse";
import type { Flow } from "@/lib/graph/analyse/flows";
import { pinnedToolSchema, publishedGraphSchema, type Graph, type GraphInput, type PinnedTool } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { agent, CONTEXT, drawn, gate, router, tool } from "@/lib/graph/testing/graph-builders";

type NodeInput = GraphInput["nodes"][number];

const flowsTo = (graph: Graph, node: string, context: ValidationContext = CONTEXT): readonly Flow[] =>
  analyse(graph, context).flows.filter((flow) => flow.sink.node === node);

const look = tool("look", "find", [], ["page"]);
const act = tool("act", "update", ["plan"], []);

describe("a map", () => {
  const map = (reads: string[], more: object = {}): NodeInput => ({
    id: "each",
    kind: "map",
    read_keys: reads,
    write_keys: ["plan"],
    config: { worker_node: "worker", items: { from: "page" }, ...more },
  });
  const worker = (name: string): NodeInput => ({
    id: "worker",
    kind: "tool",
    config: { server: "desk", tool: name, arguments: { about: { item: "" } } },
  });

  test("hands its items on to its worker's calls", () => {
    const graph = drawn([look, map(["page"]), worker("update")], ["look>each"], { end_nodes: ["each"] });
    expect(flowsTo(graph, "worker")).toMatchObject([
      {
        sink: { kind: "call", tool: "desk__update" },
        stopped: false,
        witness: [{ node: "look" }, { path: "page" }, { node: "each" }, { node: "worker" }],
      },
    ]);
  });

  test("of clean items makes untrusted results with a tool, whose calls stay clean", () => {
    const graph = drawn([map([], { items: { value: [1] } }), worker("update"), act], ["each>act"], { end_nodes: ["act"] });
    expect(flowsTo(graph, "worker")).toEqual([]);
    expect(flowsTo(graph, "act")).toMatchObject([
      { source: { node: "worker" }, witness: [{ node: "worker" }, { node: "each" }, { path: "plan" }, { node: "act" }] },
    ]);
  });

  test("works as often as its list says: an untrusted list is a decision", () => {
    const graph = drawn([look, map(["page"]), worker("find")], ["look>each"], { end_nodes: ["each"] });
    expect(flowsTo(graph, "each")).toMatchObject([{ sink: { kind: "route", node: "each" } }]);
  });
});

describe("a wait", () => {
  const hear = (until: object): NodeInput => ({ id: "hear", kind: "wait", write_keys: ["plan"], config: { until } as never });

  test("for an answer lets its sender shape every call behind it", () => {
    const graph = drawn([hear({ type: "event" }), act], ["hear>act"], { end_nodes: ["act"] });
    expect(flowsTo(graph, "act")).toMatchObject([
      {
        source: { type: "answer", node: "hear" },
        level: "untrusted",
        verdict: "open",
        witness: [{ node: "hear" }, { path: "plan" }, { node: "act" }],
      },
    ]);
  });

  test("for a time lets in nothing", () => {
    const graph = drawn([hear({ type: "duration" }), act], ["hear>act"], { end_nodes: ["act"] });
    expect(flowsTo(graph, "act")).toEqual([]);
  });
});

describe("nodes that choose the route", () => {
  test("a supervisor that listens to untrusted data shapes what its managed nodes do, drawn or not", () => {
    const boss: NodeInput = { id: "boss", kind: "supervisor", read_keys: ["page"], config: { agent_id: "writer", managed_nodes: ["act"] } };
    const graph = drawn([look, boss, act, router("end")], ["look>boss", "act>boss", "boss>end"]);
    expect(flowsTo(graph, "act")).toMatchObject([
      { witness: [{ node: "look" }, { path: "page" }, { node: "boss" }, { way: true }, { node: "act" }] },
    ]);
    expect(flowsTo(graph, "boss").map((flow) => flow.sink)).toEqual([{ kind: "route", node: "boss" }]);
  });

  test("an agent with peers does as well", () => {
    const swarm = agent("talk", ["page"], [], "writer", { config: { agent_id: "writer", swarm: { peers: ["act"] } } });
    expect(flowsTo(drawn([look, swarm, act], ["look>talk"], { end_nodes: ["talk", "act"] }), "act")).toMatchObject([{ stopped: false }]);
  });

  test("a condition on the run's counters rests on everything that came up so far", () => {
    const graph = drawn(
      [look, router("count"), act, router("end")],
      ["look>count", { way: "count>act", condition: "run.iteration_count > 3" }, { way: "count>end", kind: "default" }, "act>end"],
    );
    expect(flowsTo(graph, "act")).toMatchObject([{ stopped: false }]);
    expect(flowsTo(graph, "count")).toMatchObject([{ sink: { kind: "route", edge: "e1" } }]);
  });
});

test("what an agent recalls of earlier runs is not trusted", () => {
  const recalls = agent("think", [], ["plan"], "writer", { config: { agent_id: "writer", recall: { topics: ["plans"] } } });
  expect(flowsTo(drawn([recalls, act], ["think>act"]), "act")).toMatchObject([{ source: { type: "recall", node: "think" } }]);
});

test("voters think on with what their tools answer, judges have no tools", () => {
  const vote = (config: object): NodeInput => ({
    id: "vote",
    kind: "voting",
    write_keys: ["plan"],
    config: { voters: [{ agent_id: "writer" }], ...config },
  });
  const graph = (config: object) => drawn([vote(config), act], ["vote>act"]);
  expect(flowsTo(graph({ voters: [{ agent_id: "finder" }] }), "act")).toMatchObject([{ source: { type: "tools", tools: ["desk__find"] } }]);
  expect(flowsTo(graph({ strategy: "judge", judge_id: "finder" }), "act")).toEqual([]);
});

describe("a subgraph", () => {
  const published = (nodes: NodeInput[], ways: string[]) =>
    publishedGraphSchema.parse({ graph: { ...drawn(nodes, ways), id: "child" }, agents: CONTEXT.agents, tools: CONTEXT.tools });
  const within = (nodes: NodeInput[], ways: string[]): ValidationContext => ({
    ...CONTEXT,
    versions: [{ version: "c".repeat(64), published: published(nodes, ways) }],
  });
  const child: NodeInput = {
    id: "inner",
    kind: "subgraph",
    read_keys: ["page"],
    write_keys: ["plan"],
    config: { graph_id: "child", inputs: { question: "page" }, outputs: { plan: "answer" } },
  };
  const write = tool("write", "update", ["question"], ["answer"]);

  test("is where an agent inside it speaks, and what it says comes out of it", () => {
    const graph = drawn([child, act], ["inner>act"]);
    const context = within([agent("think", ["question"], ["answer"], "doer")], []);
    const { nodes, unseen } = analyse(graph, context).blastRadius({ agent: "doer" });
    expect({ nodes, tools: unseen.tools, models: unseen.spend.models }).toEqual({
      nodes: ["inner"],
      tools: ["desk__find", "desk__update"],
      models: true,
    });
    expect(analyse(graph, context).blastRadius({ agent: "judge" }).nodes).toEqual([]);
  });

  test("that calls tools makes untrusted answers", () => {
    const graph = drawn([child, act], ["inner>act"]);
    expect(flowsTo(graph, "act", within([tool("ask", "find", ["question"], ["answer"])], []))).toMatchObject([
      { source: { node: "inner" } },
    ]);
    expect(flowsTo(graph, "act", within([agent("ask", ["question"], ["answer"])], []))).toEqual([]);
  });

  test("is told what it is given, and changes something with it unless a person decides inside", () => {
    const graph = drawn([look, child], ["look>inner"]);
    expect(flowsTo(graph, "inner", within([write], []))).toMatchObject([{ sink: { tool: "desk__update" }, stopped: false }]);
    expect(flowsTo(graph, "inner", within([gate("ask"), write], ["ask>write"]))).toMatchObject([{ stopped: true }]);
  });
});

describe("confidential data", () => {
  const clearance = (name: string, cleared: PinnedTool["clearance"]): ValidationContext => ({
    ...CONTEXT,
    tools: CONTEXT.tools.map((pin) => (pin.tool === name ? pinnedToolSchema.parse({ ...pin, clearance: cleared }) : pin)),
  });
  const secret = { memory: [{ key: "pin", schema: {}, classification: "secret" as const }] };
  const graph = drawn([agent("think", ["pin"], ["plan"]), gate("ask"), act], ["think>ask", "ask>act"], secret);

  test("reaches a tool that is not cleared for it through whatever read it, and no gate changes that", () => {
    expect(flowsTo(graph, "act")).toEqual([
      expect.objectContaining({
        kind: "confidential",
        level: "secret",
        source: { type: "key", node: "think", key: "pin" },
        witness: [{ node: "think" }, { path: "plan" }, { node: "act" }],
        stopped: false,
      }),
    ]);
  });

  test("may be told to a tool that is cleared for it", () => {
    expect(flowsTo(graph, "act", clearance("update", "pii"))).toHaveLength(1);
    expect(flowsTo(graph, "act", clearance("update", "secret"))).toEqual([]);
  });

  test("comes from tools that answer with it", () => {
    const asked = drawn([tool("open", "vault", [], ["plan"]), act], ["open>act"]);
    expect(flowsTo(asked, "act").filter((flow) => flow.kind === "confidential")).toMatchObject([
      { level: "secret", source: { node: "open" } },
    ]);
  });

  test("is nearly everything for a tool cleared only for public values", () => {
    const told = drawn([agent("think", [], ["plan"]), act], ["think>act"], {
      memory: [{ key: "plan", schema: {}, classification: "public" }],
    });
    expect(flowsTo(told, "act")).toEqual([]);
    expect(flowsTo(told, "act", clearance("update", "public"))).toMatchObject([{ level: "internal", source: { type: "goal" } }]);
  });
});
