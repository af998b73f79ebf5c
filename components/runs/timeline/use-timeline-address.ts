"use client";

import { createSerializer, parseAsArrayOf, parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { filterOf, formatFilter, type RecordFilter } from "./filters";
import { MOST_PINS } from "./pins";

/** Panes beside the records. */
export const VIEWS = ["both", "state", "diff"] as const;
export type View = (typeof VIEWS)[number];

export type TimelineAddress = {
  readonly view: View;
  readonly setView: (view: View) => void;
  readonly filter: RecordFilter | null;
  readonly setFilter: (filter: RecordFilter | null) => void;
  readonly pins: readonly string[];
  readonly togglePin: (path: string) => void;
  /** Immediate link; the URL itself updates late. */
  readonly linkTo: (seq: number) => string;
};

const PARSERS = {
  view: parseAsStringLiteral(VIEWS).withDefault("both"),
  show: parseAsString,
  pin: parseAsArrayOf(parseAsString).withDefault([]),
};

export const withTimeline = createSerializer({ ...PARSERS, t: parseAsInteger });

export const useTimelineAddress = (): TimelineAddress => {
  const [{ view, show, pin }, set] = useQueryStates(PARSERS, { history: "push" });

  return useMemo(() => {
    const pins = [...new Set(pin)].slice(0, MOST_PINS);
    const without = (path: string) => pins.filter((each) => each !== path);

    return {
      view,
      setView: (next) => void set({ view: next }),
      filter: show === null ? null : filterOf(show),
      setFilter: (filter) => void set({ show: filter === null ? null : formatFilter(filter) }),
      pins,
      togglePin: (path) => void set({ pin: pins.includes(path) ? without(path) : [...pins, path].slice(-MOST_PINS) }),
      linkTo: (seq) => withTimeline(window.location.href, { view, show, pin, t: seq }),
    };
  }, [view, show, pin, set]);
};
