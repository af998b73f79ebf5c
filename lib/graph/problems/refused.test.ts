/** After a rejection, no person may have looked at all. */
import { describe, expect, test } from "vitest";
import { analyse } from "@/lib/graph/analyse";
import type { Graph, GraphInput } from "@/lib/graph/document";
import { findUngatedEffect } from "@/lib/graph/problems/effects";
import { collectFacts } from "@/lib/graph/facts/facts";
import { findRemedies } from "@/lib/graph/remedies";
import { agent, CONTEXT, drawn, gate, router, tool } from "@/lib/graph/testing/graph-builders";

type NodeInput = GraphInput["nodes"][number];

const verdicts = (graph: Graph) =>
  analyse(graph, CONTEXT).flows.flatMap(({ kind, sink, verdict }) =>
    kind === "untrusted" && sink.kind === "call" ? [[sink.node, verdict]] : [],
  );
const ungated = (graph: Graph, id: string) => {
  const facts = collectFacts(graph, CONTEXT);

  return findUngatedEffect(facts, facts.nodes.get(id)!);
};
const act = (id: string) => tool(id, "update", ["note"], []);
const doer = (id: string) => agent(id, ["note"], [], "doer");
const behind = (rejected: NodeInput, others: readonly NodeInput[], ways: readonly string[]) =>
  drawn([tool("look", "find", [], ["note"]), gate("ask", { rejection_node: rejected.id }), rejected, ...others], ["look>ask", ...ways]);

describe("the route after a rejection or expiry", () => {
  test("counts as ungated", () => {
    const graph = behind(act("no"), [act("yes")], ["ask>yes"]);
    expect(verdicts(graph)).toEqual([
      ["no", "open"],
      ["yes", "held"],
    ]);
    expect(ungated(behind(act("no"), [], []), "no")).toBe("write");
  });

  test("also for nodes that both routes lead to", () => {
    const ways = ["ask>both", "no>both"];
    expect(verdicts(behind(router("no"), [act("both")], ways))).toEqual([["both", "open"]]);
    expect(ungated(behind(router("no"), [act("both")], ways), "both")).toBe("write");
  });

  test("is none where it leads back to the gate", () => {
    const ways = ["ask>yes", "no>ask"];
    expect(verdicts(behind(router("no"), [act("yes")], ways))).toEqual([["yes", "held"]]);
    expect(ungated(behind(router("no"), [{ ...act("yes"), approval: "always" }], ways), "yes")).toBe(null);
  });

  test("is asked about by the engine where a model makes the calls", () => {
    const graph = behind(doer("no"), [], []);
    expect(ungated(graph, "no")).toBe(null);
    expect(verdicts(graph)).toEqual([["no", "held"]]);
  });

  test("has a gate to be inserted, which holds", () => {
    const graph = behind(act("no"), [act("yes")], ["ask>yes"]);
    const [open] = analyse(graph, CONTEXT).flows.filter(({ verdict }) => verdict === "open");
    expect(open && findRemedies(graph, CONTEXT, open).map(({ title }) => title)).toContain("Insert a gate");
  });
});

test("a tool that always requires approval may fail before the approval", () => {
  const failing = drawn(
    [tool("look", "find", [], ["note"]), tool("first", "update", ["note"], [], { approval: "always" }), act("rescue")],
    ["look>first", { way: "first>rescue", kind: "error" }],
  );
  expect(verdicts(failing)).toEqual([
    ["first", "held"],
    ["rescue", "open"],
  ]);
});
