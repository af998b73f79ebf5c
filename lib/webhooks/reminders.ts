import { z } from "zod";

/** Percent of the waiting time. */
export const DEFAULT_REMINDERS: readonly number[] = [50, 90];

const MOST_REMINDERS = 5;

export const remindersSchema = z
  .array(z.number().int().min(1, "At least 1 %.").max(99, "At most 99 %."))
  .max(MOST_REMINDERS, `At most ${MOST_REMINDERS} times.`)
  .transform((percents) => [...new Set(percents)].toSorted((a, b) => a - b));
