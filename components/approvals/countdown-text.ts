const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const two = (value: number): string => String(value).padStart(2, "0");

/** "2 d 3 h", "5 h 07 min", "4:09" in the last hour, "expired". */
export const formatCountdown = (leftMs: number): string => {
  if (leftMs <= 0) return "expired";
  if (leftMs >= DAY_MS) return `${Math.floor(leftMs / DAY_MS)} d ${Math.floor((leftMs % DAY_MS) / HOUR_MS)} h`;
  if (leftMs >= HOUR_MS) return `${Math.floor(leftMs / HOUR_MS)} h ${two(Math.floor((leftMs % HOUR_MS) / MINUTE_MS))} min`;

  return `${Math.floor(leftMs / MINUTE_MS)}:${two(Math.floor((leftMs % MINUTE_MS) / SECOND_MS))}`;
};
