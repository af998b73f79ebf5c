/** Record filters in the URL, such as `node:triage`. */
import { stripPrefix } from "@/lib/engine/frame";
import { isAtOrBelow, parsePath } from "@/lib/graph/path";
import type { RecordSummary } from "@/components/runs/record-summary";

type Row = Pick<RecordSummary, "tags" | "nodeId" | "actor" | "paths">;

export const PLAIN_FILTERS = ["refusals", "gates", "effects", "errors", "taint"] as const;
type PlainFilter = (typeof PLAIN_FILTERS)[number];

export type RecordFilter =
  | { readonly by: PlainFilter }
  | { readonly by: "path"; readonly path: string }
  | { readonly by: "node"; readonly node: string }
  | { readonly by: "actor"; readonly actor: string };

const TAGS_OF = {
  refusals: ["refusal"],
  gates: ["gate", "decision"],
  effects: ["effect"],
  errors: ["error"],
  taint: ["tainted", "cleared"],
} as const satisfies Record<PlainFilter, readonly Row["tags"][number][]>;

const LONGEST = 1_200;

const isPlain = (text: string): text is PlainFilter => PLAIN_FILTERS.some((each) => each === text);

/** Null: invalid, shows all. */
export const filterOf = (text: string): RecordFilter | null => {
  if (isPlain(text)) return { by: text };
  const { by, of = "" } = /^(?<by>path|node|actor):(?<of>.+)$/su.exec(text)?.groups ?? {};
  if (by === undefined || of.length > LONGEST) return null;
  if (by === "path") return { by, path: of };

  return by === "node" ? { by, node: of } : { by: "actor", actor: of };
};

export const formatFilter = (filter: RecordFilter): string => {
  if (filter.by === "path") return `path:${filter.path}`;
  if (filter.by === "node") return `node:${filter.node}`;

  return filter.by === "actor" ? `actor:${filter.actor}` : filter.by;
};

const prefixOf = (path: string): string => path.slice(0, path.length - stripPrefix(path).length);

export const touches = (written: string, path: string): boolean => {
  if (prefixOf(written) !== prefixOf(path)) return false;
  const [one, other] = [parsePath(stripPrefix(written)), parsePath(stripPrefix(path))];

  return one !== null && other !== null && (isAtOrBelow(one, other) || isAtOrBelow(other, one));
};

const isShown = (row: Row, filter: RecordFilter): boolean => {
  if (filter.by === "path") return row.paths.some((path) => touches(path, filter.path));
  if (filter.by === "node") return row.nodeId === filter.node;
  if (filter.by === "actor") return row.actor === filter.actor;
  const tags: Row["tags"] = TAGS_OF[filter.by];

  return row.tags.some((tag) => tags.includes(tag));
};

type Rows = readonly (RecordSummary | undefined)[];

/** Matching seqs in order. */
export const listShownBy = (rows: Rows, filter: RecordFilter): readonly number[] =>
  rows.flatMap((row) => (row && isShown(row, filter) ? [row.seq] : []));

export type FilterCounts = {
  readonly plain: Readonly<Record<PlainFilter, number>>;
  readonly nodes: ReadonlyMap<string, number>;
  readonly actors: ReadonlyMap<string, number>;
};

const more = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

/** Matches of each filter. */
export const filterCounts = (rows: Rows): FilterCounts => {
  const plain = { refusals: 0, gates: 0, effects: 0, errors: 0, taint: 0 };
  const [nodes, actors] = [new Map<string, number>(), new Map<string, number>()];
  for (const row of rows) {
    if (!row) continue;
    for (const by of PLAIN_FILTERS) if (isShown(row, { by })) plain[by] += 1;
    if (row.nodeId !== null) more(nodes, row.nodeId);
    if (row.actor !== "") more(actors, row.actor);
  }

  return { plain, nodes, actors };
};

/** Nearest seq after or before, or null. @param seqs in order */
export const findNext = (seqs: readonly number[], seq: number, step: 1 | -1): number | null =>
  (step > 0 ? seqs.find((each) => each > seq) : seqs.findLast((each) => each < seq)) ?? null;
