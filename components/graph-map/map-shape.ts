/** Where everything of a small drawing of a graph stands: pure geometry in the coordinates of the drawing. */
import { layoutOf } from "@/lib/graph/layout";

/** `active`: it works now. `waiting`: the run waits there. */
export type MapNodeState = "idle" | "passed" | "active" | "waiting";

export type MapNode = {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  /** As it stands on the canvas; null: nobody knows, and all are laid out anew. */
  readonly at: { readonly x: number; readonly y: number } | null;
  readonly state: MapNodeState;
};

export type MapEdge = { readonly source: string; readonly target: string; readonly isTaken: boolean };

export const NODE = { width: 200, height: 56 } as const;
const MARGIN = 16;
/** What is wider or higher than this is drawn without titles, which nobody could read. */
const MOST_READABLE = { width: 3_000, height: 900 } as const;
const MOST_CHARACTERS = 16;
/** The room that such a drawing mostly has. */
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
  });

/** How large it would be drawn. */
const scaleOf = (places: Places): number => {
  const [xs, ys] = [[...places.values()].map(({ x }) => x), [...places.values()].map(({ y }) => y)];
  const [width, height] = [xs, ys].map((all) => Math.max(...all) - Math.min(...all));

  return Math.min(ROOM.width / ((width ?? 0) + NODE.width), ROOM.height / ((height ?? 0) + NODE.height));
};

/** A drawing that people know is kept unless another one is a good deal larger. */
const isAsReadable = (stored: Places, anew: Places): boolean => scaleOf(stored) * 1.5 >= scaleOf(anew);

/**
 * Stored positions, unless some are missing, nodes stand on top of each other as new ones do, or they are drawn so high that
 * nothing could be read in a strip.
 */
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

/** From the right side of one to the left side of the other; what leads back passes below. */
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
  // A way that leads back hangs below the lower of its ends.
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

/** The ways that were really taken between nodes entered one after the other. */
export const takenEdges = (visits: readonly { readonly node: string }[]): ReadonlySet<string> =>
  new Set(visits.slice(1).map(({ node }, index) => `${visits[index]?.node ?? ""} ${node}`));
