/** Possible producers of a value, who may not judge it. */
import { mapsItems } from "@/lib/graph/kind-of";
import { getFamily } from "@/lib/graph/model-family";
import { parsePath } from "@/lib/graph/path";
import { listActingAgentIds } from "@/lib/graph/facts/acting";
import { findWritersAt, type Facts } from "@/lib/graph/facts/facts";

export const listProducers = (facts: Facts, path: string): readonly string[] => [
  ...new Set(
    findWritersAt(facts, parsePath(path) ?? []).flatMap((node) => {
      const worker = mapsItems(node) ? facts.nodes.get(node.config.worker_node) : undefined;

      return [...listActingAgentIds(node), ...(worker ? listActingAgentIds(worker) : [])];
    }),
  ),
];

/** Lists model families that may answer for an agent. */
export const listAgentFamilies = (facts: Facts, id: string): readonly string[] => {
  const { model, fallback = model } = facts.agents.get(id) ?? {};

  return [model, fallback].flatMap((each) => (each === undefined ? [] : [getFamily(each)]));
};

/** Finds a producer that may share the reviewer's family. */
export const findAlike = (facts: Facts, reviewer: string, producers: readonly string[]): string | undefined => {
  const families = listAgentFamilies(facts, reviewer);

  return producers.find((id) => listAgentFamilies(facts, id).some((family) => families.includes(family)));
};
