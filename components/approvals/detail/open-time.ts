const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Formats a duration: `48 s`, `3 min 5 s`, `2 h 10 min`. */
export const formatOpenTime = (openMs: number): string => {
  if (openMs < MINUTE_MS) return `${Math.round(openMs / SECOND_MS)} s`;
  if (openMs < HOUR_MS) return `${Math.floor(openMs / MINUTE_MS)} min ${Math.floor((openMs % MINUTE_MS) / SECOND_MS)} s`;

  return `${Math.floor(openMs / HOUR_MS)} h ${Math.floor((openMs % HOUR_MS) / MINUTE_MS)} min`;
};
