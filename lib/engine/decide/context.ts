import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import type { BodyOf, Proposal, ProposalBody } from "@/lib/engine/proposal";
import type { RunState } from "@/lib/engine/state";

export type DecideContext<K extends ProposalBody["kind"]> = {
  /** Graph being executed: the child's inside a subgraph. */
  readonly published: PublishedGraph;
  /** Top-level graph. */
  readonly root: PublishedGraph;
  readonly state: RunState;
  readonly proposal: Proposal;
  readonly body: BodyOf<K>;
};

export const findNodeById = (published: PublishedGraph, id: string | null): GraphNode | undefined =>
  published.graph.nodes.find((node) => node.id === id);
