import type { PublishedGraph } from "@/lib/graph/document";
import type { ForkEffects } from "@/lib/engine/forks/fork-change";
import type { RunState } from "@/lib/engine/state";
import { computeEnvelope, type Envelope, type Starting } from "./envelope";

export type EnvelopeFrom = Envelope & {
  /** Null: whole graph. */
  readonly node: string | null;
};

const placeOf = ({ frames, currentNode }: RunState): string | null => frames[0]?.node ?? currentNode;

/** Computes the worst case from here, with fresh budgets. */
export const computeEnvelopeFrom = (published: PublishedGraph, state: RunState, starting: Starting, effects: ForkEffects): EnvelopeFrom => {
  const place = placeOf(state);
  const node = published.graph.nodes.some(({ id }) => id === place) ? place : null;
  const graph = node === null ? published.graph : { ...published.graph, start_node: node };
  const envelope = computeEnvelope({ ...published, graph }, starting);
  const outside = effects === "simulate" ? { changes: 0, irreversible: 0, unattended: 0 } : {};

  return { ...envelope, ...outside, node };
};
