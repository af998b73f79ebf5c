/** The most that a run can still come to from where it is: what a fork from there could cost. */
import type { PublishedGraph } from "@/lib/graph/document";
import type { ForkEffects } from "@/lib/engine/forks/fork-change";
import type { RunState } from "@/lib/engine/state";
import { envelopeOf, type Envelope, type Starting } from "./envelope";

export type EnvelopeFrom = Envelope & {
  /** The node from which it is counted; null: the whole graph is, because the place says too little. */
  readonly node: string | null;
};

/** Where the run is in its own graph: for what happens inside a subgraph, the node that stands for it. */
const placeOf = ({ frames, currentNode }: RunState): string | null => frames[0]?.node ?? currentNode;

/**
 * The worst case from this state on, an upper bound: the visit that is under way is counted as a whole, and the fork's
 * budgets begin anew. What it shares with its parent costs nothing, and a simulation does nothing outside.
 */
export const envelopeFrom = (published: PublishedGraph, state: RunState, starting: Starting, effects: ForkEffects): EnvelopeFrom => {
  const place = placeOf(state);
  const node = published.graph.nodes.some(({ id }) => id === place) ? place : null;
  const graph = node === null ? published.graph : { ...published.graph, start_node: node };
  const envelope = envelopeOf({ ...published, graph }, starting);
  const outside = effects === "simulate" ? { changes: 0, irreversible: 0, unattended: 0 } : {};

  return { ...envelope, ...outside, node };
};
