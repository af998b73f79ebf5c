import type { Entry } from "./entries";

/** The nodes of the graph that runs which had been entered by record `seq`; those inside its subgraphs are not among them. */
export const visitedNodes = (entries: readonly Entry[], seq: number): ReadonlySet<string> => {
  const visited = new Set<string>();
  let depth = 0;
  for (const event of entries.slice(0, seq + 1).flatMap((entry) => entry.record?.control ?? [])) {
    if (event.type === "frame_entered") depth += 1;
    if (event.type === "frame_left") depth -= 1;
    if (event.type === "node_entered" && depth === 0) visited.add(event.node);
  }

  return visited;
};
