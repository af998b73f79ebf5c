/** Auto-layout: our columns keep acyclic edges rightward; dagre orders columns; long graphs wrap. */
import { Graph as Drawing, layout, type EdgeLabel, type GraphLabel, type NodeLabel, type RankerFunction } from "@dagrejs/dagre";
import type { Graph } from "@/lib/graph/document";
import { buildTopology } from "@/lib/graph/topology";

type Point = { readonly x: number; readonly y: number };

type Way = readonly [source: string, target: string];

/** Plain data, for a worker. */
export type LayoutTask = {
  /** Preferred order, start first. */
  readonly nodes: readonly string[];
  readonly ways: readonly Way[];
  readonly size: { readonly widthPx: number; readonly heightPx: number };
  readonly gridPx: number;
  /** Columns wrap into legible rows in this room; null: one row. */
  readonly room: { readonly widthPx: number; readonly heightPx: number } | null;
};

const COLUMN_GAP_PX = 64;
const ROW_GAP_PX = 40;
/** Between wrapped rows, where their connecting edges run. */
const WRAP_GAP_PX = 88;
/** Zoom from which titles can be read. */
const LEGIBLE_ZOOM = 0.75;

/** Longer edges are ignored: each crossing takes a place in its column, which costs time. */
const MAX_CROSSINGS = 1_500;

const FAR_AWAY: Point = { x: -1e9, y: -1e9 };

/** Creates a layout task. @param only nodes to place, default all */
export const layoutTask = (
  graph: Graph,
  measures: Pick<LayoutTask, "size" | "gridPx" | "room">,
  only: ReadonlySet<string> | null = null,
): LayoutTask => {
  const { successors } = buildTopology(graph);
  const ids = graph.nodes.map(({ id }) => id).filter((id) => only === null || only.has(id));
  const placed = new Set(ids);
  const first = ids.filter((id) => id === graph.start_node);

  return {
    ...measures,
    nodes: [...new Set([...first, ...ids])],
    ways: [...placed].flatMap((id) => (successors.get(id) ?? []).flatMap((target): Way[] => (placed.has(target) ? [[id, target]] : []))),
  };
};

type Successors = ReadonlyMap<string, readonly string[]>;

const successorsOf = ({ nodes, ways }: LayoutTask): Successors => {
  const next = new Map(nodes.map((id) => [id, new Set<string>()]));
  for (const [source, target] of ways) if (source !== target && next.has(target)) next.get(source)?.add(target);

  return new Map([...next].map(([id, targets]) => [id, [...targets]]));
};

/** @returns acyclic edges and topological order */
const unwound = (nodes: readonly string[], successors: Successors): { forward: Successors; order: readonly string[] } => {
  const forward = new Map<string, string[]>(nodes.map((id) => [id, []]));
  const finished: string[] = [];
  const state = new Map<string, "open" | "done">();
  for (const start of nodes) {
    if (state.has(start)) continue;
    const path = [{ id: start, next: 0 }];
    state.set(start, "open");
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const target = successors.get(top.id)?.[top.next];
      top.next += 1;
      if (target === undefined) {
        state.set(top.id, "done");
        finished.push(top.id);
        path.pop();
      } else if (state.get(target) !== "open") {
        forward.get(top.id)?.push(target);
        if (!state.has(target)) {
          state.set(target, "open");
          path.push({ id: target, next: 0 });
        }
      }
    }
  }

  return { forward, order: finished.toReversed() };
};

/** A source stands just left of its successors. */
const columnsOf = (forward: Successors, order: readonly string[]): ReadonlyMap<string, number> => {
  const columns = new Map(order.map((id) => [id, 0]));
  const led = new Set<string>();
  for (const id of order) {
    const after = (columns.get(id) ?? 0) + 1;
    for (const target of forward.get(id) ?? []) {
      led.add(target);
      columns.set(target, Math.max(columns.get(target) ?? 0, after));
    }
  }
  for (const id of order) {
    const targets = forward.get(id) ?? [];
    if (!led.has(id) && targets.length > 0) columns.set(id, Math.min(...targets.map((target) => columns.get(target) ?? 1)) - 1);
  }

  return columns;
};

