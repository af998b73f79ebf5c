/** Possible producers of a value, who may not review, judge or check it. */
import { mapsItems } from "@/lib/graph/kind-of";
import { getFamily } from "@/lib/graph/model-family";
import { parsePath } from "@/lib/graph/path";
import { listActingAgentIds } from "./acting";
import { findWritersAt, type Facts } from "./facts";

/** Lists possible writers of a path, map workers included. */
export const listProducers = (facts: Facts, path: string): readonly string[] => [
  ...new Set(
    findWritersAt(facts, parsePath(path) ?? []).flatMap((node) => {
      const worker = mapsItems(node) ? facts.nodes.get(node.config.worker_node) : undefined;

      return [...listActingAgentIds(node), ...(worker ? listActingAgentIds(worker) : [])];
    }),
  ),
];

/** Returns the agent's model family. */
export const getAgentFamily = (facts: Facts, id: string): string | undefined => {
  const model = facts.agents.get(id)?.model;

  return model === undefined ? undefined : getFamily(model);
};

/** Finds a producer of the reviewer's model family. */
export const findAlike = (facts: Facts, reviewer: string, producers: readonly string[]): string | undefined => {
  const family = getAgentFamily(facts, reviewer);

  return family === undefined ? undefined : producers.find((id) => getAgentFamily(facts, id) === family);
};
