import { digestOf } from "@/lib/hash";

export const MOST_ATTEMPTS = 10;

/** All waits add up to about a day. */
const FIRST_WAIT_MS = 9_000;
const FACTOR = 3;
const JITTER = 0.2;

/** Spreads simultaneous retries. */
const spreadOf = (deliveryId: string, attempt: number): number =>
  parseInt(digestOf("request", { delivery: deliveryId, attempt }).slice(0, 8), 16) / 0xffff_ffff;

/** Returns the wait, null after the last. @param attempt from 1 */
export const waitAfterMs = (deliveryId: string, attempt: number): number | null => {
  if (attempt >= MOST_ATTEMPTS) return null;

  return Math.round(FIRST_WAIT_MS * FACTOR ** (attempt - 1) * (1 - JITTER + 2 * JITTER * spreadOf(deliveryId, attempt)));
};

const FAILING_ATTEMPTS = 20;
const FAILING_MS = 2 * 86_400_000;

export const isGivenUp = (failures: number, failingForMs: number): boolean => failures >= FAILING_ATTEMPTS && failingForMs >= FAILING_MS;
