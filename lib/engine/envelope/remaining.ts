/** Upper bound of a run from its current place: the cost of a fork there. */
import type { PublishedGraph } from "@/lib/graph/document";
import type { ForkEffects } from "@/lib/engine/forks/fork-change";
import type { RunState } from "@/lib/engine/state";
import { computeEnvelope, type Envelope, type Starting } from "./envelope";

export type EnvelopeFrom = Envelope & {
  /** Node counted from; null: the whole graph, since the place says too little. */
  readonly node: string | null;
};

/** Returns the place in the top-level graph: inside a subgraph, the node for it. */
const placeOf = ({ frames, currentNode }: RunState): string | null => frames[0]?.node ?? currentNode;

/** Returns the worst case from this state, with the current visit in full and fresh budgets. */
export const computeEnvelopeFrom = (published: PublishedGraph, state: RunState, starting: Starting, effects: ForkEffects): EnvelopeFrom => {
  const place = placeOf(state);
  const node = published.graph.nodes.some(({ id }) => id === place) ? place : null;
  const graph = node === null ? published.graph : { ...published.graph, start_node: node };
  const envelope = computeEnvelope({ ...published, graph }, starting);
  const outside = effects === "simulate" ? { changes: 0, irreversible: 0, unattended: 0 } : {};

  return { ...envelope, ...outside, node };
};
