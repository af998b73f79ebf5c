/** The limits of a tool as people type them: seconds and kilobytes, as text. */
import { callLimitsSchema, type CallLimits } from "@/lib/mcp/call-limits";

const SECOND_MS = 1_000;
const KILOBYTE = 1_024;

export const LIMIT_FIELDS = {
  silence: { label: "Silence, s", hint: "How long the server may say nothing. Progress begins it anew." },
  total: { label: "Whole call, s", hint: "The most that a call may take, whatever is said in between." },
  atOnce: { label: "At once", hint: "So many calls are under way; 256 more may wait." },
  answer: { label: "Answer, KiB", hint: "A longer answer counts as a fault. At most 256." },
  faults: { label: "Faults in a row", hint: "After so many nothing is called for a while." },
  coolDown: { label: "Left alone for, s", hint: "Then one call is tried." },
} as const satisfies Record<string, { label: string; hint: string }>;

export type LimitField = keyof typeof LIMIT_FIELDS;
export type LimitsDraft = Readonly<Record<LimitField, string>>;

export const LIMIT_ORDER = Object.keys(LIMIT_FIELDS) as readonly LimitField[];

export const limitsDraft = (limits: CallLimits): LimitsDraft => ({
  silence: String(limits.timeout_ms / SECOND_MS),
  total: String(limits.total_ms / SECOND_MS),
  atOnce: String(limits.concurrency),
  answer: String(limits.max_result_bytes / KILOBYTE),
  faults: String(limits.breaker.faults),
  coolDown: String(limits.breaker.cool_down_ms / SECOND_MS),
});

/** The limits as one line. */
export const limitsText = (limits: CallLimits): string => {
  const { silence, total, atOnce, answer, faults, coolDown } = limitsDraft(limits);

  return `${silence} s of silence, ${total} s in all, ${atOnce} at once, ${answer} KiB; left alone for ${coolDown} s after ${faults} faults.`;
};

const number = (text: string, unit = 1): number =>
  /^\d{1,9}(\.\d{1,3})?$/.test(text.trim()) ? Math.round(Number(text) * unit) : Number.NaN;

/** Where a problem with the stored form is shown. */
const PLACES: Readonly<Record<string, LimitField>> = {
  timeout_ms: "silence",
  total_ms: "total",
  concurrency: "atOnce",
  max_result_bytes: "answer",
  "breaker.faults": "faults",
  "breaker.cool_down_ms": "coolDown",
};

const RANGES = {
  silence: "From 1 to 600.",
  total: "From 1 to 3600, and not below the silence.",
  atOnce: "A whole number from 1 to 64.",
  answer: "From 0.25 to 256.",
  faults: "A whole number from 1 to 1000.",
  coolDown: "From 1 to 3600.",
} as const satisfies Record<LimitField, string>;

export type ReadLimits = { readonly limits: CallLimits | null; readonly problems: Readonly<Partial<Record<LimitField, string>>> };

/** What was typed as limits, or where it is none. */
export const readLimits = (draft: LimitsDraft): ReadLimits => {
  const read = callLimitsSchema.safeParse({
    timeout_ms: number(draft.silence, SECOND_MS),
    total_ms: number(draft.total, SECOND_MS),
    concurrency: number(draft.atOnce),
    max_result_bytes: number(draft.answer, KILOBYTE),
    breaker: { faults: number(draft.faults), cool_down_ms: number(draft.coolDown, SECOND_MS) },
  });
  if (read.success) return { limits: read.data, problems: {} };
  const places = read.error.issues.flatMap(({ path }) => PLACES[path.join(".")] ?? []);

  return { limits: null, problems: Object.fromEntries(places.map((place) => [place, RANGES[place]])) };
};
