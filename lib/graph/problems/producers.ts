/** Which agents may have produced a value; none of them may review, judge or check it. */
import { getFamily } from "@/lib/graph/model-family";
import { parsePath } from "@/lib/graph/path";
import { listActingAgentIds } from "./acting";
import { findWritersAt, type Facts } from "./facts";

/** The agents that can have written a path, each once; what a map writes is its worker's too. */
export const listProducers = (facts: Facts, path: string): readonly string[] => [
  ...new Set(
    findWritersAt(facts, parsePath(path) ?? []).flatMap((node) => {
      const worker = node.kind === "map" ? facts.nodes.get(node.config.worker_node) : undefined;

      return [...listActingAgentIds(node), ...(worker ? listActingAgentIds(worker) : [])];
    }),
  ),
];

/** The family of an agent's model; undefined when there is no such agent. */
export const getAgentFamily = (facts: Facts, id: string): string | undefined => {
  const model = facts.agents.get(id)?.model;

  return model === undefined ? undefined : getFamily(model);
};

/** The first of the producers whose model is of the family of a reviewer's. */
export const findAlike = (facts: Facts, reviewer: string, producers: readonly string[]): string | undefined => {
  const family = getAgentFamily(facts, reviewer);

  return family === undefined ? undefined : producers.find((id) => getAgentFamily(facts, id) === family);
};
