import { layoutOf } from "@/lib/graph/layout";

/** `active`: running; `waiting`: the run waits here. */
export type MapNodeState = "idle" | "passed" | "active" | "waiting";

export type MapNode = {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  /** Null: lay out all nodes. */
  readonly at: { readonly x: number; readonly y: number } | null;
  readonly state: MapNodeState;
};

export type MapEdge = { readonly source: string; readonly target: string; readonly isTaken: boolean };

export const NODE = { width: 200, height: 56 } as const;
const MARGIN = 16;
/** Larger maps omit unreadable titles. */
const MOST_READABLE = { width: 3_000, height: 900 } as const;
const MOST_CHARACTERS = 16;
const ROOM = { width: 960, height: 110 } as const;

export type MapShape = {
  readonly viewBox: string;
  readonly height: number;
  readonly hasTitles: boolean;
  readonly nodes: readonly (MapNode & { readonly x: number; readonly y: number; readonly short: string })[];
  readonly edges: readonly (MapEdge & { readonly line: string; readonly isBack: boolean })[];
};

type Places = ReadonlyMap<string, { readonly x: number; readonly y: number }>;

const laidOut = (nodes: readonly MapNode[], edges: readonly MapEdge[]): Places =>
  layoutOf({
    nodes: nodes.map(({ id }) => id),
    ways: edges.map(({ source, target }) => [source, target] as const),
    size: { widthPx: NODE.width, heightPx: NODE.height },
    gridPx: 8,
    room: null,
  });

const scaleOf = (places: Places): number => {
  const [xs, ys] = [[...places.values()].map(({ x }) => x), [...places.values()].map(({ y }) => y)];
  const [width, height] = [xs, ys].map((all) => Math.max(...all) - Math.min(...all));

  return Math.min(ROOM.width / ((width ?? 0) + NODE.width), ROOM.height / ((height ?? 0) + NODE.height));
};

/** An automatic layout must not be much larger. */
const isAsReadable = (stored: Places, anew: Places): boolean => scaleOf(stored) * 1.5 >= scaleOf(anew);

/** Stored positions, unless missing, overlapping or too tall. */
const placesOf = (nodes: readonly MapNode[], edges: readonly MapEdge[]): Places => {
  const stored = new Map(nodes.flatMap(({ id, at }) => (at === null ? [] : [[id, at] as const])));
  const distinct = new Set([...stored.values()].map(({ x, y }) => `${x} ${y}`));
  if (nodes.length === 0) return stored;
  const anew = laidOut(nodes, edges);

  return stored.size === nodes.length && distinct.size === nodes.length && isAsReadable(stored, anew) ? stored : anew;
};

const shortTitle = (title: string): string => {
  const letters = Array.from(title);

  return letters.length <= MOST_CHARACTERS ? title : `${letters.slice(0, MOST_CHARACTERS - 1).join("")}…`;
};

/** Back edges pass below. */
const lineOf = (from: { x: number; y: number }, to: { x: number; y: number }): { line: string; isBack: boolean } => {
  const [x1, y1, x2, y2] = [from.x + NODE.width, from.y + NODE.height / 2, to.x, to.y + NODE.height / 2];
  if (x2 > x1) {
    const bend = Math.min(80, (x2 - x1) / 2);

    return { line: `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`, isBack: false };
  }
  const low = Math.max(y1, y2) + NODE.height;

  return { line: `M${x1} ${y1} C${x1 + 60} ${low} ${x2 - 60} ${low} ${x2} ${y2}`, isBack: true };
};

export const mapShape = (nodes: readonly MapNode[], edges: readonly MapEdge[]): MapShape => {
  const places = placesOf(nodes, edges);
  const placed = nodes.flatMap((node) => {
    const at = places.get(node.id);

    return at ? [{ ...node, ...at, short: shortTitle(node.title) }] : [];
  });
  const [xs, ys] = [placed.map(({ x }) => x), placed.map(({ y }) => y)];
  const x = placed.length === 0 ? 0 : Math.min(...xs);
  const y = placed.length === 0 ? 0 : Math.min(...ys);
  const lines = edges.flatMap((edge) => {
    const [from, to] = [places.get(edge.source), places.get(edge.target)];

    return from && to ? [{ ...edge, ...lineOf(from, to) }] : [];
  });
  // Below the lower end.
  const below = lines.some(({ isBack }) => isBack) ? NODE.height : 0;
  const width = (placed.length === 0 ? 0 : Math.max(...xs)) - x + NODE.width + 2 * MARGIN;
  const height = (placed.length === 0 ? 0 : Math.max(...ys)) - y + NODE.height + below + 2 * MARGIN;

  return {
    viewBox: `${x - MARGIN} ${y - MARGIN} ${width} ${height}`,
    height,
    hasTitles: width <= MOST_READABLE.width && height <= MOST_READABLE.height,
    nodes: placed,
    edges: lines,
  };
};

/** Edges between consecutive visits. */
export const listTakenEdges = (visits: readonly { readonly node: string }[]): ReadonlySet<string> =>
  new Set(visits.slice(1).map(({ node }, index) => `${visits[index]?.node ?? ""} ${node}`));
