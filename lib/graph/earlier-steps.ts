/** Values from earlier nodes. */
import type { Graph, GraphNode } from "@/lib/graph/document";
import { answerPath, reportPaths } from "@/lib/graph/facts/access";
import { getNodeName } from "@/lib/graph/facts/facts";
import { buildTopology, findReachable } from "@/lib/graph/topology";

export type EarlierValue = { readonly path: string; readonly node: string };

const listWrites = (node: GraphNode): readonly string[] => {
  const answer = answerPath(node);

  return [...new Set([...(answer === undefined ? [] : [answer]), ...reportPaths(node), ...node.write_keys.filter((key) => key !== "*")])];
};

/** Lists paths written by earlier nodes, nearest first. */
export const listEarlierValues = (graph: Graph, nodeId: string): readonly EarlierValue[] => {
  const earlier = findReachable([nodeId], buildTopology(graph).predecessors);
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));

  return [...earlier].flatMap((id) => {
    const node = byId.get(id);

    return node && id !== nodeId ? listWrites(node).map((path) => ({ path, node: getNodeName(node) })) : [];
  });
};
