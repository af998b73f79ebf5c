/** Strip paths, computed on load and not per step. */
import type { RecordTag } from "@/lib/engine/events/event-entry";
import type { RecordSummary } from "@/components/runs/record-summary";
import type { Tracks } from "@/components/runs/timeline";

type Rows = readonly (RecordSummary | undefined)[];

export const BUCKETS = 720;
export const HEIGHT = 100;

export const LANES = ["refusal", "gate", "error", "fork", "cleared", "tainted"] as const satisfies readonly RecordTag[];
export type Lane = (typeof LANES)[number];

const bucketOf = (seq: number, total: number): number => Math.min(BUCKETS - 1, Math.floor((seq / Math.max(1, total)) * BUCKETS));

const isIn = (lane: Lane, { tags }: RecordSummary): boolean =>
  tags.includes(lane) || (lane === "gate" && tags.includes("decision")) || (lane === "error" && tags.includes("error"));

export type LaneDrawing = {
  readonly count: number;
  readonly path: string;
};

/** Keeps single records visible. */
const LEAST = 0.45;

const barsOf = (counts: ReadonlyMap<number, number>, width: number): string => {
  const most = Math.max(1, ...counts.values());

  return [...counts]
    .map(([bucket, count]) => {
      const height = Math.round(HEIGHT * (LEAST + (1 - LEAST) * (count / most)));

      return `M${bucket} ${HEIGHT}v-${height}h${width}v${height}z`;
    })
    .join("");
};

/** @param total includes unloaded records */
export const drawLane = (rows: Rows, lane: Lane, total: number): LaneDrawing => {
  const counts = new Map<number, number>();
  let count = 0;
  for (const row of rows) {
    if (!row || !isIn(lane, row)) continue;
    const bucket = bucketOf(row.seq, total);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
    count += 1;
  }

  return { count, path: barsOf(counts, Math.max(1.5, Math.min(6, BUCKETS / Math.max(1, total)))) };
};

/** Keeps short peaks visible. */
const peaks = (values: readonly number[], total: number): readonly number[] => {
  const found: number[] = [];
  for (const [seq, value] of values.entries()) {
    const bucket = bucketOf(seq, total);
    found[bucket] = Math.max(found[bucket] ?? 0, value);
  }

  return found;
};

/** Stepped line of values. @param top upper edge */
export const formatLine = (values: readonly number[], total: number, top: number): string => {
  const points: string[] = [];
  let x = 0;
  for (const [bucket, value] of peaks(values, total).entries()) {
    if (value === undefined) continue;
    const y = Math.round((1 - value / Math.max(1, top)) * (HEIGHT - 4)) + 2;
    points.push(points.length === 0 ? `M0 ${y}` : `H${bucket}V${y}`);
    x = Math.round(((bucket + 1) / BUCKETS) * BUCKETS);
  }

  return points.length === 0 ? "" : `${points.join("")}H${x}`;
};

export const closeArea = (line: string): string => (line === "" ? "" : `${line}V${HEIGHT}H0z`);

export type CostDrawing = {
  readonly line: string;
  /** From the upper edge; null: no budget, or far above the cost. */
  readonly budgetAt: number | null;
};

/** A larger budget would flatten the cost. */
const WORTH_SHOWING = 0.25;

export const drawCost = ({ costMicroUsd }: Tracks, total: number, budget: number | null): CostDrawing => {
  const spent = costMicroUsd.at(-1) ?? 0;
  const isNear = budget !== null && budget > 0 && spent >= budget * WORTH_SHOWING;
  const top = Math.max(spent * 1.08, isNear ? budget * 1.05 : 0, 1);

  return { line: formatLine(costMicroUsd, total, top), budgetAt: isNear ? Math.round((1 - budget / top) * (HEIGHT - 4)) + 2 : null };
};

/** Taint removals per actor: `reviewer` 12, `engine` 3. */
export const listClearedBy = (rows: Rows): ReadonlyMap<string, number> => {
  const by = new Map<string, number>();
  for (const row of rows) if (row?.tags.includes("cleared")) by.set(row.actor, (by.get(row.actor) ?? 0) + 1);

  return by;
};
