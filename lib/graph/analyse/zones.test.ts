import { describe, expect, test } from "vitest";
import { analyse, computeIntegrities } from "@/lib/graph/analyse";
import { collectFacts } from "@/lib/graph/facts/facts";
import type { Flow } from "@/lib/graph/analyse/flows";
import { describeSource } from "@/lib/graph/analyse/labels";
import type { Graph, GraphInput } from "@/lib/graph/document";
import { agent, CONTEXT, drawn, extract, gate, judge, review, router, tool } from "@/lib/graph/testing/graph-builders";

const flowsTo = (graph: Graph, node: string): readonly Flow[] => analyse(graph, CONTEXT).flows.filter((flow) => flow.sink.node === node);

const look = tool("look", "find", [], ["page"]);
const act = tool("act", "update", ["plan"], []);
const ZONE = [look, extract("pull", "page", "form"), review("ask", "form"), judge("weigh", "form", "plan"), act];
const WAYS = ["look>pull", "pull>ask", "ask>weigh", "weigh>act"];

describe("a judge", () => {
  test("lets only what it judged through: the flow that was there without it is gone", () => {
    expect(flowsTo(drawn(ZONE, WAYS), "act")).toEqual([]);
    const unjudged = ZONE.map((node) => (node.id === "pull" ? extract("pull", "page", "plan") : node));
    expect(flowsTo(drawn(unjudged, WAYS), "act")).toMatchObject([
      {
        level: "untrusted",
        stopped: false,
        witness: [{ node: "look" }, { path: "page" }, { node: "pull" }, { path: "plan" }, { node: "act" }],
      },
    ]);
  });

  test("raises a copy to reviewed and never to trusted", () => {
    const memory = [{ key: "plan", schema: {}, min_integrity: "trusted" as const }];
    expect(flowsTo(drawn(ZONE, WAYS, { memory }), "weigh")).toMatchObject([
      { kind: "untrusted", level: "reviewed", sink: { key: "plan" } },
    ]);
    const lower = [{ key: "plan", schema: {}, min_integrity: "reviewed" as const }];
    expect(flowsTo(drawn(ZONE, WAYS, { memory: lower }), "weigh")).toEqual([]);
  });

  test("on one of two paths does not stop the other", () => {
    const around = drawn([...ZONE, agent("copy", ["page"], ["plan"])], [...WAYS, { way: "look>copy", kind: "error" }, "copy>act"]);
    expect(flowsTo(around, "act")).toMatchObject([
      { stopped: false, witness: [{ node: "look" }, { way: true }, { node: "copy" }, { path: "plan" }, { node: "act" }] },
    ]);
  });

  test("that rejects was made to by what it judged: what follows on that way carries it", () => {
    const rejecting = ZONE.map((node) => (node.id === "weigh" ? judge("weigh", "form", "plan", { rejection_node: "wipe" }) : node));
    const graph = drawn([...rejecting, tool("wipe", "wipe", [], [])], WAYS);
    expect(flowsTo(graph, "wipe")).toMatchObject([{ stopped: false }]);
    expect(flowsTo(graph, "wipe")[0]?.witness.slice(-3)).toEqual([{ node: "weigh" }, { way: true }, { node: "wipe" }]);
    expect(flowsTo(graph, "act")).toEqual([]);
  });
});

describe("an extract", () => {
  test("is as untrusted as what it reads, and calls no tool of its agent", () => {
    const graph = drawn([look, extract("pull", "page", "form", { agent_id: "doer" })], ["look>pull"]);
    expect(computeIntegrities(collectFacts(graph, CONTEXT)).get("pull")).toBe("untrusted");
    expect(flowsTo(graph, "pull")).toEqual([]);
  });

  test("of something clean is clean: it is told nothing else", () => {
    const graph = drawn([agent("think", [], ["page"]), extract("pull", "page", "form", { agent_id: "doer" })], ["think>pull"]);
    expect(computeIntegrities(collectFacts(graph, CONTEXT)).get("pull")).toBe("trusted");
  });
});

describe("a review", () => {
  const again = (reviewers: object[]) =>
    drawn(
      [
        ...ZONE.map((node) => (node.id === "ask" ? review("ask", "form", { reviewers, rework: { node: "wipe" } }) : node)),
        tool("wipe", "wipe", [], []),
      ],
      [...WAYS, "wipe>pull"],
    );

  test("by models sends back where what they were shown wants it, by people where they want it", () => {
    expect(flowsTo(again([{ type: "agent", agent_id: "judge" }]), "wipe")).toMatchObject([{ stopped: false }]);
    expect(flowsTo(again([{ type: "person" }]), "wipe")).toEqual([]);
  });
});

