"use client";

import { useSyncExternalStore } from "react";
import { formatAbsoluteTime, formatRelativeTime } from "@/lib/format";

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

type Props = {
  /** ms since 1970, or ISO. */
  readonly at: number | string;
  readonly className?: string | undefined;
};

/** "3 min ago", absolute on hover. */
export const RelativeTime = ({ at, className }: Props) => {
  const now = useSyncExternalStore(subscribe, readNow, readServerNow);
  const atMs = typeof at === "number" ? at : Date.parse(at);

  return (
    // Server and browser may differ by a tick.
    <time suppressHydrationWarning dateTime={new Date(atMs).toISOString()} title={formatAbsoluteTime(atMs)} className={className}>
      {formatRelativeTime(atMs, now)}
    </time>
  );
};
