import { z } from "zod";

const DAY_MS = 86_400_000;

export const USAGE_DIMENSIONS = ["graph", "model", "agent", "person", "tool"] as const;
export const usageDimensionSchema = z.enum(USAGE_DIMENSIONS);
export type UsageDimension = z.infer<typeof usageDimensionSchema>;

export const USAGE_DAYS = [1, 7, 30, 90, 365] as const;
const daysSchema = z.coerce.number().int().min(1).max(365);

export const usageQuerySchema = z.strictObject({ by: usageDimensionSchema.default("graph"), days: daysSchema.default(30) });
export type UsageQuery = z.infer<typeof usageQuerySchema>;

/** Hours, days or weeks: at most 91 buckets. */
export const bucketMsOf = (days: number): number => (days <= 2 ? DAY_MS / 24 : days <= 90 ? DAY_MS : 7 * DAY_MS);

const count = z.number().int().min(0);
const spendSchema = z.object({ microUsd: count, tokens: count, calls: count });
export type Spend = z.infer<typeof spendSchema>;
const durationMs = count.nullable();
/** Of answered calls, from the record before a call to the record of its answer. */
const timedSchema = spendSchema.extend({ medianMs: durationMs, p95Ms: durationMs });
export type Timed = z.infer<typeof timedSchema>;

export const NO_CALLS: Timed = { microUsd: 0, tokens: 0, calls: 0, medianMs: null, p95Ms: null };

export const usageReportSchema = z.object({
  by: usageDimensionSchema,
  /** Times: ms since 1970. The first bucket begins at `fromMs`. */
  fromMs: count,
  toMs: count,
  bucketMs: count,
  /** All calls; tools have no price. */
  models: timedSchema.extend({ series: z.array(timedSchema) }),
  tools: timedSchema.extend({ series: z.array(timedSchema) }),
  rows: z.array(
    timedSchema.extend({
      /** Null: further ones, or people whose use the reader may not see. */
      key: z.string().nullable(),
      name: z.string(),
      series: z.array(timedSchema),
    }),
  ),
  runs: z.object({ started: count, ended: count, completed: count, medianMs: durationMs, p95Ms: durationMs, series: z.array(count) }),
  /** By the time of the request. */
  approvals: z.object({ asked: count, decided: count, medianMs: durationMs, series: z.array(count) }),
});
export type UsageReport = z.infer<typeof usageReportSchema>;
export type UsageRow = UsageReport["rows"][number];

/** Spreadsheets execute texts that begin like a formula. */
const toCell = (value: string | number): string => {
  const text = String(value);
  const safe = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text;

  return /[",\n\r]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const toUsageCsv = ({ by, fromMs, bucketMs, rows }: UsageReport): string => {
  const lines = rows.flatMap(({ name, key, series }) =>
    series.flatMap(({ microUsd, tokens, calls, medianMs, p95Ms }, index) =>
      calls === 0
        ? []
        : [[new Date(fromMs + index * bucketMs).toISOString(), key ?? "", name, calls, tokens, microUsd, medianMs ?? "", p95Ms ?? ""]],
    ),
  );

  return [["from", `${by}_id`, by, "calls", "tokens", "micro_usd", "median_ms", "p95_ms"], ...lines]
    .map((line) => `${line.map(toCell).join(",")}\r\n`)
    .join("");
};
