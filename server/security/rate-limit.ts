/** Against guessing, not quotas. */
import type { Clock } from "@/server/clock";

export type RateLimit = { readonly limit: number; readonly windowMs: number };

export type RateLimiter = {
  /** False above the limit. */
  take(key: string, attempts?: number): boolean;
  /** What is left of the key's window. */
  standing(key: string): { readonly left: number; readonly resetMs: number };
  /** Call after a success. */
  clear(key: string): void;
};

/** Bounds memory under floods. */
const MAX_KEYS = 10_000;

type Window = { count: number; readonly endsAtMs: number };

export const createRateLimiter = ({ limit, windowMs }: RateLimit, clock: Clock): RateLimiter => {
  const windows = new Map<string, Window>();

  const dropEnded = (nowMs: number) => {
    for (const [key, window] of windows) if (window.endsAtMs <= nowMs) windows.delete(key);
    // Oldest first.
    for (const key of windows.keys()) {
      if (windows.size < MAX_KEYS) return;
      windows.delete(key);
    }
  };

  return {
    take: (key, attempts = 1) => {
      const nowMs = clock.now();
      const window = windows.get(key);
      if (window && window.endsAtMs > nowMs) {
        window.count += attempts;

        return window.count <= limit;
      }
      if (windows.size >= MAX_KEYS) dropEnded(nowMs);
      windows.delete(key);
      windows.set(key, { count: attempts, endsAtMs: nowMs + windowMs });

      return attempts <= limit;
    },
    standing: (key) => {
      const nowMs = clock.now();
      const window = windows.get(key);

      return window && window.endsAtMs > nowMs
        ? { left: Math.max(0, limit - window.count), resetMs: window.endsAtMs - nowMs }
        : { left: limit, resetMs: windowMs };
    },
    clear: (key) => {
      windows.delete(key);
    },
  };
};
