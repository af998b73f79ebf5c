"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { decisions } from "./decisions";
import type { WaitingDecision } from "./waiting-decision";

const NONE: readonly WaitingDecision[] = [];
const none = () => NONE;

export const useDecisions = (): readonly WaitingDecision[] => useSyncExternalStore(decisions.subscribe, decisions.all, none);

/** The decision with this id, which this page shows itself as long as it is there; null: there is none. */
export const useShownDecision = (id: string): WaitingDecision | null => {
  // Told to the list of decisions, which lives outside of React, so that it does not show this one as well.
  useEffect(() => decisions.show(id), [id]);

  return useDecisions().find((one) => one.id === id) ?? null;
};

const TICK_MS = 200;

/** The time, as long as something counts down; ms since 1970. */
export const useNow = (isCounting: boolean): number => {
  const [nowMs, setNowMs] = useState(() => Date.now());

  // The browser's clock.
  useEffect(() => {
    if (!isCounting) return undefined;
    const tick = () => setNowMs(Date.now());
    tick();
    const timer = setInterval(tick, TICK_MS);

    return () => clearInterval(timer);
  }, [isCounting]);

  return nowMs;
};
