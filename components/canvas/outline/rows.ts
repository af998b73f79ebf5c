/** Lists nodes in run order with their edges. Pure. */
import { listDeclaredEdges } from "@/components/canvas/flow/declared-edges";
import type { Graph, GraphEdge, GraphNode } from "@/lib/graph/document";
import { NODE_KINDS } from "@/lib/graph/kinds";
import { getNodeName } from "@/lib/graph/facts/facts";
import { runOrder } from "@/lib/graph/run-order";

type Standing = { readonly at: number; readonly of: number };

export type NodeRow = Standing & {
  readonly type: "node";
  /** Stable and unique. */
  readonly key: string;
  readonly node: GraphNode;
  readonly isStart: boolean;
  readonly isEnd: boolean;
  readonly isReachable: boolean;
  readonly isOpen: boolean | null;
};

type Way = Standing & { readonly key: string; readonly source: string; readonly target: string; readonly targetName: string };

/** Editable edge. */
export type EdgeRow = Way & { readonly type: "edge"; readonly edge: GraphEdge };

/** Connection of the node's form. */
export type JointRow = Way & { readonly type: "joint"; readonly id: string; readonly label: string };

export type Row = NodeRow | EdgeRow | JointRow;

export type Reading = {
  readonly closed: ReadonlySet<string>;
  readonly find: string;
  readonly only: ReadonlySet<string> | null;
};

const JOINTS: Readonly<Record<string, string>> = { managed: "can choose" };

const contains = (node: GraphNode, edges: readonly GraphEdge[], find: string): boolean =>
  [
    node.id,
    node.title,
    NODE_KINDS[node.kind].title,
    ...node.read_keys,
    ...node.write_keys,
    ...edges.map(({ condition }) => condition ?? ""),
  ]
    .join("\n")
    .toLowerCase()
    .includes(find);

const keyOf = (type: "node" | "edge", id: string): string => `${type}:${id}`;

/** @returns rows in reading order, in linear time */
export const listRows = (graph: Graph, { closed, find, only }: Reading): readonly Row[] => {
  const { nodes, reachable } = runOrder(graph);
  const ends = new Set(graph.end_nodes);
  const names = new Map(graph.nodes.map((node) => [node.id, getNodeName(node)]));
  const edgesOf = Map.groupBy(graph.edges, (edge) => edge.source);
  const wanted = find.trim().toLowerCase();
  const shown = nodes.filter(
    (node) => (only === null || only.has(node.id)) && (wanted === "" || contains(node, edgesOf.get(node.id) ?? [], wanted)),
  );

  return shown.flatMap((node, index): readonly Row[] => {
    const edges = edgesOf.get(node.id) ?? [];
    const joints = listDeclaredEdges(node);
    const of = edges.length + joints.length;
    const isOpen = of === 0 ? null : !closed.has(node.id);
    const nameOf = (id: string) => names.get(id) ?? `${id} (missing)`;
    const own: NodeRow = {
      type: "node",
      key: keyOf("node", node.id),
      at: index + 1,
      of: shown.length,
      node,
      isStart: node.id === graph.start_node,
      isEnd: ends.has(node.id),
      isReachable: reachable.has(node.id),
      isOpen,
    };
    if (isOpen !== true) return [own];
    const way = (target: string, at: number) => ({ at, of, source: node.id, target, targetName: nameOf(target) });

    return [
      own,
      ...edges.map((edge, at): EdgeRow => ({ type: "edge", key: keyOf("edge", edge.id), edge, ...way(edge.target, at + 1) })),
      ...joints.map((joint, at): JointRow => ({
        type: "joint",
        id: joint.id,
        key: `joint:${joint.id}`,
        label: typeof joint.label === "string" ? joint.label : (JOINTS[joint.id.split(":")[0] ?? ""] ?? "leads to"),
        ...way(joint.target, edges.length + at + 1),
      })),
    ];
  });
};
