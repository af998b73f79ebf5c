import { FADED, type Decoration, type Decorations } from "@/components/canvas/flow/decoration";
import type { EffectClass, GraphNode } from "@/lib/graph/document";
import { asksPerson } from "@/lib/graph/kind-of";
import { getNodeEffect, findUngatedEffect } from "@/lib/graph/problems/effects";
import { listSubgraphTools } from "@/lib/graph/facts/children";
import { changesSomething, listTools, type Facts } from "@/lib/graph/facts/facts";
import { asksByItself, findGatesBefore, findGatesFor } from "@/lib/graph/facts/gates";
import { getToolId } from "@/lib/graph/tool-ref";
import { listDrawnLines } from "./drawn-edges";

export type Standing = "unasked" | "asked" | "asks" | "outward" | "memory" | "none";

export type NodeAuthority = {
  readonly node: GraphNode;
  readonly standing: Standing;
  readonly effect: EffectClass;
  readonly tools: readonly string[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Approvals, and the node if it always asks. */
  readonly gates: readonly string[];
};

const ORDER: readonly Standing[] = ["unasked", "outward", "asked", "memory", "asks", "none"];

const toolsIn = (facts: Facts, node: GraphNode) => [...listTools(facts, node), ...listSubgraphTools(facts, node)];

const standingOf = (facts: Facts, node: GraphNode, effect: EffectClass, writes: number): Standing => {
  if (asksPerson(node)) return "asks";
  if (findUngatedEffect(facts, node) !== null) return "unasked";
  if (changesSomething(effect)) return "asked";
  if (toolsIn(facts, node).some((tool) => tool.outward)) return "outward";

  return writes > 0 ? "memory" : "none";
};

export const listAuthority = (facts: Facts): readonly NodeAuthority[] =>
  facts.graph.nodes
    .filter((node) => facts.topology.reachable.has(node.id))
    .map((node): NodeAuthority => {
      const { reads, writes } = facts.access.get(node.id) ?? { reads: [], writes: [] };
      const effect = getNodeEffect(facts, node);
      const asking = [...findGatesBefore(facts, node.id), ...findGatesFor(facts, node.id)].map(({ id }) => id);

      return {
        node,
        standing: standingOf(facts, node, effect, writes.length),
        effect,
        tools: toolsIn(facts, node).map((tool) => getToolId(tool.server, tool.tool)),
        reads,
        writes,
        gates: [...new Set([...asking, ...(asksByItself(node) ? [node.id] : [])])],
      };
    })
    .toSorted((a, b) => ORDER.indexOf(a.standing) - ORDER.indexOf(b.standing));

const effectWord = (effect: EffectClass): string => (effect === "irreversible" ? "Irreversible" : "Changes data");

const count = (amount: number, one: string): string => `${amount} ${one}${amount === 1 ? "" : "s"}`;

export const decorateStanding = ({ standing, effect, writes }: NodeAuthority): Decoration => {
  switch (standing) {
    case "unasked":
      return {
        tone: "danger",
        mark: "refused",
        text: `${effectWord(effect)}, no approval`,
        said: `, ${effectWord(effect).toLowerCase()} without an approval`,
      };
    case "asked":
      return {
        tone: "good",
        mark: "waiting",
        text: `${effectWord(effect)}, needs approval`,
        said: `, ${effectWord(effect).toLowerCase()} after an approval`,
      };
    case "asks":
      return { tone: "good", mark: "waiting", text: "Needs approval", said: ", needs approval" };
    case "outward":
      return { tone: "warning", mark: "tainted", text: "Sends data outside", said: ", sends data outside" };
    case "memory":
      return { tone: "plain", text: `Writes ${count(writes.length, "path")}`, said: `, writes ${count(writes.length, "path")}` };
    case "none":
      return FADED;
    default:
      return standing satisfies never;
  }
};

export const decorateAuthority = (facts: Facts): Decorations => {
  const looks = new Map(listAuthority(facts).map((one) => [one.node.id, decorateStanding(one)]));

  return {
    nodes: new Map(facts.graph.nodes.map(({ id }) => [id, looks.get(id) ?? FADED])),
    edges: new Map(listDrawnLines(facts.graph).all.map(({ id }) => [id, FADED])),
  };
};
