/** Gates: approvals, and nodes that always ask. */
import { oncePer } from "@/lib/once-per";
import type { GraphNode, NodeOf, PinnedTool } from "@/lib/graph/document";
import { asksPerson, callsTool } from "@/lib/graph/kind-of";
import { listRefusalEdges } from "@/lib/graph/topology";
import { listCallingAgentIds } from "./acting";
import { changesSomething, type Facts } from "./facts";
import { isTrustedFor } from "./trusted";

/** Returns whether a node's changes always wait. */
export const asksByItself = (node: GraphNode): boolean => node.approval !== "by_rule";

/** Returns whether a model chooses a node's calls. */
export const isModelCalled = (node: GraphNode): boolean => !callsTool(node) && listCallingAgentIds(node).length > 0;

/** Returns whether a model may write without a receipt for its arguments. */
const isTrustedCall = (facts: Facts, node: GraphNode, tool: Pick<PinnedTool, "server" | "tool">): boolean =>
  listCallingAgentIds(node)
    .flatMap((id) => facts.agents.get(id) ?? [])
    .some((agent) => isTrustedFor(agent, tool));

/** Returns whether every call of a tool waits, by the graph or as a model's choice. */
export const asksForCall = (facts: Facts, node: GraphNode, tool: PinnedTool): boolean => {
  const asked = asksByItself(node) || findGatesFor(facts, node.id).length > 0;
  if (!isModelCalled(node)) return asked;
  if (!changesSomething(tool.effect)) return node.approval === "every_call";

  return asked || tool.effect === "irreversible" || !isTrustedCall(facts, node, tool);
};

type Gate = NodeOf<"approval">;
type Found = {
  readonly byId: ReadonlyMap<string, Gate>;
  readonly byTarget: ReadonlyMap<string, Gate[]>;
  readonly before: Map<string, readonly Gate[]>;
  readonly around: Map<string, ReadonlySet<string>>;
};

const gatesIn = oncePer((facts: Facts): Found => {
  const gates = facts.graph.nodes.filter((node) => asksPerson(node));

  return {
    byId: new Map(gates.map((gate) => [gate.id, gate])),
    byTarget: Map.groupBy(gates, (gate) => gate.config.for_node ?? ""),
    before: new Map(),
    around: new Map(),
  };
});

/** Finds approvals for a node's effect; any suffices. */
export const findGatesFor = (facts: Facts, node: string): readonly Gate[] => gatesIn(facts).byTarget.get(node) ?? [];

const aroundOf = (facts: Facts, gate: Gate): ReadonlySet<string> => {
  const { around } = gatesIn(facts);
  const found = around.get(gate.id);
  if (found) return found;
  const seen = new Set(listRefusalEdges(facts.topology, gate).filter((id) => id !== gate.id));
  // // A Set iterates over additions too.
  for (const id of seen) for (const next of facts.topology.successors.get(id) ?? []) if (next !== gate.id) seen.add(next);
  around.set(gate.id, seen);

  return seen;
};

/** Finds the approvals on every path, in order. */
export const findGatesBefore = (facts: Facts, node: string): readonly Gate[] => {
  const { byId, before } = gatesIn(facts);
  const chain: string[] = [];
  for (let at: string | null = node; at !== null && !before.has(at); at = facts.dominators.immediateDominator(at)) chain.push(at);
  for (const id of chain.toReversed()) {
    const above = facts.dominators.immediateDominator(id);
    const gate = byId.get(above ?? "");
    const passed = before.get(above ?? "") ?? [];
    before.set(id, gate && !aroundOf(facts, gate).has(id) ? [...passed, gate] : passed);
  }

  return before.get(node) ?? [];
};

/** Returns whether every path has an approval first. */
export const asksFirst = (facts: Facts, node: GraphNode): boolean => asksByItself(node) || findGatesBefore(facts, node.id).length > 0;
