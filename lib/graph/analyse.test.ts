import { describe, expect, test } from "vitest";
import { analyse, type AnalysisOptions } from "@/lib/graph/analyse";
import { validateGraph } from "@/lib/graph/validate";
import { agent, CONTEXT, drawn, gate, router, tool } from "@/lib/graph/testing/graph-builders";
import type { Flow } from "@/lib/graph/analyse/flows";
import type { Graph, GraphInput } from "@/lib/graph/document";

const flowsTo = (graph: Graph, node: string, options: AnalysisOptions = {}): readonly Flow[] =>
  analyse(graph, CONTEXT, options).flows.filter((flow) => flow.sink.node === node && flow.kind === "untrusted");

const flowTo = (graph: Graph, node: string, options: AnalysisOptions = {}): Flow | undefined => flowsTo(graph, node, options)[0];

const look = tool("look", "find", [], ["page"]);
const think = agent("think", ["page"], ["plan"]);
const act = tool("act", "update", ["plan"], []);

describe("an untrusted answer that shapes a call", () => {
  test("is found with its shortest path", () => {
    const graph = drawn(
      [look, agent("detour", ["page"], ["note"]), agent("other", ["note"], ["plan"]), think, act],
      ["look>detour", "detour>other", "other>think", "think>act"],
    );
    expect(flowTo(graph, "act")).toEqual({
      kind: "untrusted",
      level: "untrusted",
      source: { type: "tools", node: "look", tools: ["desk__find"] },
      sink: { kind: "call", node: "act", tool: "desk__update", effect: "write", outward: false },
      witness: [{ node: "look" }, { path: "page" }, { node: "think" }, { path: "plan" }, { node: "act" }],
      gates: [],
      stopped: false,
      verdict: "open",
    });
  });

  test("is stopped by a gate between them, which is named", () => {
    const graph = drawn([look, think, gate("ask"), act], ["look>think", "think>ask", "ask>act"]);
    expect(flowTo(graph, "act")).toMatchObject({ stopped: true, gates: ["ask"] });
  });

  test("is not stopped by a gate before the source", () => {
    const graph = drawn([gate("ask"), look, think, act], ["ask>look", "look>think", "think>act"]);
    expect(flowTo(graph, "act")).toMatchObject({ stopped: false, gates: ["ask"] });
  });

  test("is not stopped by a gate on one of two paths", () => {
    const graph = drawn([look, think, gate("ask"), act], ["look>think", "think>ask", { way: "think>act", kind: "error" }, "ask>act"]);
    expect(flowTo(graph, "act")?.stopped).toBe(false);
  });

  test("is stopped by one gate on each of two paths", () => {
    const graph = drawn(
      [look, think, gate("left"), gate("right"), act],
      ["look>think", "think>left", { way: "think>right", kind: "error" }, "left>act", "right>act"],
    );
    expect(flowTo(graph, "act")?.stopped).toBe(true);
  });

  test("is not stopped when a loop returns to another source after the gate", () => {
    const graph = drawn(
      [look, think, gate("ask"), router("again"), tool("more", "find", [], ["plan"]), act],
      [
        "look>think",
        "think>ask",
        "ask>again",
        { way: "again>more", condition: "run.iteration_count < 3" },
        { way: "again>act", kind: "default" },
        "more>act",
      ],
    );
    expect(flowTo(graph, "act")).toMatchObject({ stopped: false, source: { node: "more" } });
  });

  test("is stopped by a call that always requires approval or has its own gate", () => {
    const always = drawn([look, think, { ...act, approval: "always" }], ["look>think", "think>act"]);
    expect(flowTo(always, "act")).toMatchObject({ stopped: true, gates: ["act"] });
    const named = drawn(
      [look, think, act, gate("ask", { for_node: "act" })],
      ["look>think", "think>act", { way: "think>ask", kind: "error" }, "ask>act"],
    );
    expect(flowTo(named, "act")).toMatchObject({ stopped: true, gates: ["ask"] });
  });

  test("is none when the answer is written beside what the call reads", () => {
    const graph = drawn([tool("look", "find", [], ["page.text"]), tool("act", "update", ["page.title"], [])], ["look>act"]);
    expect(flowsTo(graph, "act")).toEqual([]);
  });

  test("is one when the answer is written above or below what the call reads", () => {
    for (const [written, read] of [
      ["page", "page.title"],
      ["page.title", "page"],
      ["page.title", "*"],
    ] as const) {
      const graph = drawn([tool("look", "find", [], [written]), agent("act", [read], [], "doer")], ["look>act"]);
      expect(flowTo(graph, "act")?.sink.node, `${written} and ${read}`).toBe("act");
    }
  });

  test("is none when the call happens before there can be an answer", () => {
    expect(flowsTo(drawn([act, look, think], ["act>look", "look>think"]), "act")).toEqual([]);
  });

  test("is held within an agent that looks and then acts, whose every change waits, also if it is trusted for the tool", () => {
    const graph = drawn([agent("both", [], ["plan"], "doer")], []);
    const trusting = CONTEXT.agents.map((one) => ({ ...one, tools: one.tools.map((ref) => ({ ...ref, trusted: true as const })) }));
    for (const agents of [CONTEXT.agents, trusting]) {
      const [flow] = analyse(graph, { ...CONTEXT, agents }).flows.filter(({ sink }) => sink.kind === "call");
      expect(flow).toMatchObject({ verdict: "held", gates: ["both"], witness: [{ node: "both" }], sink: { tool: "desk__update" } });
      expect(validateGraph(graph, { ...CONTEXT, agents }).filter(({ severity }) => severity === "error")).toEqual([]);
    }
  });

  test("counts everything that a tool node is granted, used or not: the engine labels by it", () => {
    const graph = drawn([look, { ...act, read_keys: ["plan", "page"] }], ["look>act"]);
    expect(flowTo(graph, "act")?.stopped).toBe(false);
  });

  test("is harmless for a read-only tool that sends nothing outside", () => {
    expect(flowsTo(drawn([look, tool("act", "find", ["page"], [])], ["look>act"]), "act")).toEqual([]);
    expect(flowTo(drawn([look, tool("act", "post", ["page"], [])], ["look>act"]), "act")?.sink).toMatchObject({
      outward: true,
      effect: "read",
    });
  });
});

