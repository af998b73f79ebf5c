import type { GraphNode } from "@/lib/graph/document";
import { getKind } from "@/lib/graph/kind-of";

/** @returns the replacement for `id` in node `by`; undefined: removed */
type Follow = (id: string, by: string) => string | undefined;

type Rules = {
  /** Route targets: rejections, managed nodes, peers. */
  readonly way: Follow;
  /** A gate's node, a map's worker. */
  readonly part: Follow;
};

/** Replaces references; returns the same node if unchanged. */
export const withReferences = (node: GraphNode, { way, part }: Rules): GraphNode => {
  const config = getKind(node).links.reduce(
    (changed, link) => link.follow(changed, (id) => (link.role === "route" ? way : part)(id, node.id)),
    node.config,
  );

  // Each link changes the config of its own kind.
  return config === node.config ? node : ({ ...node, config } as GraphNode);
};
