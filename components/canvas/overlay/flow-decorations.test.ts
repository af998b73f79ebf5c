import { describe, expect, test } from "vitest";
import type { Decorations } from "@/components/canvas/flow/decoration";
import { analyse, computeBlast, flowsIn } from "@/lib/graph/analyse";
import type { Graph } from "@/lib/graph/document";
import { collectFacts } from "@/lib/graph/facts/facts";
import { agent, CONTEXT, drawn, gate, tool } from "@/lib/graph/testing/graph-builders";
import { decorateAuthority } from "./authority";
import { decorateFlows, decorateFlow, withTold, withUnreachable } from "./flow-decorations";
import { listUnreachableEffects } from "@/lib/graph/problems/effects";
import { blastRadiusDecorations } from "./blast-radius-decorations";

const nodes = [
  tool("look", "find", [], ["page"]),
  agent("think", ["page"], ["plan"]),
  tool("act", "update", ["plan"], []),
  agent("idle", [], []),
];
const ways = ["look>think", "think>act", "act>idle"];
const open = drawn(nodes, ways);
const held = drawn([...nodes, gate("ask", { for_node: "act" })], ["look>think", "think>ask", "ask>act", "act>idle"]);
const flowsOf = (graph: Graph) => analyse(graph, CONTEXT).flows;
const words = ({ nodes: looks }: Decorations) => Object.fromEntries([...looks].map(([id, { tone, text }]) => [id, text ?? tone]));
const tones = ({ edges }: Decorations) => Object.fromEntries([...edges].map(([id, { tone }]) => [id, tone]));

describe("all flows together", () => {
  test("label source, carriers and sinks without approval, and fade the rest", () => {
    const drawing = decorateFlows(open, flowsOf(open));
    expect(words(drawing)).toEqual({ look: "Untrusted source", think: "Carries it", act: "No approval", idle: "faded" });
    expect(tones(drawing)).toEqual({ e0: "danger", e1: "danger", e2: "faded" });
  });

  test("label the gate and the approved sink", () => {
    const drawing = decorateFlows(held, flowsOf(held));
    expect(words(drawing)).toMatchObject({ ask: "Needs approval", act: "Needs approval" });
    expect(Object.values(tones(drawing))).not.toContain("danger");
  });

  test("give every colour a text or mark, and a description", () => {
    for (const graph of [open, held]) {
      const { nodes: looks, edges } = decorateFlows(graph, flowsOf(graph));
      const lit = [...looks.values()].filter(({ tone }) => tone !== "faded");
      expect(lit.filter(({ mark, text, said }) => mark === undefined || text === undefined || said === "")).toEqual([]);
      expect([...edges.values()].filter(({ tone, said }) => tone !== "faded" && said === "")).toEqual([]);
    }
  });
});

test("numbers the steps of one flow and highlights the selected one", () => {
  const [flow] = flowsOf(open);
  if (!flow) throw new Error("no flow");
  expect(words(decorateFlow(open, flow, null))).toMatchObject({
    look: "1 · Untrusted source",
    think: "2 · Carries it",
    act: "3 · No approval",
  });
  const at = decorateFlow(open, flow, 2);
  expect([...at.nodes].filter(([, { tone }]) => tone === "accent").map(([id]) => id)).toEqual(["think"]);
  expect(tones(at)).toEqual({ e0: "accent", e1: "danger", e2: "faded" });
});

test("marks nodes that receive secrets, unless a flow is more severe", () => {
  const graph = drawn([agent("keep", ["pin"], ["note"]), tool("tell", "post", ["pin"], [])], ["keep>tell"], {
    memory: [{ key: "pin", schema: {}, classification: "secret" }],
  });
  const { flows, confided } = flowsIn(collectFacts(graph, CONTEXT));
  const confidential = flows.filter(({ kind }) => kind === "confidential");
  expect(words(withTold(decorateFlows(graph, confidential), confided))).toEqual({ keep: "Receives secrets", tell: "Not cleared" });
});

test("shows the authority of each node and whether it needs approval", () => {
  expect(words(decorateAuthority(collectFacts(open, CONTEXT)))).toEqual({
    look: "Writes 1 path",
    think: "Writes 1 path",
    act: "Changes data, no approval",
    idle: "faded",
  });
  expect(words(decorateAuthority(collectFacts(held, CONTEXT)))).toMatchObject({
    act: "Changes data, needs approval",
    ask: "Needs approval",
  });
});

test("the blast radius shows the compromised node, what handles its data, what it reaches and the first approval", () => {
  const reach = (graph: Graph) => blastRadiusDecorations(graph, computeBlast(collectFacts(graph, CONTEXT), { node: "look" }));
  expect(words(reach(open))).toEqual({ look: "Compromised", think: "Handles its data", act: "Reached, no approval", idle: "faded" });
  expect(words(reach(held))).toMatchObject({ ask: "First approval", act: "Needs approval" });
});

test("an effect that no path reaches is marked, also where nothing flows", () => {
  const cut = drawn([...nodes.slice(0, 3), agent("last", [], [])], ["look>think", "act>last"]);
  const drawing = withUnreachable(decorateFlows(cut, flowsOf(cut)), listUnreachableEffects(collectFacts(cut, CONTEXT)));
  expect(words(drawing)).toEqual({ look: "faded", think: "faded", act: "Unreachable", last: "faded" });
  expect(listUnreachableEffects(collectFacts(open, CONTEXT))).toEqual([]);
});
