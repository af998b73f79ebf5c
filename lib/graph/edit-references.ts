import type { GraphNode } from "@/lib/graph/document";

/** @returns the replacement for `id` in node `by`; undefined: removed */
type Follow = (id: string, by: string) => string | undefined;

type Rules = {
  /** Route targets: rejections, managed nodes, peers. */
  readonly way: Follow;
  /** A gate's node, a map's worker. */
  readonly part: Follow;
};

/** The schema requires one node, so the validator reports it. */
const followList = (ids: string[], by: string, follow: Follow): string[] => {
  const kept = ids.flatMap((id) => {
    const next = follow(id, by);

    return next === undefined || (next !== id && ids.includes(next)) ? [] : [next];
  });
  const isSame = kept.length === ids.length && kept.every((id, index) => id === ids[index]);

  return isSame || kept.length === 0 ? ids : kept;
};

const followOptional = (id: string | undefined, by: string, follow: Follow): string | undefined =>
  id === undefined ? undefined : follow(id, by);

/** Replaces references; returns the same node if unchanged. */
export const withReferences = (node: GraphNode, { way, part }: Rules): GraphNode => {
  switch (node.kind) {
    case "approval": {
      const { for_node: before, rejection_node: rejectedTo, changes_node: changedAt, ...config } = node.config;
      const forNode = followOptional(before, node.id, part);
      const rejection = followOptional(rejectedTo, node.id, way);
      const changes = followOptional(changedAt, node.id, way);
      if (forNode === before && rejection === rejectedTo && changes === changedAt) return node;
      const names = {
        ...(forNode === undefined ? {} : { for_node: forNode }),
        ...(rejection === undefined ? {} : { rejection_node: rejection }),
        ...(changes === undefined ? {} : { changes_node: changes }),
      };

      return { ...node, config: { ...config, ...names } };
    }
    case "supervisor": {
      const { managed_nodes: before } = node.config;
      const managed = followList(before, node.id, way);

      return managed === before ? node : { ...node, config: { ...node.config, managed_nodes: managed } };
    }
    case "agent": {
      const { swarm } = node.config;
      if (!swarm) return node;
      const peers = followList(swarm.peers, node.id, way);

      return peers === swarm.peers ? node : { ...node, config: { ...node.config, swarm: { ...swarm, peers } } };
    }
    case "map": {
      const { worker_node: before } = node.config;
      const worker = part(before, node.id) ?? before;

      return worker === before ? node : { ...node, config: { ...node.config, worker_node: worker } };
    }
    case "review": {
      const { rework, ...config } = node.config;
      const to = followOptional(rework?.node, node.id, way);
      if (!rework || to === rework.node) return node;

      return { ...node, config: { ...config, ...(to === undefined ? {} : { rework: { ...rework, node: to } }) } };
    }
    case "judge": {
      const { rejection_node: rejectedTo, review: before, ...config } = node.config;
      const rejection = followOptional(rejectedTo, node.id, way);
      const review = part(before, node.id) ?? before;
      if (rejection === rejectedTo && review === before) return node;

      return { ...node, config: { ...config, review, ...(rejection === undefined ? {} : { rejection_node: rejection }) } };
    }
    case "tool":
    case "router":
    case "transform":
    case "extract":
    case "voting":
    case "evolution":
    case "verifier":
    case "synthesizer":
    case "reflection":
    case "subgraph":
      return node;
    default:
      return node satisfies never;
  }
};