describe("a decision", () => {
  const decided = (more: object = {}) =>
    drawn(
      [look, router("which", ["page"]), tool("left", "update", [], []), router("right"), tool("after", "update", [], [])],
      [
        "look>which",
        { way: "which>left", condition: "memory.page == 'x'" },
        { way: "which>right", kind: "default" },
        "left>after",
        "right>after",
      ],
      more,
    );

  test("by an untrusted value is a sink, edge by edge", () => {
    expect(flowTo(decided(), "which")).toMatchObject({
      sink: { kind: "route", node: "which", edge: "e1" },
      witness: [{ node: "look" }, { path: "page" }, { node: "which" }],
    });
  });

  test("taints only until its routes join", () => {
    expect(flowTo(decided(), "left")).toMatchObject({
      stopped: false,
      witness: [{ node: "look" }, { path: "page" }, { node: "which" }, { way: true }, { node: "left" }],
    });
    expect(flowsTo(decided(), "after")).toEqual([]);
  });

  test("under strict taint waits for a person, so what follows is stopped", () => {
    expect(flowTo(decided({ strict_taint: true }), "left")?.stopped).toBe(true);
  });

  test("looks at what its own node has just written", () => {
    const graph = drawn(
      [tool("look", "find", [], ["page"]), tool("left", "update", [], []), router("right"), router("end")],
      [{ way: "look>left", condition: "memory.page == 'x'" }, { way: "look>right", kind: "default" }, "left>end", "right>end"],
    );
    expect(flowTo(graph, "look")?.sink).toMatchObject({ kind: "route", edge: "e0" });
    expect(flowTo(graph, "left")?.witness).toEqual([{ node: "look" }, { way: true }, { node: "left" }]);
  });

  test("by what makes a computation fail: where its error edge leads", () => {
    const compute: GraphInput["nodes"][number] = {
      id: "compute",
      kind: "transform",
      read_keys: ["page"],
      write_keys: ["plan"],
      config: { set: [{ path: "plan", value: "memory.page.size" }] },
    };
    const graph = drawn(
      [look, compute, router("fine"), tool("rescue", "update", [], [])],
      ["look>compute", "compute>fine", { way: "compute>rescue", kind: "error" }],
    );
    expect(flowTo(graph, "rescue")).toMatchObject({ source: { type: "tools", node: "look" }, stopped: false });
  });

  test("inside a decision: the outer one lasts longer than the inner one", () => {
    const graph = drawn(
      [
        look,
        router("outer", ["page"]),
        router("inner", ["page"]),
        router("x"),
        router("y"),
        tool("joined", "update", [], []),
        router("end"),
      ],
      [
        "look>outer",
        { way: "outer>inner", condition: "memory.page == 'x'" },
        { way: "outer>end", kind: "default" },
        { way: "inner>x", condition: "memory.page == 'y'" },
        { way: "inner>y", kind: "default" },
        "x>joined",
        "y>joined",
        "joined>end",
      ],
    );
    expect(flowTo(graph, "joined")?.witness.slice(0, 3)).toEqual([{ node: "look" }, { path: "page" }, { node: "outer" }]);
  });

  test("by failing: what stands behind the error edge of a model or server is shaped by its choice", () => {
    const graph = drawn(
      [agent("think", [], ["plan"]), router("ok"), tool("rescue", "update", [], [])],
      ["think>ok", { way: "think>rescue", kind: "error" }],
    );
    expect(flowTo(graph, "rescue")).toMatchObject({
      source: { type: "failure", node: "think" },
      witness: [{ node: "think" }, { way: true }, { node: "rescue" }],
    });
  });
});

