const HOUR_MS = 3_600_000;
const MORNING = 9;

export const SNOOZES = ["1h", "4h", "tomorrow", "change"] as const;
export type Snooze = (typeof SNOOZES)[number];

export const SNOOZE_TEXT = {
  "1h": "For 1 hour",
  "4h": "For 4 hours",
  tomorrow: "Until tomorrow, 9:00",
  change: "Until it changes",
} as const satisfies Record<Snooze, string>;

/** End in the reader's time zone, ms since 1970; null: until the request changes. */
export const getSnoozeEnd = (snooze: Snooze, nowMs: number): number | null => {
  if (snooze === "change") return null;
  if (snooze !== "tomorrow") return nowMs + (snooze === "1h" ? 1 : 4) * HOUR_MS;
  const morning = new Date(nowMs);
  morning.setDate(morning.getDate() + 1);
  morning.setHours(MORNING, 0, 0, 0);

  return morning.getTime();
};