const lookedAt = (forward: Successors, columns: ReadonlyMap<string, number>): readonly Way[] => {
  const span = ([source, target]: Way) => (columns.get(target) ?? 0) - (columns.get(source) ?? 0);
  const ways = [...forward].flatMap(([source, targets]) => targets.map((target): Way => [source, target]));
  let crossings = 0;

  return ways.toSorted((a, b) => span(a) - span(b)).filter((way) => (crossings += span(way) - 1) <= MAX_CROSSINGS);
};

const placedByDagre = (task: LayoutTask, nodes: readonly string[], ways: readonly Way[], columns: ReadonlyMap<string, number>) => {
  const ranker: RankerFunction = (graph) => {
    for (const id of graph.nodes()) graph.node(id).rank = columns.get(id) ?? 0;
    // dagre needs one bend per edge to tell its side.
    for (const edge of graph.edges()) graph.edge(edge).points = [{ ...FAR_AWAY }];
  };
  const drawing = new Drawing<GraphLabel, NodeLabel, EdgeLabel>();
  const label: GraphLabel = {
    rankdir: "LR",
    // dagre halves the gap for labels, which our columns lack.
    ranksep: 2 * COLUMN_GAP_PX,
    nodesep: ROW_GAP_PX,
    edgesep: ROW_GAP_PX / 2,
  };
  // dagre's types lack a ranker function.
  drawing.setGraph(Object.assign(label, { ranker }));
  for (const id of nodes) drawing.setNode(id, { width: task.size.widthPx, height: task.size.heightPx });
  for (const [source, target] of ways) drawing.setEdge(source, target, {});
  layout(drawing);

  return new Map(
    nodes.map((id): [string, Point] => {
      const { x = 0, y = 0 } = drawing.node(id);

      return [id, { x, y }];
    }),
  );
};

type Row = { readonly topPx: number; readonly bottomPx: number };

/** Heights of the rows of `perRow` columns each. */
const rowsOf = (places: ReadonlyMap<string, Point>, columns: ReadonlyMap<string, number>, perRow: number): readonly Row[] => {
  const rows: Row[] = [];
  for (const [id, { y }] of places) {
    const index = Math.floor((columns.get(id) ?? 0) / perRow);
    const { topPx, bottomPx } = rows[index] ?? { topPx: y, bottomPx: y };
    rows[index] = { topPx: Math.min(topPx, y), bottomPx: Math.max(bottomPx, y) };
  }

  return rows;
};

/** Wraps columns into the fewest legible rows, else the largest drawing. */
const wrapped = (
  places: ReadonlyMap<string, Point>,
  columns: ReadonlyMap<string, number>,
  { size, room }: LayoutTask,
): ReadonlyMap<string, Point> => {
  const stepPx = size.widthPx + COLUMN_GAP_PX;
  const count = Math.max(...columns.values()) + 1;
  let best = { zoom: 0, perRow: count, rows: rowsOf(places, columns, count) };
  if (room !== null) {
    for (let rowCount = 1; rowCount <= count && best.zoom < LEGIBLE_ZOOM; rowCount += 1) {
      const perRow = Math.ceil(count / rowCount);
      const rows = rowsOf(places, columns, perRow);
      const heightPx = rows.reduce((sum, { topPx, bottomPx }) => sum + bottomPx - topPx + size.heightPx + WRAP_GAP_PX, -WRAP_GAP_PX);
      const zoom = Math.min(room.widthPx / (perRow * stepPx - COLUMN_GAP_PX), room.heightPx / heightPx);
      if (zoom > best.zoom) best = { zoom, perRow, rows };
    }
  }
  const tops: number[] = [];
  let nextPx = 0;
  for (const { topPx, bottomPx } of best.rows) {
    tops.push(nextPx - topPx);
    nextPx += bottomPx - topPx + size.heightPx + WRAP_GAP_PX;
  }

  return new Map(
    [...places].map(([id, { y }]) => {
      const column = columns.get(id) ?? 0;

      return [id, { x: (column % best.perRow) * stepPx, y: y + (tops[Math.floor(column / best.perRow)] ?? 0) }];
    }),
  );
};

