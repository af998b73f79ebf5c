import type { Graph } from "@/lib/graph/document";
import { NODE_KINDS } from "@/lib/graph/kinds";
import { getNodeName } from "@/lib/graph/facts/facts";

type Item = { readonly id: string };

const without = <T extends Item>(items: readonly T[], others: readonly Item[]): T[] => {
  const ids = new Set(others.map(({ id }) => id));

  return items.filter(({ id }) => !ids.has(id));
};

const listed = (names: readonly string[], many: string): string => (names.length === 1 ? (names[0] ?? "") : `${names.length} ${many}`);

const ofNodes = (verb: string, nodes: Graph["nodes"]): readonly string[] =>
  nodes.length === 0
    ? []
    : [
        `${verb} ${listed(
          nodes.map((node) => `${NODE_KINDS[node.kind].title} ${getNodeName(node)}`),
          "nodes",
        )}.`,
      ];

const ofEdges = (verb: string, edges: Graph["edges"]): readonly string[] =>
  edges.length === 0
    ? []
    : [
        `${verb} ${listed(
          edges.map((edge) => `the edge from ${edge.source} to ${edge.target}`),
          "edges",
        )}.`,
      ];

const ofMoves = (before: Graph, after: Graph): readonly string[] => {
  const places = new Map(before.nodes.map((node) => [node.id, node.position]));
  const moved = after.nodes.filter(({ id, position }) => {
    const was = places.get(id);

    return was !== undefined && (was.x !== position.x || was.y !== position.y);
  });
  const [only] = moved;
  if (!only) return [];

  return moved.length === 1 ? [`${getNodeName(only)} is at ${only.position.x}, ${only.position.y}.`] : [`Moved ${moved.length} nodes.`];
};

const ofOrder = (before: Graph, after: Graph): readonly string[] => {
  const isMoved = before.edges.length === after.edges.length && after.edges.some(({ id }, index) => before.edges[index]?.id !== id);
  const moved = isMoved && without(after.edges, before.edges).length === 0;

  return moved ? ["Reordered the edges."] : [];
};

const ofStart = (before: Graph, after: Graph): readonly string[] =>
  before.start_node !== after.start_node &&
  before.nodes.some(({ id }) => id === before.start_node) &&
  after.nodes.some(({ id }) => id === after.start_node)
    ? [`The run starts at ${after.start_node}.`]
    : [];

/** Additions and removals are announced separately. */
const ofEnds = (before: Graph, after: Graph): readonly string[] => {
  if (before.end_nodes === after.end_nodes) return [];
  const [ended, ends] = [new Set(before.end_nodes), new Set(after.end_nodes)];
  const kept = after.nodes.filter(({ id }) => ended.has(id) !== ends.has(id) && before.nodes.some((node) => node.id === id));

  return kept.map((node) =>
    ends.has(node.id) ? `The run can end at ${getNodeName(node)}.` : `The run no longer ends at ${getNodeName(node)}.`,
  );
};

const isRenamed = (gone: Graph["nodes"][number] | undefined, fresh: Graph["nodes"][number] | undefined): boolean =>
  gone !== undefined &&
  fresh !== undefined &&
  gone.kind === fresh.kind &&
  gone.title === fresh.title &&
  gone.position.x === fresh.position.x &&
  gone.position.y === fresh.position.y;

/** @returns null for field edits, which are announced there */
export const describeChange = (before: Graph, after: Graph): string | null => {
  const isSame =
    before.nodes === after.nodes &&
    before.edges === after.edges &&
    before.start_node === after.start_node &&
    before.end_nodes === after.end_nodes;
  if (isSame) return null;
  const gone = without(before.nodes, after.nodes);
  const fresh = without(after.nodes, before.nodes);
  // A rename is no removal.
  const isRename = gone.length === 1 && fresh.length === 1 && isRenamed(gone[0], fresh[0]);
  if (isRename) return `Renamed ${gone[0]?.id ?? ""} to ${fresh[0]?.id ?? ""}.`;
  const sentences = [
    ...ofNodes("Added", fresh),
    ...ofNodes("Removed", gone),
    ...ofEdges("Added", without(after.edges, before.edges)),
    // Edges of a removed node go with it.
    ...(gone.length > 0 ? [] : ofEdges("Removed", without(before.edges, after.edges))),
    ...ofMoves(before, after),
    ...ofOrder(before, after),
    ...ofStart(before, after),
    ...ofEnds(before, after),
  ];

  return sentences.length === 0 ? null : sentences.join(" ");
};
