"use client";

import { useSyncExternalStore } from "react";
import { absoluteTime, relativeTime } from "@/lib/format";

const TICK_MS = 15_000;
const listeners = new Set<() => void>();
let nowMs: number | null = null;
let timer: ReturnType<typeof setInterval> | null = null;

const tick = () => {
  nowMs = Date.now();
  for (const listener of listeners) listener();
};

// One timer for every time on the page.
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

const readNow = (): number | null => {
  nowMs ??= Date.now();

  return nowMs;
};

// The server does not know when the reader looks: it renders the absolute time.
const readServerNow = (): number | null => null;

type Props = {
  /** Milliseconds since 1970, or an ISO string. */
  readonly at: number | string;
  readonly className?: string | undefined;
};

/** "3 min ago", with the absolute time on hover. */
export const RelativeTime = ({ at, className }: Props) => {
  const now = useSyncExternalStore(subscribe, readNow, readServerNow);
  const atMs = typeof at === "number" ? at : Date.parse(at);
  const absolute = absoluteTime(atMs);

  return (
    <time dateTime={new Date(atMs).toISOString()} title={absolute} className={className}>
      {now === null ? absolute : relativeTime(atMs, now)}
    </time>
  );
};
