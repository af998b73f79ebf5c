import type { Dragged, Edited, Opened, Panned, Placed } from "./measure";

export type Measured = {
  readonly nodes: number;
  readonly edges: number;
  readonly opened: readonly Opened[];
  readonly typed: Edited;
  readonly dragged: Dragged;
};

type Row = {
  readonly name: string;
  readonly value: number;
  readonly unit: "" | " ms";
  /** Passes below this. */ readonly below?: number;
  /** Passes from this on. */ readonly atLeast?: number;
};

const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);

  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

const median = (values: readonly number[]): number => quantile(values, 0.5);

const rowsOf = ({ nodes, opened, typed, dragged }: Measured): readonly Row[] => {
  const of = (pick: (one: Opened) => number) => median(opened.map(pick));
  const drawn = dragged.commits.map((commit) => commit.drawn);
  const isFirst = nodes <= 500;

  return [
    { name: "node faces in the page", value: of((one) => one.mounted), unit: "", below: 80 },
    { name: "edges in the page", value: of((one) => one.mountedEdges), unit: "" },
    { name: "first nodes drawn", value: of((one) => one.drawnMs), unit: " ms" },
    { name: "interactive", value: of((one) => one.interactiveMs), unit: " ms", ...(isFirst ? { below: 1_500 } : {}) },
    { name: "problems there", value: of((one) => one.problemsMs), unit: " ms" },
    { name: "worst long task while opening", value: of((one) => one.worstTaskMs), unit: " ms" },
    { name: "work of the page's thread while opening", value: of((one) => one.workMs), unit: " ms" },
    { name: "from an edit to its problems, median", value: median(typed.answersMs), unit: " ms", ...(isFirst ? { below: 150 } : {}) },
    { name: "from an edit to its problems, worst", value: Math.max(...typed.answersMs), unit: " ms" },
    { name: "from a key to the screen, median", value: median(typed.keyMs), unit: " ms" },
    { name: "work of the page's thread per key", value: typed.workMs, unit: " ms" },
    { name: "worst long task while typing", value: typed.worstTaskMs, unit: " ms" },
    { name: "faces and edges drawn again per frame of a drag, median", value: median(drawn), unit: "", below: 4 },
    { name: "faces and edges drawn again per frame of a drag, worst", value: Math.max(...drawn), unit: "", below: 4 },
    { name: "all components of the drawing per frame, median", value: median(dragged.commits.map((commit) => commit.inside)), unit: "" },
    { name: "components around the drawing per frame, median", value: median(dragged.commits.map((commit) => commit.outside)), unit: "" },
    { name: "frame of a drag, 95th percentile", value: quantile(dragged.frameMs, 0.95), unit: " ms" },
    { name: "work of the page's thread per frame of a drag", value: dragged.workMs, unit: " ms" },
    { name: "worst long task while dragging", value: dragged.worstTaskMs, unit: " ms" },
  ];
};

const pannedRows = (view: string, { mounted, framesPerSecond, frameMs, worstTaskMs }: Panned): readonly Row[] => [
  { name: `${view}: node faces in the page`, value: mounted, unit: "" },
  { name: `${view}: frames a second while panning`, value: framesPerSecond, unit: "", atLeast: 50 },
  { name: `${view}: frame, 95th percentile`, value: quantile(frameMs, 0.95), unit: " ms" },
  { name: `${view}: worst long task`, value: worstTaskMs, unit: " ms" },
];

const placedRows = ({ importedMs, overlaps, rows, zoom, readable, whole }: Placed): readonly Row[] => [
  { name: "from the click to the first node", value: importedMs, unit: " ms", below: 4_000 },
  { name: "nodes over others", value: overlaps, unit: "", below: 1 },
  { name: "rows of the layout", value: rows, unit: "", atLeast: 4 },
  { name: "zoom of the first view, percent", value: zoom * 100, unit: "", atLeast: 60 },
  ...pannedRows("First view", readable),
  ...pannedRows("Whole graph", whole),
];

const isMet = ({ value, below = Infinity, atLeast = -Infinity }: Row): boolean => value < below && value >= atLeast;

export const isWithin = (measured: readonly Measured[], placed: Placed): boolean =>
  measured.every((one) => rowsOf(one).every(isMet)) && placedRows(placed).every(isMet);

const cell = (row: Row | undefined): string => {
  if (!row) return "";
  const bound = row.below ?? row.atLeast;
  const budget = bound === undefined ? "" : ` (${isMet(row) ? "within" : row.below === undefined ? "UNDER" : "OVER"} ${bound})`;

  return `${Math.round(row.value)}${row.unit}${budget}`;
};

const tableOf = (lines: readonly (readonly string[])[]): string => lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const placedTable = (placed: Placed): string =>
  tableOf([["500 nodes without positions", ""], ["---", "---"], ...placedRows(placed).map((row) => [row.name, cell(row)])]);

export const reportOf = (measured: readonly Measured[], placed: Placed): string => {
  const columns = measured.map(rowsOf);
  const head = ["", ...measured.map(({ nodes, edges }) => `${nodes} nodes, ${edges} edges`)];
  const rows = (columns[0] ?? []).map(({ name }, index) => [name, ...columns.map((column) => cell(column[index]))]);

  return `${tableOf([head, head.map(() => "---"), ...rows])}\n\n${placedTable(placed)}`;
};
