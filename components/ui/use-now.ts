"use client";

import { useSyncExternalStore } from "react";

const TICK_MS = 15_000;
const listeners = new Set<() => void>();
let nowMs: number | null = null;
let timer: ReturnType<typeof setInterval> | null = null;

const tick = () => {
  nowMs = Date.now();
  for (const listener of listeners) listener();
};

// One timer for all times.
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);

  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && timer !== null) {
      clearInterval(timer);
      timer = null;
      nowMs = null;
    }
  };
};

const readNow = (): number => {
  nowMs ??= Date.now();

  return nowMs;
};

// Rounded, so that server and hydration agree.
const readServerNow = (): number => Math.floor(Date.now() / TICK_MS) * TICK_MS;

/** Returns the time in ms since 1970, read again every 15 s. */
export const useNow = (): number => useSyncExternalStore(subscribe, readNow, readServerNow);
