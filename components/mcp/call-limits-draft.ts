import { callLimitsSchema, type CallLimits } from "@/lib/mcp/call-limits";

const SECOND_MS = 1_000;
const KILOBYTE = 1_024;

export const LIMIT_FIELDS = {
  silence: { label: "Idle timeout (s)", hint: "Maximum time without a response. Progress notifications reset it." },
  total: { label: "Total timeout (s)", hint: "Maximum duration of a call." },
  atOnce: { label: "Concurrent calls", hint: "Up to 256 more calls wait in a queue." },
  answer: { label: "Response size (KiB)", hint: "A larger response counts as a fault. Up to 256." },
  faults: { label: "Consecutive faults", hint: "Calls pause after this many faults." },
  coolDown: { label: "Pause (s)", hint: "After the pause, one call is tried." },
} as const satisfies Record<string, { label: string; hint: string }>;

export type LimitField = keyof typeof LIMIT_FIELDS;
export type LimitsDraft = Readonly<Record<LimitField, string>>;

export const LIMIT_ORDER = Object.keys(LIMIT_FIELDS) as readonly LimitField[];

export const toLimitsDraft = (limits: CallLimits): LimitsDraft => ({
  silence: String(limits.timeout_ms / SECOND_MS),
  total: String(limits.total_ms / SECOND_MS),
  atOnce: String(limits.concurrency),
  answer: String(limits.max_result_bytes / KILOBYTE),
  faults: String(limits.breaker.faults),
  coolDown: String(limits.breaker.cool_down_ms / SECOND_MS),
});

/** Formats the limits in one line. */
export const describeLimits = (limits: CallLimits): string => {
  const { silence, total, atOnce, answer, faults, coolDown } = toLimitsDraft(limits);

  return `Idle timeout ${silence} s, total timeout ${total} s, ${atOnce} concurrent, ${answer} KiB; paused for ${coolDown} s after ${faults} faults.`;
};

const number = (text: string, unit = 1): number =>
  /^\d{1,9}(\.\d{1,3})?$/.test(text.trim()) ? Math.round(Number(text) * unit) : Number.NaN;

const PLACES: Readonly<Record<string, LimitField>> = {
  timeout_ms: "silence",
  total_ms: "total",
  concurrency: "atOnce",
  max_result_bytes: "answer",
  "breaker.faults": "faults",
  "breaker.cool_down_ms": "coolDown",
};

const RANGES = {
  silence: "Enter 1 to 600.",
  total: "Enter 1 to 3600, and at least the idle timeout.",
  atOnce: "Enter a whole number from 1 to 64.",
  answer: "Enter 0.25 to 256.",
  faults: "Enter a whole number from 1 to 1000.",
  coolDown: "Enter 1 to 3600.",
} as const satisfies Record<LimitField, string>;

export type ReadLimits = { readonly limits: CallLimits | null; readonly problems: Readonly<Partial<Record<LimitField, string>>> };

/** Parses the form; null for invalid fields. */
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
