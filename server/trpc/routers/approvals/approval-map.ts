import type { Graph } from "@/lib/graph/document";
import { listDeclaredTargets } from "@/lib/graph/refs";
import type { LedgerRecord } from "@/lib/engine/ledger/record";

export type Visit = { readonly node: string; readonly seq: number };

export type ApprovalMap = {
  readonly nodes: readonly { readonly id: string; readonly title: string; readonly kind: string; readonly x: number; readonly y: number }[];
  readonly edges: readonly { readonly source: string; readonly target: string }[];
  readonly visits: readonly Visit[];
  readonly waiting: string;
  /** The route and the gate's surroundings stay. */
  readonly leftOut: number;
};

const MOST_DRAWN = 200;
const MOST_VISITS = 500;

export const listVisits = (records: readonly LedgerRecord[]): readonly Visit[] => {
  const levels: Visit[][] = [[]];
  for (const { control, seq } of records) {
    for (const event of control) {
      if (event.type === "frame_entered") levels.push([]);
      if (event.type === "frame_left" && levels.length > 1) levels.pop();
      if (event.type === "node_entered") levels.at(-1)?.push({ node: event.node, seq });
    }
  }

  return levels.at(-1) ?? [];
};

const waysOf = ({ nodes, edges }: Graph): readonly { readonly source: string; readonly target: string }[] => {
  const all = [
    ...edges.map(({ source, target }) => [source, target] as const),
    ...nodes.flatMap((node) => listDeclaredTargets(node).map((target) => [node.id, target] as const)),
  ];

  return [...new Map(all.map(([source, target]) => [`${source} ${target}`, { source, target }])).values()];
};

const nearest = (from: readonly string[], ways: ReturnType<typeof waysOf>, most: number): ReadonlySet<string> => {
  const beside = new Map<string, string[]>();
  for (const { source, target } of ways) {
    beside.set(source, [...(beside.get(source) ?? []), target]);
    beside.set(target, [...(beside.get(target) ?? []), source]);
  }
  const near = new Set(from.slice(0, most));
  for (const id of near) for (const other of beside.get(id) ?? []) if (near.size < most) near.add(other);

  return near;
};

/** Builds the map. @param records up to the gate's opening */
export const buildApprovalMap = (graph: Graph, records: readonly LedgerRecord[], waiting: string): ApprovalMap => {
  const known = new Set(graph.nodes.map(({ id }) => id));
  const visits = listVisits(records).filter(({ node }) => known.has(node));
  const ways = waysOf(graph).filter(({ source, target }) => known.has(source) && known.has(target));
  const isLarge = graph.nodes.length > MOST_DRAWN;
  const drawn = isLarge ? nearest([...new Set([waiting, ...visits.map(({ node }) => node).toReversed()])], ways, MOST_DRAWN) : known;

  return {
    nodes: graph.nodes.flatMap(({ id, title, kind, position }) =>
      drawn.has(id) ? [{ id, title: title || id, kind, x: position.x, y: position.y }] : [],
    ),
    edges: ways.filter(({ source, target }) => drawn.has(source) && drawn.has(target)),
    visits: visits.slice(-MOST_VISITS),
    waiting,
    leftOut: graph.nodes.length - drawn.size,
  };
};
