import type { Entry } from "./entries";

/** The nodes that had been entered by record `seq`. */
export const visitedNodes = (entries: readonly Entry[], seq: number): ReadonlySet<string> =>
  new Set(
    entries
      .slice(0, seq + 1)
      .flatMap((entry) => entry.record?.control ?? [])
      .flatMap((event) => (event.type === "node_entered" ? [event.node] : [])),
  );