describe("isolation", () => {
  const graph = (isolated: boolean, writer = "writer") =>
    drawn([look, agent("think", ["page"], ["plan"], writer), act], ["look>think", "think>act"], { isolate_untrusted: isolated });

  test("an agent that is shown handles spreads nothing of what they stand for", () => {
    expect(flowsTo(graph(false), "act")).toHaveLength(1);
    expect(flowsTo(graph(true), "act")).toEqual([]);
    expect(computeIntegrities(collectFacts(graph(true), CONTEXT)).get("think")).toBe("trusted");
  });

  test("what its own tools answer is a handle to it as well", () => {
    expect(flowsTo(graph(true, "finder"), "act")).toEqual([]);
    expect(flowsTo(graph(false, "finder"), "act")).toHaveLength(1);
    const reached = (isolated: boolean) => analyse(graph(isolated, "finder"), CONTEXT).blastRadius({ server: "desk", tool: "find" }).keys;
    expect(reached(false)).toContain("plan");
    expect(reached(true)).not.toContain("plan");
  });

  test("a tool is given the value itself", () => {
    expect(flowsTo(drawn([tool("look", "find", [], ["plan"]), act], ["look>act"], { isolate_untrusted: true }), "act")).toHaveLength(1);
  });

  test("does not keep a way from counting that something untrusted chose", () => {
    const chosen = drawn(
      [look, router("split", ["page"]), agent("think", [], ["plan"]), router("other"), act],
      ["look>split", { way: "split>think", condition: "memory.page == 'x'" }, { way: "split>other", kind: "default" }, "think>act"],
      { isolate_untrusted: true },
    );
    expect(flowsTo(chosen, "act")).toHaveLength(1);
  });

  test("an agent still receives trusted secret values", () => {
    const secret = drawn([agent("think", ["pin"], ["plan"]), act], ["think>act"], {
      isolate_untrusted: true,
      memory: [{ key: "pin", schema: {}, classification: "secret" }],
    });
    expect(flowsTo(secret, "act")).toMatchObject([{ kind: "confidential", level: "secret" }]);
  });
});

describe("an outside agent", () => {
  const external: Partial<GraphInput> = { external: { read_keys: [] } };
  const given = { ...act, action: { inputs: [{ name: "plan", path: "plan" }] } };
  const nameOf = (id: string) => id;

  test("is a source of untrusted data wherever an action takes inputs", () => {
    const [flow, ...others] = flowsTo(drawn([router("begin"), given], ["begin>act"], external), "act");
    expect(others).toEqual([]);
    expect(flow).toMatchObject({ stopped: false, witness: [{ node: "act" }, { path: "plan" }, { node: "act" }] });
    expect(flow && describeSource(flow.source, nameOf)).toBe("an outside agent's input to act");
    expect(flowsTo(drawn([router("begin"), given], ["begin>act"]), "act")).toEqual([]);
  });

  test("that chooses among several actions influences everything until the routes join", () => {
    const nodes = [router("begin"), tool("wipe", "wipe", [], []), router("other"), tool("last", "update", [], [])];
    const graph = drawn(nodes, ["begin>wipe", "begin>other", "wipe>last", "other>last"], external);
    const [flow] = flowsTo(graph, "wipe");
    expect(flow && describeSource(flow.source, nameOf)).toBe("an outside agent's choice after begin");
    expect(flowsTo(graph, "last")).toEqual([]);
    expect(flowsTo(drawn(nodes, ["begin>wipe", "wipe>last", "other>last"], external), "wipe")).toEqual([]);
  });
});

test("what each node writes is tainted, reviewed or clean; what writes nothing is none of them", () => {
  const promoted = gate("sign", { promote: [{ from: "form", to: "signed" }], review_keys: ["form"] });
  const nodes = [...ZONE, { ...promoted, write_keys: ["signed"], read_keys: ["form"] }, agent("tell", ["plan"], ["said"])];
  const found = computeIntegrities(collectFacts(drawn(nodes, [...WAYS, "act>sign", "sign>tell"]), CONTEXT));
  expect(Object.fromEntries(found)).toEqual({
    look: "untrusted",
    pull: "untrusted",
    weigh: "reviewed",
    sign: "reviewed",
    tell: "reviewed",
  });
});
