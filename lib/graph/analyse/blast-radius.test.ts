import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyse } from "@/lib/graph/analyse";
import type { Subject } from "@/lib/graph/analyse/blast";
import { consistentGraph } from "@/lib/graph/arbitrary";
import { agentSchema, pinnedToolSchema, type Graph, type GraphInput } from "@/lib/graph/document";
import { CLASSIFICATIONS } from "@/lib/graph/label";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { agent, CONTEXT, drawn, gate, review, router, tool } from "@/lib/graph/testing/graph-builders";
import type { Unseen } from "./blast-radius";

const context: ValidationContext = { ...CONTEXT, servers: [{ id: "desk", host: "desk.example", credential: true }] };
const unseen = (graph: Graph, subject: Subject): Unseen => analyse(graph, context).blastRadius(subject).unseen;

describe("before the first approval", () => {
  const nodes = [
    agent("read", ["mail"], ["note"]),
    agent("plan", ["note"], ["plan", "kept"], "finder"),
    tool("tell", "post", ["note"], []),
    gate("ask", { for_node: "act" }),
    tool("act", "update", ["plan"], ["result"]),
    tool("wipe", "wipe", ["plan"], []),
  ];
  const ways = ["read>plan", "plan>tell", "tell>ask", "ask>act", "act>wipe"];
  const memory: GraphInput["memory"] = [{ key: "kept", schema: {}, protected: true }];
  const graph = drawn(nodes, ways, { memory, inputs: { properties: { mail: {} } } });

  test("includes nodes that read its data, but nothing gated, protected or irreversible", () => {
    expect(unseen(graph, { node: "read" })).toMatchObject({
      paths: ["note", "plan"],
      tools: ["desk__find", "desk__post"],
      hosts: ["desk.example"],
      credentials: ["desk"],
    });
    expect(unseen(graph, { node: "act" })).toMatchObject({ tools: [], hosts: [], credentials: [] });
  });

  test("excludes nodes that always require approval", () => {
    const asking = drawn([agent("plan", [], ["plan"], "doer", { approval: "always" })], []);
    expect(unseen(asking, { node: "plan" })).toMatchObject({ paths: [], tools: ["desk__find"] });
    const named = drawn([agent("plan", [], ["plan"], "doer", { approval: "every_call" })], []);
    expect(unseen(named, { node: "plan" })).toMatchObject({ paths: [], tools: [] });
  });

  test("has an agent's changes only where it is trusted for the tool", () => {
    const alone = drawn([agent("plan", [], ["plan"], "doer")], []);
    const trusting = context.agents.map((one) => ({ ...one, tools: one.tools.map((ref) => ({ ...ref, trusted: true as const })) }));
    const toolsOf = (agents: typeof context.agents) => analyse(alone, { ...context, agents }).blastRadius({ agent: "doer" }).unseen.tools;
    expect([toolsOf(context.agents), toolsOf(trusting)]).toEqual([["desk__find"], ["desk__find", "desk__update"]]);
  });

  test("a wildcard is every declared key", () => {
    const wide = drawn([agent("plan", [], ["*"])], [], { memory: [...memory, { key: "a", schema: {} }, { key: "b", schema: {} }] });
    expect(unseen(wide, { node: "plan" }).paths).toEqual(["a", "b"]);
  });

  test("a secret key is a secret to its readers, and to a server as far as its tools are cleared", () => {
    const secret = drawn([agent("plan", ["pin.code"], [], "finder"), tool("open", "vault", [], ["held"])], ["plan>open"], {
      memory: [{ key: "pin", schema: {}, classification: "secret" }],
    });
    expect(unseen(secret, { agent: "finder" }).secrets).toEqual(["pin"]);
    expect(unseen(secret, { node: "open" }).secrets).toEqual(["desk__vault"]);
    expect(unseen(secret, { server: "desk", tool: "find" }).secrets).toEqual([]);
  });

  test("counts data that a server is cleared for and other servers' results, but not its own", () => {
    const tools = context.tools.map((one) => (one.tool === "post" ? { ...one, server: "press", clearance: "pii" as const } : one));
    const granted = [
      { server: "desk", tool: "vault" },
      { server: "desk", tool: "find" },
      { server: "press", tool: "post" },
    ];
    const declared = CLASSIFICATIONS.map((classification) => ({ key: classification, schema: {}, classification }));
    const telling = drawn([agent("plan", [...CLASSIFICATIONS], [], "both")], [], { memory: declared });
    const agents = [agentSchema.parse({ id: "both", name: "Both", tools: granted })];
    const told = (server: string) =>
      analyse(telling, { ...context, agents, tools })
        .blastRadius({ server })
        .unseen.told.map(({ name }) => name);

    expect(told("press")).toEqual(["public", "internal", "pii", "desk__find"]);
    expect(told("desk")).toEqual(["public", "internal", "press__post"]);
  });

  test("includes the budgets of nodes that read its data", () => {
    const [cheap, dear] = [{ budget: { max_cost_usd: 0.1 } }, { budget: { max_cost_usd: 3 } }];
    const listened = drawn([agent("read", [], ["note"], "writer", cheap), agent("plan", ["note"], ["plan"], "judge", dear)], ["read>plan"]);
    expect(unseen(listened, { node: "read" }).spend).toMatchObject({ usd: 3.1 });
    expect(unseen(listened, { node: "plan" }).spend).toMatchObject({ usd: 3 });
    expect(unseen(listened, { caller: true }).spend).toMatchObject({ usd: 3.1 });
    const fed = drawn([tool("look", "find", [], ["note"]), agent("plan", ["note"], ["plan"])], ["look>plan"]);
    expect(unseen(fed, { server: "desk" }).spend).toMatchObject({ models: true, usd: null });
  });

  test("counts what a judge reads, and its influence on the route", () => {
    const judged = drawn(
      [
        agent("plan", [], ["plan"]),
        review("look", "plan", { reviewers: [{ type: "agent", agent_id: "judge" }], rework: { node: "fix" } }),
        router("done"),
        tool("fix", "update", [], []),
      ],
      ["plan>look", "look>done", "fix>done"],
      { memory: [{ key: "plan", schema: {}, classification: "secret" }], budget_usd: 2 },
    );
    const { nodes: speaks, tools, reachable, unseen: done } = analyse(judged, context).blastRadius({ agent: "judge" });
    expect(speaks).toEqual(["look"]);
    expect(tools).toEqual([]);
    expect(done).toMatchObject({ secrets: ["plan"], tools: ["desk__update"], spend: { models: true, usd: 2 } });
    expect(reachable).toMatchObject([{ sink: { node: "fix" }, gated: false }]);
    const weighed = drawn(
      [agent("plan", [], ["plan"], "doer", { config: { agent_id: "doer", annealing: { evaluator_id: "judge" } } })],
      [],
    );
    expect(analyse(weighed, context).blastRadius({ agent: "judge" })).toMatchObject({ nodes: ["plan"], tools: [] });
  });

  test("counts what a verifying agent reads and spends, and the effects it can fail", () => {
    const checked = drawn(
      [tool("act", "update", ["plan"], []), tool("look", "find", [], []), tool("rescue", "post", ["plan"], [])],
      ["act>look", { way: "act>rescue", kind: "error" }],
      { verification: { checks: [{ id: "security", agent_id: "judge" }] }, budget_usd: 2 },
    );
    const { nodes: speaks, unseen: done } = analyse(checked, context).blastRadius({ agent: "judge" });
    expect(speaks).toEqual(["act"]);
    expect(done).toMatchObject({ tools: ["desk__post"], spend: { models: true, usd: 2 } });
  });

  test("it makes a run fail, and what it had done is undone", () => {
    const compensation = { server: "desk", tool: "post", arguments: {} };
    const undone = drawn(
      [tool("act", "update", ["plan"], [], { compensation }), gate("ask"), agent("plan", [], ["plan"])],
      ["plan>act", "act>ask"],
      {
        start_node: "plan",
      },
    );
    expect(unseen(undone, { node: "plan" }).tools).toEqual(["desk__update", "desk__post"]);
    const asked = drawn([gate("first"), tool("act", "update", ["plan"], [], { compensation })], ["first>act"]);
    expect(unseen(asked, { caller: true }).tools).toEqual([]);
  });

  test("it spends what the tightest budget lets it", () => {
    const budget = (more: Partial<GraphInput>, own?: object) =>
      unseen(drawn([agent("plan", [], [], "writer", own ? { budget: own } : {})], [], more), { node: "plan" }).spend;
    expect(budget({})).toEqual({ models: true, usd: null, tokens: null });
    expect(budget({ budget_usd: 2 })).toMatchObject({ usd: 2 });
    expect(budget({ budget_usd: 2 }, { max_cost_usd: 0.4, max_tokens: 10 })).toEqual({ models: true, usd: 0.4, tokens: 10 });
    expect(budget({ budget_usd: 0 }, { max_cost_usd: 0.4 })).toMatchObject({ usd: 0 });
    expect(unseen(graph, { node: "act" }).spend).toEqual({ models: false, usd: 0, tokens: 0 });
  });

  test("counts the launch input for a caller, and action inputs for an outside agent", () => {
    expect(unseen(graph, { caller: true })).toMatchObject({ paths: ["mail", "note", "plan"], tools: ["desk__find", "desk__post"] });
    const given = { ...tool("act", "update", ["plan"], ["done"]), action: { inputs: [{ name: "plan", path: "plan" }] } };
    const driven = drawn([given, agent("plan", [], ["other"])], ["act>plan"], { external: { read_keys: ["done"] } });
    const { nodes: open, reads, writes, unseen: done } = analyse(driven, context).blastRadius({ caller: true });
    expect({ open, reads, writes }).toEqual({ open: ["act"], reads: ["done"], writes: ["plan"] });
    expect(done).toMatchObject({ paths: ["plan", "done"], tools: ["desk__update"] });
  });
});

