/** Outside changes need an approval. */
import type { EffectClass, GraphNode } from "@/lib/graph/document";
import { asksPerson, callsTool, computes, isIdle } from "@/lib/graph/kind-of";
import { listSubgraphCalls } from "@/lib/graph/facts/children";
import { changesSomething, getNodeName, listTools, type Facts } from "@/lib/graph/facts/facts";
import { insertGateFix } from "./gate-fix";
import { asksByItself, findGatesBefore, isModelCalled } from "@/lib/graph/facts/gates";
import { createProblem, type Problem } from "./problem";

const EFFECTS: readonly EffectClass[] = ["pure", "read", "write", "irreversible"];

/** Returns the worst effect of a node and its ungated calls. */
export const getNodeEffect = (facts: Facts, node: GraphNode): EffectClass => {
  const inside = listSubgraphCalls(facts, node).flatMap((call) => (call.gated ? [] : [call.tool.effect]));
  const called = listTools(facts, node).map((tool) => tool.effect);

  return [node.effect, ...called, ...inside].reduce((worst, effect) => (EFFECTS.indexOf(effect) > EFFECTS.indexOf(worst) ? effect : worst));
};

/** Only a gate that names the tool approves its exact arguments. */
const isGated = (facts: Facts, node: GraphNode): boolean =>
  findGatesBefore(facts, node.id).some((gate) => !callsTool(node) || gate.config.for_node === node.id);

/** A node without calls only writes, and the engine gates protected keys. */
const gatesItself = (facts: Facts, node: GraphNode): boolean => {
  if (asksByItself(node)) return true;
  const writes = facts.access.get(node.id)?.writes ?? [];

  return computes(node) && writes.length > 0 && writes.every((path) => facts.keys.get(path.split(".")[0] ?? "")?.protected === true);
};

/** Returns the unapproved effect, or null. The engine asks about a model's changes unless declared trusted. */
export const findUngatedEffect = (facts: Facts, node: GraphNode): EffectClass | null => {
  const effect = getNodeEffect(facts, node);
  const safe = !changesSomething(effect) || isIdle(node) || isModelCalled(node);

  return safe || !facts.topology.reachable.has(node.id) || isGated(facts, node) || gatesItself(facts, node) ? null : effect;
};

/** Describes a change, to follow the node's name. */
export const describeEffectClass = (effect: EffectClass): string =>
  effect === "irreversible" ? "makes an irreversible change" : "changes data outside the run";

export type UnreachableEffect = { readonly node: GraphNode; readonly effect: EffectClass };

/** Lists unreachable changes, as after deleting an approval. */
export const listUnreachableEffects = (facts: Facts): readonly UnreachableEffect[] =>
  facts.topology.ids.has(facts.graph.start_node)
    ? facts.graph.nodes.flatMap((node): UnreachableEffect[] => {
        const effect = getNodeEffect(facts, node);

        return facts.topology.reachable.has(node.id) || isIdle(node) || !changesSomething(effect) ? [] : [{ node, effect }];
      })
    : [];

const ungated = (facts: Facts): Problem[] =>
  facts.graph.nodes.flatMap((node) => {
    const effect = findUngatedEffect(facts, node);
    if (effect === null) return [];
    return [
      createProblem(
        "ungated_effect",
        { node: node.id },
        `${getNodeName(node)} ${describeEffectClass(effect)}, but can be reached without an approval for it.`,
        insertGateFix(facts, node),
      ),
    ];
  });

const bypassed = (facts: Facts): Problem[] =>
  facts.graph.nodes.flatMap((gate) => {
    const node = asksPerson(gate) ? gate.config.for_node : undefined;
    const certain = node === undefined || !facts.topology.reachable.has(node) || facts.dominators.dominates(gate.id, node);

    return certain ? [] : [createProblem("gate_bypassed", { node: gate.id }, `The run can reach ${node} without passing ${gate.id}.`)];
  });

export const findEffectProblems = (facts: Facts): Problem[] => [...ungated(facts), ...bypassed(facts)];
