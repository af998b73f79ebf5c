/** What every rule of `decide` looks at. */
import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import type { BodyOf, Proposal, ProposalBody } from "@/lib/engine/proposal";
import type { RunState } from "@/lib/engine/state";

export type DecideContext<K extends ProposalBody["kind"]> = {
  /** What is executed where the run is now: the subgraph's parts inside a subgraph. */
  readonly published: PublishedGraph;
  /** What the run executes as a whole. */
  readonly root: PublishedGraph;
  readonly state: RunState;
  readonly proposal: Proposal;
  readonly body: BodyOf<K>;
};

export const nodeById = (published: PublishedGraph, id: string | null): GraphNode | undefined =>
  published.graph.nodes.find((node) => node.id === id);
