const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `2026-11-21 22:30:05 UTC`. */
export const formatAbsoluteTime = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 19).replace("T", " ")} UTC`;

/** "just now", "3 min ago", "in 2 h". */
export const formatRelativeTime = (atMs: number, nowMs: number): string => {
  const distanceMs = Math.abs(nowMs - atMs);
  if (distanceMs < 30_000) return "just now";

  const amount =
    distanceMs < HOUR_MS
      ? `${Math.max(1, Math.round(distanceMs / MINUTE_MS))} min`
      : distanceMs < DAY_MS
        ? `${Math.round(distanceMs / HOUR_MS)} h`
        : `${Math.round(distanceMs / DAY_MS)} d`;

  return atMs <= nowMs ? `${amount} ago` : `in ${amount}`;
};

/** "350 ms", "4.2 s", "12 min", "3 h". */
export const formatDuration = (ms: number): string => {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < MINUTE_MS) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;

  return ms < HOUR_MS
    ? `${Math.round(ms / MINUTE_MS)} min`
    : ms < 2 * DAY_MS
      ? `${Math.round(ms / HOUR_MS)} h`
      : `${Math.round(ms / DAY_MS)} d`;
};

export const formatMoney = (microUsd: number): string => {
  const dollars = microUsd / 1_000_000;
  if (dollars === 0) return "$0.00";

  return dollars < 0.01 ? `$${dollars.toFixed(6).replace(/0+$/, "")}` : `$${dollars.toFixed(2)}`;
};

/** 12345 as `12,345`. */
export const count = (value: number): string => value.toLocaleString("en-US");

export const formatBytes = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`;

  return bytes < 999_500 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
};
