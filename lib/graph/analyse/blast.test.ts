import { describe, expect, test } from "vitest";
import { analyse } from "@/lib/graph/analyse";
import type { Subject } from "@/lib/graph/analyse/blast";
import { agent, CONTEXT, drawn, gate, router, tool } from "@/lib/graph/testing/graph-builders";

const nodes = [
  agent("read", ["mail"], ["note"]),
  agent("plan", ["note"], ["plan"], "finder"),
  gate("ask"),
  tool("act", "update", ["plan"], ["result"]),
  tool("tell", "post", ["note"], []),
  tool("idle", "update", ["other"], []),
];
const ways = ["read>plan", "plan>tell", "tell>ask", "ask>act", "act>idle"];
const graph = drawn(nodes, ways, {
  memory: [{ key: "result", schema: {}, protected: true }],
  inputs: { properties: { mail: {}, other: {} } },
});
const blast = (subject: Subject) => analyse(graph, CONTEXT).blastRadius(subject);
const names = (subject: Subject) => blast(subject).reachable.map(({ sink, gated, gates }) => [sink.node, sink.kind, gated, gates]);

describe("the blast radius", () => {
  test("of an agent: its grants, its tools, and readers of its data up to the gates", () => {
    expect(blast({ agent: "finder" })).toEqual({
      nodes: ["plan"],
      reads: ["note"],
      writes: ["plan"],
      tools: ["desk__find"],
      keys: ["plan", "result"],
      reachable: [
        { sink: { kind: "call", node: "act", tool: "desk__update", effect: "write", outward: false }, gates: ["ask"], gated: true },
        { sink: { kind: "key", node: "act", key: "result" }, gates: ["ask"], gated: true },
      ],
      firstGates: ["ask"],
      unseen: {
        nodes: ["plan"],
        paths: ["plan"],
        tools: ["desk__find"],
        told: [
          { name: "note", classification: "internal" },
          { name: "desk__find", classification: "internal" },
        ],
        secrets: [],
        credentials: [],
        hosts: null,
        spend: { models: true, usd: null, tokens: null },
      },
    });
  });

  test("of a node with readers: sends data outside before an approval", () => {
    expect(names({ node: "read" })).toEqual([
      ["act", "call", true, ["ask"]],
      ["act", "key", true, ["ask"]],
      ["tell", "call", false, []],
    ]);
  });

  test("of a server: its callers, and agents that use its results", () => {
    expect(blast({ server: "desk", tool: "find" })).toMatchObject({ nodes: ["plan"], tools: ["desk__find"], keys: ["plan", "result"] });
    expect(blast({ server: "desk" }).nodes).toEqual(["plan", "act", "tell", "idle"]);
    expect(names({ server: "desk", tool: "post" })).toEqual([]);
  });

  test("what cannot be undone waits for a person by rule, whatever the graph says", () => {
    const armed = drawn([agent("plan", [], ["plan"]), tool("wipe", "wipe", ["plan"], [])], ["plan>wipe"]);
    expect(analyse(armed, CONTEXT).blastRadius({ node: "plan" }).reachable).toMatchObject([{ gated: true, gates: [] }]);
  });

  test("of an outside agent: its choice of routes, and every model before the gates", () => {
    const budget = { budget: { max_cost_usd: 1 } };
    const steps = [router("fork"), agent("left", [], ["note"], "writer", budget), tool("right", "update", [], []), gate("ask")];
    const behind = agent("late", [], ["note"], "writer", budget);
    const driven = drawn([...steps, behind], ["fork>left", "fork>right", "left>ask", "right>ask", "ask>late"], { external: {} });
    const { nodes: open, unseen } = analyse(driven, CONTEXT).blastRadius({ caller: true });
    expect({ open, tools: unseen.tools, usd: unseen.spend.usd }).toEqual({ open: ["fork"], tools: ["desk__update"], usd: 1 });
    const straight = drawn([agent("only", [], ["note"], "writer", budget)], [], { external: {} });
    expect(analyse(straight, CONTEXT).blastRadius({ caller: true })).toMatchObject({ nodes: ["only"], unseen: { spend: { usd: 1 } } });
  });

  test("includes the error route", () => {
    const failing = drawn(
      [agent("plan", [], ["plan"]), router("fine"), tool("rescue", "update", [], [])],
      ["plan>fine", { way: "plan>rescue", kind: "error" }],
    );
    expect(analyse(failing, CONTEXT).blastRadius({ node: "plan" }).reachable).toMatchObject([{ sink: { node: "rescue" }, gated: false }]);
  });

  test("nothing, where it does not occur", () => {
    const unseen = {
      nodes: [],
      paths: [],
      tools: [],
      told: [],
      secrets: [],
      credentials: [],
      hosts: null,
      spend: { models: false, usd: 0, tokens: 0 },
    };
    expect(blast({ agent: "missing" })).toEqual({
      nodes: [],
      reads: [],
      writes: [],
      tools: [],
      keys: [],
      reachable: [],
      firstGates: [],
      unseen,
    });
  });
});

test("10,000 nodes with 100 memory keys are analysed without comparing everything with everything", () => {
  const many = Array.from({ length: 10_000 }, (_, index) => {
    const [from, to] = [`k${(index + 99) % 100}`, `k${index % 100}`];

    return index % 10 === 0 ? tool(`n${index}`, "find", [from], [to]) : agent(`n${index}`, [from], [to]);
  });
  const long = drawn(
    many,
    many.slice(1).map((_, index) => `n${index}>n${index + 1}`),
  );
  const startMs = performance.now();
  const { flows, blastRadius } = analyse(long, CONTEXT);
  expect(flows).toEqual([]);
  expect(blastRadius({ server: "desk" }).keys).toHaveLength(100);
  expect(performance.now() - startMs).toBeLessThan(20_000);
});
