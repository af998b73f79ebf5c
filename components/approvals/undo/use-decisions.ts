"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { decisions } from "./decisions";
import type { WaitingDecision } from "./waiting-decision";

const NONE: readonly WaitingDecision[] = [];
const none = () => NONE;

export const useDecisions = (): readonly WaitingDecision[] => useSyncExternalStore(decisions.subscribe, decisions.all, none);

export const useShownDecision = (id: string): WaitingDecision | null => {
  useEffect(() => decisions.show(id), [id]);

  return useDecisions().find((one) => one.id === id) ?? null;
};

const TICK_MS = 200;

/** Current time (ms since 1970), updated during countdowns. */
export const useNow = (isCounting: boolean): number => {
  const [nowMs, setNowMs] = useState(() => Date.now());

  useEffect(() => {
    if (!isCounting) return undefined;
    const tick = () => setNowMs(Date.now());
    tick();
    const timer = setInterval(tick, TICK_MS);

    return () => clearInterval(timer);
  }, [isCounting]);

  return nowMs;
};
