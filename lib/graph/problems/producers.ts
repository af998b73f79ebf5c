/** Which agents may have produced a value; none of them may review, judge or check it. */
import { familyOf } from "@/lib/graph/model-family";
import { parsePath } from "@/lib/graph/path";
import { actingAgentIds } from "./acting";
import { writersAt, type Facts } from "./facts";

/** The agents that can have written a path, each once; what a map writes is its worker's too. */
export const producersOf = (facts: Facts, path: string): readonly string[] => [
  ...new Set(
    writersAt(facts, parsePath(path) ?? []).flatMap((node) => {
      const worker = node.kind === "map" ? facts.nodes.get(node.config.worker_node) : undefined;

      return [...actingAgentIds(node), ...(worker ? actingAgentIds(worker) : [])];
    }),
  ),
];

/** The family of an agent's model; undefined when there is no such agent. */
export const agentFamily = (facts: Facts, id: string): string | undefined => {
  const model = facts.agents.get(id)?.model;

  return model === undefined ? undefined : familyOf(model);
};

/** The first of the producers whose model is of the family of a reviewer's. */
export const alike = (facts: Facts, reviewer: string, producers: readonly string[]): string | undefined => {
  const family = agentFamily(facts, reviewer);

  return family === undefined ? undefined : producers.find((id) => agentFamily(facts, id) === family);
};