/** Isolated nodes, below the rest. */
const inRows = (ids: readonly string[], { size }: LayoutTask, topPx: number): (readonly [string, Point])[] => {
  const perRow = Math.ceil(Math.sqrt(ids.length));

  return ids.map((id, index) => [
    id,
    {
      x: (index % perRow) * (size.widthPx + COLUMN_GAP_PX),
      y: topPx + Math.floor(index / perRow) * (size.heightPx + ROW_GAP_PX),
    },
  ]);
};

/** Lays out nodes from (0, 0) without overlaps. */
export const layoutOf = (task: LayoutTask): ReadonlyMap<string, Point> => {
  const { forward, order } = unwound(task.nodes, successorsOf(task));
  const joined = new Set([...forward].flatMap(([id, targets]) => (targets.length > 0 ? [id, ...targets] : [])));
  const columns = columnsOf(forward, order);
  const nodes = task.nodes.filter((id) => joined.has(id));
  const drawn =
    nodes.length > 0 ? wrapped(placedByDagre(task, nodes, lookedAt(forward, columns), columns), columns, task) : new Map<string, Point>();
  const onGrid = (value: number) => Math.round(value / task.gridPx) * task.gridPx;
  const places = [...drawn].map(([id, { x, y }]) => [id, { x: onGrid(x), y: onGrid(y) }] as const);
  const bottom = Math.max(-ROW_GAP_PX, ...places.map(([, { y }]) => y + task.size.heightPx));
  const loose = task.nodes.filter((id) => !joined.has(id));

  return new Map([...places, ...inRows(loose, task, bottom + ROW_GAP_PX)]);
};

const topLeft = (points: readonly Point[]): Point => ({
  x: Math.min(...points.map(({ x }) => x)),
  y: Math.min(...points.map(({ y }) => y)),
});

/** Places a layout at its nodes' old corner, or below others. */
export const settlePlaces = (graph: Graph, layouted: ReadonlyMap<string, Point>, { size, gridPx }: Pick<LayoutTask, "size" | "gridPx">) => {
  const moving = graph.nodes.filter(({ id }) => layouted.has(id)).map(({ position }) => position);
  const staying = graph.nodes.filter(({ id }) => !layouted.has(id)).map(({ position }) => position);
  const corner = moving.length > 0 ? topLeft(moving) : { x: 0, y: 0 };
  const block = [...layouted.values()].map(({ x, y }) => ({ x: x + corner.x, y: y + corner.y }));
  /** Downward shift past one fixed node; 0: no overlap. */
  const downBy = (downPx: number) =>
    staying.reduce((most, { x, y }) => {
      const met = block.filter((place) => Math.abs(place.x - x) < size.widthPx && Math.abs(place.y + downPx - y) < size.heightPx);

      return met.reduce((worst, place) => Math.max(worst, y + size.heightPx + ROW_GAP_PX - (place.y + downPx)), most);
    }, 0);
  let downPx = 0;
  // Each step passes its lowest obstacle, so steps are at most the nodes.
  for (let stepPx = downBy(0); stepPx > 0; stepPx = downBy(downPx)) downPx += Math.ceil(stepPx / gridPx) * gridPx;

  return Object.fromEntries([...layouted].map(([id, { x, y }]) => [id, { x: x + corner.x, y: y + corner.y + downPx }]));
};