describe("keys", () => {
  const protectedKey = { memory: [{ key: "plan", schema: {}, protected: true }] };

  test("a protected key that something untrusted is written to is a sink", () => {
    expect(flowTo(drawn([look, think], ["look>think"], protectedKey), "think")?.sink).toEqual({ kind: "key", node: "think", key: "plan" });
  });

  test("a value read from a protected key has been seen by a person", () => {
    expect(flowTo(drawn([look, think, act], ["look>think", "think>act"], protectedKey), "act")?.stopped).toBe(true);
  });

  test("a promotion makes a value reviewed, which is enough for a key that demands no more", () => {
    const at = (min_integrity: "reviewed" | "trusted") =>
      drawn([look, gate("ask", { promote: [{ from: "page", to: "checked" }] })], ["look>ask"], {
        memory: [{ key: "checked", schema: {}, min_integrity }],
      });
    expect(flowsTo(at("reviewed"), "ask")).toEqual([]);
    expect(flowTo(at("trusted"), "ask")).toMatchObject({ level: "reviewed", sink: { key: "checked" } });
  });

  test("a promoted value is reviewed wherever it goes; its source stays what it was", () => {
    const graph = drawn(
      [look, gate("ask", { promote: [{ from: "page", to: "checked" }] }), agent("good", ["checked"], ["a"]), agent("bad", ["page"], ["b"])],
      ["look>ask", "ask>good", "good>bad"],
      { memory: ["a", "b"].map((key) => ({ key, schema: {}, min_integrity: "reviewed" as const })) },
    );
    expect(flowsTo(graph, "good")).toEqual([]);
    expect(flowTo(graph, "bad")?.sink).toMatchObject({ key: "b" });
  });
});

test("inputs are trusted unless they come from outside", () => {
  const inputs = { inputs: { type: "object", properties: { plan: {} } } };
  expect(flowsTo(drawn([act], [], inputs), "act")).toEqual([]);
  expect(flowTo(drawn([act], [], inputs), "act", { untrustedInputs: true })).toMatchObject({
    source: { type: "inputs" },
    stopped: false,
    witness: [{ path: "plan" }, { node: "act" }],
  });
});

test("ignores unreachable edges", () => {
  expect(flowsTo(drawn([act, look], ["look>act"], { end_nodes: ["act"] }), "act")).toEqual([]);
});

test("a witness begins at the first source of the run, which caused the lookup whose results arrive", () => {
  const graph = drawn(
    [
      tool("mail", "find", [], ["text"]),
      agent("parse", ["text"], ["request"]),
      tool("look", "find", ["request"], ["customer"]),
      agent("think", ["customer"], ["plan"]),
      tool("act", "update", ["plan"], []),
    ],
    ["mail>parse", "parse>look", "look>think", "think>act"],
  );
  expect(flowTo(graph, "act")).toMatchObject({
    source: { type: "tools", node: "mail" },
    verdict: "open",
    witness: [
      { node: "mail" },
      { path: "text" },
      { node: "parse" },
      { path: "request" },
      { node: "look" },
      { path: "customer" },
      { node: "think" },
      { path: "plan" },
      { node: "act" },
    ],
  });
});

test("a witness does not begin before an approval that holds the earlier source back", () => {
  const graph = drawn(
    [
      tool("mail", "find", [], ["text"]),
      gate("ask"),
      tool("look", "find", ["text"], ["customer"]),
      tool("act", "update", ["customer"], []),
    ],
    ["mail>ask", "ask>look", "look>act"],
  );
  expect(flowTo(graph, "act")).toMatchObject({ verdict: "open", witness: [{ node: "look" }, { path: "customer" }, { node: "act" }] });
});