const update = pinnedToolSchema.parse({
  server: "customers",
  tool: "update_plan",
  definition_digest: "0".repeat(64),
  description: "",
  input_schema: {},
  effect: "write",
  idempotent: false,
});
const find = { ...update, tool: "find", effect: "read" as const, output: "secret" as const };
const registry = (granted: boolean): ValidationContext => ({
  agents: [
    agentSchema.parse({
      id: "parser",
      name: "Parser",
      tools: granted ? [update, find].map(({ server, tool: name }) => ({ server, tool: name })) : [],
    }),
    agentSchema.parse({ id: "writer", name: "Writer" }),
  ],
  tools: [update, find],
  versions: [],
  servers: [{ id: "customers", host: "customers.example", credential: true }],
});

const lost = (less: Unseen, more: Unseen): string[] =>
  (["paths", "tools", "secrets", "credentials", "hosts"] as const).flatMap((part) =>
    (less[part] ?? []).filter((item) => !(more[part] ?? []).includes(item)),
  );

describe("a wider grant never reaches less", () => {
  const agents = consistentGraph.filter((graph) => graph.nodes.some(({ kind }) => kind === "agent"));
  const changed = (
    graph: Graph,
    at: number,
    side: "read_keys" | "write_keys",
    path: string,
  ): { readonly id: string; readonly graph: Graph; readonly wider: Graph } => {
    const speaking = graph.nodes.filter(({ kind }) => kind === "agent");
    const id = speaking[at % speaking.length]?.id ?? "";
    const nodes = graph.nodes.map((node) => (node.id === id ? { ...node, [side]: [...new Set([...node[side], path])] } : node));

    return { id, graph: { ...graph, start_node: id }, wider: { ...graph, nodes, start_node: id } };
  };

  test("of memory, to read or to write", () => {
    const met = { grew: 0 };
    fc.assert(
      fc.property(
        agents,
        fc.nat(9),
        fc.constantFrom("read_keys" as const, "write_keys" as const),
        fc.constantFrom("request", "customer.name", "secret", "*"),
        (drawnGraph, at, side, path) => {
          const { id, graph, wider } = changed(drawnGraph, at, side, path);
          const [less, more] = [graph, wider].map((one) => analyse(one, registry(true)).blastRadius({ node: id }).unseen);
          if (!less || !more) return;
          expect(lost(less, more)).toEqual([]);
          met.grew += Number(more.paths.length + more.secrets.length > less.paths.length + less.secrets.length);
        },
      ),
      { numRuns: 500 },
    );
    expect(met.grew, "some grants reach more").toBeGreaterThan(10);
  });

  test("of tools to an agent", () => {
    fc.assert(
      fc.property(agents, (graph) => {
        const [less, more] = [false, true].map((granted) => analyse(graph, registry(granted)).blastRadius({ agent: "parser" }).unseen);
        expect(less && more && lost(less, more)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
