import { Cron } from "croner";
import { digestOf } from "@/lib/hash";
import type { TriggerOf } from "./trigger";

type Schedule = Pick<TriggerOf<"schedule">, "cron" | "time_zone">;

const FIVE_FIELDS = /^\S+(?:\s+\S+){4}$/u;

const open = ({ cron, time_zone: timezone }: Schedule): Cron | null => {
  if (!FIVE_FIELDS.test(cron.trim())) return null;
  try {
    return new Cron(cron.trim(), { timezone, paused: true });
  } catch {
    return null;
  }
};

export const findScheduleFault = (schedule: Schedule): string | null => {
  if (!FIVE_FIELDS.test(schedule.cron.trim())) return "it has five fields: minute, hour, day of month, month, day of week";
  try {
    return new Cron(schedule.cron.trim(), { timezone: schedule.time_zone, paused: true }).nextRun() ? null : "it never comes";
  } catch (error) {
    return error instanceof Error ? error.message.replace(/\.$/u, "") : "it does not parse";
  }
};

/** Returns the first time after `afterMs` (ms since 1970); null: none. */
export const getNextTime = (schedule: Schedule, afterMs: number): number | null => {
  try {
    return open(schedule)?.nextRun(new Date(afterMs))?.getTime() ?? null;
  } catch {
    return null;
  }
};

const MOST_LOOKED_AT = 10_000;

/** Returns the last time in (`fromMs`, `untilMs`], or `fromMs`. */
export const getLastTime = (schedule: Schedule, fromMs: number, untilMs: number): number => {
  const cron = open(schedule);
  const before = (ms: number): number | null => {
    const next = cron?.nextRun(new Date(ms))?.getTime() ?? null;

    return next === null || next > untilMs ? null : next;
  };
  let last = fromMs;
  for (const spanMs of [366 * 86_400_000, 32 * 86_400_000, 86_400_000, 3_600_000]) {
    const found = untilMs - spanMs > last ? before(untilMs - spanMs) : null;
    last = found ?? last;
  }
  for (let left = MOST_LOOKED_AT; left > 0; left -= 1) {
    const next = before(last);
    if (next === null) return last;
    last = next;
  }

  return last;
};

export const computeJitterMs = (place: { readonly workspace: string; readonly graph: string; readonly trigger: string }, mostMs: number) =>
  mostMs === 0 ? 0 : Number.parseInt(digestOf("request", { jitter: place.trigger, ...place }).slice(0, 12), 16) % (mostMs + 1);
