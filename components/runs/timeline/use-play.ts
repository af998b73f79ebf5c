"use client";

import { useEffect, useRef, useState } from "react";
import type { RecordCursor } from "@/components/runs/use-record-cursor";

export const SPEEDS = [1, 4, 16] as const;
export type Speed = (typeof SPEEDS)[number];

/** At speed 1. */
const RECORDS_PER_S = 4;
/** Reduced motion: fewer, larger steps. */
const CALM_MS = 500;
const FASTEST_MS = 16;

const isCalm = (): boolean => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

export type Play = {
  readonly isPlaying: boolean;
  readonly speed: Speed;
  readonly setSpeed: (speed: Speed) => void;
  readonly toggle: () => void;
  readonly stop: () => void;
};

/** Plays to the last record. */
export const usePlay = (cursor: RecordCursor, last: number): Play => {
  const [isOn, setIsOn] = useState(false);
  const [speed, setSpeed] = useState<Speed>(1);
  const at = useRef({ selected: cursor.selected, last, select: cursor.select });
  // Live runs are followed instead.
  const isPlaying = isOn && cursor.selected < last;

  useEffect(() => {
    at.current = { selected: cursor.selected, last, select: cursor.select };
  }, [cursor.selected, cursor.select, last]);

  useEffect(() => {
    if (!isPlaying) return undefined;
    const perRecordMs = 1_000 / (RECORDS_PER_S * speed);
    const tickMs = Math.max(isCalm() ? CALM_MS : FASTEST_MS, perRecordMs);
    const step = Math.max(1, Math.round(tickMs / perRecordMs));
    const timer = setInterval(() => at.current.select(at.current.selected + step), tickMs);

    return () => clearInterval(timer);
  }, [isPlaying, speed]);

  return {
    isPlaying,
    speed,
    setSpeed,
    stop: () => setIsOn(false),
    toggle: () => {
      // Restarts from the first record.
      if (!isPlaying && cursor.selected >= last) cursor.select(0);
      setIsOn(!isPlaying);
    },
  };
};
