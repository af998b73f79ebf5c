/** Consequences of removing nodes. */
import { flowsIn } from "@/lib/graph/analyse";
import { getSinkId } from "@/lib/graph/analyse/sinks";
import { describeFlow } from "@/lib/graph/analyse/labels";
import type { Graph } from "@/lib/graph/document";
import { applyEdit } from "@/lib/graph/edit";
import { collectFacts, getNodeName, type Facts, type ValidationContext } from "@/lib/graph/facts/facts";
import { describeEffectClass, findUngatedEffect, listUnreachableEffects } from "@/lib/graph/problems/effects";

export type Removal = {
  /** Sentences: effects left without approval. */
  readonly opened: readonly string[];
  /** Sentences: effects left unreachable. */
  readonly stranded: readonly string[];
};

/** Returns whether removed nodes lie between others. */
export const joinsOthers = ({ edges }: Graph, nodes: readonly string[]): boolean => {
  const removed = new Set(nodes);

  return (
    edges.some(({ source, target }) => !removed.has(source) && removed.has(target)) &&
    edges.some(({ source, target }) => removed.has(source) && !removed.has(target))
  );
};

const nameIn =
  (facts: Facts) =>
  (id: string): string => {
    const node = facts.nodes.get(id);

    return node ? getNodeName(node) : id;
  };

const openFlows = (facts: Facts) => flowsIn(facts).flows.filter(({ kind, verdict }) => kind === "untrusted" && verdict === "open");

/** A flow explains an effect better than a missing approval. */
const listOpened = (before: Facts, after: Facts): readonly string[] => {
  const known = new Set(openFlows(before).map(({ sink }) => getSinkId(sink)));
  const flows = openFlows(after).filter(({ sink }) => !known.has(getSinkId(sink)));
  const explained = new Set(flows.map(({ sink }) => sink.node));
  const wasUngated = (id: string) => {
    const node = before.nodes.get(id);

    return node !== undefined && findUngatedEffect(before, node) !== null;
  };
  const ungated = after.graph.nodes.flatMap((node) => {
    const effect = explained.has(node.id) || wasUngated(node.id) ? null : findUngatedEffect(after, node);

    return effect === null ? [] : [`“${getNodeName(node)}” ${describeEffectClass(effect)} and needs no approval any more.`];
  });

  return [...flows.map((flow) => describeFlow(flow, nameIn(after))), ...ungated];
};

const listStranded = (before: Facts, after: Facts): readonly string[] => {
  const known = new Set(listUnreachableEffects(before).map(({ node }) => node.id));

  return listUnreachableEffects(after).flatMap(({ node, effect }) =>
    known.has(node.id) ? [] : [`“${getNodeName(node)}” ${describeEffectClass(effect)}, but no path from the start reaches it any more.`],
  );
};

/** Analyses the graph before and after a removal. */
export const findRemovalEffects = (graph: Graph, context: ValidationContext, nodes: readonly string[], rejoin: boolean): Removal => {
  const without = nodes.reduce<Graph>((rest, node) => applyEdit(rest, { op: "remove_node", node, rejoin }), graph);
  const [before, after] = [collectFacts(graph, context), collectFacts(without, context)];

  return { opened: listOpened(before, after), stranded: listStranded(before, after) };
};
